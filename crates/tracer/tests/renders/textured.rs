//! Textures and bump maps against closed forms.

use serde_json::{Value, json};
use tracer::{Integrator, RenderSettings};

use crate::support::{assert_share, mean, none, render, scene, settings, white};

/// A view straight down on a square of 2 m, which fills the image.
fn above() -> Value {
    json!({ "center": [0, 10, 0], "look_at": [0, 0, 0], "up": [0, 0, -1], "vfov": 11.421186 })
}

fn floor(material: &Value) -> (&'static str, Value) {
    // v points down in the image: the normal points up.
    let corner = json!({ "corner": [-1, 0, 1], "u": [2, 0, 0], "v": [0, 0, -2] });
    let mut floor = corner;
    floor["material"] = material.clone();
    ("quad", floor)
}

fn matte(albedo: &Value) -> Value {
    json!({ "type": "lambertian", "albedo": albedo })
}

#[test]
fn under_a_white_sky_a_texture_is_what_is_seen() {
    let checker = json!({ "type": "checker", "first": [0.9, 0.5, 0.1], "second": [0.2, 0.4, 0.6],
                          "scale": 0.5 });
    let scene = scene(&[floor(&matte(&checker))], &[], &white(), &above());
    let image = render(&scene, &settings(2), [12, 12], 16);
    for (row, column) in (0..4).flat_map(|row| (0..4).map(move |column| (row, column))) {
        // The corner of the shape, the origin of its coordinates, is at the bottom left.
        let expected = if (column + 3 - row) % 2 == 0 { [0.9, 0.5, 0.1] } else { [0.2, 0.4, 0.6] };
        // Four by four squares of three by three pixels: take the middle one.
        let pixel = image.pixels[(3 * row + 1) * 12 + 3 * column + 1];
        for (seen, expected) in pixel.iter().zip(expected) {
            assert!((seen - expected).abs() < 1e-4, "{row} {column}: {pixel:?}");
        }
    }
}

#[test]
fn a_mask_shows_one_material_or_the_other() {
    let (first, second) = ([0.9, 0.5, 0.1], [0.2, 0.4, 0.6]);
    let mix = |weight: Value| {
        json!({ "type": "mix", "first": matte(&json!(first)), "second": matte(&json!(second)),
                "weight": weight })
    };
    let seen = |weight: Value, size: u32| {
        let scene = scene(&[floor(&mix(weight))], &[], &white(), &above());
        render(&scene, &settings(2), [size, size], 64).pixels
    };
    let pixels = seen(json!({ "type": "checker", "first": 0, "second": 1, "scale": 1 }), 6);
    for (row, column) in (0..2).flat_map(|row| (0..2).map(move |column| (row, column))) {
        let expected = if (column + 1 - row) % 2 == 0 { first } else { second };
        let pixel = pixels[(3 * row + 1) * 6 + 3 * column + 1];
        for (seen, expected) in pixel.iter().zip(expected) {
            assert!((seen - expected).abs() < 1e-4, "{row} {column}: {pixel:?}");
        }
    }
    let mixed = seen(json!(0.25), 1)[0];
    for (at, seen) in mixed.iter().enumerate() {
        let expected = 0.75 * first[at] + 0.25 * second[at];
        assert!((seen - expected).abs() < 1e-4, "{mixed:?}");
    }
}

/// A coat of paint of 5 mm on one half of a floor: flat on both, and steep between them.
#[test]
fn what_is_mixed_by_a_mask_stands_out_by_its_bump() {
    let paint = json!({ "type": "lambertian", "albedo": [0.5, 0.5, 0.5], "bump": 0.005 });
    let bare = json!({ "type": "lambertian", "albedo": [0.5, 0.5, 0.5] });
    let lamp = json!({ "center": [60, 60, 0], "emission": [4000, 4000, 4000] });
    let lit = |material: &Value| {
        let lamps = [("point_spot_light", lamp.clone())];
        let scene = scene(&[floor(material)], &lamps, &none(), &above());
        let pixels = render(&scene, &settings(2), [9, 9], 256).pixels;
        pixels[36..45].iter().map(|pixel| pixel[0]).collect()
    };
    let flat: Vec<f32> = lit(&bare);
    let mask = json!({ "type": "gradient", "rotation": [0, 0, 90], "mapping": "world",
                       "scale": 0.1, "first": 0, "second": 1 });
    let edge: Vec<f32> =
        lit(&json!({ "type": "mix", "first": paint, "second": bare, "weight": mask }));
    let change = |at: usize| (edge[at] / flat[at] - 1.0).abs();
    assert!(change(0) < 1e-3 && change(8) < 1e-3, "{edge:?} {flat:?}");
    assert!((3..6).any(|at| change(at) > 0.01), "{edge:?} {flat:?}");
}

#[test]
fn a_gradient_goes_from_the_first_value_to_the_second() {
    let gradient = json!({ "type": "gradient", "first": [0, 0, 0], "second": [1, 1, 1] });
    let scene = scene(&[floor(&matte(&gradient))], &[], &white(), &above());
    let image = render(&scene, &settings(2), [1, 10], 4096);
    for (row, pixel) in image.pixels.iter().enumerate() {
        let expected = 0.95 - 0.1 * row as f32;
        assert!((pixel[1] - expected).abs() < 2e-3, "{row}: {pixel:?}");
    }
}

