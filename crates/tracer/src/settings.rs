//! Render settings.

/// Render settings. The size of the image belongs to the [`Film`](crate::Film).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RenderSettings {
    /// The maximum number of edges of a path: 0 is black, 1 shows emitted light only, 2 adds direct
    /// light (like Mitsuba's `max_depth`).
    pub max_depth: u32,
    /// The integrator.
    pub integrator: Integrator,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The reconstruction filter.
    pub filter: Filter,
    /// Whether Russian roulette ends paths of low throughput from the third non-specular bounce on.
    /// It does not change the expected image.
    pub russian_roulette: bool,
    /// The maximum of each channel of one indirect contribution. It removes fireflies and energy
    /// alike, so it is for previews only.
    pub clamp_indirect: Option<f32>,
    /// The noise below which tiles of 16 x 16 pixels get no more samples, from 32 samples on; see
    /// [`Film::noise`](crate::Film::noise) for the measure. With [`Integrator::Bdpt`], whose light
    /// paths hit all tiles, it applies to the whole image.
    ///
    /// This is decided at the start of each pass, so the image depends on the split into passes and
    /// has a small bias: a tile that has missed a rare bright path seems less noisy than it is. The
    /// bias is below 0.2 % of the mean at a threshold of 0.05 in the test scene.
    pub noise_threshold: Option<f32>,
    /// The sampling of direct light, for [`Integrator::Path`] only.
    pub direct_lighting: DirectLighting,
    /// Whether the sky is black where the camera sees it directly; it still lights the scene, and
    /// is seen in mirrors and through glass. See [`Film::coverage`](crate::Film::coverage).
    pub hides_sky: bool,
}

impl Default for RenderSettings {
    fn default() -> Self {
        Self {
            max_depth: 10,
            integrator: Integrator::Path,
            seed: 0,
            filter: Filter::Box,
            russian_roulette: true,
            clamp_indirect: None,
            noise_threshold: None,
            direct_lighting: DirectLighting::Mis,
            hides_sky: false,
        }
    }
}

/// The integrator. Both have the same expected image, except for caustics of point lights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Integrator {
    /// Unidirectional path tracing with next-event estimation at every vertex. It is faster where
    /// lights are not behind glass. It cannot find caustics of point lights.
    #[default]
    Path,
    /// Bidirectional path tracing with all connections: finds caustics. It does not support fog,
    /// where [`Path`](Self::Path) is used instead. Veach 1997, chapter 10; PBR 4e, section 16.3.
    Bdpt,
}

impl Integrator {
    /// Its name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Bdpt => "bdpt",
        }
    }
}

/// The reconstruction filter, importance-sampled so that all samples of a pixel have the same
/// weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Filter {
    /// Uniform over the pixel.
    #[default]
    Box,
}

/// The sampling of direct light. All have the same expected image (but [`Bsdf`](Self::Bsdf) and
/// [`Lights`](Self::Lights) have more noise), which tests use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DirectLighting {
    /// Both, combined by the power heuristic. Veach 1997, section 9.2.
    #[default]
    Mis,
    /// Light sampling only; specular surfaces still show lights.
    Lights,
    /// BSDF sampling only; point lights, which it cannot hit, are still sampled.
    Bsdf,
}
