//! Different ways to the same picture.

use serde_json::json;
use tracer::{DirectLighting, RenderSettings};

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
    // Beyond the number of lights that are weighed one by one.
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
