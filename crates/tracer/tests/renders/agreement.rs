//! Different integrators and strategies give the same image.

use scene::Scene;
use serde_json::json;
use tracer::{DirectLighting, Integrator, LinearImage, RenderSettings};

use crate::support::*;

#[test]
fn all_ways_to_find_direct_light_agree_in_the_mean() {
    for (name, scene, samples) in [("cornell", cornell(1.0, 0.02), 900), ("all", everything(), 900)]
    {
        let by = |strategy| render(&scene, &with_strategy(strategy), [32, 24], samples).mean();
        let mis = by(DirectLighting::Mis);
        for strategy in [DirectLighting::Lights, DirectLighting::Bsdf] {
            for (channel, expected) in by(strategy).iter().zip(mis) {
                let share = (channel / expected - 1.0).abs();
                assert!(share < 0.015, "{name} {strategy:?}: {channel} is not {expected}");
            }
        }
    }
}

#[test]
fn roulette_does_not_change_the_mean() {
    let scene = cornell(1.0, 0.02);
    let settings = RenderSettings { max_depth: 30, ..RenderSettings::default() };
    let all = RenderSettings { russian_roulette: false, ..settings };
    let expected = mean(&scene, &all, [32, 24], 256);
    assert_share(mean(&scene, &settings, [32, 24], 512), expected, 0.015);
}

#[test]
fn clamping_only_takes_away_and_leaves_direct_light_alone() {
    let scene = cornell(1.0, 0.02);
    let render = |clamp_indirect, max_depth| {
        let settings = RenderSettings { clamp_indirect, max_depth, ..settings(6) };
        render(&scene, &settings, [32, 24], 16)
    };
    assert_eq!(render(Some(0.0), 6).pixels, render(None, 2).pixels);
    let (clamped, free) = (render(Some(0.1), 6), render(None, 6));
    let lower = clamped.pixels.iter().zip(&free.pixels).all(|(a, b)| a[0] <= b[0]);
    assert!(lower && clamped.mean()[0] < free.mean()[0]);
}

#[test]
fn the_size_of_the_scene_does_not_matter() {
    let expected = mean(&cornell(1.0, 0.02), &settings(6), [32, 24], 64);
    for scale in [1e-3, 1e3, 2e5] {
        assert_share(mean(&cornell(scale, 0.02), &settings(6), [32, 24], 64), expected, 5e-3);
    }
}

#[test]
fn a_lamp_may_lie_in_the_ceiling() {
    let hanging = mean(&cornell(1.0, 1e-3), &settings(6), [32, 24], 256);
    assert_share(mean(&cornell(1.0, 0.0), &settings(6), [32, 24], 256), hanging, 0.01);
}

#[test]
fn many_lights_give_what_one_light_of_their_sum_gives() {
    // More lights than are weighted individually.
    let floor = [(
        "quad",
        json!({ "corner": [-5, 0, -5], "u": [0, 0, 10], "v": [10, 0, 0],
                                  "material": matte(0.5) }),
    )];
    let camera = json!({ "center": [0, 2, 6], "look_at": [0, 0, 0], "vfov": 30 });
    let tile = |x: f64, z: f64, size: f64| {
        let properties = json!({ "corner": [x, 3, z], "u": [size, 0, 0], "v": [0, 0, size],
                                 "emission": [2, 2, 2] });
        ("area_quad_light", properties)
    };
    let one = scene(&floor, &[tile(-2.0, -2.0, 4.0)], &white(), &camera);
    let many: Vec<_> = (0..64)
        .map(|index| (f64::from(index % 8), f64::from(index / 8)))
        .map(|(x, z)| tile(-2.0 + 0.5 * x, -2.0 + 0.5 * z, 0.5))
        .collect();
    let many = scene(&floor, &many, &white(), &camera);
    let expected = mean(&one, &settings(4), [32, 24], 256);
    assert_share(mean(&many, &settings(4), [32, 24], 256), expected, 5e-3);
}

