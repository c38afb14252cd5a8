//! Emissive shapes.

use std::f64::consts::PI;
use std::sync::Arc;

use media::{Image, MeshData};
use serde_json::{Value, json};
use tracer::{
    DirectLighting, Film, Integrator, Mesh, Meshes, PassOutcome, RenderSettings, World, render_pass,
};

use crate::support::*;

fn glow(strength: f64) -> Value {
    json!({ "type": "emissive", "emission": [strength, strength, strength] })
}

fn floor() -> (&'static str, Value) {
    let properties = json!({ "corner": [-6, 0, -6], "u": [0, 0, 12], "v": [12, 0, 0],
                             "material": matte(0.6) });
    ("quad", properties)
}

fn camera() -> Value {
    json!({ "center": [0, 3, 6], "look_at": [0, 0.6, 0], "vfov": 40 })
}

/// A tetrahedron mesh with either winding order.
fn tetrahedron() -> Meshes {
    let positions = vec![[-0.6, 0.0, -0.4], [0.6, 0.0, -0.4], [0.0, 0.0, 0.7], [0.0, 0.9, 0.0_f32]];
    let triangles = vec![[0, 1, 2], [0, 3, 1], [1, 3, 2], [0, 2, 3]];
    let mesh = Mesh::new(MeshData { positions, triangles, ..MeshData::default() })
        .unwrap_or_else(|fault| panic!("{fault}"));
    Meshes::from_iter([("tetrahedron".to_owned(), Arc::new(mesh))])
}

/// A dark image with a few bright windows.
fn spots() -> Image {
    let lit = |x: u32, y: u32| (x / 8 * 5 + y / 8 * 3).is_multiple_of(17) && x % 8 < 5 && y % 8 < 5;
    let pixel = |at: u32| if lit(at % 64, at / 64) { [255; 4] } else { [20, 20, 40, 255] };
    let pixels = (0..64 * 64).map(pixel).collect();
    Image::bytes(64, 64, pixels).unwrap_or_else(|fault| panic!("{fault}"))
}

/// One emissive shape of each kind above a floor.
fn kinds() -> Vec<(&'static str, Value)> {
    vec![
        ("sphere", json!({ "center": [0, 1.2, 0], "radius": 0.5 })),
        (
            "box",
            json!({ "center": [0, 1.2, 0], "dimensions": [0.8, 0.5, 1], "rotation": [20, 30, 0] }),
        ),
        ("quad", json!({ "corner": [-0.5, 1, -0.5], "u": [1, 0.4, 0], "v": [0, 0.5, 1] })),
        ("disc", json!({ "center": [0, 1.2, 0], "normal": [1, 1, 0.3], "radius": 0.6 })),
        (
            "cylinder",
            json!({ "base_center": [-0.4, 0.8, 0], "top_center": [0.5, 1.3, 0.2], "radius": 0.3,
                    "capped": true }),
        ),
        (
            "cylinder",
            json!({ "base_center": [-0.4, 0.8, 0], "top_center": [0.5, 1.3, 0.2], "radius": 0.4,
                    "capped": false }),
        ),
        (
            "cone",
            json!({ "base_center": [0, 0.5, 0], "base_radius": 0.6, "top_center": [0.2, 1.5, 0],
                    "top_radius": 0.2, "capped": true }),
        ),
        (
            "torus",
            json!({ "center": [0, 1, 0], "normal": [0.3, 1, 0.6], "radius": 0.7,
                    "thickness": 0.4 }),
        ),
        (
            "torus",
            json!({ "center": [0, 0.7, 0], "normal": [0.3, 0, 1], "radius": 0.7,
                    "thickness": 0.5, "start_angle": 20, "end_angle": 150 }),
        ),
        ("capsule", json!({ "start": [-0.5, 1, 0], "end": [0.5, 1.3, 0.4], "radius": 0.3 })),
        (
            "ellipsoid",
            json!({ "center": [0, 1.1, 0], "radii": [0.8, 0.2, 0.4], "rotation": [20, 30, 40] }),
        ),
        (
            "rounded_box",
            json!({ "center": [0, 1.2, 0], "dimensions": [0.9, 0.5, 0.7], "radius": 0.2,
                    "rotation": [20, 30, 0] }),
        ),
        (
            "lathe",
            json!({ "base_center": [0, 0.6, 0], "rotation": [0, 0, 20],
                    "profile": [[0, 0], [0.5, 0.1], [0.7, 0.5], [0.2, 1]] }),
        ),
        ("triangle", json!({ "vertices": [[-0.7, 0.6, 0], [0.8, 0.9, 0.2], [0, 1.8, -0.5]] })),
        (
            "mesh",
            json!({ "asset": "tetrahedron", "translation": [0, 0.5, 0], "rotation": [0, 40, 0],
                    "scale": [1, 1.4, 0.8] }),
        ),
    ]
}

