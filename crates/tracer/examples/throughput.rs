//! Measures the tracer and prints one JSON object: million camera samples and rays per second for
//! three scenes, and the latency of the first image after an edit. Run it in release mode.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use scene::Scene;
use serde_json::{Value, json};
use tracer::{
    Draft, Film, PassOutcome, RenderSettings, ToneMap, World, render_draft, render_pass, to_srgb8,
};

const SIZE: [u32; 2] = [400, 300];
/// The minimum duration of each measurement.
const LONG_ENOUGH: Duration = Duration::from_secs(3);
/// Latencies are the median of this many runs.
const REPEATS: usize = 41;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let report = json!({
        "threads": rayon::current_num_threads(),
        "size": SIZE,
        "cornell": throughput(&cornell()?),
        "spheres": throughput(&spheres()?),
        "metal_grid": throughput(&metal_grid(20)?),
        "cancelled_within_ms": cancel_latency(&metal_grid(99)?),
        "first_picture_of_50_shapes": first_picture(&metal_grid(7)?),
        "first_picture_of_9802_shapes": first_picture(&metal_grid(99)?),
    });
    writeln!(std::io::stdout(), "{report:#}")?;
    Ok(())
}

/// Measured without Russian roulette, like the published figures of other renderers.
fn throughput(scene: &Scene) -> Value {
    let settings =
        RenderSettings { max_depth: 8, russian_roulette: false, ..RenderSettings::default() };
    let world = World::build(scene);
    let mut film = Film::new(SIZE[0], SIZE[1]);
    let (mut samples, mut rays) = (0, 0);
    let start = Instant::now();
    while start.elapsed() < LONG_ENOUGH {
        let target = film.samples() + 4;
        if let PassOutcome::Completed(done) =
            render_pass(&world, &settings, &mut film, target, &|| false)
        {
            samples += done.samples;
            rays += done.rays;
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    json!({
        "million_samples_per_second": samples as f64 / seconds / 1e6,
        "million_rays_per_second": rays as f64 / seconds / 1e6,
        "samples_per_pixel": film.samples(),
        "noise": film.noise(),
    })
}

/// The time from the request to cancel a large image in mid-pass to the pass's return, in
/// milliseconds.
fn cancel_latency(scene: &Scene) -> Value {
    let world = World::build(scene);
    let mut times: Vec<f64> = (0..REPEATS)
        .map(|_| {
            let cancelled = AtomicBool::new(false);
            let mut film = Film::new(1920, 1080);
            std::thread::scope(|scope| {
                let pass = scope.spawn(|| {
                    let stop = || cancelled.load(Ordering::Relaxed);
                    render_pass(&world, &RenderSettings::default(), &mut film, 4096, &stop);
                    Instant::now()
                });
                std::thread::sleep(Duration::from_millis(20));
                let wish = Instant::now();
                cancelled.store(true, Ordering::Relaxed);
                pass.join().map_or(f64::NAN, |end| (end - wish).as_secs_f64() * 1e3)
            })
        })
        .collect();
    times.sort_by(f64::total_cmp);
    json!({ "median": times[REPEATS / 2], "max": times[REPEATS - 1] })
}

/// The time from a scene to the bytes for an encoder, in milliseconds.
fn first_picture(scene: &Scene) -> Value {
    let settings = RenderSettings::default();
    let mut steps: [Vec<f64>; 5] = Default::default();
    for _ in 0..REPEATS {
        let mut last = Instant::now();
        let mut took = || {
            let now = Instant::now();
            let step = now.duration_since(last);
            last = now;
            step.as_secs_f64() * 1e3
        };
        let world = World::build(scene);
        let build = took();
        let draft = render_draft(&world, &settings, Draft::default(), SIZE, &|| false);
        let render = took();
        let bytes = draft.map(|picture| to_srgb8(&picture, ToneMap::AgX));
        let tone_map = took();
        let mut film = Film::new(SIZE[0], SIZE[1]);
        render_pass(&world, &settings, &mut film, 1, &|| false);
        let full = took();
        assert!(bytes.is_some());
        let all = [build, render, tone_map, build + render + tone_map, full];
        for (list, time) in steps.iter_mut().zip(all) {
            list.push(time);
        }
    }
    let [build, render, tone_map, total, full] = steps.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[REPEATS / 2]
    });
    json!({ "build_ms": build, "draft_ms": render, "tone_map_ms": tone_map, "total_ms": total,
            "full_pass_of_one_sample_ms": full })
}

