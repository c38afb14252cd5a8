//! Things scattered over an area: all over it, without a pattern that shows.

use glam::DVec3;
use spatial::Extent;

use crate::frames::{Place, Relation};
use crate::plan::planner::{Done, Planner};
use crate::plan::wish::Wish;

use super::spot::is_free;

/// The golden angle.
const GOLDEN: f64 = 2.399_963;
/// So many spots are tried for each.
const SPOTS: usize = 4;
/// An area is that much wider than what is scattered on it.
const WIDER: f64 = 3.0;

impl Planner<'_> {
    /// Strews new things over what they are on, where that is wide enough; whether it was.
    pub(super) fn strew(&mut self, ids: &[String], place: &Place) -> Done<bool> {
        let is_on = matches!(place.relation, Some(Relation::On | Relation::Inside));
        let target = place.target.as_deref().filter(|_| is_on && place.region.is_none());
        let Some(Ok(targets)) = target.map(|target| self.find(target)) else { return Ok(false) };
        let Some(area) = self.extent_of(&targets) else { return Ok(false) };
        if !self.strew_over(ids, area)? {
            return Ok(false);
        }
        self.wishes.push(Wish { ids: ids.to_vec(), relation: Relation::On, targets });
        Ok(true)
    }

    /// Strews new things over the floor of the only room there is, if all stands in it; whether there is one.
    pub(super) fn strew_in_room(&mut self, ids: &[String]) -> Done<bool> {
        match self.room_of_all(ids) {
            Some(room) => self.strew_over(ids, room),
            None => Ok(false),
        }
    }

    fn strew_over(&mut self, ids: &[String], area: Extent) -> Done<bool> {
        let size = area.size();
        let widest = ids.iter().filter_map(|id| self.extent_of(std::slice::from_ref(id)));
        let widest = widest.map(|own| own.size().x.max(own.size().z)).fold(0.0, f64::max);
        let is_area = size.y < 0.2 * size.x.min(size.z) && size.x.min(size.z) > WIDER * widest;
        if !is_area || !self.is_new(ids) {
            return Ok(false);
        }
        let half = 0.5 * (size - DVec3::splat(1.2 * widest));
        let spots = ids.len() * SPOTS;
        // As many spots as things come first, so that those alone are all over it.
        let spot = |at: usize| {
            let round = at % ids.len();
            let share = ((round as f64 + 0.5) / ids.len() as f64).sqrt();
            let turn = GOLDEN * (round + at / ids.len() * 5) as f64;
            let way = DVec3::new(turn.cos(), 0.0, turn.sin()) * share * half;
            (area.center() + way).with_y(area.max.y)
        };
        let mut next = 0;
        for id in ids {
            let own = std::slice::from_ref(id);
            let Some(extent) = self.extent_of(own) else { continue };
            let foot = extent.center().with_y(extent.min.y);
            let state = self.state();
            let world = state.world();
            let clear = |at: &usize| {
                let moved = extent.moved(spot(*at) + DVec3::Y * 1e-2 - foot);
                is_free(world, moved, ids)
            };
            let at = (next..spots).find(clear).unwrap_or(next.min(spots - 1));
            next = at + 1;
            self.shift_by(own, spot(at) - foot)?;
            self.let_down(own)?;
        }
        Ok(true)
    }
}