/// The mean of a render with the mesh and the image.
fn mean_of(scene: &scene::Scene, settings: &RenderSettings, samples: u32) -> f64 {
    let mut meshes = tetrahedron();
    meshes.insert_image("spots".to_owned(), Arc::new(spots().into()));
    let world = World::build_with(scene, &meshes);
    let mut film = Film::new(32, 24);
    let outcome = render_pass(&world, settings, &mut film, samples, &|| false);
    let PassOutcome::Completed(statistics) = outcome else { panic!("nobody cancelled") };
    assert_eq!(statistics.rejected, 0);
    film.linear().mean()[1]
}

/// Checks that light sampling, BSDF sampling (with this many samples) and `bdpt` agree with MIS,
/// each within its tolerance.
fn assert_found_the_same(scene: &scene::Scene, lights: f64, surfaces: (u32, f64), bdpt: f64) {
    let by = |direct_lighting, samples| {
        let settings = RenderSettings { direct_lighting, max_depth: 3, ..settings(3) };
        mean_of(scene, &settings, samples)
    };
    let expected = by(DirectLighting::Mis, 256);
    assert_share(by(DirectLighting::Lights, 256), expected, lights);
    let (samples, share) = surfaces;
    assert_share(by(DirectLighting::Bsdf, samples), expected, share);
    let both_ways = RenderSettings { integrator: Integrator::Bdpt, ..settings(3) };
    assert_share(mean_of(scene, &both_ways, 256), expected, bdpt);
}

#[test]
fn every_shape_lights_the_floor_the_same_however_its_light_is_found() {
    for (kind, mut properties) in kinds() {
        properties["material"] = glow(5.0);
        let scene = scene(&[floor(), (kind, properties)], &[], &none(), &camera());
        assert_found_the_same(&scene, 0.01, (1500, 0.02), 0.015);
    }
}

/// A checkerboard of emission.
fn squares(mapping: &str, scale: f64, strength: f64) -> Value {
    let bright = [strength, 0.6 * strength, 0.2 * strength];
    json!({ "type": "checker", "mapping": mapping, "scale": scale, "first": bright,
            "second": [0, 0, 0] })
}

#[test]
fn textures_of_light_are_found_the_same_by_every_way() {
    let chosen = ["sphere", "quad", "disc", "cylinder", "ellipsoid", "triangle", "mesh"];
    for (kind, mut properties) in kinds().into_iter().filter(|(kind, _)| chosen.contains(kind)) {
        let mapping = if kind == "mesh" { "object" } else { "uv" };
        properties["material"] =
            json!({ "type": "emissive", "emission": squares(mapping, 0.3, 9.0) });
        let scene = scene(&[floor(), (kind, properties)], &[], &none(), &camera());
        assert_found_the_same(&scene, 0.015, (1500, 0.025), 0.02);
    }
}

#[test]
fn bright_spots_of_images_are_found_the_same_by_every_way() {
    let chosen = ["sphere", "box", "quad", "triangle", "mesh"];
    for (kind, mut properties) in kinds().into_iter().filter(|(kind, _)| chosen.contains(kind)) {
        let light = json!({ "type": "image", "asset": "spots", "second": [40, 40, 40] });
        properties["material"] = json!({ "type": "emissive", "emission": light });
        let scene = scene(&[floor(), (kind, properties)], &[], &none(), &camera());
        assert_found_the_same(&scene, 0.015, (2500, 0.04), 0.02);
    }
}

#[test]
fn a_texture_of_light_is_as_the_lights_it_shows() {
    let lit_by = |shapes: &[(&str, Value)]| {
        let shapes: Vec<_> = [floor()].into_iter().chain(shapes.iter().cloned()).collect();
        render(&scene(&shapes, &[], &none(), &camera()), &settings(4), [32, 24], 256).mean()
    };
    // The left half of a panel is bright red, the right half dim blue.
    let halves = json!({ "type": "stripes", "width": 0.5, "offset": [-0.25, 0, 0],
                         "first": [0.05, 0.1, 0.5], "second": [1, 0.2, 0.1] });
    let panel = |corner: [f64; 3], across: f64, material: Value| {
        (
            "quad",
            json!({ "corner": corner, "u": [across, 0, 0], "v": [0, 0.3, 1],
                         "material": material }),
        )
    };
    let black = json!({ "type": "principled", "base_color": [0, 0, 0], "specular_weight": 0,
                        "emission_luminance": 8, "emission_color": halves });
    let shown = lit_by(&[panel([-1.0, 1.5, -0.5], 2.0, black)]);
    let even = |emission: [f64; 3]| json!({ "type": "emissive", "emission": emission });
    let apart = lit_by(&[
        panel([-1.0, 1.5, -0.5], 1.0, even([8.0, 1.6, 0.8])),
        panel([0.0, 1.5, -0.5], 1.0, even([0.4, 0.8, 4.0])),
    ]);
    for (shown, apart) in shown.into_iter().zip(apart) {
        assert_share(shown, apart, 0.01);
    }
}