#[test]
fn a_texture_of_one_value_is_that_value() {
    let even = |value: Value| json!({ "type": "noise", "first": value, "second": value });
    let materials = [
        (
            json!({ "type": "lambertian", "albedo": [0.7, 0.4, 0.2] }),
            json!({ "type": "lambertian", "albedo": even(json!([0.7, 0.4, 0.2])) }),
        ),
        (
            json!({ "type": "metal", "albedo": [0.9, 0.6, 0.3], "fuzz": 0.4 }),
            json!({ "type": "metal", "albedo": [0.9, 0.6, 0.3], "fuzz": even(json!(0.4)) }),
        ),
        (
            json!({ "type": "principled", "base_color": [0.7, 0.4, 0.2], "base_metalness": 0.5,
                    "specular_roughness": 0.4, "coat_weight": 0.5, "coat_color": [0.9, 0.5, 0.5],
                    "fuzz_weight": 0.3, "thin_film_weight": 0.2 }),
            json!({ "type": "principled", "base_color": even(json!([0.7, 0.4, 0.2])),
                    "base_metalness": even(json!(0.5)), "specular_roughness": even(json!(0.4)),
                    "coat_weight": even(json!(0.5)), "coat_color": even(json!([0.9, 0.5, 0.5])),
                    "fuzz_weight": 0.3, "thin_film_weight": even(json!(0.2)) }),
        ),
    ];
    for (plain, textured) in materials {
        let [plain, textured] = [plain, textured].map(|material| {
            let ball = json!({ "center": [0, 0, 0], "radius": 1, "material": material });
            let lamp = json!({ "center": [2, 3, 2], "radius": 0.5, "emission": [9, 9, 9] });
            let camera = json!({ "center": [0, 0, 5], "look_at": [0, 0, 0], "vfov": 30 });
            let lamps = [("area_sphere_light", lamp)];
            let scene = scene(&[("sphere", ball)], &lamps, &white(), &camera);
            render(&scene, &RenderSettings::default(), [24, 24], 16)
        });
        for (a, b) in plain.pixels.iter().flatten().zip(textured.pixels.iter().flatten()) {
            assert!((a - b).abs() <= 1e-3 * a.abs().max(0.1), "{a} is not {b}");
        }
    }
}

#[test]
fn a_slope_is_lit_as_a_turned_plane() {
    // The height grows by `slope` per metre away from the light, so the normal tilts towards it.
    let lamp = json!({ "center": [3000, 4000, 0], "emission": [25e6, 25e6, 25e6] });
    for slope in [-0.6_f64, 0.0, 0.2, 0.75] {
        let relief = json!({ "type": "gradient", "mapping": "world", "rotation": [0, 0, 90],
                             "scale": 10, "offset": [5, 0, 0],
                             "first": -5.0 * slope, "second": 5.0 * slope });
        let material = json!({ "type": "lambertian", "albedo": [1, 1, 1], "bump": relief });
        let lamps = [("point_spot_light", lamp.clone())];
        let scene = scene(&[floor(&material)], &lamps, &none(), &above());
        let seen = mean(&scene, &settings(2), [4, 4], 4);
        let normal = [slope, 1.0].map(|part| part / slope.hypot(1.0));
        let cosine = normal[0] * 0.6 + normal[1] * 0.8;
        assert_share(seen, cosine / std::f64::consts::PI, 1e-3);
    }
}

/// Only for gentle bumps: at grazing angles, the normals of steep ones are bent towards the viewer,
/// which is not reciprocal.
#[test]
fn textures_and_reliefs_are_lit_the_same_from_both_ends_of_a_path() {
    let wood = json!({ "type": "principled", "base_color": { "type": "wood", "scale": 4 },
                       "specular_roughness": { "type": "noise", "first": 0.2, "second": 0.7 },
                       "bump": { "type": "noise", "scale": 0.5, "second": 0.03 } });
    let foil = json!({ "type": "metal", "albedo": { "type": "checker", "first": [0.9, 0.8, 0.5] },
                       "fuzz": 0.5, "bump": { "type": "noise", "scale": 0.3, "second": 0.02 } });
    let ball = json!({ "center": [0, 0.5, 0], "radius": 0.5, "material": foil });
    let lamp =
        json!({ "corner": [-1, 2, -1], "u": [1, 0, 0], "v": [0, 0, 1], "emission": [9, 9, 9] });
    let camera = json!({ "center": [0, 2, 4], "look_at": [0, 0.3, 0], "vfov": 35 });
    let lamps = [("area_quad_light", lamp)];
    let scene = scene(&[floor(&wood), ("sphere", ball)], &lamps, &none(), &camera);
    let by = |integrator| {
        let settings = RenderSettings { integrator, max_depth: 5, ..RenderSettings::default() };
        mean(&scene, &settings, [32, 24], 1024)
    };
    assert_share(by(Integrator::Bdpt), by(Integrator::Path), 0.01);
}

#[test]
fn a_white_material_with_textures_cannot_be_seen_in_white_surroundings() {
    let share = |first: f64, second: f64| json!({ "type": "noise", "scale": 0.3, "first": first, "second": second });
    for material in [
        json!({ "type": "principled", "base_color": [1, 1, 1], "specular_roughness": share(0.0, 1.0) }),
        json!({ "type": "principled", "base_color": [1, 1, 1], "base_metalness": share(0.0, 1.0),
                "specular_roughness": share(0.1, 0.9) }),
        json!({ "type": "principled", "base_color": [1, 1, 1], "specular_weight": share(0.0, 1.0) }),
    ] {
        let ball = json!({ "center": [0, 0, 0], "radius": 1, "material": material });
        let camera = json!({ "center": [0, 0, 5], "look_at": [0, 0, 0], "vfov": 18 });
        let scene = scene(&[("sphere", ball)], &[], &white(), &camera);
        assert_share(mean(&scene, &settings(8), [16, 16], 64), 1.0, 0.01);
    }
}
