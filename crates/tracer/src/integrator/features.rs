//! Feature buffers (albedo, normal, depth): guides for denoisers.

use glam::Vec3A;

use super::Window;
use super::medium::Medium;
use super::vertex::Vertex;
use crate::bsdf::{Scatters, ShadingArena};
use crate::settings::RenderSettings;
use crate::surface_kind::SurfaceKind;
use crate::world::World;

/// The maximum number of edges that are followed through mirrors and glass.
const MAX_SPECULAR_EDGES: u32 = 8;

/// The features of one sample; at mirrors and glass those of the surface seen in them.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Features {
    /// Reflectance of the surface, tinted by the mirrors before it; 0 at lights and the sky.
    pub(crate) albedo: Vec3A,
    /// Unit world normal of the surface, on the side it is seen from; 0 where there is none.
    pub(crate) normal: Vec3A,
    /// Radiance of a light or the sky seen without any scattering.
    pub(crate) emitted: Vec3A,
    /// The length of the path to the surface, in metres; 0 for the sky.
    pub(crate) reach: f32,
    /// The distance of the first hit, even of a mirror; 0 for the sky.
    pub(crate) depth: f32,
    /// The object of the first hit, by its index in the world.
    pub(crate) object: Option<u32>,
}

/// Whether the ray of the sample hits an object: whether [`features`] finds one.
pub(crate) fn hits_object(world: &World, settings: &RenderSettings, window: &Window) -> bool {
    let [x, y, lens @ ..] = window.sampler(settings.seed).first::<4>(0);
    let ray = world.camera.ray(window.at(x, y), window.aspect(), lens);
    settings.max_depth > 0 && world.intersect_from_camera(&ray).is_some()
}

/// Follows the path with the sample's own random numbers up to the first non-specular surface. At
/// glass it takes the more likely lobe, so that the guides have less noise than the image. A light
/// seen through the glass may then differ from that of the sample, and does not count as emitted.
pub(crate) fn features(world: &World, settings: &RenderSettings, window: &Window) -> Features {
    let sampler = window.sampler(settings.seed);
    let [x, y, lens @ ..] = sampler.first::<4>(0);
    let mut ray = world.camera.ray(window.at(x, y), window.aspect(), lens);
    let arena = ShadingArena::default();
    let mut seen = Features::default();
    let mut tint = Vec3A::ONE;
    let mut through_glass = false;
    // Objects fade in fog, so the guides fade, too.
    let mut left = 1.0;
    let mut is_from_camera = true;
    for edges in 1..=MAX_SPECULAR_EDGES.min(settings.max_depth) {
        let mut hit = world.intersect(&ray);
        if is_from_camera {
            hit = world.seen_from_camera(&ray, hit);
        }
        if let Some(fog) = world.fog().filter(|_| !through_glass) {
            let distance = hit.as_ref().map_or(f32::INFINITY, |hit| hit.distance);
            let of_edge = fog.left(ray.origin, ray.direction, distance);
            tint *= of_edge;
            left *= of_edge;
        }
        let Some(mut hit) = hit else {
            // The sky has no distance, even in a mirror.
            seen.reach = 0.0;
            seen.albedo = if through_glass { tint } else { Vec3A::ZERO } + (1.0 - left);
            let is_hidden = settings.hides_sky && edges == 1;
            if !through_glass && !is_hidden {
                seen.emitted += tint * world.lights().environment.radiance(ray.direction);
            }
            return seen;
        };
        seen.reach += hit.distance;
        if edges == 1 {
            seen.depth = hit.distance;
            seen.object = Some(hit.object);
        }
        let bsdf = match hit.kind {
            SurfaceKind::Surface(bsdf) => bsdf,
            SurfaceKind::Varied(shader) => shader.at(&mut hit.surface, hit.part, &arena),
            SurfaceKind::Light(light) => {
                seen.normal = hit.surface.normal;
                seen.albedo = if through_glass { tint } else { Vec3A::ZERO } + (1.0 - left);
                if !through_glass {
                    let light = &world.lights().lights[*light];
                    seen.emitted += tint * light.radiance(&hit.surface, hit.part, -ray.direction);
                }
                return seen;
            }
            SurfaceKind::Emissive(emissive) => {
                let light = emissive.area_light.seen(&hit.surface, ray.direction);
                if let Some((light, surface)) = light.filter(|_| !through_glass) {
                    let light = &world.lights().lights[light];
                    seen.emitted += tint * light.radiance(&surface, hit.part, -ray.direction);
                }
                let Some(bsdf) = emissive.bsdf_at(&mut hit.surface, hit.part, &arena) else {
                    seen.normal = hit.surface.normal;
                    seen.albedo = if through_glass { tint } else { Vec3A::ZERO } + (1.0 - left);
                    return seen;
                };
                bsdf
            }
        };
        let vertex = Vertex::new(hit.surface, bsdf, ray.direction, Medium::AIR);
        seen.normal = vertex.facing;
        seen.albedo = tint * bsdf.albedo() + (1.0 - left);
        if !bsdf.is_specular() {
            return seen;
        }
        through_glass |= bsdf.is_clear();
        // The median number selects the more likely lobe.
        let numbers = [0.5; 3];
        let Some(sample) = bsdf.sample(vertex.wo, vertex.outside, numbers) else { return seen };
        tint *= sample.weight * sample.eta_squared;
        is_from_camera &= sample.goes_straight();
        let Some(next) = vertex.ray_along(&sample) else { return seen };
        ray = next;
    }
    seen
}
