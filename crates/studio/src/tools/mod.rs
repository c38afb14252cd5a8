//! The scene's tools for the model: edits, computed placement, queries, checks, pictures.

mod change;
mod check;
mod describe;
mod lamps;
mod light;
mod objects;
mod portrait;
mod preview;
mod read;

use std::sync::Arc;

use agent::{Tool, Toolbox};
use scene::edit_tools;
use spatial::{computed_tools, question_tools};

use crate::render::Renderer;
use crate::shared::{Author, SharedScene};

pub use check::findings;

use change::ChangeTool;
use check::CheckScene;
use describe::Describe;
use objects::FindObjects;
use preview::RenderPreview;
use read::{GetSceneState, QuestionTool};

/// The tools of one scene, for the model or for an agent that acts for the user.
pub fn toolbox(scene: &Arc<SharedScene>, renderer: &Renderer, by: Author) -> Toolbox {
    let scene = || Arc::clone(scene);
    let mut tools: Vec<Arc<dyn Tool>> = Vec::new();
    for spec in edit_tools().iter().chain(computed_tools()) {
        tools.push(Arc::new(ChangeTool { spec, scene: scene(), by }));
    }
    for spec in question_tools() {
        tools.push(Arc::new(QuestionTool { spec, scene: scene() }));
    }
    tools.push(Arc::new(CheckScene { scene: scene(), renderer: renderer.clone() }));
    tools.push(Arc::new(FindObjects));
    tools.push(Arc::new(Describe));
    tools.push(Arc::new(GetSceneState { scene: scene() }));
    tools.push(Arc::new(RenderPreview { scene: scene(), renderer: renderer.clone() }));
    Toolbox::new(tools)
}
