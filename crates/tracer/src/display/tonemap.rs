//! Tone mapping.

use std::sync::LazyLock;

use glam::{Mat3A, Vec3A};
use rayon::prelude::*;

use crate::image::LinearImage;

/// The tone mapping operator. The exposure is 0: 1.0 stays 1.0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ToneMap {
    /// AgX as in Blender 4 and later, base look: bright colours desaturate to white as on film.
    /// Eary Chow, `AgX_LUT_Gen`, after Troy Sobotka's AgX; without its guard rails for colours
    /// outside sRGB.
    #[default]
    AgX,
    /// Khronos PBR Neutral: colours below 0.8 keep hue and saturation, for product images. Khronos
    /// 2024, "Khronos PBR Neutral Tone Mapper", specification 1.0.
    Neutral,
    /// None: values above 1 are clipped, channel by channel.
    Srgb,
}

/// The image as 8-bit sRGB, three bytes per pixel, row by row from the top left. Negative values
/// and NaN become 0. Runs on the current rayon pool.
pub fn to_srgb8(image: &LinearImage, tone_map: ToneMap) -> Vec<u8> {
    let encode = &*ENCODED;
    let mut bytes = vec![0; image.pixels.len() * 3];
    // 4096 pixels take some tens of microseconds, enough for a task of the pool.
    bytes.par_chunks_mut(3 * 4096).zip(image.pixels.par_chunks(4096)).for_each(
        |(bytes, pixels)| {
            for (target, pixel) in bytes.chunks_exact_mut(3).zip(pixels) {
                let linear = Vec3A::from_array(pixel.map(|channel| channel.max(0.0)));
                let shown = match tone_map {
                    ToneMap::AgX => AGX.map(linear),
                    ToneMap::Neutral => neutral(linear),
                    ToneMap::Srgb => linear,
                };
                let steps = shown.clamp(Vec3A::ZERO, Vec3A::ONE) * (ENCODING_STEPS - 1) as f32;
                for (byte, step) in target.iter_mut().zip((steps + 0.5).to_array()) {
                    *byte = encode[step as usize];
                }
            }
        },
    );
    bytes
}

/// Subtracts the 4 % reflection of dielectrics, then compresses the brightest channel to 0.8..1 and
/// desaturates accordingly.
fn neutral(linear: Vec3A) -> Vec3A {
    const REFLECTION: f32 = 0.04;
    const COMPRESSED_FROM: f32 = 0.8 - REFLECTION;
    const FADING: f32 = 0.15;
    let darkest = linear.min_element();
    let offset = if darkest < 2.0 * REFLECTION {
        darkest - darkest * darkest / (4.0 * REFLECTION)
    } else {
        REFLECTION
    };
    let color = linear - offset;
    let peak = color.max_element();
    if peak < COMPRESSED_FROM {
        return color;
    }
    let room = 1.0 - COMPRESSED_FROM;
    let compressed = 1.0 - room * room / (peak + room - COMPRESSED_FROM);
    let share = 1.0 / (FADING * (peak - compressed) + 1.0);
    // At the limit of single precision the peak is infinite, which gives white.
    let scaled = if peak.is_finite() { color * (compressed / peak) } else { Vec3A::ONE };
    Vec3A::splat(compressed).lerp(scaled, share)
}

/// The number of steps; in the darkest and steepest part of the curve a step is a fifth of a byte.
const ENCODING_STEPS: usize = 1 << 14;

/// The sRGB encoding of 0..=1, in bytes.
static ENCODED: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let encoded = |step: usize| {
        let byte = 255.0 * srgb_encoded(step as f64 / (ENCODING_STEPS - 1) as f64);
        byte.round() as u8
    };
    (0..ENCODING_STEPS).map(encoded).collect()
});

