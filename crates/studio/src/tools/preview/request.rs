//! What `render_preview` is asked for.

use std::sync::Arc;
use std::time::Duration;

use scene::{Assets, Camera, Id, Scene};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::job::{Denoise, Job};
use crate::tools::portrait::Marks;
use crate::viewpoint::{Side, Viewpoint, close_up};

/// The longest side of a view in pixels: enough to judge a scene, with few tokens.
pub(super) const MAX_PREVIEW_SIDE: u32 = 1024;
/// The most views of one picture.
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
pub(super) struct RenderPreviewArgs {
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
    pub(super) auto_exposure: bool,
    seconds: Option<f64>,
    /// Seconds into the animation.
    at_time: Option<f64>,
    /// A private look: properties of the camera in place of the scene's. Not declared to models, which move the
    /// scene's camera or name views.
    pub(super) camera: Option<Map<String, Value>>,
}

/// One view: its title, and the scene with its camera.
pub(super) struct Shot {
    pub(super) title: String,
    pub(super) scene: Arc<Scene>,
}

impl RenderPreviewArgs {
    pub(super) fn wanted(&self) -> [u32; 2] {
        [self.width.unwrap_or(400), self.height.unwrap_or(300)]
    }

    /// A requested size is kept; the picture gets fewer samples instead.
    pub(super) fn keeps_size(&self) -> bool {
        self.id_colours || self.width.is_some() || self.height.is_some()
    }

    pub(super) fn marks(&self) -> Marks {
        Marks { labels: self.labels, id_colours: self.id_colours }
    }

    /// The scene at the time and by the camera that are asked for.
    pub(super) fn seen(
        &self,
        scene: &Arc<Scene>,
        assets: &dyn Assets,
    ) -> Result<Arc<Scene>, String> {
        let scene = match self.at_time {
            Some(time) => at_time(scene, time, assets)?,
            None => Arc::clone(scene),
        };
        self.camera.as_ref().map_or(Ok(Arc::clone(&scene)), |look| seen_by(&scene, look))
    }

    pub(super) fn checked_seconds(&self) -> Result<f64, String> {
        let seconds = self.seconds.unwrap_or(SECONDS);
        if !(seconds.is_finite() && seconds > 0.0) {
            return Err(format!(
                "render_preview property 'seconds' must be above 0, at most {MAX_SECONDS}, got {seconds}"
            ));
        }
        Ok(seconds.clamp(0.1, MAX_SECONDS))
    }

    pub(super) fn job(&self, shot: &Shot, [width, height]: [u32; 2], time: Duration) -> Job {
        let samples = match (self.id_colours, self.seconds) {
            (true, _) => COLOUR_SAMPLES,
            (false, None) => PREVIEW_SAMPLES,
            (false, Some(_)) => PATIENT_SAMPLES,
        };
        let denoise = if self.id_colours { Denoise::None } else { Denoise::Builtin };
        let time_limit = Some(time);
        let scene = Arc::clone(&shot.scene);
        Job { width, height, samples, time_limit, denoise, aovs: true, ..Job::of(scene) }
    }
}

/// The size of a view, scaled down if it is too large.
pub(super) fn checked_size(asked: [u32; 2]) -> Result<[u32; 2], String> {
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
pub(super) fn shots(
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
