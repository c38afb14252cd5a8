//! `scene-llm render`.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use clap::{Args, ValueEnum};
use serde_json::json;
use studio::{Format, Job, MAX_DEPTH, MAX_SAMPLES, MAX_SIDE, Statistics};

use super::{SceneFault, load};
use crate::choices::Integrator;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The scene file.
    #[arg(value_name = "SCENE.json")]
    scene: PathBuf,
    /// Where the files of meshes are, instead of beside the scene file.
    #[arg(long, value_name = "DIR")]
    assets: Option<PathBuf>,
    /// The picture to write; its ending chooses the format: png, jpg, webp or exr (linear).
    #[arg(short, long, value_name = "OUT", value_parser = output)]
    output: Output,
    /// Pixels.
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_SIDE)))]
    width: u32,
    /// Pixels.
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_SIDE)))]
    height: u32,
    /// Samples per pixel.
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_SAMPLES)))]
    samples: u32,
    /// Edges of a path from the camera on: 1 shows emitted light only, 2 adds direct light.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    max_depth: u32,
    /// How light is followed.
    #[arg(long, value_enum, default_value_t = Integrator::Path)]
    integrator: Integrator,
    /// The pixel filter.
    #[arg(long, value_enum, default_value_t = Filter::Box)]
    filter: Filter,
    /// Chooses one of many equally good sets of samples.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Threads; 0 takes one for each core.
    #[arg(long, default_value_t = 0, value_name = "N")]
    threads: usize,
    /// Whether noise is smoothed away.
    #[arg(long, value_enum, default_value_t = Denoise::None)]
    denoise: Denoise,
    /// No further pass begins after this much rendering.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time_limit: Option<Duration>,
    /// Print one JSON object with times and rates.
    #[arg(long)]
    stats: bool,
}

/// Where a picture goes, and its format by the ending of that name.
#[derive(Debug, Clone)]
struct Output {
    path: PathBuf,
    format: Format,
}

fn output(name: &str) -> Result<Output, String> {
    let path = PathBuf::from(name);
    let ending = path.extension().and_then(|ending| ending.to_str());
    match ending.and_then(Format::from_extension) {
        Some(format) => Ok(Output { path, format }),
        None => Err("the name must end in .png, .jpg, .webp or .exr".into()),
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(limit) if !limit.is_zero() => Ok(limit),
        _ => Err("must be a number of seconds above 0".into()),
    }
}

/// The pixel filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Filter {
    /// Even over one pixel.
    Box,
}

/// Whether noise is smoothed away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Denoise {
    /// The picture as it was traced.
    None,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let Output { path, format } = &arguments.output;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(arguments.threads)
        .build()
        .context("the render threads could not be started")?;
    let loading = Instant::now();
    // Trees of meshes are built on the way.
    let loaded = pool.install(|| load(&arguments.scene, arguments.assets.as_deref()));
    let (scene, meshes) = loaded.map_err(|fault| match fault {
        SceneFault::Unreadable(error) => error,
        SceneFault::Invalid(violations) => {
            anyhow!("'{}' is not valid: {violations}", arguments.scene.display())
        }
    })?;
    let load_time = loading.elapsed();
    let job = Job {
        width: arguments.width,
        height: arguments.height,
        samples: arguments.samples,
        max_depth: arguments.max_depth,
        integrator: arguments.integrator.into(),
        seed: arguments.seed,
        time_limit: arguments.time_limit,
        meshes: Arc::new(meshes),
        ..Job::of(Arc::new(scene))
    };
    let (image, statistics) = pool.install(|| {
        let progress = Progress::new(job.samples);
        job.render(&AtomicBool::new(false), |samples| progress.show(samples))
    })?;
    let bytes = pool.install(|| format.encode(&image, job.tone_map))?;
    std::fs::write(path, bytes).with_context(|| format!("cannot write '{}'", path.display()))?;
    if arguments.stats {
        writeln!(std::io::stdout(), "{}", stats_json(load_time, &statistics))?;
    }
    Ok(())
}

fn stats_json(load: Duration, statistics: &Statistics) -> serde_json::Value {
    let milliseconds = |duration: Duration| (duration.as_secs_f64() * 1e6).round() / 1e3;
    let render = statistics.render.as_secs_f64();
    let rate = if render > 0.0 { statistics.rays as f64 / render / 1e6 } else { 0.0 };
    json!({
        "load_ms": milliseconds(load),
        "build_ms": milliseconds(statistics.build),
        "render_ms": milliseconds(statistics.render),
        "samples_per_pixel": statistics.samples_per_pixel,
        "rays": statistics.rays,
        "mrays_per_s": (rate * 1e3).round() / 1e3,
    })
}

/// A line on a terminal that says how far the render is.
struct Progress {
    target: u32,
    started: Instant,
    on_terminal: bool,
}

impl Progress {
    fn new(target: u32) -> Self {
        Self { target, started: Instant::now(), on_terminal: std::io::stderr().is_terminal() }
    }

    fn show(&self, samples: u32) {
        if !self.on_terminal {
            return;
        }
        let elapsed = self.started.elapsed().as_secs_f64();
        let left = elapsed / f64::from(samples) * f64::from(self.target - samples);
        eprint!("\r{samples}/{} samples, {left:.0} s left \x1b[K", self.target);
        if samples >= self.target {
            eprintln!();
        }
    }
}
