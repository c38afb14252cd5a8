//! Inside of what is hollow: rooms, passages, courtyards with a wall around them. What is put in their middle, their corners or
//! along their sides stands on their floor.

use glam::DVec3;
use scene::Geometry;
use serde_json::json;
use spatial::Extent;

use crate::frames::Relation;
use crate::resolve::{Kind, STARS, Thing};

use crate::plan::planner::{Done, Planner};

/// What is hollow is at least so wide, in metres.
const WIDE: f64 = 1.0;
/// Of what lies in the middle of it, the ground is no higher than that.
const FLOOR: f64 = 0.1;
/// What is left free between a thing and the wall that it stands at.
const AIR: f64 = 0.1;
/// New things of no told size are no wider in a corner, in parts of the room.
const MAX_SHARE: f64 = 0.35;
/// So many places are tried to each side of the middle.
const SPOTS: i32 = 8;

impl Planner<'_> {
    /// The room inside of a composed thing: down to its floor and up to no higher than that.
    fn hollow_of(&self, targets: &[String]) -> Option<Extent> {
        let [target] = targets else { return None };
        let state = self.state();
        let world = state.world();
        let thing = world.find(target)?;
        let bodies: Vec<_> =
            thing.bodies.iter().filter_map(|at| world.space.bodies().get(*at)).collect();
        let plain = |body: &&spatial::Body<'_>| {
            body.shape().is_some_and(|shape| {
                matches!(shape.geometry, Geometry::Box(_) | Geometry::Quad(_) | Geometry::Disc(_))
            })
        };
        let size = thing.extent.size();
        if bodies.len() < 3 || size.x.min(size.z) < WIDE || !bodies.iter().all(plain) {
            return None;
        }
        let foot = thing.extent.min.y;
        let is_floor = |extent: Extent| extent.max.y <= foot + FLOOR;
        let middle = thing.extent.center();
        let reach = 0.2 * size;
        // A ceiling is a panel that leaves room below.
        let is_ceiling = |one: Extent| one.size().y < 1e-6 && one.min.y > foot + 0.5 * size.y;
        let walls = || bodies.iter().map(|body| body.solid.extent()).filter(|one| !is_floor(*one));
        let over = |one: Extent| {
            let apart = (one.center() - middle).abs() - 0.5 * one.size();
            apart.x < reach.x && apart.z < reach.z
        };
        if walls().any(|one| over(one) && !is_ceiling(one)) {
            return None;
        }
        let thick =
            walls().map(|one| one.size().with_y(f64::MAX).min_element()).fold(0.0, f64::max);
        let thick = thick.min(0.1 * size.x.min(size.z));
        let floor = bodies.iter().map(|body| body.solid.extent()).filter(|one| is_floor(*one));
        let level = floor.map(|one| one.max.y).fold(foot, f64::max);
        let inset = DVec3::new(thick, 0.0, thick);
        let (min, max) = (thing.extent.min + inset, thing.extent.max - inset);
        Some(Extent { min: min.with_y(level), max: max.with_y(level) })
    }

    /// Puts things inside of something hollow where that is meant; whether it was.
    pub(in crate::plan) fn put_in_hollow(
        &mut self,
        ids: &[String],
        relation: Relation,
        targets: &[String],
    ) -> Done<bool> {
        let Some(room) = self.hollow_of(targets) else { return Ok(false) };
        let is_shell = self.state().world().find(&targets[0]).is_some_and(|thing| thing.scenery);
        match relation {
            Relation::On if !is_shell => return Ok(false),
            Relation::Inside | Relation::On | Relation::Middle => {
                self.stand_free_in(ids, room)?;
            }
            Relation::Corners | Relation::Corner => {
                self.shrink_to(ids, MAX_SHARE * room.size().x.min(room.size().z))?;
                let corners = [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)];
                for (id, (x, z)) in ids.iter().zip(corners.into_iter().cycle()) {
                    self.stand_in_room(id, room, DVec3::new(x, 0.0, z))?;
                }
            }
            Relation::Flanking | Relation::Along if is_shell => {
                self.line_room(ids, room, relation == Relation::Flanking)?;
            }
            Relation::Rim | Relation::Around if is_shell => {
                for (at, id) in ids.iter().enumerate() {
                    let turn = std::f64::consts::TAU * (at as f64 + 0.5) / ids.len() as f64;
                    let way = DVec3::new(turn.sin(), 0.0, turn.cos());
                    let way = way / way.abs().max_element().max(1e-9);
                    self.stand_in_room(id, room, way)?;
                }
            }
            Relation::Ends if is_shell => {
                let long = if room.size().x > room.size().z { DVec3::X } else { DVec3::Z };
                for (at, id) in ids.iter().enumerate() {
                    self.stand_in_room(id, room, if at % 2 == 0 { -long } else { long })?;
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The inside of the only room there is, if all stands in it.
    pub(super) fn room_of_all(&self, ids: &[String]) -> Option<Extent> {
        let state = self.state();
        let world = state.world();
        let is_shell =
            |thing: &&Thing| thing.scenery && thing.kind == Kind::Group && thing.id != STARS;
        let mut shells = world.wholes().filter(is_shell).map(|thing| thing.id.clone());
        let shell = shells.next().filter(|_| shells.next().is_none())?;
        let room = self.hollow_of(&[shell])?;
        let inside = |thing: &Thing| {
            let apart = (thing.extent.center() - room.center()).abs() - 0.5 * room.size();
            apart.x <= 0.0 && apart.z <= 0.0
        };
        let mut others = world.contents().filter(|thing| !ids.contains(&thing.id));
        others.all(inside).then_some(room)
    }

    /// Across a room from something, at the other wall; whether there is a room.
    pub(super) fn put_across_room(&mut self, ids: &[String], target: Extent) -> Done<bool> {
        let Some(room) = self.room_of_all(ids) else { return Ok(false) };
        let Some(own) = self.extent_of(ids) else { return Ok(true) };
        let half = (0.5 * room.size()).max(DVec3::splat(1e-6));
        let from = target.center() - room.center();
        let free = (0.5 * (room.size() - own.size()) - DVec3::splat(AIR)).max(DVec3::ZERO);
        let mut spot = from.clamp(-free, free);
        match (from.x / half.x).abs() > (from.z / half.z).abs() {
            true => spot.x = -from.x.signum() * free.x,
            false => spot.z = -from.z.signum() * free.z,
        }
        let spot = (room.center() + spot).with_y(room.min.y);
        self.shift_by(ids, spot - own.center().with_y(own.min.y))?;
        Ok(true)
    }

    /// "at the far end, on the right": in a room that all is in, at its sides. Whether there is one.
    pub(in crate::plan) fn put_in_room(&mut self, ids: &[String], way: DVec3) -> Done<bool> {
        let Some(room) = self.room_of_all(ids) else { return Ok(false) };
        let Some(own) = self.extent_of(ids) else { return Ok(true) };
        let free = (0.5 * (room.size() - own.size()) - DVec3::splat(AIR)).max(DVec3::ZERO);
        // Beside the way, not in the corner: as far as the middle allows.
        let spot = (room.center() + way * free).with_y(room.min.y);
        self.shift_by(ids, spot - own.center().with_y(own.min.y))?;
        self.unstack(ids)?;
        Ok(true)
    }

    /// Stands a thing as far to the sides of a room as it has room there; 1 is at the wall.
    fn stand_in_room(&mut self, id: &str, room: Extent, share: DVec3) -> Done {
        let ids = [id.to_owned()];
        let Some(own) = self.extent_of(&ids) else { return Ok(()) };
        let free = (0.5 * (room.size() - own.size()) - DVec3::splat(AIR)).max(DVec3::ZERO);
        let spot = room.center() + share * free;
        self.shift_by(&ids, spot.with_y(room.min.y) - own.center().with_y(own.min.y))
    }

    /// Makes new things that nobody gave a size no wider than that.
    fn shrink_to(&mut self, ids: &[String], wide: f64) -> Done {
        let widest = ids.iter().filter_map(|id| self.extent_of(std::slice::from_ref(id)));
        let widest = widest.map(|own| own.size().x.max(own.size().z)).fold(0.0, f64::max);
        if widest <= wide || !self.is_new(ids) || ids.iter().any(|id| self.sized.contains(id)) {
            return Ok(());
        }
        let by = wide / widest;
        ids.iter().try_for_each(|id| {
            let args = json!({ "ids": [id], "by": by, "anchor": "bottom" });
            self.call("scale", args).map(drop)
        })
    }

    /// Where there is room in a room, the nearer to its middle the better: all together, or each by itself.
    fn stand_free_in(&mut self, ids: &[String], room: Extent) -> Done {
        let state = self.state();
        let world = state.world();
        let Some(own) = world.extent_of(ids) else { return Ok(()) };
        let free = 0.5 * (room.size() - own.size()) - DVec3::splat(AIR);
        let foot = own.center().with_y(own.min.y);
        let mut spots: Vec<DVec3> = (-SPOTS..=SPOTS)
            .flat_map(|x| {
                (-SPOTS..=SPOTS).map(move |z| DVec3::new(f64::from(x), 0.0, f64::from(z)))
            })
            .map(|share| share / f64::from(SPOTS) * free.max(DVec3::ZERO))
            .collect();
        // What stands nearer to the viewer is seen.
        spots.sort_by(|one, other| {
            let far = |spot: &DVec3| spot.length() - 1e-3 * spot.z;
            far(one).total_cmp(&far(other))
        });
        let shift = |spot: &DVec3| (room.center() + *spot).with_y(room.min.y) - foot;
        let fits = free.x >= 0.0 && free.z >= 0.0;
        let clear = |way: &DVec3| super::spot::is_free(world, own.moved(*way), ids);
        match spots.iter().map(shift).find(|way| fits && clear(way)) {
            Some(way) => self.shift_by(ids, way),
            None if ids.len() > 1 => {
                ids.iter().try_for_each(|id| self.stand_free_in(std::slice::from_ref(id), room))
            }
            None => self.shift_by(ids, shift(&DVec3::ZERO)),
        }
    }

    /// In rows along the long sides of a room, or along one of them.
    fn line_room(&mut self, ids: &[String], room: Extent, both: bool) -> Done {
        let size = room.size();
        let (along, across) = match size.x > size.z {
            true => (DVec3::X, DVec3::NEG_Z),
            false => (DVec3::NEG_Z, DVec3::NEG_X),
        };
        let half = if both { ids.len().div_ceil(2) } else { ids.len() };
        let rows = [(&ids[..half], across), (&ids[half..], -across)];
        let length = size.dot(along.abs());
        for (row, side) in rows {
            let step = self.pitch.unwrap_or(length / row.len().max(1) as f64);
            for (at, id) in row.iter().enumerate() {
                let shift = (at as f64 - 0.5 * (row.len() - 1) as f64) * step;
                let own = self.extent_of(std::slice::from_ref(id));
                let free = 0.5 * length - own.map_or(0.0, |own| 0.5 * own.size().dot(along.abs()));
                let share = (shift / free.max(1e-6)).clamp(-1.0, 1.0);
                self.stand_in_room(id, room, side + along * share)?;
            }
        }
        Ok(())
    }
}
