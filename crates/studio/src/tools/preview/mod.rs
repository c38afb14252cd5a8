//! `render_preview`: a picture for models with vision, and a description in words.

mod request;

use std::sync::Arc;
use std::time::{Duration, Instant};

use agent::{Access, Tool, ToolOutput};
use async_trait::async_trait;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use llm::Part;
use serde_json::{Value, json};

use crate::job::Job;
use crate::look::Look;
use crate::picture::{Format, automatic_exposure, exposed};
use crate::render::Renderer;
use crate::shared::{Author, SharedScene};
use crate::sheet;
use crate::tools::portrait::Portrait;
use crate::viewpoint::Viewpoint;

use request::{MAX_PREVIEW_SIDE, RenderPreviewArgs, Shot, checked_size, shots};

/// `render_preview`.
pub(super) struct RenderPreview {
    pub(super) scene: Arc<SharedScene>,
    pub(super) renderer: Renderer,
    /// Who asks.
    pub(super) by: Author,
}

/// The longest side of a sheet of several views; providers scale larger ones down.
const MAX_SHEET_SIDE: u32 = 1600;
/// The picture by which the time is found is smaller by this factor a side.
const PROBE: u32 = 8;
/// Samples a pixel that a picture should get; it is made smaller until it does, down to this longer side.
const MIN_SAMPLES: f64 = 6.0;
const MIN_SIDE_IN_TIME: f64 = 256.0;

#[async_trait]
impl Tool for RenderPreview {
    fn name(&self) -> &str {
        "render_preview"
    }

    fn description(&self) -> &str {
        "Renders one view, or several on one sheet, and tells what is seen where and the \
         exposure."
    }

