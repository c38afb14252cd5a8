//! Images as textures, normal maps and environments, against closed forms.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::sync::Arc;

use media::Image;
use scene::Scene;
use serde_json::{Value, json};
use tracer::{
    DirectLighting, Film, Integrator, LinearImage, Meshes, PassOutcome, RenderSettings, World,
    render_pass,
};

use crate::support::{assert_share, matte, metal, none, scene, settings, white, with_strategy};

/// A view straight down on a square of 2 m, which fills the image; x is right, z is down.
fn above() -> Value {
    json!({ "center": [0, 10, 0], "look_at": [0, 0, 0], "up": [0, 0, -1], "vfov": 11.421186 })
}

/// A horizontal quad with u to the right and v up in the image.
fn floor(material: &Value) -> (&'static str, Value) {
    let quad =
        json!({ "corner": [-1, 0, 1], "u": [2, 0, 0], "v": [0, 0, -2], "material": material });
    ("quad", quad)
}

fn render(scene: &Scene, image: Image, [width, height]: [u32; 2]) -> LinearImage {
    let mut images = Meshes::default();
    images.insert_image("picture".into(), Arc::new(image.into()));
    let mut film = Film::new(width, height);
    let world = World::build_with(scene, &images);
    let outcome = render_pass(&world, &settings(2), &mut film, 64, &|| false);
    assert!(matches!(outcome, PassOutcome::Completed(_)));
    film.linear()
}

fn picture(properties: &Value) -> Value {
    let mut texture = json!({ "type": "image", "asset": "picture" });
    let more = properties.as_object().unwrap();
    texture.as_object_mut().unwrap().extend(more.clone());
    texture
}

/// Red, green over blue, white, without interpolation between them.
fn four() -> Image {
    let colors = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255; 4]];
    // Large squares, so that the centre of each is not interpolated.
    let at = |x: usize, y: usize| colors[(y / 8) * 2 + x / 8];
    Image::bytes(16, 16, (0..256).map(|pixel| at(pixel % 16, pixel / 16)).collect()).unwrap()
}

#[test]
fn under_a_white_sky_a_picture_is_seen_upright_and_as_it_is() {
    let matte = json!({ "type": "lambertian", "albedo": picture(&json!({})) });
    let scene = scene(&[floor(&matte)], &[], &white(), &above());
    let image = render(&scene, four(), [4, 4]);
    // The upper left pixel of each square, away from all borders but those of the image.
    let seen = [0, 3, 12, 15].map(|at| image.pixels[at]);
    // Beyond its borders the image repeats, by half a pixel.
    for (seen, expected) in
        seen.iter().zip([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0; 3]])
    {
        for (seen, expected) in seen.iter().zip(expected) {
            assert!((seen - expected).abs() < 0.1, "{seen} is not {expected}");
        }
    }
}

#[test]
fn first_is_black_and_second_is_white_and_numbers_are_not_decoded() {
    let grey = || Image::bytes(1, 1, vec![[128, 51, 255, 64]]).unwrap();
    let seen = |albedo: &Value| {
        let matte = json!({ "type": "lambertian", "albedo": albedo });
        render(&scene(&[floor(&matte)], &[], &white(), &above()), grey(), [2, 2]).pixels[0]
    };
    let assert_near = |seen: [f32; 3], expected: [f32; 3]| {
        let far = seen.iter().zip(expected).any(|(seen, expected)| (seen - expected).abs() > 2e-3);
        assert!(!far, "{seen:?} is not {expected:?}");
    };
    assert_near(seen(&picture(&json!({}))), [0.2159, 0.0331, 1.0]);
    let tinted = json!({ "first": [0.1, 0.1, 0.1], "second": [0.5, 1, 0.1] });
    assert_near(seen(&picture(&tinted)), [0.1863, 0.1298, 0.1]);
    assert_near(seen(&picture(&json!({ "channel": "green" }))), [0.0331; 3]);
    assert_near(seen(&picture(&json!({ "channel": "alpha" }))), [0.251; 3]);
    // A number: metalness 0.2 of a black metal over a white base under white light.
    let worn = json!({ "type": "principled", "specular_weight": 0, "base_color": [1, 1, 1],
        "base_weight": picture(&json!({ "channel": "green" })) });
    let half = render(&scene(&[floor(&worn)], &[], &white(), &above()), grey(), [2, 2]);
    assert_near(half.pixels[0], [0.2; 3]);
}

