//! Scenes that provoke numerical errors.

use serde_json::json;
use tracer::{Film, Integrator, RenderSettings, World, denoise, render_pass};

use crate::support::*;

#[test]
fn an_empty_scene_is_its_sky() {
    let camera = json!({ "center": [0, 0, 0], "look_at": [0, 1, 0], "vfov": 1 });
    let sky = json!({ "type": "gradient", "top_color": [2, 3, 4], "bottom_color": [0, 0, 0] });
    let up = render(&scene(&[], &[], &sky, &camera), &settings(5), [4, 4], 4);
    for (channel, expected) in up.mean().iter().zip([2.0, 3.0, 4.0]) {
        assert_share(*channel, expected, 1e-3);
    }
    assert_eq!(mean(&scene(&[], &[], &none(), &camera), &settings(5), [4, 4], 4), 0.0);
}

#[test]
fn no_light_gets_into_a_closed_room() {
    let sun = json!({ "type": "uniform", "emission": [1000, 1000, 1000] });
    let camera = json!({ "center": [0.3, 0.9, 0.2], "look_at": [-1, 0, -1], "vfov": 100 });
    let room = json!({ "center": [0, 1, 0], "dimensions": [2, 2, 2], "rotation": [0, 33, 0],
                       "material": matte(0.8) });
    let pillar = json!({ "base_center": [0.2, 0, -0.4], "top_center": [0.2, 2, -0.4],
                         "radius": 0.2, "capped": true, "material": matte(0.8) });
    let shapes = [("box", room), ("cylinder", pillar)];
    let closed = scene(&shapes, &[], &sun, &camera);
    assert_eq!(mean(&closed, &settings(20), [64, 48], 64), 0.0);
}

#[test]
fn walls_that_meet_at_an_edge_let_nothing_through() {
    // Six quads, rotated so that their edges are rounded differently.
    let (sin, cos) = 0.3_f64.sin_cos();
    let turned = |[x, y, z]: [f64; 3]| json!([cos * x - sin * z, y, sin * x + cos * z]);
    let wall = |corner, u, v| {
        let properties = json!({ "corner": turned(corner), "u": turned(u), "v": turned(v),
                                 "material": matte(0.8) });
        ("quad", properties)
    };
    let (x, y, z) = ([2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]);
    let walls = [
        wall([-1.0; 3], x, y),
        wall([-1.0; 3], y, z),
        wall([-1.0; 3], z, x),
        wall([-1.0, -1.0, 1.0], x, y),
        wall([1.0, -1.0, -1.0], y, z),
        wall([-1.0, 1.0, -1.0], z, x),
    ];
    let sun = json!({ "type": "uniform", "emission": [1000, 1000, 1000] });
    let camera = json!({ "center": [0.1, 0, 0.2], "look_at": [1, 1, 1], "vfov": 120 });
    let dark = mean(&scene(&walls, &[], &sun, &camera), &settings(8), [64, 48], 64);
    // A ray exactly along an edge may leak: fewer than one in a million.
    assert!(dark < 1e-3, "{dark}");
}

#[test]
fn a_flat_shadow_ends_where_it_should() {
    // No shadow acne: a floor far from the light at a grazing angle is lit without gaps.
    let floor = [(
        "quad",
        json!({ "corner": [-500, 0, -500], "u": [0, 0, 1000],
                                  "v": [1000, 0, 0], "material": matte(1.0) }),
    )];
    let bulb = json!({ "center": [-400, 3, 0], "emission": [1e6, 1e6, 1e6] });
    let camera = json!({ "center": [300, 20, 0], "look_at": [280, 0, 0], "vfov": 20 });
    let lit = scene(&floor, &[("point_spot_light", bulb)], &none(), &camera);
    let picture = render(&lit, &settings(2), [32, 24], 4);
    let brightest = picture.pixels.iter().map(|pixel| pixel[0]).fold(0.0, f32::max);
    assert!(picture.pixels.iter().all(|pixel| pixel[0] > 0.5 * brightest));
}

#[test]
fn extreme_numbers_stay_finite() {
    let shapes = [
        ("sphere", json!({ "center": [0, 0, 0], "radius": 1e-30 })),
        ("sphere", json!({ "center": [1e6, 0, 0], "radius": 1e6, "material": glass(100.0) })),
        (
            "box",
            json!({ "center": [0, -1, 0], "dimensions": [1e6, 1e-30, 1e6],
                        "material": metal(0.011) }),
        ),
        (
            "cone",
            json!({ "base_center": [0, 0, -3], "base_radius": 1e-12,
                         "top_center": [0, 1e-8, -3], "top_radius": 0, "capped": true }),
        ),
        ("quad", json!({ "corner": [-1, 0, -4], "u": [1e-9, 0, 0], "v": [0, 1e6, 0] })),
        ("disc", json!({ "center": [0, 0, -5], "normal": [1e-6, 1e-6, 1e6], "radius": 1e6 })),
        // The same shape twice.
        (
            "disc",
            json!({ "center": [0, 0, -5], "normal": [1e-6, 1e-6, 1e6], "radius": 1e6,
                         "material": glass(1.0) }),
        ),
    ];
    let bright = json!([1e9, 1e9, 0]);
    let lights = [
        (
            "point_spot_light",
            json!({ "center": [0, -1, 0], "emission": bright,
                                     "falloff_exponent": 10000, "cutoff_angle": 0 }),
        ),
        (
            "area_sphere_light",
            json!({ "center": [0, 2, 0], "radius": 1e-25,
                                      "emission": bright }),
        ),
        (
            "area_sphere_light",
            json!({ "center": [-1e6, 0, 0], "radius": 9e5,
                                      "emission": bright }),
        ),
        (
            "area_quad_light",
            json!({ "corner": [0, 3, 0], "u": [1e-12, 0, 0], "v": [0, 0, 1e6],
                                    "emission": bright }),
        ),
        (
            "area_disc_spot_light",
            json!({ "center": [0, 0, -5], "normal": [0, 0, 1], "radius": 3,
            "emission": bright, "cutoff_angle": 0, "falloff_exponent": 10000 }),
        ),
    ];
    let camera = json!({ "center": [0, 0.5, 4], "look_at": [0, 0, 0], "aperture": 1e6,
                         "focus_distance": 1e-3 });
    let world = World::build(&scene(&shapes, &lights, &white(), &camera));
    let finite = |pixel: &[f32; 3]| pixel.iter().all(|channel| channel.is_finite());
    for integrator in [Integrator::Path, Integrator::Bdpt] {
        let settings = RenderSettings { integrator, ..RenderSettings::default() };
        let mut film = Film::with_features(32, 24);
        render_pass(&world, &settings, &mut film, 16, &|| false);
        assert!(film.linear().pixels.iter().all(finite), "{integrator:?}");
        assert!(denoise(&film).unwrap().pixels.iter().all(finite), "{integrator:?}, denoised");
    }
}

#[test]
fn another_camera_needs_no_other_world() {
    let (base, mut moved) = (cornell(1.0, 0.02), cornell(1.0, 0.02));
    moved.camera = everything().camera;
    let picture = |world: &World| {
        let mut film = Film::new(20, 15);
        render_pass(world, &settings(3), &mut film, 2, &|| false);
        film
    };
    let reused = World::build(&base).with_camera(&moved.camera);
    assert_eq!(picture(&reused), picture(&World::build(&moved)));
}
