//! Paths that are shaded side by side are those that are shaded one by one.

use glam::{UVec2, Vec2, Vec3A};
use scene::Scene;
use serde_json::{Value, json};

use super::sample_all;
use crate::instructions::InstructionSet;
use crate::integrator::batch::{Batch, Taken};
use crate::integrator::path::stream;
use crate::integrator::scene_features::Clear;
use crate::light::Anything;
use crate::settings::{DirectLighting, RenderSettings};
use crate::world::World;

fn matte(albedo: f64) -> Value {
    json!({ "type": "lambertian", "albedo": [albedo, 0.5, 0.4] })
}

fn metal(fuzz: f64) -> Value {
    json!({ "type": "metal", "albedo": [0.9, 0.8, 0.7], "fuzz": fuzz })
}

/// A floor and balls of all simple kinds.
fn shapes() -> Vec<Value> {
    let glass = json!({ "type": "dielectric", "refractive_index": 1.5 });
    let floor =
        json!({ "corner": [-5, 0, -5], "u": [0, 0, 10], "v": [10, 0, 0], "material": matte(0.6) });
    let balls = [matte(0.8), metal(0.0), metal(0.4), glass];
    let mut shapes = vec![json!({ "id": "floor", "type": "quad", "properties": floor })];
    for (at, material) in balls.iter().enumerate() {
        let center = [1.3 * at as f64 - 2.0, 0.6, 0.0];
        let ball = json!({ "center": center, "radius": 0.6, "material": material });
        shapes.push(json!({ "id": format!("ball{at}"), "type": "sphere", "properties": ball }));
    }
    shapes
}

fn lamps(count: usize) -> Vec<Value> {
    let lamp = |at: usize| {
        let center = [(at % 7) as f64 - 3.0, 2.5 + 0.1 * (at % 3) as f64, (at / 7) as f64 - 2.0];
        let lamp =
            json!({ "center": center, "radius": 0.15, "emission": [5.0, 4.0, 1.0 + at as f64] });
        json!({ "id": format!("lamp{at}"), "type": "area_sphere_light", "properties": lamp })
    };
    (0..count).map(lamp).collect()
}

fn world(shapes: &[Value], lights: &[Value], environment: &Value) -> World {
    let document = json!({ "version": 1, "shapes": shapes, "lights": lights, "environment": environment,
        "camera": { "center": [0, 2, 6], "look_at": [0, 0.6, 0], "vfov": 45 } });
    World::build(&Scene::from_json(&document).unwrap())
}

/// The radiance of the samples and the number of rays.
fn taken(world: &World, settings: &RenderSettings, side_by_side: bool) -> (Vec<Vec3A>, u64) {
    let batch = Batch {
        world,
        settings,
        size: Vec2::new(32.0, 24.0),
        corner: UVec2::ZERO,
        columns: 32,
        blocks: 32 * 24,
        block: 1,
        samples: 0..5,
        cancelled: &|| false,
    };
    let mut taken = Taken::default();
    let splats = &mut Vec::new();
    let is_uneven = world.lights().environment.is_uneven(Anything);
    let sample_all = match (side_by_side, is_uneven, world.is_simple()) {
        (true, true, true) => sample_all::<false, true>,
        (true, false, true) => sample_all::<true, true>,
        (true, true, false) => sample_all::<false, false>,
        (true, false, false) => sample_all::<true, false>,
        (false, ..) => stream::sample_all::<Clear>,
    };
    sample_all(&batch, splats, &mut taken).unwrap();
    (taken.radiance, taken.rays)
}

