//! Which things of a scene a description means: by what they are called, then by what they are, by
//! their qualities and places, by what was spoken of.

mod alike;
mod choose;
mod exceeding;
mod fit;
mod pool;
mod rank;
mod sides;
mod spoken;
mod world;

use std::sync::Arc;

use scene::Scene;

pub(crate) use choose::resolve;
pub(crate) use fit::{called_as, has_quality, is_listed, is_member, is_way, singulars, size_along};
pub(crate) use rank::in_order;
pub(crate) use sides::{Sides, is_at};
#[cfg(test)]
pub(crate) use world::knows_solids;
pub(crate) use world::{ForgetSolids, Kin, Kind, STARS, SceneWorld, Thing, World};

/// What the words of a message may refer to besides the scene.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Context {
    /// What is selected.
    pub(crate) selection: Vec<String>,
    /// What was spoken of, the latest first.
    pub(crate) focus: Vec<Vec<String>>,
    /// What was named beside what was spoken of last.
    pub(crate) mentioned: Vec<String>,
    /// What was asked about last, out of which one was told.
    pub(crate) among: Vec<String>,
    /// What the last answer told: what went wrong, and what was done.
    pub(crate) trouble: Vec<String>,
    pub(crate) done: Vec<String>,
    /// The kind of what was spoken of last and is gone.
    pub(crate) gone: Option<Kin>,
    /// Whether what was made last was added to things of its kind: "two more chairs".
    pub(crate) added_to: bool,
    /// What was made, a list for each message, the oldest first.
    pub(crate) made: Vec<Vec<String>>,
    /// The scenes before each change, the oldest first.
    pub(crate) past: Vec<Arc<Scene>>,
}

/// Why a description finds nothing.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Unresolved {
    /// Nothing is there that fits.
    Missing,
    /// Several fit as well.
    Several(Vec<String>),
}
