//! What a message is taken for.

use std::sync::{Arc, OnceLock};

use scene::Scene;

use crate::answer::news;
use crate::frames::Frame;
use crate::plan::Outcome;

/// What a message was taken for, and what it comes to.
#[derive(Debug, Clone)]
pub(crate) struct Interpretation {
    /// The frames, completed.
    pub(crate) frames: Vec<Frame>,
    pub(crate) outcome: Outcome,
    /// The scene as it is to be.
    pub(crate) scene: Scene,
    /// The scene the frames were carried out on.
    pub(crate) base: Arc<Scene>,
    /// Whether a negation, a condition or a question word is among the words left out, or a word that matters where
    /// things are taken away.
    pub(super) turned: bool,
    /// How many words were read.
    pub(super) read: usize,
    /// The words that were not understood, each stretch by itself.
    pub(crate) unread: Vec<String>,
    /// How many they are, and how many of them are more than words between others.
    pub(super) left_out: usize,
    pub(super) missed: Vec<usize>,
    pub(super) strange: usize,
    /// Whether most of the words are of no use here, as in another language.
    pub(crate) foreign: bool,
    /// Whether the message was too long to be read as a whole.
    pub(crate) is_cut: bool,
    /// Whether it was carried out anew from where the message before began.
    pub(crate) is_fix: bool,
    /// What it comes to, in sentences, once that is asked for.
    pub(super) news: OnceLock<Vec<String>>,
    /// What the reading and its plan cost.
    pub(crate) cost: f32,
}

impl Interpretation {
    /// What became of the scene that the message was about, in sentences.
    pub(crate) fn news(&self, scene: &Scene) -> &[String] {
        self.news.get_or_init(|| news(scene, &self.scene))
    }
}
