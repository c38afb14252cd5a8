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
use crate::workspace::Workspace;

pub use check::findings;

use change::ChangeTool;
use check::CheckScene;
use describe::Describe;
use objects::FindObjects;
use preview::RenderPreview;
use read::{GetSceneState, QuestionTool};

/// The tools of one scene, for the model or for an agent that acts for the user.
pub fn toolbox(scene: &Arc<SharedScene>, renderer: &Renderer, by: Author) -> Toolbox {
    tools_within(scene, renderer, by, None)
}

/// The names of all tools of a scene.
pub fn tool_names() -> impl Iterator<Item = &'static str> {
    let specs = edit_tools().iter().chain(computed_tools()).chain(question_tools());
    let others = ["check_scene", "find_objects", "describe", "get_scene_state", "render_preview"];
    specs.map(|spec| spec.name).chain(others)
}

/// The tools of one scene for an agent that works for the model and changes only what its workspace has.
pub fn toolbox_within(
    scene: &Arc<SharedScene>,
    renderer: &Renderer,
    workspace: &Arc<Workspace>,
) -> Toolbox {
    tools_within(scene, renderer, Author::Model, Some(workspace))
}

fn tools_within(
    scene: &Arc<SharedScene>,
    renderer: &Renderer,
    by: Author,
    workspace: Option<&Arc<Workspace>>,
) -> Toolbox {
    let scene = || Arc::clone(scene);
    let mut tools: Vec<Arc<dyn Tool>> = Vec::new();
    for spec in edit_tools().iter().chain(computed_tools()) {
        let workspace = workspace.cloned();
        tools.push(Arc::new(ChangeTool { spec, scene: scene(), by, workspace }));
    }
    for spec in question_tools() {
        tools.push(Arc::new(QuestionTool { spec, scene: scene() }));
    }
    tools.push(Arc::new(CheckScene { scene: scene(), renderer: renderer.clone() }));
    tools.push(Arc::new(FindObjects { own: Arc::clone(scene().own_objects()) }));
    tools.push(Arc::new(Describe));
    tools.push(Arc::new(GetSceneState { scene: scene() }));
    tools.push(Arc::new(RenderPreview { scene: scene(), renderer: renderer.clone(), by }));
    Toolbox::new(tools)
}
