//! Scenes and small renders for the tests.

use scene::Scene;
use serde_json::{Value, json};
use tracer::{DirectLighting, Film, LinearImage, PassOutcome, RenderSettings, World, render_pass};

/// A scene from shapes and lights given as `(type, properties)`; ids are `shape0`, `light0`, ...
pub(crate) fn scene(
    shapes: &[(&str, Value)],
    lights: &[(&str, Value)],
    environment: &Value,
    camera: &Value,
) -> Scene {
    let objects = |name: &str, list: &[(&str, Value)]| {
        list.iter()
            .enumerate()
            .map(|(index, (kind, properties))| {
                json!({ "id": format!("{name}{index}"), "type": kind, "properties": properties })
            })
            .collect::<Vec<_>>()
    };
    Scene::from_json(&json!({
        "version": 1, "shapes": objects("shape", shapes), "lights": objects("light", lights),
        "environment": environment, "camera": camera,
    }))
    .unwrap_or_else(|violations| panic!("{violations:?}"))
}

pub(crate) fn none() -> Value {
    json!({ "type": "none" })
}

/// A uniform environment of radiance 1.
pub(crate) fn white() -> Value {
    json!({ "type": "uniform", "emission": [1, 1, 1] })
}

pub(crate) fn matte(albedo: f64) -> Value {
    json!({ "type": "lambertian", "albedo": [albedo, albedo, albedo] })
}

pub(crate) fn metal(fuzz: f64) -> Value {
    json!({ "type": "metal", "albedo": [1, 1, 1], "fuzz": fuzz })
}

pub(crate) fn glass(refractive_index: f64) -> Value {
    json!({ "type": "dielectric", "refractive_index": refractive_index })
}

/// Without Russian roulette, so that closed forms hold for each sample.
pub(crate) fn settings(max_depth: u32) -> RenderSettings {
    RenderSettings { max_depth, russian_roulette: false, ..RenderSettings::default() }
}

pub(crate) fn with_strategy(direct_lighting: DirectLighting) -> RenderSettings {
    RenderSettings { direct_lighting, max_depth: 6, ..RenderSettings::default() }
}

/// A complete render without rejected samples.
pub(crate) fn render(
    scene: &Scene,
    settings: &RenderSettings,
    [width, height]: [u32; 2],
    samples: u32,
) -> LinearImage {
    let mut film = Film::new(width, height);
    let outcome = render_pass(&World::build(scene), settings, &mut film, samples, &|| false);
    let PassOutcome::Completed(statistics) = outcome else { panic!("nobody cancelled") };
    assert_eq!(statistics.rejected, 0);
    assert_eq!(statistics.samples, u64::from(width * height * samples));
    film.linear()
}

pub(crate) fn mean(scene: &Scene, settings: &RenderSettings, size: [u32; 2], samples: u32) -> f64 {
    render(scene, settings, size, samples).mean()[1]
}

#[track_caller]
pub(crate) fn assert_share(actual: f64, expected: f64, share: f64) {
    assert!((actual / expected - 1.0).abs() <= share, "{actual} is not {expected}");
}

/// A Cornell box with two rotated boxes, scaled by `scale`; its light is `gap` below the ceiling.
pub(crate) fn cornell(scale: f64, gap: f64) -> Scene {
    let v = |x: f64, y: f64, z: f64| json!([x * scale, y * scale, z * scale]);
    let quad = |corner: Value, u: Value, w: Value, color: [f64; 3]| {
        let material = json!({ "type": "lambertian", "albedo": color });
        ("quad", json!({ "corner": corner, "u": u, "v": w, "material": material }))
    };
    let white = [0.73; 3];
    let block = |center: Value, dimensions: Value, turn: f64| {
        let properties = json!({ "center": center, "dimensions": dimensions,
            "rotation": [0, turn, 0], "material": matte(0.73) });
        ("box", properties)
    };
    let (x, y, z) = (v(2.0, 0.0, 0.0), v(0.0, 2.0, 0.0), v(0.0, 0.0, 2.0));
    let lamp = json!({ "corner": v(-0.25, 2.0 - gap, -0.25), "u": v(0.5, 0.0, 0.0),
        "v": v(0.0, 0.0, 0.5), "emission": [15, 15, 15] });
    scene(
        &[
            quad(v(-1.0, 0.0, -1.0), x.clone(), z.clone(), white),
            quad(v(-1.0, 2.0, -1.0), x.clone(), z.clone(), white),
            quad(v(-1.0, 0.0, -1.0), x, y.clone(), white),
            quad(v(-1.0, 0.0, -1.0), z.clone(), y.clone(), [0.65, 0.05, 0.05]),
            quad(v(1.0, 0.0, -1.0), z, y, [0.12, 0.45, 0.15]),
            block(v(-0.33, 0.6, -0.3), v(0.6, 1.2, 0.6), 18.0),
            block(v(0.33, 0.3, 0.35), v(0.6, 0.6, 0.6), -17.0),
        ],
        &[("area_quad_light", lamp)],
        &none(),
        &json!({ "center": v(0.0, 1.0, 4.2), "look_at": v(0.0, 1.0, 0.0), "vfov": 38 }),
    )
}

/// All light types and materials at once.
pub(crate) fn everything() -> Scene {
    scene(
        &[
            (
                "quad",
                json!({ "corner": [-9, 0, -9], "u": [0, 0, 18], "v": [18, 0, 0],
                        "material": matte(0.6) }),
            ),
            ("sphere", json!({ "center": [-1.5, 1, 0], "radius": 1, "material": metal(0.7) })),
            ("sphere", json!({ "center": [0, 0.5, 1.5], "radius": 0.5, "material": matte(0.9) })),
            (
                "box",
                json!({ "center": [1.5, 0.8, 0], "dimensions": [1, 1.6, 1],
                            "rotation": [0, 30, 0], "material": metal(0.5) }),
            ),
            (
                "cone",
                json!({ "base_center": [0.2, 0, -1.5], "base_radius": 0.8,
                             "top_center": [0.2, 2, -1.5], "top_radius": 0, "capped": true }),
            ),
        ],
        &[
            (
                "area_sphere_light",
                json!({ "center": [2, 4, 2], "radius": 0.6, "emission": [12, 10, 8] }),
            ),
            (
                "disc_spot_light",
                json!({ "center": [-3, 4, 3], "normal": [0.4, -1, -0.4],
                                        "radius": 0.8, "emission": [6, 8, 12] }),
            ),
            (
                "area_disc_spot_light",
                json!({ "center": [0, 5, 0], "normal": [0, -1, 0.1], "radius": 0.7,
                     "emission": [9, 9, 5], "cutoff_angle": 50, "falloff_exponent": 2 }),
            ),
            (
                "area_quad_light",
                json!({ "corner": [-4, 0.2, -3], "u": [2, 0, 0], "v": [0, 2, 0],
                                        "emission": [2, 1, 3] }),
            ),
        ],
        &json!({ "type": "gradient", "top_color": [0.1, 0.2, 0.4],
                 "bottom_color": [0.3, 0.2, 0.1] }),
        &json!({ "center": [0, 3, 8], "look_at": [0, 1, 0], "vfov": 40 }),
    )
}
