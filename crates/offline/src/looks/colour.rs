//! Colours as people say them. Linear sRGB.

use std::sync::LazyLock;

use catalogue::colour::{encoded, from_hex, linear, named};
use glam::DVec3;

use crate::frames::ColourWord;

/// What one word takes in, by hue, chroma and lightness in OKLCh (Ottosson 2020, "A perceptual color
/// space for image processing").
#[derive(Debug)]
pub(crate) struct Family {
    /// The word.
    pub(crate) name: &'static str,
    /// From and to, in degrees; from above to goes through 0.
    hue: [f64; 2],
    chroma: [f64; 2],
    lightness: [f64; 2],
}

static FAMILIES: LazyLock<Vec<Family>> = LazyLock::new(|| {
    let lines = include_str!("../../data/colour_families.txt").lines();
    lines.filter(|line| !line.starts_with('#')).filter_map(Family::read).collect()
});

impl Family {
    fn read(line: &'static str) -> Option<Self> {
        let (name, bounds) = line.split_once(' ')?;
        let bounds: Vec<f64> =
            bounds.split_whitespace().filter_map(|bound| bound.parse().ok()).collect();
        let [h0, h1, c0, c1, l0, l1] = bounds[..] else { return None };
        Some(Self { name, hue: [h0, h1], chroma: [c0, c1], lightness: [l0, l1] })
    }

    fn holds(&self, [lightness, chroma, hue]: [f64; 3]) -> bool {
        let within = |[from, to]: [f64; 2], value: f64| (from..=to).contains(&value);
        let [from, to] = self.hue;
        let hued = if from <= to { within(self.hue, hue) } else { hue >= from || hue <= to };
        hued && within(self.chroma, chroma) && within(self.lightness, lightness)
    }

    /// Whether people call `rgb` by the word of a colour: any of its family, or one that looks alike.
    pub(crate) fn fits(word: &ColourWord, rgb: DVec3) -> bool {
        let family = FAMILIES.iter().find(|family| family.name == word.name);
        let in_family = family.is_some_and(|family| family.holds(oklch(rgb)));
        let near = |wanted: DVec3| (oklab(wanted) - oklab(rgb)).length() < 0.14;
        match word.shade {
            None => in_family || rgb_of(word).is_some_and(near),
            // "the dark red one" is darker than red usually is.
            Some(_) => {
                rgb_of(word).is_some_and(near)
                    || (in_family
                        && rgb_of(word)
                            .is_some_and(|wanted| (oklab(wanted) - oklab(rgb)).length() < 0.22))
            }
        }
    }
}

/// The words for a colour, the most usual first; "dark" and "light" before them where that is nearer.
pub(crate) fn family_names(rgb: DVec3) -> Vec<String> {
    let lch = oklch(rgb);
    let words = FAMILIES.iter().filter(|family| family.holds(lch)).map(|family| family.name);
    let mut names: Vec<String> = words.map(|word| shaded_name(word, rgb)).collect();
    if names.is_empty() {
        let nearest = catalogue::colour::all().iter().min_by(|one, other| {
            let distance = |rgb_of: DVec3| (oklab(rgb_of) - oklab(rgb)).length();
            distance(one.rgb).total_cmp(&distance(other.rgb))
        });
        names.extend(nearest.map(|nearest| nearest.name.to_owned()));
    }
    names
}

/// The word with the shade that comes nearest to `rgb`. Greys have words of their own for that.
fn shaded_name(word: &str, rgb: DVec3) -> String {
    let [lightness, chroma, _] = oklch(rgb);
    let plain = named(word).filter(|_| chroma >= 0.04);
    let Some(plain) = plain else { return word.to_owned() };
    let shade = if lightness < oklch(plain)[0] { "dark" } else { "light" };
    let distance = |other: DVec3| (oklab(other) - oklab(rgb)).length();
    let shaded = named(&format!("{shade}{word}")).unwrap_or_else(|| shaded(plain, shade));
    match distance(shaded) < distance(plain) {
        true => format!("{shade} {word}"),
        false => word.to_owned(),
    }
}

/// The colour that is meant; `None` for a name that is none.
pub(crate) fn rgb_of(word: &ColourWord) -> Option<DVec3> {
    let rgb = match word.name.strip_prefix('#') {
        Some(digits) => from_hex(digits)?,
        None => named(&word.name)?,
    };
    Some(match word.shade {
        None => rgb,
        Some(shade) => shaded(rgb, shade),
    })
}

fn shaded(rgb: DVec3, shade: &str) -> DVec3 {
    let colour = encoded(rgb);
    linear(match shade {
        "light" => colour.lerp(DVec3::ONE, 0.5),
        "pastel" => colour.lerp(DVec3::ONE, 0.68),
        "dark" => colour * 0.55,
        "dull" => colour.lerp(DVec3::splat(colour.element_sum() / 3.0), 0.5),
        _ => colour,
    })
}

/// A linear colour made lighter (above 0) or darker, as it looks.
pub(super) fn lightened(rgb: DVec3, by: f64) -> DVec3 {
    let colour = encoded(rgb);
    linear(if by >= 0.0 { colour.lerp(DVec3::ONE, by) } else { colour * (1.0 + by) })
}

/// Colours that are told apart at a glance, over and over.
pub(crate) fn palette(count: usize) -> Vec<DVec3> {
    const CODES: [&str; 12] = [
        "ff0000", "0000ff", "ffd700", "008000", "ff8c00", "800080", "00ced1", "ff69b4", "8b4513",
        "ffffff", "000080", "7fff00",
    ];
    CODES.iter().filter_map(|code| from_hex(code)).cycle().take(count).collect()
}

fn oklab(rgb: DVec3) -> DVec3 {
    let cone = |weights: DVec3| weights.dot(rgb.max(DVec3::ZERO)).cbrt();
    let long = cone(DVec3::new(0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9));
    let medium = cone(DVec3::new(0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6));
    let short = cone(DVec3::new(0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5));
    DVec3::new(
        0.210_454_255_3 * long + 0.793_617_785 * medium - 0.004_072_046_8 * short,
        1.977_998_495_1 * long - 2.428_592_205 * medium + 0.450_593_709_9 * short,
        0.025_904_037_1 * long + 0.782_771_766_2 * medium - 0.808_675_766 * short,
    )
}

/// Lightness, chroma, and hue in degrees from 0 to 360.
fn oklch(rgb: DVec3) -> [f64; 3] {
    let lab = oklab(rgb);
    [lab.x, lab.y.hypot(lab.z), lab.z.atan2(lab.y).to_degrees().rem_euclid(360.0)]
}
