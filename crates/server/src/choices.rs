//! What the command line and the HTTP endpoints let one choose for a picture, by the same names.

use clap::ValueEnum;
use serde::Deserialize;

/// How light is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Integrator {
    /// From the camera, with a look at a light from every bend: the quicker one for most scenes.
    #[default]
    Path,
    /// From the camera and from the lights, joined in every way: for caustics.
    Bdpt,
}

impl From<Integrator> for studio::Integrator {
    fn from(integrator: Integrator) -> Self {
        match integrator {
            Integrator::Path => Self::Path,
            Integrator::Bdpt => Self::Bdpt,
        }
    }
}
