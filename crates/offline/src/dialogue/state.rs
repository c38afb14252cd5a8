//! The state of a dialogue: what was done last, from where, what was spoken of.

use std::sync::Arc;

use scene::Scene;

use crate::frames::{Dimension, Frame, Phrase};
use crate::resolve::Context;

/// From where a completed frame is to be carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Base {
    /// From the scene as it stands.
    Now,
    /// From the scene before the last thing that was done.
    Checkpoint,
}

/// A question of ours.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    /// The frame that could not be carried out.
    pub(crate) frame: Frame,
    /// The description in it that was not clear.
    pub(crate) open: Option<Phrase>,
    /// What it may mean.
    pub(crate) among: Vec<String>,
}

/// What the messages so far leave behind.
#[derive(Debug, Clone, Default)]
pub(crate) struct State {
    pub(crate) context: Context,
    /// What was asked for last and may not be there: "is there a pond?".
    pub(crate) inquired: Option<Phrase>,
    /// What was asked of how many there are.
    pub(crate) counted: Vec<Phrase>,
    /// What was asked of how large something is: "is the door taller than 2 m?"
    pub(crate) measured: Option<Dimension>,
    /// The frames of the last message that did something, completed.
    pub(crate) frames: Vec<Frame>,
    /// The frames of the last message, where it wished something and nothing came of it.
    pub(crate) missed: Option<Vec<Frame>>,
    /// The scene before they were carried out.
    pub(crate) checkpoint: Option<Arc<Scene>>,
    /// What had been spoken of by then.
    pub(crate) spoken_before: Vec<Vec<String>>,
    /// What was asked.
    pub(crate) asked: Option<Asked>,
    /// The scenes before each change, the last one last; and those that were gone back from.
    pub(crate) past: Vec<Arc<Scene>>,
    pub(crate) undone: Vec<Arc<Scene>>,
    /// A hash of everything that led here.
    pub(super) key: u64,
}
