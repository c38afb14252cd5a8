//! `place`: one thing in a relation to another, resting on or standing off the real surface.

use std::collections::HashSet;
use std::f64::consts::TAU;

use glam::DVec3;
use scene::{Displacement, LengthOrZero, Motion, Violations, properties};

use crate::args::{Ids, choice};
use crate::plan::{Plan, PlanBuilder, Planned};
use crate::solid::{Cast, Extent, Solid};
use crate::space::{Space, Unit};

use super::resting::Resting;
use super::side::Side;

choice! {
    /// Where something goes.
    pub enum Where {
        /// On its real surface, from above.
        On = "on",
        /// Below it: on the ground there, or against its underside.
        Under = "under",
        /// In its middle, or on its floor.
        Inside = "inside",
        /// To the viewer's left.
        LeftOf = "left_of",
        /// To the viewer's right.
        RightOf = "right_of",
        /// On the viewer's side.
        InFrontOf = "in_front_of",
        /// On the far side.
        Behind = "behind",
        /// On the side that is free and nearest to where it is.
        NextTo = "next_to",
        /// Midway between two things.
        Between = "between",
        /// Several things in a ring.
        Around = "around",
    }
}

choice! {
    /// Which heights agree when something is placed beside another.
    pub enum Level {
        /// Both stand equally low.
        Bottom = "bottom",
        /// Their centres are equally high.
        Center = "center",
        /// Both reach equally high.
        Top = "top",
    }
}

properties! {
    /// Arguments of `place`.
    pub struct Place {
        /// What is placed.
        pub ids: Ids,
        /// Where.
        pub relation: Where,
        /// In relation to what; two for between.
        pub to: Ids,
        /// Metres left free, default 0.
        pub gap: Option<LengthOrZero> = None,
        /// Added; with on, from the middle of the target.
        pub offset: Option<Displacement> = None,
        /// Default bottom.
        pub level: Level = Level::Bottom,
        /// Each by itself; else as one.
        pub each: bool = false,
    }
}

/// What is to be placed, and in relation to what.
struct Task<'a> {
    space: &'a Space<'a>,
    subject: &'a Solid,
    target: &'a Solid,
    /// What moves, by id.
    name: &'a str,
    /// What stays, by id.
    target_name: &'a str,
    /// The places of the bodies that move.
    own: &'a HashSet<usize>,
    gap: f64,
    offset: Option<DVec3>,
    level: Level,
}

impl Planned for Place {
    fn plan(&self, space: &Space<'_>) -> Result<Plan, Violations> {
        let (units, targets) =
            match (space.units(self.ids.as_slice()), space.units(self.to.as_slice())) {
                (Ok(units), Ok(targets)) => (units, targets),
                (units, targets) => {
                    let all = [units.err(), targets.err()].into_iter().flatten();
                    return Err(Violations::joined(all).unwrap_or_else(|| Violations::one("")));
                }
            };
        let own: HashSet<usize> = units.iter().flat_map(|unit| &unit.members).copied().collect();
        let theirs: HashSet<usize> = targets.iter().flat_map(|t| &t.members).copied().collect();
        if let Some(both) = own.intersection(&theirs).next() {
            let id = space.bodies()[*both].id;
            return Err(Violations::one(format!(
                "place: '{id}' would be placed in relation to itself; name other things in 'to'"
            )));
        }
        if self.relation == Where::Between && targets.len() != 2 {
            return Err(Violations::one(format!(
                "place: 'between' takes two things in 'to', got {}",
                targets.len()
            )));
        }
        let mut changes = PlanBuilder::default();
        if self.each && units.len() > 1 && self.relation != Where::Around {
            for unit in units {
                self.place_as_one(space, &[unit], &targets, &mut changes)?;
            }
        } else {
            self.place_as_one(space, &units, &targets, &mut changes)?;
        }
        changes.finish()
    }
}

impl Place {
    /// Places `units`, which keep their places to each other.
    fn place_as_one(
        &self,
        space: &Space<'_>,
        units: &[Unit],
        targets: &[Unit],
        changes: &mut PlanBuilder,
    ) -> Result<(), Violations> {
        let own: HashSet<usize> = units.iter().flat_map(|unit| &unit.members).copied().collect();
        let theirs: HashSet<usize> = targets.iter().flat_map(|t| &t.members).copied().collect();
        let subject = whole(units)?;
        let target = whole(targets)?;
        let task = Task {
            space,
            subject: &subject,
            target: &target,
            name: &units[0].name,
            target_name: &targets[0].name,
            own: &own,
            gap: self.gap.map_or(0.0, LengthOrZero::get),
            offset: self.offset.map(|offset| offset.get().into()),
            level: self.level,
        };
        if self.relation == Where::Around {
            for (unit, shift) in units.iter().zip(task.around(units)) {
                changes.moved(space, unit, &Motion::shift(shift.to_array()));
            }
            return Ok(());
        }
        let shift = match self.relation {
            Where::On => task.on(&theirs)?,
            Where::Under => task.under(&theirs)?,
            Where::Inside => task.inside(&theirs)?,
            Where::LeftOf => task.beside(Side::Left.direction(space)),
            Where::RightOf => task.beside(Side::Right.direction(space)),
            Where::InFrontOf => task.beside(Side::Front.direction(space)),
            Where::Behind => task.beside(Side::Back.direction(space)),
            Where::NextTo => task.next_to(),
            Where::Between => task.between(&targets[0], &targets[1])?,
            Where::Around => DVec3::ZERO,
        };
        for unit in units {
            changes.moved(space, unit, &Motion::shift(shift.to_array()));
        }
        Ok(())
    }
}

