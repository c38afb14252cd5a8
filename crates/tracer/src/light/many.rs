//! Samples of lights for many points at once: as [`LightSet::sample`] for each of them.

use std::f32::consts::PI;

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16, mask32x16, u32x16};

use super::block::LANES as BLOCK;
use super::choice::{LightSet, MAX_SKY_SHARE, MAX_WEIGHED, SKY_SHARE_OF_MANY};
use super::sphere::SphereLights;
use super::weighted_choice::{ChosenOfMany, choice_of_many};
use super::{End, Known, Light, LightSample, Receiver, Receivers};
use crate::lane_mask::lanes_of;
use crate::ray::LANES;
use crate::ray_lanes::{Vectors, dot};
use crate::vector::lanes::{
    Frames, Stored, StoredVectors, add, bits_of, cosine_hemisphere, cosine_hemisphere_pdf, load,
    load_vectors, mask_of, scale, select, set_vector, splat, store_vectors, vector_of,
};

impl<S: Simd, K: Known> Receivers<S, K> {
    fn stored(&self) -> StoredReceivers<K> {
        let [mut point, mut normal] = [[[0.0; LANES]; 3]; 2];
        store_vectors(&self.point, &mut point);
        store_vectors(&self.normal, &mut normal);
        StoredReceivers { point, normal, samples_sky: self.samples_sky, known: self.known }
    }
}

struct StoredReceivers<K> {
    point: StoredVectors,
    normal: StoredVectors,
    samples_sky: u32,
    known: K,
}

impl<K: Known> StoredReceivers<K> {
    fn of_lane(&self, lane: usize) -> Receiver<K> {
        Receiver {
            point: vector_of(&self.point, lane),
            normal: vector_of(&self.normal, lane),
            samples_sky: self.samples_sky >> lane & 1 == 1,
            both_sides: false,
            known: self.known,
        }
    }
}

/// Chosen sources.
struct Choices<S: Simd> {
    /// The indices of lights.
    index: u32x16<S>,
    chance: f32x16<S>,
    /// Where the sky is chosen, and where a light is.
    sky: mask32x16<S>,
    light: mask32x16<S>,
    /// The probability of choosing the sky.
    sky_chance: f32x16<S>,
}

/// See [`LightSample`].
pub(crate) struct LightSamples<S: Simd> {
    pub(crate) direction: Vectors<S>,
    pub(crate) radiance: Vectors<S>,
    /// Includes the choice of the light. Has no meaning for point lights.
    pub(crate) pdf: f32x16<S>,
    /// The ends of shadow rays, off the surfaces of lights.
    pub(crate) end: Vectors<S>,
    /// Bit masks: the lanes at which light may arrive, and among them those where it comes from the sky and from point
    /// lights.
    pub(crate) lanes: u32,
    pub(crate) of_sky: u32,
    pub(crate) of_points: u32,
    /// The probability of choosing the sky.
    pub(crate) sky_chance: f32x16<S>,
}

/// Samples of lights that are taken one by one.
struct OneByOne {
    direction: StoredVectors,
    radiance: StoredVectors,
    pdf: Stored,
    end: StoredVectors,
    lanes: u32,
    of_points: u32,
}

impl OneByOne {
    fn set(&mut self, lane: usize, sample: &LightSample) {
        set_vector(&mut self.direction, lane, sample.direction);
        set_vector(&mut self.radiance, lane, sample.radiance);
        self.pdf[lane] = sample.pdf.unwrap_or(1.0);
        self.lanes |= 1 << lane;
        self.of_points |= u32::from(sample.pdf.is_none()) << lane;
        match sample.end {
            End::Infinity => {}
            End::Point(point) => set_vector(&mut self.end, lane, point),
            End::Surface(end) => {
                set_vector(&mut self.end, lane, end.origin_towards(-sample.direction));
            }
        }
    }
}

impl LightSet {
    /// Samples a light for each receiver, as [`sample`](Self::sample) does.
    #[inline(always)]
    pub(crate) fn sample_many<S: Simd, K: Known>(
        &self,
        simd: S,
        receivers: &Receivers<S, K>,
        choice: f32x16<S>,
        [of_light, of_smooth_sky]: [[f32x16<S>; 2]; 2],
    ) -> LightSamples<S> {
        let zero = f32x16::splat(simd, 0.0);
        let none = [zero; 3];
        let Choices { index, chance, sky, light, sky_chance } =
            self.choose_many(simd, receivers, choice);
        let [by_sky, by_light] = [bits_of(sky), bits_of(light)];
        let mut samples = LightSamples {
            direction: none,
            radiance: none,
            pdf: zero,
            end: none,
            lanes: 0,
            of_sky: by_sky,
            of_points: 0,
            sky_chance,
        };
        let is_smooth = !self.environment.is_uneven(receivers.known);
        if by_sky != 0 && is_smooth {
            self.add_smooth_sky(simd, receivers, of_smooth_sky, by_sky, &mut samples);
        }
        let of_spheres =
            self.add_spheres(simd, receivers, &index, of_light, by_light, &mut samples);
        let one_by_one = by_light & !of_spheres | if is_smooth { 0 } else { by_sky };
        if one_by_one != 0 {
            self.add_one_by_one(
                simd,
                receivers,
                (&index, by_sky),
                of_light,
                one_by_one,
                &mut samples,
            );
        }
        let is_point = mask_of(simd, samples.of_points);
        let fainter = is_point.select(chance, f32x16::splat(simd, 1.0));
        samples.radiance = scale(&samples.radiance, 1.0 / fainter);
        samples.pdf *= chance;
        samples
    }

