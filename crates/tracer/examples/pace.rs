//! Measures the processor time of a sample: `pace SCENE.json [SAMPLES [PASSES [OUT.exr [SEED [OPTION ...]]]]]`, 400 x 300
//! pixels, depth 8, one thread, the least of the passes. Options are `bdpt` and, to force an instruction set, `sse2`, `sse4.2`,
//! `avx2` or `avx512`; no OUT.exr is `-`. A mesh `terrain.ply` is the landscape of a million triangles. Prints one
//! JSON object with nanoseconds, noise, rays a sample and a hash of the picture, which tells whether two builds give the
//! same; OUT.exr gets the picture. Run it in release mode.

#[expect(dead_code, reason = "the other example uses the rest of it")]
#[path = "traversal/processor.rs"]
mod processor;
#[path = "traversal/terrain.rs"]
mod terrain;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::sync::Arc;

use serde_json::json;
use tracer::{
    Film, InstructionSet, Integrator, Mesh, Meshes, PassOutcome, RenderSettings, World, render_pass,
};

const SIZE: [u32; 2] = [400, 300];
const TERRAIN: &str = "terrain.ply";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [scene, numbers @ ..] = arguments.as_slice() else {
        return Err(
            "usage: pace SCENE.json [SAMPLES [PASSES [OUT.exr [SEED [OPTION ...]]]]]".into()
        );
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
    let seed = numbers.get(3).map_or(Ok(0), |text| text.parse())?;
    let (mut integrator, mut instructions) = (Integrator::Path, InstructionSet::Best);
    for option in numbers.iter().skip(4) {
        match option.as_str() {
            "bdpt" => integrator = Integrator::Bdpt,
            "sse2" => instructions = InstructionSet::Baseline,
            "sse4.2" => instructions = InstructionSet::Sse42,
            "avx2" => instructions = InstructionSet::Avx2,
            "avx512" => instructions = InstructionSet::Avx512,
            _ => return Err(format!("no option is called {option}").into()),
        }
    }
    if instructions != InstructionSet::Best && !InstructionSet::available().contains(&instructions)
    {
        return Err("this processor does not have these instructions".into());
    }
    let world = world.with_instructions(instructions);
    let settings = RenderSettings { max_depth: 8, seed, integrator, ..RenderSettings::default() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut film = Film::new(SIZE[0], SIZE[1]);
    let (mut seconds, mut rays) = (f64::INFINITY, 0);
    for _ in 0..passes {
        film = Film::new(SIZE[0], SIZE[1]);
        let start = processor::of_process();
        let outcome =
            pool.install(|| render_pass(&world, &settings, &mut film, samples, &|| false));
        if let PassOutcome::Completed(statistics) = outcome {
            rays = statistics.rays;
        }
        seconds = seconds.min(processor::of_process() - start);
    }
    let mut hasher = DefaultHasher::new();
    let pixels = film.linear().pixels.into_flattened();
    pixels.iter().for_each(|value| value.to_bits().hash(&mut hasher));
    if let Some(out) = numbers.get(2).filter(|out| *out != "-") {
        image::Rgb32FImage::from_raw(SIZE[0], SIZE[1], pixels).ok_or("wrong size")?.save(out)?;
    }
    let taken = f64::from(SIZE[0] * SIZE[1] * samples);
    let report = json!({
        "ns": seconds * 1e9 / taken,
        "noise": film.noise(),
        "rays": rays as f64 / taken,
        "hash": format!("{:x}", hasher.finish()),
    });
    writeln!(std::io::stdout(), "{report}")?;
    Ok(())
}
