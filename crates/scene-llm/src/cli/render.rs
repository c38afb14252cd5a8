//! `scene-llm render`.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use clap::Args;
use scene::Scene;
use serde_json::json;
use server::{Denoise, Filter, Integrator, ToneMap, default_samples, time_limit};
use studio::{
    Display, Film, Format, Job, MAX_DEPTH, MAX_EXPOSURE, MAX_SAMPLES, MAX_SIDE, Movie, Statistics,
};
use tracer::{Meshes, WhiteBalance};

use super::animation;
use super::named::one_of;
use super::scene_file::{SceneLoadError, load};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The scene file.
    #[arg(value_name = "SCENE.json")]
    scene: PathBuf,
    /// Where the files of meshes are, instead of beside the scene file.
    #[arg(long, value_name = "DIR")]
    assets: Option<PathBuf>,
    /// The picture to write; its ending chooses the format: png, jpg, webp or exr (linear).
    #[arg(short, long, value_name = "OUT", value_parser = output, required_unless_present = "animation")]
    output: Option<Output>,
    /// The animation to write, frame by frame; its ending chooses the format: webp (lossless), gif or
    /// zip (numbered PNG files).
    #[arg(long, value_name = "OUT", value_parser = animation::output, conflicts_with_all = ["output", "aov", "transparent", "stats", "at_time"])]
    animation: Option<animation::Output>,
    /// Frames a second, in place of the animation's own.
    #[arg(long, value_name = "N", requires = "animation", value_parser = clap::value_parser!(u32).range(1..=60))]
    fps: Option<u32>,
    /// Motion blur: for which share of the time of a frame the shutter is open; 0.5 as film cameras have it.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, requires = "animation", value_parser = shutter)]
    shutter: f64,
    /// Render the scene as it is at this time of its animation.
    #[arg(long, value_name = "SECONDS", value_parser = at_time)]
    at_time: Option<f64>,
    /// Pixels.
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_SIDE)))]
    width: u32,
    /// Pixels.
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_SIDE)))]
    height: u32,
    /// Samples per pixel, at most [default: 64; 1024 with --noise-threshold].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_SAMPLES)))]
    samples: Option<u32>,
    /// Stop where the noise is below this: 0.02 reads "pixels are typically wrong by 2 %".
    #[arg(long, value_name = "SHARE", value_parser = threshold)]
    noise_threshold: Option<f32>,
    /// Trace for no longer than this: a pass that would not fit does not begin, save for the first.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time_limit: Option<Duration>,
    /// Whether and how the noise that is left is smoothed away [default: none; builtin with --animation].
    #[arg(long, value_parser = one_of::<Denoise>())]
    denoise: Option<Denoise>,
    /// How light is followed.
    #[arg(long, value_parser = one_of::<Integrator>(), default_value = "auto")]
    integrator: Integrator,
    /// Edges of a path from the camera on: 1 shows emitted light only, 2 adds direct light.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    max_depth: u32,
    /// What bright and saturated light becomes; EXR stays linear.
    #[arg(long, value_parser = one_of::<ToneMap>(), default_value = "agx")]
    tone_map: ToneMap,
    /// Stops: each doubles the light of the picture; EXR stays as it was traced.
    #[arg(long, value_name = "STOPS", allow_negative_numbers = true, value_parser = exposure)]
    exposure: Option<f32>,
    /// The light that is to look white, by its temperature: bulbs 2700, the sun 5500, the white of
    /// screens 6504; EXR stays as it was traced.
    #[arg(long, value_name = "KELVIN", value_parser = white_balance)]
    white_balance: Option<f32>,
    /// The share of the light that glows around where it came from, as lenses and eyes spread it, from
    /// 0 to 1: lamps want 0.05 to 0.2; EXR stays as it was traced.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    bloom: f32,
    /// The pixel filter.
    #[arg(long, value_parser = one_of::<Filter>(), default_value = "box")]
    filter: Filter,
    /// Chooses one of many equally good sets of samples.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Threads; 0 takes one for each core.
    #[arg(long, default_value_t = 0, value_name = "N")]
    threads: usize,
    /// Write albedo, normal, depth and object into an .exr as well, as layers of these names.
    #[arg(long)]
    aov: bool,
    /// Leave the sky out: pixels are transparent where nothing is before it. For .png, .webp and .exr.
    #[arg(long)]
    transparent: bool,
    /// Print one JSON object with times (ms), samples, rays and noise.
    #[arg(long)]
    stats: bool,
}

