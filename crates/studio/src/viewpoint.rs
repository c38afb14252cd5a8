//! Viewpoints of pictures for the model.

use std::sync::Arc;

use glam::DVec3;
use scene::{Assets, Camera, Id, Scene, Violations};
use serde::{Deserialize, Serialize};
use serde_json::json;
use spatial::{Cast, Framing, From, Solid, Space, Unit};

/// A named viewpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Viewpoint {
    /// The scene's own camera.
    Camera,
    /// From +z, the whole scene in view.
    Front,
    /// From -z.
    Back,
    /// From -x.
    Left,
    /// From +x.
    Right,
    /// From above.
    Top,
}

/// The framing of the whole scene: a narrow field of view, so that near objects occlude little.
const WHOLE: Framing =
    Framing { forward: DVec3::NEG_Z, vfov_degrees: 20.0, margin: 0.06, aspect: spatial::ASPECT };
/// The framing of one object, with a margin for its surroundings.
const CLOSE: Framing = Framing { vfov_degrees: 40.0, margin: 0.35, ..WHOLE };

impl Viewpoint {
    /// The names of viewpoints in tool arguments.
    pub const NAMES: [&'static str; 6] = ["camera", "front", "back", "left", "right", "top"];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// `scene` with the camera at this viewpoint, for a picture with this aspect ratio. It frames
    /// all shapes, meshes with bounds known to `assets`, and flat floors and walls only if there is
    /// nothing else. Without shapes the scene's own camera stays.
    pub fn seen_from(self, scene: &Arc<Scene>, assets: &dyn Assets, aspect: f64) -> Arc<Scene> {
        let forward = match self {
            Self::Camera => return Arc::clone(scene),
            Self::Front => DVec3::NEG_Z,
            Self::Back => DVec3::Z,
            Self::Left => DVec3::X,
            Self::Right => DVec3::NEG_X,
            Self::Top => DVec3::NEG_Y,
        };
        let framed = Space::of(scene, assets)
            .contents()
            .and_then(|solid| framed(scene, &solid, &Framing { forward, aspect, ..WHOLE }));
        framed.unwrap_or_else(|| Arc::clone(scene))
    }
}

/// From where a close-up is taken.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Side {
    pub(crate) from: From,
    /// Of the camera, in metres above y = 0.
    pub(crate) height: Option<f64>,
}

impl Side {
    /// The side by its word and height; `None` if neither is given.
    pub(crate) fn of(from: Option<&str>, height: Option<f64>) -> Result<Option<Self>, String> {
        /// The largest height in metres, above or below y = 0.
        const MAX_HEIGHT: f64 = 1e6;
        let unknown = |word: &str| {
            let near = scene::read::nearest(word, From::NAMES.iter().copied());
            let known = From::NAMES.join(", ");
            format!("'from' must be one of {known}, got '{word}'; did you mean '{near}'?")
        };
        let from = match from {
            Some(word) => Some(From::named(word).ok_or_else(|| unknown(word))?),
            None => None,
        };
        match (from, height) {
            (None, None) => Ok(None),
            (Some(From::Top), Some(_)) => {
                Err("'from_height' cannot be given for a look from the top".into())
            }
            (_, Some(height)) if !height.is_finite() || height.abs() > MAX_HEIGHT => Err(format!(
                "'from_height' must be metres from -{MAX_HEIGHT} to {MAX_HEIGHT}, got {height}"
            )),
            (from, height) => Ok(Some(Self { from: from.unwrap_or(From::Current), height })),
        }
    }
}

/// `scene` with its camera framing the shape, light or group `id`: from `side`, or in the current direction if nothing
/// occludes it, but not level, else from further above, from the side or from behind.
pub(crate) fn close_up(
    scene: &Arc<Scene>,
    assets: &dyn Assets,
    id: &Id,
    aspect: f64,
    side: Option<Side>,
) -> Result<Arc<Scene>, Violations> {
    let space = Space::of(scene, assets);
    let unit = space.unit(id.as_str())?;
    let too_far = || Violations::one(format!("'{id}' is too far away to be looked at"));
    if let Some(Side { from, height }) = side {
        let mut framing = Framing { forward: from.forward(&scene.camera), aspect, ..CLOSE };
        if let Some(height) = height {
            framing = framing.at_height(&unit.solid, height)?;
        }
        return framed(scene, &unit.solid, &framing).ok_or_else(too_far);
    }
    let now = spatial::View::of(&scene.camera).forward();
    let level = now.with_y(0.0).normalize_or(DVec3::NEG_Z);
    let aside = level.cross(DVec3::Y);
    let down = DVec3::NEG_Y;
    // A level view shows little of the things on a table.
    let above = (level + 0.4 * down).normalize();
    let ways = [
        if now.y > -0.2 { above } else { now },
        now,
        (level + down).normalize(),
        (level + aside + 0.5 * down).normalize(),
        (level - aside + 0.5 * down).normalize(),
        (0.5 * down - level).normalize(),
        down,
    ];
    let mut shots = ways
        .into_iter()
        .filter_map(|forward| framed(scene, &unit.solid, &Framing { forward, aspect, ..CLOSE }))
        .peekable();
    let first = shots.peek().cloned();
    let free = shots.find(|shot| is_free(&space, &unit, &shot.camera));
    free.or(first).ok_or_else(too_far)
}

/// Whether nothing occludes the centre of the target and the camera is not inside an object;
/// transparent objects are ignored.
fn is_free(space: &Space<'_>, unit: &Unit, camera: &Camera) -> bool {
    let eye = DVec3::from(camera.center.get());
    let way = unit.solid.extent().center() - eye;
    let (way, distance) = (way.normalize_or(DVec3::NEG_Z), way.length());
    let point = Solid::point(eye);
    let reach = |solid: &Solid| match point.cast(DVec3::ZERO, way, solid, 0.0) {
        Cast::Meets => 0.0,
        Cast::After(distance) => distance,
        Cast::Never => f64::INFINITY,
    };
    // The centre of a torus is not inside it.
    let own = reach(&unit.solid).min(distance);
    let mut others = space.shapes().filter(|(at, body)| {
        let is_clear = body.shape().is_some_and(|shape| shape.material.is_clear());
        !is_clear && !unit.members.contains(at)
    });
    others.all(|(_, body)| reach(&body.solid) >= own)
}

/// `None` if there is no valid camera because numbers are too large.
fn framed(scene: &Arc<Scene>, solid: &Solid, framing: &Framing) -> Option<Arc<Scene>> {
    let [center, look_at] = framing.of(solid).ok()?;
    let camera = json!({ "center": center, "look_at": look_at, "vfov": framing.vfov_degrees });
    let camera = Camera::from_json(&camera).ok()?;
    // It shows the light as the scene's own camera does.
    let camera = Camera { exposure: scene.camera.exposure, ..camera };
    Some(Arc::new(Scene { camera, ..(**scene).clone() }))
}
