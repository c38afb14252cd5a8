//! Orthographic and panoramic cameras against closed forms.

use serde_json::{Value, json};
use tracer::{Integrator, RenderSettings, World};

use crate::support::{assert_share, matte, mean, none, render, scene, settings, white};

fn flat(height: f64) -> Value {
    json!({ "center": [0, 0, 10], "look_at": [0, 0, 0], "projection": "orthographic",
        "height": height })
}

/// A material with radiance 1.
fn glowing() -> Value {
    json!({ "type": "emissive", "emission": [1, 1, 1] })
}

#[test]
fn a_ball_takes_the_area_of_its_disc_however_far_it_is() {
    for z in [8.0, 0.0, -500.0] {
        let ball = json!({ "center": [0.3, -0.2, z], "radius": 1, "material": glowing() });
        let scene = scene(&[("sphere", ball)], &[], &none(), &flat(4.0));
        let covered = mean(&scene, &settings(1), [60, 60], 64);
        assert_share(covered, std::f64::consts::PI / 16.0, 5e-3);
    }
}

#[test]
fn what_is_behind_an_orthographic_camera_is_not_seen() {
    let ball = json!({ "center": [0, 0, 12], "radius": 1, "material": glowing() });
    let scene = scene(&[("sphere", ball)], &[], &none(), &flat(4.0));
    assert_eq!(mean(&scene, &settings(1), [8, 8], 4), 0.0);
}

#[test]
fn a_panorama_shows_the_share_of_the_sphere_weighted_by_its_rows() {
    // A disc within 60 degrees of the zenith fills the upper third of the rows.
    let disc = json!({ "center": [0, 1, 0], "normal": [0, -1, 0], "radius": 3_f64.sqrt(),
        "material": glowing() });
    let camera = json!({ "center": [0, 0, 0], "look_at": [0, 0, -1], "projection": "panoramic" });
    let scene = scene(&[("disc", disc)], &[], &none(), &camera);
    let image = render(&scene, &settings(1), [12, 6], 64);
    for (at, pixel) in image.pixels.iter().enumerate() {
        let expected = if at / 12 < 2 { 1.0 } else { 0.0 };
        assert!((pixel[1] - expected).abs() < 0.02, "{at}: {pixel:?}");
    }
}

#[test]
fn both_integrators_agree_through_both_cameras() {
    let floor =
        json!({ "corner": [-3, -1, 3], "u": [6, 0, 0], "v": [0, 0, -6], "material": matte(0.6) });
    let ball = json!({ "center": [0, 0, 0], "radius": 1, "material": matte(0.8) });
    let lamp = json!({ "center": [2, 3, 2], "radius": 0.4, "emission": [9, 9, 9] });
    let panorama = json!({ "center": [0, 1, 4], "look_at": [0, 0, 0], "projection": "panoramic" });
    for camera in [flat(4.0), panorama] {
        let shapes = [("quad", floor.clone()), ("sphere", ball.clone())];
        let scene = scene(&shapes, &[("area_sphere_light", lamp.clone())], &white(), &camera);
        let by = |integrator| {
            let settings = RenderSettings { integrator, max_depth: 5, ..RenderSettings::default() };
            mean(&scene, &settings, [24, 12], 256)
        };
        assert_share(by(Integrator::Bdpt), by(Integrator::Path), 0.01);
    }
}

#[test]
fn a_point_of_an_orthographic_picture_shows_what_lies_straight_before_it() {
    let ball = json!({ "center": [1.5, 1, -40], "radius": 0.25 });
    let scene = scene(&[("sphere", ball)], &[], &white(), &flat(4.0));
    let world = World::build(&scene);
    let picked = world.pick(0.875, 0.25, 1.0).unwrap();
    assert_eq!(picked.id.as_str(), "shape0");
    assert!((picked.point[2] + 39.75).abs() < 1e-3 && (picked.distance - 49.75).abs() < 1e-3);
    assert!(world.pick(0.5, 0.5, 1.0).is_none());
}
