//! Distant light: suns and physical skies.

use serde_json::{Value, json};
use tracer::{DirectLighting, Integrator, RenderSettings};

use crate::support::{
    assert_share, matte, mean, metal, none, render, scene, settings, white, with_strategy,
};

fn floor(material: &Value) -> (&'static str, Value) {
    let corner = json!([-20, 0, 20]);
    let floor =
        json!({ "corner": corner, "u": [40, 0, 0], "v": [0, 0, -40], "material": material });
    ("quad", floor)
}

fn above() -> Value {
    json!({ "center": [0, 5, 0.01], "look_at": [0, 0, 0], "vfov": 20 })
}

fn sun(direction: [f64; 3], angular_diameter: f64) -> (&'static str, Value) {
    let properties = json!({ "direction": direction, "emission": [3, 2, 1],
                             "angular_diameter": angular_diameter });
    ("directional_light", properties)
}

#[test]
fn a_hidden_sky_still_lights_and_is_seen_in_mirrors() {
    for integrator in [Integrator::Path, Integrator::Bdpt] {
        let shown = RenderSettings { integrator, ..settings(4) };
        let hidden = RenderSettings { hides_sky: true, ..shown };
        let seen = |settings: &RenderSettings, shapes: &[(&str, Value)], camera: &Value| {
            render(&scene(shapes, &[], &white(), camera), settings, [8, 8], 16).mean()[1]
        };
        assert_eq!(seen(&hidden, &[], &above()), 0.0);
        assert_share(seen(&shown, &[], &above()), 1.0, 1e-4);
        for material in [matte(0.5), metal(0.0)] {
            let shapes = [floor(&material)];
            let whole = seen(&shown, &shapes, &above());
            assert!(whole > 0.4, "{integrator:?} {material}");
            assert_eq!(seen(&hidden, &shapes, &above()), whole, "{integrator:?} {material}");
        }
    }
}

#[test]
fn a_sun_gives_its_irradiance_times_the_cosine() {
    for (direction, cosine) in
        [([0.0, -1.0, 0.0], 1.0), ([3.0, -4.0, 0.0], 0.8), ([0.0, -5.0, 12.0], 5.0 / 13.0)]
    {
        let lights = [sun(direction, 0.53)];
        let scene = scene(&[floor(&matte(0.5))], &lights, &none(), &above());
        let seen = render(&scene, &settings(2), [4, 4], 16).mean();
        for (channel, irradiance) in [3.0, 2.0, 1.0].into_iter().enumerate() {
            assert_share(seen[channel], 0.5 * irradiance * cosine / std::f64::consts::PI, 2e-3);
        }
    }
}

#[test]
fn a_wider_sun_has_a_softer_shadow_of_the_same_light() {
    // A wall of height 1 and the sun at 45 degrees: the edge of its shadow is at a distance of 1.
    let wall =
        json!({ "corner": [0, 0, -20], "u": [0, 1, 0], "v": [0, 0, 40], "material": matte(0.0) });
    let across = |diameter: f64| {
        let camera =
            json!({ "center": [1, 4, 0], "look_at": [1, 0, 0], "up": [0, 0, -1], "vfov": 1 });
        let shapes = [floor(&matte(1.0)), ("quad", wall.clone())];
        let scene = scene(&shapes, &[sun([1.0, -1.0, 0.0], diameter)], &none(), &camera);
        let image = render(&scene, &settings(2), [20, 1], 1024);
        let lit = 2.0 * 0.5_f32.sqrt() / std::f32::consts::PI;
        let between = |pixel: &&[f32; 3]| pixel[1] > 0.02 * lit && pixel[1] < 0.98 * lit;
        let (dark, bright) = (image.pixels[0][1], image.pixels[19][1] / lit);
        assert!(dark < 1e-4 && (bright - 1.0).abs() < 0.02, "{dark} {bright}");
        image.pixels.iter().filter(between).count()
    };
    let (sharp, soft) = (across(0.53), across(15.0));
    assert!(sharp <= 2 && soft >= 6, "{sharp} {soft}");
}

/// A floor and a sphere under the sky, and a bent metal sheet that finds the sun only by BSDF
/// sampling.
fn under_a_sky(time: f64) -> scene::Scene {
    let ball = json!({ "center": [0, 1, 0], "radius": 1, "material": metal(0.6) });
    let camera = json!({ "center": [0, 2, 6], "look_at": [0, 0.7, 0], "vfov": 35 });
    let sky = json!({ "type": "sky", "time": time });
    scene(&[floor(&matte(0.5)), ("sphere", ball)], &[], &sky, &camera)
}

#[test]
fn all_ways_to_find_the_sky_agree() {
    let scene = under_a_sky(17.0);
    let by = |strategy| mean(&scene, &with_strategy(strategy), [24, 18], 512);
    let both = by(DirectLighting::Mis);
    assert_share(by(DirectLighting::Lights), both, 0.01);
    let bdpt =
        RenderSettings { integrator: Integrator::Bdpt, ..with_strategy(DirectLighting::Mis) };
    assert_share(mean(&scene, &bdpt, [24, 18], 512), both, 0.01);
    // Without a sun that is too small for BSDF sampling.
    let night = under_a_sky(23.0);
    let by = |strategy| mean(&night, &with_strategy(strategy), [24, 18], 512);
    assert_share(by(DirectLighting::Bsdf), by(DirectLighting::Mis), 0.01);
}

#[test]
fn shadows_point_away_from_the_sun() {
    // A morning sun in the east: the shadow of the pole falls to the west.
    let pole = json!({ "center": [0, 1, 0], "dimensions": [0.2, 2, 2], "material": matte(0.5) });
    let camera = json!({ "center": [0, 12, 0.01], "look_at": [0, 0, 0], "vfov": 20 });
    let sky = json!({ "type": "sky", "time": 8, "sky_rotation": 0, "day": 81 });
    let scene = scene(&[floor(&matte(0.5)), ("box", pole)], &[], &sky, &camera);
    let image = render(&scene, &settings(2), [9, 9], 64);
    let [west, east] = [2, 6].map(|column| image.pixels[4 * 9 + column][1]);
    assert!(east > 2.0 * west, "{east} {west}");
}
