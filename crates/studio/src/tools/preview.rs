//! `render_preview`: a picture for models with vision, and a description in words.

use std::sync::Arc;
use std::time::{Duration, Instant};

use agent::{Access, Tool, ToolOutput};
use async_trait::async_trait;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use llm::Part;
use scene::{Assets, Id, Scene};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::job::{Denoise, Job};
use crate::look::Look;
use crate::picture::Format;
use crate::render::Renderer;
use crate::shared::SharedScene;
use crate::sheet;
use crate::tools::portrait::{Marks, Portrait};
use crate::viewpoint::{Viewpoint, close_up};

/// `render_preview`.
pub(super) struct RenderPreview {
    pub(super) scene: Arc<SharedScene>,
    pub(super) renderer: Renderer,
}

/// The longer side of a view for the model in pixels: enough to judge a scene, few tokens.
const MAX_PREVIEW_SIDE: u32 = 1024;
/// The longer side of a sheet of several views; providers shrink what is larger.
const MAX_SHEET_SIDE: u32 = 1600;
/// Views of one picture.
const MAX_VIEWS: usize = 9;
/// Samples per pixel of a picture for the model, of one that it gives more time, and of one with flat colours.
const PREVIEW_SAMPLES: u32 = 32;
const PATIENT_SAMPLES: u32 = 1024;
const COLOUR_SAMPLES: u32 = 4;
/// Seconds that all views together may be traced, unless others are asked for, and the most of these.
const SECONDS: f64 = 2.0;
const MAX_SECONDS: f64 = 30.0;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RenderPreviewArgs {
    width: Option<u32>,
    height: Option<u32>,
    #[serde(default)]
    views: Vec<Viewpoint>,
    #[serde(default)]
    close_up: Vec<String>,
    #[serde(default)]
    labels: bool,
    #[serde(default)]
    id_colours: bool,
    seconds: Option<f64>,
}

/// One view: its title, and the scene with its camera.
struct Shot {
    title: String,
    scene: Arc<Scene>,
}

#[async_trait]
impl Tool for RenderPreview {
    fn name(&self) -> &str {
        "render_preview"
    }

    fn description(&self) -> &str {
        "Renders one view, or several on one sheet, and tells what is seen where. It takes two seconds."
    }

