//! The scene's tools for the model: edits, placing by computation, questions, checks, pictures.

mod change;
mod check;
mod light;
mod objects;
mod portrait;
mod preview;
mod read;

use std::sync::Arc;

use agent::{Tool, Toolbox};
use scene::edit_tools;
use spatial::{computed_tools, question_tools};

use crate::presets::ListPresets;
use crate::render::Renderer;
use crate::shared::SharedScene;
use crate::textures::ListTextures;

pub use check::findings;

use change::ChangeTool;
use check::CheckScene;
use objects::FindObjects;
use preview::RenderPreview;
use read::{GetSceneState, QuestionTool};

/// The tools of one scene.
pub fn toolbox(scene: &Arc<SharedScene>, renderer: &Renderer) -> Toolbox {
    let scene = || Arc::clone(scene);
    let mut tools: Vec<Arc<dyn Tool>> = Vec::new();
    for spec in edit_tools().iter().chain(computed_tools()) {
        tools.push(Arc::new(ChangeTool { spec, scene: scene() }));
    }
    for spec in question_tools() {
        tools.push(Arc::new(QuestionTool { spec, scene: scene() }));
    }
    tools.push(Arc::new(CheckScene { scene: scene(), renderer: renderer.clone() }));
    tools.push(Arc::new(FindObjects));
    tools.push(Arc::new(ListPresets));
    tools.push(Arc::new(ListTextures));
    tools.push(Arc::new(GetSceneState { scene: scene() }));
    tools.push(Arc::new(RenderPreview { scene: scene(), renderer: renderer.clone() }));
    Toolbox::new(tools)
}
