//! Kinds of objects in a scene.

use serde::{Deserialize, Serialize};

/// The kind of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A shape.
    Shape,
    /// A light.
    Light,
    /// A listed group.
    Group,
    /// The environment.
    Environment,
    /// The camera.
    Camera,
    /// What changes over time.
    Animation,
}

impl Kind {
    const ALL: [Self; 6] =
        [Self::Shape, Self::Light, Self::Group, Self::Environment, Self::Camera, Self::Animation];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Shape => "shape",
            Self::Light => "light",
            Self::Group => "group",
            Self::Environment => "environment",
            Self::Camera => "camera",
            Self::Animation => "animation",
        }
    }

    /// The kind of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}
