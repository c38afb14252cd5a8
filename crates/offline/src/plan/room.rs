//! Room for what has grown: it stands aside of what it would cut into.

use glam::DVec3;

use super::Planner;
use crate::world::{Bounds, Thing, World};

/// More things in a row than this are not stepped past.
const MOST_STEPS: usize = 64;

/// What fits between two things at no less than this share of its size is made smaller for it.
const LEAST_SHARE: f64 = 0.6;

impl Planner {
    /// Moves two things apart where what is to stand between them would get much too small; where they are then.
    pub(super) fn with_room_between(
        &mut self,
        units: &[Vec<String>],
        each: Vec<Bounds>,
        bounds: Bounds,
    ) -> Vec<Bounds> {
        let ([one, two], [first, last]) = (units, each.as_slice()) else { return each };
        // Furniture and the like; plain shapes are where the person wants them.
        let object = |id: &String| {
            self.is_plain_object(id)
                && self.world.find(id).is_some_and(|it| it.assembly().is_some())
        };
        let loose = one.iter().chain(two).all(object);
        let across = (last.center() - first.center()).with_y(0.0);
        let way = if across.x.abs() >= across.z.abs() {
            DVec3::X * across.x.signum()
        } else {
            DVec3::Z * across.z.signum()
        };
        let along = |bounds: &Bounds| bounds.size().dot(way.abs());
        let room = across.dot(way) - (along(first) + along(last)) / 2.0;
        let wanted = along(&bounds);
        if !loose || room >= LEAST_SHARE * wanted {
            return each;
        }
        let by = way * (1.2 * wanted - room) / 2.0;
        let (first, last) = (*first, *last);
        self.move_all(one, first, -by);
        self.move_all(two, last, by);
        self.remark("I moved them apart to make room between them.");
        vec![first.moved(-by), last.moved(by)]
    }

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
