//! Silhouettes: light from behind alone.

use glam::DVec3;
use serde_json::json;

use crate::plan::planner::{Done, Planner};

/// Radiance of what things stand against.
const RADIANCE: f64 = 1.1;
/// What is left of the lights that shine from elsewhere.
const LEFT: f64 = 0.01;
/// The widest pictures, as parts of their height.
const WIDEST: f64 = 2.4;
/// The panel, where it is made.
const PANEL: &str = "backlight";

impl Planner<'_> {
    /// A bright panel behind all there is, as large as the picture there; no other light.
    pub(super) fn light_from_behind(&mut self) -> Done {
        self.set_environment(&json!({ "type": "none" }))?;
        let scene = self.scene();
        let ids: Vec<String> =
            scene.lights.iter().map(|light| light.id.as_str().to_owned()).collect();
        self.map_lights(&ids, &|old| old * LEFT)?;
        if !self.camera_told {
            self.keep_in_view();
        }
        let state = self.state();
        let world = state.world();
        let contents = world.contents().map(|thing| thing.extent).reduce(spatial::Extent::union);
        let eye = self.eye();
        let goal = contents.map_or(eye.look_at, |all| all.center());
        let way = (goal - eye.center).with_y(0.0).normalize_or(DVec3::NEG_Z);
        let radius = contents.map_or(1.0, |all| 0.5 * all.size().length());
        let middle = goal + way * 1.4 * radius;
        let distance = (middle - eye.center).length();
        let high = 2.6 * distance * (0.5 * eye.vfov).to_radians().tan() + 2.0 * radius;
        let wide = WIDEST * high;
        let side = DVec3::Y.cross(way).normalize_or(DVec3::X);
        // It shines to the side of u x v: towards the camera.
        let (u, v) = (side * wide, DVec3::Y * high);
        let (u, v) = if u.cross(v).dot(way) > 0.0 { (v, u) } else { (u, v) };
        let foot = contents.map_or(0.0, |all| all.min.y) - 0.05;
        let corner = middle.with_y(foot) - side * 0.5 * wide;
        if self.scene().light(PANEL).is_some() {
            self.call("remove_light", json!({ "id": PANEL }))?;
        }
        let properties = json!({ "corner": corner.to_array(), "u": u.to_array(), "v": v.to_array(),
            "emission": [RADIANCE, RADIANCE, RADIANCE] });
        let args = json!({ "id": PANEL, "type": "area_quad_light", "properties": properties });
        self.call("create_light", args).map(drop)
    }
}
