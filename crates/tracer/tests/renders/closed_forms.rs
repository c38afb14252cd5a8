//! Images with closed forms.

use std::f64::consts::PI;

use serde_json::{Value, json};
use tracer::DirectLighting;

use crate::support::*;

/// A camera that sees only the unit sphere at the origin.
fn close_up() -> Value {
    json!({ "center": [0, 0, 5], "look_at": [0, 0, 0], "vfov": 8 })
}

fn ball(material: &Value) -> [(&'static str, Value); 1] {
    [("sphere", json!({ "center": [0, 0, 0], "radius": 1, "material": material }))]
}

#[test]
fn a_white_ball_cannot_be_seen_in_a_white_furnace() {
    for (name, material, max_depth, share) in [
        ("matte", matte(1.0), 20, 1e-6),
        ("mirror", metal(0.0), 20, 1e-6),
        // Paths inside glass may be long.
        ("glass", glass(1.5), 200, 1e-5),
        ("diamond", glass(2.42), 400, 1e-4),
        ("nothing", glass(1.0), 10, 1e-6),
    ] {
        let scene = scene(&ball(&material), &[], &white(), &close_up());
        for pixel in render(&scene, &settings(max_depth), [16, 16], 16).pixels {
            for channel in pixel {
                assert!((f64::from(channel) - 1.0).abs() <= share, "{name}: {channel}");
            }
        }
    }
}

#[test]
fn rough_metal_in_a_white_furnace_shows_what_single_scattering_keeps() {
    // Normal incidence; compare the table at `RoughMetal`.
    for (fuzz, kept) in [(0.1, 1.0), (0.3, 0.99), (0.5, 0.915), (0.7, 0.696), (1.0, 0.306)] {
        let scene = scene(
            &ball(&metal(fuzz)),
            &[],
            &white(),
            &json!({ "center": [0, 0, 5],
            "look_at": [0, 0, 0], "vfov": 0.5 }),
        );
        assert_share(mean(&scene, &settings(20), [8, 8], 1024), kept, 0.01);
    }
}

#[test]
fn nested_glass_in_a_white_furnace_vanishes() {
    let mut shapes = ball(&glass(1.5)).to_vec();
    shapes.push((
        "sphere",
        json!({ "center": [0.2, 0, 0], "radius": 0.6,
                                   "material": glass(1.3) }),
    ));
    shapes.push((
        "box",
        json!({ "center": [0.2, 0, 0], "dimensions": [0.4, 0.5, 0.3],
                                "rotation": [20, 50, 10], "material": glass(1.7) }),
    ));
    let scene = scene(&shapes, &[], &white(), &close_up());
    assert_share(mean(&scene, &settings(600), [16, 16], 16), 1.0, 2e-3);
}

#[test]
fn from_inside_glass_the_world_is_brighter_by_the_squared_index() {
    let camera = json!({ "center": [0.3, 0, 0.1], "look_at": [1, 0.2, 0], "vfov": 60 });
    let scene = scene(&ball(&glass(1.5)), &[], &white(), &camera);
    assert_share(mean(&scene, &settings(400), [16, 16], 16), 2.25, 1e-4);
}

#[test]
fn a_ball_under_a_gradient_reflects_the_sky_by_its_normal() {
    // The irradiance under middle + slope d.y is pi (middle + 2/3 slope n.y); n is +z, then +y.
    let sky = json!({ "type": "gradient", "top_color": [3, 3, 3], "bottom_color": [1, 1, 1] });
    let tele = |center: [f64; 3]| json!({ "center": center, "look_at": [0, 0, 0], "vfov": 0.1, "up": [1, 0, 0] });
    for strategy in [DirectLighting::Mis, DirectLighting::Lights, DirectLighting::Bsdf] {
        for (center, expected) in [([0.0, 0.0, 5.0], 2.0), ([0.0, 5.0, 0.0], 2.0 + 2.0 / 3.0)] {
            let scene = scene(&ball(&matte(0.5)), &[], &sky, &tele(center));
            let actual = mean(&scene, &with_strategy(strategy), [8, 8], 256);
            assert_share(actual, 0.5 * expected, 3e-3);
        }
    }
}

/// A camera at the side that sees only the origin.
fn at_the_origin() -> Value {
    json!({ "center": [3, 3, 0.5], "look_at": [0, 0, 0], "vfov": 0.1 })
}

fn floor(albedo: f64) -> [(&'static str, Value); 1] {
    let properties = json!({ "corner": [-5, 0, -5], "u": [0, 0, 10], "v": [10, 0, 0],
                             "material": matte(albedo) });
    [("quad", properties)]
}

#[test]
fn a_floor_under_each_light_has_its_closed_form() {
    let (r, d) = (0.5, 2.0);
    let part = |a: f64, b: f64| a / (1.0 + a * a).sqrt() * (b / (1.0 + a * a).sqrt()).atan();
    // The square [-1, 1]^2 at height 2 is four rectangles with a corner overhead.
    let square = 4.0 * 0.5 * 2.0 * part(0.5, 0.5);
    let up = 1.0 / (d * d + 1.0_f64).sqrt();
    for (name, kind, properties, irradiance) in [
        (
            "sphere",
            "area_sphere_light",
            json!({ "center": [0, d, 0], "radius": r, "emission": [1, 1, 1] }),
            PI * r * r / (d * d),
        ),
        (
            "disc",
            "disc_spot_light",
            json!({ "center": [0, d, 0], "normal": [0, -2, 0], "radius": r, "emission": [1, 1, 1] }),
            PI * r * r / (r * r + d * d),
        ),
        // A cone that just covers the disc cuts nothing off; the exponent 2 adds a factor of cos^2
        // to the integral: pi/2 (1 - cos^4) instead of pi (1 - cos^2).
        (
            "soft disc",
            "area_disc_spot_light",
            json!({ "center": [0, d, 0], "normal": [0, -1, 0], "radius": r, "emission": [1, 1, 1],
                 "cutoff_angle": 30, "falloff_exponent": 2 }),
            PI / 2.0 * (1.0 - (d * d / (r * r + d * d)).powi(2)),
        ),
        // A narrower cone: only the part within d tan 10 of the axis reaches the origin.
        (
            "narrow disc",
            "area_disc_spot_light",
            json!({ "center": [0, d, 0], "normal": [0, -1, 0], "radius": r, "emission": [1, 1, 1],
                 "cutoff_angle": 10, "falloff_exponent": 0 }),
            PI * 10.0_f64.to_radians().sin().powi(2),
        ),
        (
            "quad",
            "area_quad_light",
            json!({ "corner": [-1, d, -1], "u": [2, 0, 0], "v": [0, 0, 2], "emission": [1, 1, 1] }),
            square,
        ),
        (
            "bulb",
            "point_spot_light",
            json!({ "center": [1, d, 0], "emission": [1, 1, 1] }),
            up * up * d * up,
        ),
        (
            "spot",
            "point_spot_light",
            json!({ "center": [1, d, 0], "direction": [0, -1, 0], "cutoff_angle": 40,
                 "falloff_exponent": 3, "emission": [1, 1, 1] }),
            up * up * (d * up).powi(4),
        ),
    ] {
        let scene = scene(&floor(0.5), &[(kind, properties)], &none(), &at_the_origin());
        let expected = 0.5 / PI * irradiance;
        let actual = mean(&scene, &settings(2), [4, 4], 4096);
        assert!((actual / expected - 1.0).abs() < 4e-3, "{name}: {actual} is not {expected}");
        assert_eq!(mean(&scene, &settings(1), [4, 4], 4), 0.0, "{name}: no emission in view");
    }
}

/// The inside of a sphere of radius 2 with a light at its centre: every point gets the irradiance
/// E, and each bounce adds `albedo` times the last.
#[test]
fn a_hollow_ball_fills_with_light_bounce_by_bounce() {
    let albedo: f64 = 0.7;
    let hollow = [(
        "sphere",
        json!({ "center": [0, 0, 0], "radius": 2,
                                     "material": matte(albedo) }),
    )];
    let camera = json!({ "center": [0, 0, 1], "look_at": [0, 0.3, 2], "vfov": 90 });
    let bulb = json!({ "center": [0, 0, 0], "emission": [8, 8, 8] });
    let lit = scene(&hollow, &[("point_spot_light", bulb)], &none(), &camera);
    let direct = albedo / PI * 8.0 / 4.0;
    assert_eq!(mean(&lit, &settings(0), [8, 8], 4), 0.0);
    assert_eq!(mean(&lit, &settings(1), [8, 8], 4), 0.0);
    for max_depth in 2..8 {
        let bounces = f64::from(max_depth) - 1.0;
        let expected = direct * (1.0 - albedo.powf(bounces)) / (1.0 - albedo);
        assert_share(mean(&lit, &settings(max_depth), [8, 8], 4), expected, 2e-5);
    }
    // Russian roulette keeps the mean.
    let endless = tracer::RenderSettings { max_depth: 200, ..tracer::RenderSettings::default() };
    assert_share(mean(&lit, &endless, [16, 16], 256), direct / (1.0 - albedo), 0.01);

    // An emissive sphere instead also blocks the share r^2 / R^2 of the light.
    let (radius, emission) = (0.4, 10.0);
    let taken: f64 = radius * radius / 4.0;
    let lamp = json!({ "center": [0, 0, 0], "radius": radius, "emission": [emission, emission, emission] });
    let lit = scene(&hollow, &[("area_sphere_light", lamp)], &none(), &camera);
    let expected = albedo * emission * taken / (1.0 - albedo * (1.0 - taken));
    // BSDF samples rarely hit the small light: their mean has a standard error of 1.3 %.
    for (strategy, share) in
        [(DirectLighting::Mis, 0.01), (DirectLighting::Lights, 0.01), (DirectLighting::Bsdf, 0.04)]
    {
        let endless = tracer::RenderSettings { max_depth: 200, ..with_strategy(strategy) };
        assert_share(mean(&lit, &endless, [16, 16], 400), expected, share);
    }
}

#[test]
fn lights_are_seen_on_the_side_they_shine_to() {
    let lamp = json!({ "corner": [-1, -1, 0], "u": [2, 0, 0], "v": [0, 2, 0],
                       "emission": [4, 4, 4] });
    let seen_from = |z: f64| {
        let camera = json!({ "center": [0, 0, z], "look_at": [0, 0, 0], "vfov": 10 });
        let lit = scene(&[], &[("area_quad_light", lamp.clone())], &white(), &camera);
        mean(&lit, &settings(1), [4, 4], 4)
    };
    assert_eq!(seen_from(5.0), 4.0);
    // Black from behind, where it hides the sky.
    assert_eq!(seen_from(-5.0), 0.0);
}
