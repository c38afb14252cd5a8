//! White balance.

use std::ops::RangeInclusive;

use glam::{DMat3, DVec3, Mat3A, Vec3A};

use crate::image::LinearImage;

/// A chromatic adaptation that maps the colour of some light to white.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WhiteBalance(Mat3A);

impl WhiteBalance {
    /// The supported temperatures, in kelvin.
    pub const TEMPERATURES: RangeInclusive<f32> = 1700.0..=25_000.0;

    /// The white balance for light with this colour temperature in kelvin: candles 1900, bulbs
    /// 2700, the sun 5500, the white of screens 6504, blue sky above 10,000. Other temperatures are
    /// clamped to [`TEMPERATURES`](Self::TEMPERATURES).
    ///
    /// Bradford's adaptation: Lam 1985, "Metamerism and Colour Constancy".
    pub fn of_temperature(kelvin: f32) -> Self {
        let kelvin = kelvin.clamp(*Self::TEMPERATURES.start(), *Self::TEMPERATURES.end());
        let cones = |white: [f64; 2]| BRADFORD * xyz(white);
        let gain = cones(D65) / cones(white_of(f64::from(kelvin)));
        let adapted = BRADFORD.inverse() * DMat3::from_diagonal(gain) * BRADFORD;
        Self((SRGB_TO_XYZ.inverse() * adapted * SRGB_TO_XYZ).as_mat3().into())
    }

    /// The adapted image.
    #[must_use]
    pub fn balanced(&self, image: &LinearImage) -> LinearImage {
        let pixels = image.pixels.iter();
        let pixels = pixels.map(|pixel| (self.0 * Vec3A::from_array(*pixel)).to_array());
        LinearImage { pixels: pixels.collect(), ..*image }
    }
}

/// The white point of sRGB.
const D65: [f64; 2] = [0.3127, 0.3290];

/// Columns; IEC 61966-2-1.
const SRGB_TO_XYZ: DMat3 = DMat3::from_cols(
    DVec3::new(0.412_456_4, 0.212_672_9, 0.019_333_9),
    DVec3::new(0.357_576_1, 0.715_152_2, 0.119_192),
    DVec3::new(0.180_437_5, 0.072_175, 0.950_304_1),
);

/// Columns; from XYZ to sharpened cones.
const BRADFORD: DMat3 = DMat3::from_cols(
    DVec3::new(0.8951, -0.7502, 0.0389),
    DVec3::new(0.2664, 1.7135, -0.0685),
    DVec3::new(-0.1614, 0.0367, 1.0296),
);

/// XYZ of a chromaticity, at luminance 1.
fn xyz([x, y]: [f64; 2]) -> DVec3 {
    DVec3::new(x / y, 1.0, (1.0 - x - y) / y)
}

/// The chromaticity of a black body below 4000 K and of daylight above 5000 K, interpolated in
/// between.
fn white_of(kelvin: f64) -> [f64; 2] {
    let share = ((kelvin - 4000.0) / 1000.0).clamp(0.0, 1.0);
    let (body, day) = (glowing_body(kelvin), daylight(kelvin.max(4000.0)));
    std::array::from_fn(|at| body[at] + (day[at] - body[at]) * share)
}

/// The chromaticity of a black body from 1667 to 25,000 K. Kim et al. 2002, "Design of Advanced
/// Color Temperature Control System for HDTV Applications".
fn glowing_body(kelvin: f64) -> [f64; 2] {
    let t = 1000.0 / kelvin;
    let x = if kelvin < 4000.0 {
        ((-0.266_123_9 * t - 0.234_358_9) * t + 0.877_695_6) * t + 0.179_910
    } else {
        ((-3.025_846_9 * t + 2.107_037_9) * t + 0.222_634_7) * t + 0.240_390
    };
    let y = if kelvin < 2222.0 {
        ((-1.106_381_4 * x - 1.348_110_2) * x + 2.185_558_32) * x - 0.202_196_83
    } else if kelvin < 4000.0 {
        ((-0.954_947_6 * x - 1.374_185_93) * x + 2.091_370_15) * x - 0.167_488_67
    } else {
        ((3.081_758 * x - 5.873_386_7) * x + 3.751_129_97) * x - 0.370_014_83
    };
    [x, y]
}

/// The chromaticity of daylight from 4000 to 25,000 K. CIE 15:2004, section 3.1.
fn daylight(kelvin: f64) -> [f64; 2] {
    let t = 1000.0 / kelvin;
    let x = if kelvin <= 7000.0 {
        ((-4.607 * t + 2.9678) * t + 0.099_11) * t + 0.244_063
    } else {
        ((-2.0064 * t + 1.9018) * t + 0.247_48) * t + 0.237_040
    };
    [x, (-3.0 * x + 2.87) * x - 0.275]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(kelvin: f32, pixel: [f32; 3]) -> Vec3A {
        let image = LinearImage { width: 1, height: 1, pixels: vec![pixel] };
        Vec3A::from_array(WhiteBalance::of_temperature(kelvin).balanced(&image).pixels[0])
    }

    #[test]
    fn the_white_of_screens_changes_nothing() {
        for pixel in [[1.0; 3], [0.8, 0.2, 0.1], [0.0, 0.1, 3.0]] {
            let near = (seen(6504.0, pixel) - Vec3A::from_array(pixel)).abs().max_element();
            assert!(near < 4e-3, "{pixel:?}: {near}");
        }
    }

    #[test]
    fn light_of_the_temperature_becomes_white() {
        // Published chromaticities: CIE A of 2856 K, D50 of 5003 K, D75 of 7504 K.
        for (kelvin, white) in
            [(2856.0, [0.4476, 0.4074]), (5003.0, [0.3457, 0.3585]), (7504.0, [0.2990, 0.3149])]
        {
            let light = (SRGB_TO_XYZ.inverse() * xyz(white)).as_vec3();
            let seen = seen(kelvin, light.to_array());
            assert!((seen - 1.0).abs().max_element() < 0.015, "{kelvin}: {seen}");
        }
    }

    #[test]
    fn warm_light_looks_colder_and_the_other_way_round() {
        let (bulb, sky) = (seen(2700.0, [1.0; 3]), seen(12_000.0, [1.0; 3]));
        assert!(bulb.z > bulb.y && bulb.y > bulb.x, "{bulb}");
        assert!(sky.x > sky.y && sky.y > sky.z, "{sky}");
        assert_eq!(seen(1.0, [1.0; 3]), seen(1700.0, [1.0; 3]));
    }
}