/// Where a picture goes, and its format by the ending of that name.
#[derive(Debug, Clone)]
pub(super) struct Output {
    pub(super) path: PathBuf,
    pub(super) format: Format,
}

pub(super) fn output(name: &str) -> Result<Output, String> {
    let path = PathBuf::from(name);
    let ending = path.extension().and_then(|ending| ending.to_str());
    match ending.and_then(Format::from_extension) {
        Some(format) => Ok(Output { path, format }),
        None => Err("the name must end in .png, .jpg, .webp or .exr".into()),
    }
}

fn at_time(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.0..=600.0).contains(&seconds) => Ok(seconds),
        _ => Err("must be a number of seconds from 0 to 600".into()),
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    time_limit(text.parse().map_err(|_| "not a number of seconds".to_owned())?)
}

fn threshold(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(threshold) if threshold > 0.0 && threshold <= 1.0 => Ok(threshold),
        _ => Err("must be a number above 0 and at most 1".into()),
    }
}

fn shutter(text: &str) -> Result<f64, String> {
    share(text).map(f64::from)
}

fn white_balance(text: &str) -> Result<f32, String> {
    let (least, most) = WhiteBalance::TEMPERATURES.into_inner();
    match text.parse() {
        Ok(kelvin) if WhiteBalance::TEMPERATURES.contains(&kelvin) => Ok(kelvin),
        _ => Err(format!("must be a number of kelvin from {least} to {most}")),
    }
}

fn share(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("must be a number from 0 to 1".into()),
    }
}

fn exposure(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(stops) if (-MAX_EXPOSURE..=MAX_EXPOSURE).contains(&stops) => Ok(stops),
        _ => Err(format!("must be a number from -{MAX_EXPOSURE} to {MAX_EXPOSURE}")),
    }
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let format = arguments.output.as_ref().map(|output| output.format);
    if arguments.aov && format != Some(Format::Exr) {
        refuse("--aov needs an output that ends in .exr");
    }
    if arguments.transparent && format == Some(Format::Jpeg) {
        refuse("--transparent needs an output that ends in .png, .webp or .exr");
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(arguments.threads)
        .build()
        .context("the render threads could not be started")?;
    let loading = Instant::now();
    // Trees of meshes are built on the way.
    let loaded = pool.install(|| load(&arguments.scene, arguments.assets.as_deref()));
    let (scene, meshes) = loaded.map_err(|error| match error {
        SceneLoadError::Unreadable(error) => error,
        SceneLoadError::Invalid(violations) => {
            anyhow!("'{}' is not valid: {violations}", arguments.scene.display())
        }
    })?;
    let load_time = loading.elapsed();
    let scene = match arguments.at_time {
        Some(time) => scene_at(&scene, time, &meshes)?,
        None => scene,
    };
    let shown = Display::of(&scene);
    let job = Job {
        width: arguments.width,
        height: arguments.height,
        samples: arguments.samples.unwrap_or_else(|| default_samples(arguments.noise_threshold)),
        max_depth: arguments.max_depth,
        integrator: arguments.integrator.into(),
        seed: arguments.seed,
        noise_threshold: arguments.noise_threshold,
        time_limit: arguments.time_limit,
        meshes: Arc::new(meshes),
        denoise: arguments.denoise.unwrap_or(standard_denoise(arguments)).into(),
        aovs: arguments.aov,
        transparent: arguments.transparent,
        display: Display {
            tone_map: arguments.tone_map.into(),
            exposure: arguments.exposure.unwrap_or(shown.exposure),
            white_balance: arguments.white_balance,
            bloom: arguments.bloom,
        },
        ..Job::of(Arc::new(scene))
    };
    if let Some(output) = &arguments.animation {
        let movie = Movie::new(job, output.format, arguments.fps, arguments.exposure)?;
        return animation::write(&movie.with_shutter(arguments.shutter)?, output, &pool);
    }
    // Required where no animation is asked for.
    let Some(Output { path, format }) = &arguments.output else { return Ok(()) };
    let progress = Progress::new(&job);
    let rendered = pool.install(|| {
        job.render(&AtomicBool::new(false), |film, samples| progress.show(film, samples))
    });
    progress.end();
    let rendered = rendered?;
    let bytes = pool.install(|| rendered.encode(*format, job.display))?;
    std::fs::write(path, bytes).with_context(|| format!("cannot write '{}'", path.display()))?;
    if arguments.stats {
        writeln!(std::io::stdout(), "{}", stats_json(load_time, &rendered.statistics))?;
    }
    Ok(())
}

