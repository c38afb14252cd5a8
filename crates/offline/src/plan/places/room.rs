//! Room for what has grown: it stands aside of what it would cut into.

use glam::DVec3;

use crate::plan::Planner;
use crate::plan::places::place::Spot;
use crate::world::{Bounds, Thing, World};

/// More things in a row than this are not stepped past.
const MOST_STEPS: usize = 64;

/// What fits between two things at no less than this share of its size is made smaller for it.
const LEAST_SHARE: f64 = 0.6;

impl Planner {
    /// Moves two things apart where what is to stand between them would get much too small; where they are then.
    pub(in crate::plan) fn with_room_between(
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
            let sides = [self.world.camera.right(), self.world.camera.towards()];
            let neighbours: Vec<Bounds> =
                self.wholes(&met).iter().filter_map(|unit| self.bounds_of(unit)).collect();
            let between = sides.into_iter().find(|way| {
                let least = 0.25 * now.size().dot(way.abs());
                let side = |other: &Bounds| (other.center() - now.center()).dot(*way);
                neighbours.iter().any(|other| side(other) > least)
                    && neighbours.iter().any(|other| side(other) < -least)
            });
            let name = |id: &String| {
                let group = self.world.find(id).and_then(Thing::assembly);
                crate::resolve::stem(group.unwrap_or(id)).to_owned()
            };
            let alike = met.iter().all(|id| name(id) == name(&unit[0]));
            if let Some(way) = between.filter(|_| alike) {
                self.spread_from(way, now, &own, &met);
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

    /// In the gap between two things, on what they stand on, made smaller where it would not fit.
    pub(in crate::plan) fn between(
        &mut self,
        each: &[Bounds],
        bounds: Bounds,
        own: &[String],
    ) -> Spot {
        let (Some(first), Some(last)) = (each.first(), each.get(1).or(each.first())) else {
            return Spot::at(DVec3::ZERO);
        };
        let apart = (last.center() - first.center()).with_y(0.0);
        let way = apart.normalize_or(DVec3::X);
        let reach = |bounds: &Bounds| bounds.size().dot(way.abs()) * 0.5;
        // The middle of the gap, not of the centres: one may be bigger than the other.
        let near = first.center() + way * reach(first);
        let far = last.center() - way * reach(last);
        let middle = (near + far) * 0.5;
        let room = (apart.length() - reach(first) - reach(last)) * 0.9;
        let wanted = bounds.size().dot(way.abs());
        let scale = if room > 0.05 && wanted > room { room / wanted } else { 1.0 };
        if scale < 1.0 {
            self.remark("I made it smaller so that it fits between them.");
        }
        let level = self.level_at(middle, *first).max(self.top_of_what_lies(middle, bounds));
        let offset = middle.with_y(level) - bounds.foot();
        // Where something else stands in the middle of the gap: a little farther back or to the front.
        let across = DVec3::Y.cross(way);
        let depth = 0.6 * reach(first).max(reach(last)).max(apart.length() * 0.3);
        let aside = (0..=6).flat_map(|step| {
            let by = across * depth * f64::from(step) / 6.0;
            [offset + by, offset - by]
        });
        let free = |offset: &DVec3| self.is_free(bounds.moved(*offset), own);
        let offset = aside.into_iter().find(free).filter(|_| scale >= 1.0).unwrap_or(offset);
        Spot { offset, scale }
    }

    /// The top of the rugs and the like where a body is to stand; the ground where there are none.
    pub(in crate::plan) fn top_of_what_lies(&self, at: DVec3, bounds: Bounds) -> f64 {
        const FLAT: f64 = 0.04;
        let ground = self.world.ground();
        if bounds.size().y <= FLAT {
            return ground;
        }
        let there = bounds.moved(at.with_y(ground) - bounds.foot());
        let lies = |thing: &Bounds| thing.max.y <= ground + FLAT && thing.overlaps(there);
        let tops = self.world.objects().map(Thing::bounds).filter(lies).map(|thing| thing.max.y);
        tops.fold(ground, f64::max)
    }
}

impl Planner {
    /// What grew in the middle of a row pushes those on either side of it outwards, all of them.
    fn spread_from(&mut self, way: DVec3, now: Bounds, own: &[String], met: &[String]) {
        let air = (0.05 * now.extent()).clamp(0.02, 0.5);
        let across = DVec3::Y.cross(way);
        let all: Vec<String> = self.world.objects().map(|thing| thing.id.clone()).collect();
        for side in [way, -way] {
            let reach = |bounds: Bounds, way: DVec3| {
                bounds.center().dot(way) + 0.5 * bounds.size().dot(way.abs())
            };
            let inner = |id: &String| -reach(self.world.find(id).map_or(now, Thing::bounds), -side);
            let beyond = |bounds: Bounds| (bounds.center() - now.center()).dot(side) > 0.0;
            let there =
                |id: &&String| self.world.find(id).is_some_and(|thing| beyond(thing.bounds()));
            let nearest = met.iter().filter(there).map(inner).fold(f64::INFINITY, f64::min);
            let by = reach(now, side) + air - nearest;
            if !by.is_finite() || by <= 0.0 {
                continue;
            }
            let in_row = |bounds: Bounds| {
                let aside = (bounds.center() - now.center()).dot(across).abs();
                aside < 0.5 * (bounds.size() + now.size()).dot(across.abs())
            };
            let pushed: Vec<String> = self
                .wholes(&all)
                .into_iter()
                .filter(|unit| !unit.iter().any(|id| own.contains(id)))
                .filter(|unit| {
                    self.bounds_of(unit).is_some_and(|bounds| beyond(bounds) && in_row(bounds))
                })
                .flatten()
                .collect();
            for thing in self.world.things.iter_mut().filter(|thing| pushed.contains(&thing.id)) {
                thing.moved(side * by);
            }
        }
        self.remark("I moved its neighbours apart to make room for it.");
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
