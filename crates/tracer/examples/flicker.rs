//! Measures how much denoised frames flicker: `flicker SCENE.json [FRAMES [SAMPLES [REFERENCE]]]`, 400 x 300 pixels.
//!
//! The frames are the first of the scene's animation or, without one, of the camera's way around what it looks at in
//! 96 frames. Where the converged frames (REFERENCE samples, default 1024) change by less than a hundredth from one to
//! the next, the denoised ones (SAMPLES, default 32) should not change either: the root of the mean square of how much
//! more they do, relative to the brightness. Once with the same seed for all frames, as films are rendered, and once
//! with one for each. Beside it is the error of single frames there. The converged frames go on with the samples of the
//! first seed. Prints one JSON object. Run it in release mode.

use std::io::Write;

use scene::Scene;
use serde_json::json;
use tracer::{Film, LinearImage, Meshes, RenderSettings, World, denoise, render_pass};

const SIZE: [u32; 2] = [400, 300];
/// A change of the converged picture up to this share of its brightness is none.
const STILL: f64 = 0.01;
/// Added to the brightness, so that black pixels do not count most.
const FLOOR: f64 = 0.05;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [scene, numbers @ ..] = arguments.as_slice() else {
        return Err("usage: flicker SCENE.json [FRAMES [SAMPLES [REFERENCE]]]".into());
    };
    let number = |at: usize, default: u32| numbers.get(at).map_or(Ok(default), |text| text.parse());
    let (frames, samples, reference) = (number(0, 6)?, number(1, 32)?, number(2, 1024)?);
    let mut document: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(scene)?)?;
    if document["animation"].is_null() {
        let turn = json!({ "target": "camera", "property": "orbit",
            "keys": [{ "time": 0, "value": 0 }, { "time": 4, "value": 360 }] });
        document["animation"] =
            json!({ "duration": 4, "fps": 24, "loops": true, "tracks": [turn] });
    }
    let scene = Scene::from_json(&document)?;
    let animation = scene.animation.clone().ok_or("no animation")?;
    let all = animation.frames(animation.fps.get());
    let mut still = Changes::default();
    let (mut same_seed, mut own_seeds) = (Frames::default(), Frames::default());
    for frame in 0..frames.min(all) {
        let at = scene.at_time(animation.time_of(frame, all), &Meshes::default());
        let world = World::build(&at);
        let mut film = Film::new(SIZE[0], SIZE[1]);
        render_pass(&world, &RenderSettings::default(), &mut film, reference, &|| false);
        still.follow(film.linear());
        for (frames, seed) in [(&mut same_seed, 0), (&mut own_seeds, u64::from(frame) + 1)] {
            let mut film = Film::with_features(SIZE[0], SIZE[1]);
            let settings = RenderSettings { seed, ..RenderSettings::default() };
            render_pass(&world, &settings, &mut film, samples, &|| false);
            frames.add(&still, [film.linear(), denoise(&film).ok_or("no features")?]);
        }
    }
    let report = json!({ "frames": frames.min(all), "still_share": same_seed.still_share(),
        "same_seed": same_seed.report(), "own_seeds": own_seeds.report() });
    writeln!(std::io::stdout(), "{report:#}")?;
    Ok(())
}

/// The converged frames: the last one and that before it.
#[derive(Default)]
struct Changes {
    before: Option<LinearImage>,
    now: Option<LinearImage>,
}

impl Changes {
    fn follow(&mut self, frame: LinearImage) {
        self.before = self.now.replace(frame);
    }
}

/// Sums over the pixels of the frames that have one before them.
#[derive(Default)]
struct Frames {
    last: Option<[LinearImage; 2]>,
    pixels: f64,
    still: f64,
    /// Of noisy and of denoised frames.
    flicker: [f64; 2],
    errors: [f64; 2],
}

impl Frames {
    /// Adds a frame, noisy and denoised.
    fn add(&mut self, converged: &Changes, frame: [LinearImage; 2]) {
        if let (Some(last), Some(before), Some(now)) =
            (&self.last, &converged.before, &converged.now)
        {
            for at in 0..now.pixels.len() {
                let [was, is] = [before, now].map(|picture| green(picture, at));
                self.pixels += 1.0;
                if (is - was).abs() > STILL * (is + FLOOR) {
                    continue;
                }
                self.still += 1.0;
                for (which, frame) in frame.iter().enumerate() {
                    let [old, new] = [&last[which], frame].map(|picture| green(picture, at));
                    self.flicker[which] += ((new - old - (is - was)) / (is + FLOOR)).powi(2);
                    self.errors[which] += ((new - is) / (is + FLOOR)).powi(2);
                }
            }
        }
        self.last = Some(frame);
    }

    fn still_share(&self) -> f64 {
        self.still / self.pixels.max(1.0)
    }

    fn report(&self) -> serde_json::Value {
        let mean = |sum: f64| (sum / self.still.max(1.0)).sqrt();
        let [noisy, denoised] = self.flicker.map(mean);
        let [noisy_error, denoised_error] = self.errors.map(mean);
        json!({ "flicker": denoised, "error": denoised_error, "noisy_flicker": noisy, "noisy_error": noisy_error })
    }
}

fn green(picture: &LinearImage, at: usize) -> f64 {
    f64::from(picture.pixels[at][1])
}
