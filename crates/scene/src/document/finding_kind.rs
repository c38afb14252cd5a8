//! Kinds of findings of the scene check, and marks that a finding is intentional.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;

use crate::read::{PropertyPath, Read, nearest};
use crate::violations::ReadErrors;

/// A kind of finding that the scene check reports about a shape or a light.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum FindingKind {
    /// It reaches into another shape.
    Overlap,
    /// Nothing carries it.
    Floating,
    /// It stands outside the picture.
    OutOfView,
    /// Other things hide it from the camera.
    Hidden,
    /// The camera stands in it.
    CameraInside,
    /// The camera lies in its plane, so that it is seen edge-on.
    CameraLow,
    /// It is far larger or smaller than everything else.
    Scale,
    /// The picture, in which it is seen, is all but black.
    Dark,
    /// Most of the picture, in which it is seen, is too bright to show anything.
    BurntOut,
    /// It takes most of the picture, and is all but black or white by the light that falls on it.
    SubjectLight,
    /// It is a light that reaches nothing.
    LightAway,
}

impl FindingKind {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Overlap,
        Self::Floating,
        Self::OutOfView,
        Self::Hidden,
        Self::CameraInside,
        Self::CameraLow,
        Self::Scale,
        Self::Dark,
        Self::BurntOut,
        Self::SubjectLight,
        Self::LightAway,
    ];

    /// The word files and tools use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Overlap => "overlap",
            Self::Floating => "floating",
            Self::OutOfView => "out_of_view",
            Self::Hidden => "hidden",
            Self::CameraInside => "camera_inside",
            Self::CameraLow => "camera_low",
            Self::Scale => "scale",
            Self::Dark => "dark",
            Self::BurntOut => "burnt_out",
            Self::SubjectLight => "subject_light",
            Self::LightAway => "light_away",
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// The kinds of findings about a shape or a light that are intentional. Written in the order of the names above.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, schemars::JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct Intentional(BTreeSet<FindingKind>);

impl Intentional {
    /// Whether findings of this kind are intentional.
    pub fn contains(&self, kind: FindingKind) -> bool {
        self.0.contains(&kind)
    }

    /// Whether nothing is marked.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// As files and tools write it.
    pub fn to_json(&self) -> Value {
        self.0.iter().map(|kind| kind.name()).collect()
    }
}

impl FromIterator<FindingKind> for Intentional {
    fn from_iter<I: IntoIterator<Item = FindingKind>>(kinds: I) -> Self {
        Self(kinds.into_iter().collect())
    }
}

impl Read for Intentional {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        let Some(items) = value.as_array() else {
            at.must_be(&Self::expected(), value, errors);
            return None;
        };
        // Parse all items before returning, to report all errors.
        let read: Vec<Option<FindingKind>> = items
            .iter()
            .map(|item| {
                let kind = item.as_str().and_then(FindingKind::from_name);
                if kind.is_none() {
                    let names = FindingKind::ALL.map(FindingKind::name);
                    let near = nearest(item.as_str().unwrap_or_default(), names.into_iter());
                    errors.add(format!(
                        "{} has the unknown entry {item}; did you mean '{near}'? Known: {}",
                        at.subject(),
                        names.join(", ")
                    ));
                }
                kind
            })
            .collect();
        read.into_iter().collect()
    }

    fn expected() -> String {
        format!("a list of {}", FindingKind::ALL.map(FindingKind::name).join(", "))
    }
}
