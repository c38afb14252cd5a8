//! Animations as files: each frame is a picture of the scene at its time, rendered as any other and
//! encoded as it comes.

mod encoder;
mod gif;
mod region;
mod rendering;
mod webp;
mod zip;

use std::sync::Arc;

use scene::{Animation, Scene};
use tracer::Integrator;

use crate::error::RenderError;
use crate::job::Job;
use crate::picture::{Display, Format};

pub use encoder::{MAX_MOVIE_BYTES, MovieEncoder, MovieFormat};
pub use rendering::{FrameDone, MovieFile};

/// The most frames of a file.
pub const MAX_FRAMES: u32 = 3_600;
/// The most camera samples of all frames over HTTP: about an hour on two cores. The command line has no
/// such limit.
const MAX_MOVIE_WORK: u64 = 1 << 34;

/// The most moments whose mean a frame with motion blur is.
const MAX_MOMENTS: u32 = 16;
/// The fewest samples of a moment.
const MIN_MOMENT_SAMPLES: u32 = 2;

/// An animation to render.
#[derive(Debug, Clone)]
pub struct Movie {
    /// How each frame is rendered; its scene is the one that is animated, with its meshes.
    job: Job,
    animation: Arc<Animation>,
    fps: u32,
    format: MovieFormat,
    /// The exposure of all frames; `None` takes that of the camera at the time.
    exposure: Option<f32>,
    /// For which share of the time of a frame its shutter is open; 0 for no motion blur.
    shutter: f64,
}

impl Movie {
    /// The animation of the scene of `job` as a file. The seed is the same for all frames: noise that
    /// is left stays where it is, so that nothing flickers and equal parts of pictures are equal.
    /// `fps` is the animation's own if it is left out.
    pub fn new(
        job: Job,
        format: MovieFormat,
        fps: Option<u32>,
        exposure: Option<f32>,
    ) -> Result<Self, RenderError> {
        let animation = job.scene.animation.clone().ok_or(RenderError::NotAnimated)?;
        let fps = fps.unwrap_or(animation.fps.get() as u32);
        let movie = Self { job, animation, fps, format, exposure, shutter: 0.0 };
        let mut errors = Vec::new();
        let max_fps = format.max_fps();
        if !(1..=max_fps).contains(&fps) {
            let name = format.extension();
            errors.push(format!("'fps' must be from 1 to {max_fps} for {name}, got {fps}"));
        } else if movie.frames() > MAX_FRAMES {
            errors.push(format!(
                "an animation may have at most {MAX_FRAMES} frames, this one has {} at {fps} a second; make it \
                 shorter, or ask for a lower 'fps'",
                movie.frames()
            ));
        }
        if movie.job.transparent || movie.job.aovs {
            errors.push("animations have no 'transparent' and no 'aov'; leave them out".to_owned());
        }
        if errors.is_empty() { Ok(movie) } else { Err(RenderError::OutOfRange(errors)) }
    }

    /// The same with motion blur: the shutter is open from the time of a frame on, for a share of the time until
    /// the next; film cameras have 0.5. A frame is the mean of moments in that time, which share its samples.
    pub fn with_shutter(self, shutter: f64) -> Result<Self, RenderError> {
        let may_end_early = self.job.noise_threshold.is_some() || self.job.time_limit.is_some();
        let error = if !(0.0..=1.0).contains(&shutter) {
            format!("'shutter' must be from 0 to 1, got {shutter}")
        } else if shutter > 0.0 && may_end_early {
            "a noise threshold or a time limit would end a frame before all its moments are traced: leave them \
             out, or leave out 'shutter'"
                .to_owned()
        } else {
            return Ok(Self { shutter, ..self });
        };
        Err(RenderError::OutOfRange(vec![error]))
    }

    /// The number of frames.
    pub fn frames(&self) -> u32 {
        self.animation.frames(f64::from(self.fps))
    }

    /// The format of the file.
    pub fn format(&self) -> MovieFormat {
        self.format
    }

    /// The encoder of its frames.
    pub fn encoder(&self) -> Result<MovieEncoder, RenderError> {
        let size = [self.job.width, self.job.height];
        let encoder = MovieEncoder::new(self.format, size, self.fps, self.animation.loops);
        encoder.map_err(RenderError::Movie)
    }

    /// The picture of a frame. `integrator` is that of the first one, so that all look alike.
    pub fn job(&self, frame: u32, integrator: Option<Integrator>) -> Job {
        let time = self.animation.time_of(frame, self.frames());
        let at = |time| Arc::new(self.job.scene.at_time(time, &*self.job.meshes));
        let exposure = self.exposure.unwrap_or_else(|| Display::of(&at(time)).exposure);
        let mut moments: Vec<Arc<Scene>> = self.moments(time).map(at).collect();
        let scene = moments.remove(0);
        // What stands still needs no blur.
        if moments.iter().all(|moment| *moment == scene) {
            moments.clear();
        }
        Job {
            scene,
            moments,
            integrator: integrator.or(self.job.integrator),
            display: Display { exposure, ..self.job.display },
            ..self.job.clone()
        }
    }

    /// The times of which a frame is the mean; never none.
    fn moments(&self, time: f64) -> impl Iterator<Item = f64> {
        let count = match self.shutter {
            0.0 => 1,
            _ => (self.job.samples / MIN_MOMENT_SAMPLES).clamp(1, MAX_MOMENTS),
        };
        let open = self.shutter / f64::from(self.fps);
        (0..count).map(move |at| time + open * (f64::from(at) + 0.5) / f64::from(count))
    }

    /// Validates the limits of a server.
    fn check_request(&self) -> Result<(), RenderError> {
        self.job.check()?;
        self.job.check_request(Format::Png)?;
        let work = self.job.work() * u64::from(self.frames());
        if work > MAX_MOVIE_WORK {
            return Err(RenderError::OutOfRange(vec![format!(
                "'width' x 'height' x 'samples' x frames may be at most {MAX_MOVIE_WORK}, got {work} for {} frames; \
                 ask for fewer samples or frames, or use the command line",
                self.frames()
            )]));
        }
        Ok(())
    }
}
