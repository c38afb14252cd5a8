//! How a stage is laid out around what it shows.

use glam::DVec3;
use scene::{Camera, Edit, Projection};

use crate::arrange::look::Framing;
use crate::solid::Solid;
use crate::space::Space;

use super::edits::{camera_edit, rounded};
use super::ground::is_ground;
use super::own::{is_staged, own};

/// From what is shown to the camera: 35 degrees to the right of the front, 27 above the horizon.
pub(super) const TO_CAMERA: DVec3 = DVec3::new(0.511_060_2, 0.453_990_5, 0.729_869_8);
/// Vertical field of view in degrees. Half of it is far less than the camera looks down, so that the picture
/// ends well before the horizon and the edges of most floors.
pub(super) const VFOV: f64 = 30.0;
/// The share of the picture left free around.
const MARGIN: f64 = 0.26;
/// Width over height that the picture is sure to have; most windows are wider.
const ASPECT: f64 = 1.15;
/// Of what is larger only the middle is framed, where all there is is a ground.
const MAX_GROUND_SIZE: f64 = 8.0;
/// How much farther what is shown may reach, into the margin, before the camera steps back: for a composed picture,
/// each move is one too many.
const LOOSE: f64 = 1.2;
/// The share of the picture below which the camera steps nearer.
const TIGHT: f64 = 0.4;
/// Relative to the size: what rounding does to the numbers of a document.
const TOLERANCE: f64 = 1e-3;

/// Where the camera looks, and half the height of its picture there, in metres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Fit {
    pub(super) target: DVec3,
    pub(super) size: f64,
    /// The height of the ground; told by what stands on it, not by the parts.
    pub(super) floor: f64,
}

impl Fit {
    pub(super) fn agrees(&self, other: &Self) -> bool {
        let near = TOLERANCE * self.size;
        (self.size - other.size).abs() <= near && self.target.distance(other.target) <= 4.0 * near
    }

    /// The ground does not tell how high the camera looks.
    pub(super) fn agrees_on_ground(&self, ground: &Self) -> bool {
        self.agrees(&Self { target: ground.target.with_y(self.target.y), ..*ground })
    }

    /// Whether a picture by this fit shows what `other` would, neither cut nor tiny, and the ground is where
    /// it has to be.
    pub(super) fn shows(&self, other: &Self) -> bool {
        let reach = self.target.distance(other.target) + other.size;
        reach <= LOOSE * self.size && other.size >= TIGHT * self.size
    }

    fn distance(&self) -> f64 {
        self.size / (0.5 * VFOV).to_radians().tan()
    }

    /// The fit of a camera that stands as those of a stage do.
    pub(super) fn of_camera(camera: &Camera) -> Option<Self> {
        let target = DVec3::from(camera.look_at.get());
        let way = DVec3::from(camera.center.get()) - target;
        let stands_so = way.normalize().distance(TO_CAMERA) < TOLERANCE
            && camera.projection == Projection::Perspective
            && camera.vfov.get() == VFOV
            && camera.aperture.get() == 0.0;
        let size = way.length() * (0.5 * VFOV).to_radians().tan();
        stands_so.then_some(Self { target, size, floor: 0.0 })
    }

    pub(super) fn camera_edit(&self) -> Option<Edit> {
        let center = rounded(self.target + TO_CAMERA * self.distance(), self.size);
        let camera = serde_json::json!({
            "center": center, "look_at": self.target.to_array(), "vfov": VFOV,
        });
        camera_edit(&Camera::from_json(&camera).ok()?)
    }
}

/// The fit of what is to be seen in `space`: all shapes but the stage's own and grounds, which count only
/// when there is nothing else.
pub(super) fn fit_around(space: &Space<'_>) -> Option<Fit> {
    let things = || own(space).filter(|body| !is_ground(space, body)).map(|body| &body.solid);
    let thing = Solid::union(things());
    let is_thing = thing.is_some();
    let solid = thing.or_else(|| {
        Solid::union(
            space.shapes().filter(|(_, body)| !is_staged(body)).map(|(_, body)| &body.solid),
        )
    })?;
    let framing =
        Framing { forward: -TO_CAMERA, vfov_degrees: VFOV, margin: MARGIN, aspect: ASPECT };
    let [center, target] = framing.of(&solid).ok()?.map(DVec3::from);
    let size = center.distance(target) * (0.5 * VFOV).to_radians().tan();
    let (target, size) = if is_thing || size <= MAX_GROUND_SIZE {
        (target, size)
    } else {
        (solid.extent().center(), MAX_GROUND_SIZE)
    };
    let (low, height) = (solid.extent().min.y, solid.extent().size().y);
    // What hovers a little is meant to stand at y = 0, where the next things will.
    let floor = if (0.0..=height).contains(&low) { 0.0 } else { low };
    // A flat thing on the ground must not lie in the ground's own plane.
    let gap = if space.shapes().any(|(_, body)| body.solid.is_flat()) { 2e-3 * size } else { 0.0 };
    let [target_x, target_y, target_z] = rounded(target, size);
    let target = DVec3::new(target_x, target_y, target_z);
    let [size, floor, _] = rounded(DVec3::new(size, floor - gap, 0.0), size);
    (size > 0.0 && size.is_finite()).then_some(Fit { target, size, floor })
}
