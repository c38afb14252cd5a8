//! From where a picture for the model is taken.

use std::sync::Arc;

use scene::{Aabb, Assets, Camera, Geometry, Scene, Vector};
use serde::{Deserialize, Serialize};
use serde_json::json;

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

/// Vertical field of view of the viewpoints that frame the whole scene, in degrees.
const FRAMING_VFOV: f64 = 40.0;

impl Viewpoint {
    /// The names tools use.
    pub const NAMES: [&'static str; 6] = ["camera", "front", "back", "left", "right", "top"];

    /// `scene` with the camera at this viewpoint. Shapes are framed, meshes where `assets` knows
    /// them; where there are none the scene's own camera stays.
    pub fn seen_from(self, scene: &Arc<Scene>, assets: &dyn Assets) -> Arc<Scene> {
        let direction = match self {
            Self::Camera => return Arc::clone(scene),
            Self::Front => [0.0, 0.0, 1.0],
            Self::Back => [0.0, 0.0, -1.0],
            Self::Left => [-1.0, 0.0, 0.0],
            Self::Right => [1.0, 0.0, 0.0],
            Self::Top => [0.0, 1.0, 0.0],
        };
        match framed(scene, assets, Vector(direction)) {
            Some(camera) => Arc::new(Scene { camera, ..(**scene).clone() }),
            None => Arc::clone(scene),
        }
    }
}

/// A camera on the side `direction` of the scene that shows all of it.
fn framed(scene: &Scene, assets: &dyn Assets, direction: Vector) -> Option<Camera> {
    let bounds = contents(scene, assets)?;
    let center = Vector(bounds.center());
    let radius = (Vector(bounds.size()).length() / 2.0).max(1e-3);
    let distance = radius / (FRAMING_VFOV / 2.0).to_radians().sin();
    let up = if direction.0[1].abs() > 0.5 { [0.0, 0.0, -1.0] } else { [0.0, 1.0, 0.0] };
    Camera::from_json(&json!({
        "center": (center + direction * distance).0,
        "look_at": center.0,
        "up": up,
        "vfov": FRAMING_VFOV,
    }))
    .ok()
}

/// The bounds of what the scene is about: flat floors and walls only count when there is nothing
/// else.
fn contents(scene: &Scene, assets: &dyn Assets) -> Option<Aabb> {
    let solid = |shape: &&Arc<scene::Shape>| {
        !matches!(shape.geometry, Geometry::Quad(_) | Geometry::Disc(_) | Geometry::Triangle(_))
    };
    let bounds = |shape: &Arc<scene::Shape>| shape.geometry.bounds_with(assets);
    scene
        .shapes
        .iter()
        .filter(solid)
        .filter_map(bounds)
        .reduce(Aabb::union)
        .or_else(|| scene.shapes.iter().filter_map(bounds).reduce(Aabb::union))
}
