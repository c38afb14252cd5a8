//! The importance of lights, many at a time.

use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, dispatch, f32x8, f32x16};
use glam::Vec3A;

use super::bounds::{Beam, LightBounds};
use super::{Known, Receiver};
use crate::ray::LANES as RAYS;
use crate::ray_lanes::Vectors;

/// The usual number of lights of a block.
pub(super) const LANES: usize = 8;
/// The largest importance. Very close to a light the square of the distance overflows.
const MAX_IMPORTANCE: f32 = 1e30;

/// Up to `LANES` lights, or groups of lights, side by side. Those that are missing have no importance.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
pub(super) struct LightBlock<const LANES: usize> {
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

impl<const LANES: usize> LightBlock<LANES> {
    /// A block of `lights`, at most `LANES`.
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
    #[inline(always)]
    pub(super) fn importance_with<S: Simd, V: SimdFloat<S, Element = f32>>(
        &self,
        simd: S,
        receiver: &Receiver<impl Known>,
    ) -> V {
        let (point, normal) = (receiver.point, receiver.normal);
        let mut importance = if is_two_sided(receiver) {
            self.sum(simd, point, &[normal, -normal])
        } else {
            self.sum(simd, point, &[normal])
        };
        self.limit_to_beams(point, &mut importance);
        importance
    }

    fn limit_to_beams<S: Simd, V: SimdFloat<S, Element = f32>>(
        &self,
        point: Vec3A,
        importance: &mut V,
    ) {
        for (lane, beam) in &self.beams {
            if importance[*lane] > 0.0 {
                importance[*lane] *= beam.strongest(point);
            }
        }
    }

    /// The sum over the sides that receive light, by their normals.
    #[inline(always)]
    fn sum<S: Simd, V: SimdFloat<S, Element = f32>, const SIDES: usize>(
        &self,
        simd: S,
        point: Vec3A,
        normals: &[Vec3A; SIDES],
    ) -> V {
        let [x, y, z] = &self.center;
        let [normal_x, normal_y, normal_z] = &self.normal;
        let lights = Lights {
            center: [V::from_slice(simd, x), V::from_slice(simd, y), V::from_slice(simd, z)],
            normal: [
                V::from_slice(simd, normal_x),
                V::from_slice(simd, normal_y),
                V::from_slice(simd, normal_z),
            ],
            radius: V::from_slice(simd, &self.radius),
            weight: V::from_slice(simd, &self.weight),
            added: V::from_slice(simd, &self.added),
            least: V::from_slice(simd, &self.least),
            dark_within: V::from_slice(simd, &self.dark_within),
            inverse_radius: V::from_slice(simd, &self.inverse_radius),
            least_leaving: V::from_slice(simd, &self.least_leaving),
        };
        let mut sides = [splat(simd, normals[0]); SIDES];
        for (side, normal) in sides.iter_mut().zip(normals) {
            *side = splat(simd, *normal);
        }
        lights.importance(simd, self.has_flat, &splat(simd, point), &sides)
    }

    /// The importance of one of the lights at many points, on the side of the normals.
    #[inline(always)]
    pub(super) fn importance_at_many<S: Simd>(
        &self,
        simd: S,
        lane: usize,
        point: &Vectors<S>,
        normal: &Vectors<S>,
    ) -> f32x16<S> {
        let lane = lane % LANES;
        let lights = Lights {
            center: [
                same(simd, &self.center[0], lane),
                same(simd, &self.center[1], lane),
                same(simd, &self.center[2], lane),
            ],
            normal: [
                same(simd, &self.normal[0], lane),
                same(simd, &self.normal[1], lane),
                same(simd, &self.normal[2], lane),
            ],
            radius: same(simd, &self.radius, lane),
            weight: same(simd, &self.weight, lane),
            added: same(simd, &self.added, lane),
            least: same(simd, &self.least, lane),
            dark_within: same(simd, &self.dark_within, lane),
            inverse_radius: same(simd, &self.inverse_radius, lane),
            least_leaving: same(simd, &self.least_leaving, lane),
        };
        let mut importance = lights.importance(simd, self.has_flat, point, &[*normal]);
        if let Some((_, beam)) = self.beams.iter().find(|(at, _)| *at == lane) {
            for at in 0..RAYS {
                if importance[at] > 0.0 {
                    let point = Vec3A::new(point[0][at], point[1][at], point[2][at]);
                    importance[at] *= beam.strongest(point);
                }
            }
        }
        importance
    }
}

impl LightBlock<LANES> {
    /// [`importance_with`](Self::importance_with) the instructions of `level`.
    #[inline]
    pub(super) fn importance(&self, level: Level, receiver: &Receiver<impl Known>) -> [f32; LANES] {
        dispatch!(level, simd => {
            let importance: f32x8<_> = self.importance_with(simd, receiver);
            *importance.as_array()
        })
    }

