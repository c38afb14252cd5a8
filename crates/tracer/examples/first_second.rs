//! What is seen one second after an edit: `first_second SCENE.json OUT_FOLDER SECONDS [REFERENCE]`.
//!
//! One second of two cores is two of processor time on one thread. The built-in denoiser gets the samples that fit
//! before it; another one, which takes SECONDS of processor time, those that fit before that. Writes both pictures,
//! the guides of the other one and a reference of REFERENCE samples (default 512) as rows of three 32-bit floats, and
//! prints one JSON object. `benches/peers/first_second.py` does the rest. Run it in release mode.

#[expect(dead_code, reason = "the other example uses the rest of it")]
#[path = "traversal/processor.rs"]
mod processor;

use std::io::Write;
use std::path::Path;

use serde_json::json;
use tracer::{Film, LinearImage, RenderSettings, World, denoise, render_pass};

const SIZE: [u32; 2] = [400, 300];
/// Of processor time.
const BUDGET_SECONDS: f64 = 2.0;
/// Samples per pixel between two looks at the clock.
const STEP: u32 = 2;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [scene, out, of_other, reference @ ..] = arguments.as_slice() else {
        return Err("usage: first_second SCENE.json OUT_FOLDER SECONDS [REFERENCE]".into());
    };
    let out = Path::new(out);
    let of_other: f64 = of_other.parse()?;
    let reference: u32 = reference.first().map_or(Ok(512), |text| text.parse())?;
    let scene = scene::Scene::from_json_text(&std::fs::read_to_string(scene)?)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let report = pool.install(|| {
        let mut warm_up = Film::with_features(SIZE[0], SIZE[1]);
        render_pass(&World::build(&scene), &RenderSettings::default(), &mut warm_up, 1, &|| false);
        let begun = processor::of_process();
        denoise(&warm_up).ok_or("no features")?;
        let of_ours = processor::of_process() - begun;

        let start = processor::of_process();
        let world = World::build(&scene);
        let mut film = Film::with_features(SIZE[0], SIZE[1]);
        let fill = |film: &mut Film, left_over: f64| {
            while film.samples() < STEP
                || (processor::of_process() - start) * f64::from(film.samples() + STEP)
                    / f64::from(film.samples())
                    < BUDGET_SECONDS - left_over
            {
                let target = film.samples() + STEP;
                render_pass(&world, &RenderSettings::default(), film, target, &|| false);
            }
        };
        fill(&mut film, of_other);
        let samples_of_other = film.samples();
        let paused = processor::of_process();
        write(&out.join("noisy.f32"), &film.linear())?;
        let aovs = film.aovs().ok_or("no features")?;
        write(&out.join("albedo.f32"), &aovs.albedo)?;
        write(&out.join("normal.f32"), &aovs.normal)?;
        let written = processor::of_process() - paused;
        fill(&mut film, of_ours - written);
        write(&out.join("ours.f32"), &denoise(&film).ok_or("no features")?)?;
        Ok::<_, Box<dyn std::error::Error + Send + Sync>>(json!({
            "samples": film.samples(), "samples_of_other": samples_of_other,
            "denoising_seconds": of_ours,
        }))
    });
    let report = report.map_err(|error| error.to_string())?;
    let mut film = Film::new(SIZE[0], SIZE[1]);
    let settings = RenderSettings { seed: 99, ..RenderSettings::default() };
    render_pass(&World::build(&scene), &settings, &mut film, reference, &|| false);
    write(&out.join("reference.f32"), &film.linear())?;
    writeln!(std::io::stdout(), "{report}")?;
    Ok(())
}

fn write(path: &Path, picture: &LinearImage) -> std::io::Result<()> {
    let bytes: Vec<u8> =
        picture.pixels.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
    std::fs::write(path, bytes)
}