#[test]
fn a_picture_that_is_not_there_counts_as_grey() {
    let matte = json!({ "type": "lambertian", "albedo":
        { "type": "image", "asset": "another" } });
    let image = render(&scene(&[floor(&matte)], &[], &white(), &above()), four(), [2, 2]);
    assert_share(image.mean()[1], 0.5, 1e-4);
}

/// A floor under a sun of 1 W/m^2 from the direction `from`.
fn lit(material: &Value, from: [f64; 3]) -> Scene {
    let sun = json!({ "direction": from.map(|part| -part), "emission": [1, 1, 1] });
    scene(&[floor(material)], &[("directional_light", sun)], &none(), &above())
}

#[test]
fn a_normal_map_lights_a_plane_as_if_it_were_tilted() {
    // A normal of 0.6 to the right and 0.8 along the surface normal, and 0.6 up in the image.
    let right = [204, 128, 230, 255];
    let upwards = [128, 204, 230, 255];
    let tilted = |map: &Value| {
        let mut material = matte(1.0);
        material["normal_map"] = map.clone();
        material
    };
    let plain = json!({ "asset": "picture" });
    let flipped = json!({ "asset": "picture", "flip_y": true });
    let turned = json!({ "asset": "picture", "rotation": [0, 0, 90] });
    let flat = json!({ "asset": "picture", "strength": 0 });
    for (map, stored, normal) in [
        (&plain, right, [0.6, 0.8, 0.0]),
        (&plain, upwards, [0.0, 0.8, -0.6]),
        (&flipped, upwards, [0.0, 0.8, 0.6]),
        // Rotated to the left: right becomes up.
        (&turned, right, [0.0, 0.8, -0.6]),
        (&flat, right, [0.0, 1.0, 0.0]),
    ] {
        for from in [[0.6, 0.8, 0.0], [0.0, 0.8, -0.6], [0.3, 0.9, 0.3]] {
            let scene = lit(&tilted(map), from);
            let image = render(&scene, Image::bytes(1, 1, vec![stored]).unwrap(), [2, 2]);
            let length = from.iter().map(|part: &f64| part * part).sum::<f64>().sqrt();
            let cosine: f64 = from.iter().zip(normal).map(|(a, b)| a * b / length).sum();
            assert_share(image.mean()[1], cosine / std::f64::consts::PI, 0.02);
        }
    }
}

#[test]
fn a_level_normal_map_changes_nothing_on_any_shape() {
    let level = || Image::floats(1, 1, vec![[0.5, 0.5, 1.0]]).unwrap();
    for (kind, mut shape) in [
        ("sphere", json!({ "center": [0, 0, 0], "radius": 0.8 })),
        ("box", json!({ "center": [0, 0, 0], "dimensions": [1, 1, 1], "rotation": [20, 30, 0] })),
        (
            "torus",
            json!({ "center": [0, 0, 0], "normal": [0, 1, 0.5], "radius": 0.6, "thickness": 0.3 }),
        ),
        (
            "cylinder",
            json!({ "base_center": [0, -1, 0], "top_center": [0.3, 0.5, 0.2], "radius": 0.5, "capped": true }),
        ),
    ] {
        let sun = json!({ "direction": [-1, -2, -1], "emission": [1, 1, 1] });
        let mut images = [None, Some(json!({ "asset": "picture" }))].map(|map| {
            shape["material"] = matte(0.8);
            shape["material"]["normal_map"] = map.into();
            let lights = [("directional_light", sun.clone())];
            render(&scene(&[(kind, shape.clone())], &lights, &white(), &above()), level(), [16, 16])
        });
        let [with, without] = {
            images.reverse();
            images
        };
        for (a, b) in with.pixels.iter().flatten().zip(without.pixels.iter().flatten()) {
            assert!((a - b).abs() < 1e-3, "{kind}: {a} is not {b}");
        }
    }
}

