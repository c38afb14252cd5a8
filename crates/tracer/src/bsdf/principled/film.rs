//! Thin-film interference.

use std::f32::consts::PI;
use std::sync::LazyLock;

use glam::{Mat3A, Vec3A};

/// A thin film on a surface. Light reflected at its two sides interferes, which changes the
/// reflectance by wavelength.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Film {
    /// The share of the surface that it covers.
    pub(super) weight: f32,
    /// In nanometres.
    pub(super) thickness: f32,
    /// The refractive index relative to air.
    pub(super) ior: f32,
}

/// Amplitude reflection coefficients for s and p polarisation; negative for a phase shift of half a
/// wave.
type Amplitudes = [f32; 2];

impl Film {
    /// The reflectance for white light at `cos` of a film over a dielectric of index `eta`.
    pub(super) fn over_dielectric(&self, cos: f32, eta: f32) -> Vec3A {
        let (top, inside) = amplitudes(cos, self.ior);
        let (bottom, _) = amplitudes(inside, eta / self.ior);
        self.interference(top, inside, [bottom; 3])
    }

    /// The reflectance of a film over a metal; `metal` is the metal's own reflectance by cosine.
    /// Like a denser medium, a metal shifts the phase by half a wave.
    pub(super) fn over_metal(&self, cos: f32, metal: impl Fn(f32) -> Vec3A) -> Vec3A {
        let (top, inside) = amplitudes(cos, self.ior);
        let bottom = metal(inside).to_array().map(|share| [-share.sqrt(); 2]);
        self.interference(top, inside, bottom)
    }

    /// The sum of all internal reflections over the spectrum, as linear sRGB. `bottom` has one
    /// value per channel. Born and Wolf 1999, Principles of Optics, section 7.6.
    fn interference(&self, top: Amplitudes, inside: f32, bottom: [Amplitudes; 3]) -> Vec3A {
        let path = 2.0 * self.ior * self.thickness * inside;
        let mut sum = Vec3A::ZERO;
        for (wavelength, response) in SPECTRUM.iter() {
            let cos_of_phase = (2.0 * PI * path / wavelength).cos();
            let share = |bottom: Amplitudes| {
                let of = |top: f32, bottom: f32| {
                    let between = 2.0 * top * bottom * cos_of_phase;
                    let (top, bottom) = (top * top, bottom * bottom);
                    (top + bottom + between) / (1.0 + top * bottom + between).max(1e-6)
                };
                0.5 * (of(top[0], bottom[0]) + of(top[1], bottom[1]))
            };
            sum += Vec3A::from_array(bottom.map(share)) * *response;
        }
        // Pure spectral colours are outside sRGB.
        sum.clamp(Vec3A::ZERO, Vec3A::ONE)
    }
}

/// The amplitude coefficients of an interface at `cos`, with `eta` the index behind it over that
/// before it, and the cosine behind it, 0 at total internal reflection.
fn amplitudes(cos: f32, eta: f32) -> (Amplitudes, f32) {
    let squared = 1.0 - (1.0 - cos * cos) / (eta * eta);
    if squared <= 0.0 {
        return ([1.0; 2], 0.0);
    }
    let behind = squared.sqrt();
    let across = (cos - eta * behind) / (cos + eta * behind);
    let within = (behind - eta * cos) / (behind + eta * cos);
    ([across, within], behind)
}

/// Wavelengths in nanometres with their weights in linear sRGB for a uniform spectrum; each channel
/// sums to 1.
static SPECTRUM: LazyLock<Vec<(f32, Vec3A)>> = LazyLock::new(|| {
    let wavelengths = (0..64).map(|step| 380.0 + 340.0 * (step as f32 + 0.5) / 64.0);
    let responses: Vec<(f32, Vec3A)> =
        wavelengths.map(|wavelength| (wavelength, response(wavelength))).collect();
    let total: Vec3A = responses.iter().map(|(_, response)| *response).sum();
    responses.into_iter().map(|(wavelength, response)| (wavelength, response / total)).collect()
});

/// The CIE 1931 observer in linear sRGB. Wyman, Sloan and Shirley 2013, "Simple Analytic
/// Approximations to the CIE XYZ Color Matching Functions"; IEC 61966-2-1.
fn response(wavelength: f32) -> Vec3A {
    let bump = |height: f32, center: f32, below: f32, above: f32| {
        let width = if wavelength < center { below } else { above };
        height * (-0.5 * ((wavelength - center) / width).powi(2)).exp()
    };
    let xyz = Vec3A::new(
        bump(1.056, 599.8, 37.9, 31.0) + bump(0.362, 442.0, 16.0, 26.7)
            - bump(0.065, 501.1, 20.4, 26.2),
        bump(0.821, 568.8, 46.9, 40.5) + bump(0.286, 530.9, 16.3, 31.1),
        bump(1.217, 437.0, 11.8, 36.0) + bump(0.681, 459.0, 26.0, 13.8),
    );
    let columns = [
        3.240_454_2,
        -0.969_266,
        0.055_643_4,
        -1.537_138_5,
        1.876_010_8,
        -0.204_025_9,
        -0.498_531_4,
        0.041_556,
        1.057_225_2,
    ];
    Mat3A::from_cols_array(&columns) * xyz
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bsdf::dielectric::fresnel;

    fn film(thickness: f32, ior: f32) -> Film {
        Film { weight: 1.0, thickness, ior }
    }

    #[test]
    fn no_film_and_a_film_of_the_same_index_change_nothing() {
        for cos in [1.0, 0.7, 0.3, 0.05] {
            let plain = fresnel(cos, 1.5).0;
            for film in [film(0.0, 1.3), film(400.0, 1.5)] {
                let reflected = film.over_dielectric(cos, 1.5);
                assert!((reflected - plain).abs().max_element() < 1e-4, "{film:?} {reflected}");
            }
        }
    }

    #[test]
    fn a_quarter_wave_takes_the_reflection_of_its_wavelength_away() {
        // A quarter-wave coating of index sqrt(1.5) on glass reflects no green of 550 nm, and
        // little red and blue.
        let coated = film(550.0 / 4.0 / 1.5_f32.sqrt(), 1.5_f32.sqrt()).over_dielectric(1.0, 1.5);
        assert!(coated.y < 0.002 && coated.x > coated.y && coated.z > coated.y, "{coated}");
    }

    #[test]
    fn a_metal_without_a_film_reflects_by_its_own_curve() {
        let gold = Vec3A::new(1.0, 0.77, 0.34);
        let same = film(0.0, 1.0).over_metal(0.6, |_| gold);
        assert!((same - gold).length() < 1e-4, "{same}");
    }

    #[test]
    fn thick_films_lose_their_colour() {
        // A thick film has many periods within the range of each channel.
        let thick = film(9000.0, 1.4).over_dielectric(0.8, 1.5);
        assert!(thick.max_element() - thick.min_element() < 0.01, "{thick}");
    }
}
