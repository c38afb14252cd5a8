//! What the command line and the HTTP endpoints let one choose for a picture, by the same names.

use std::time::Duration;

use clap::ValueEnum;
use serde::Deserialize;
use studio::SAMPLES_TO_THRESHOLD;

/// How light is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Integrator {
    /// Whichever has less noise in the same time, by a small trial where lamps shine on glass or mirrors.
    #[default]
    Auto,
    /// From the camera, with a look at a light from every bend: the quicker one for most scenes.
    Path,
    /// From the camera and from the lights, joined in every way: for caustics.
    Bdpt,
}

impl From<Integrator> for Option<studio::Integrator> {
    fn from(integrator: Integrator) -> Self {
        match integrator {
            Integrator::Auto => None,
            Integrator::Path => Some(studio::Integrator::Path),
            Integrator::Bdpt => Some(studio::Integrator::Bdpt),
        }
    }
}

/// The pixel filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Filter {
    /// Even over one pixel.
    #[default]
    Box,
}

/// Whether and how noise is smoothed away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Denoise {
    /// The picture as it was traced.
    #[default]
    None,
    /// Along surfaces, by as much as the measured noise explains: some milliseconds.
    Builtin,
    /// By Open Image Denoise, whose library must be installed or named in OIDN_LIBRARY.
    Oidn,
}

impl From<Denoise> for studio::Denoise {
    fn from(denoise: Denoise) -> Self {
        match denoise {
            Denoise::None => Self::None,
            Denoise::Builtin => Self::Builtin,
            Denoise::Oidn => Self::Oidn,
        }
    }
}

/// What bright and saturated light becomes on a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ToneMap {
    /// As film does: bright colours fade to white.
    #[default]
    Agx,
    /// Khronos PBR Neutral: colours of products stay as they are, highlights are compressed.
    Neutral,
    /// Cut off, channel by channel.
    Srgb,
}

impl From<ToneMap> for studio::ToneMap {
    fn from(tone_map: ToneMap) -> Self {
        match tone_map {
            ToneMap::Agx => Self::AgX,
            ToneMap::Neutral => Self::Neutral,
            ToneMap::Srgb => Self::Srgb,
        }
    }
}

/// The time that `seconds`, above 0, stand for.
pub(crate) fn time_limit(seconds: f64) -> Result<Duration, String> {
    match Duration::try_from_secs_f64(seconds) {
        Ok(limit) if !limit.is_zero() => Ok(limit),
        _ => Err("must be a number of seconds above 0".into()),
    }
}

/// The samples per pixel where nobody says how many.
pub(crate) fn default_samples(noise_threshold: Option<f32>) -> u32 {
    if noise_threshold.is_some() { SAMPLES_TO_THRESHOLD } else { 64 }
}
