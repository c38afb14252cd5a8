//! Emission that a path hits, weighted by MIS.

use glam::Vec3A;

use super::{Origin, Path};
use crate::bsdf::{Bsdf, ShadingArena};
use crate::integrator::scene_features::SceneFeatures;
use crate::light::{AreaLight, Source};
use crate::ray::SurfacePoint;
use crate::settings::DirectLighting;
use crate::surface_kind::SurfaceKind;
use crate::world::Hit;

impl<S: SceneFeatures> Path<'_, S> {
    pub(super) fn meet_sky(&mut self, direction: Vec3A, origin: &Origin<S>) {
        if self.settings.hides_sky && self.edges == 1 {
            return;
        }
        let sky = &self.world.lights().environment;
        let weight = self.weight_of_meeting(origin, Source::Sky, None, direction, |origin| {
            sky.pdf(&origin.receiver, direction)
        });
        self.add(sky.radiance(direction) * weight, self.edges);
    }

    /// Adds the emission of the hit surface and returns its BSDF, if it scatters light.
    #[inline(always)]
    pub(super) fn meet<'b>(
        &mut self,
        hit: &mut Hit<'b>,
        direction: Vec3A,
        origin: &Origin<S>,
        arena: &'b ShadingArena,
    ) -> Option<&'b Bsdf> {
        match hit.kind {
            SurfaceKind::Surface(bsdf) => Some(bsdf),
            SurfaceKind::Light(light) => {
                self.meet_light(*light, (&hit.surface, hit.part), direction, origin);
                None
            }
            SurfaceKind::Varied(shader) => Some(shader.at(&mut hit.surface, hit.part, arena)),
            SurfaceKind::Emissive(emissive) => {
                self.meet_area_light(
                    emissive.area_light,
                    (&hit.surface, hit.part),
                    direction,
                    origin,
                );
                emissive.bsdf_at(&mut hit.surface, hit.part, arena)
            }
        }
    }

    #[inline(always)]
    fn meet_light(
        &mut self,
        index: usize,
        (surface, part): (&SurfacePoint, u32),
        direction: Vec3A,
        origin: &Origin<S>,
    ) {
        let light = &self.world.lights().lights[index];
        let radiance = light.radiance(surface, part, -direction);
        if radiance == Vec3A::ZERO {
            return;
        }
        let source = Source::Light(index);
        let weight =
            self.weight_of_meeting(origin, source, Some((surface, part)), direction, |origin| {
                light.pdf(origin.receiver.point, (surface, part), direction)
            });
        self.add(radiance * weight, self.edges);
    }

    /// Not inlined: most scenes have no emissive shape.
    #[inline(never)]
    fn meet_area_light(
        &mut self,
        area_light: AreaLight,
        (surface, part): (&SurfacePoint, u32),
        direction: Vec3A,
        origin: &Origin<S>,
    ) {
        if let Some((light, surface)) = area_light.seen(surface, direction) {
            self.meet_light(light, (&surface, part), direction, origin);
        }
    }

    /// The MIS weight of hitting `source` by a scattered ray along `direction`, at the point and
    /// part `place` of its surface; `pdf_of_light` is the pdf of the same direction by sampling
    /// that source.
    fn weight_of_meeting(
        &self,
        origin: &Origin<S>,
        source: Source,
        place: Option<(&SurfacePoint, u32)>,
        direction: Vec3A,
        pdf_of_light: impl FnOnce(&Origin<S>) -> f32,
    ) -> f32 {
        let Some(scattering_pdf) = origin.pdf else { return 1.0 };
        match self.settings.direct_lighting {
            DirectLighting::Lights => {
                let sampled = S::is_in_air(origin.place)
                    || source != Source::Sky
                    || self.world.lights().samples_sky(&origin.receiver);
                if sampled { 0.0 } else { 1.0 }
            }
            DirectLighting::Bsdf => 1.0,
            DirectLighting::Mis if S::is_in_air(origin.place) => {
                let (lights, point) = (self.world.lights(), origin.receiver.point);
                let pdf = lights.pdf_in_air(point, source, place, direction);
                self.weight_of_scattering(scattering_pdf, source, pdf)
            }
            DirectLighting::Mis => {
                let chance = self.world.lights().chance(&origin.receiver, source);
                self.weight_of_scattering(scattering_pdf, source, chance * pdf_of_light(origin))
            }
        }
    }
}
