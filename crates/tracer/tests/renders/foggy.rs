//! Fog: extinction, in-scattering and conservation of energy.

use std::f64::consts::PI;

use scene::Scene;
use serde_json::{Value, json};
use tracer::{
    DirectLighting, Film, Integrator, PassOutcome, RenderSettings, World, choose_integrator,
    denoise, render_pass,
};

use crate::support::*;

/// -ln 0.02, the optical depth that defines visibility.
const DEPTH: f64 = 3.912_023_005_428_146;

fn fog(extinction: f64, color: f64, anisotropy: f64) -> Value {
    json!({ "visibility": DEPTH / extinction, "color": [color, color, color],
            "anisotropy": anisotropy, "height": 1000 })
}

fn dark_with(fog: &Value) -> Value {
    json!({ "type": "none", "fog": fog })
}

/// A camera at the origin with a tiny field of view along -z.
fn tele() -> Value {
    json!({ "center": [0, 0, 0], "look_at": [0, 0, -1], "vfov": 0.1 })
}

#[test]
fn a_lamp_fades_with_the_distance_as_beer_and_lambert_say() {
    for (extinction, distance) in [(0.1, 3.0), (0.5, 3.0), (0.2, 20.0)] {
        let lamp = json!({ "corner": [-9, -9, -distance], "u": [18, 0, 0], "v": [0, 18, 0],
                           "emission": [5, 5, 5] });
        let surroundings = dark_with(&fog(extinction, 0.0, 0.0));
        let scene = scene(&[], &[("area_quad_light", lamp)], &surroundings, &tele());
        let expected = 5.0 * (-extinction * distance).exp();
        assert_share(mean(&scene, &settings(8), [32, 32], 1024), expected, 0.01);
    }
}

#[test]
fn what_lies_in_fog_is_lit_through_it() {
    // Directly below a light that is so small and distant that all its light comes from above.
    let (height, extinction) = (10.0, 0.1);
    let lamp = json!({ "center": [0, height, 0], "emission": [300, 300, 300] });
    let floor = json!({ "corner": [-5, 0, -5], "u": [0, 0, 10], "v": [10, 0, 0],
                        "material": matte(0.5) });
    let camera = json!({ "center": [0.5, 1, 0], "look_at": [0, 0, 0], "vfov": 0.1 });
    let surroundings = dark_with(&fog(extinction, 0.0, 0.0));
    let scene = scene(&[("quad", floor)], &[("point_spot_light", lamp)], &surroundings, &camera);
    let eye = (0.25_f64 + 1.0).sqrt();
    let left = (-extinction * (height + eye)).exp();
    let expected = 0.5 / PI * 300.0 / (height * height) * left;
    assert_share(mean(&scene, &settings(2), [16, 16], 1024), expected, 0.01);
}

#[test]
fn white_fog_cannot_be_seen_in_a_white_furnace() {
    let ball = json!({ "center": [0.5, 0, -3], "radius": 1, "material": matte(1.0) });
    for anisotropy in [-0.5, 0.0, 0.8] {
        // A layer, so that light can leave it; seen from inside and from above.
        let mut fog = fog(0.5, 1.0, anisotropy);
        fog["height"] = json!(1.5);
        let surroundings = json!({ "type": "uniform", "emission": [1, 1, 1], "fog": fog });
        for center in [[0.0, 0.2, 0.0], [0.0, 4.0, 0.0]] {
            let camera = json!({ "center": center, "look_at": [0, 0, -3], "vfov": 40 });
            let shapes = [
                ("sphere", ball.clone()),
                (
                    "disc",
                    json!({ "center": [0, -2, 0],
                "normal": [0, 1, 0], "radius": 1000, "material": matte(1.0) }),
                ),
            ];
            let scene = scene(&shapes, &[], &surroundings, &camera);
            assert_share(mean(&scene, &settings(2000), [16, 16], 64), 1.0, 0.01);
        }
    }
}

#[test]
fn single_scattering_of_a_point_light_is_its_integral() {
    // The light is beside the ray.
    let (extinction, albedo, intensity) = (0.3_f64, 0.8_f64, 10.0_f64);
    let light = [1.0_f64, 0.0, -2.0];
    for anisotropy in [-0.4_f64, 0.0, 0.7] {
        let g = anisotropy;
        let steps = 200_000;
        let step = 40.0 / f64::from(steps);
        let integral: f64 = (0..steps)
            .map(|at| {
                let t = (f64::from(at) + 0.5) * step;
                let (x, z) = (light[0], light[2] + t);
                let distance = x.hypot(z);
                // Light arrives at the ray along -(x, z) and leaves along +z.
                let cos = -z / distance;
                let phase = (1.0 - g * g) / (4.0 * PI * (1.0 + g * g - 2.0 * g * cos).powf(1.5));
                extinction * albedo * phase * intensity / (distance * distance)
                    * (-extinction * (t + distance)).exp()
                    * step
            })
            .sum();
        let lamp = json!({ "center": light, "emission": [intensity, intensity, intensity] });
        let surroundings = dark_with(&fog(extinction, albedo, anisotropy));
        let scene = scene(&[], &[("point_spot_light", lamp)], &surroundings, &tele());
        assert_share(mean(&scene, &settings(2), [32, 32], 2048), integral, 0.01);
    }
}

