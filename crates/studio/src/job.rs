//! A render job: a picture on request.

use std::sync::Arc;
use std::time::Duration;

use scene::{Id, Scene};
use tracer::{
    Aovs, Film, Integrator, LinearImage, Meshes, RenderSettings, WhiteBalance, World,
    choose_integrator,
};

use crate::error::RenderError;
use crate::picture::{Display, EncodeError, Format, MAX_EXPOSURE, encode_layers};

/// The largest side of a picture in pixels.
pub const MAX_SIDE: u32 = 4096;
/// The most samples per pixel.
pub const MAX_SAMPLES: u32 = 65_536;
/// The most edges of a path.
pub const MAX_DEPTH: u32 = 256;
/// The default of samples per pixel with a noise threshold.
pub const SAMPLES_TO_THRESHOLD: u32 = 1024;
/// The most camera samples of a picture over HTTP: 4096 x 4096 with 256 samples per pixel, or 1920 x
/// 1080 with 2048. The command line has no such limit.
const MAX_WORK: u64 = 1 << 32;
/// The largest picture, in pixels, for features that take about 250 bytes per pixel: 1920 x 1080
/// fits. The command line has no such limit.
const MAX_COSTLY_PIXELS: u64 = 1 << 21;

/// The denoiser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Denoise {
    /// No denoising.
    #[default]
    None,
    /// See [`tracer::denoise`].
    Builtin,
    /// By Open Image Denoise; an error where its library is absent.
    Oidn,
}

/// A render job.
#[derive(Debug, Clone)]
pub struct Job {
    /// The scene with its camera.
    pub scene: Arc<Scene>,
    /// The meshes of the scene; shapes whose mesh is missing are left out. A
    /// [`Renderer`](crate::Renderer) adds those it has.
    pub meshes: Arc<Meshes>,
    /// Pixels, 1 to [`MAX_SIDE`].
    pub width: u32,
    /// Pixels, 1 to [`MAX_SIDE`].
    pub height: u32,
    /// Samples per pixel, at most; 1 to [`MAX_SAMPLES`].
    pub samples: u32,
    /// Edges of a path from the camera on, 1 to [`MAX_DEPTH`].
    pub max_depth: u32,
    /// The integrator; chosen for the scene by default.
    pub integrator: Option<Integrator>,
    /// The seed of the sampler.
    pub seed: u64,
    /// Parts of the picture with less noise get no more samples: see
    /// [`RenderSettings::noise_threshold`]. Above 0, at most 1.
    pub noise_threshold: Option<f32>,
    /// The time limit for tracing: no pass starts that would exceed it, except the first.
    pub time_limit: Option<Duration>,
    /// The denoiser for the remaining noise.
    pub denoise: Denoise,
    /// Whether to add albedo, normals, depth and objects; for [`Format::Exr`] only.
    pub aovs: bool,
    /// Whether pixels are transparent where the camera sees the sky; not for [`Format::Jpeg`].
    pub transparent: bool,
    /// How radiance becomes display colours.
    pub display: Display,
    /// Further scenes, with the same meshes, that get an equal part of the samples one after another: motion
    /// blur. They are fewer than samples, and nothing ends the render before its samples.
    pub moments: Vec<Arc<Scene>>,
}

/// Statistics of a render.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Statistics {
    /// Time for building the world: BVHs and lights.
    pub build: Duration,
    /// Tracing.
    pub render: Duration,
    /// Denoising.
    pub denoise: Duration,
    /// The integrator.
    pub integrator: Integrator,
    /// Samples per pixel, on average.
    pub samples_per_pixel: f64,
    /// Rays traced, shadow rays included.
    pub rays: u64,
    /// The noise before denoising: see [`Film::noise`](tracer::Film::noise).
    pub noise: Option<f32>,
}

