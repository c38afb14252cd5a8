//! Each instruction set that this processor has, forced, gives the same pictures within rounding.

use scene::Scene;
use serde_json::json;
use tracer::{Film, InstructionSet, Integrator, LinearImage, RenderSettings, World, render_pass};

use crate::support::*;

fn example(name: &str) -> Scene {
    let path = format!("{}/../../scenes/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    Scene::from_json_text(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// More lamps than are weighed one by one.
fn many_lamps() -> Scene {
    let floor =
        json!({ "corner": [-5, 0, -5], "u": [0, 0, 10], "v": [10, 0, 0], "material": matte(0.5) });
    let lamps: Vec<_> = (0..100)
        .map(|index| [f64::from(index % 10) - 4.5, f64::from(index / 10) - 4.5])
        .map(|[x, z]| {
            let lamp = json!({ "center": [x, 1.0 + 0.05 * z, z], "radius": 0.1,
                               "emission": [3.0 + 0.5 * x, 3, 3] });
            ("area_sphere_light", lamp)
        })
        .collect();
    let camera = json!({ "center": [0, 4, 8], "look_at": [0, 0, 0], "vfov": 40 });
    scene(&[("quad", floor)], &lamps, &none(), &camera)
}

fn picture(world: &World, integrator: Integrator) -> LinearImage {
    let settings = RenderSettings { integrator, max_depth: 6, ..RenderSettings::default() };
    let mut film = Film::new(64, 48);
    render_pass(world, &settings, &mut film, 16, &|| false);
    film.linear()
}

/// The share of the channels that differ by more than rounding, and the relative difference of the means.
fn differences(a: &LinearImage, b: &LinearImage) -> (f64, f64) {
    let channels = || a.pixels.iter().flatten().zip(b.pixels.iter().flatten());
    let apart = channels().filter(|(a, b)| (*a - *b).abs() > 1e-3 * a.max(**b).max(0.01)).count();
    let mean = |picture: &LinearImage| picture.mean().iter().sum::<f64>();
    (apart as f64 / channels().count() as f64, (mean(a) / mean(b) - 1.0).abs())
}

#[test]
fn each_forced_set_gives_the_same_pictures_within_rounding() {
    let sets = InstructionSet::available();
    assert_eq!(sets[0], InstructionSet::Baseline);
    let scenes = [
        ("few bodies", cornell(1.0, 0.02), Integrator::Path),
        ("all lights and materials", everything(), Integrator::Path),
        ("both ways", everything(), Integrator::Bdpt),
        ("a hundred lamps", many_lamps(), Integrator::Path),
        ("a tree of spheres", example("metal-grid"), Integrator::Path),
        ("meshes", example("hills"), Integrator::Path),
        ("a tree with meshes in it", example("snowy-village"), Integrator::Path),
        ("fog", example("light-shafts"), Integrator::Path),
        ("textures", example("rust-and-paint"), Integrator::Path),
    ];
    for (name, scene, integrator) in scenes {
        let best = World::build(&scene);
        let expected = picture(&best, integrator);
        for set in &sets {
            let picture = picture(&best.with_instructions(*set), integrator);
            let (apart, mean) = differences(&picture, &expected);
            // Rounding sends single paths elsewhere.
            assert!(apart < 0.02 && mean < 2e-3, "{name} with {set:?}: {apart} {mean}");
        }
    }
}
