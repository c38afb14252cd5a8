//! The query of an import.

use axum::http::StatusCode;
use scene_files::{Axes, UpAxis};
use serde::Deserialize;

use crate::http::problem::Problem;

/// What is imported, and how.
#[derive(Deserialize)]
pub(crate) struct Incoming {
    /// The file's name; its ending says what it is.
    pub(super) name: String,
    /// Whether the file replaces the scene, camera and environment included.
    #[serde(default)]
    pub(super) replace: bool,
    /// Metres of a unit of the file.
    #[serde(default = "one")]
    scale: f64,
    /// The axis of the file that is up.
    #[serde(default)]
    up: Up,
    /// Whether the scene is only read and returned.
    #[serde(default)]
    pub(super) preview: bool,
}

fn one() -> f64 {
    1.0
}

/// The same for queries.
#[derive(Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Up {
    #[default]
    Y,
    Z,
}

impl Incoming {
    pub(super) fn axes(&self) -> Result<Axes, Problem> {
        if !(1e-6..=1e6).contains(&self.scale) {
            let detail =
                format!("'scale' must be a number from 0.000001 to 1000000, got {}", self.scale);
            return Err(Problem::new(StatusCode::BAD_REQUEST, detail));
        }
        let up = if matches!(self.up, Up::Z) { UpAxis::Z } else { UpAxis::Y };
        Ok(Axes { scale: self.scale, up })
    }
}
