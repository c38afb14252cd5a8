//! The importance of lights, eight at a time.

use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, dispatch, f32x8};
use glam::Vec3A;

use super::bounds::{Beam, LightBounds};
use super::{Known, Receiver};

/// The number of lights of a block.
pub(super) const LANES: usize = 8;
/// The largest importance. Very close to a light the square of the distance overflows.
const MAX_IMPORTANCE: f32 = 1e30;

/// Up to eight lights, or groups of lights, side by side. Those that are missing have no importance.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
pub(super) struct LightBlock {
    center: [[f32; LANES]; 3],
    normal: [[f32; LANES]; 3],
    radius: [f32; LANES],
    weight: [f32; LANES],
    added: [f32; LANES],
    least: [f32; LANES],
    dark_within: [f32; LANES],
    /// Of the radius.
    inverse_radius: [f32; LANES],
    /// The least cosine at which it leaves: 1 for lights that emit all around, 0 for flat ones.
    least_leaving: [f32; LANES],
    /// Whether any light is flat.
    has_flat: bool,
    beams: Vec<(usize, Beam)>,
}

impl LightBlock {
    /// A block of `lights`, at most [`LANES`].
    pub(super) fn new(lights: impl Iterator<Item = LightBounds>) -> Self {
        let none = [0.0; LANES];
        let mut block = Self {
            center: [none; 3],
            normal: [none; 3],
            radius: none,
            weight: none,
            added: [1.0; LANES],
            least: none,
            dark_within: [-1.0; LANES],
            inverse_radius: none,
            least_leaving: none,
            has_flat: false,
            beams: Vec::new(),
        };
        for (lane, light) in lights.enumerate() {
            for axis in 0..3 {
                block.center[axis][lane] = light.center[axis];
                block.normal[axis][lane] = light.normal[axis];
            }
            block.radius[lane] = light.radius;
            block.weight[lane] = light.weight;
            block.added[lane] = light.added;
            block.least[lane] = light.least;
            block.dark_within[lane] = light.dark_within;
            block.inverse_radius[lane] = light.radius.recip();
            let is_flat = light.normal != Vec3A::ZERO;
            block.least_leaving[lane] = if is_flat { 0.0 } else { 1.0 };
            block.has_flat |= is_flat;
            block.beams.extend(light.beam.map(|beam| (lane, beam)));
        }
        block
    }

    /// Estimates of the irradiance, as luminance, at the receiver without occlusion. Zero only for lights of which
    /// none can arrive.
    #[inline]
    pub(super) fn importance<K: Known>(
        &self,
        level: Level,
        receiver: &Receiver<K>,
    ) -> [f32; LANES] {
        dispatch!(level, simd => *self.importance_with(simd, receiver).as_array())
    }

    /// Estimates of the fluence at a point.
    pub(super) fn fluence(&self, level: Level, point: Vec3A) -> [f32; LANES] {
        /// Normals that cover all directions about evenly.
        const AROUND: [Vec3A; 6] =
            [Vec3A::X, Vec3A::NEG_X, Vec3A::Y, Vec3A::NEG_Y, Vec3A::Z, Vec3A::NEG_Z];
        let mut fluence = dispatch!(level, simd => *self.sum(simd, point, &AROUND).as_array());
        self.limit_to_beams(point, &mut fluence);
        fluence
    }

    /// [`importance`](Self::importance) with the instructions of `simd`.
    #[inline(always)]
    pub(super) fn importance_with<S: Simd, K: Known>(
        &self,
        simd: S,
        receiver: &Receiver<K>,
    ) -> f32x8<S> {
        let (point, normal) = (receiver.point, receiver.normal);
        let importance = if !K::ONE_SIDED && receiver.both_sides {
            self.sum(simd, point, &[normal, -normal])
        } else {
            self.sum(simd, point, &[normal])
        };
        if self.beams.is_empty() {
            return importance;
        }
        let mut limited = *importance.as_array();
        self.limit_to_beams(point, &mut limited);
        f32x8::load_array(simd, limited)
    }

    fn limit_to_beams(&self, point: Vec3A, importance: &mut [f32; LANES]) {
        for (lane, beam) in &self.beams {
            if importance[*lane] > 0.0 {
                importance[*lane] *= beam.strongest(point);
            }
        }
    }

