//! Where things were before.

use glam::DVec3;

use crate::frames::{Head, Place};
use crate::resolve::World;

use crate::plan::planner::{Done, Planner};

impl Planner<'_> {
    /// Each of several things goes back to its own place.
    pub(in crate::plan) fn put_where_it_was(
        &mut self,
        ids: &[String],
        place: &Place,
        foot: DVec3,
    ) -> Done {
        if ids.len() > 1 {
            for id in ids {
                let own = self.extent_of(std::slice::from_ref(id));
                let Some(own) = own else { continue };
                let foot = own.center().with_y(own.min.y);
                self.put_where_it_was(std::slice::from_ref(id), place, foot)?;
            }
            return Ok(());
        }
        match self.former_foot(ids, place) {
            Some(goal) => {
                self.shift_by(ids, goal - foot)?;
                if self.is_new(ids) {
                    self.unstack(ids)?;
                    self.let_down_together(ids)?;
                }
                Ok(())
            }
            None if self.is_new(ids) => self.put_free(ids, None),
            None => Ok(()),
        }
    }

    /// Where something stood that is gone or stands elsewhere now: "where the cone was", "in its place"; without a
    /// name, what was taken away last, or the things themselves.
    pub(in crate::plan) fn former_foot(&self, ids: &[String], place: &Place) -> Option<DVec3> {
        let target = place.target.as_deref();
        let named = target.filter(|target| !matches!(target.head, Head::Pronoun(_)));
        if named.is_none()
            && let Some(gone) = &self.context.gone
        {
            return Some(gone.foot);
        }
        let state = self.state();
        let now = state.world();
        // What is named may have been gone for long; what is only pointed at goes back by one step.
        let steps = if named.is_some() { usize::MAX } else { 1 };
        self.context.past.iter().rev().take(steps).find_map(|past| {
            let world = World::of(past);
            let meant = match named {
                Some(target) => self.find_in(target, &world).ok()?,
                None => ids.to_vec(),
            };
            let then = world.extent_of(&meant)?;
            let moved =
                now.extent_of(&meant).is_none_or(|now| now.center().distance(then.center()) > 1e-3);
            moved.then(|| then.center().with_y(then.min.y))
        })
    }
}
