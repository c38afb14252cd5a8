//! Renders a scene file: `picture SCENE.json OUT.png [WIDTH HEIGHT SAMPLES [MAX_DEPTH]]`. Prints
//! one JSON object with the mean radiance per channel, times and noise.

use std::io::Write;
use std::time::Instant;

use serde_json::json;
use tracer::{Film, PassOutcome, RenderSettings, ToneMap, World, render_pass, to_srgb8};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [scene, out, numbers @ ..] = arguments.as_slice() else {
        return Err("usage: picture SCENE.json OUT.png [WIDTH HEIGHT SAMPLES [MAX_DEPTH]]".into());
    };
    let number = |at: usize, default| numbers.get(at).map_or(Ok(default), |text| text.parse());
    let (width, height, samples) = (number(0, 400)?, number(1, 300)?, number(2, 64)?);
    let settings = RenderSettings { max_depth: number(3, 10)?, ..RenderSettings::default() };
    let scene = scene::Scene::from_json_text(&std::fs::read_to_string(scene)?)?;
    let start = Instant::now();
    let world = World::build(&scene);
    let mut film = Film::new(width, height);
    let outcome = render_pass(&world, &settings, &mut film, samples, &|| false);
    let seconds = start.elapsed().as_secs_f64();
    let PassOutcome::Completed(statistics) = outcome else {
        return Err("cancelled".into());
    };
    let picture = film.linear();
    let bytes = to_srgb8(&picture, ToneMap::AgX);
    image::RgbImage::from_raw(width, height, bytes).ok_or("wrong size")?.save(out)?;
    let report = json!({
        "mean": picture.mean(),
        "seconds": seconds,
        "noise": film.noise(),
        "million_samples_per_second": statistics.samples as f64 / seconds / 1e6,
        "million_rays_per_second": statistics.rays as f64 / seconds / 1e6,
        "rejected": statistics.rejected,
    });
    writeln!(std::io::stdout(), "{report}")?;
    Ok(())
}
