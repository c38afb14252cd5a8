//! The scene's tools for the model: the edits of `scene`, a look at the whole, a picture.

use std::sync::Arc;

use agent::{Access, Tool, ToolOutput, Toolbox};
use async_trait::async_trait;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use llm::Part;
use scene::{Edit, ToolSpec, edit_tools};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::job::{Denoise, Job};
use crate::picture::Format;
use crate::presets::ListPresets;
use crate::render::{RenderFault, Renderer};
use crate::shared::SharedScene;
use crate::viewpoint::Viewpoint;

/// The tools of one scene.
pub fn toolbox(scene: &Arc<SharedScene>, renderer: &Renderer) -> Toolbox {
    let mut tools: Vec<Arc<dyn Tool>> = edit_tools()
        .iter()
        .map(|spec| Arc::new(EditTool { spec, scene: Arc::clone(scene) }) as Arc<dyn Tool>)
        .collect();
    tools.push(Arc::new(ListPresets));
    tools.push(Arc::new(GetSceneState { scene: Arc::clone(scene) }));
    tools.push(Arc::new(RenderPreview { scene: Arc::clone(scene), renderer: renderer.clone() }));
    Toolbox::new(tools)
}

/// A tool that changes the scene.
struct EditTool {
    spec: &'static ToolSpec,
    scene: Arc<SharedScene>,
}

#[async_trait]
impl Tool for EditTool {
    fn name(&self) -> &str {
        self.spec.name
    }

    fn description(&self) -> &str {
        &self.spec.description
    }

    fn parameters(&self) -> Value {
        self.spec.parameters.clone()
    }

    fn access(&self) -> Access {
        Access::Changes
    }

    async fn call(&self, args: Value) -> ToolOutput {
        let applied =
            Edit::parse(self.spec.name, &args).and_then(|edit| self.scene.apply_for_model(&[edit]));
        match applied {
            Ok(mut applied) => ToolOutput {
                version: Some(applied.revision.number),
                ..ToolOutput::success(applied.results.pop().unwrap_or(Value::Null))
            },
            Err(violations) => ToolOutput::failure(violations.to_string()),
        }
    }
}

/// `get_scene_state`: the whole scene in the form of the file.
struct GetSceneState {
    scene: Arc<SharedScene>,
}

#[async_trait]
impl Tool for GetSceneState {
    fn name(&self) -> &str {
        "get_scene_state"
    }

    fn description(&self) -> &str {
        "Returns the whole scene: every shape, light, the environment and the camera."
    }

    fn parameters(&self) -> Value {
        json!({ "type": "object", "properties": {} })
    }

    fn access(&self) -> Access {
        Access::Reads
    }

    async fn call(&self, args: Value) -> ToolOutput {
        if let Some(name) = args.as_object().and_then(|args| args.keys().next()) {
            return ToolOutput::failure(format!(
                "get_scene_state takes no arguments, got '{name}'"
            ));
        }
        ToolOutput::success(self.scene.current().scene.to_json())
    }
}

/// `render_preview`: the picture itself, for a model that sees.
struct RenderPreview {
    scene: Arc<SharedScene>,
    renderer: Renderer,
}

/// The longer side of a picture for the model: enough to judge a scene by, few tokens.
const MAX_PREVIEW_SIDE: u32 = 1024;
/// Samples per pixel of a picture for the model.
const PREVIEW_SAMPLES: u32 = 32;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RenderPreviewArgs {
    width: Option<u32>,
    height: Option<u32>,
    views: Option<Vec<Viewpoint>>,
}

#[async_trait]
impl Tool for RenderPreview {
    fn name(&self) -> &str {
        "render_preview"
    }

    fn description(&self) -> &str {
        "Renders the scene and shows you the picture. Takes about a second for each view; use it \
         when the look matters."
    }

    fn parameters(&self) -> Value {
        json!({
            "type": "object",
            "properties": {
                "width": { "type": "integer", "minimum": 16, "maximum": MAX_PREVIEW_SIDE,
                    "description": "Pixels, default 400." },
                "height": { "type": "integer", "minimum": 16, "maximum": MAX_PREVIEW_SIDE,
                    "description": "Pixels, default 300." },
                "views": { "type": "array", "items": { "type": "string", "enum": Viewpoint::NAMES },
                    "description": "One picture each, default [\"camera\"]; the others frame the whole scene." },
            },
        })
    }

    fn access(&self) -> Access {
        Access::Reads
    }

    async fn call(&self, args: Value) -> ToolOutput {
        match self.render(args).await {
            Ok(output) => output,
            Err(error) => ToolOutput::failure(error),
        }
    }
}

impl RenderPreview {
    async fn render(&self, args: Value) -> Result<ToolOutput, String> {
        let args: RenderPreviewArgs =
            serde_json::from_value(args).map_err(|error| format!("render_preview: {error}"))?;
        let (width, height) = (args.width.unwrap_or(400), args.height.unwrap_or(300));
        for (name, side) in [("width", width), ("height", height)] {
            if !(16..=MAX_PREVIEW_SIDE).contains(&side) {
                return Err(format!(
                    "render_preview property '{name}' must be from 16 to {MAX_PREVIEW_SIDE} pixels, got {side}"
                ));
            }
        }
        let views = args.views.filter(|views| !views.is_empty());
        let views = views.unwrap_or_else(|| vec![Viewpoint::Camera]);
        if views.len() > Viewpoint::NAMES.len() {
            return Err(format!(
                "render_preview property 'views' may hold at most {} views, got {}",
                Viewpoint::NAMES.len(),
                views.len()
            ));
        }
        let (revision, assets) = (self.scene.current(), self.scene.assets());
        let mut pictures = Vec::with_capacity(views.len());
        for view in &views {
            let job = Job {
                width,
                height,
                samples: PREVIEW_SAMPLES,
                denoise: Denoise::Builtin,
                ..Job::of(view.seen_from(&revision.scene, &*assets))
            };
            let picture = self.renderer.render(job, Format::Jpeg).await;
            let picture = picture.map_err(|fault: RenderFault| fault.to_string())?;
            pictures.push(Part::inline_data(Format::Jpeg.mime_type(), STANDARD.encode(picture)));
        }
        let result = json!({
            "revision": revision.number,
            "width": width,
            "height": height,
            "samples": PREVIEW_SAMPLES,
            "views": views,
        });
        Ok(ToolOutput { pictures, ..ToolOutput::success(result) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attention::Attention;

    /// A token is about four characters.
    #[test]
    fn all_tools_together_take_less_than_four_thousand_tokens() {
        let scene = SharedScene::new(scene::SceneManager::default(), Attention::default());
        let toolbox = toolbox(&Arc::new(scene), &Renderer::new(1).unwrap());
        let characters: usize = toolbox
            .declarations()
            .iter()
            .map(|tool| {
                tool.name.len() + tool.description.len() + tool.parameters.to_string().len()
            })
            .sum();
        assert!(characters < 4 * 4000, "{characters} characters");
    }
}
