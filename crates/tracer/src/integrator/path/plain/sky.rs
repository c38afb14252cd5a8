//! Sky that paths hit, weighted by MIS.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16};

use super::paths::Paths;
use super::shade::Shade;
use crate::lane_mask::lanes_of;
use crate::light::Known;
use crate::ray::LANES;
use crate::ray_lanes::{Vectors, dot};
use crate::settings::DirectLighting;
use crate::vector::lanes::{
    add, balance_heuristic, cosine_hemisphere_pdf, load, load_vectors, mask_of, power_heuristic,
    scale, select, set_vector, store_vectors,
};

impl<K: Known> Shade<'_, K> {
    /// Adds what the rays of the bit mask `missed` see of the sky.
    #[inline(always)]
    pub(super) fn add_sky<S: Simd>(&self, simd: S, paths: &mut Paths, missed: u32) {
        let mut seen = missed;
        if self.settings.hides_sky {
            for lane in lanes_of(missed).filter(|lane| paths.edges[*lane] == 1) {
                seen &= !(1 << lane);
            }
        }
        if seen == 0 {
            return;
        }
        let one = f32x16::splat(simd, 1.0);
        let (radiance, light_pdf) = self.sky_seen(simd, paths, seen);
        let (pdf, advantage) = (load(simd, &paths.origin.pdf), self.advantage_at_sky());
        let weight = match self.settings.direct_lighting {
            DirectLighting::Bsdf => one,
            DirectLighting::Lights => {
                let samples_sky =
                    if advantage.is_some() { paths.origin.samples_sky } else { u32::MAX };
                mask_of(simd, samples_sky).select(f32x16::splat(simd, 0.0), one)
            }
            DirectLighting::Mis => {
                let light_pdf = light_pdf * load(simd, &paths.origin.sky_chance);
                match advantage {
                    Some(advantage) => balance_heuristic(pdf * advantage, light_pdf),
                    None => power_heuristic(pdf, light_pdf),
                }
            }
        };
        let weight = mask_of(simd, paths.origin.has_pdf).select(weight, one);
        let throughput = load_vectors(simd, &paths.throughput);
        let contribution =
            self.contribution(simd, &throughput, &scale(&radiance, weight), &paths.edges, 0);
        let before = load_vectors(simd, &paths.radiance);
        let after = add(&before, &contribution);
        store_vectors(&select(mask_of(simd, seen), &after, &before), &mut paths.radiance);
    }

    /// The radiance of the sky along the rays of the bit mask `seen`, and its pdf if the sky is sampled.
    #[inline(always)]
    fn sky_seen<S: Simd>(&self, simd: S, paths: &Paths, seen: u32) -> (Vectors<S>, f32x16<S>) {
        let sky = &self.world.lights().environment;
        if sky.is_uneven(self.known) {
            let (mut radiance, mut pdf) = ([[0.0; LANES]; 3], [0.0; LANES]);
            for lane in lanes_of(seen) {
                let direction = paths.rays[lane].direction;
                set_vector(&mut radiance, lane, sky.radiance_of(direction, self.known));
                if paths.pdf_of(lane).is_some() {
                    pdf[lane] = sky.pdf(&paths.receiver(lane, self.known), direction);
                }
            }
            return (load_vectors(simd, &radiance), load(simd, &pdf));
        }
        let direction = load_vectors(simd, &paths.ray_directions);
        let cos = dot(&load_vectors(simd, &paths.origin.normal), &direction);
        (sky.smooth_radiance(simd, direction[1]), cosine_hemisphere_pdf(simd, cos))
    }

    /// How much more scattered rays count than samples of the sky, if it is smooth.
    #[inline(always)]
    pub(super) fn advantage_at_sky(&self) -> Option<f32> {
        let is_smooth = !self.world.lights().environment.is_uneven(self.known);
        is_smooth.then(|| self.world.scattering_advantage())
    }

    /// What radiance adds to paths whose number of edges is that so far and `further` ones.
    #[inline(always)]
    pub(super) fn contribution<S: Simd>(
        &self,
        simd: S,
        throughput: &Vectors<S>,
        radiance: &Vectors<S>,
        edges: &[u32; LANES],
        further: u32,
    ) -> Vectors<S> {
        let [mut red, mut green, mut blue] =
            [throughput[0] * radiance[0], throughput[1] * radiance[1], throughput[2] * radiance[2]];
        if let Some(limit) = self.settings.clamp_indirect {
            let mut limits = [f32::INFINITY; LANES];
            for (of_lane, edges) in limits.iter_mut().zip(edges) {
                if edges + further > 2 {
                    *of_lane = limit;
                }
            }
            let limits = load(simd, &limits);
            (red, green, blue) = (red.min(limits), green.min(limits), blue.min(limits));
        }
        [red, green, blue]
    }
}
