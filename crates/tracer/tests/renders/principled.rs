//! The `principled` material in images with closed forms, and with both integrators.

use serde_json::{Value, json};
use tracer::{Integrator, RenderSettings};

use crate::support::*;

fn principled(properties: &Value) -> Value {
    let mut material = properties.clone();
    material["type"] = json!("principled");
    material
}

/// A camera that sees only the unit sphere at the origin.
fn ball_in(environment: &Value, material: &Value) -> scene::Scene {
    let camera = json!({ "center": [0, 0, 5], "look_at": [0, 0, 0], "vfov": 8 });
    let ball = json!({ "center": [0, 0, 0], "radius": 1, "material": material });
    scene(&[("sphere", ball)], &[], environment, &camera)
}

#[test]
fn white_balls_cannot_be_seen_in_a_white_furnace() {
    let white_base = json!([1, 1, 1]);
    for (name, properties, share) in [
        ("plastic", json!({ "base_color": white_base }), 5e-3),
        (
            "rough metal",
            json!({ "base_color": white_base, "base_metalness": 1, "specular_roughness": 0.8 }),
            5e-3,
        ),
        ("clear glass", json!({ "transmission_weight": 1, "specular_roughness": 0 }), 1e-3),
        ("frosted glass", json!({ "transmission_weight": 1, "specular_roughness": 0.4 }), 0.02),
        ("half there", json!({ "base_color": white_base, "geometry_opacity": 0.5 }), 5e-3),
    ] {
        let scene = ball_in(&white(), &principled(&properties));
        for integrator in [Integrator::Path, Integrator::Bdpt] {
            let settings = RenderSettings { integrator, ..settings(100) };
            assert_share(mean(&scene, &settings, [16, 16], 256), 1.0, share);
            let _ = name;
        }
    }
}

/// A slab at normal incidence: its reflectance and transmittance with all internal reflections.
#[test]
fn a_slab_of_coloured_glass_absorbs_by_its_thickness() {
    let glass = principled(&json!({ "transmission_weight": 1, "specular_roughness": 0,
        "transmission_color": [0.5, 0.5, 0.5], "transmission_depth": 0.25 }));
    let slab = json!({ "center": [0, 0, 0], "dimensions": [50, 50, 0.5], "material": glass });
    let camera = json!({ "center": [0, 0, 5], "look_at": [0, 0, 0], "vfov": 0.1 });
    let scene = scene(&[("box", slab)], &[], &white(), &camera);
    let (border, inside): (f64, f64) = (0.04, 0.25);
    let both = (1.0 - border).powi(2) / (1.0 - (border * inside).powi(2));
    let expected = border + both * (inside + border * inside * inside);
    assert_share(mean(&scene, &settings(60), [4, 4], 4096), expected, 0.01);
}

#[test]
fn what_is_not_there_lets_the_background_through() {
    let material = principled(&json!({ "base_color": [0, 0, 0], "specular_weight": 0,
                                       "geometry_opacity": 0.3 }));
    // Twice through the sphere.
    let expected = 0.7 * 0.7;
    assert_share(mean(&ball_in(&white(), &material), &settings(4), [16, 16], 1024), expected, 0.01);
}

/// Both integrators agree in a room with every lobe, with lights in front of and behind rough
/// glass.
#[test]
fn path_and_bdpt_agree() {
    let quad = |corner: Value, u: Value, v: Value| {
        ("quad", json!({ "corner": corner, "u": u, "v": v, "material": matte(0.6) }))
    };
    let ball = |x: f64, z: f64, properties: Value| {
        (
            "sphere",
            json!({ "center": [x, 0.5, z], "radius": 0.5, "material": principled(&properties) }),
        )
    };
    let shapes = [
        quad(json!([-4, 0, -4]), json!([0, 0, 8]), json!([8, 0, 0])),
        quad(json!([-4, 0, -2]), json!([8, 0, 0]), json!([0, 5, 0])),
        ball(
            -1.7,
            0.0,
            json!({ "transmission_weight": 1, "specular_roughness": 0.4,
            "transmission_color": [0.3, 0.7, 0.9], "transmission_depth": 0.6 }),
        ),
        ball(
            -0.6,
            0.4,
            json!({ "base_color": [0.9, 0.3, 0.2], "coat_weight": 1, "coat_roughness": 0.3,
            "fuzz_weight": 0.4 }),
        ),
        ball(
            0.6,
            0.4,
            json!({ "base_metalness": 1, "base_color": [1, 0.77, 0.34],
            "specular_roughness": 0.5, "specular_roughness_anisotropy": 0.6 }),
        ),
        ball(
            1.7,
            0.0,
            json!({ "base_color": [0.2, 0.5, 0.9], "geometry_opacity": 0.6,
            "emission_luminance": 0.5 }),
        ),
        // A pane of rough glass in front of the light.
        (
            "box",
            json!({ "center": [0, 2.2, 0], "dimensions": [2, 0.1, 2],
            "material": principled(&json!({ "transmission_weight": 1, "specular_roughness": 0.5 })) }),
        ),
    ];
    let lamp = json!({ "corner": [-0.5, 3, -0.5], "u": [1, 0, 0], "v": [0, 0, 1], "emission": [20, 20, 20] });
    let camera = json!({ "center": [0, 1.5, 6], "look_at": [0, 0.8, 0], "vfov": 36 });
    let sky = json!({ "type": "uniform", "emission": [0.2, 0.2, 0.2] });
    let scene = scene(&shapes, &[("area_quad_light", lamp)], &sky, &camera);
    crate::agreement::assert_bdpt_agrees("principled", &scene, 48);
}

