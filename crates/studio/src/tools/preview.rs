//! `render_preview`: the picture itself, for a model that sees.

use std::sync::Arc;

use agent::{Access, Tool, ToolOutput};
use async_trait::async_trait;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use llm::Part;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::job::{Denoise, Job};
use crate::picture::Format;
use crate::render::{RenderFault, Renderer};
use crate::shared::SharedScene;
use crate::viewpoint::Viewpoint;

/// `render_preview`: the picture itself, for a model that sees.
pub(super) struct RenderPreview {
    pub(super) scene: Arc<SharedScene>,
    pub(super) renderer: Renderer,
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
                "width": { "type": "integer",
                    "description": format!("Pixels, 16 to {MAX_PREVIEW_SIDE}, default 400.") },
                "height": { "type": "integer", "description": "Default 300." },
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
