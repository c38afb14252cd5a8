//! The lens of the camera: aperture, focal length, what is in focus.

use glam::DVec3;
use serde_json::json;

use crate::frames::{Amount, Dimension, Frame};

use super::planner::{Done, Planner, Remark, Stopped};

/// Half the height of a frame of 35 mm film, in metres: what focal lengths are told for.
const HALF_FRAME: f64 = 0.012;

impl Planner<'_> {
    /// "f/2.8", "an 85 mm lens", "set the focus to the vase".
    pub(super) fn set_lens(&mut self, frame: &Frame, subjects: &[String]) -> Done {
        self.settle_view();
        let scene = self.scene();
        let camera = &scene.camera;
        let (center, look_at) =
            (DVec3::from(camera.center.get()), DVec3::from(camera.look_at.get()));
        let mut args = json!({ "center": center.to_array(), "look_at": look_at.to_array() });
        let told = match frame.to {
            Some(Amount::Plain(value) | Amount::Metres(value)) if value > 0.0 => Some(value),
            Some(_) => None,
            None if frame.dimension == Some(Dimension::Focus) && !subjects.is_empty() => Some(0.0),
            None => None,
        };
        let Some(value) = told else {
            let what = "Tell me a number, such as f/2.8, an 85 mm lens or a focus distance of 2 m.";
            return Err(Stopped(Remark::Question(what.into())));
        };
        match (frame.dimension, frame.to) {
            // A number alone is the ratio of focal length and aperture.
            (Some(Dimension::Aperture), Some(Amount::Plain(ratio))) => {
                let focal = HALF_FRAME / (0.5 * camera.vfov.get()).to_radians().tan();
                args["aperture"] = json!(focal / ratio);
            }
            (Some(Dimension::Aperture), _) => args["aperture"] = json!(value),
            (Some(Dimension::Focal), to) => {
                // Nobody has a lens of whole metres: the number is in millimetres.
                let focal = if matches!(to, Some(Amount::Plain(_))) { value / 1e3 } else { value };
                let vfov = 2.0 * (HALF_FRAME / focal).atan().to_degrees();
                args["vfov"] = json!(vfov.clamp(2.0, 150.0));
            }
            (Some(Dimension::Focus), Some(_)) => args["focus_distance"] = json!(value),
            _ => {}
        }
        if let Some(extent) = self.state().world().extent_of(subjects) {
            let forward = (look_at - center).normalize_or(DVec3::NEG_Z);
            args["focus_distance"] = json!((extent.center() - center).dot(forward).max(0.05));
        }
        self.call("set_camera", args).map(drop)
    }

    /// "one stop brighter", "exposure -1": light of the picture as a whole, in stops.
    pub(super) fn set_exposure(&mut self, frame: &Frame) -> Done {
        let scene = self.scene();
        let camera = &scene.camera;
        let stops = |amount: Amount| match amount {
            Amount::Plain(stops) | Amount::Times(stops) => stops,
            Amount::Degree(degree) => 0.7 * degree,
            _ => 1.0,
        };
        let by =
            frame.amount.map_or(0.7, stops) * if frame.more == Some(false) { -1.0 } else { 1.0 };
        let exposure = frame.to.map_or(camera.exposure.get() + by, stops).clamp(-20.0, 20.0);
        let args = json!({ "center": camera.center.get(), "look_at": camera.look_at.get(),
            "exposure": exposure });
        self.call("set_camera", args).map(drop)
    }

    /// A shallow depth of field around something, or none.
    pub(super) fn blur(&mut self, blur: bool, ids: &[String]) -> Done {
        self.settle_view();
        let state = self.state();
        let world = state.world();
        let scene = world.scene;
        let camera = &scene.camera;
        let (center, look_at) =
            (DVec3::from(camera.center.get()), DVec3::from(camera.look_at.get()));
        let focus = self.context.focus.first().cloned().unwrap_or_default();
        let middle = |ids: &[String]| world.extent_of(ids).map(|extent| extent.center());
        let goal = middle(ids).or_else(|| middle(&focus)).unwrap_or(look_at);
        let forward = (look_at - center).normalize_or(DVec3::NEG_Z);
        let distance = (goal - center).dot(forward).max(0.05);
        let args = match blur {
            true => json!({ "center": center.to_array(), "look_at": look_at.to_array(),
                "aperture": 0.06 * distance, "focus_distance": distance }),
            false => {
                json!({ "center": center.to_array(), "look_at": look_at.to_array(), "aperture": 0.0 })
            }
        };
        self.call("set_camera", args).map(drop)
    }

    /// Before the lens is set: what this message made is framed, since the lens is for where the camera will stand.
    fn settle_view(&mut self) {
        if self.camera_told || self.made.is_empty() {
            return;
        }
        let state = self.state();
        let world = state.world();
        match world.contents().all(|thing| self.made.contains(&thing.id)) {
            true => self.show_all(world, "corner"),
            false => self.keep_in_view(),
        }
    }
}