fn compare(name: &str, world: &World, settings: &RenderSettings) {
    let (expected, expected_rays) = taken(world, settings, false);
    let sum =
        |radiance: &[Vec3A]| radiance.iter().map(|one| f64::from(one.element_sum())).sum::<f64>();
    assert!(sum(&expected) > 0.0, "{name}");
    for instructions in InstructionSet::available() {
        let (found, rays) = taken(&world.with_instructions(instructions), settings, true);
        let apart = found.iter().zip(&expected).filter(|(found, expected)| {
            (**found - **expected).abs().max_element() > 1e-3 * expected.max_element().max(0.01)
        });
        // Rounding sends single paths elsewhere.
        let apart = apart.count() as f64 / expected.len() as f64;
        assert!(apart < 0.01, "{name} with {instructions:?}: {apart}");
        let brighter = sum(&found) / sum(&expected) - 1.0;
        assert!(brighter.abs() < 5e-3, "{name} with {instructions:?}: {brighter}");
        let more = rays as f64 / expected_rays as f64 - 1.0;
        assert!(more.abs() < 2e-3, "{name} with {instructions:?}: {more} more rays");
    }
}

#[test]
fn samples_are_those_of_paths_shaded_one_by_one() {
    let none = json!({ "type": "none" });
    let gradient =
        json!({ "type": "gradient", "top_color": [0.5, 0.7, 1], "bottom_color": [1, 1, 1] });
    let window = json!({ "id": "window", "type": "area_quad_light", "properties": {
        "corner": [-1, 3, -1], "u": [2, 0, 0], "v": [0, 0, 2], "emission": [9, 8, 7] } });
    let spot = json!({ "id": "spot", "type": "point_spot_light", "properties": {
        "center": [2, 4, 2], "direction": [-0.4, -1, -0.4], "cutoff_angle": 30, "emission": [40, 40, 40] } });
    let disc = json!({ "id": "disc", "type": "area_disc_spot_light", "properties": {
        "center": [-3, 3, 2], "normal": [0.5, -1, -0.3], "radius": 0.5, "cutoff_angle": 50,
        "falloff_exponent": 2, "emission": [30, 30, 30] } });
    let sun = json!({ "id": "sun", "type": "directional_light", "properties": {
        "direction": [-1, -2, -1], "emission": [3, 3, 2] } });
    let vase = json!({ "id": "vase", "type": "lathe", "properties": { "base_center": [0, 0, 1.4],
        "profile": [[0, 0], [0.4, 0.1], [0.2, 0.5], [0.3, 0.7]], "smooth": true, "material": metal(0.0) } });
    let mut with_vase = shapes();
    with_vase.push(vase);
    let several = [vec![window.clone(), spot, disc], lamps(9)].concat();
    for (name, shapes, lights, sky) in [
        ("one lamp", shapes(), vec![window], &none),
        ("a sky", with_vase, vec![], &gradient),
        ("a sky and lamps of all kinds", shapes(), several, &gradient),
        ("many lamps", shapes(), lamps(60), &none),
        ("many lamps and a sky", shapes(), lamps(60), &gradient),
        ("a sun", shapes(), [vec![sun], lamps(3)].concat(), &gradient),
    ] {
        let world = world(&shapes, &lights, sky);
        assert!(world.is_simple(), "{name}");
        compare_all(name, &world);
    }
}

fn compare_all(name: &str, world: &World) {
    for direct_lighting in [DirectLighting::Mis, DirectLighting::Bsdf, DirectLighting::Lights] {
        let settings = RenderSettings { direct_lighting, ..RenderSettings::default() };
        compare(name, world, &settings);
    }
    let unusual = RenderSettings {
        max_depth: 4,
        russian_roulette: false,
        clamp_indirect: Some(0.5),
        hides_sky: true,
        ..RenderSettings::default()
    };
    compare(name, world, &unusual);
}

fn ball(id: &str, center: [f64; 3], material: &Value) -> Value {
    let ball = json!({ "center": center, "radius": 0.4, "material": material });
    json!({ "id": id, "type": "sphere", "properties": ball })
}

