//! Room for what has grown: it stands aside of what it would cut into.

use glam::DVec3;

use super::Planner;
use crate::world::{Bounds, Thing, World};

/// More things in a row than this are not stepped past.
const MOST_STEPS: usize = 64;

impl Planner {
    /// Moves each of `units` to the side, at its height, where it cuts into what it did not cut
    /// into in `before`.
    pub(crate) fn make_room(&mut self, units: &[Vec<String>], before: &World) {
        for unit in units {
            if !unit.iter().all(|id| self.is_plain_object(id)) {
                continue;
            }
            let among = |world: &World| {
                World::bounds_of(world.things.iter().filter(|thing| unit.contains(&thing.id)))
            };
            let (Some(old), Some(now)) = (among(before), among(&self.world)) else { continue };
            let riders = self.riders(now, unit);
            let own: Vec<String> = unit.iter().cloned().chain(riders).collect();
            let met_before = |thing: &Thing| {
                before.find(&thing.id).is_some_and(|thing| thing.bounds().overlaps(old))
            };
            let others: Vec<&Thing> = self
                .world
                .shapes()
                .filter(|thing| !thing.is_floor() && !own.contains(&thing.id) && !met_before(thing))
                .collect();
            let met = |thing: &&&Thing| thing.bounds().overlaps(now);
            let met: Vec<String> =
                others.iter().filter(met).map(|thing| thing.id.clone()).collect();
            if met.is_empty() {
                continue;
            }
            let obstacles: Vec<Bounds> = others.iter().map(|thing| thing.bounds()).collect();
            let Some(by) = way_out(now, &obstacles) else { continue };
            for thing in self.world.things.iter_mut().filter(|thing| own.contains(&thing.id)) {
                thing.moved(by);
            }
            self.remark(format!(
                "I moved {} aside so that it does not cut into {}.",
                crate::answer::list(&self.names_of(unit)),
                crate::answer::list(&self.names_of(&met))
            ));
        }
    }
}

/// The shortest way along x or z that frees `bounds` of all `obstacles`.
fn way_out(bounds: Bounds, obstacles: &[Bounds]) -> Option<DVec3> {
    let air = (0.05 * bounds.extent()).clamp(0.02, 0.5);
    let along = |way: DVec3| {
        let mut by = DVec3::ZERO;
        for _ in 0..MOST_STEPS {
            let now = bounds.moved(by);
            let Some(other) = obstacles.iter().find(|other| other.overlaps(now)) else {
                return Some(by);
            };
            let half = (now.size() + other.size()).dot(way.abs()) / 2.0;
            by += way * (half + air - (now.center() - other.center()).dot(way));
        }
        None
    };
    [DVec3::X, DVec3::NEG_X, DVec3::Z, DVec3::NEG_Z]
        .into_iter()
        .filter_map(along)
        .min_by(|a, b| a.length().total_cmp(&b.length()))
}