/// IEC 61966-2-1.
fn srgb_encoded(linear: f64) -> f64 {
    if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

static AGX: LazyLock<AgX> = LazyLock::new(AgX::new);

/// The AgX base look: inset, logarithm, S-curve, outset.
struct AgX {
    inset: Mat3A,
    outset: Mat3A,
    /// The curve over log2 of the light from [`LOWEST_STOP`] to [`HIGHEST_STOP`], with linear
    /// output.
    curve: Vec<f32>,
}

/// Middle grey.
const GREY: f64 = 0.18;
/// The range of stops below and above middle grey.
const STOPS_BELOW: f64 = 10.0;
const STOPS_ABOVE: f64 = 6.5;
/// The number of steps, linearly interpolated; the error is below a hundredth of a byte.
const CURVE_STEPS: usize = 1024;

impl AgX {
    fn new() -> Self {
        // Linear sRGB to Rec. 2020 with the inset, and the inverse; columns as published.
        let inset = Mat3A::from_cols_array(&[
            0.544_908_14,
            0.140_440_06,
            0.088_827_41,
            0.373_779_46,
            0.754_109_6,
            0.178_877_12,
            0.081_384_98,
            0.105_433_59,
            0.732_25,
        ]);
        let outset = Mat3A::from_cols_array(&[
            1.964_551,
            -0.299_322_43,
            -0.164_368_34,
            -0.855_858_45,
            1.326_451_1,
            -0.238_224_64,
            -0.108_867_11,
            -0.027_084_02,
            1.402_665_3,
        ]);
        let curve = (0..=CURVE_STEPS)
            .map(|step| agx_curve(step as f64 / CURVE_STEPS as f64).powf(2.4) as f32)
            .collect();
        Self { inset, outset, curve }
    }

    fn map(&self, linear: Vec3A) -> Vec3A {
        // Avoids the logarithm of 0.
        let inset = self.inset * linear.clamp(Vec3A::splat(1e-10), Vec3A::splat(1e30));
        self.outset * Vec3A::from_array(inset.to_array().map(|light| self.shown(light)))
    }

    fn shown(&self, light: f32) -> f32 {
        let lowest = (GREY.log2() - STOPS_BELOW) as f32;
        let scale = (CURVE_STEPS as f64 / (STOPS_BELOW + STOPS_ABOVE)) as f32;
        let place = ((light.log2() - lowest) * scale).clamp(0.0, CURVE_STEPS as f32);
        let step = (place as usize).min(CURVE_STEPS - 1);
        let (low, high) = (self.curve[step], self.curve[step + 1]);
        low + (high - low) * (place - step as f32)
    }
}

/// The S-curve from a position between the stops, 0..=1, to the display value with gamma 2.4:
/// through (0, 0), (1, 1) and, with a slope of 2.4, through middle grey. Toe and shoulder are
/// hyperbolas `x / (1 + |x|^1.5)^(1/1.5)`, scaled to end in the corners.
fn agx_curve(place: f64) -> f64 {
    const SLOPE: f64 = 2.4;
    const POWER: f64 = 1.5;
    let pivot = STOPS_BELOW / (STOPS_BELOW + STOPS_ABOVE);
    let grey = GREY.powf(1.0 / 2.4);
    let (run, rise) = if place < pivot { (pivot, grey) } else { (1.0 - pivot, 1.0 - grey) };
    let straight = SLOPE * run;
    let scale = (straight.powf(-POWER) * ((straight / rise).powf(POWER) - 1.0)).powf(-1.0 / POWER);
    let x = SLOPE * (place - pivot) / scale;
    grey + scale * x / (1.0 + x.abs().powf(POWER)).powf(1.0 / POWER)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAPS: [ToneMap; 3] = [ToneMap::AgX, ToneMap::Neutral, ToneMap::Srgb];

    fn shown(pixel: [f32; 3], tone_map: ToneMap) -> [u8; 3] {
        let image = LinearImage { width: 1, height: 1, pixels: vec![pixel] };
        to_srgb8(&image, tone_map).try_into().unwrap()
    }

    #[test]
    fn srgb_follows_the_standard_to_the_byte() {
        for step in 0..=2000_u16 {
            let linear = f64::from(step) / 2000.0;
            let exact = 255.0 * srgb_encoded(linear);
            let [byte, ..] = shown([linear as f32; 3], ToneMap::Srgb);
            assert!((f64::from(byte) - exact).abs() < 0.62, "{linear}: {byte} for {exact}");
        }
        assert_eq!(shown([2.0, -1.0, f32::NAN], ToneMap::Srgb), [255, 0, 0]);
    }

    #[test]
    fn the_agx_curve_is_the_published_one() {
        // `AgX_LUT_Gen` as a rational function with its constants multiplied out.
        for (place, expected) in (0..=20).map(|step| f64::from(step) / 20.0).map(|place| {
            let (a, b) = if place < 20.0 / 33.0 {
                (-58.337_321_977_121_9, 35.355_952_713_407_2)
            } else {
                (46.141_050_157_836_4, -27.964_272_822_931_1)
            };
            let bend = 1.0 + 0.019_613_086_908_022 * (a * place + b).abs().powf(1.5);
            let rise = 2.4 * (place - 20.0 / 33.0) / bend.powf(1.0 / 1.5);
            (place, 0.489_437_089_573_878 + rise)
        }) {
            assert!((agx_curve(place) - expected).abs() < 1e-5, "{place}");
        }
    }

    #[test]
    fn agx_keeps_grey_grey_and_fades_bright_colours() {
        assert_eq!(shown([0.0; 3], ToneMap::AgX), [0, 0, 0]);
        // Middle grey is unchanged: sRGB encodes 0.18 as 118.
        for byte in shown([0.18; 3], ToneMap::AgX) {
            assert!(byte.abs_diff(118) <= 1, "{byte}");
        }
        for byte in shown([20.0; 3], ToneMap::AgX) {
            assert!(byte >= 253, "{byte}");
        }
        let [red, green, _] = shown([50.0, 0.5, 0.5], ToneMap::AgX);
        assert!(red > 240 && green > 120, "{red} {green}");
    }

    #[test]
    fn neutral_keeps_colours_and_compresses_highlights() {
        // Below the shoulder: the colour minus the 4 % reflection.
        let expected = 255.0 * srgb_encoded(0.5 - 0.04);
        assert!((f64::from(shown([0.5; 3], ToneMap::Neutral)[1]) - expected).abs() < 1.0);
        let [red, green, _] = shown([100.0, 1.0, 1.0], ToneMap::Neutral);
        assert!(red >= 254 && green > 200, "{red} {green}");
    }

    #[test]
    fn more_light_is_never_darker() {
        for tone_map in MAPS {
            let mut last = 0;
            for step in 0..4000 {
                let [_, green, _] = shown([1e-4 * 1.005_f32.powi(step); 3], tone_map);
                assert!(green >= last, "{tone_map:?} at {step}");
                last = green;
            }
            assert!(last >= 253, "{tone_map:?}");
        }
    }

    #[test]
    fn nothing_is_too_bright() {
        for tone_map in MAPS {
            for pixel in [[f32::MAX; 3], [f32::INFINITY; 3], [f32::MAX, 0.0, 0.0]] {
                assert!(shown(pixel, tone_map)[0] >= 250, "{tone_map:?} {pixel:?}");
            }
        }
    }
}
