//! From where the camera looks: a side, a height, the place or the eyes of a thing.

use glam::{DQuat, DVec3};
use serde_json::json;
use spatial::Extent;

use crate::frames::{Amount, Relation, View};
use crate::resolve::{World, is_member};

use super::camera::Eye;
use super::planner::{Done, Planner, Remark, Stopped};

/// Where the eyes of people and animals are, in parts of their height.
const EYES: f64 = 0.93;
/// The height of a viewer's eyes who stands somewhere, in metres.
const STANDING: f64 = 1.6;
/// What is lower, in parts of how wide it is, lies on the ground: no subject of a picture beside other things.
const FLAT: f64 = 0.05;

/// The things that a picture is of: all but what lies flat on the ground, where there is anything else.
fn subject_of(world: &World<'_>) -> Option<Extent> {
    let is_flat = |extent: &Extent| {
        let size = extent.size();
        size.y < FLAT * size.x.max(size.z)
    };
    let all = || world.contents().map(|thing| thing.extent);
    let upright = all().filter(|extent| !is_flat(extent)).reduce(Extent::union);
    upright.or_else(|| all().reduce(Extent::union))
}

impl Planner<'_> {
    /// A side, the eyes of a thing, or a thing in the foreground.
    pub(super) fn take_viewpoint(
        &mut self,
        view: &View,
        amount: Option<Amount>,
        subjects: &[String],
    ) -> Done {
        if let Some(eyes) = &view.eyes {
            let ids = self.subjects(std::slice::from_ref(eyes))?;
            self.see_with(&ids, view.over, subjects)?;
        } else if let Some(from) = view.from {
            self.look_from(from, amount, subjects)?;
        }
        if view.fore.is_empty() {
            return Ok(());
        }
        let ids = self.subjects(&view.fore)?;
        self.bring_to_foreground(&ids, subjects)
    }

    /// The camera so high as was told, or as something is.
    pub(super) fn take_height(&mut self, view: &View) -> Done {
        let eye = self.eye();
        let floor = super::layout::spot::ground_of(self.state().world());
        let level = match &view.level {
            Some(level) => {
                let ids = self.subjects(std::slice::from_ref(level))?;
                let extent = self.state().world().extent_of(&ids);
                extent.map(|extent| extent.center().y.max(floor + 0.1))
            }
            None => view.height.and_then(Amount::metres).map(|metres| floor + metres),
        };
        match level {
            Some(height) => self.set_eye(Eye { center: eye.center.with_y(height), ..eye }),
            None => Ok(()),
        }
    }

    /// From where something is: with the eyes of who has any, through a window, from beside anything else.
    fn see_with(&mut self, ids: &[String], over: bool, subjects: &[String]) -> Done {
        let eye = self.eye();
        let state = self.state();
        let world = state.world();
        let Some(own) = world.extent_of(ids) else {
            return Err(Stopped(Remark::Refused("I don't know from where to look.".into())));
        };
        let others = world.contents().filter(|thing| !ids.contains(&thing.id));
        let rest = others.map(|thing| thing.extent).reduce(Extent::union);
        let goal = world.extent_of(subjects).or(rest).map_or(eye.look_at, |extent| extent.center());
        let is_of = |kind: &str| {
            ids.iter().filter_map(|id| world.find(id)).any(|thing| is_member(thing, kind))
        };
        let size = own.size();
        let sees = is_of("people") || is_of("animals");
        let height = if sees { EYES * size.y } else { (0.6 * size.y).max(STANDING.min(size.y)) };
        let height = own.min.y + if over { 1.12 * size.y } else { height };
        let way = (goal - own.center()).with_y(0.0).normalize_or(DVec3::NEG_Z);
        let reach = 0.5 * size.dot(way.abs());
        let back = if over { -(reach + 0.6 * size.y.max(0.5)) } else { reach + 0.15 };
        let center = (own.center() + way * back).with_y(height);
        let look_at = if (goal - center).length() < 1e-3 { goal - way } else { goal };
        self.set_eye(Eye { center, look_at, ..eye })
    }

    /// So that something is near to the camera, before the rest.
    fn bring_to_foreground(&mut self, ids: &[String], subjects: &[String]) -> Done {
        let eye = self.eye();
        let state = self.state();
        let world = state.world();
        let Some(near) = world.extent_of(ids) else { return Ok(()) };
        let others = world.contents().filter(|thing| !ids.contains(&thing.id));
        let rest = others.map(|thing| thing.extent).reduce(Extent::union);
        let far = world.extent_of(subjects).or(rest).map_or(eye.look_at, |extent| extent.center());
        let before = (near.center() - far).with_y(0.0);
        let seen = (eye.center - eye.look_at).with_y(0.0).normalize_or(DVec3::Z);
        // Somewhat aside, so that it does not hide what is behind it.
        let aside = DVec3::new(seen.z, 0.0, -seen.x) * 0.35 * near.size().max_element();
        let way = before.normalize_or(seen);
        let radius = 0.5 * near.size().length();
        let distance = 1.4 * radius / (0.5 * eye.vfov).to_radians().sin();
        let center = near.center() + way * distance + aside;
        let center = center.with_y(near.min.y + 0.75 * near.size().y.max(0.4));
        self.set_eye(Eye { center, look_at: near.center().lerp(far, 0.45), ..eye })
    }

    /// From a side, or in a usual way of looking.
    fn look_from(&mut self, from: &str, turn: Option<Amount>, ids: &[String]) -> Done {
        if from == "dutch" {
            return self.lean(turn);
        }
        let eye = self.eye();
        let state = self.state();
        let world = state.world();
        let subject = world.extent_of(ids).or_else(|| subject_of(world));
        let Some(extent) = subject else {
            return Err(Stopped(Remark::Refused("There is nothing to look at yet.".into())));
        };
        let middle = extent.center();
        let radius = (0.5 * extent.size().length()).max(0.1);
        let distance = radius / (0.5 * eye.vfov.min(60.0)).to_radians().sin() * 1.25;
        let height = DVec3::Y * 0.25;
        let direction = match from {
            "above" | "top" => DVec3::new(0.0, 1.0, 0.001),
            "below" => DVec3::new(0.0, -1.0, 0.3),
            "left" | "right" => {
                // "45 degrees from the left": so far around from the front.
                let degrees = match turn {
                    Some(Amount::Degrees(degrees)) => degrees,
                    _ => 90.0,
                };
                let sign = if from == "left" { -1.0 } else { 1.0 };
                DQuat::from_rotation_y(sign * degrees.to_radians()) * DVec3::Z + height
            }
            "front_left" => DVec3::new(-1.0, 0.35, 1.0),
            "front_right" => DVec3::new(1.0, 0.35, 1.0),
            "back_left" => DVec3::new(-1.0, 0.35, -1.0),
            "back_right" => DVec3::new(1.0, 0.35, -1.0),
            // From the ground up, however high it is.
            "worm" => DVec3::new(0.0, 0.0, 0.6),
            "front" => DVec3::Z + height,
            "behind" | "back" => DVec3::NEG_Z + height,
            "other" => (-(eye.center - middle)).with_y((eye.center - middle).y),
            "corner" => DVec3::new(1.0, 0.6, 1.0),
            "low" => (eye.center - middle).with_y(0.0).normalize_or(DVec3::Z),
            "high" => (eye.center - middle).with_y(0.0).normalize_or(DVec3::Z) + DVec3::Y * 0.9,
            "close" if !ids.is_empty() => return self.come_close(ids),
            "close" => return self.zoom(true, Some(Amount::Degree(1.6))),
            "wide" => {
                return self.zoom(false, Some(Amount::Degree(1.5)));
            }
            "eye" => {
                let center = eye.center.with_y(1.6);
                return self.set_eye(Eye { center, ..eye });
            }
            _ => DVec3::new(0.0, 0.35, 1.0),
        };
        let mut center = middle + direction.normalize_or(DVec3::Z) * distance;
        if from == "worm" {
            center.y = extent.min.y + 0.12;
        }
        if from == "low" {
            center.y = (extent.min.y + 0.08 * extent.size().y).max(extent.min.y + 0.1);
            center.y = center.y.min(0.9 * eye.center.y.max(0.2));
        }
        if from == "high" {
            center.y = center.y.max(eye.center.y + 0.3 * radius);
        }
        self.set_eye(Eye { center, look_at: middle, ..eye })
    }

    pub(super) fn frame_things(&mut self, ids: &[String], margin: Option<f64>) -> Done {
        let mut args = json!({ "margin": margin.unwrap_or(0.1) });
        if !ids.is_empty() {
            args["ids"] = json!(ids);
        } else {
            let state = self.state();
            let world = state.world();
            let all: Vec<String> = world.contents().map(|thing| thing.id.clone()).collect();
            if all.is_empty() {
                return Err(Stopped(Remark::Refused("There is nothing to show yet.".into())));
            }
            args["ids"] = json!(all);
        }
        self.call("frame", args).map(drop)
    }

    /// Puts the camera in a place; it keeps looking where it looked.
    pub(super) fn stand(&mut self, place: &crate::frames::Place) -> Done {
        let eye = self.eye();
        if let Some(point) = place.point {
            return self.set_eye(Eye { center: point.into(), ..eye });
        }
        if let Some(height) = place.height {
            return self.set_eye(Eye { center: eye.center.with_y(height), ..eye });
        }
        let relation = place.relation.or(place.region.and_then(Relation::of_region));
        let from = match relation {
            Some(Relation::LeftOf) => "left",
            Some(Relation::RightOf) => "right",
            Some(Relation::Behind) => "behind",
            Some(Relation::Above | Relation::On) => "above",
            Some(Relation::InFrontOf | Relation::Opposite) => "front",
            _ => "low",
        };
        let ids = match &place.target {
            Some(target) => self.subjects(std::slice::from_ref(target))?,
            None => Vec::new(),
        };
        self.look_from(from, None, &ids)
    }
}