#[test]
fn paths_that_also_meet_other_surfaces_are_those_shaded_one_by_one() {
    let gradient =
        json!({ "type": "gradient", "top_color": [0.5, 0.7, 1], "bottom_color": [1, 1, 1] });
    let day = json!({ "type": "sky", "time": 9 });
    let plastic =
        json!({ "type": "principled", "base_color": [0.8, 0.2, 0.1], "specular_roughness": 0.3 });
    let checker = json!({ "type": "lambertian", "albedo": { "type": "checker", "first": [0.9, 0.9, 0.9],
        "second": [0.1, 0.2, 0.6] } });
    let frosted =
        json!({ "type": "principled", "transmission_weight": 1, "specular_roughness": 0.4 });
    let tea = json!({ "type": "principled", "transmission_weight": 1, "specular_roughness": 0,
        "transmission_color": [0.9, 0.4, 0.1], "transmission_depth": 0.5 });
    let pane = json!({ "type": "principled", "transmission_weight": 1, "geometry_thin_walled": true, "specular_roughness": 0 });
    let glowing = json!({ "type": "emissive", "emission": [4, 3, 2] });
    let hidden = json!({ "id": "hidden", "type": "area_sphere_light", "properties": { "center": [0, 3, 3],
        "radius": 1.2, "emission": [2, 2, 2], "visible_to_camera": false } });
    let inside = json!({ "id": "inside", "type": "sphere", "properties": { "center": [-0.6, 0.4, 1.6],
        "radius": 0.2, "material": matte(0.9) } });
    let behind = [-1.0, 1.0].map(|x| {
        json!({ "id": format!("behind{x}"), "type": "area_quad_light", "properties": {
        "corner": [x - 1.5, 1, -3], "u": [1, 0, 0], "v": [0, 1, 0], "emission": [5, 5, 5] } })
    });
    let behind = behind.to_vec();
    let place = |at: usize| [1.2 * at as f64 - 1.8, 0.4, 1.6];
    for (name, materials, more, lights, sky) in [
        ("plastic and a pattern", vec![plastic.clone(), checker], vec![], lamps(2), &gradient),
        ("what glows", vec![plastic.clone(), glowing], vec![], vec![hidden], &gradient),
        ("light from both sides", vec![frosted, plastic.clone()], vec![], behind, &gradient),
        ("things in a medium", vec![plastic.clone(), tea], vec![inside], lamps(3), &gradient),
        ("panes", vec![pane, plastic.clone()], vec![], lamps(3), &gradient),
        ("by day", vec![plastic], vec![], lamps(1), &day),
    ] {
        let wall = json!({ "corner": [-4, 0, -1.5], "u": [4, 0, 0], "v": [0, 4, 0], "material": materials[0] });
        let wall = json!({ "id": "wall", "type": "quad", "properties": wall });
        let balls = materials.iter().enumerate();
        let balls = balls.map(|(at, material)| ball(&format!("other{at}"), place(at), material));
        let world = world(&[shapes(), balls.collect(), more, vec![wall]].concat(), &lights, sky);
        assert!(!world.is_simple() && world.has_many_simple_surfaces(), "{name}");
        compare_all(name, &world);
    }
}

#[test]
fn where_little_is_simple_all_is_shaded_one_by_one() {
    let plastic = json!({ "type": "principled", "base_color": [0.8, 0.2, 0.1] });
    let floor = |material: Value| {
        let floor = json!({ "corner": [-50, 0, -50], "u": [0, 0, 100], "v": [100, 0, 0], "material": material });
        json!({ "id": "floor", "type": "quad", "properties": floor })
    };
    let sky = json!({ "type": "none" });
    let on = |floor: Value, other: &Value| {
        world(&[floor, ball("ball", [0.0, 0.4, 0.0], other)], &lamps(1), &sky)
    };
    assert!(on(floor(matte(0.5)), &plastic).has_many_simple_surfaces());
    assert!(!on(floor(plastic), &matte(0.5)).has_many_simple_surfaces());
}

#[test]
fn nothing_is_seen_without_edges() {
    let world = world(&shapes(), &lamps(1), &json!({ "type": "none" }));
    let settings = RenderSettings { max_depth: 0, ..RenderSettings::default() };
    let (radiance, rays) = taken(&world, &settings, true);
    assert!(radiance.iter().all(|radiance| *radiance == Vec3A::ZERO) && rays == 0);
}