/// All kinds of lights and materials in fog.
fn everything_in_fog(anisotropy: f64) -> Scene {
    let mut file = everything().to_json();
    file["environment"]["fog"] = json!({ "visibility": 15, "color": [0.9, 0.95, 1],
                                         "anisotropy": anisotropy, "height": 6 });
    Scene::from_json(&file).unwrap_or_else(|violations| panic!("{violations:?}"))
}

#[test]
fn all_ways_to_find_direct_light_agree_in_fog() {
    for anisotropy in [0.0, 0.6] {
        let scene = everything_in_fog(anisotropy);
        let by = |strategy| render(&scene, &with_strategy(strategy), [32, 24], 1600).mean();
        let mis = by(DirectLighting::Mis);
        for strategy in [DirectLighting::Lights, DirectLighting::Bsdf] {
            for (channel, expected) in by(strategy).iter().zip(mis) {
                assert_share(*channel, expected, 0.02);
            }
        }
        // The image differs from that without fog.
        let clear = render(&everything(), &with_strategy(DirectLighting::Mis), [32, 24], 64).mean();
        assert!((mis[2] / clear[2] - 1.0).abs() > 0.05, "{mis:?} {clear:?}");
    }
}

/// A thin wall of glass.
fn pane(roughness: f64) -> Value {
    json!({ "type": "principled", "transmission_weight": 1, "transmission_color": [0.7, 0.8, 0.6],
            "specular_roughness": roughness, "geometry_thin_walled": true })
}

#[test]
fn fog_is_before_panes_and_behind_them() {
    // Black fog only absorbs: light through a pane is attenuated along its whole path.
    let (height, extinction) = (4.0, 0.2);
    let share_left = |shapes: &[(&str, Value)], lights: &[(&str, Value)], camera: &Value| {
        let of = |surroundings: &Value| {
            mean(&scene(shapes, lights, surroundings, camera), &settings(6), [16, 16], 1024)
        };
        of(&dark_with(&fog(extinction, 0.0, 0.0))) / of(&none())
    };
    // The view through it.
    let window = json!({ "corner": [-9, -9, -1], "u": [18, 0, 0], "v": [0, 18, 0],
                         "material": pane(0.0) });
    let lamp = json!({ "corner": [-9, -9, -3], "u": [18, 0, 0], "v": [0, 18, 0],
                       "emission": [5, 5, 5] });
    let left = share_left(&[("quad", window)], &[("area_quad_light", lamp)], &tele());
    // A few percent are reflected between the two before they arrive.
    assert_share(left, (-extinction * 3.0_f64).exp(), 0.03);
    // A floor lit through it.
    let floor = json!({ "corner": [-5, 0, -5], "u": [0, 0, 10], "v": [10, 0, 0],
                        "material": matte(0.5) });
    let roof = json!({ "corner": [-5, 2, -5], "u": [0, 0, 10], "v": [10, 0, 0],
                       "material": pane(0.0) });
    let bulb = json!({ "center": [0, height, 0], "emission": [300, 300, 300] });
    let camera = json!({ "center": [0.5, 1, 0], "look_at": [0, 0, 0], "vfov": 0.1 });
    let shapes = [("quad", floor), ("quad", roof)];
    let left = share_left(&shapes, &[("point_spot_light", bulb)], &camera);
    let eye = (0.25_f64 + 1.0).sqrt();
    assert_share(left, (-extinction * (height + eye)).exp(), 0.03);
}

/// A metal sphere on a floor below a clear pane, a frosted one and a light.
fn below_panes(surroundings: &Value) -> Scene {
    let quad = |height: f64, material: Value| {
        (
            "quad",
            json!({ "corner": [-3, height, -3], "u": [0, 0, 6], "v": [6, 0, 0],
                         "material": material }),
        )
    };
    let lamp = json!({ "corner": [-1.5, 3, -1.5], "u": [3, 0, 0], "v": [0, 0, 3],
                       "emission": [4, 4, 4] });
    let ball = json!({ "center": [0.6, 0.5, 0], "radius": 0.5, "material": metal(0.5) });
    let shapes =
        [quad(0.0, matte(0.6)), quad(1.6, pane(0.0)), quad(2.2, pane(0.3)), ("sphere", ball)];
    let camera = json!({ "center": [0, 1.2, 4], "look_at": [0, 0.6, 0], "vfov": 40 });
    scene(&shapes, &[("area_quad_light", lamp)], surroundings, &camera)
}

#[test]
fn light_sampled_and_met_agrees_in_fog_between_panes() {
    let surroundings = json!({ "type": "uniform", "emission": [0.2, 0.2, 0.3],
                               "fog": fog(0.25, 0.9, 0.4) });
    let scene = below_panes(&surroundings);
    // Light sampling alone is too noisy here: fog close to the light is very bright.
    let by = |strategy| render(&scene, &with_strategy(strategy), [32, 24], 2500).mean();
    for (met, both) in by(DirectLighting::Bsdf).into_iter().zip(by(DirectLighting::Mis)) {
        assert_share(met, both, 0.02);
    }
}

