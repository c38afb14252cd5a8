//! Things moved, turned, spread, exchanged.

use glam::DVec3;
use serde_json::json;

use crate::frames::{Amount, Dimension, Frame, Head, Phrase, Place, Region, Shift, Way};
use crate::resolve::Sides;

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
        let gets_clear = frame.hides || !frame.clear.is_empty();
        let ids = if gets_clear { self.in_the_way(frame)? } else { self.theme(frame)? };
        let state = self.state();
        let world = state.world();
        let riders = world.riders(&ids);
        let before = world.extent_of(&ids).map(|extent| extent.center());
        let nowhere = |place: &Place| {
            place.region == Some(Region::Former)
                && ids.chunks(1).all(|id| self.former_foot(id, place).is_none())
        };
        if frame.places.iter().any(nowhere) {
            return Err(Stopped(Remark::Question("Where shall it go?".into())));
        }
        let mut made = Vec::new();
        let places = self.places_to_go(&frame.places, before, &mut made)?;
        self.made.extend(made);
        for place in &super::joined::joined(&places) {
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
        match &shift {
            _ if gets_clear && frame.places.is_empty() => self.get_clear(&ids, frame)?,
            Some(shift) => self.shift_things(&ids, shift)?,
            None => {}
        }
        if shift.is_none() && frame.places.is_empty() && !gets_clear {
            return Err(Stopped(Remark::Question(format!(
                "Where to shall I move “{}”?",
                (self.words)(frame.tokens)
            ))));
        }
        // What stands on them comes along, unless it came down.
        let now = self.state();
        let after = now.world().extent_of(&ids).map(|extent| extent.center());
        let targets: Vec<String> = frame
            .places
            .iter()
            .filter_map(|place| place.target.as_ref())
            .filter_map(|target| self.find(target).ok())
            .flatten()
            .collect();
        let stayed = |id: &String| world.extent_of([id]) == now.world().extent_of([id]);
        let comes_along = |id: &String| !targets.contains(id) && stayed(id);
        let riders: Vec<String> = riders.into_iter().filter(comes_along).collect();
        if let (Some(before), Some(after)) = (before, after) {
            self.shift_by(&riders, after - before)?;
        }
        // "in front of the desk, facing it".
        if !frame.other.is_empty() {
            let theme = vec![Phrase { plural: true, ..Phrase::of(Head::These(ids.clone())) }];
            let other = frame.other.clone();
            self.face(&Frame { theme, other, ..Frame::default() })?;
        }
        self.focus = ids;
        Ok(())
    }

    fn shift_things(&mut self, ids: &[String], shift: &Shift) -> Done {
        let state = self.state();
        let world = state.world();
        let scene = world.scene;
        let sides = Sides::of(scene);
        let Some(extent) = world.extent_of(ids) else { return Ok(()) };
        let size = extent.size().max_element();
        let step = (0.8 * size).clamp(0.15, 2.0);
        let distance = match shift.amount {
            Some(Amount::Metres(metres) | Amount::Plain(metres)) => metres,
            Some(Amount::Degree(degree)) => step * degree,
            Some(Amount::Times(times)) => match &shift.toward {
                Some((_, target)) => self.times_as_far(times, &extent, target, ids)?,
                None => times * size,
            },
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
                        let targets = self.find_besides(target, world, ids)?;
                        if shift.amount.is_none() && *to && !targets.is_empty() {
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
        self.shift_by(ids, direction * distance)?;
        if let Some(more) = &shift.more {
            self.shift_things(ids, more)?;
        }
        Ok(())
    }

    /// By how much something is to be farther from a thing, to be so many times as far from it.
    fn times_as_far(
        &self,
        times: f64,
        own: &spatial::Extent,
        target: &Phrase,
        ids: &[String],
    ) -> Done<f64> {
        let state = self.state();
        let world = state.world();
        let goal = world.extent_of(&self.find_besides(target, world, ids)?);
        Ok(goal.map_or(0.0, |goal| (goal.center() - own.center()).with_y(0.0).length())
            * (times - 1.0))
    }

    /// Half of the way to something.
    fn approach(&mut self, ids: &[String], targets: &[String]) -> Done {
        let state = self.state();
        let world = state.world();
        let (Some(own), Some(goal)) = (world.extent_of(ids), world.extent_of(targets)) else {
            return Ok(());
        };
        let way = (goal.center() - own.center()).with_y(0.0);
        let free = own.distance(goal);
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
        let state = self.state();
        let world = state.world();
        let things: Vec<(String, DVec3, DVec3)> = ids
            .iter()
            .filter_map(|id| world.find(id))
            .map(|thing| (thing.id.clone(), thing.extent.center(), thing.extent.size()))
            .collect();
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

    /// A mirror image in place.
    pub(crate) fn mirror(&mut self, frame: &Frame) -> Done {
        let ids = self.theme(frame)?;
        let at = self.state().world().extent_of(&ids).map_or(0.0, |extent| extent.center().x);
        self.call("mirror", json!({ "ids": ids, "axis": "x", "at": at, "copy": false }))?;
        self.focus = ids;
        Ok(())
    }

    /// Each of two gets what the other has.
    pub(crate) fn swap(&mut self, frame: &Frame) -> Done {
        let mut ids = self.theme(frame)?;
        ids.extend(self.find_all(&frame.other)?);
        let ids = self.as_pair(ids, &frame.theme);
        let [one, other] = ids.as_slice() else {
            return Err(Stopped(Remark::Question("Which two shall I swap?".into())));
        };
        let state = self.state();
        let world = state.world();
        let (Some(first), Some(second)) = (world.find(one), world.find(other)) else {
            return Ok(());
        };
        if matches!(frame.dimension, Some(Dimension::Colour | Dimension::Material)) {
            let colours = (world.colour(first), world.colour(second));
            if let (Some(first), Some(second)) = colours {
                self.repaint(one, &|old| Some(crate::looks::recoloured(old, second)))?;
                self.repaint(other, &|old| Some(crate::looks::recoloured(old, first)))?;
            }
        } else {
            let foot = |extent: spatial::Extent| extent.center().with_y(extent.min.y);
            let way = foot(second.extent) - foot(first.extent);
            self.shift_by(std::slice::from_ref(one), way)?;
            self.shift_by(std::slice::from_ref(other), -way)?;
            // One that stood on the other carries it now.
            let (low, high) = if way.y < 0.0 { (one, other) } else { (other, one) };
            if way.y.abs() > 0.1 && way.with_y(0.0).length() < 0.5 * way.y.abs() {
                let (to, ids) = ([low.clone()], [high.clone()]);
                self.relate(&ids, crate::frames::Relation::On, &to, &[], None)?;
            }
        }
        self.focus = ids;
        Ok(())
    }
}
