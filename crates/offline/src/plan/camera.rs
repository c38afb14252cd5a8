//! The camera.

use glam::{DQuat, DVec3};
use serde_json::{Value, json};

use crate::frames::{Amount, Dimension, Frame, Head, Phrase, Shift, Way};
use crate::resolve::Sides;

use super::planner::{Done, Planner};

/// Eye, what it looks at, opening.
#[derive(Debug, Clone, Copy)]
pub(super) struct Eye {
    pub(super) center: DVec3,
    pub(super) look_at: DVec3,
    pub(super) vfov: f64,
}

/// How far a camera leans that is told to, in degrees.
const LEANING: f64 = 14.0;

impl Planner<'_> {
    pub(super) fn eye(&self) -> Eye {
        let camera = &self.draft.scene().camera;
        Eye {
            center: camera.center.get().into(),
            look_at: camera.look_at.get().into(),
            vfov: camera.vfov.get(),
        }
    }

    pub(super) fn set_eye(&mut self, eye: Eye) -> Done {
        let old = self.eye();
        let mut args =
            json!({ "center": eye.center.to_array(), "look_at": eye.look_at.to_array() });
        if (eye.vfov - old.vfov).abs() > 1e-9 {
            args["vfov"] = json!(eye.vfov.clamp(2.0, 150.0));
        }
        // What was sharp stays sharp; what is looked at, where that is no longer in front.
        if let Some(distance) = self.draft.scene().camera.focus_distance {
            let way = |eye: &Eye| (eye.look_at - eye.center).normalize_or_zero();
            let sharp = old.center + way(&old) * distance.get();
            let ahead = (sharp - eye.center).dot(way(&eye));
            args["focus_distance"] = if ahead > 1e-3 { json!(ahead) } else { Value::Null };
        }
        self.set_camera(args)
    }

    fn set_camera(&mut self, args: Value) -> Done {
        self.camera_told = true;
        self.call("set_camera", args).map(drop)
    }

    pub(super) fn subjects(&self, phrases: &[Phrase]) -> Done<Vec<String>> {
        let things: Vec<Phrase> = phrases
            .iter()
            .filter(|phrase| {
                !matches!(phrase.head, Head::Scene(_) | Head::Everything { .. } | Head::Theme(_))
            })
            .cloned()
            .collect();
        let is_pronoun = |phrase: &Phrase| matches!(phrase.head, Head::Pronoun(_));
        match self.find_all(&things) {
            Ok(ids) => Ok(ids),
            // "show it from above": all there is, where nothing was spoken of.
            Err(_) if things.iter().all(is_pronoun) => Ok(Vec::new()),
            Err(stopped) => Err(stopped),
        }
    }

    /// All that can be said of the camera.
    pub(crate) fn camera(&mut self, frame: &Frame) -> Done {
        let view = &frame.view;
        let of_lens =
            [Dimension::Aperture, Dimension::Focus, Dimension::Focal, Dimension::Exposure];
        let is_of_lens = view.blur.is_some()
            || frame.dimension.is_some_and(|dimension| of_lens.contains(&dimension));
        let is_placed = view.from.is_some() || view.stand.is_some() || view.zoom.is_some();
        let is_aimed = view.frame_all || view.orbit || !view.frame.is_empty();
        // Who tells of the lens alone has not said where the camera stands.
        self.camera_told |= !is_of_lens || is_placed || is_aimed;
        let mut looked: Vec<Phrase> = view.look.clone();
        if frame.act != Some(crate::frames::Act::Camera) {
            looked.clear();
        }
        let subjects = self.subjects(&looked)?;
        self.take_viewpoint(view, frame.amount, &subjects)?;
        if view.frame_all
            || view
                .look
                .iter()
                .chain(&view.frame)
                .any(|phrase| matches!(phrase.head, Head::Everything { .. } | Head::Scene("scene")))
        {
            if view.from.is_none() {
                self.frame_things(&[], None)?;
            }
        } else if !view.frame.is_empty() {
            let ids = self.subjects(&view.frame)?;
            self.frame_things(&ids, None)?;
            self.focus = ids;
        }
        if let Some(stand) = &view.stand {
            self.stand(stand)?;
        }
        let is_lens = matches!(
            frame.dimension,
            Some(Dimension::Aperture | Dimension::Focus | Dimension::Focal)
        );
        if frame.dimension == Some(Dimension::Exposure) {
            self.set_exposure(frame)?;
        } else if is_lens {
            self.set_lens(frame, &subjects)?;
        } else if !subjects.is_empty() && view.from.is_none() && view.eyes.is_none() {
            if view.zoom == Some("in") {
                self.come_close(&subjects)?;
            } else if view.blur.is_none() && !view.orbit {
                self.look_at(&subjects)?;
            }
        } else if let Some(zoom) = view.zoom {
            self.zoom(zoom == "in", frame.amount)?;
        }
        if view.orbit {
            let degrees = match frame.amount.or(frame.shift.as_ref().and_then(|shift| shift.amount))
            {
                Some(Amount::Degrees(degrees) | Amount::Plain(degrees)) => degrees,
                Some(Amount::Times(times)) => 360.0 * times,
                Some(Amount::Degree(degree)) => 30.0 * degree,
                _ if frame.way == Some(Way::Around) => 180.0,
                _ => 40.0,
            };
            let sign =
                if matches!(frame.way, Some(Way::Left | Way::Clockwise)) { -1.0 } else { 1.0 };
            self.orbit(sign * degrees, &subjects)?;
        } else if let Some(shift) = &frame.shift {
            let way = frame.way.filter(|_| shift.way.is_none());
            let shift = Shift { way: shift.way.or(way), ..shift.clone() };
            self.shift_camera(&shift)?;
        } else if let Some(way) = frame.way {
            let shift = Shift {
                way: Some(way),
                amount: frame.amount,
                toward: None,
                axis: None,
                more: None,
            };
            self.shift_camera(&shift)?;
        }
        self.take_height(view)?;
        if let Some(way) = view.pan {
            self.pan(way, frame.amount)?;
        }
        if let Some(lens) = view.lens {
            let vfov = match lens {
                "wide" => 85.0,
                "tele" => 20.0,
                "parallel" => return self.parallel(),
                _ => 45.0,
            };
            let eye = self.eye();
            self.set_eye(Eye { vfov, ..eye })?;
        }
        if let Some(more) = view.wider {
            let eye = self.eye();
            let factor = if more { 1.35 } else { 0.72 };
            self.set_eye(Eye { vfov: (eye.vfov * factor).clamp(5.0, 120.0), ..eye })?;
        }
        if let (Some(Dimension::Fov), Some(Amount::Degrees(degrees) | Amount::Plain(degrees))) =
            (frame.dimension, frame.to)
        {
            let eye = self.eye();
            self.set_eye(Eye { vfov: degrees.clamp(2.0, 150.0), ..eye })?;
        }
        if let Some(blur) = view.blur {
            self.blur(blur, &subjects)?;
        }
        if !subjects.is_empty() {
            self.focus = subjects;
        }
        Ok(())
    }

    pub(super) fn look_at(&mut self, ids: &[String]) -> Done {
        let state = self.state();
        let world = state.world();
        let Some(extent) = world.extent_of(ids) else { return Ok(()) };
        let eye = self.eye();
        if eye.center.distance(extent.center()) < 1e-3 {
            return Ok(());
        }
        self.set_eye(Eye { look_at: extent.center(), ..eye })
    }

    /// So near that it fills the picture.
    pub(super) fn come_close(&mut self, ids: &[String]) -> Done {
        let state = self.state();
        let world = state.world();
        let Some(extent) = world.extent_of(ids) else { return Ok(()) };
        let eye = self.eye();
        let radius = 0.5 * extent.size().length();
        let wanted = radius / (0.5 * eye.vfov).to_radians().sin() * 1.5;
        let way = eye.center - extent.center();
        let distance = wanted.min(0.7 * way.length()).max(1.15 * radius);
        let center = extent.center() + way.normalize_or(DVec3::Z) * distance;
        self.set_eye(Eye { center, look_at: extent.center(), ..eye })
    }

    pub(super) fn zoom(&mut self, closer: bool, amount: Option<Amount>) -> Done {
        let eye = self.eye();
        let way = eye.center - eye.look_at;
        let factor: f64 = match amount {
            Some(Amount::Degree(degree)) => 0.68_f64.powf(degree),
            Some(Amount::Times(times)) if times > 0.0 => 1.0 / times.max(1.0 / times),
            Some(Amount::Percent(percent)) => 1.0 / (1.0 + percent / 100.0),
            Some(Amount::Metres(metres) | Amount::Plain(metres)) => {
                let length = way.length();
                let goal = if closer { length - metres } else { length + metres };
                let center = eye.look_at + way.normalize_or(DVec3::Z) * goal.max(0.1 * length);
                return self.set_eye(Eye { center, ..eye });
            }
            _ => 0.62,
        };
        let factor = if closer { factor } else { 1.0 / factor };
        self.set_eye(Eye { center: eye.look_at + way * factor, ..eye })
    }

    fn orbit(&mut self, degrees: f64, ids: &[String]) -> Done {
        let state = self.state();
        let world = state.world();
        let pivot = world.extent_of(ids).map(|extent| extent.center());
        let eye = self.eye();
        let pivot = pivot.unwrap_or(eye.look_at);
        let turn = DQuat::from_rotation_y(degrees.to_radians());
        self.set_eye(Eye { center: pivot + turn * (eye.center - pivot), look_at: pivot, ..eye })
    }

    fn shift_camera(&mut self, shift: &Shift) -> Done {
        let eye = self.eye();
        let scene = self.scene();
        let sides = Sides::of(&scene);
        let far = eye.center.distance(eye.look_at);
        let step = 0.3 * far;
        let distance = match shift.amount {
            Some(Amount::Metres(metres) | Amount::Plain(metres)) => metres,
            Some(Amount::Degree(degree)) => step * degree,
            Some(Amount::Degrees(degrees)) => {
                let sign = if matches!(shift.way, Some(Way::Left)) { -1.0 } else { 1.0 };
                return self.orbit(sign * degrees, &[]);
            }
            _ => step,
        };
        let forward = (eye.look_at - eye.center).normalize_or(DVec3::NEG_Z);
        if let Some((to, target)) = &shift.toward {
            let ids = self.subjects(std::slice::from_ref(target))?;
            if ids.is_empty() || !to {
                return self.zoom(*to, shift.amount);
            }
            return self.come_close(&ids);
        }
        let way = match shift.way {
            Some(Way::Up) => DVec3::Y,
            Some(Way::Down) => {
                let low = eye.center - DVec3::Y * distance.min(0.92 * eye.center.y.max(0.0));
                return self.set_eye(Eye { center: low, ..eye });
            }
            Some(Way::Left) => -sides.right,
            Some(Way::Right) => sides.right,
            Some(Way::Near | Way::Front) => return self.zoom(true, shift.amount),
            Some(Way::Far | Way::Back) => return self.zoom(false, shift.amount),
            Some(Way::Around) => return self.orbit(180.0, &[]),
            Some(Way::Clockwise | Way::Counterclockwise) => return self.orbit(40.0, &[]),
            _ => forward,
        };
        let moved = eye.center + way * distance;
        // To the side it takes along what it looks at; up and down it keeps looking there.
        let look_at = if way.y == 0.0 { eye.look_at + way * distance } else { eye.look_at };
        self.set_eye(Eye { center: moved, look_at, ..eye })
    }

    /// Turns on the spot.
    fn pan(&mut self, way: Way, amount: Option<Amount>) -> Done {
        let eye = self.eye();
        let degrees = match amount {
            Some(Amount::Degrees(degrees) | Amount::Plain(degrees)) => degrees,
            Some(Amount::Degree(degree)) => 15.0 * degree,
            _ => 18.0,
        };
        let scene = self.scene();
        let right = Sides::of(&scene).right;
        let turn = match way {
            Way::Left => DQuat::from_rotation_y(degrees.to_radians()),
            Way::Right => DQuat::from_rotation_y(-degrees.to_radians()),
            Way::Up => DQuat::from_axis_angle(right, degrees.to_radians()),
            Way::Down => DQuat::from_axis_angle(right, -degrees.to_radians()),
            _ => return self.zoom(matches!(way, Way::Near | Way::Front), amount),
        };
        self.set_eye(Eye { look_at: eye.center + turn * (eye.look_at - eye.center), ..eye })
    }

    /// The camera leaning to the side, by so much.
    pub(super) fn lean(&mut self, by: Option<Amount>) -> Done {
        let degrees = match by {
            Some(Amount::Degrees(degrees)) => degrees,
            Some(Amount::Degree(degree)) => LEANING * degree,
            _ => LEANING,
        };
        let eye = self.eye();
        let forward = (eye.look_at - eye.center).normalize_or(DVec3::NEG_Z);
        let up = DQuat::from_axis_angle(forward, degrees.to_radians()) * DVec3::Y;
        let (center, look_at) = (eye.center.to_array(), eye.look_at.to_array());
        self.set_camera(json!({ "center": center, "look_at": look_at, "up": up.to_array() }))
    }

    fn parallel(&mut self) -> Done {
        let eye = self.eye();
        let args = json!({ "center": eye.center.to_array(), "look_at": eye.look_at.to_array(), "projection": "orthographic" });
        self.set_camera(args)
    }
}
