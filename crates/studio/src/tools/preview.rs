//! `render_preview`: a picture for models with vision, and a description in words.

use std::sync::Arc;
use std::time::{Duration, Instant};

use agent::{Access, Tool, ToolOutput};
use async_trait::async_trait;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use llm::Part;
use scene::{Assets, Camera, Id, Scene};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::job::{Denoise, Job};
use crate::look::Look;
use crate::picture::{Format, automatic_exposure, exposed};
use crate::render::Renderer;
use crate::shared::{Author, SharedScene};
use crate::sheet;
use crate::tools::portrait::{Marks, Portrait};
use crate::viewpoint::{Side, Viewpoint, close_up};

/// `render_preview`.
pub(super) struct RenderPreview {
    pub(super) scene: Arc<SharedScene>,
    pub(super) renderer: Renderer,
    /// Who asks.
    pub(super) by: Author,
}

/// The longest side of a view in pixels: enough to judge a scene, with few tokens.
const MAX_PREVIEW_SIDE: u32 = 1024;
/// The longest side of a sheet of several views; providers scale larger ones down.
const MAX_SHEET_SIDE: u32 = 1600;
/// The most views of one picture.
const MAX_VIEWS: usize = 9;
/// Samples per pixel of a picture for the model, of one that it gives more time, and of one with flat colours.
const PREVIEW_SAMPLES: u32 = 32;
const PATIENT_SAMPLES: u32 = 1024;
const COLOUR_SAMPLES: u32 = 4;
/// The picture by which the time is found is smaller by this factor a side.
const PROBE: u32 = 8;
/// Samples a pixel that a picture should get; it is made smaller until it does, down to this longer side.
const MIN_SAMPLES: f64 = 6.0;
const MIN_SIDE_IN_TIME: f64 = 256.0;
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
    /// The side of close-ups, and the height of the camera in metres.
    from: Option<String>,
    from_height: Option<f64>,
    #[serde(default)]
    labels: bool,
    #[serde(default)]
    id_colours: bool,
    #[serde(default)]
    auto_exposure: bool,
    seconds: Option<f64>,
    /// Seconds into the animation.
    at_time: Option<f64>,
    /// A private look: properties of the camera in place of the scene's. Not declared to models, which move the
    /// scene's camera or name views.
    camera: Option<Map<String, Value>>,
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
        "Renders one view, or several on one sheet, and tells what is seen where and the \
         exposure."
    }

    fn parameters(&self) -> Value {
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
            scene::form::from_value(&args).map_err(|error| format!("render_preview: {error}"))?;
        let wanted = [args.width.unwrap_or(400), args.height.unwrap_or(300)];
        let asked = checked_size(wanted)?;
        let (revision, assets) = self.scene.with_assets();
        let scene = match args.at_time {
            Some(time) => at_time(&revision.scene, time, &*assets)?,
            None => Arc::clone(&revision.scene),
        };
        let scene = match &args.camera {
            Some(look) => seen_by(&scene, look)?,
            None => scene,
        };
        let shots = shots(&args, &scene, &*assets, asked)?;
        let _turn = match self.by {
            Author::Model => {
                Some(self.renderer.turn_of_model().await.map_err(|error| error.to_string())?)
            }
            Author::User => None,
        };
        let fitted = fitting(asked, shots.len());
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
        // A requested size is kept; the picture gets fewer samples instead.
        let keeps_size = marks.id_colours || args.width.is_some() || args.height.is_some();
        let [width, height] = match keeps_size {
            true => fitted,
            false => self.affordable(&shots, fitted, seconds).await?,
        };
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
        let camera_exposure = f64::from(revision.scene.camera.exposure.get() as f32);
        let work = move |mut looks: Vec<Look>| {
            let automatic = looks.first().and_then(|look| automatic_exposure(&look.image));
            if args.auto_exposure {
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
        let mut result = json!({
            "revision": revision.number,
            "width": width,
            "height": height,
            "samples": portrait.samples.round() as u64,
            "elapsed_ms": started.elapsed().as_millis() as u64,
            "views": titles,
            "seen": portrait.seen,
        });
        if fitted != [width, height] {
            result["smaller"] = "to fit the time; give it more seconds".into();
        } else if wanted != [width, height] {
            let most = format!(
                "a view has at most {MAX_PREVIEW_SIDE} pixels a side, a sheet {MAX_SHEET_SIDE}"
            );
            result["smaller"] = most.into();
        }
        let tenths = |stops: f64| (10.0 * stops).round() / 10.0 + 0.0;
        result["exposure"] = json!({
            "camera": tenths(camera_exposure),
            "automatic": automatic.map(|more| tenths(camera_exposure + f64::from(more))),
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

/// The size of a view, scaled down if it is too large.
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

/// `scene` as its animation has it at `time`.
fn at_time(scene: &Scene, time: f64, assets: &dyn Assets) -> Result<Arc<Scene>, String> {
    let Some(animation) = &scene.animation else {
        return Err(
            "render_preview property 'at_time': nothing is animated; leave it out, or animate by \
                    set_animation first"
                .to_owned(),
        );
    };
    let end = animation.duration.get();
    if !(0.0..=end).contains(&time) {
        return Err(format!(
            "render_preview property 'at_time' must be from 0 to {end}, the length of the animation, got {time}"
        ));
    }
    Ok(Arc::new(scene.at_time(time, assets)))
}

/// `scene` by its camera with these properties.
fn seen_by(scene: &Arc<Scene>, look: &Map<String, Value>) -> Result<Arc<Scene>, String> {
    let mut camera = scene.camera.to_json();
    for (name, value) in look {
        camera[name] = value.clone();
    }
    let camera = Camera::from_json(&camera)
        .map_err(|errors| format!("render_preview property 'camera': {errors}"))?;
    Ok(Arc::new(Scene { camera, ..(**scene).clone() }))
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
    let side = Side::of(args.from.as_deref(), args.from_height)
        .map_err(|error| format!("render_preview property {error}"))?;
    if side.is_some() && args.close_up.is_empty() {
        return Err("render_preview properties 'from' and 'from_height' are for close-ups: name what to see in \
                    'close_up', or take 'views'"
            .into());
    }
    let mut errors = Vec::new();
    for id in &args.close_up {
        let near = Id::new(id).ok_or_else(|| format!("'{id}' is no id"));
        let near = near.and_then(|id| {
            close_up(scene, assets, &id, aspect, side).map_err(|violations| violations.to_string())
        });
        match near {
            Ok(scene) => shots.push(Shot { title: format!("close-up of {id}"), scene }),
            Err(error) => errors.push(format!("render_preview property 'close_up': {error}")),
        }
    }
    if errors.is_empty() { Ok(shots) } else { Err(errors.join("; ")) }
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