#[test]
fn glowing_shapes_light_as_the_lights_of_their_form_do() {
    let lit_by = |shapes: &[(&str, Value)], lights: &[(&str, Value)]| {
        let shapes: Vec<_> = [floor()].into_iter().chain(shapes.iter().cloned()).collect();
        mean(&scene(&shapes, lights, &none(), &camera()), &settings(4), [32, 24], 256)
    };
    let ball = json!({ "center": [0, 1.5, 0], "radius": 0.5 });
    let with = |properties: &Value, name: &str, value: Value| {
        let mut properties = properties.clone();
        properties[name] = value;
        properties
    };
    let shape = lit_by(&[("sphere", with(&ball, "material", glow(4.0)))], &[]);
    let light = lit_by(&[], &[("area_sphere_light", with(&ball, "emission", json!([4, 4, 4])))]);
    assert_share(shape, light, 2e-3);
    // A quad emits to both sides; the upper one does not reach the floor.
    let quad = json!({ "corner": [-0.5, 2, -0.5], "u": [1, 0, 0], "v": [0, 0, 1] });
    let shape = lit_by(&[("quad", with(&quad, "material", glow(4.0)))], &[]);
    let flipped = json!({ "corner": [-0.5, 2, -0.5], "u": [0, 0, 1], "v": [1, 0, 0],
                          "emission": [4, 4, 4] });
    let both = [
        ("area_quad_light", with(&quad, "emission", json!([4, 4, 4]))),
        ("area_quad_light", with(&flipped, "corner", json!([-0.5, 2.001, -0.5]))),
    ];
    assert_share(shape, lit_by(&[], &both), 5e-3);
    // A box is six quads that emit outwards only.
    let cuboid = json!({ "center": [0, 1.5, 0], "dimensions": [1, 1, 1], "material": glow(2.0) });
    let face = |corner: [f64; 3], u: [f64; 3], v: [f64; 3]| {
        ("area_quad_light", json!({ "corner": corner, "u": u, "v": v, "emission": [2, 2, 2] }))
    };
    let faces = [
        face([-0.5, 1.0, -0.5], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]),
        face([-0.5, 2.0, -0.5], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]),
        face([-0.5, 1.0, 0.5], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]),
        face([-0.5, 1.0, -0.5], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]),
        face([0.5, 1.0, -0.5], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]),
        face([-0.5, 1.0, -0.5], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]),
    ];
    assert_share(lit_by(&[("box", cuboid)], &[]), lit_by(&[], &faces), 5e-3);
}

#[test]
fn a_glowing_capsule_lights_a_point_by_its_closed_form() {
    // Long enough to count as infinite: the irradiance from an infinite cylinder of radius r at a
    // distance d from its axis, facing it, is pi L r / d.
    let long = json!({ "start": [-400, 2, 0], "end": [400, 2, 0], "radius": 0.25,
                       "material": glow(3.0) });
    let camera = json!({ "center": [3, 1.5, 0.5], "look_at": [0, 0, 0], "vfov": 0.1 });
    let lit = scene(&[floor(), ("capsule", long)], &[], &none(), &camera);
    let settings = RenderSettings { direct_lighting: DirectLighting::Mis, ..settings(2) };
    let expected = 0.6 / PI * (PI * 3.0 * 0.25 / 2.0);
    assert_share(mean(&lit, &settings, [8, 8], 4096), expected, 0.02);
}

#[test]
fn glowing_shapes_show_their_light_and_closed_ones_only_outside() {
    let seen = |kind: &str, properties: Value, z: f64| {
        let camera = json!({ "center": [0, 0, z], "look_at": [0, 0, -1000], "vfov": 1 });
        let lit = scene(&[(kind, properties)], &[], &none(), &camera);
        mean(&lit, &settings(1), [4, 4], 4)
    };
    let ball = || json!({ "center": [0, 0, 0], "radius": 1, "material": glow(7.0) });
    assert_eq!(seen("sphere", ball(), 5.0), 7.0);
    assert_eq!(seen("sphere", ball(), 0.0), 0.0);
    let disc = || json!({ "center": [0, 0, -2], "normal": [0, 0, -1], "radius": 1, "material": glow(7.0) });
    assert_eq!(seen("disc", disc(), 5.0), 7.0);
    // An emissive diffuse surface emits and reflects.
    let lit = json!({ "type": "principled", "base_color": [0.5, 0.5, 0.5], "specular_weight": 0,
                      "emission_color": [1, 0.5, 0.25], "emission_luminance": 3 });
    let ball = json!({ "center": [0, 0, 0], "radius": 1, "material": lit });
    let camera = json!({ "center": [0, 0, 5], "look_at": [0, 0, 0], "vfov": 8 });
    let scene = scene(&[("sphere", ball)], &[], &white(), &camera);
    let [red, green, blue] = render(&scene, &settings(4), [16, 16], 64).mean();
    for (actual, expected) in [(red, 3.5), (green, 2.0), (blue, 1.25)] {
        assert_share(actual, expected, 5e-3);
    }
}
