//! Compares the integrators at equal processor time: `equal_time SCENE.json [SECONDS [REFERENCE]]`.
//! The reference has REFERENCE samples per pixel from each integrator. Prints one JSON object with
//! the samples per pixel and the relative mean squared error of each after SECONDS on one thread,
//! and the difference of the means. Run it in release mode.

use std::io::Write;
use std::time::Instant;

use serde_json::{Value, json};
use tracer::{Film, Integrator, LinearImage, RenderSettings, World, render_pass};

const SIZE: [u32; 2] = [200, 150];
/// Added to the squared reference, so that black pixels do not dominate the relative error.
const RELATIVE_FLOOR: f64 = 1e-2;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [scene, numbers @ ..] = arguments.as_slice() else {
        return Err("usage: equal_time SCENE.json [SECONDS [REFERENCE]]".into());
    };
    let seconds: f64 = numbers.first().map_or(Ok(4.0), |text| text.parse())?;
    let reference: u32 = numbers.get(1).map_or(Ok(1024), |text| text.parse())?;
    let scene = scene::Scene::from_json_text(&std::fs::read_to_string(scene)?)?;
    let world = World::build(&scene);
    let references = [Integrator::Path, Integrator::Bdpt].map(|integrator| {
        render(&world, integrator, 7, |film| film.samples() < reference).linear()
    });
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let measured = |integrator| {
        let film = pool.install(|| {
            let start = Instant::now();
            render(&world, integrator, 1, |_| start.elapsed().as_secs_f64() < seconds)
        });
        json!({ "samples_per_pixel": film.samples(), "noise": film.noise(),
                "relative_error": error(&film.linear(), &references) })
    };
    let [path, bdpt] = references.each_ref().map(LinearImage::mean);
    let difference: Vec<Value> =
        path.iter().zip(bdpt).map(|(path, bdpt)| json!(100.0 * (bdpt / path - 1.0))).collect();
    let report = json!({
        "path": measured(Integrator::Path),
        "bdpt": measured(Integrator::Bdpt),
        "mean": path,
        "difference_of_the_means_in_percent": difference,
    });
    writeln!(std::io::stdout(), "{report:#}")?;
    Ok(())
}

fn render(
    world: &World,
    integrator: Integrator,
    seed: u64,
    goes_on: impl Fn(&Film) -> bool,
) -> Film {
    let settings = RenderSettings { max_depth: 8, seed, integrator, ..RenderSettings::default() };
    let mut film = Film::new(SIZE[0], SIZE[1]);
    while goes_on(&film) {
        let target = film.samples() + 4;
        render_pass(world, &settings, &mut film, target, &|| false);
    }
    film
}

/// The mean squared error relative to the squared reference. It is the product of the differences
/// from two independent references, so that their noise cancels.
fn error(picture: &LinearImage, [a, b]: &[LinearImage; 2]) -> f64 {
    let channels =
        picture.pixels.iter().zip(a.pixels.iter().zip(&b.pixels)).flat_map(|(pixel, (a, b))| {
            (0..3).map(move |channel| [pixel[channel], a[channel], b[channel]])
        });
    let sum: f64 = channels
        .map(|channel| channel.map(f64::from))
        .map(|[value, a, b]| {
            let mean = 0.5 * (a + b);
            (value - a) * (value - b) / (mean * mean + RELATIVE_FLOOR)
        })
        .sum();
    sum / (3 * picture.pixels.len()) as f64
}