/// A rendered picture.
#[derive(Debug, Clone)]
pub struct Rendered {
    /// The picture.
    pub image: LinearImage,
    /// The opacity of each pixel, if transparency was requested; the picture is multiplied by it.
    pub opacity: Option<Vec<f32>>,
    /// The AOVs, if requested.
    pub aovs: Option<Aovs>,
    /// The objects that the object layer numbers, in order; empty without layers.
    pub objects: Vec<Id>,
    /// Its statistics.
    pub statistics: Statistics,
}

impl Rendered {
    /// The picture as a file.
    pub fn encode(&self, format: Format, display: Display) -> Result<Vec<u8>, EncodeError> {
        match (&self.aovs, &self.opacity) {
            (Some(aovs), opacity) => encode_layers(&self.image, opacity.as_deref(), aovs),
            (None, Some(opacity)) => format.encode_transparent(&self.image, opacity, display),
            (None, None) => format.encode(&self.image, display),
        }
    }

    /// The picture as the pixels of a screen: 8-bit sRGB.
    pub fn shown(&self, display: Display) -> Vec<u8> {
        display.shown(&self.image)
    }
}

impl Job {
    /// A job for a 400 x 300 picture of `scene` with 64 samples per pixel and the exposure of its
    /// camera.
    pub fn of(scene: Arc<Scene>) -> Self {
        let display = Display::of(&scene);
        Self {
            scene,
            meshes: Arc::default(),
            width: 400,
            height: 300,
            samples: 64,
            max_depth: 10,
            integrator: None,
            seed: 0,
            noise_threshold: None,
            time_limit: None,
            denoise: Denoise::None,
            aovs: false,
            transparent: false,
            display,
            moments: Vec::new(),
        }
    }

    /// A thumbnail: few samples, denoised, and always by paths from the camera, since choosing the integrator by
    /// a trial would cost more than it saves.
    pub fn thumbnail(scene: Arc<Scene>, [width, height]: [u32; 2], samples: u32) -> Self {
        let (denoise, integrator) = (Denoise::Builtin, Some(Integrator::Path));
        Self { width, height, samples, denoise, integrator, ..Self::of(scene) }
    }

    /// Validates the ranges of all values.
    pub fn check(&self) -> Result<(), RenderError> {
        let ranges = [
            ("width", self.width, MAX_SIDE),
            ("height", self.height, MAX_SIDE),
            ("samples", self.samples, MAX_SAMPLES),
            ("max_depth", self.max_depth, MAX_DEPTH),
        ];
        let mut errors: Vec<String> = ranges
            .into_iter()
            .filter(|(_, value, most)| !(1..=*most).contains(value))
            .map(|(name, value, most)| format!("'{name}' must be from 1 to {most}, got {value}"))
            .collect();
        if let Some(threshold) = self.noise_threshold
            && !(threshold > 0.0 && threshold <= 1.0)
        {
            errors
                .push(format!("'noise_threshold' must be above 0 and at most 1, got {threshold}"));
        }
        let exposure = self.display.exposure;
        if !(-MAX_EXPOSURE..=MAX_EXPOSURE).contains(&exposure) {
            errors.push(format!(
                "'exposure' must be from -{MAX_EXPOSURE} to {MAX_EXPOSURE} stops, got {exposure}"
            ));
        }
        if let Some(kelvin) = self.display.white_balance
            && !WhiteBalance::TEMPERATURES.contains(&kelvin)
        {
            let (least, most) = WhiteBalance::TEMPERATURES.into_inner();
            errors.push(format!(
                "'white_balance' must be from {least} to {most} kelvin, got {kelvin}"
            ));
        }
        if self.integrator == Some(Integrator::Bdpt) && self.scene.environment.fog().is_some() {
            errors.push(
                "'integrator' bdpt does not follow light through fog: use path, or leave it out"
                    .to_owned(),
            );
        }
        if self.transparent && self.scene.environment.fog().is_some() {
            errors.push(
                "'transparent' has no sky behind fog to leave out: take the fog out of the \
                 environment, or leave out 'transparent'"
                    .to_owned(),
            );
        }
        let bloom = self.display.bloom;
        if !(0.0..=1.0).contains(&bloom) {
            errors.push(format!("'bloom' must be from 0 to 1, got {bloom}"));
        }
        if errors.is_empty() { Ok(()) } else { Err(RenderError::OutOfRange(errors)) }
    }

