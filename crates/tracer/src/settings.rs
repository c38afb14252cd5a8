//! What a render is asked for, apart from the scene and the size of the picture.

/// How a render is done. The size of the picture belongs to the [`Film`](crate::Film).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RenderSettings {
    /// The longest path, counted in edges from the camera: 0 is black, 1 shows emitted light only,
    /// 2 adds direct light (as Mitsuba's `max_depth`).
    pub max_depth: u32,
    /// How light is followed.
    pub integrator: Integrator,
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
    /// Tiles of 16 x 16 pixels that are less noisy than this get no more samples once they have 32;
    /// see [`Film::noise`](crate::Film::noise) for what the number means. With
    /// [`Integrator::Bdpt`], whose light paths fall on all tiles, it ends the picture as a whole.
    ///
    /// Whether to go on is decided at the start of each pass from the samples so far, so the picture
    /// also depends on the split into passes, and is a little biased: a tile that missed a rare
    /// bright path by chance looks quieter than it is. Below 0.2 % of the mean at a threshold of
    /// 0.05 in the scene that tests this.
    pub noise_threshold: Option<f32>,
    /// How light that arrives straight from a source is found; only for [`Integrator::Path`].
    pub direct_lighting: DirectLighting,
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
        }
    }
}

/// How light is followed. Both have the same expected picture, save for the caustics of point lights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Integrator {
    /// From the camera only, with a look at a light from every bend. The quicker one where lamps
    /// are not behind glass. What a point light sends through glass or off a mirror it cannot find
    /// at all.
    #[default]
    Path,
    /// From the camera and from the lights, with every way to join the two: finds caustics, light
    /// that has come through glass or off a mirror. Does not know fog: there
    /// [`Path`](Self::Path) stands in. Veach 1997, chapter 10; PBR 4e, section 16.3.
    Bdpt,
}

impl Integrator {
    /// Its name where one is chosen.
    pub fn name(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Bdpt => "bdpt",
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
