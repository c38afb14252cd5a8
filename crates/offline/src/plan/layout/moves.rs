//! Things moved, turned, spread, exchanged.

use glam::DVec3;
use serde_json::json;

use crate::frames::{Amount, Dimension, Frame, Head, Phrase, Region, Shift, Way};
use crate::resolve::{Sides, World};

use crate::plan::planner::{Done, Planner, Remark, Stopped};

impl Planner<'_> {
    /// "put the ball on the table", "move it a bit to the left".
    pub(crate) fn move_things(&mut self, frame: &Frame) -> Done {
        let of_camera = |phrase: &crate::frames::Phrase| {
            matches!(phrase.head, crate::frames::Head::Scene("camera"))
        };
        if frame.theme.iter().any(of_camera) {
            return self.camera(frame);
        }
        let ids = self.theme(frame)?;
        let scene = self.scene();
        let world = World::of(&scene);
        let riders = world.riders(&ids);
        let before = world.extent_of(&ids).map(|extent| extent.center());
        drop(world);
        if frame.places.iter().any(|place| place.region == Some(Region::Former)) {
            return Err(Stopped(Remark::Question("Where shall it go?".into())));
        }
        let mut made = Vec::new();
        let places = self.places_to_go(&frame.places, before, &mut made)?;
        self.made.extend(made);
        for place in &super::place::joined(&places) {
            self.put(&ids, place, false)?;
        }
        let lifted = Shift { way: frame.way, amount: None, toward: None, axis: None, more: None };
        let shift = match (&frame.shift, frame.way) {
            (Some(shift), Some(way)) if shift.way.is_none() && shift.toward.is_none() => {
                Some(Shift { way: Some(way), ..shift.clone() })
            }
            (Some(shift), _) => Some(shift.clone()),
            (None, Some(_)) => Some(lifted),
            (None, None) => None,
        };
        if let Some(shift) = &shift {
            self.shift_things(&ids, shift)?;
        }
        if shift.is_none() && frame.places.is_empty() {
            return Err(Stopped(Remark::Question(format!(
                "Where to shall I move “{}”?",
                (self.words)(frame.tokens)
            ))));
        }
        // What stands on them comes along.
        let scene = self.scene();
        let after = World::of(&scene).extent_of(&ids).map(|extent| extent.center());
        let targets: Vec<String> = frame
            .places
            .iter()
            .filter_map(|place| place.target.as_ref())
            .filter_map(|target| self.find(target).ok())
            .flatten()
            .collect();
        let riders: Vec<String> = riders.into_iter().filter(|id| !targets.contains(id)).collect();
        if let (Some(before), Some(after)) = (before, after) {
            self.shift_by(&riders, after - before)?;
        }
        self.focus = ids;
        Ok(())
    }

    fn shift_things(&mut self, ids: &[String], shift: &Shift) -> Done {
        let scene = self.scene();
        let world = World::of(&scene);
        let sides = Sides::of(&scene);
        let Some(extent) = world.extent_of(ids) else { return Ok(()) };
        let size = extent.size().max_element();
        let step = (0.8 * size).clamp(0.15, 2.0);
        let distance = match shift.amount {
            Some(Amount::Metres(metres) | Amount::Plain(metres)) => metres,
            Some(Amount::Degree(degree)) => step * degree,
            Some(Amount::Times(times)) => times * size,
            Some(Amount::Percent(percent)) => size * percent / 100.0,
            Some(Amount::Degrees(_)) | None => step,
        };
        let direction = match (&shift.toward, shift.axis, shift.way) {
            (Some((to, target)), ..) => {
                let goal = match target.head {
                    crate::frames::Head::Scene("viewer" | "camera") => {
                        DVec3::from(scene.camera.center.get())
                    }
                    _ => {
                        let targets = self.find_in(target, &world)?;
                        if shift.amount.is_none() && *to && !targets.is_empty() {
                            drop(world);
                            return self.approach(ids, &targets);
                        }
                        world.extent_of(&targets).map_or(DVec3::ZERO, |extent| extent.center())
                    }
                };
                let level = (goal - extent.center()).with_y(0.0).normalize_or(sides.front);
                if *to { level } else { -level }
            }
            (None, Some(axis), _) => {
                let mut direction = DVec3::ZERO;
                direction[axis] = 1.0;
                direction
            }
            (None, None, way) => match way {
                Some(Way::Up) => DVec3::Y,
                Some(Way::Down) => DVec3::NEG_Y,
                Some(Way::Left) => -sides.right,
                Some(Way::Right | Way::Sideways) => sides.right,
                Some(Way::Front | Way::Near) => sides.front,
                Some(Way::Back | Way::Far) => -sides.front,
                Some(Way::Apart | Way::Together) => {
                    drop(world);
                    return self.spread_by(ids, way == Some(Way::Apart), shift.amount);
                }
                Some(Way::Clockwise | Way::Counterclockwise | Way::Around) | None => {
                    return Err(Stopped(Remark::Question("Which way shall it go?".into())));
                }
            },
        };
        let mut distance = distance;
        if direction == DVec3::Y {
            self.aloft.extend(ids.iter().cloned());
        }
        if direction == DVec3::NEG_Y {
            // Not through the floor.
            let fall = ids.iter().filter_map(|id| {
                let unit = world.space.unit(id).ok()?;
                let own = unit.members.iter().copied().collect();
                world.space.fall(&unit.solid, &own).map(|(way, _)| way)
            });
            let room = fall.fold(f64::INFINITY, f64::min);
            if room.is_finite() {
                distance = distance.min(room);
            }
        }
        drop(world);
        self.shift_by(ids, direction * distance)?;
        if let Some(more) = &shift.more {
            self.shift_things(ids, more)?;
        }
        Ok(())
    }

    /// Half of the way to something.
    fn approach(&mut self, ids: &[String], targets: &[String]) -> Done {
        let scene = self.scene();
        let world = World::of(&scene);
        let (Some(own), Some(goal)) = (world.extent_of(ids), world.extent_of(targets)) else {
            return Ok(());
        };
        let way = (goal.center() - own.center()).with_y(0.0);
        let free = own.distance(goal);
        drop(world);
        self.shift_by(ids, way.normalize_or_zero() * (0.55 * free))
    }

    /// Apart, or together.
    pub(crate) fn spread(&mut self, frame: &Frame) -> Done {
        let ids = self.theme(frame)?;
        if !frame.pattern.is_empty() && frame.way != Some(Way::Together) {
            return self.arrange(frame);
        }
        self.spread_by(&ids, frame.way != Some(Way::Together), frame.amount)?;
        self.focus = ids;
        Ok(())
    }

    /// Scales the distances of things from their middle.
    pub(crate) fn spread_by(
        &mut self,
        ids: &[String],
        apart: bool,
        amount: Option<Amount>,
    ) -> Done {
        let scene = self.scene();
        let world = World::of(&scene);
        let things: Vec<(String, DVec3, DVec3)> = ids
            .iter()
            .filter_map(|id| world.find(id))
            .map(|thing| (thing.id.clone(), thing.extent.center(), thing.extent.size()))
            .collect();
        drop(world);
        if things.len() < 2 {
            return Err(Stopped(Remark::Refused("That takes several things.".into())));
        }
        let middle =
            things.iter().map(|(_, center, _)| *center).sum::<DVec3>() / things.len() as f64;
        let extent =
            things.iter().map(|(_, center, _)| (*center - middle).length()).fold(0.0, f64::max);
        let factor = match (amount, apart) {
            (Some(Amount::Metres(metres) | Amount::Plain(metres)), true) => {
                1.0 + 0.5 * metres / extent.max(1e-6)
            }
            (Some(Amount::Metres(metres) | Amount::Plain(metres)), false) => {
                1.0 - 0.5 * metres / extent.max(1e-6)
            }
            (Some(Amount::Times(times)), true) => times,
            (Some(Amount::Degree(degree)), true) => 1.5_f64.powf(degree),
            (_, true) => 1.5,
            // No nearer than they touch.
            (_, false) => {
                let mut least: f64 = 0.0;
                for (at, (_, one, size)) in things.iter().enumerate() {
                    for (_, other, other_size) in &things[at + 1..] {
                        let level = (*one - *other).with_y(0.0);
                        let half = 0.5 * (*size + *other_size);
                        let need = (half.x / level.x.abs().max(1e-9))
                            .min(half.z / level.z.abs().max(1e-9));
                        least = least.max(need);
                    }
                }
                (1.05 * least).clamp(0.6, 0.95)
            }
        };
        for (id, center, _) in things {
            let way = ((center - middle) * (factor - 1.0)).with_y(0.0);
            self.shift_by(&[id], way)?;
        }
        Ok(())
    }

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
                let scene = self.scene();
                World::of(&scene).riders(std::slice::from_ref(id))
            };
            self.call("rotate", json!({ "ids": [id], "by": by }))?;
            if axis != 1 {
                self.let_down(std::slice::from_ref(id))?;
                self.raise_out(id)?;
            } else if !riders.is_empty() {
                let scene = self.scene();
                let center =
                    World::of(&scene).extent_of([id]).map_or(DVec3::ZERO, |extent| extent.center());
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
        let scene = self.scene();
        let world = World::of(&scene);
        let ground = super::spot::ground_of(&world);
        let below = world.find(id).map_or(0.0, |thing| ground - thing.extent.min.y);
        drop(world);
        if below > 1e-6 { self.shift_by(&[id.to_owned()], DVec3::Y * below) } else { Ok(()) }
    }

    /// Upright, lying, upside down, floating.
    pub(crate) fn take_posture(&mut self, id: &str, qualities: &[crate::frames::Quality]) -> Done {
        for quality in qualities {
            let crate::frames::Quality::Posture(posture) = quality else { continue };
            let scene = self.scene();
            let world = World::of(&scene);
            let Some(thing) = world.find(id) else { continue };
            let size = thing.extent.size();
            drop(world);
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
            let scene = self.scene();
            let bottom =
                World::of(&scene).extent_of([&id.to_owned()]).map_or(0.0, |extent| extent.min.y);
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
                let targets = self.find(target)?;
                let scene = self.scene();
                World::of(&scene).extent_of(&targets).map_or(DVec3::ZERO, |extent| extent.center())
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
            (Head::Pronoun("it" | "them"), Some(beside)) => beside,
            _ => facing,
        };
        for id in ids {
            let others: Vec<String> = match facing.head {
                Head::Pronoun("each") => ids.iter().filter(|other| *other != id).cloned().collect(),
                Head::Scene("viewer" | "camera") => Vec::new(),
                _ => self.find(facing)?.into_iter().filter(|other| !ids.contains(other)).collect(),
            };
            let goal = match self.extent_of(&others) {
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
        let angle = way.x.atan2(way.z).to_degrees();
        self.call("rotate", json!({ "ids": [id], "by": [0.0, angle, 0.0] })).map(drop)
    }

    /// A mirror image in place.
    pub(crate) fn mirror(&mut self, frame: &Frame) -> Done {
        let ids = self.theme(frame)?;
        let scene = self.scene();
        let at = World::of(&scene).extent_of(&ids).map_or(0.0, |extent| extent.center().x);
        self.call("mirror", json!({ "ids": ids, "axis": "x", "at": at, "copy": false }))?;
        self.focus = ids;
        Ok(())
    }

    /// Each of two gets what the other has.
    pub(crate) fn swap(&mut self, frame: &Frame) -> Done {
        let mut ids = self.theme(frame)?;
        ids.extend(self.find_all(&frame.other)?);
        let [one, other] = ids.as_slice() else {
            return Err(Stopped(Remark::Question("Which two shall I swap?".into())));
        };
        let scene = self.scene();
        let world = World::of(&scene);
        let (Some(first), Some(second)) = (world.find(one), world.find(other)) else {
            return Ok(());
        };
        if matches!(frame.dimension, Some(Dimension::Colour | Dimension::Material)) {
            let colours = (world.colour(first), world.colour(second));
            drop(world);
            if let (Some(first), Some(second)) = colours {
                self.repaint(one, &|old| Some(crate::looks::recoloured(old, second)))?;
                self.repaint(other, &|old| Some(crate::looks::recoloured(old, first)))?;
            }
        } else {
            let foot = |extent: spatial::Extent| extent.center().with_y(extent.min.y);
            let way = foot(second.extent) - foot(first.extent);
            drop(world);
            self.shift_by(std::slice::from_ref(one), way)?;
            self.shift_by(std::slice::from_ref(other), -way)?;
        }
        self.focus = ids;
        Ok(())
    }
}
