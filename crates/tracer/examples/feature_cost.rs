//! Measures the cost of features: `feature_cost [NAME ...]` renders one scene plainly and with each
//! feature in turns, on one thread, and prints one JSON object: the median ratio of the processor
//! times. Run it in release mode, on Linux.

use std::io::Write;
use std::sync::Arc;

use media::Image;
use scene::Scene;
use serde_json::{Value, json};
use tracer::{Film, Meshes, RenderSettings, World, render_pass};

const SIZE: [u32; 2] = [240, 180];
const SAMPLES: u32 = 16;
/// The width and height of images.
const SIDE: u32 = 256;
/// Rounds of the plain scene and of that with the feature; an odd number, for the median.
const ROUNDS: usize = 9;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global()?;
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let plain = World::build(&Scene::from_json(&stage())?);
    let mut report = serde_json::Map::new();
    for (name, file) in features() {
        if !wanted.is_empty() && !wanted.iter().any(|one| one == name) {
            continue;
        }
        let changed = World::build_with(&Scene::from_json(&file)?, &images()?);
        report.insert(name.into(), ratio(&plain, &changed)?);
    }
    writeln!(std::io::stdout(), "{:#}", Value::Object(report))?;
    Ok(())
}

/// The ratios of processor time and rays of the second world to the first.
fn ratio(plain: &World, changed: &World) -> Result<Value, Box<dyn std::error::Error>> {
    let mut times = Vec::with_capacity(ROUNDS);
    let mut rays = [0, 0];
    for _ in 0..ROUNDS {
        let mut taken = [0.0; 2];
        for (at, world) in [plain, changed].into_iter().enumerate() {
            let start = processor_time()?;
            let mut film = Film::new(SIZE[0], SIZE[1]);
            let settings = RenderSettings::default();
            let outcome = render_pass(world, &settings, &mut film, SAMPLES, &|| false);
            taken[at] = processor_time()? - start;
            if let tracer::PassOutcome::Completed(done) = outcome {
                rays[at] = done.rays;
            }
        }
        times.push(taken[1] / taken[0]);
    }
    times.sort_by(f64::total_cmp);
    Ok(json!({
        "time": rounded(times[ROUNDS / 2]),
        "time_least": rounded(times[0]),
        "time_most": rounded(times[ROUNDS - 1]),
        "rays": rounded(rays[1] as f64 / rays[0] as f64),
    }))
}

fn rounded(ratio: f64) -> f64 {
    (ratio * 1000.0).round() / 1000.0
}

/// The processor time of this process so far, in milliseconds.
fn processor_time() -> Result<f64, Box<dyn std::error::Error>> {
    let mut total = 0.0;
    for task in std::fs::read_dir("/proc/self/task")? {
        let schedule = std::fs::read_to_string(task?.path().join("schedstat"))?;
        total += schedule.split(' ').next().unwrap_or_default().parse::<f64>()?;
    }
    Ok(total * 1e-6)
}

/// The centres and radii of the scene's spheres.
fn balls() -> impl Iterator<Item = ([f64; 3], f64)> {
    (0..30).map(|at| ([f64::from(at % 6) - 2.5, 0.4, f64::from(at / 6) - 2.5], 0.4))
}

/// Thirty plastic spheres on a matte floor below an area light and a gradient.
fn stage() -> Value {
    let ball = |(center, radius): ([f64; 3], f64)| json!({ "type": "sphere", "properties": { "center": center, "radius": radius } });
    with_things(balls().map(ball).collect())
}

fn with_things(mut shapes: Vec<Value>) -> Value {
    for (at, shape) in shapes.iter_mut().enumerate() {
        shape["id"] = json!(format!("thing_{at}"));
        shape["properties"]["material"] = plastic(&json!([0.6, 0.25, 0.1]));
    }
    shapes.push(json!({ "id": "floor", "type": "quad", "properties": {
        "corner": [-8, 0, 8], "u": [16, 0, 0], "v": [0, 0, -16],
        "material": plastic(&json!([0.5, 0.5, 0.5])) } }));
    json!({
        "version": 1, "shapes": shapes,
        "lights": [{ "id": "lamp", "type": "area_quad_light", "properties": {
            "corner": [-1, 5, -1], "u": [2, 0, 0], "v": [0, 0, 2], "emission": [12, 12, 12] } }],
        "environment": { "type": "gradient", "top_color": [0.4, 0.5, 0.7], "bottom_color": [0.5, 0.5, 0.5] },
        "camera": { "center": [0, 4, 7], "look_at": [0, 0.3, 0], "vfov": 40 },
    })
}

fn plastic(colour: &Value) -> Value {
    json!({ "type": "principled", "base_color": colour, "specular_roughness": 0.3 })
}

