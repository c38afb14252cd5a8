//! Measures the built-in denoiser: `denoise SCENE.json OUT_PREFIX [REFERENCE]` writes noisy and
//! denoised images of 1, 2, 4, 8, 16 and 64 samples, and prints their relative errors against
//! REFERENCE samples (default 2048) and the times. Run it in release mode.

use std::io::Write;
use std::time::Instant;

use serde_json::json;
use tracer::{Film, LinearImage, RenderSettings, ToneMap, World, denoise, render_pass, to_srgb8};

const SIZE: [u32; 2] = [400, 300];
const REPEATS: usize = 9;
/// Added to the squared reference, so that black pixels do not dominate the relative error.
const RELATIVE_FLOOR: f64 = 1e-2;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [scene, prefix, reference @ ..] = arguments.as_slice() else {
        return Err("usage: denoise SCENE.json OUT_PREFIX [REFERENCE]".into());
    };
    let reference: u32 = reference.first().map_or(Ok(2048), |text| text.parse())?;
    let scene = scene::Scene::from_json_text(&std::fs::read_to_string(scene)?)?;
    let world = World::build(&scene);
    let mut film = Film::new(SIZE[0], SIZE[1]);
    let settings = RenderSettings { seed: 99, ..RenderSettings::default() };
    render_pass(&world, &settings, &mut film, reference, &|| false);
    let truth = film.linear();
    save(&truth, &format!("{prefix}-reference.png"))?;
    let mut film = Film::with_features(SIZE[0], SIZE[1]);
    for samples in [1, 2, 4, 8, 16, 64] {
        render_pass(&world, &RenderSettings::default(), &mut film, samples, &|| false);
        let (mut times, mut wall_times) = (Vec::new(), Vec::new());
        let mut picture = film.linear();
        let noisy_error = error(&picture, &truth);
        save(&picture, &format!("{prefix}-{samples}.png"))?;
        for _ in 0..REPEATS {
            let (start, begun) = (processor_time()?, Instant::now());
            picture = denoise(&film).ok_or("no features")?;
            wall_times.push(begun.elapsed().as_secs_f64() * 1e3);
            times.push(processor_time()? - start);
        }
        times.sort_by(f64::total_cmp);
        wall_times.sort_by(f64::total_cmp);
        save(&picture, &format!("{prefix}-{samples}-denoised.png"))?;
        let denoised_error = error(&picture, &truth);
        let report = json!({
            "samples": samples,
            "relative_error": noisy_error,
            "denoised": denoised_error,
            "ratio": noisy_error / denoised_error,
            "mean_against_reference": picture.mean()[1] / truth.mean()[1],
            "processor_milliseconds": { "fastest": times[0], "median": times[REPEATS / 2] },
            "wall_milliseconds": { "fastest": wall_times[0], "median": wall_times[REPEATS / 2] },
        });
        writeln!(std::io::stdout(), "{report}")?;
    }
    Ok(())
}

/// The processor time of this process so far, in milliseconds. Unlike wall time, it does not depend
/// on other work on the machine. Linux only.
fn processor_time() -> Result<f64, Box<dyn std::error::Error>> {
    let mut total = 0.0;
    for task in std::fs::read_dir("/proc/self/task")? {
        let schedule = std::fs::read_to_string(task?.path().join("schedstat"))?;
        total += schedule.split(' ').next().unwrap_or_default().parse::<f64>()?;
    }
    Ok(total * 1e-6)
}

fn save(picture: &LinearImage, path: &str) -> Result<(), Box<dyn std::error::Error>> {
    let bytes = to_srgb8(picture, ToneMap::AgX);
    image::RgbImage::from_raw(picture.width, picture.height, bytes)
        .ok_or("wrong size")?
        .save(path)?;
    Ok(())
}

/// The mean of the squared error relative to the squared reference.
fn error(picture: &LinearImage, truth: &LinearImage) -> f64 {
    let channels = picture.pixels.iter().flatten().zip(truth.pixels.iter().flatten());
    let sum: f64 = channels
        .map(|(value, truth)| (f64::from(*value), f64::from(*truth)))
        .map(|(value, truth)| (value - truth).powi(2) / (truth * truth + RELATIVE_FLOOR))
        .sum();
    sum / (3 * picture.pixels.len()) as f64
}