const SIZE: [u32; 2] = [48, 36];
/// The width in pixels of the blocks that are compared separately.
const BLOCK: u32 = 12;

/// The mean over independent renders and its standard error, per block and channel, and for the
/// whole image at the end.
fn estimates(scene: &Scene, integrator: Integrator, samples: u32) -> Vec<[f64; 2]> {
    let pictures: Vec<Vec<f64>> = (0..RENDERS)
        .map(|seed| {
            let settings = RenderSettings { integrator, seed, ..RenderSettings::default() };
            means(&render(scene, &settings, SIZE, samples))
        })
        .collect();
    let count = RENDERS as f64;
    (0..pictures[0].len())
        .map(|at| {
            let mean = pictures.iter().map(|picture| picture[at]).sum::<f64>() / count;
            let squares: f64 = pictures.iter().map(|picture| (picture[at] - mean).powi(2)).sum();
            [mean, (squares / (count - 1.0) / count).sqrt()]
        })
        .collect()
}

const RENDERS: u64 = 12;

fn means(picture: &LinearImage) -> Vec<f64> {
    let corners = (0..SIZE[1] / BLOCK).flat_map(|y| (0..SIZE[0] / BLOCK).map(move |x| (x, y)));
    let of_block = |(column, row): (u32, u32)| {
        let places = (0..BLOCK * BLOCK).map(move |at| (at % BLOCK, at / BLOCK));
        let pixels = places
            .map(|(x, y)| ((row * BLOCK + y) * SIZE[0] + column * BLOCK + x) as usize)
            .map(|place| picture.pixels[place].map(f64::from));
        let sum = pixels.fold([0.0; 3], |sum, pixel| [0, 1, 2].map(|at| sum[at] + pixel[at]));
        sum.map(|sum| sum / f64::from(BLOCK * BLOCK))
    };
    corners.flat_map(of_block).chain(picture.mean()).collect()
}

#[track_caller]
pub(crate) fn assert_bdpt_agrees(name: &str, scene: &Scene, samples: u32) {
    let path_of_all = estimates(scene, Integrator::Path, samples);
    let bdpt = estimates(scene, Integrator::Bdpt, samples);
    for (at, ([path, path_error], [bdpt, bdpt_error])) in path_of_all.iter().zip(&bdpt).enumerate()
    {
        let error = path_error.hypot(*bdpt_error);
        let apart = (path - bdpt).abs();
        // Standard errors from a dozen renders are uncertain, and rare bright paths have long
        // tails.
        assert!(apart <= 6.0 * error + 1e-4 * path, "{name} {at}: {path} {bdpt} +- {error}");
        let whole = at + 3 >= path_of_all.len();
        // Light paths from the sun rarely hit what the camera sees, and a pixel with the sun is a
        // thousand times as bright as others.
        let sunny = matches!(scene.environment, scene::Environment::Sky(_));
        assert!(
            !whole || sunny || error < 0.015 * path,
            "{name}: {error} says too little about {path}"
        );
    }
}

#[test]
fn bdpt_shows_every_example_as_path_does() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "json") {
            continue;
        }
        let scene = Scene::from_json_text(&std::fs::read_to_string(&path).unwrap()).unwrap();
        assert_bdpt_agrees(&path.display().to_string(), &scene, 16);
        count += 1;
    }
    assert!(count >= 9);
}

