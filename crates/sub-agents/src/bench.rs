//! What the agents of a session work with.

use std::sync::Arc;

use agent::RunOptions;
use llm::LanguageModel;
use studio::{Renderer, SharedScene};

use crate::turns::Turns;

/// A model that was opened for an agent.
#[derive(Clone)]
pub struct OpenedModel {
    /// Its id.
    pub id: Arc<str>,
    /// The model.
    pub model: Arc<dyn LanguageModel>,
}

/// Opens the model with this id, or that of the session. The error says which models there are.
pub type OpenModel = Arc<dyn Fn(Option<&str>) -> Result<OpenedModel, String> + Send + Sync>;

/// What the agents of a session work with.
pub struct Bench {
    /// The live scene.
    pub(crate) scene: Arc<SharedScene>,
    /// Draws their pictures.
    pub(crate) renderer: Renderer,
    /// Opens their models.
    pub(crate) open: OpenModel,
    /// The options of their runs.
    pub(crate) options: RunOptions,
    /// Who works at the moment.
    pub(crate) turns: Turns,
}

impl Bench {
    /// A bench at which nobody works.
    pub fn new(
        scene: Arc<SharedScene>,
        renderer: Renderer,
        open: OpenModel,
        options: RunOptions,
    ) -> Self {
        Self { scene, renderer, open, options, turns: Turns::default() }
    }
}