    #[inline(always)]
    fn add_smooth_sky<S: Simd, K: Known>(
        &self,
        simd: S,
        receivers: &Receivers<S, K>,
        u: [f32x16<S>; 2],
        lanes: u32,
        samples: &mut LightSamples<S>,
    ) {
        let zero = f32x16::splat(simd, 0.0);
        let local = cosine_hemisphere(simd, u);
        let direction = Frames::around(simd, &receivers.normal).to_world(&local);
        let radiance = self.environment.smooth_radiance(simd, direction[1]);
        let shines =
            radiance[0].simd_gt(zero) | radiance[1].simd_gt(zero) | radiance[2].simd_gt(zero);
        let chosen = mask_of(simd, lanes);
        samples.lanes |= bits_of(chosen & local[2].simd_gt(zero) & shines);
        samples.direction = select(chosen, &direction, &samples.direction);
        samples.radiance = select(chosen, &radiance, &samples.radiance);
        samples.pdf = chosen.select(cosine_hemisphere_pdf(simd, local[2]), samples.pdf);
    }

    /// Samples those of the `lanes` that have sphere lights, and returns them.
    #[inline(always)]
    fn add_spheres<S: Simd, K: Known>(
        &self,
        simd: S,
        receivers: &Receivers<S, K>,
        index: &u32x16<S>,
        u: [f32x16<S>; 2],
        lanes: u32,
        samples: &mut LightSamples<S>,
    ) -> u32 {
        let mut spheres = SphereLights::default();
        for lane in lanes_of(lanes) {
            if let Light::Sphere(light) = &self.lights[index.as_array()[lane] as usize] {
                spheres.set(lane, light);
            }
        }
        if spheres.lanes == 0 {
            return 0;
        }
        let (surface, pdf, arrives) = spheres.sample(simd, &receivers.point, u);
        let of_spheres = mask_of(simd, spheres.lanes);
        samples.lanes |= bits_of(of_spheres & arrives);
        samples.direction = select(of_spheres, &surface.direction, &samples.direction);
        samples.radiance =
            select(of_spheres, &load_vectors(simd, &spheres.emission), &samples.radiance);
        samples.pdf = of_spheres.select(pdf, samples.pdf);
        samples.end = select(of_spheres, &surface.end, &samples.end);
        spheres.lanes
    }

    /// Samples `lanes`, of which those `by_sky` have the sky and the others lights.
    #[inline(always)]
    fn add_one_by_one<S: Simd, K: Known>(
        &self,
        simd: S,
        receivers: &Receivers<S, K>,
        (index, by_sky): (&u32x16<S>, u32),
        [u, v]: [f32x16<S>; 2],
        lanes: u32,
        samples: &mut LightSamples<S>,
    ) {
        let receivers = receivers.stored();
        let mut taken = OneByOne {
            direction: [[0.0; LANES]; 3],
            radiance: [[0.0; LANES]; 3],
            pdf: [1.0; LANES],
            end: [[0.0; LANES]; 3],
            lanes: 0,
            of_points: 0,
        };
        for lane in lanes_of(lanes) {
            let (receiver, u) = (receivers.of_lane(lane), [u[lane], v[lane]]);
            let sample = if by_sky >> lane & 1 == 1 {
                self.environment.sample(&receiver, u)
            } else {
                self.lights[index.as_array()[lane] as usize].sample(receiver.point, u)
            };
            if let Some(sample) = sample {
                taken.set(lane, &sample);
            }
        }
        let chosen = mask_of(simd, lanes);
        samples.lanes |= taken.lanes;
        samples.of_points |= taken.of_points;
        samples.direction =
            select(chosen, &load_vectors(simd, &taken.direction), &samples.direction);
        samples.radiance = select(chosen, &load_vectors(simd, &taken.radiance), &samples.radiance);
        samples.pdf = chosen.select(load(simd, &taken.pdf), samples.pdf);
        samples.end = select(chosen, &load_vectors(simd, &taken.end), &samples.end);
    }