    fn parameters(&self) -> Arc<Value> {
        json!({
            "type": "object",
            "properties": {
                "width": { "type": "integer" },
                "height": { "type": "integer" },
                "views": { "type": "array", "items": { "type": "string", "enum": Viewpoint::NAMES } },
                "close_up": { "type": "array", "items": { "type": "string" },
                    "description": "Ids to see from near; from as in frame." },
                "from": { "type": "string" },
                "from_height": { "type": "number", "description": "The eye's y in metres." },
                "labels": { "type": "boolean" },
                "id_colours": { "type": "boolean", "description": "Flat colours and a legend." },
                "auto_exposure": { "type": "boolean" },
                "at_time": { "type": "number" },
                "seconds": { "type": "number", "description": "Default 2, most 30." },
            },
        }).into()
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
            scene::form::from_value(&args).map_err(|error| format!("render_preview: {error}"))?;
        let wanted = args.wanted();
        let asked = checked_size(wanted)?;
        let (revision, assets) = self.scene.with_assets();
        let scene = args.seen(&revision.scene, &*assets)?;
        let shots = shots(&args, &scene, &*assets, asked)?;
        let seconds = args.checked_seconds()?;
        let _turn = match self.by {
            Author::Model => {
                Some(self.renderer.turn_of_model().await.map_err(|error| error.to_string())?)
            }
            Author::User => None,
        };
        let fitted = fitting(asked, shots.len());
        let size = match args.keeps_size() {
            true => fitted,
            false => self.affordable(&shots, fitted, seconds).await?,
        };
        let each = Duration::from_secs_f64(seconds / shots.len() as f64);
        let jobs = shots.iter().map(|shot| args.job(shot, size, each)).collect();
        let titles: Vec<String> = shots.into_iter().map(|shot| shot.title).collect();
        let (named, marks, auto_exposure) = (titles.clone(), args.marks(), args.auto_exposure);
        let started = Instant::now();
        let work = move |mut looks: Vec<Look>| {
            let automatic = looks.first().and_then(|look| automatic_exposure(&look.image));
            if auto_exposure {
                let stops = automatic.unwrap_or(0.0);
                looks.iter_mut().for_each(|look| look.image = exposed(&look.image, stops));
            }
            (Portrait::of(&looks, named, marks, &*assets), automatic)
        };
        let (portrait, automatic) = self
            .renderer
            .looks(self.scene.render_client(), jobs, work)
            .await
            .map_err(|error| error.to_string())?;
        let format = if marks.id_colours { Format::Png } else { Format::Jpeg };
        let picture = portrait.encode(format).map_err(|error| error.to_string())?;
        let exposure = f64::from(revision.scene.camera.exposure.get() as f32);
        let tenths = |stops: f64| (10.0 * stops).round() / 10.0 + 0.0;
        let mut result = json!({
            "revision": revision.number,
            "width": size[0],
            "height": size[1],
            "samples": portrait.samples.round() as u64,
            "elapsed_ms": started.elapsed().as_millis() as u64,
            "views": titles,
            "seen": portrait.seen,
        });
        if let Some(why) = why_smaller(wanted, fitted, size) {
            result["smaller"] = why.into();
        }
        result["exposure"] = json!({
            "camera": tenths(exposure),
            "automatic": automatic.map(|more| tenths(exposure + f64::from(more))),
        });
        if args.camera.is_some() {
            result["camera"] = scene.camera.to_json();
        }
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

/// Why a view is smaller than it was asked for.
fn why_smaller(wanted: [u32; 2], fitted: [u32; 2], size: [u32; 2]) -> Option<String> {
    if fitted != size {
        return Some("to fit the time; give it more seconds".to_owned());
    }
    (wanted != size).then(|| {
        format!("a view has at most {MAX_PREVIEW_SIDE} pixels a side, a sheet {MAX_SHEET_SIDE}")
    })
}

impl RenderPreview {
    /// The size of each view that can be traced in time, at most `asked`, measured by a small
    /// picture.
    async fn affordable(
        &self,
        shots: &[Shot],
        asked: [u32; 2],
        seconds: f64,
    ) -> Result<[u32; 2], String> {
        let Some(first) = shots.first() else { return Ok(asked) };
        let small = asked.map(|side| side.div_ceil(PROBE));
        let probe = Job {
            width: small[0],
            height: small[1],
            samples: 1,
            aovs: true,
            ..Job::of(Arc::clone(&first.scene))
        };
        let client = self.scene.render_client();
        let time = |looks: Vec<Look>| looks.first().map(|look| look.traced);
        let spent = self.renderer.looks(client, vec![probe], time).await;
        let spent = spent.map_err(|error| error.to_string())?.unwrap_or_default();
        let pixels = |size: [u32; 2]| f64::from(size[0]) * f64::from(size[1]);
        let each = spent.as_secs_f64() / pixels(small);
        Ok(smaller(asked, seconds / shots.len() as f64 / each.max(1e-12)))
    }
}

/// The size `asked`, or a smaller one if only this many samples can be traced.
fn smaller(asked: [u32; 2], samples: f64) -> [u32; 2] {
    let pixels = f64::from(asked[0]) * f64::from(asked[1]);
    let share = samples / (MIN_SAMPLES * pixels);
    let least = MIN_SIDE_IN_TIME / f64::from(asked[0].max(asked[1]));
    let factor = share.sqrt().max(least);
    match factor < 1.0 {
        true => asked.map(|side| ((f64::from(side) * factor).round() as u32).max(16)),
        false => asked,
    }
}

/// The size of each of `count` views: as requested, or scaled down if the sheet would be too large.
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
    fn a_picture_is_made_smaller_until_it_can_be_traced_in_time() {
        assert_eq!(smaller([800, 600], 1e9), [800, 600]);
        // A quarter of the samples gives half the size.
        assert_eq!(smaller([800, 600], 6.0 * 800.0 * 600.0 / 4.0), [400, 300]);
        assert_eq!(smaller([800, 600], 0.0), [256, 192]);
        assert_eq!(smaller([100, 80], 0.0), [100, 80]);
    }

    #[test]
    fn views_shrink_until_their_sheet_fits() {
        assert_eq!(fitting([400, 300], 6), [400, 300]);
        assert_eq!(fitting([1024, 768], 1), [1024, 768]);
        assert_eq!(fitting([1024, 768], 4), [800, 600]);
        assert_eq!(fitting([1024, 16], 9), [1024, 16]);
    }
}
