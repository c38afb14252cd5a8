//! Moves by one coordinate: "move the ball to x = 3".

use glam::DVec3;

use super::{Done, Planner};

impl Planner {
    /// The middle of all of them to this coordinate.
    pub(crate) fn move_to_coordinate(&mut self, ids: &[String], axis: DVec3, metres: f64) -> Done {
        let Some(bounds) = self.bounds_of(ids) else { return Ok(()) };
        let by = axis * (metres - bounds.center().dot(axis));
        let riders = self.riders(bounds, ids);
        let all: Vec<String> = ids.iter().chain(&riders).cloned().collect();
        for thing in self.world.things.iter_mut().filter(|thing| all.contains(&thing.id)) {
            thing.moved(by);
        }
        self.warn_of_overlap(bounds.moved(by), &all);
        Ok(())
    }
}
