//! Moves by one coordinate: "move the ball to x = 3".

use glam::DVec3;

use crate::plan::{Done, Planner};

impl Planner {
    /// The middle of each of them to this coordinate.
    pub(crate) fn move_to_coordinate(&mut self, ids: &[String], axis: DVec3, metres: f64) -> Done {
        for unit in self.wholes(ids) {
            let Some(bounds) = self.bounds_of(&unit) else { continue };
            let by = axis * (metres - bounds.center().dot(axis));
            let mut riders = self.riders(bounds, &unit);
            riders.retain(|id| !ids.contains(id));
            let all: Vec<String> = unit.iter().chain(&riders).cloned().collect();
            for thing in self.world.things.iter_mut().filter(|thing| all.contains(&thing.id)) {
                thing.moved(by);
            }
            self.warn_of_overlap(bounds.moved(by), &all);
        }
        Ok(())
    }
}