fn scene(shapes: &[Value], lights: &Value, sky: &Value, camera: &Value) -> Result<Scene, String> {
    let shapes: Vec<Value> = shapes
        .iter()
        .enumerate()
        .map(|(index, shape)| {
            let mut shape = shape.clone();
            shape["id"] = json!(format!("shape{index}"));
            shape
        })
        .collect();
    let file = json!({ "version": 1, "shapes": shapes, "lights": lights, "environment": sky,
                       "camera": camera });
    Scene::from_json(&file).map_err(|violations| format!("{violations:?}"))
}

fn matte(color: [f64; 3]) -> Value {
    json!({ "type": "lambertian", "albedo": color })
}

fn ball(center: [f64; 3], radius: f64, material: &Value) -> Value {
    json!({ "type": "sphere",
            "properties": { "center": center, "radius": radius, "material": material } })
}

fn cornell() -> Result<Scene, String> {
    let white = matte([0.73; 3]);
    let quad = |corner: [f64; 3], u: [f64; 3], v: [f64; 3], material: &Value| {
        json!({ "type": "quad",
                "properties": { "corner": corner, "u": u, "v": v, "material": material } })
    };
    let block = |center: [f64; 3], dimensions: [f64; 3], turn: f64| {
        json!({ "type": "box", "properties": { "center": center, "dimensions": dimensions,
                "rotation": [0.0, turn, 0.0], "material": white } })
    };
    let (x, y, z) = ([2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]);
    scene(
        &[
            quad([-1.0, 0.0, -1.0], x, z, &white),
            quad([-1.0, 2.0, -1.0], x, z, &white),
            quad([-1.0, 0.0, -1.0], x, y, &white),
            quad([-1.0, 0.0, -1.0], z, y, &matte([0.65, 0.05, 0.05])),
            quad([1.0, 0.0, -1.0], z, y, &matte([0.12, 0.45, 0.15])),
            block([-0.33, 0.6, -0.3], [0.6, 1.2, 0.6], 18.0),
            block([0.33, 0.3, 0.35], [0.6, 0.6, 0.6], -17.0),
        ],
        &json!([{ "id": "lamp", "type": "area_quad_light", "properties": {
            "corner": [-0.25, 1.99, -0.25], "u": [0.5, 0, 0], "v": [0, 0, 0.5],
            "emission": [15, 15, 15] } }]),
        &json!({ "type": "none" }),
        &json!({ "center": [0, 1, 4.2], "look_at": [0, 1, 0], "vfov": 38 }),
    )
}

fn gradient() -> Value {
    json!({ "type": "gradient", "top_color": [0.5, 0.7, 1], "bottom_color": [1, 1, 1] })
}

fn spheres() -> Result<Scene, String> {
    let metal = |fuzz: f64| json!({ "type": "metal", "albedo": [0.8, 0.6, 0.2], "fuzz": fuzz });
    scene(
        &[
            ball([0.0, -1000.0, 0.0], 1000.0, &matte([0.5; 3])),
            ball([-2.2, 1.0, 0.0], 1.0, &matte([0.7, 0.3, 0.3])),
            ball([0.0, 1.0, 0.0], 1.0, &json!({ "type": "dielectric", "refractive_index": 1.5 })),
            ball([2.2, 1.0, 0.0], 1.0, &metal(0.0)),
            ball([1.1, 0.4, 1.6], 0.4, &metal(0.5)),
        ],
        &json!([]),
        &gradient(),
        &json!({ "center": [0, 2, 8], "look_at": [0, 0.9, 0], "vfov": 35 }),
    )
}

fn metal_grid(side: u32) -> Result<Scene, String> {
    let middle = f64::from(side) * 0.5 - 0.5;
    let mut shapes: Vec<Value> = (0..side * side)
        .map(|index| {
            let (column, row) = (index % side, index / side);
            let fuzz = f64::from((column + row) % 4) * 0.25;
            let metal = json!({ "type": "metal", "albedo": [0.8, 0.8, 0.7], "fuzz": fuzz });
            ball([f64::from(column) - middle, 0.45, f64::from(row) - middle], 0.45, &metal)
        })
        .collect();
    let reach = f64::from(side) + 10.0;
    shapes.push(json!({ "type": "quad", "properties": {
        "corner": [-reach, 0.0, -reach], "u": [0.0, 0.0, 2.0 * reach],
        "v": [2.0 * reach, 0.0, 0.0], "material": matte([0.4; 3]) } }));
    let distance = f64::from(side);
    scene(
        &shapes,
        &json!([]),
        &gradient(),
        &json!({ "center": [0.0, 0.4 * distance, 0.8 * distance], "look_at": [0, 0, 0],
                 "vfov": 40 }),
    )
}
