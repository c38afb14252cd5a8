//! Clouds: bodies of fog whose density varies.

use fearless_simd::Level;
use glam::Vec3A;

use super::scatterer::Scatterer;
use crate::instructions::InstructionSet;
use crate::texture::fractal_noise;

/// Steps along a ray through a cloud. Its density counts as even within each.
const STEPS: usize = 24;
/// Layers of noise.
const OCTAVES: u32 = 4;

/// An ellipsoid of fog, densest in its middle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cloud {
    center: Vec3A,
    /// 1 / radius along each axis.
    scale: Vec3A,
    /// The extinction coefficient where it is densest, in 1/m.
    extinction: f32,
    raggedness: f32,
    /// The lumps: noise cells in a metre, and where the noise begins.
    frequency: f32,
    shift: Vec3A,
    /// The instructions by which the lumps are computed.
    level: Level,
    pub(crate) scatterer: Scatterer,
}

impl Cloud {
    pub(crate) fn new(cloud: &scene::Cloud) -> Self {
        let radii = Vec3A::from_array(cloud.radii.get().map(|radius| radius as f32));
        let seed = cloud.seed.get() as f32;
        Self {
            center: Vec3A::from_array(cloud.center.get().map(|part| part as f32)),
            scale: radii.recip(),
            extinction: cloud.extinction() as f32,
            raggedness: cloud.raggedness.get() as f32,
            // Lumps are a third as large as the cloud.
            frequency: 3.0 / (radii.element_sum() / 3.0),
            shift: Vec3A::new(7.31, 3.77, 9.13) * seed,
            level: InstructionSet::Best.level(),
            scatterer: Scatterer {
                albedo: crate::color::channels(cloud.color.get()),
                asymmetry: cloud.anisotropy.get() as f32,
            },
        }
    }

    /// The extinction coefficient at a point.
    fn at(&self, point: Vec3A) -> f32 {
        let own = point - self.center;
        let inwards = 1.0 - (own * self.scale).length();
        if inwards <= 0.0 {
            return 0.0;
        }
        let mut body = 1.8 * inwards;
        if self.raggedness > 0.0 {
            let lumps = fractal_noise(self.level, own * self.frequency + self.shift, OCTAVES);
            body += self.raggedness * (2.0 * lumps - 0.35);
        }
        let body = eased(body / 0.7);
        self.extinction * body * eased(inwards / 0.12)
    }

    /// Where a ray enters and leaves, within the first `distance` metres.
    fn span(&self, origin: Vec3A, direction: Vec3A, distance: f32) -> Option<[f32; 2]> {
        let from = (origin - self.center) * self.scale;
        let along = direction * self.scale;
        let a = along.length_squared();
        let half_b = from.dot(along);
        // The distance of the line from the middle: exact where the origin is far away.
        let nearest = from - along * (half_b / a);
        let square = (1.0 - nearest.length_squared()) / a;
        if square <= 0.0 {
            return None;
        }
        let (middle, half) = (-half_b / a, square.sqrt());
        let span = [(middle - half).max(0.0), (middle + half).min(distance)];
        (span[0] < span[1]).then_some(span)
    }

    /// The end of each step through it and the extinction coefficient there.
    fn steps(
        &self,
        origin: Vec3A,
        direction: Vec3A,
        [start, end]: [f32; 2],
    ) -> impl Iterator<Item = (f32, f32)> {
        let step = (end - start) / STEPS as f32;
        (0..STEPS).map(move |at| {
            let from = start + step * at as f32;
            (from, step * self.at(origin + direction * (from + 0.5 * step)))
        })
    }

    /// The optical depth of the first `distance` metres along the unit vector `direction`.
    pub(crate) fn depth(&self, origin: Vec3A, direction: Vec3A, distance: f32) -> f32 {
        let Some(span) = self.span(origin, direction, distance) else { return 0.0 };
        self.steps(origin, direction, span).map(|(_, depth)| depth).sum()
    }

    /// The distance at which the optical depth is `depth`, if it is within `distance`.
    pub(crate) fn reach(
        &self,
        origin: Vec3A,
        direction: Vec3A,
        distance: f32,
        depth: f32,
    ) -> Option<f32> {
        let span = self.span(origin, direction, distance)?;
        let step = (span[1] - span[0]) / STEPS as f32;
        let mut left = depth;
        for (from, own) in self.steps(origin, direction, span) {
            if left < own {
                return Some(from + step * left / own);
            }
            left -= own;
        }
        None
    }
}

/// From 0 to 1, smoothly.
fn eased(x: f32) -> f32 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

#[cfg(test)]
mod tests {
    use scene::Environment;
    use serde_json::json;

    use super::*;
    use crate::chi_square::Random;

    fn cloud(raggedness: f64) -> Cloud {
        let sky = json!({ "type": "none", "fog": { "clouds": [
            { "center": [0, 5, 0], "radii": [3, 1, 2], "visibility": 2, "raggedness": raggedness }] } });
        let environment = Environment::from_json(&sky).unwrap();
        Cloud::new(&environment.fog().unwrap().clouds.get()[0])
    }

    #[test]
    fn light_is_met_as_often_as_it_does_not_arrive() {
        let mut random = Random(4);
        for raggedness in [0.0, 0.7] {
            let cloud = cloud(raggedness);
            let (origin, direction) =
                (Vec3A::new(-5.0, 5.1, 0.2), Vec3A::new(1.0, 0.02, 0.0).normalize());
            let left = (-cloud.depth(origin, direction, 100.0)).exp();
            assert!(left < 0.2 && left > 1e-6, "{left}");
            let mut met = 0;
            for _ in 0..20_000 {
                let depth = -(-random.next()).ln_1p();
                if let Some(distance) = cloud.reach(origin, direction, 100.0, depth) {
                    assert!((1.9..8.1).contains(&distance));
                    met += 1;
                }
            }
            assert!((f64::from(met) / 2e4 - f64::from(1.0 - left)).abs() < 0.01, "{met} {left}");
        }
    }

    #[test]
    fn a_cloud_ends_at_its_ellipsoid_and_behind_what_is_hit() {
        let cloud = cloud(0.5);
        let past = cloud.depth(Vec3A::new(-5.0, 6.01, 0.0), Vec3A::X, f32::INFINITY);
        let before = cloud.depth(Vec3A::new(-5.0, 5.0, 0.0), Vec3A::X, 1.9);
        let behind = cloud.depth(Vec3A::new(5.0, 5.0, 0.0), Vec3A::X, f32::INFINITY);
        assert_eq!([past, before, behind], [0.0; 3]);
        assert!(cloud.depth(Vec3A::new(0.0, 5.0, 0.0), Vec3A::X, f32::INFINITY) > 0.1);
    }
}
