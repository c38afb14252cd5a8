//! What a render is asked for, apart from the scene and the size of the picture.

/// How a render is done. The size of the picture belongs to the [`Film`](crate::Film).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RenderSettings {
    /// The longest path, counted in edges from the camera: 0 is black, 1 shows emitted light only,
    /// 2 adds direct light (as Mitsuba's `max_depth`).
    pub max_depth: u32,
    /// Chooses one of the many equally good sets of samples.
    pub seed: u64,
    /// How the samples of a pixel are spread over the picture plane.
    pub filter: Filter,
    /// Whether paths whose throughput has become small are ended at random from the third bounce
    /// on, mirrors and glass not counted. Does not change the expected picture.
    pub russian_roulette: bool,
    /// The largest value a channel of one indirect contribution may have. Takes away fireflies and
    /// energy alike, so it is for previews only.
    pub clamp_indirect: Option<f32>,
    /// How light that arrives straight from a source is found.
    pub direct_lighting: DirectLighting,
}

impl Default for RenderSettings {
    fn default() -> Self {
        Self {
            max_depth: 10,
            seed: 0,
            filter: Filter::Box,
            russian_roulette: true,
            clamp_indirect: None,
            direct_lighting: DirectLighting::Mis,
        }
    }
}

/// The reconstruction filter of the picture, sampled by its own density so that all samples of a
/// pixel weigh the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Filter {
    /// Even over the square of the pixel.
    #[default]
    Box,
}

/// How light that arrives straight from a source is found. All have the same expected picture
/// (save that [`Bsdf`](Self::Bsdf) and [`Lights`](Self::Lights) are noisier), which tests use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DirectLighting {
    /// Both ways below, combined by the power heuristic. Veach 1997, section 9.2.
    #[default]
    Mis,
    /// Only by sampling the sources; mirrors and glass still see them.
    Lights,
    /// Only by following the scattered path; point lights, which it cannot meet, are still sampled.
    Bsdf,
}
