//! Fog: a homogeneous medium below a plane.

use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3A};

use crate::frame::Frame;
use crate::ray::Ray;

/// A homogeneous medium below a plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Fog {
    /// The extinction coefficient, in 1/m.
    extinction: f32,
    /// The single-scattering albedo, per channel.
    pub(crate) albedo: Vec3A,
    /// The asymmetry parameter: the mean cosine of the scattering angle.
    asymmetry: f32,
    /// The y coordinate of the upper boundary.
    top: f32,
}

/// The interval of a ray within the fog: its start and length, in metres.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Span {
    start: f32,
    length: f32,
}

impl Fog {
    /// The fog of a scene whose highest point is `highest`.
    pub(crate) fn new(fog: &scene::Fog, highest: f64) -> Self {
        Self {
            extinction: fog.extinction() as f32,
            albedo: crate::color::channels(fog.color.get()),
            asymmetry: fog.anisotropy.get() as f32,
            top: fog.top(highest) as f32,
        }
    }

    /// The interval within the fog of the first `distance` metres, which may be infinite, from
    /// `origin` along the unit vector `direction`.
    fn span(&self, origin: Vec3A, direction: Vec3A, distance: f32) -> Span {
        let height = self.top - origin.y;
        let crossing = height / direction.y;
        let (start, end) = if direction.y > 0.0 {
            (0.0, crossing.min(distance))
        } else if direction.y < 0.0 {
            (crossing.max(0.0), distance)
        } else if height > 0.0 {
            (0.0, distance)
        } else {
            (0.0, 0.0)
        };
        Span { start, length: (end - start).max(0.0) }
    }

    /// The transmittance of `distance` metres, which may be infinite, from `origin` along the unit
    /// vector `direction`.
    pub(crate) fn left(&self, origin: Vec3A, direction: Vec3A, distance: f32) -> f32 {
        (-self.extinction * self.span(origin, direction, distance).length).exp()
    }

    /// Samples the distance of the next scattering event within `distance` metres along the ray,
    /// for `u` in [0, 1); `None` if there is none. Its pdf is the extinction times the
    /// transmittance.
    pub(crate) fn meeting(&self, ray: &Ray, distance: f32, u: f32) -> Option<f32> {
        let span = self.span(ray.origin, ray.direction, distance);
        let free = -(-u).ln_1p() / self.extinction;
        (free < span.length).then_some(span.start + free)
    }

    /// The phase function from the direction of travel `before` to `after`, per steradian. Henyey
    /// and Greenstein 1941.
    pub(crate) fn phase(&self, before: Vec3A, after: Vec3A) -> f32 {
        let g = self.asymmetry;
        let squared = (1.0 + g * g - 2.0 * g * before.dot(after)).max(1e-6);
        (1.0 - g * g) / (4.0 * PI * squared * squared.sqrt())
    }

    /// Samples a direction of travel after `before`, with the pdf [`phase`](Self::phase).
    pub(crate) fn sample_phase(&self, before: Vec3A, [u, v]: [f32; 2]) -> Vec3A {
        let g = self.asymmetry;
        let cos = if g.abs() < 1e-3 {
            1.0 - 2.0 * u
        } else {
            let part = (1.0 - g * g) / (1.0 + g - 2.0 * g * u);
            (1.0 + g * g - part * part) / (2.0 * g)
        };
        let cos = cos.clamp(-1.0, 1.0);
        let flat = (1.0 - cos * cos).sqrt() * Vec2::from_angle(TAU * v);
        Frame::around(before).to_world(Vec3A::new(flat.x, flat.y, cos)).normalize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chi_square::{Random, check_directions};

    fn fog(extinction: f32, asymmetry: f32) -> Fog {
        Fog { extinction, albedo: Vec3A::ONE, asymmetry, top: 2.0 }
    }

    #[test]
    fn directions_are_scattered_as_the_phase_function_says() {
        let mut random = Random(5);
        for asymmetry in [-0.9, -0.3, 0.0, 0.0005, 0.5, 0.8] {
            let fog = fog(1.0, asymmetry);
            let before = random.direction();
            let sample = |u| Some(fog.sample_phase(before, u));
            check_directions("fog", sample, |after| fog.phase(before, after));
        }
    }

    #[test]
    fn the_way_through_the_layer_is_what_counts() {
        let fog = fog(0.5, 0.0);
        let (up, down) = (Vec3A::Y, Vec3A::NEG_Y);
        let slanted = Vec3A::new(0.8, 0.6, 0.0);
        for (from, direction, distance, length) in [
            (0.0, up, f32::INFINITY, 2.0),
            (0.0, up, 1.5, 1.5),
            (0.0, slanted, f32::INFINITY, 2.0 / 0.6),
            (5.0, down, f32::INFINITY, f32::INFINITY),
            (5.0, down, 4.0, 1.0),
            (5.0, down, 2.0, 0.0),
            (5.0, up, f32::INFINITY, 0.0),
            (1.0, Vec3A::X, 7.0, 7.0),
            (3.0, Vec3A::X, f32::INFINITY, 0.0),
            (2.0, Vec3A::X, 1.0, 0.0),
        ] {
            let left = fog.left(Vec3A::Y * from, direction, distance);
            let expected = (-0.5 * length).exp();
            assert!((left - expected).abs() < 1e-6, "{from} {direction} {distance}: {left}");
        }
    }

    #[test]
    fn light_is_met_as_often_as_it_does_not_arrive() {
        let fog = fog(0.7, 0.0);
        let ray = Ray::new(Vec3A::Y * 3.0, Vec3A::new(0.0, -0.8, 0.6));
        let mut random = Random(9);
        let (mut met, mut sum) = (0.0, 0.0);
        for _ in 0..100_000 {
            if let Some(distance) = fog.meeting(&ray, 4.0, random.next()) {
                assert!((1.25..4.0).contains(&distance));
                met += 1.0;
                sum += f64::from(distance) - 1.25;
            }
        }
        let (length, extinction) = (2.75_f64, 0.7_f64);
        let left = (-extinction * length).exp();
        assert!((met / 1e5 - (1.0 - left)).abs() < 5e-3, "{met}");
        let mean = 1.0 / extinction - length * left / (1.0 - left);
        assert!((sum / met - mean).abs() < 1e-2, "{} {mean}", sum / met);
    }
}
