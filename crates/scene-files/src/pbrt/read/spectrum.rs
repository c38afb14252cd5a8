//! Spectra as colours: RGB, black bodies, sampled spectra and spectra by name.

use super::parameters::Parameters;
use crate::import::{FileSource, SceneBuilder};

/// Reflectances of metals at normal incidence in linear sRGB: Lagarde 2014, "Feeding a physically
/// based shading model".
const METALS: [(&str, [f64; 3]); 5] = [
    ("Ag", [0.972, 0.960, 0.915]),
    ("Al", [0.913, 0.922, 0.924]),
    ("Au", [1.0, 0.766, 0.336]),
    ("CuZn", [0.910, 0.778, 0.423]),
    ("Cu", [0.955, 0.638, 0.538]),
];

/// Refractive indices at 589 nm.
const GLASSES: [(&str, f64); 9] = [
    ("glass-BK7", 1.5168),
    ("glass-BAF10", 1.6700),
    ("glass-FK51A", 1.4866),
    ("glass-LASF9", 1.8503),
    ("glass-F5", 1.6034),
    ("glass-F10", 1.6230),
    ("glass-F11", 1.6205),
    ("glass-SF11", 1.7847),
    ("diamond", 2.4176),
];

/// Reads the sampled spectra that parameters name: files with a wavelength and a value in each line.
pub(super) fn read_spectra(
    parameters: &mut Parameters,
    files: FileSource<'_>,
    builder: &mut SceneBuilder,
) {
    parameters.resolve("spectrum", |text| {
        let named = text.starts_with("stdillum-") || text.starts_with("metal-");
        if named || GLASSES.iter().any(|(glass, _)| *glass == text) {
            return None;
        }
        let bytes = files(text);
        let samples = bytes.ok().and_then(|bytes| samples(&String::from_utf8_lossy(&bytes)));
        if samples.is_none() {
            builder.note(format!(
                "the spectrum '{text}' cannot be read: a usual one of its kind is used instead"
            ));
        }
        samples
    });
}

/// The numbers of a sampled spectrum. A # begins a comment.
fn samples(text: &str) -> Option<Vec<f64>> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
    let numbers: Option<Vec<f64>> =
        lines.flat_map(str::split_whitespace).map(|word| word.parse().ok()).collect();
    numbers.filter(|numbers| numbers.len() >= 2 && numbers.len() % 2 == 0)
}

/// The colour of a parameter, unless that is a texture.
pub(super) fn colour(parameters: &Parameters, name: &str) -> Option<[f64; 3]> {
    match parameters.kind(name)? {
        "blackbody" => parameters.number(name).map(blackbody),
        "spectrum" => match parameters.list(name) {
            Some(samples) => sampled_colour(samples),
            None => parameters.text(name).and_then(named_light),
        },
        "rgb" | "color" | "xyz" => parameters.triple(name),
        _ => parameters.number(name).map(|number| [number; 3]),
    }
}

/// The reflectance of a metal at normal incidence, whose refractive index is eta + i k. `prefix` precedes the
/// names of the parameters.
pub(super) fn metal(parameters: &Parameters, prefix: &str) -> [f64; 3] {
    let [eta, k] = ["eta", "k"].map(|name| format!("{prefix}{name}"));
    let named = parameters.text(&eta).or(parameters.text(&k)).unwrap_or("metal-Cu-eta");
    let known = METALS.iter().find(|(metal, _)| named.contains(&format!("metal-{metal}-")));
    if let (Some((_, colour)), None) = (known, parameters.list(&eta)) {
        return *colour;
    }
    let (eta, k) = (colour(parameters, &eta), colour(parameters, &k));
    let (Some(eta), Some(k)) = (eta, k) else { return METALS[4].1 };
    std::array::from_fn(|at| {
        let (above, below) = ((eta[at] - 1.0).powi(2), (eta[at] + 1.0).powi(2));
        ((above + k[at] * k[at]) / (below + k[at] * k[at])).clamp(0.0, 1.0)
    })
}

/// The refractive index of a dielectric.
pub(super) fn index(parameters: &Parameters, name: &str) -> f64 {
    let named = parameters.text(name);
    let known = GLASSES.iter().find(|(glass, _)| Some(*glass) == named).map(|(_, index)| *index);
    let given = colour(parameters, name).map(|channels| channels.iter().sum::<f64>() / 3.0);
    known.or(given).unwrap_or(1.5).clamp(1.0, 100.0)
}

/// Named illuminants are white: the film is white-balanced for them.
fn named_light(name: &str) -> Option<[f64; 3]> {
    name.starts_with("stdillum-").then_some([1.0; 3])
}

/// Red, green and blue of a sampled spectrum: its means over thirds of the visible range.
fn sampled_colour(samples: &[f64]) -> Option<[f64; 3]> {
    let (pairs, _) = samples.as_chunks::<2>();
    let mean = |from: f64, to: f64| {
        let steps = 16;
        let at = |step: i32| from + (to - from) * (f64::from(step) + 0.5) / f64::from(steps);
        (0..steps).map(|step| value_at(pairs, at(step))).sum::<f64>() / f64::from(steps)
    };
    (!pairs.is_empty()).then(|| [mean(580.0, 680.0), mean(500.0, 580.0), mean(420.0, 500.0)])
}

/// The value at a wavelength, by linear interpolation.
fn value_at(pairs: &[[f64; 2]], wavelength: f64) -> f64 {
    let after = pairs.iter().position(|[at, _]| *at >= wavelength).unwrap_or(pairs.len());
    let [Some(low), Some(high)] = [after.saturating_sub(1), after].map(|at| pairs.get(at)) else {
        return pairs.last().map_or(0.0, |[_, value]| *value);
    };
    let width = high[0] - low[0];
    let share = if width > 0.0 { ((wavelength - low[0]) / width).clamp(0.0, 1.0) } else { 1.0 };
    low[1] + (high[1] - low[1]) * share
}

/// The colour of a glowing black body of luminance 1, in linear sRGB. Chromaticity by Kim et al.
/// 2002 (US 7024034), which holds from 1667 to 25000 K.
fn blackbody(kelvin: f64) -> [f64; 3] {
    let t = 1000.0 / kelvin.clamp(1667.0, 25_000.0);
    let x = if t > 0.25 {
        ((-0.266_123_9 * t - 0.234_358_9) * t + 0.877_695_6) * t + 0.179_910
    } else {
        ((-3.025_846_9 * t + 2.107_037_9) * t + 0.222_634_7) * t + 0.240_390
    };
    let y = if t > 1000.0 / 2222.0 {
        ((-1.106_381_4 * x - 1.348_110_20) * x + 2.185_558_32) * x - 0.202_196_83
    } else if t > 0.25 {
        ((-0.954_947_6 * x - 1.374_185_93) * x + 2.091_370_15) * x - 0.167_488_67
    } else {
        ((3.081_758_0 * x - 5.873_386_70) * x + 3.751_129_97) * x - 0.370_014_83
    };
    let (big_x, big_z) = (x / y, (1.0 - x - y) / y);
    // sRGB primaries, D65 white (IEC 61966-2-1).
    let rows = [
        [3.240_454_2, -1.537_138_5, -0.498_531_4],
        [-0.969_266_0, 1.876_010_8, 0.041_556_0],
        [0.055_643_4, -0.204_025_9, 1.057_225_2],
    ];
    rows.map(|[a, b, c]: [f64; 3]| (a * big_x + b + c * big_z).max(0.0))
}
