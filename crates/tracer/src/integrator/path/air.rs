//! Paths through fog.

use glam::Vec3A;

use super::{Origin, Passage, Path};
use crate::bsdf::ShadingArena;
use crate::fog::{Fog, Scatterer};
use crate::integrator::scene_features::SceneFeatures;
use crate::light::{End, LightSample, Receiver};
use crate::ray::Ray;

impl<S: SceneFeatures> Path<'_, S> {
    /// Passes `distance` metres along the ray; fog does not reach `inside` of closed shapes.
    #[inline(always)]
    pub(super) fn pass_air(
        &mut self,
        ray: &Ray,
        distance: f32,
        inside: bool,
        arena: &ShadingArena,
    ) -> Passage<S> {
        let world = self.world;
        match world.fog() {
            Some(fog) if self.features.fog().is_some() && !inside => {
                self.pass_fog(fog, ray, distance, arena)
            }
            _ => Passage::Clear,
        }
    }

    #[inline(never)]
    fn pass_fog(
        &mut self,
        fog: &Fog,
        ray: &Ray,
        distance: f32,
        arena: &ShadingArena,
    ) -> Passage<S> {
        let first_set = S::SETS * self.edges - (S::SETS - 1);
        let [u] = self.sampler.first(first_set + 2);
        let Some((met, scatterer)) = fog.meeting(ray, distance, u) else {
            return Passage::Clear;
        };
        let (point, before) = (ray.at(met), ray.direction);
        match self.scatter_in_air((fog, scatterer), (point, before), first_set, arena) {
            None => Passage::Ended,
            Some((next, pdf)) => {
                let receiver = Receiver::in_air(point, before);
                Passage::Scattered(next, Origin { receiver, place: S::AIR, pdf: Some(pdf) })
            }
        }
    }

    /// Adds direct light scattered by the fog at `point` and samples the phase function for a path
    /// that arrives along `before`: the next ray and its pdf. `None` where the path ends.
    fn scatter_in_air(
        &mut self,
        (fog, scatterer): (&Fog, Scatterer),
        (point, before): (Vec3A, Vec3A),
        first_set: u32,
        arena: &ShadingArena,
    ) -> Option<(Ray, f32)> {
        if self.edges == self.settings.max_depth {
            return None;
        }
        self.throughput *= scatterer.albedo;
        let [u, v, choice] = self.sampler.first(first_set + 1);
        let light = self.world.lights().sample_in_air(point, choice, [u, v]);
        if let Some(light) = light {
            let phase = scatterer.phase(before, light.direction);
            let weight = self.weight_of_light(&light, phase);
            let arriving = light.radiance * (phase * weight * fog.left_of(&light, point));
            if arriving != Vec3A::ZERO {
                self.rays += 1;
                if self.world.has_transparent_shadows() {
                    self.add_through_surfaces(arriving, point, &light, arena);
                } else if !self.is_shadowed(point, &light) {
                    self.add(arriving, self.edges + 1);
                }
            }
        }
        let [u, v, _, roulette] = self.sampler.first(first_set);
        let after = scatterer.sample_phase(before, [u, v]);
        self.scatterings += 1;
        let goes_on = self.survives(1.0, || roulette);
        goes_on.then(|| (Ray::new(point, after), scatterer.phase(before, after)))
    }

    /// Whether `light` is occluded at a point in a medium.
    fn is_shadowed(&self, point: Vec3A, light: &LightSample) -> bool {
        match light.end {
            End::Infinity => {
                self.world.is_blocked(&Ray::new(point, light.direction), f32::INFINITY)
            }
            End::Point(end) => self.world.is_blocked_between(point, end),
            End::Surface(end) => {
                self.world.is_blocked_between(point, end.origin_towards(-light.direction))
            }
        }
    }
}
