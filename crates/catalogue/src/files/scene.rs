//! The file of a themed scene, and what adjectives do to scenes.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::object::{Number, ObjectOption, Paint, Part, Point};

/// The file of a scene.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SceneFile {
    pub(crate) names: Vec<String>,
    #[serde(default)]
    pub(crate) roles: BTreeMap<String, Paint>,
    #[serde(default)]
    pub(crate) options: BTreeMap<String, ObjectOption>,
    /// Adjectives that always hold: a snowy village is snowy.
    #[serde(default)]
    pub(crate) is: Vec<String>,
    pub(crate) sky: Sky,
    pub(crate) camera: CameraFile,
    #[serde(default)]
    pub(crate) lights: Vec<LightFile>,
    pub(crate) parts: Vec<Part>,
}

/// The environment of a scene: radiance straight up and straight down; without either it is black.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Sky {
    pub(crate) top: Option<[f64; 3]>,
    pub(crate) bottom: Option<[f64; 3]>,
}

/// The camera of a scene. It moves back along its line of sight until everything but backdrops is in
/// view.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CameraFile {
    pub(crate) from: [Number; 3],
    pub(crate) look_at: Point,
    pub(crate) vfov: f64,
}

/// A light: exactly one of `panel` [w, h], `ball` r, `spot` degrees.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct LightFile {
    pub(crate) name: String,
    pub(crate) panel: Option<[Number; 2]>,
    pub(crate) ball: Option<Number>,
    pub(crate) spot: Option<Number>,
    pub(crate) at: Option<Point>,
    pub(crate) toward: Option<Point>,
    /// Irradiance of a surface at `toward` that faces the light, in W/m^2; pi shows white as white.
    #[serde(rename = "brings")]
    pub(crate) irradiance: Option<Number>,
    pub(crate) tint: Option<[f64; 3]>,
    #[serde(rename = "if")]
    pub(crate) only_if: Option<String>,
    pub(crate) unless: Option<String>,
}

/// What an adjective does to a scene.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Adjective {
    /// Its synonyms.
    #[serde(default)]
    pub(crate) words: Vec<String>,
    /// A factor of the emission of all lights.
    #[serde(default = "one")]
    pub(crate) lights: f64,
    /// A factor of the radiance of the sky.
    #[serde(default = "one")]
    pub(crate) sky: f64,
    /// The colour it gives to the lights.
    pub(crate) tint: Option<[f64; 3]>,
    /// The sky it replaces the scene's by.
    pub(crate) set_sky: Option<Sky>,
    /// Paint for the roles that a scene has.
    #[serde(default)]
    pub(crate) roles: BTreeMap<String, Paint>,
    /// Names of colours for the bodies of objects without natural colours.
    #[serde(default)]
    pub(crate) bodies: Vec<String>,
}

fn one() -> f64 {
    1.0
}