/// An image of coloured tiles, and a normal map.
fn images() -> Result<Meshes, media::ImageSizeError> {
    let mut images = Meshes::default();
    let pixels = |color: fn(u32, u32) -> [u8; 4]| {
        (0..SIDE * SIDE).map(|at| color(at % SIDE, at / SIDE)).collect()
    };
    let tiles = pixels(|x, y| [(x / 16 * 40) as u8, (y / 16 * 30) as u8, 120, 255]);
    let bent = pixels(|x, y| [100 + (x % 56) as u8, 100 + (y % 56) as u8, 240, 255]);
    for (name, pixels) in [("tiles", tiles), ("bent", bent)] {
        images.insert_image(name.to_owned(), Arc::new(Image::bytes(SIDE, SIDE, pixels)?.into()));
    }
    Ok(images)
}

/// The scene with one feature on every object, by name.
fn features() -> Vec<(&'static str, Value)> {
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut file = stage();
        change(&mut file);
        file
    };
    let materials = |name: &'static str, value: Value| {
        changed(&|file| {
            for shape in file["shapes"].as_array_mut().into_iter().flatten() {
                shape["properties"]["material"][name] = value.clone();
            }
        })
    };
    let things = |make: &dyn Fn([f64; 3], f64) -> Value| {
        with_things(balls().map(|(center, radius)| make(center, radius)).collect())
    };
    let of_materials = |change: &dyn Fn(&mut Value)| {
        changed(&|file| {
            for shape in file["shapes"].as_array_mut().into_iter().flatten() {
                change(&mut shape["properties"]["material"]);
            }
        })
    };
    let image = |name: &str| json!({ "type": "image", "asset": name });
    let rough = json!({ "type": "principled", "base_color": [0.4, 0.1, 0.05],
                        "specular_roughness": 0.8 });
    let pattern = |kind: &str| json!({ "type": kind, "scale": 0.2, "first": [0.6, 0.25, 0.1], "second": [0.5, 0.2, 0.1] });
    vec![
        ("nothing", stage()),
        ("checker_on_all", materials("base_color", pattern("checker"))),
        ("noise_on_all", materials("base_color", pattern("noise"))),
        (
            "bump_on_all",
            materials("bump", json!({ "type": "noise", "scale": 0.1, "second": 0.005 })),
        ),
        ("images_on_all", materials("base_color", image("tiles"))),
        ("normal_maps_on_all", materials("normal_map", json!({ "asset": "bent" }))),
        (
            "mixes_on_all",
            of_materials(&|material| {
                *material = json!({ "type": "mix", "first": material.take(), "second": rough,
                                    "weight": 0.5 });
            }),
        ),
        (
            "thin_panes_for_balls",
            of_materials(&|material| {
                if material["base_color"][0] == 0.6 {
                    material["transmission_weight"] = json!(1);
                    material["geometry_thin_walled"] = json!(true);
                }
            }),
        ),
        (
            "glass_for_balls",
            of_materials(&|material| {
                if material["base_color"][0] == 0.6 {
                    material["transmission_weight"] = json!(1);
                }
            }),
        ),
        ("glowing_panel_for_lamp", panel(&stage(), &json!([12, 12, 12]))),
        (
            "glowing_image_for_lamp",
            panel(&stage(), &json!({ "type": "image", "asset": "tiles", "second": [40, 40, 40] })),
        ),
        ("depth_of_field", changed(&|file| file["camera"]["aperture"] = json!(0.1))),
        (
            "image_for_gradient",
            changed(&|file| file["environment"] = json!({ "type": "image", "asset": "tiles" })),
        ),
        ("sky", changed(&|file| file["environment"] = json!({ "type": "sky", "time": 15 }))),
        (
            "directional_light_for_lamp",
            changed(&|file| {
                file["lights"] = json!([{ "id": "sun", "type": "directional_light",
                    "properties": { "direction": [0.3, -1, -0.2], "emission": [3, 3, 3] } }]);
            }),
        ),
        ("fog", changed(&|file| file["environment"]["fog"] = json!({ "visibility": 30 }))),
        ("ellipsoids_for_balls", things(&ellipsoid)),
        ("lathes_for_balls", things(&lathe)),
    ]
}

/// The scene with an emissive shape in place of the area light.
fn panel(plain: &Value, emission: &Value) -> Value {
    let mut file = plain.clone();
    file["lights"] = json!([]);
    let shapes = file["shapes"].as_array_mut();
    shapes.into_iter().for_each(|shapes| {
        shapes.push(json!({ "id": "panel", "type": "quad", "properties": {
            "corner": [-1, 5, -1], "u": [2, 0, 0], "v": [0, 0, 2],
            "material": { "type": "emissive", "emission": emission } } }));
    });
    file
}

fn ellipsoid(center: [f64; 3], radius: f64) -> Value {
    let radii = [radius; 3];
    json!({ "type": "ellipsoid", "properties": { "center": center, "radii": radii } })
}

/// A sphere as a lathe.
fn lathe([x, y, z]: [f64; 3], radius: f64) -> Value {
    let profile: Vec<[f64; 2]> = (0..=24)
        .map(|at| {
            let (sin, cos) = (std::f64::consts::PI * f64::from(at) / 24.0).sin_cos();
            let distance = if at % 24 == 0 { 0.0 } else { radius * sin };
            [distance, radius - radius * cos]
        })
        .collect();
    json!({ "type": "lathe", "properties": { "base_center": [x, y - radius, z], "profile": profile } })
}
