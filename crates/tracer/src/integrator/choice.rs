//! The automatic choice of an integrator.

use crate::film::Film;
use crate::render::{PassOutcome, render_pass};
use crate::settings::{Integrator, RenderSettings};
use crate::world::World;

/// The approximate number of pixels of a trial render: enough to find rare bright paths, in some
/// hundredths of a second on two cores.
const TRIAL_PIXELS: f32 = 6_000.0;
/// The samples per pixel of a trial render.
const TRIAL_SAMPLES: u32 = 8;
/// The advantage that [`Integrator::Bdpt`] must have: stratified samples help [`Integrator::Path`]
/// more than a trial shows.
const MARGIN: f64 = 2.0;

/// The integrator with less noise at equal time. Where the scene leaves doubt (area lights near
/// glass or mirrors), small trial renders of both decide. The choice depends on the scene and the
/// settings only, not on the machine. Runs on the current rayon pool.
///
/// In fog it is always [`Integrator::Path`].
///
/// With point lights, too: it never finds their caustics, so the other integrator would give
/// another image.
///
/// `None` when cancelled. `aspect` is width over height.
pub fn choose_integrator(
    world: &World,
    settings: &RenderSettings,
    aspect: f32,
    cancelled: &(dyn Fn() -> bool + Sync),
) -> Option<Integrator> {
    if !world.may_have_caustics() || !world.is_for(Integrator::Bdpt) {
        return Some(Integrator::Path);
    }
    let trial = |integrator| Trial::of(world, settings, integrator, aspect, cancelled);
    let [path, bdpt] = [trial(Integrator::Path)?, trial(Integrator::Bdpt)?];
    let brightness = [&path, &bdpt].map(Trial::brightness);
    let reference: Vec<f64> =
        brightness[0].iter().zip(&brightness[1]).map(|(a, b)| (a + b) / 2.0).collect();
    let is_better = path.cost(&reference) > MARGIN * bdpt.cost(&reference);
    Some(if is_better { Integrator::Bdpt } else { Integrator::Path })
}

/// A small render and its cost.
struct Trial {
    film: Film,
    rays: u64,
}

impl Trial {
    fn of(
        world: &World,
        settings: &RenderSettings,
        integrator: Integrator,
        aspect: f32,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Option<Self> {
        let aspect = aspect.clamp(0.1, 10.0);
        let width = (TRIAL_PIXELS * aspect).sqrt() as u32;
        let mut film = Film::new(width, (width as f32 / aspect) as u32);
        let settings = RenderSettings { integrator, noise_threshold: None, ..*settings };
        match render_pass(world, &settings, &mut film, TRIAL_SAMPLES, cancelled) {
            PassOutcome::Completed(pass) => Some(Self { film, rays: pass.rays }),
            PassOutcome::Cancelled => None,
        }
    }

    /// The mean luminance of each tile.
    fn brightness(&self) -> Vec<f64> {
        let mean = |tile: &[(f64, f64)]| {
            tile.iter().map(|(luminance, _)| luminance).sum::<f64>() / tile.len().max(1) as f64
        };
        self.film.luminances().iter().map(|tile| mean(tile)).collect()
    }

    /// The cost of equal variance: relative variance times rays. `brightness` is the mean luminance
    /// of each tile, since the luminance of a pixel with few samples is too noisy.
    fn cost(&self, brightness: &[f64]) -> f64 {
        let floor = 0.1 * brightness.iter().sum::<f64>() / brightness.len().max(1) as f64;
        let variances = self.film.luminances();
        let relative = variances.iter().zip(brightness).flat_map(|(tile, brightness)| {
            let scale = (brightness + floor).powi(2).max(f64::MIN_POSITIVE);
            tile.iter().map(move |(_, variance)| variance / scale)
        });
        relative.sum::<f64>() * self.rays as f64
    }
}

#[cfg(test)]
mod tests {
    use scene::Scene;
    use serde_json::{Value, json};

    use super::*;

    fn choice(lights: &Value, environment: &Value) -> Integrator {
        let matte = json!({ "type": "lambertian", "albedo": [0.7, 0.7, 0.7] });
        let glass = json!({ "type": "dielectric", "refractive_index": 1.5 });
        let document = json!({
            "version": 1,
            "shapes": [
                { "id": "floor", "type": "quad", "properties": {
                    "corner": [-4, 0, 4], "u": [8, 0, 0], "v": [0, 0, -8], "material": matte } },
                { "id": "ball", "type": "sphere",
                  "properties": { "center": [0, 1, 0], "radius": 0.9, "material": glass } }
            ],
            "lights": lights,
            "environment": environment,
            "camera": { "center": [0, 3, 6], "look_at": [0, 0.5, 0], "vfov": 40 }
        });
        let scene = Scene::from_json(&document).unwrap();
        let world = World::build(&scene);
        choose_integrator(&world, &RenderSettings::default(), 4.0 / 3.0, &|| false).unwrap()
    }

    fn lamp(radius: f64) -> Value {
        json!([{ "id": "lamp", "type": "area_sphere_light",
            "properties": { "center": [1, 5, -1], "radius": radius, "emission": [50, 50, 50] } }])
    }

    #[test]
    fn a_small_lamp_behind_glass_is_for_bdpt_and_a_bright_sky_is_not() {
        let dark = json!({ "type": "none" });
        let sky = json!({ "type": "uniform", "emission": [1, 1, 1] });
        assert_eq!(choice(&lamp(0.1), &dark), Integrator::Bdpt);
        assert_eq!(choice(&json!([]), &sky), Integrator::Path);
        let point = json!([{ "id": "lamp", "type": "point_spot_light",
            "properties": { "center": [1, 5, -1], "emission": [50, 50, 50] } }]);
        assert_eq!(choice(&point, &dark), Integrator::Path);
    }

    #[test]
    fn a_trial_can_be_cancelled() {
        let text = std::fs::read_to_string("../../scenes/glass-caustics.json").unwrap();
        let world = World::build(&Scene::from_json_text(&text).unwrap());
        assert_eq!(choose_integrator(&world, &RenderSettings::default(), 1.0, &|| true), None);
    }
}
