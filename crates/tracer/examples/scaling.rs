//! Measures how costs grow with the scene and prints one JSON object: the time to the first image
//! after an object moved in front of a mesh of a million triangles, the cost of a sample against
//! the number of shapes, and the speed-up of a second thread. Run it in release mode.

#[expect(dead_code, reason = "the other example uses the rest of it")]
#[path = "traversal/processor.rs"]
mod processor;
#[path = "traversal/terrain.rs"]
mod terrain;

use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use scene::Scene;
use serde_json::{Value, json};
use tracer::{
    Draft, Film, Mesh, Meshes, RenderSettings, ToneMap, World, render_draft, render_pass, to_srgb8,
};

const SIZE: [u32; 2] = [400, 300];
/// Latencies are the median of this many runs, rates the best of a few.
const REPEATS: usize = 21;
/// The maximum number of shapes in a scene file; larger scenes are assembled from several.
const SHAPES_OF_A_FILE: usize = 10_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mesh = Arc::new(Mesh::new(terrain::terrain(708))?);
    let meshes: Meshes = [("terrain".to_owned(), mesh)].into_iter().collect();
    let counts = [10, 100, 1000, 10_000, 100_000];
    let by_count = counts.map(|count| {
        let world = World::build(&crowd(count));
        json!({ "shapes": count, "microseconds_a_sample": microseconds(&world) })
    });
    let world = World::build_with(&with_ball(0.0)?, &meshes);
    let report = json!({
        "threads": rayon::current_num_threads(),
        "first_picture_of_1m_triangles": first_picture(&meshes)?,
        "cost_by_count": by_count,
        "microseconds_of_processor_time_a_sample": {
            "one_thread": on_threads(1, &world)?,
            "two_threads": on_threads(2, &world)?,
        },
    });
    writeln!(std::io::stdout(), "{report:#}")?;
    Ok(())
}

/// The time from a scene with a moved sphere to the bytes for an encoder, in milliseconds.
fn first_picture(meshes: &Meshes) -> Result<Value, Box<dyn std::error::Error>> {
    let settings = RenderSettings::default();
    let mut times = Vec::with_capacity(REPEATS);
    let mut computed = Vec::with_capacity(REPEATS);
    let mut builds = Vec::with_capacity(REPEATS);
    for step in 0..REPEATS {
        let scene = with_ball(step as f64 * 0.05)?;
        let (start, begun) = (Instant::now(), processor::of_process());
        let world = World::build_with(&scene, meshes);
        builds.push(start.elapsed().as_secs_f64() * 1e3);
        let draft = render_draft(&world, &settings, Draft::default(), SIZE, &|| false);
        let bytes = draft.map(|picture| to_srgb8(&picture, ToneMap::AgX));
        times.push(start.elapsed().as_secs_f64() * 1e3);
        computed.push((processor::of_process() - begun) * 1e3);
        assert!(bytes.is_some());
    }
    for list in [&mut times, &mut computed, &mut builds] {
        list.sort_by(f64::total_cmp);
    }
    Ok(json!({ "median_ms": times[REPEATS / 2], "min_ms": times[0], "max_ms": times[REPEATS - 1],
               "processor_time_median_ms": computed[REPEATS / 2],
               "update_of_the_tree_median_ms": builds[REPEATS / 2] }))
}

fn with_ball(x: f64) -> Result<Scene, String> {
    let file = json!({
        "version": 1,
        "shapes": [
            { "id": "land", "type": "mesh", "properties": { "asset": "terrain" } },
            { "id": "ball", "type": "sphere", "properties": { "center": [x, 3, 1], "radius": 0.5 } },
        ],
        "environment": { "type": "uniform", "emission": [1, 1, 1] },
        "camera": { "center": [0.3, 4.6, 6.5], "look_at": [0.3, 2, 1], "vfov": 38 },
    });
    Scene::from_json(&file).map_err(|violations| violations.to_string())
}

/// Spheres that fill a constant share of a cube, seen from outside, so that the image looks the
/// same for any number.
fn crowd(count: usize) -> Scene {
    let side = (count as f64).cbrt();
    let mut all: Option<Scene> = None;
    for first in (0..count).step_by(SHAPES_OF_A_FILE) {
        let shape = |index: usize| {
            // An R3 sequence: uniform without a visible pattern.
            let at = |step: f64| (0.5 + step * index as f64).fract() * side;
            let center = [at(0.819_172_513), at(0.671_043_607), at(0.549_700_478)];
            json!({ "id": index.to_string(), "type": "sphere",
                    "properties": { "center": center, "radius": 0.3 } })
        };
        let shapes: Vec<Value> =
            (first..(first + SHAPES_OF_A_FILE).min(count)).map(shape).collect();
        let file = json!({
            "version": 1, "shapes": shapes,
            "environment": { "type": "uniform", "emission": [1, 1, 1] },
            "camera": { "center": [0.5 * side, 0.5 * side, 2.2 * side],
                        "look_at": [0.5 * side, 0.5 * side, 0], "vfov": 40 },
        });
        // This file is always valid.
        let Ok(part) = Scene::from_json(&file) else { continue };
        match &mut all {
            Some(scene) => scene.shapes.extend(part.shapes),
            None => all = Some(part),
        }
    }
    all.unwrap_or_default()
}

/// The processor time per camera sample, the best of some passes.
fn microseconds(world: &World) -> f64 {
    let settings =
        RenderSettings { max_depth: 5, russian_roulette: false, ..RenderSettings::default() };
    let samples = 4;
    let pass = |_| {
        let mut film = Film::new(SIZE[0], SIZE[1]);
        let start = processor::of_process();
        render_pass(world, &settings, &mut film, samples, &|| false);
        let seconds = processor::of_process() - start;
        seconds * 1e6 / f64::from(SIZE[0] * SIZE[1] * samples)
    };
    (0..3).map(pass).fold(f64::INFINITY, f64::min)
}

fn on_threads(threads: usize, world: &World) -> Result<f64, rayon::ThreadPoolBuildError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    Ok(pool.install(|| microseconds(world)))
}
