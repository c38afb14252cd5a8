//! Measures the processor time of a sample: `pace SCENE.json [SAMPLES [PASSES]]`, 400 x 300 pixels, depth 8, one
//! thread, the least of the passes. A mesh `terrain.ply` is the landscape of a million triangles. Prints one JSON object
//! with nanoseconds, noise and a hash of the picture, which tells whether two builds give the same. Run it in release
//! mode.

#[expect(dead_code, reason = "the other example uses the rest of it")]
#[path = "traversal/processor.rs"]
mod processor;
#[path = "traversal/terrain.rs"]
mod terrain;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::sync::Arc;

use serde_json::json;
use tracer::{Film, Mesh, Meshes, RenderSettings, World, render_pass};

const SIZE: [u32; 2] = [400, 300];
const TERRAIN: &str = "terrain.ply";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [scene, numbers @ ..] = arguments.as_slice() else {
        return Err("usage: pace SCENE.json [SAMPLES [PASSES]]".into());
    };
    let number = |at: usize, default: u32| numbers.get(at).map_or(Ok(default), |text| text.parse());
    let (samples, passes) = (number(0, 16)?, number(1, 3)?);
    let text = std::fs::read_to_string(scene)?;
    let mut meshes = Vec::new();
    if text.contains(TERRAIN) {
        meshes.push((TERRAIN.to_owned(), Arc::new(Mesh::new(terrain::terrain(708))?)));
    }
    let scene = scene::Scene::from_json_text(&text)?;
    let world = World::build_with(&scene, &meshes.into_iter().collect::<Meshes>());
    let settings = RenderSettings { max_depth: 8, ..RenderSettings::default() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut film = Film::new(SIZE[0], SIZE[1]);
    let mut seconds = f64::INFINITY;
    for _ in 0..passes {
        film = Film::new(SIZE[0], SIZE[1]);
        let start = processor::of_process();
        pool.install(|| render_pass(&world, &settings, &mut film, samples, &|| false));
        seconds = seconds.min(processor::of_process() - start);
    }
    let mut hasher = DefaultHasher::new();
    film.linear().pixels.iter().flatten().for_each(|value| value.to_bits().hash(&mut hasher));
    let report = json!({
        "ns": seconds * 1e9 / f64::from(SIZE[0] * SIZE[1] * samples),
        "noise": film.noise(),
        "hash": format!("{:x}", hasher.finish()),
    });
    writeln!(std::io::stdout(), "{report}")?;
    Ok(())
}