    fn parameters(&self) -> Value {
        json!({
            "type": "object",
            "properties": {
                "width": { "type": "integer" },
                "height": { "type": "integer" },
                "views": { "type": "array", "items": { "type": "string", "enum": Viewpoint::NAMES } },
                "close_up": { "type": "array", "items": { "type": "string" },
                    "description": "Ids to see from near." },
                "labels": { "type": "boolean", "description": "Write ids at things." },
                "id_colours": { "type": "boolean", "description": "Flat colours and a legend." },
                "seconds": { "type": "number", "description": "For all views, default 2, most 30." },
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
        let asked = [args.width.unwrap_or(400), args.height.unwrap_or(300)];
        let asked = checked_size(asked)?;
        let (revision, assets) = self.scene.with_assets();
        let shots = shots(&args, &revision.scene, &*assets, asked)?;
        let [width, height] = fitting(asked, shots.len());
        let marks = Marks { labels: args.labels, id_colours: args.id_colours };
        let seconds = args.seconds.unwrap_or(SECONDS);
        if !(seconds.is_finite() && seconds > 0.0) {
            return Err(format!(
                "render_preview property 'seconds' must be above 0, at most {MAX_SECONDS}, got {seconds}"
            ));
        }
        let seconds = seconds.clamp(0.1, MAX_SECONDS);
        let samples = match (marks.id_colours, args.seconds) {
            (true, _) => COLOUR_SAMPLES,
            (false, None) => PREVIEW_SAMPLES,
            (false, Some(_)) => PATIENT_SAMPLES,
        };
        let time_limit = Some(Duration::from_secs_f64(seconds / shots.len() as f64));
        let denoise = if marks.id_colours { Denoise::None } else { Denoise::Builtin };
        let job = |shot: &Shot| Job {
            width,
            height,
            samples,
            time_limit,
            denoise,
            aovs: true,
            ..Job::of(Arc::clone(&shot.scene))
        };
        let jobs = shots.iter().map(job).collect();
        let titles: Vec<String> = shots.into_iter().map(|shot| shot.title).collect();
        let named = titles.clone();
        let started = Instant::now();
        let work = move |looks: Vec<Look>| Portrait::of(&looks, named, marks, &*assets);
        let portrait = self.renderer.looks(self.scene.render_client(), jobs, work).await;
        let portrait = portrait.map_err(|error| error.to_string())?;
        let format = if marks.id_colours { Format::Png } else { Format::Jpeg };
        let picture = portrait.encode(format).map_err(|error| error.to_string())?;
        let mut result = json!({
            "revision": revision.number,
            "width": width,
            "height": height,
            "samples": portrait.samples.round() as u64,
            "elapsed_ms": started.elapsed().as_millis() as u64,
            "views": titles,
            "seen": portrait.seen,
        });
        if let Some(legend) = portrait.legend {
            result["id_colours"] = legend;
        }
        if portrait.unlabelled > 0 {
            result["unlabelled"] = portrait.unlabelled.into();
        }
        let pictures = vec![Part::inline_data(format.mime_type(), STANDARD.encode(picture))];
        Ok(ToolOutput { pictures, ..ToolOutput::success(result) })
    }
}

/// The size of a view, smaller in proportion where it is too large.
fn checked_size(asked: [u32; 2]) -> Result<[u32; 2], String> {
    const MIN_SIDE: u32 = 16;
    for (name, side) in ["width", "height"].into_iter().zip(asked) {
        if side < MIN_SIDE {
            return Err(format!(
                "render_preview property '{name}' must be from {MIN_SIDE} to {MAX_PREVIEW_SIDE} pixels, got {side}"
            ));
        }
    }
    let longest = asked[0].max(asked[1]);
    if longest <= MAX_PREVIEW_SIDE {
        return Ok(asked);
    }
    let factor = f64::from(MAX_PREVIEW_SIDE) / f64::from(longest);
    Ok(asked.map(|side| ((f64::from(side) * factor) as u32).max(MIN_SIDE)))
}

/// The requested views, then the close-ups; by default, the scene's own camera.
fn shots(
    args: &RenderPreviewArgs,
    scene: &Arc<Scene>,
    assets: &dyn Assets,
    [width, height]: [u32; 2],
) -> Result<Vec<Shot>, String> {
    let count = args.views.len() + args.close_up.len();
    if count > MAX_VIEWS {
        return Err(format!(
            "render_preview takes at most {MAX_VIEWS} of 'views' and 'close_up' together, got {count}"
        ));
    }
    let aspect = f64::from(width) / f64::from(height);
    let own = [Viewpoint::Camera];
    let views = if count == 0 { &own[..] } else { &args.views };
    let mut shots: Vec<Shot> = views
        .iter()
        .map(|view| Shot {
            title: view.name().to_owned(),
            scene: view.seen_from(scene, assets, aspect),
        })
        .collect();
    let mut errors = Vec::new();
    for id in &args.close_up {
        let near = Id::new(id).ok_or_else(|| format!("'{id}' is no id"));
        let near = near.and_then(|id| {
            close_up(scene, assets, &id, aspect).map_err(|violations| violations.to_string())
        });
        match near {
            Ok(scene) => shots.push(Shot { title: format!("close-up of {id}"), scene }),
            Err(error) => errors.push(format!("render_preview property 'close_up': {error}")),
        }
    }
    if errors.is_empty() { Ok(shots) } else { Err(errors.join("; ")) }
}

/// The size of each of `count` views: as asked, or smaller in proportion where the sheet would be too
/// large.
fn fitting([width, height]: [u32; 2], count: usize) -> [u32; 2] {
    let count = u32::try_from(count).unwrap_or(1).max(1);
    let columns = sheet::columns(count, [width, height]);
    let longest = (columns * width).max(count.div_ceil(columns) * height);
    if longest <= MAX_SHEET_SIDE {
        return [width, height];
    }
    [width, height].map(|side| (side * MAX_SHEET_SIDE / longest).max(16))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_shrink_until_their_sheet_fits() {
        assert_eq!(fitting([400, 300], 6), [400, 300]);
        assert_eq!(fitting([1024, 768], 1), [1024, 768]);
        assert_eq!(fitting([1024, 768], 4), [800, 600]);
        assert_eq!(fitting([1024, 16], 9), [1024, 16]);
    }
}
