//! What the camera sees: how bright the surfaces there are, compared to a smooth sky, and how simple.

use glam::Vec2;

use super::{Hit, World};
use crate::bsdf::Scatters;
use crate::color::luminance;
use crate::frame::Frame;
use crate::light::Anything;
use crate::ray::Ray;
use crate::sampler::Sampler;
use crate::sampling::cosine_hemisphere;

/// The number of camera rays that are tried.
const RAYS: u32 = 256;
/// Their aspect ratio, whatever that of the image is.
const ASPECT: f32 = 4.0 / 3.0;
/// The brightness counts in steps of one over this, so that machines with other roundings agree.
const STEPS: f32 = 16.0;
const MAX_BRIGHTNESS: f32 = 0.75;
/// The share of simple surfaces from which it pays to shade those side by side.
const WORTH_SHADING_TOGETHER: f32 = 0.25;

impl World {
    /// Measures [`scattering_advantage`](Self::scattering_advantage) and whether it
    /// [has many simple surfaces](Self::has_many_simple_surfaces).
    #[must_use]
    pub(super) fn with_surroundings(self) -> Self {
        let sky = &self.lights.environment;
        let has_smooth_sky = !sky.is_dark(Anything) && !sky.is_uneven(Anything);
        let seen =
            if has_smooth_sky || !self.is_simple() { self.seen().collect() } else { Vec::new() };
        let brightness = if has_smooth_sky { self.brightness_of(&seen) } else { 0.0 };
        let simple_share = if self.is_simple() { 1.0 } else { share_of_simple(&seen) };
        drop(seen);
        Self {
            scattering_advantage: (1.0 + brightness) / (1.0 - brightness),
            has_many_simple_surfaces: simple_share >= WORTH_SHADING_TOGETHER,
            ..self
        }
    }

    /// How much more a ray that is scattered by a matte surface counts than a sample of the smooth sky along the same
    /// direction.
    ///
    /// Where the sky is blocked the sample finds nothing, but the scattered ray finds a surface with the brightness b,
    /// of which that of the sky is 1. If both are about as likely to find the sky and count w and 1 - w, their sum varies
    /// by w^2 + (1 - w - b)^2, which is least for w = (1 - b) / 2.
    #[inline(always)]
    pub(crate) fn scattering_advantage(&self) -> f32 {
        self.scattering_advantage
    }

    /// The mean share of the sky's light that surfaces in the picture reflect, as far as they see the sky.
    fn brightness_of(&self, seen: &[Seen<'_>]) -> f32 {
        let (mut reflected, mut surfaces) = (0.0, 0_u32);
        for Seen { ray, hit, numbers } in seen {
            let Some(bsdf) = hit.kind.bsdf().filter(|bsdf| bsdf.is_matte()) else { continue };
            surfaces += 1;
            let normal = hit.surface.normal;
            let facing = if normal.dot(ray.direction) < 0.0 { normal } else { -normal };
            let direction = Frame::around(facing).to_world(cosine_hemisphere(*numbers));
            let leaving = Ray::new(hit.surface.origin_towards(facing), direction);
            if !self.is_blocked(&leaving, f32::INFINITY) {
                reflected += luminance(bsdf.albedo());
            }
        }
        let brightness = reflected / surfaces.max(1) as f32;
        ((brightness * STEPS).round() / STEPS).min(MAX_BRIGHTNESS)
    }

    /// Some rays from the camera that hit something.
    fn seen(&self) -> impl Iterator<Item = Seen<'_>> {
        (0..RAYS).filter_map(|index| {
            let [x, y, u, v] = Sampler::new(0, 0, 0, index).first(0);
            let ray = self.camera.ray(Vec2::new(x, y), ASPECT, [0.5; 2]);
            Some(Seen { ray, hit: self.intersect_from_camera(&ray)?, numbers: [u, v] })
        })
    }

    /// Whether enough of what the camera sees [is simple](crate::surface_kind::SurfaceKind::is_simple) for shading that
    /// side by side.
    pub(crate) fn has_many_simple_surfaces(&self) -> bool {
        self.has_many_simple_surfaces
    }
}

/// What a ray from the camera hits.
struct Seen<'a> {
    ray: Ray,
    hit: Hit<'a>,
    /// Two random numbers.
    numbers: [f32; 2],
}

/// The share of simple surfaces.
fn share_of_simple(seen: &[Seen<'_>]) -> f32 {
    let simple = seen.iter().filter(|seen| seen.hit.kind.is_simple()).count();
    simple as f32 / seen.len().max(1) as f32
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn advantage(walls: &[Value], environment: &Value, material: &Value) -> f32 {
        let quad = |(index, quad): (usize, &Value)| {
            let [corner, u, v] = [0, 1, 2].map(|at| &quad[at]);
            json!({ "id": format!("wall{index}"), "type": "quad",
                "properties": { "corner": corner, "u": u, "v": v, "material": material } })
        };
        let scene = scene::Scene::from_json(&json!({
            "version": 1,
            "shapes": walls.iter().enumerate().map(quad).collect::<Vec<_>>(),
            "lights": [],
            "environment": environment,
            "camera": { "center": [0, 1, 3.5], "look_at": [0, 0.5, 0], "vfov": 40 }
        }));
        World::build(&scene.unwrap()).scattering_advantage()
    }

    #[test]
    fn scattered_rays_count_more_where_bright_surfaces_lie_under_the_sky() {
        let matte =
            |albedo: f32| json!({ "type": "lambertian", "albedo": [albedo, albedo, albedo] });
        let sky = json!({ "type": "uniform", "emission": [2, 2, 2] });
        let floor = json!([[-4, 0, -4], [0, 0, 8], [8, 0, 0]]);
        let open = [floor.clone()];
        assert_eq!(advantage(&open, &sky, &matte(0.5)), 3.0);
        assert_eq!(advantage(&open, &sky, &matte(0.25)), 1.25 / 0.75);
        assert_eq!(advantage(&open, &sky, &matte(1.0)), 7.0, "the largest");
        let mirror = json!({ "type": "metal", "albedo": [0.9, 0.9, 0.9], "fuzz": 0 });
        assert_eq!(advantage(&open, &sky, &mirror), 1.0);
        assert_eq!(advantage(&open, &json!({ "type": "none" }), &matte(0.5)), 1.0);
        let sun = json!({ "type": "sky" });
        assert_eq!(advantage(&open, &sun, &matte(0.5)), 1.0, "bright spots are sampled as before");
        let room = [
            floor,
            json!([[-4, 4, -4], [8, 0, 0], [0, 0, 8]]),
            json!([[-4, 0, -4], [8, 0, 0], [0, 4, 0]]),
            json!([[-4, 0, 4], [8, 0, 0], [0, 4, 0]]),
            json!([[-4, 0, -4], [0, 0, 8], [0, 4, 0]]),
            json!([[4, 0, -4], [0, 0, 8], [0, 4, 0]]),
        ];
        assert_eq!(advantage(&room, &sky, &matte(0.5)), 1.0);
    }
}