#[test]
fn light_sampled_and_met_agrees_between_panes() {
    let scene = below_panes(&json!({ "type": "uniform", "emission": [0.2, 0.2, 0.3] }));
    let by = |strategy| render(&scene, &with_strategy(strategy), [32, 24], 2500).mean();
    let both = by(DirectLighting::Mis);
    // Highlights on the metal are noisy with light sampling alone: the standard deviation of this
    // mean is 0.4 %, that of the others below 0.1 %.
    for (strategy, share) in [(DirectLighting::Lights, 0.015), (DirectLighting::Bsdf, 0.005)] {
        for (alone, both) in by(strategy).into_iter().zip(both) {
            assert_share(alone, both, share);
        }
    }
}

#[test]
fn fog_does_not_get_into_solid_things() {
    // A solid block that does not refract displaces two of the four metres of fog.
    let block = json!({ "center": [0, 0, -2], "dimensions": [4, 4, 2], "material": glass(1.0001) });
    let lamp = json!({ "corner": [-9, -9, -4], "u": [18, 0, 0], "v": [0, 18, 0],
                       "emission": [1, 1, 1] });
    let surroundings = dark_with(&fog(0.4, 0.0, 0.0));
    let scene = scene(&[("box", block)], &[("area_quad_light", lamp)], &surroundings, &tele());
    assert_share(mean(&scene, &settings(8), [32, 32], 512), (-0.8_f64).exp(), 0.01);
}

#[test]
fn light_is_followed_through_fog_from_the_camera() {
    let scene = everything_in_fog(0.0);
    let world = World::build(&scene);
    assert!(!world.is_for(Integrator::Bdpt) && world.is_for(Integrator::Path));
    let settings = RenderSettings::default();
    assert_eq!(choose_integrator(&world, &settings, 1.0, &|| false), Some(Integrator::Path));
    let asked = RenderSettings { integrator: Integrator::Bdpt, ..settings };
    let size = [16, 12];
    assert_eq!(render(&scene, &asked, size, 4).pixels, render(&scene, &settings, size, 4).pixels);
}

#[test]
fn a_denoised_picture_of_fog_keeps_its_light() {
    let mut film = Film::with_features(64, 48);
    let world = World::build(&everything_in_fog(0.5));
    let outcome = render_pass(&world, &RenderSettings::default(), &mut film, 32, &|| false);
    assert!(matches!(outcome, PassOutcome::Completed(_)));
    let (noisy, clean) = (film.linear().mean(), denoise(&film).unwrap().mean());
    for (clean, noisy) in clean.iter().zip(noisy) {
        assert_share(*clean, noisy, 0.02);
    }
}

/// A cloud of pure absorption before even light: the mean of its shadow is what its optical depth tells.
#[test]
fn a_smooth_cloud_weakens_what_lies_behind_it() {
    let cloud = |visibility: f64, raggedness: f64| {
        json!({ "type": "uniform", "emission": [1, 1, 1], "fog": { "clouds": [{ "center": [0, 0, -10],
            "radii": [3, 2, 1], "visibility": visibility, "color": [0, 0, 0], "raggedness": raggedness }] } })
    };
    let seen = |surroundings: &Value| {
        let scene = scene(&[], &[], surroundings, &tele());
        mean(&scene, &settings(4), [16, 16], 1024)
    };
    // The optical depth falls with the visibility: half of it has the square root of the transmittance.
    let (thin, thick) = (seen(&cloud(8.0, 0.0)), seen(&cloud(4.0, 0.0)));
    assert!(thin < 0.9 && thick < 0.75 * thin, "{thin} {thick}");
    assert_share(thick, thin * thin, 0.03);
    // Beside it the air is clear.
    let beside = json!({ "center": [4, 0, 0], "look_at": [4, 0, -1], "vfov": 0.1 });
    let scene = scene(&[], &[], &cloud(1.0, 0.5), &beside);
    assert_share(mean(&scene, &settings(4), [8, 8], 64), 1.0, 1e-6);
}

#[test]
fn white_clouds_cannot_be_seen_in_a_white_furnace() {
    let surroundings = json!({ "type": "uniform", "emission": [1, 1, 1], "fog": { "clouds": [
        { "center": [0, 0, -5], "radii": [1, 1, 1], "visibility": 2, "raggedness": 0.6 },
        { "center": [0.6, 0.2, -5], "radii": [1, 0.7, 1], "visibility": 3, "anisotropy": 0.6 }] } });
    let camera = json!({ "center": [0, 0, 0], "look_at": [0, 0, -5], "vfov": 30 });
    let scene = scene(&[], &[], &surroundings, &camera);
    assert_share(mean(&scene, &settings(200), [16, 16], 256), 1.0, 0.02);
}
