use std::collections::BTreeMap;

use glam::Vec2;
use scene::Scene;
use serde_json::{Value, json};

use super::strategy::Strategy;
use super::*;
use crate::settings::RenderSettings;
use crate::world::World;

/// Sums by strategy, with and without MIS weights.
#[derive(Default)]
struct Ledger {
    /// Radiance without a weight, weighted radiance, and the square of the former.
    sums: BTreeMap<Strategy, [f64; 3]>,
}

impl Sink for Ledger {
    fn take(&mut self, contribution: &Contribution) {
        let Contribution { strategy, radiance, weight, .. } = *contribution;
        assert!((0.0..=1.0).contains(&weight), "{strategy:?}: {weight}");
        let [alone, weighed, squares] = self.sums.entry(strategy).or_default();
        *alone += f64::from(radiance.y);
        *weighed += f64::from(radiance.y * weight);
        *squares += f64::from(radiance.y).powi(2);
    }
}

/// Runs `samples` samples for each pixel of a small image; the sums are means over the image.
fn ledger(scene: &Value, max_depth: u32, samples: u32) -> (Ledger, u32) {
    let world = World::build(&Scene::from_json(scene).unwrap());
    let settings =
        RenderSettings { max_depth, russian_roulette: false, ..RenderSettings::default() };
    let size = Vec2::new(16.0, 12.0);
    let mut ledger = Ledger::default();
    let batch = Batch {
        world: &world,
        settings: &settings,
        size,
        corner: UVec2::ZERO,
        columns: 16,
        blocks: 16 * 12,
        block: 1,
        samples: 0..samples,
        cancelled: &|| false,
    };
    follow(&batch, &mut ledger).unwrap();
    let count = 16 * 12 * samples;
    for sums in ledger.sums.values_mut() {
        sums.iter_mut().for_each(|sum| *sum /= f64::from(count));
    }
    (ledger, count)
}

/// A closed box with matte walls around a light, where every strategy can sample every path.
fn closed_box(light: &Value, camera: &Value) -> Value {
    let walls = json!({ "center": [0, 0, 0], "dimensions": [4, 3, 5],
                        "material": { "type": "lambertian", "albedo": [0.6, 0.7, 0.8] } });
    let block = json!({ "center": [0.8, -0.9, -1], "dimensions": [1, 1.2, 1], "rotation": [0, 30, 0],
                        "material": { "type": "metal", "albedo": [0.9, 0.8, 0.7], "fuzz": 0.8 } });
    json!({ "version": 1,
            "shapes": [{ "id": "walls", "type": "box", "properties": walls },
                       { "id": "block", "type": "box", "properties": block }],
            "lights": [light], "environment": { "type": "none" }, "camera": camera })
}

fn light(kind: &str, properties: &Value) -> Value {
    let mut properties = properties.clone();
    properties["emission"] = json!([5, 5, 5]);
    json!({ "id": "lamp", "type": kind, "properties": properties })
}

fn lights() -> Vec<Value> {
    vec![
        light("point_spot_light", &json!({ "center": [0.2, 0.3, 0.1] })),
        light(
            "point_spot_light",
            &json!({ "center": [0.2, 0.3, 0.1], "direction": [0.3, -1, -1], "cutoff_angle": 70,
                     "falloff_exponent": 2 }),
        ),
        light(
            "area_quad_light",
            &json!({ "corner": [-0.5, 1.2, -1], "u": [1, 0, 0], "v": [0, 0, 1] }),
        ),
        light("area_sphere_light", &json!({ "center": [0.2, 0.3, -0.4], "radius": 0.3 })),
        light(
            "disc_spot_light",
            &json!({ "center": [0, 0.4, -1], "normal": [0.3, -1, -1], "radius": 0.5 }),
        ),
        light(
            "area_disc_spot_light",
            &json!({ "center": [0, 0.4, -1], "normal": [0, -1, -0.5], "radius": 0.5,
                     "cutoff_angle": 70, "falloff_exponent": 1 }),
        ),
    ]
}

const PINHOLE: &str = r#"{ "center": [-0.5, 0.4, 2.2], "look_at": [0.2, -0.2, -2], "vfov": 60 }"#;
const LENS: &str = r#"{ "center": [-0.5, 0.4, 2.2], "look_at": [0.2, -0.2, -2], "vfov": 60,
                        "aperture": 0.3 }"#;

#[test]
fn every_strategy_finds_the_light_of_every_path() {
    for (light, camera) in lights().iter().flat_map(|light| [(light, PINHOLE), (light, LENS)]) {
        let camera: Value = serde_json::from_str(camera).unwrap();
        let (ledger, count) = ledger(&closed_box(light, &camera), 4, 160);
        // Paths of 2 to 4 edges with only scattering vertices.
        for edges in 2..=4 {
            let of_length = |(strategy, _): &(&Strategy, &[f64; 3])| strategy.edges() == edges;
            let weighed: f64 =
                ledger.sums.iter().filter(of_length).map(|(_, [_, weighed, _])| weighed).sum();
            let mut strategies = 0;
            for (strategy, [alone, _, squares]) in ledger.sums.iter().filter(of_length) {
                strategies += 1;
                // Rare paths make the sums noisy: five standard errors, and a share of the sum.
                let error = ((squares - alone * alone) / f64::from(count)).sqrt();
                let apart = (alone - weighed).abs();
                assert!(
                    apart < 5.0 * error + 0.02 * weighed,
                    "{light} {strategy:?}: {alone} +- {error} is not {weighed}"
                );
            }
            // A path cannot hit a point light.
            let all = if light["type"] == "point_spot_light" { edges } else { edges + 1 };
            assert_eq!(strategies, all, "{light}: paths of {edges} edges");
        }
    }
}
