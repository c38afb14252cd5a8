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
        let Some(animation) = job.scene.animation.clone() else {
            let message = "nothing is animated in this scene: animate it by set_animation, or by 'animation' in \
                           the scene file";
            return Err(RenderError::OutOfRange(vec![message.to_owned()]));
        };
        let fps = fps.unwrap_or(animation.fps.get() as u32);
        let movie = Self { job, animation, fps, format, exposure };
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
        let scene: Arc<Scene> = Arc::new(self.job.scene.at_time(time, &*self.job.meshes));
        let exposure = self.exposure.unwrap_or(Display::of(&scene).exposure);
        Job {
            scene,
            integrator: integrator.or(self.job.integrator),
            display: Display { exposure, ..self.job.display },
            ..self.job.clone()
        }
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
