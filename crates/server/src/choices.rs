//! Enumerated options of a picture, equal over HTTP and on the command line.

use std::time::Duration;

use serde::de::{Deserialize, Deserializer, Error};
use studio::SAMPLES_TO_THRESHOLD;

/// An option that is one of a few named values.
pub trait Choice: Copy + Default + PartialEq + Send + Sync + 'static {
    /// Each value with its name and description. The first is the default.
    const ALL: &'static [(Self, &'static str, &'static str)];
    /// The names.
    const NAMES: &'static [&'static str];
}

/// Declares choices: the name of a value is said once.
macro_rules! choices {
    ($($(#[$about:meta])* $choice:ident { $($value:ident $name:literal $help:literal,)+ })+) => { $(
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $choice {
            $(#[doc = $help] $value,)+
        }

        impl Choice for $choice {
            const ALL: &'static [(Self, &'static str, &'static str)] =
                &[$((Self::$value, $name, $help),)+];
            const NAMES: &'static [&'static str] = &[$($name,)+];
        }

        impl Default for $choice {
            fn default() -> Self {
                Self::ALL[0].0
            }
        }

        impl<'de> Deserialize<'de> for $choice {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = String::deserialize(deserializer)?;
                let found = Self::ALL.iter().find(|(_, known, _)| *known == name);
                found.map(|(value, ..)| *value).ok_or_else(|| D::Error::unknown_variant(&name, Self::NAMES))
            }
        }
    )+ };
}

choices! {
    /// The integrator.
    Integrator {
        Auto "auto" "Whichever has less noise in the same time, by a small trial where lamps shine on glass or mirrors",
        Path "path" "From the camera, with a look at a light from every bend: the quicker one for most scenes",
        Bdpt "bdpt" "From the camera and from the lights, joined in every way: for caustics",
    }
    /// The pixel filter.
    Filter {
        Box "box" "Even over one pixel",
    }
    /// The denoiser.
    Denoise {
        None "none" "The picture as it was traced",
        Builtin "builtin" "Along surfaces, by as much as the measured noise explains: some milliseconds",
        Oidn "oidn" "By Open Image Denoise, whose library must be installed or named in OIDN_LIBRARY",
    }
    /// The tone mapping.
    ToneMap {
        Agx "agx" "As film does: bright colours fade to white",
        Neutral "neutral" "Khronos PBR Neutral: colours of products stay as they are, highlights are compressed",
        Srgb "srgb" "Cut off, channel by channel",
    }
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

impl From<Denoise> for studio::Denoise {
    fn from(denoise: Denoise) -> Self {
        match denoise {
            Denoise::None => Self::None,
            Denoise::Builtin => Self::Builtin,
            Denoise::Oidn => Self::Oidn,
        }
    }
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

/// A duration of `seconds`, which must be above 0.
pub fn time_limit(seconds: f64) -> Result<Duration, String> {
    match Duration::try_from_secs_f64(seconds) {
        Ok(limit) if !limit.is_zero() => Ok(limit),
        _ => Err("must be a number of seconds above 0".into()),
    }
}

/// The default of samples per pixel.
pub fn default_samples(noise_threshold: Option<f32>) -> u32 {
    if noise_threshold.is_some() { SAMPLES_TO_THRESHOLD } else { 64 }
}
