//! Things turned: by an angle, upright or lying, with their front to something.

use glam::DVec3;
use serde_json::json;

use crate::frames::{Amount, Frame, Head, Phrase, Way};
use crate::resolve::Kin;

use crate::plan::front::turned_by;
use crate::plan::planner::{Done, Planner, Remark, Stopped};

impl Planner<'_> {
    /// "turn the chair by 90 degrees".
    pub(crate) fn turn(&mut self, frame: &Frame) -> Done {
        let ids = self.theme(frame)?;
        if frame
            .theme
            .iter()
            .any(|phrase| matches!(phrase.head, crate::frames::Head::Scene("camera")))
        {
            return self.camera(frame);
        }
        let angle = match frame.amount {
            Some(Amount::Degrees(degrees) | Amount::Plain(degrees)) => degrees,
            Some(Amount::Degree(degree)) => 30.0 * degree,
            Some(Amount::Times(times)) => 360.0 * times,
            _ if frame.flip || frame.way == Some(Way::Around) => 180.0,
            _ => 45.0,
        };
        let sign = match frame.way {
            Some(Way::Clockwise | Way::Right) => -1.0,
            _ => 1.0,
        };
        let axis = if frame.flip { 2 } else { frame.axis.unwrap_or(1) };
        let mut by = [0.0; 3];
        by[axis] = sign * angle;
        for id in &ids {
            let riders = {
                let state = self.state();
                let world = state.world();
                let mut riders = world.riders(std::slice::from_ref(id));
                // "turn every second block": those of the tower above it stay.
                if let Some(kin) = world.find(id).map(|thing| Kin::of(thing, world)) {
                    riders.retain(|rider| {
                        !world.find(rider).is_some_and(|rider| kin.has(rider, world))
                    });
                }
                riders
            };
            self.call("rotate", json!({ "ids": [id], "by": by }))?;
            if axis != 1 {
                self.let_down(std::slice::from_ref(id))?;
                self.raise_out(id)?;
            } else if !riders.is_empty() {
                let center = self
                    .state()
                    .world()
                    .extent_of([id])
                    .map_or(DVec3::ZERO, |extent| extent.center());
                self.call(
                    "rotate",
                    json!({ "ids": riders, "by": by, "pivot": center.to_array() }),
                )?;
            }
        }
        self.focus = ids;
        Ok(())
    }

    /// Lifts a thing that reaches below the ground.
    pub(crate) fn raise_out(&mut self, id: &str) -> Done {
        let state = self.state();
        let world = state.world();
        let ground = super::spot::ground_of(world);
        let below = world.find(id).map_or(0.0, |thing| ground - thing.extent.min.y);
        if below > 1e-6 { self.shift_by(&[id.to_owned()], DVec3::Y * below) } else { Ok(()) }
    }

    /// Upright, lying, upside down, floating.
    pub(crate) fn take_posture(&mut self, id: &str, qualities: &[crate::frames::Quality]) -> Done {
        for quality in qualities {
            let crate::frames::Quality::Posture(posture) = quality else { continue };
            let state = self.state();
            let world = state.world();
            let Some(thing) = world.find(id) else { continue };
            let size = thing.extent.size();
            match *posture {
                "lying" if size.y > 0.6 * size.x.max(size.z) => {
                    self.call("rotate", json!({ "ids": [id], "by": [0, 0, 90] }))?;
                }
                "upright" if size.y < 0.6 * size.x.max(size.z) => {
                    let by = if size.x >= size.z { [0, 0, 90] } else { [90, 0, 0] };
                    self.call("rotate", json!({ "ids": [id], "by": by }))?;
                }
                "upside_down" => {
                    self.call("rotate", json!({ "ids": [id], "by": [0, 0, 180] }))?;
                }
                "floating" => {
                    self.aloft.push(id.to_owned());
                    self.shift_by(
                        &[id.to_owned()],
                        DVec3::Y * (0.6 * size.max_element()).clamp(0.3, 2.0),
                    )?;
                    continue;
                }
                _ => continue,
            }
            let bottom =
                self.state().world().extent_of([&id.to_owned()]).map_or(0.0, |extent| extent.min.y);
            if bottom.abs() > 1e-6 {
                self.raise_out(id)?;
                self.let_down(&[id.to_owned()])?;
            }
        }
        Ok(())
    }

    /// So that its front looks at something.
    pub(crate) fn face(&mut self, frame: &Frame) -> Done {
        let ids = self.theme(frame)?;
        let goal = match frame.other.first() {
            Some(target)
                if matches!(target.head, crate::frames::Head::Scene("viewer" | "camera")) =>
            {
                DVec3::from(self.draft.scene().camera.center.get())
            }
            Some(target) => {
                let state = self.state();
                let world = state.world();
                let targets = self.find_besides(target, world, &ids)?;
                world.extent_of(&targets).map_or(DVec3::ZERO, |extent| extent.center())
            }
            None => return Err(Stopped(Remark::Question("What shall it face?".into()))),
        };
        for id in &ids {
            self.turn_to(id, goal)?;
        }
        self.focus = ids;
        Ok(())
    }

    /// "a chair facing the table", "two armchairs facing each other".
    pub(crate) fn look_at_target(&mut self, phrase: &Phrase, ids: &[String]) -> Done {
        let Some(facing) = &phrase.facing else { return Ok(()) };
        // "a chair at the table, looking at it": at the table.
        let beside = phrase.at.iter().find_map(|place| place.target.as_ref());
        let facing = match (&facing.head, beside) {
            (Head::Pronoun("it" | "he" | "them"), Some(beside)) => beside,
            _ => facing,
        };
        let is_outward = facing.head == Head::Pronoun("outward");
        for id in ids {
            let others: Vec<String> = match facing.head {
                Head::Pronoun("each" | "outward") => {
                    ids.iter().filter(|other| *other != id).cloned().collect()
                }
                Head::Scene("viewer" | "camera") => Vec::new(),
                _ => self.find(facing)?.into_iter().filter(|other| !ids.contains(other)).collect(),
            };
            let Some(own) = self.extent_of(std::slice::from_ref(id)) else { continue };
            let goal = match self.extent_of(&others) {
                Some(extent) if is_outward => 2.0 * own.center() - extent.center(),
                Some(extent) => extent.center(),
                None => DVec3::from(self.draft.scene().camera.center.get()),
            };
            self.turn_to(id, goal)?;
        }
        Ok(())
    }

    /// Objects that are new look at what they stand around.
    pub(in crate::plan) fn face_middle(&mut self, ids: &[String], target: spatial::Extent) -> Done {
        let is_object =
            |id: &&String| self.draft.scene().group_ids().any(|group| group == id.as_str());
        let objects: Vec<String> = ids.iter().filter(is_object).cloned().collect();
        if !self.is_new(&objects) {
            return Ok(());
        }
        for id in &objects {
            self.turn_to(id, target.center())?;
        }
        Ok(())
    }

    /// Turns the front of a thing, or a light, to a point.
    fn turn_to(&mut self, id: &str, goal: DVec3) -> Done {
        let scene = self.scene();
        if scene.light(id).is_some() {
            return self.aim_light(id, goal);
        }
        let Some(extent) = self.extent_of(&[id.to_owned()]) else { return Ok(()) };
        let way = (goal - extent.center()).with_y(0.0);
        let state = self.state();
        let own = state.world().find(id).map_or(0.0, |thing| turned_by(thing, state.world()));
        let angle = way.x.atan2(way.z).to_degrees() - own;
        self.call("rotate", json!({ "ids": [id], "by": [0.0, angle, 0.0] })).map(drop)
    }
}