    /// The sum over the sides that receive light, by their normals.
    #[inline(always)]
    fn sum<S: Simd, const SIDES: usize>(
        &self,
        simd: S,
        point: Vec3A,
        normals: &[Vec3A; SIDES],
    ) -> f32x8<S> {
        // No closures around vectors, as in `bvh`.
        let (zero, one) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, 1.0));
        let [x, y, z] = [
            load(simd, &self.center[0]) - point.x,
            load(simd, &self.center[1]) - point.y,
            load(simd, &self.center[2]) - point.z,
        ];
        let squared = x * x + y * y + z * z;
        let distance = squared.sqrt();
        // Divisions take most of the time.
        let inverse = one / distance;
        let radius = load(simd, &self.radius);
        let mut arriving = zero;
        for normal in normals {
            let along = x * normal.x + y * normal.y + z * normal.z;
            arriving += ((along + radius) * inverse).max(zero).min(one);
        }
        let around = f32x8::splat(simd, SIDES as f32);
        let arriving = distance.simd_le(radius).select(around, arriving);
        let mut leaving = load(simd, &self.weight);
        if self.has_flat {
            leaving *= self.leaving(simd, [x, y, z], distance, inverse);
        }
        let apart = (squared + load(simd, &self.added)).max(load(simd, &self.least));
        let importance = leaving * arriving / apart;
        let importance = importance.min(f32x8::splat(simd, MAX_IMPORTANCE));
        // What is not a number, 0 / 0, is not above 0 either.
        let arrives = importance.simd_gt(zero) & squared.simd_gt(load(simd, &self.dark_within));
        arrives.select(importance, zero)
    }

    /// The cosines at which light leaves towards the receiver, given the offsets from there.
    #[inline(always)]
    fn leaving<S: Simd>(
        &self,
        simd: S,
        [x, y, z]: [f32x8<S>; 3],
        distance: f32x8<S>,
        inverse: f32x8<S>,
    ) -> f32x8<S> {
        let height = -(load(simd, &self.normal[0]) * x
            + load(simd, &self.normal[1]) * y
            + load(simd, &self.normal[2]) * z);
        // Close to a flat light, parts of it are overhead even if its center is seen at a grazing angle.
        let near = 1.0 - distance * load(simd, &self.inverse_radius);
        let leaving = (height * inverse).max(near);
        let facing = height.simd_gt(f32x8::splat(simd, 0.0));
        facing.select(leaving, load(simd, &self.least_leaving))
    }
}

#[inline(always)]
fn load<S: Simd>(simd: S, lanes: &[f32; LANES]) -> f32x8<S> {
    f32x8::load_array_ref(simd, lanes)
}

#[cfg(test)]
mod tests {
    use super::super::Anything;
    use super::*;
    use crate::chi_square::Random;
    use crate::instructions::InstructionSet;

    fn somewhere(random: &mut Random) -> LightBounds {
        let ball = (4.0 * random.direction() * random.next(), random.between(0.0, 0.8));
        let weight = random.between(0.0, 9.0);
        match (3.0 * random.next()) as u32 {
            0 => LightBounds::round(ball, weight),
            1 => LightBounds::flat(ball, weight, random.direction(), 0.1),
            _ => LightBounds::group(ball, weight),
        }
    }

    #[test]
    fn eight_lights_weigh_what_each_weighs_with_any_instructions() {
        let mut random = Random(31);
        let best = InstructionSet::Best.level();
        for round in 0..500 {
            let lights: Vec<LightBounds> = (0..7).map(|_| somewhere(&mut random)).collect();
            let block = LightBlock::new(lights.iter().cloned());
            let point = 4.0 * random.direction() * random.next();
            let (normal, both_sides) = (random.direction(), round % 2 == 0);
            let receiver =
                Receiver { point, normal, samples_sky: false, both_sides, known: Anything };
            let weights = block.importance(best, &receiver);
            for level in InstructionSet::available().into_iter().map(InstructionSet::level) {
                assert_eq!(weights, block.importance(level, &receiver));
                assert_eq!(block.fluence(best, point), block.fluence(level, point));
            }
            assert_eq!(weights[7], 0.0, "one is missing");
            for (light, weight) in lights.into_iter().zip(weights) {
                let alone = LightBlock::new([light].into_iter());
                assert_eq!(alone.importance(best, &receiver)[0], weight);
            }
        }
    }

    #[test]
    fn a_small_light_weighs_what_arrives_from_it() {
        let [light, flat] = [
            LightBounds::round((Vec3A::new(0.0, 3.0, 4.0), 0.0), 50.0),
            LightBounds::flat((Vec3A::new(0.0, 3.0, 4.0), 1e-4), 50.0, Vec3A::NEG_Y, 0.0),
        ];
        let receiver = Receiver {
            point: Vec3A::ZERO,
            normal: Vec3A::Y,
            samples_sky: false,
            both_sides: false,
            known: Anything,
        };
        let block = LightBlock::new([light, flat].into_iter());
        let [round, flat, ..] = block.importance(InstructionSet::Best.level(), &receiver);
        // The squared distance is 25, each cosine 0.6.
        assert!((round - 50.0 / 25.0 * 0.6).abs() < 1e-3, "{round}");
        assert!((flat - 50.0 / 25.0 * 0.6 * 0.6).abs() < 1e-3, "{flat}");
    }
}