/// Frames are noisy by chance, one after another, unless they are denoised.
fn standard_denoise(arguments: &Arguments) -> Denoise {
    if arguments.animation.is_some() { Denoise::Builtin } else { Denoise::None }
}

/// The scene as it is at a time of its animation.
fn scene_at(scene: &Scene, time: f64, meshes: &Meshes) -> anyhow::Result<Scene> {
    let end = scene.animation.as_ref().map(|animation| animation.duration.get());
    match end {
        None => bail!("--at-time: nothing is animated in this scene; leave it out"),
        Some(end) if time > end => {
            bail!("--at-time: the animation ends at {end} s, before {time} s")
        }
        Some(_) => Ok(scene.at_time(time, meshes)),
    }
}

/// Ends the program with code 2, as clap does for bad usage.
fn refuse(message: &str) -> ! {
    clap::Error::raw(clap::error::ErrorKind::ArgumentConflict, message).exit()
}

fn stats_json(load: Duration, statistics: &Statistics) -> serde_json::Value {
    let milliseconds = |duration: Duration| (duration.as_secs_f64() * 1e6).round() / 1e3;
    let render = statistics.render.as_secs_f64();
    let rate = if render > 0.0 { statistics.rays as f64 / render / 1e6 } else { 0.0 };
    json!({
        "load_ms": milliseconds(load),
        "build_ms": milliseconds(statistics.build),
        "render_ms": milliseconds(statistics.render),
        // A whole number unless quiet parts of the picture got fewer.
        "integrator": statistics.integrator.name(),
        "samples_per_pixel": match statistics.samples_per_pixel {
            samples if samples.fract() == 0.0 => json!(samples as u64),
            samples => json!((samples * 1e3).round() / 1e3),
        },
        "rays": statistics.rays,
        "mrays_per_s": (rate * 1e3).round() / 1e3,
        "denoise_ms": milliseconds(statistics.denoise),
        "noise": statistics.noise,
    })
}

/// A line on a terminal that says how far the render is.
pub(super) struct Progress {
    target: u32,
    time_limit: Option<Duration>,
    started: Instant,
    on_terminal: bool,
}

impl Progress {
    pub(super) fn new(job: &Job) -> Self {
        let on_terminal = std::io::stderr().is_terminal();
        let (target, time_limit) = (job.samples, job.time_limit);
        Self { target, time_limit, started: Instant::now(), on_terminal }
    }

    pub(super) fn show(&self, film: &Film, samples: u32) {
        if !self.on_terminal {
            return;
        }
        let elapsed = self.started.elapsed().as_secs_f64();
        let to_target = elapsed / f64::from(samples) * f64::from(self.target - samples);
        let to_limit = self.time_limit.map_or(f64::INFINITY, |limit| limit.as_secs_f64() - elapsed);
        let left = to_target.min(to_limit).max(0.0);
        let noise = film.noise().map_or(String::new(), |noise| format!(", noise {noise:.3}"));
        eprint!("\r{samples}/{} samples{noise}, {left:.0} s left at most\x1b[K", self.target);
    }

    /// Leaves the line for what comes next.
    pub(super) fn end(&self) {
        if self.on_terminal {
            eprintln!();
        }
    }
}