fn pane(properties: &Value) -> Value {
    let mut material = properties.clone();
    material["transmission_weight"] = json!(1);
    material["geometry_thin_walled"] = json!(true);
    principled(&material)
}

/// A light directly above: the floor gets the transmittance with all internal reflections of the
/// pane.
#[test]
fn lamps_are_found_through_a_pane() {
    let floor = json!({ "corner": [-9, 0, -9], "u": [0, 0, 18], "v": [18, 0, 0],
                        "material": matte(0.5) });
    let lamp = json!({ "center": [0, 3, 0], "emission": [9, 9, 9] });
    let camera = json!({ "center": [0, 1, 2], "look_at": [0, 0, 0], "vfov": 0.1 });
    let lit = |panes: &[Value]| {
        let mut shapes = vec![("quad", floor.clone())];
        for (at, material) in panes.iter().enumerate() {
            let height = 1.5 + at as f64;
            let corner = json!([-9, height, -9]);
            shapes.push((
                "quad",
                json!({ "corner": corner, "u": [18, 0, 0], "v": [0, 0, 18], "material": material }),
            ));
        }
        let scene = scene(&shapes, &[("point_spot_light", lamp.clone())], &none(), &camera);
        // Just enough edges for direct light, so that no light arrives by reflections of the panes.
        let settings = settings(2 + panes.len() as u32);
        mean(&scene, &settings, [4, 4], 64)
    };
    let bare = lit(&[]);
    let border: f64 = 0.04;
    let clear = pane(&json!({ "specular_roughness": 0 }));
    let through = (1.0 - border) / (1.0 + border);
    assert_share(lit(std::slice::from_ref(&clear)), bare * through, 2e-3);
    assert_share(lit(&[clear.clone(), clear]), bare * through * through, 2e-3);
    let tinted = pane(&json!({ "specular_roughness": 0, "transmission_color": [0.5, 0.5, 0.5] }));
    let tint = 0.5;
    let dimmed = (1.0 - border).powi(2) * tint / (1.0 - (border * tint).powi(2));
    assert_share(lit(&[tinted]), bare * dimmed, 2e-3);
    // Half opacity transmits half; a scattering pane transmits nothing without a change of
    // direction.
    let half = principled(&json!({ "geometry_opacity": 0.5 }));
    assert_share(lit(&[half]), bare * 0.5, 2e-3);
    assert_eq!(lit(&[matte(0.5)]), 0.0);
}

/// Both integrators agree on clear, tinted, rough and filmed panes and on half opacity, between two
/// lights and lit surfaces.
#[test]
fn path_and_bdpt_agree_on_panes() {
    let quad = |corner: Value, u: Value, v: Value, material: Value| {
        ("quad", json!({ "corner": corner, "u": u, "v": v, "material": material }))
    };
    let upright = |x: f64, material: Value| {
        quad(json!([x, 0.1, 0.5]), json!([0.9, 0, 0.3]), json!([0, 1.6, 0]), material)
    };
    let shapes = [
        quad(json!([-4, 0, -4]), json!([0, 0, 8]), json!([8, 0, 0]), matte(0.6)),
        quad(json!([-4, 0, -2]), json!([8, 0, 0]), json!([0, 5, 0]), matte(0.6)),
        quad(
            json!([-2, 2, -2]),
            json!([4, 0, 0]),
            json!([0, 0, 3]),
            pane(&json!({ "specular_roughness": 0, "transmission_color": [0.9, 0.6, 0.4] })),
        ),
        upright(-2.4, pane(&json!({ "specular_roughness": 0.4 }))),
        upright(
            -1.0,
            pane(&json!({ "specular_roughness": 0, "thin_film_weight": 1, "specular_ior": 1 })),
        ),
        upright(
            0.4,
            principled(&json!({ "geometry_opacity": 0.5, "base_color": [0.8, 0.2, 0.1] })),
        ),
        (
            "sphere",
            json!({ "center": [1.9, 0.6, 0.6], "radius": 0.6,
                    "material": pane(&json!({ "specular_roughness": 0, "coat_weight": 0.5,
                                              "coat_roughness": 0.3 })) }),
        ),
    ];
    let lamp = json!({ "corner": [-0.5, 3, -0.5], "u": [1, 0, 0], "v": [0, 0, 1], "emission": [20, 20, 20] });
    let low = json!({ "center": [-3, 0.8, 2], "radius": 0.2, "emission": [12, 14, 16] });
    let lamps = [("area_quad_light", lamp), ("area_sphere_light", low)];
    let camera = json!({ "center": [0, 1.5, 6], "look_at": [0, 0.8, 0], "vfov": 36 });
    let sky = json!({ "type": "uniform", "emission": [0.2, 0.2, 0.2] });
    crate::agreement::assert_bdpt_agrees("panes", &scene(&shapes, &lamps, &sky, &camera), 64);
}