    /// See [`choose`](Self::choose).
    #[inline(always)]
    fn choose_many<S: Simd, K: Known>(
        &self,
        simd: S,
        receivers: &Receivers<S, K>,
        choice: f32x16<S>,
    ) -> Choices<S> {
        let (zero, one) = (f32x16::splat(simd, 0.0), f32x16::splat(simd, 1.0));
        let all = mask_of(simd, receivers.lanes);
        let samples_sky = if self.environment.is_uneven(receivers.known) {
            u32::MAX
        } else {
            receivers.samples_sky
        };
        let samples_sky = if self.environment.is_dark(receivers.known) { 0 } else { samples_sky };
        let samples_sky = receivers.lanes & samples_sky;
        let first = u32x16::splat(simd, 0);
        if let Some(tree) = &self.tree {
            let share = f32x16::splat(simd, SKY_SHARE_OF_MANY);
            let sky_chance = mask_of(simd, samples_sky).select(share, zero);
            let sky = choice.simd_lt(sky_chance) & all;
            let among_lights = (choice - sky_chance) / (one - sky_chance);
            let lanes = receivers.lanes & !bits_of(sky);
            let (index, chance) = tree.choose_many(simd, receivers, among_lights, lanes);
            let light = chance.simd_gt(zero) & !sky & all;
            let chance = sky.select(sky_chance, (one - sky_chance) * chance);
            return Choices { index, chance, sky, light, sky_chance };
        }
        if samples_sky == 0 && self.lights.len() == 1 {
            return Choices {
                index: first,
                chance: one,
                sky: mask_of(simd, 0),
                light: all,
                sky_chance: zero,
            };
        }
        let (weights, total) = self.weights_of_many(simd, receivers);
        let sky = self.sky_importance_of_many(simd, receivers, samples_sky);
        let share = (sky / (sky + total)).min(f32x16::splat(simd, MAX_SKY_SHARE));
        let sky_chance = total.simd_eq(zero).select(one, share);
        let sky_chance = sky.simd_gt(zero).select(sky_chance, zero);
        let sky = choice.simd_lt(sky_chance) & all;
        let lights = one - sky_chance;
        let left = (choice - sky_chance) / lights * total;
        let among = all & !sky;
        let ChosenOfMany { index, weight, .. } =
            choice_of_many(simd, &weights[..self.lights.len()], left, among);
        // Without a sky to sample the only light needs no weight.
        let is_only = mask_of(simd, if self.lights.len() == 1 { !samples_sky } else { 0 });
        let light = (weight.simd_gt(zero) | is_only) & among;
        let chance = sky.select(sky_chance, lights * weight / total);
        let chance = is_only.select(one, chance);
        Choices { index, chance, sky, light, sky_chance }
    }

    /// The weights of the lights, and their sums.
    #[inline(always)]
    fn weights_of_many<S: Simd, K: Known>(
        &self,
        simd: S,
        receivers: &Receivers<S, K>,
    ) -> ([f32x16<S>; MAX_WEIGHED], f32x16<S>) {
        let mut weights = [f32x16::splat(simd, 0.0); MAX_WEIGHED];
        let mut total = f32x16::splat(simd, 0.0);
        for (at, weight) in weights.iter_mut().enumerate().take(self.lights.len()) {
            let block = &self.blocks[at / BLOCK];
            *weight =
                block.importance_at_many(simd, at % BLOCK, &receivers.point, &receivers.normal);
            total += *weight;
        }
        (weights, total)
    }

    /// The importance of the sky for `lanes`, 0 for others.
    #[inline(always)]
    fn sky_importance_of_many<S: Simd, K: Known>(
        &self,
        simd: S,
        receivers: &Receivers<S, K>,
        lanes: u32,
    ) -> f32x16<S> {
        let zero = f32x16::splat(simd, 0.0);
        if lanes == 0 {
            return zero;
        }
        if self.environment.is_uneven(receivers.known) {
            let stored = receivers.stored();
            let mut importance = [0.0; LANES];
            for lane in lanes_of(lanes) {
                importance[lane] = self.environment.importance(&stored.of_lane(lane));
            }
            return f32x16::load_array(simd, importance);
        }
        let importance = self.environment.smooth_importance(simd, receivers.normal[1]);
        mask_of(simd, lanes).select(importance, zero)
    }
}

impl super::Environment {
    /// The radiance of the smooth part along directions, by their y.
    #[inline(always)]
    pub(crate) fn smooth_radiance<S: Simd>(&self, simd: S, y: f32x16<S>) -> Vectors<S> {
        let (middle, slope) = (splat(simd, self.middle), splat(simd, self.slope));
        let [red, green, blue] = add(&middle, &scale(&slope, y));
        let zero = f32x16::splat(simd, 0.0);
        [red.max(zero), green.max(zero), blue.max(zero)]
    }

    /// See [`importance`](Self::importance): that of the smooth part, by the y of normals.
    #[inline(always)]
    fn smooth_importance<S: Simd>(&self, simd: S, y: f32x16<S>) -> f32x16<S> {
        let (middle, slope) = (splat(simd, self.middle), splat(simd, self.slope));
        let irradiance =
            scale(&add(&middle, &scale(&slope, y * (2.0 / 3.0))), f32x16::splat(simd, PI));
        let weights = splat(simd, glam::Vec3A::new(0.2126, 0.7152, 0.0722));
        dot(&irradiance, &weights).max(f32x16::splat(simd, 0.0))
    }
}