    /// Validates the limits of a server, and that it can be written as `format`.
    pub(crate) fn check_request(&self, format: Format) -> Result<(), RenderError> {
        let mut errors = Vec::new();
        let (pixels, work) = (self.pixels(), self.work());
        if work > MAX_WORK {
            errors.push(format!(
                "'width' x 'height' x 'samples' may be at most {MAX_WORK}, got {work}; ask for \
                 fewer samples, or use the command line"
            ));
        }
        let costly = self.gathers_features() || self.integrator == Some(Integrator::Bdpt);
        if costly && pixels > MAX_COSTLY_PIXELS {
            errors.push(format!(
                "'width' x 'height' may be at most {MAX_COSTLY_PIXELS} with 'denoise', 'aov' or \
                 'integrator' bdpt, got {pixels}; use the command line"
            ));
        }
        if self.aovs && format != Format::Exr {
            errors.push("'aov' needs a picture of type image/x-exr".to_owned());
        }
        if self.transparent && format == Format::Jpeg {
            let message =
                "'transparent' needs a picture of type image/png, image/webp or image/x-exr";
            errors.push(message.to_owned());
        }
        if errors.is_empty() { Ok(()) } else { Err(RenderError::OutOfRange(errors)) }
    }

    /// The estimated memory of the render in bytes: film, picture and denoiser.
    pub(crate) fn memory(&self) -> u64 {
        let gathered = match (self.gathers_features(), self.gathers_coverage()) {
            (true, _) => 60,
            (false, true) => 8,
            (false, false) => 0,
        };
        let denoised = if self.denoise == Denoise::None { 0 } else { 136 };
        let may_splat =
            self.integrator != Some(Integrator::Path) && self.pixels() <= MAX_COSTLY_PIXELS;
        let splats = if may_splat { 48 } else { 0 };
        self.pixels() * (16 + 12 + 3 + gathered + denoised + splats)
    }

    /// The maximum number of camera samples.
    pub(crate) fn work(&self) -> u64 {
        self.pixels() * u64::from(self.samples)
    }

    /// Whether the film has all features; the opacity of a large picture is gathered by itself.
    pub(crate) fn gathers_features(&self) -> bool {
        self.denoise != Denoise::None
            || self.aovs
            || self.transparent && self.pixels() <= MAX_COSTLY_PIXELS
    }

    fn gathers_coverage(&self) -> bool {
        self.transparent && !self.gathers_features()
    }

    /// The film without samples.
    pub(crate) fn film(&self) -> Film {
        let [width, height] = [self.width, self.height];
        match (self.gathers_features(), self.gathers_coverage()) {
            (true, _) => Film::with_features(width, height),
            (false, true) => Film::with_coverage(width, height),
            (false, false) => Film::new(width, height),
        }
    }

    /// The settings of the tracer; `None` when cancelled.
    pub(crate) fn settings(
        &self,
        world: &World,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Option<RenderSettings> {
        let settings = RenderSettings {
            max_depth: self.max_depth,
            seed: self.seed,
            noise_threshold: self.noise_threshold,
            hides_sky: self.transparent,
            ..RenderSettings::default()
        };
        let aspect = self.width as f32 / self.height as f32;
        let integrator = match self.integrator {
            Some(integrator) => integrator,
            // Light paths need additional memory per pixel.
            None if self.pixels() > MAX_COSTLY_PIXELS => Integrator::Path,
            None => choose_integrator(world, &settings, aspect, cancelled)?,
        };
        Some(RenderSettings { integrator, ..settings })
    }

    fn pixels(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }
}
