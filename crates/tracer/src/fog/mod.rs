//! Fog: a homogeneous medium below a plane, and clouds.

mod cloud;
mod scatterer;

use glam::Vec3A;
use scene::MAX_CLOUDS;

use crate::ray::Ray;

use cloud::Cloud;
pub(crate) use scatterer::Scatterer;

/// A homogeneous medium below a plane, and clouds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fog {
    /// The extinction coefficient, in 1/m; 0 if there are only clouds.
    extinction: f32,
    scatterer: Scatterer,
    /// The y coordinate of the upper boundary.
    top: f32,
    clouds: [Option<Cloud>; MAX_CLOUDS],
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
        let mut clouds = [None; MAX_CLOUDS];
        for (place, cloud) in clouds.iter_mut().zip(fog.clouds.get()) {
            *place = Some(Cloud::new(cloud));
        }
        Self {
            extinction: fog.extinction() as f32,
            scatterer: Scatterer {
                albedo: crate::color::channels(fog.color.get()),
                asymmetry: fog.anisotropy.get() as f32,
            },
            top: fog.top(highest) as f32,
            clouds,
        }
    }

    fn clouds(&self) -> impl Iterator<Item = &Cloud> {
        self.clouds.iter().map_while(Option::as_ref)
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
        let layer = match self.extinction {
            0.0 => 0.0,
            extinction => extinction * self.span(origin, direction, distance).length,
        };
        let clouds = self.clouds().map(|cloud| cloud.depth(origin, direction, distance));
        (-(layer + clouds.sum::<f32>())).exp()
    }

    /// Samples the distance of the next scattering event within `distance` metres along the ray, and what
    /// scatters there, for `u` in [0, 1); `None` if there is none. Its pdf is the extinction times the
    /// transmittance. The layer and each cloud are met independently; the first one counts.
    pub(crate) fn meeting(&self, ray: &Ray, distance: f32, u: f32) -> Option<(f32, Scatterer)> {
        let mut nearest = None;
        let mut limit = distance;
        let mut number = u;
        if self.extinction > 0.0 {
            let span = self.span(ray.origin, ray.direction, distance);
            let free = -(-number).ln_1p() / self.extinction;
            if free < span.length {
                limit = span.start + free;
                nearest = Some((limit, self.scatterer));
            }
            number = other(number);
        }
        for cloud in self.clouds() {
            let depth = -(-number).ln_1p();
            if let Some(met) = cloud.reach(ray.origin, ray.direction, limit, depth) {
                limit = met;
                nearest = Some((met, cloud.scatterer));
            }
            number = other(number);
        }
        nearest
    }
}

/// Another number in [0, 1), independent of `u` for all that is seen: its bits, hashed (PCG).
fn other(u: f32) -> f32 {
    let state = u.to_bits().wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277_803_737);
    (((word >> 22) ^ word) >> 8) as f32 / 16_777_216.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chi_square::Random;

    fn fog(extinction: f32, asymmetry: f32) -> Fog {
        let scatterer = Scatterer { albedo: Vec3A::ONE, asymmetry };
        Fog { extinction, scatterer, top: 2.0, clouds: [None; MAX_CLOUDS] }
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
            if let Some((distance, _)) = fog.meeting(&ray, 4.0, random.next()) {
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
