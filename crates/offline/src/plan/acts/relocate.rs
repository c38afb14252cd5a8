//! Moving things: a way to go, a place to be.

use glam::DVec3;

use crate::language::{Degree, Place, Relation, Shift, Way};
use crate::plan::places::place::Spot;
use crate::plan::{Done, Planner, Problem};
use crate::world::{Bounds, Thing, World};

impl Planner {
    /// Moves things some way; nothing goes through the floor.
    pub(crate) fn shift(&mut self, ids: &[String], shift: Shift) -> Done {
        let things = self.world.things.iter().filter(|thing| ids.contains(&thing.id));
        let Some(bounds) = World::bounds_of(things) else { return Ok(()) };
        let least = if ids.iter().any(|id| self.is_plain_object(id)) { 0.5 } else { 1.0 };
        let usual = (0.5 * bounds.extent()).clamp(least, 5.0)
            * match shift.degree {
                Some(Degree::Slight) => 0.5,
                Some(Degree::Strong) => 2.0,
                None => 1.0,
            };
        let mut metres = shift.metres.unwrap_or(usual);
        let above = bounds.min.y - self.world.ground();
        let floor_below = self.world.floor().is_some_and(|floor| !ids.contains(&floor.id));
        if shift.way == Way::Down && floor_below && above >= -1e-6 && metres > above + 1e-9 {
            metres = above.max(0.0);
            if metres < 1e-9 {
                let names = crate::answer::list(ids);
                return Err(Problem::Cannot(format!("{names} already rests on the floor.")));
            }
            self.remark("I stopped at the floor.");
        }
        if shift.metres.is_none() && shift.degree.is_none() {
            metres *= self.steps_until_free(bounds, self.direction(shift.way) * metres, ids);
        }
        let by = self.direction(shift.way) * metres;
        self.move_all(ids, bounds, by);
        let objects: Vec<String> =
            ids.iter().filter(|id| self.is_plain_object(id)).cloned().collect();
        let riders = self.riders(bounds.moved(by), ids);
        let own: Vec<String> = objects.iter().cloned().chain(riders).collect();
        for id in &objects {
            if let Some(bounds) = self.world.find(id).map(Thing::bounds) {
                self.warn_of_overlap(bounds, &own);
            }
        }
        Ok(())
    }

    /// How many steps lead past what is in the way; one where there is no free place that near, or where it
    /// was not free before.
    fn steps_until_free(&self, bounds: Bounds, step: DVec3, ids: &[String]) -> f64 {
        const MOST: i32 = 6;
        let own: Vec<String> = ids.iter().cloned().chain(self.riders(bounds, ids)).collect();
        let free = |by: DVec3| self.is_free(bounds.moved(by).widened(-1e-3), &own);
        let level = step.y.abs() < 1e-9;
        if !level || !free(DVec3::ZERO) {
            return 1.0;
        }
        let steps = (1..=MOST).map(f64::from);
        steps.into_iter().find(|steps| free(step * *steps)).unwrap_or(1.0)
    }

    /// Moves things, and what stands on them along.
    pub(crate) fn move_all(&mut self, ids: &[String], bounds: Bounds, by: DVec3) {
        let floor = ids.iter().any(|id| self.world.find(id).is_some_and(Thing::is_floor));
        let riders = if floor { Vec::new() } else { self.riders(bounds, ids) };
        for thing in &mut self.world.things {
            if ids.contains(&thing.id) || riders.contains(&thing.id) {
                thing.moved(by);
            }
        }
    }

    /// Moves things, as one body, to a place.
    pub(crate) fn replace_at(&mut self, ids: &[String], place: &Place) -> Done {
        let things = self.world.things.iter().filter(|thing| ids.contains(&thing.id));
        let Some(bounds) = World::bounds_of(things) else { return Ok(()) };
        if let Place::Aside(way) = place {
            return self.shift(ids, Shift { way: *way, metres: None, degree: None });
        }
        if self.is_on_floor(place) {
            self.drop_down(ids);
            return Ok(());
        }
        if let Place::Relative { relation, target, metres } = place
            && matches!(relation, Relation::Beside | Relation::On | Relation::Above)
            && ids.iter().all(|id| self.world.find(id).is_some_and(Thing::is_light))
        {
            // A light over something hangs as high as it did, or clear of it.
            let goal = self.resolve(target)?;
            if let Some(goal) = self.bounds_of(&goal) {
                let clear = metres.unwrap_or(0.5 * goal.size().y.max(0.5));
                let height = if metres.is_some() { f64::NEG_INFINITY } else { bounds.center().y };
                let to = goal.center().with_y(height.max(goal.max.y + clear));
                let by = to - bounds.center();
                return self.each(ids, |thing| {
                    thing.moved(by);
                    Ok(())
                });
            }
        }
        let bodies = self.bodies(ids);
        let upon = matches!(place, Place::Relative { relation: Relation::On, metres: None, .. });
        if upon && bodies.len() > 1 && !self.touch_each_other(&bodies) {
            // "put both balls on the table": each finds its place there.
            return bodies.iter().try_for_each(|body| self.replace_at(body, place));
        }
        // What stands on them comes along and is not in the way, unless it is the goal.
        let riders = self.riders(bounds, ids);
        let own: Vec<String> = ids.iter().cloned().chain(riders).collect();
        let own = if self.is_goal(place, &own[ids.len()..]) { ids.to_vec() } else { own };
        let Spot { offset, scale } = self.spot(bounds, std::slice::from_ref(place), &own)?;
        for thing in self.world.things.iter_mut().filter(|thing| own.contains(&thing.id)) {
            thing.moved(offset);
        }
        if scale < 1.0 {
            self.scale_by(ids, DVec3::splat(scale))?;
        }
        Ok(())
    }

    /// Whether things stand on or against each other, as those of a pile do.
    fn touch_each_other(&self, bodies: &[Vec<String>]) -> bool {
        const NEAR: f64 = 0.02;
        let bounds: Vec<Bounds> = bodies.iter().filter_map(|body| self.bounds_of(body)).collect();
        bounds.iter().enumerate().any(|(at, one)| {
            bounds[at + 1..].iter().any(|other| one.widened(NEAR).overlaps(*other))
        })
    }

    /// Straight down, or up, to rest on the ground; where that is taken, to a free place.
    fn drop_down(&mut self, ids: &[String]) {
        let ground = self.world.ground();
        let movable: Vec<String> = ids
            .iter()
            .filter(|id| self.world.find(id).is_some_and(|thing| !thing.is_floor()))
            .cloned()
            .collect();
        for unit in self.bodies(&movable) {
            let things = self.world.things.iter().filter(|thing| unit.contains(&thing.id));
            let Some(bounds) = World::bounds_of(things) else { continue };
            let down = DVec3::Y * (ground - bounds.min.y);
            let by = if self.is_free(bounds.moved(down), &unit) {
                down
            } else {
                self.free_spot(bounds, &unit).offset
            };
            self.move_all(&unit, bounds, by);
        }
    }

    fn is_goal(&self, place: &Place, ids: &[String]) -> bool {
        let Place::Relative { target, .. } = place else { return false };
        self.resolve(target).is_ok_and(|goal| goal.iter().any(|id| ids.contains(id)))
    }
}