/// Red at -z, green to the right, blue behind, white to the left.
fn quarters() -> Image {
    let colors = [[0.0, 0.0, 1.0], [1.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let pixel = |at: usize| colors[((at % 64) + 8) / 16 % 4];
    Image::floats(64, 32, (0..64 * 32).map(pixel).collect()).unwrap()
}

#[test]
fn a_panorama_is_seen_where_it_should_be_and_turns_to_the_left() {
    for (rotation, expected) in
        [(0, [1.0, 0.0, 0.0]), (90, [0.0, 1.0, 0.0]), (-90, [1.0; 3]), (180, [0.0, 0.0, 1.0])]
    {
        let sky =
            json!({ "type": "image", "asset": "picture", "rotation": rotation, "strength": 3 });
        let camera = json!({ "center": [0, 0, 0], "look_at": [0, 0, -1], "vfov": 30 });
        let image = render(&scene(&[], &[], &sky, &camera), quarters(), [2, 2]);
        for (seen, expected) in image.mean().iter().zip(expected) {
            assert!((seen - 3.0 * expected).abs() < 1e-4, "{rotation}: {:?}", image.mean());
        }
    }
}

#[test]
fn an_even_panorama_is_a_furnace() {
    let even = || Image::bytes(4, 2, vec![[255; 4]; 8]).unwrap();
    let sky = json!({ "type": "image", "asset": "picture", "strength": 0.5 });
    let camera = json!({ "center": [0, 0, 5], "look_at": [0, 0, 0], "vfov": 20 });
    for material in [matte(1.0), metal(0.0)] {
        let ball = json!({ "center": [0, 0, 0], "radius": 1, "material": material });
        let image = render(&scene(&[("sphere", ball)], &[], &sky, &camera), even(), [6, 6]);
        assert_share(image.mean()[1], 0.5, 0.03);
    }
}

#[test]
fn all_ways_to_find_the_light_of_a_panorama_agree() {
    // A small bright window in a dim room.
    let pixel = |at: usize| if at % 64 == 40 && at / 64 == 9 { [400.0; 3] } else { [0.2; 3] };
    let room = || Image::floats(64, 32, (0..64 * 32).map(pixel).collect()).unwrap();
    let ball = json!({ "center": [0, 1, 0], "radius": 1, "material": metal(0.7) });
    let camera = json!({ "center": [0, 2, 6], "look_at": [0, 0.7, 0], "vfov": 35 });
    let sky = json!({ "type": "image", "asset": "picture", "rotation": 20 });
    let (kind, mut ground) = floor(&matte(0.5));
    ground["corner"] = json!([-9, 0, 9]);
    ground["u"] = json!([18, 0, 0]);
    ground["v"] = json!([0, 0, -18]);
    let scene = scene(&[(kind, ground), ("sphere", ball)], &[], &sky, &camera);
    let by = |settings: &RenderSettings| {
        let mut images = Meshes::default();
        images.insert_image("picture".into(), Arc::new(room().into()));
        let mut film = Film::new(24, 18);
        let outcome =
            render_pass(&World::build_with(&scene, &images), settings, &mut film, 1024, &|| false);
        assert!(matches!(outcome, PassOutcome::Completed(_)));
        film.linear().mean()[1]
    };
    let both = by(&with_strategy(DirectLighting::Mis));
    assert_share(by(&with_strategy(DirectLighting::Lights)), both, 0.015);
    assert_share(by(&with_strategy(DirectLighting::Bsdf)), both, 0.05);
    let bdpt =
        RenderSettings { integrator: Integrator::Bdpt, ..with_strategy(DirectLighting::Mis) };
    assert_share(by(&bdpt), both, 0.02);
}

#[test]
fn a_panorama_that_is_not_there_is_grey() {
    let sky = json!({ "type": "image", "asset": "another", "strength": 2 });
    let camera = json!({ "center": [0, 0, 0], "look_at": [0, 0, -1] });
    assert_share(render(&scene(&[], &[], &sky, &camera), four(), [2, 2]).mean()[1], 1.0, 1e-4);
}