fn whole(units: &[Unit]) -> Result<Solid, Violations> {
    Solid::union(units.iter().map(|unit| &unit.solid))
        .ok_or_else(|| Violations::one("there is nothing to place"))
}

impl Task<'_> {
    /// The level way that takes the subject over the middle of the target, or leaves it where it is
    /// when it is over the target already and no offset is given.
    fn over(&self) -> DVec3 {
        let (own, target) = (self.subject.extent(), self.target.extent());
        let at = own.center().with_y(target.center().y);
        match self.offset {
            None if target.contains(at) => DVec3::ZERO,
            offset => (target.center() - own.center() + offset.unwrap_or_default()).with_y(0.0),
        }
    }

    fn lift(&self) -> f64 {
        self.offset.map_or(0.0, |offset| offset.y)
    }

    /// Free room that surely takes two boxes apart, whatever the rounding.
    fn clearance(&self) -> f64 {
        self.gap + 1e-3 * (self.subject.size() + self.target.size()) + 1e-6
    }

    fn on(&self, theirs: &HashSet<usize>) -> Result<DVec3, Violations> {
        let (own, target) = (self.subject.extent(), self.target.extent());
        let start = self.over() + DVec3::Y * (target.max.y - own.min.y + self.clearance());
        // Who says where it goes means that place.
        if self.offset.is_none() {
            let mut parts: Vec<usize> = theirs.iter().copied().collect();
            parts.sort_unstable();
            let parts = parts.into_iter().map(|at| &self.space.bodies()[at].solid).collect();
            let resting = Resting { subject: self.subject, parts, start, gap: self.gap };
            if let Some(shift) = resting.shift() {
                return Ok(shift);
            }
        }
        match self.subject.cast(start, DVec3::NEG_Y, self.target, self.gap) {
            Cast::After(way) => Ok(start + DVec3::Y * (self.lift() - way)),
            Cast::Meets => Ok(start + DVec3::Y * self.lift()),
            Cast::Never => Err(Violations::one(format!(
                "place: '{}' would fall past '{}': no part of it lies below there; give an offset from \
                 its middle that does",
                self.name, self.target_name
            ))),
        }
    }

    fn under(&self, theirs: &HashSet<usize>) -> Result<DVec3, Violations> {
        let (own, target) = (self.subject.extent(), self.target.extent());
        let start = self.over() + DVec3::Y * (target.min.y - own.max.y - self.clearance());
        let way = match self.subject.cast(start, DVec3::Y, self.target, self.gap) {
            Cast::After(way) => way,
            Cast::Meets => 0.0,
            Cast::Never => {
                return Err(Violations::one(format!(
                    "place: no part of '{}' lies above '{}' there; give an offset from its middle",
                    self.target_name, self.name
                )));
            }
        };
        let against = start + DVec3::Y * way;
        // It came from below: nothing of the target is under it.
        let fallen = self.fallen(against, &(self.own | theirs));
        Ok(fallen.unwrap_or(against) + DVec3::Y * self.lift())
    }

    fn inside(&self, theirs: &HashSet<usize>) -> Result<DVec3, Violations> {
        let (own, target) = (self.subject.extent(), self.target.extent());
        let room = target.size() - own.size();
        // Things without height, like a carpet's quad, still hold what is as flat.
        if room.min_element() < -self.subject.contact_tolerance() {
            let text = |size: DVec3| {
                size.to_array().map(|side| format!("{}", (side * 1e3).round() / 1e3)).join(" x ")
            };
            return Err(Violations::one(format!(
                "place: '{}' ({} m) does not fit into '{}' ({} m); scale one of them first",
                self.name,
                text(own.size()),
                self.target_name,
                text(target.size())
            )));
        }
        let middle = target.center() - own.center() + self.offset.unwrap_or_default();
        let is_room = theirs.len() > 1;
        if !is_room && !self.target.has_room_in_it() {
            return Ok(middle);
        }
        let lowest = target.min.y - own.min.y;
        let without = if is_room { self.own.clone() } else { self.own | theirs };
        let fallen = self.fallen(middle, &without).unwrap_or(middle.with_y(lowest));
        Ok(fallen.with_y(fallen.y.max(lowest)))
    }

    /// Where the subject comes to rest when it falls from where `shift` takes it.
    fn fallen(&self, shift: DVec3, without: &HashSet<usize>) -> Option<DVec3> {
        let (way, _) = self.space.fall_from(self.subject, shift, without)?;
        Some(shift - DVec3::Y * way)
    }

    /// The upright way that makes the heights agree with those of `target`.
    fn levelled(&self, own: Extent, target: Extent) -> f64 {
        match self.level {
            Level::Bottom => target.min.y - own.min.y,
            Level::Center => target.center().y - own.center().y,
            Level::Top => target.max.y - own.max.y,
        }
    }

    /// The way to the side `direction`, level and of length 1, of the target.
    fn beside(&self, direction: DVec3) -> DVec3 {
        self.beside_as(self.subject, direction) + self.offset.unwrap_or_default()
    }

    fn beside_as(&self, subject: &Solid, direction: DVec3) -> DVec3 {
        let (own, target) = (subject.extent(), self.target.extent());
        let over = target.center() - own.center();
        let over = over.with_y(self.levelled(own, target));
        let beyond = self.target.reach(direction) + subject.reach(-direction) - over.dot(direction);
        let start = over + direction * (beyond + self.clearance());
        let way = match subject.cast(start, -direction, self.target, self.gap) {
            Cast::After(way) => way,
            Cast::Meets => 0.0,
            // They would pass above each other: their outlines keep the gap.
            Cast::Never => self.clearance() - self.gap,
        };
        start - direction * way
    }

    fn next_to(&self) -> DVec3 {
        let now = self.subject.extent().center() - self.target.extent().center();
        let mut sides = Side::ALL.map(|side| side.direction(self.space));
        sides.sort_by(|one, other| other.dot(now).total_cmp(&one.dot(now)));
        let ways = sides.map(|side| self.beside(side));
        let is_free = |way: &DVec3| {
            let extent = self.subject.extent().moved(*way);
            let near = self.space.near(extent, 0.0).into_iter();
            near.filter(|at| !self.own.contains(at)).all(|at| {
                let other = &self.space.bodies()[at].solid;
                let depth = -self.subject.relation_at(*way, other).gap;
                depth <= other.contact_tolerance().min(self.subject.contact_tolerance())
            })
        };
        ways.into_iter().find(is_free).unwrap_or(ways[0])
    }

    fn between(&self, one: &Unit, other: &Unit) -> Result<DVec3, Violations> {
        let (start, end) = (one.solid.extent().center(), other.solid.extent().center());
        let level = (end - start).with_y(0.0);
        let is_level = level.length() > 1e-3 * (one.solid.size() + other.solid.size());
        let direction = if is_level { level } else { end - start };
        let direction = direction.try_normalize().unwrap_or(DVec3::Y);
        let (near, far) = (one.solid.reach(direction), -other.solid.reach(-direction));
        let width = self.subject.reach(direction) + self.subject.reach(-direction);
        let free = far - near;
        if free < width + 2.0 * self.gap - self.subject.contact_tolerance() {
            return Err(Violations::one(format!(
                "place: the gap between '{}' and '{}' is {:.3} m, but '{}' needs {:.3} m there; move \
                 them apart or scale it",
                one.name,
                other.name,
                free.max(0.0),
                self.name,
                width + 2.0 * self.gap
            )));
        }
        let own = self.subject.extent();
        // The middle of its own outline goes to the middle of the gap.
        let own_middle = 0.5 * (self.subject.reach(direction) - self.subject.reach(-direction));
        let line = 0.5 * (start + end) - own.center();
        let along = 0.5 * (near + far) - own_middle;
        let mut way = line + direction * (along - line.dot(direction));
        if is_level {
            way.y = self.levelled(own, one.solid.extent());
        }
        Ok(way + self.offset.unwrap_or_default())
    }

    fn around(&self, units: &[Unit]) -> Vec<DVec3> {
        let (first, second) =
            (Side::Right.direction(self.space), Side::Front.direction(self.space));
        let count = units.len() as f64;
        let directions: Vec<DVec3> = (0..units.len())
            .map(|at| {
                let angle = TAU * at as f64 / count;
                (first * angle.cos() + second * angle.sin()).normalize()
            })
            .collect();
        let middle = self.target.extent().center();
        let mut radius: f64 = 0.0;
        for (unit, direction) in units.iter().zip(&directions) {
            let center = unit.solid.extent().center() + self.beside_as(&unit.solid, *direction);
            radius = radius.max((center - middle).dot(*direction));
        }
        let widest = units.iter().map(|unit| unit.solid.extent().size().with_y(0.0).length());
        let widest = widest.fold(0.0, f64::max);
        if units.len() > 1 {
            radius = radius.max((widest + self.gap) / (2.0 * (TAU / 2.0 / count).sin()));
        }
        let place = |(unit, direction): (&Unit, &DVec3)| {
            let own = unit.solid.extent();
            let way = (middle - own.center() + *direction * radius)
                .with_y(self.levelled(own, self.target.extent()));
            way + self.offset.unwrap_or_default()
        };
        units.iter().zip(&directions).map(place).collect()
    }
}