#[test]
fn bdpt_shows_each_light_and_lens_as_path_does() {
    assert_bdpt_agrees("everything", &everything(), 16);
    assert_bdpt_agrees("cornell", &cornell(1.0, 0.02), 16);
    assert_bdpt_agrees("tiny", &cornell(1e-3, 0.02), 16);
    assert_bdpt_agrees("huge", &cornell(1e5, 0.02), 16);
    // A large aperture, a glass sphere around a matte one, and the sky as the only light.
    let shapes = [
        (
            "quad",
            json!({ "corner": [-4, 0, -4], "u": [0, 0, 8], "v": [8, 0, 0],
                         "material": matte(0.7) }),
        ),
        ("sphere", json!({ "center": [-0.7, 0.8, 0], "radius": 0.8, "material": glass(1.5) })),
        ("sphere", json!({ "center": [-0.7, 0.8, 0], "radius": 0.5, "material": matte(0.9) })),
        ("sphere", json!({ "center": [1, 0.6, 0.5], "radius": 0.6, "material": metal(0.3) })),
    ];
    let camera = json!({ "center": [0, 2, 5], "look_at": [0, 0.5, 0], "vfov": 40,
                         "aperture": 0.4 });
    let sky = json!({ "type": "gradient", "top_color": [3, 2, 1], "bottom_color": [0, 0.5, 1] });
    let scene_under = |sky| scene(&shapes, &[], &sky, &camera);
    assert_bdpt_agrees("gradient", &scene_under(sky), 16);
    assert_bdpt_agrees("uniform", &scene_under(white()), 16);
    // Only bdpt finds caustics of a point light, so there is no glass and no mirror.
    let shapes = [shapes[0].clone(), shapes[3].clone()];
    for (name, kind, properties) in [
        ("bulb", "point_spot_light", json!({ "center": [2, 3, 1], "emission": [9, 9, 9] })),
        (
            "spot",
            "point_spot_light",
            json!({ "center": [2, 3, 1], "emission": [9, 9, 9],
            "direction": [-2, -3, -1], "cutoff_angle": 40, "falloff_exponent": 2 }),
        ),
        (
            "spot disc",
            "area_disc_spot_light",
            json!({ "center": [2, 3, 1], "radius": 0.5,
            "normal": [-2, -3, -1], "emission": [9, 9, 9], "cutoff_angle": 50,
            "falloff_exponent": 1 }),
        ),
    ] {
        let lit = scene(&shapes, &[(kind, properties)], &none(), &camera);
        assert_bdpt_agrees(name, &lit, 64);
    }
}

#[test]
fn from_inside_glass_both_see_the_same() {
    let shapes = [
        ("sphere", json!({ "center": [0, 0, 0], "radius": 2, "material": glass(1.4) })),
        ("sphere", json!({ "center": [0, 0, -0.8], "radius": 0.5, "material": matte(0.8) })),
        (
            "quad",
            json!({ "corner": [-9, -3, -9], "u": [0, 0, 18], "v": [18, 0, 0],
                         "material": matte(0.7) }),
        ),
    ];
    let lamp = json!({ "center": [1, 5, 1], "radius": 1, "emission": [9, 9, 9] });
    let camera = json!({ "center": [0, 0, 1.2], "look_at": [0, 0, -1], "vfov": 70 });
    let scene = scene(&shapes, &[("area_sphere_light", lamp)], &none(), &camera);
    assert_bdpt_agrees("inside glass", &scene, 64);
}

#[test]
fn bdpt_finds_what_a_point_sends_through_glass() {
    let shapes = [
        (
            "quad",
            json!({ "corner": [-4, 0, -4], "u": [0, 0, 8], "v": [8, 0, 0],
                         "material": matte(0.7) }),
        ),
        ("sphere", json!({ "center": [0, 0.8, 0], "radius": 0.5, "material": glass(1.5) })),
    ];
    // Below the sphere, in its shadow without refraction; the sphere is not visible.
    let camera = json!({ "center": [0, 0.2, 2.5], "look_at": [0, 0, 0], "vfov": 1 });
    let bulb = json!({ "center": [0, 4, 0], "emission": [9, 9, 9] });
    let lit = scene(&shapes, &[("point_spot_light", bulb)], &none(), &camera);
    let by = |integrator| {
        let settings = RenderSettings { integrator, max_depth: 5, ..RenderSettings::default() };
        mean(&lit, &settings, SIZE, 16)
    };
    assert!(by(Integrator::Bdpt) > 3.0 * by(Integrator::Path));
}
