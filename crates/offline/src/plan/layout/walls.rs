//! Things on walls and against them.

use glam::DVec3;

use crate::frames::{Place, Relation};
use crate::resolve::{Sides, Thing};

use super::spot::ground_of;
use crate::plan::planner::{Done, Planner, Remark, Stopped};

/// How high the middle of what hangs on a wall is, in metres.
const EYE_LEVEL: f64 = 1.5;
/// What is left free between a thing and the wall it stands against.
const AIR: f64 = 0.02;

impl Planner<'_> {
    /// The wall that a place is on or against.
    pub(in crate::plan) fn walls_of(&self, place: &Place) -> Option<String> {
        let target = place.target.as_ref()?;
        if !matches!(
            place.relation,
            Some(Relation::On | Relation::NextTo | Relation::To | Relation::Inside)
        ) {
            return None;
        }
        let state = self.state();
        let world = state.world();
        // Of several walls the one that the picture shows behind everything.
        let ids = match self.find_in(target, world) {
            Err(Stopped(Remark::Which(_, ids, _))) => {
                let walls = ids.iter().filter_map(|id| world.find(id)).filter(|wall| is_wall(wall));
                let front = Sides::of(world.scene).front;
                let far = walls.min_by(|one, other| {
                    let near = |wall: &Thing| wall.extent.center().dot(front);
                    near(one).total_cmp(&near(other))
                });
                vec![far?.id.clone()]
            }
            found => found.ok()?,
        };
        let thing = world.find(ids.first()?)?;
        is_wall(thing).then(|| thing.id.clone())
    }

    /// With its back to a wall, hung on it or standing before it.
    pub(in crate::plan) fn put_to_wall(
        &mut self,
        ids: &[String],
        wall: &str,
        hung: bool,
        anew: bool,
    ) -> Done {
        let state = self.state();
        let world = state.world();
        let scene = world.scene;
        let (Some(own), Some(wall)) = (world.extent_of(ids), world.find(wall)) else {
            return Ok(());
        };
        let size = wall.extent.size();
        let axis = if size.x < size.z { DVec3::X } else { DVec3::Z };
        let eye = DVec3::from(scene.camera.center.get());
        let front = axis * (eye - wall.extent.center()).dot(axis).signum();
        let face = wall.extent.center().dot(front) + 0.5 * size.dot(axis);
        let air = if hung { 0.002 } else { AIR };
        let back = own.center().dot(front) - 0.5 * own.size().dot(axis);
        let mut way = front * (face + air - back);
        let along = DVec3::ONE - axis - DVec3::Y;
        if anew {
            way += (wall.extent.center() - own.center()) * along;
        }
        if hung {
            let low = wall.extent.min.y.max(ground_of(world));
            let middle = (low + EYE_LEVEL).min(0.5 * (low + wall.extent.max.y).max(EYE_LEVEL));
            // What is above something else already stays so high.
            let high = own.center().y.max(middle).min(wall.extent.max.y - 0.5 * own.size().y);
            way.y = if anew { middle } else { high } - own.center().y;
            self.aloft.extend(ids.iter().cloned());
        }
        self.shift_by(ids, way)?;
        if hung || !anew {
            return Ok(());
        }
        self.beside_others(ids, along)
    }

    /// Along a wall to where there is room.
    fn beside_others(&mut self, ids: &[String], along: DVec3) -> Done {
        let state = self.state();
        let world = state.world();
        let Some(own) = world.extent_of(ids) else { return Ok(()) };
        let step = 0.25 * own.size().dot(along).max(0.2);
        let free = (0..24)
            .map(|at| f64::from(at / 2 + at % 2) * if at % 2 == 0 { 1.0 } else { -1.0 })
            .map(|at| along * at * step)
            .find(|way| super::spot::is_free(world, own.moved(*way), ids));
        match free {
            Some(way) => self.shift_by(ids, way),
            None => Ok(()),
        }
    }
}

/// Whether a thing stands upright and is flat and wide.
fn is_wall(thing: &Thing) -> bool {
    let size = thing.extent.size();
    thing.scenery && size.y > 0.2 * size.max_element() && size.x.min(size.z) < 0.2 * size.y
}