    /// Estimates of the fluence at a point.
    pub(super) fn fluence(&self, level: Level, point: Vec3A) -> [f32; LANES] {
        /// Normals that cover all directions about evenly.
        const AROUND: [Vec3A; 6] =
            [Vec3A::X, Vec3A::NEG_X, Vec3A::Y, Vec3A::NEG_Y, Vec3A::Z, Vec3A::NEG_Z];
        dispatch!(level, simd => {
            let mut fluence: f32x8<_> = self.sum(simd, point, &AROUND);
            self.limit_to_beams(point, &mut fluence);
            *fluence.as_array()
        })
    }
}

/// Whether light from behind contributes as well.
#[inline(always)]
fn is_two_sided<K: Known>(receiver: &Receiver<K>) -> bool {
    !K::ONE_SIDED && receiver.both_sides
}

/// Lights beside points that receive their light: many lights and one point, or one light and many points.
struct Lights<V> {
    center: [V; 3],
    normal: [V; 3],
    radius: V,
    weight: V,
    added: V,
    least: V,
    dark_within: V,
    inverse_radius: V,
    least_leaving: V,
}

impl<V> Lights<V> {
    /// The sum over the sides of the points that receive light, by their normals.
    #[inline(always)]
    fn importance<S: Simd, const SIDES: usize>(
        &self,
        simd: S,
        has_flat: bool,
        point: &[V; 3],
        normals: &[[V; 3]; SIDES],
    ) -> V
    where
        V: SimdFloat<S, Element = f32>,
    {
        // No closures around vectors, as in `bvh`.
        let (zero, one) = (V::splat(simd, 0.0), V::splat(simd, 1.0));
        let [x, y, z] =
            [self.center[0] - point[0], self.center[1] - point[1], self.center[2] - point[2]];
        let squared = x * x + y * y + z * z;
        let distance = squared.sqrt();
        // Divisions take most of the time.
        let inverse = one / distance;
        let mut arriving = zero;
        for normal in normals {
            let along = x * normal[0] + y * normal[1] + z * normal[2];
            arriving += ((along + self.radius) * inverse).max(zero).min(one);
        }
        let around = V::splat(simd, SIDES as f32);
        let arriving = distance.simd_le(self.radius).select(around, arriving);
        let mut leaving = self.weight;
        if has_flat {
            leaving *= self.leaving(simd, [x, y, z], distance, inverse);
        }
        let apart = (squared + self.added).max(self.least);
        let importance = leaving * arriving / apart;
        let importance = importance.min(V::splat(simd, MAX_IMPORTANCE));
        // What is not a number, 0 / 0, is not above 0 either.
        let arrives = importance.simd_gt(zero) & squared.simd_gt(self.dark_within);
        arrives.select(importance, zero)
    }

    /// The cosines at which light leaves towards the points, given the offsets from there.
    #[inline(always)]
    fn leaving<S: Simd>(&self, simd: S, [x, y, z]: [V; 3], distance: V, inverse: V) -> V
    where
        V: SimdFloat<S, Element = f32>,
    {
        let height = -(self.normal[0] * x + self.normal[1] * y + self.normal[2] * z);
        // Close to a flat light, parts of it are overhead even if its center is seen at a grazing angle.
        let near = V::splat(simd, 1.0) - distance * self.inverse_radius;
        let leaving = (height * inverse).max(near);
        let facing = height.simd_gt(V::splat(simd, 0.0));
        facing.select(leaving, self.least_leaving)
    }
}

/// What a lane has, for many points.
#[inline(always)]
fn same<S: Simd, const LANES: usize>(simd: S, lanes: &[f32; LANES], lane: usize) -> f32x16<S> {
    f32x16::splat(simd, lanes[lane % LANES])
}

#[inline(always)]
fn splat<S: Simd, V: SimdFloat<S, Element = f32>>(simd: S, vector: Vec3A) -> [V; 3] {
    [V::splat(simd, vector.x), V::splat(simd, vector.y), V::splat(simd, vector.z)]
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
            let block = LightBlock::<8>::new(lights.iter().cloned());
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
                let alone = LightBlock::<8>::new([light].into_iter());
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
        let block = LightBlock::<8>::new([light, flat].into_iter());
        let [round, flat, ..] = block.importance(InstructionSet::Best.level(), &receiver);
        // The squared distance is 25, each cosine 0.6.
        assert!((round - 50.0 / 25.0 * 0.6).abs() < 1e-3, "{round}");
        assert!((flat - 50.0 / 25.0 * 0.6 * 0.6).abs() < 1e-3, "{flat}");
    }
}
