//! Room on, beside and below things.

use glam::DVec3;
use serde_json::json;
use spatial::Extent;

use crate::frames::Relation;
use crate::resolve::{Kind, Sides};

use super::spot::{ground_of, is_free, is_seen};
use crate::plan::planner::{Done, Planner, Remark, Stopped};

/// What is flatter than that lies under things as it is.
const RUG: f64 = 0.03;

impl Planner<'_> {
    /// On something, where there is room on it.
    pub(in crate::plan) fn put_on(
        &mut self,
        ids: &[String],
        targets: &[String],
        own: Extent,
        target: Extent,
    ) -> Done {
        let free = 0.5 * (target.size() - own.size()).max(DVec3::ZERO);
        let steps = [0.0, 0.6, -0.6, 0.95, -0.95];
        let mut offsets: Vec<(f64, f64)> =
            steps.iter().flat_map(|x| steps.iter().map(move |z| (*x, *z))).collect();
        offsets.sort_by(|one, other| {
            let far = |(x, z): &(f64, f64)| x.abs() + 1.01 * z.abs();
            far(one).total_cmp(&far(other))
        });
        let (kept, calls) = (self.draft.clone(), self.calls.len());
        let mut first = None;
        let target_name = targets.to_vec();
        for (x, z) in offsets {
            let offset = [x * free.x, 0.0, z * free.z];
            let args = json!({ "ids": ids, "relation": "on", "to": target_name, "offset": offset });
            self.draft = kept.clone();
            self.calls.truncate(calls);
            match self.call("place", args) {
                Ok(_) => {}
                Err(_) if first.is_none() && (x, z) != (0.0, 0.0) => break,
                Err(_) => continue,
            }
            let done = self.draft.clone();
            let state = self.state();
            let world = state.world();
            let mut own: Vec<String> = ids.to_vec();
            own.extend(targets.iter().cloned());
            let extent = world.extent_of(ids);
            if extent.is_none_or(|extent| is_free(world, extent, &own)) {
                return Ok(());
            }
            // Where it is narrow, where the fewest stand.
            let near = extent.map_or(0, |extent| {
                let others = world.contents().filter(|thing| !own.contains(&thing.id));
                others.filter(|thing| thing.extent.distance(extent) <= 0.0).count()
            });
            if first.as_ref().is_none_or(|(least, _)| near < *least) {
                first = Some((near, done));
            }
            if free.x < 1e-3 && free.z < 1e-3 {
                break;
            }
        }
        match first {
            Some((_, draft)) => {
                self.draft = draft;
                Ok(())
            }
            None => {
                self.draft = kept;
                self.put_on_highest(ids, targets)
            }
        }
    }

    /// Takes things out from under what stands on them and is to carry them, which comes down: "the bottom one on top".
    pub(super) fn draw_out(&mut self, ids: &[String], targets: &[String]) -> Done {
        let state = self.state();
        let world = state.world();
        let Some(own) = world.extent_of(ids) else { return Ok(()) };
        let foot = |id: &String| world.find(id).map_or(0.0, |thing| thing.extent.min.y);
        if targets.iter().all(|id| foot(id) < own.max.y - 0.02) {
            return Ok(());
        }
        let mut carriers = world.riders(ids);
        carriers.retain(|id| targets.contains(id));
        carriers.sort_by(|one, other| foot(one).total_cmp(&foot(other)));
        let Some(all) = world.extent_of(&carriers) else { return Ok(()) };
        self.shift_by(ids, DVec3::Y * (all.max.y - own.min.y + 1.0))?;
        self.let_down(&carriers)
    }

    /// On the part that reaches highest, where nothing lies below the middle: on a wall of a yard.
    fn put_on_highest(&mut self, ids: &[String], targets: &[String]) -> Done {
        let state = self.state();
        let world = state.world();
        let units = targets.iter().filter_map(|id| world.space.unit(id).ok());
        let parts = units.flat_map(|unit| unit.members);
        let extent = |at: &usize| world.space.bodies()[*at].solid.extent();
        let own = world.extent_of(ids).map_or(DVec3::ZERO, Extent::size);
        let carries = |at: &usize| {
            let size = extent(at).size();
            size.x > 0.6 * own.x && size.z > 0.6 * own.z
        };
        let highest = parts
            .filter(carries)
            .max_by(|one, other| extent(one).max.y.total_cmp(&extent(other).max.y))
            .map(|at| world.space.bodies()[at].id.to_owned());
        let args = json!({ "ids": ids, "relation": "on", "to": [highest], "offset": [0, 0, 0] });
        let refused = |_| Stopped(Remark::Refused("It cannot be put there.".into()));
        self.call("place", args).map(drop).map_err(refused)
    }

    /// At the left, right, front or back of the top of something.
    pub(in crate::plan) fn put_on_side(
        &mut self,
        ids: &[String],
        targets: &[String],
        side: Relation,
    ) -> Done {
        let state = self.state();
        let world = state.world();
        let scene = world.scene;
        let sides = Sides::of(scene);
        let (Some(own), Some(target)) = (world.extent_of(ids), world.extent_of(targets)) else {
            return Ok(());
        };
        let room = 0.5 * (target.size() - own.size()).max(DVec3::ZERO) * 0.8;
        let way = match side {
            Relation::LeftOf => -sides.right,
            Relation::RightOf => sides.right,
            Relation::InFrontOf => sides.front,
            Relation::Behind => -sides.front,
            Relation::Corner => sides.right - sides.front,
            Relation::Under => return self.relate(ids, Relation::Under, targets, &[], None),
            Relation::Flanking | Relation::NextTo => {
                return self.relate(ids, side, targets, &[], None);
            }
            Relation::Corners => return self.put_on_corners(ids, targets, target, false),
            _ => DVec3::ZERO,
        };
        let offset = (way * room).to_array();
        self.call("place", json!({ "ids": ids, "relation": "on", "to": targets, "offset": offset }))
            .map(drop)
    }

    pub(in crate::plan) fn put_on_corners(
        &mut self,
        ids: &[String],
        targets: &[String],
        target: Extent,
        on_floor: bool,
    ) -> Done {
        let corners = [(-1.0, 1.0), (1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];
        for (id, (x, z)) in ids.iter().zip(corners.into_iter().cycle()) {
            let state = self.state();
            let world = state.world();
            let Some(own) = world.extent_of(std::slice::from_ref(id)) else { continue };
            let room = 0.5 * (target.size() - own.size()).max(DVec3::ZERO);
            let to = target.center() + DVec3::new(x * room.x, 0.0, z * room.z);
            let way = to.with_y(target.max.y) - own.center().with_y(own.min.y);
            self.shift_by(std::slice::from_ref(id), way)?;
            if !on_floor {
                let offset = [x * room.x, 0.0, z * room.z];
                let args =
                    json!({ "ids": [id], "relation": "on", "to": targets, "offset": offset });
                self.call("place", args)?;
            }
        }
        Ok(())
    }

    /// Beside something, on the ground there; farther off where that is taken, unless the gap was told.
    pub(in crate::plan) fn beside(
        &mut self,
        ids: &[String],
        relation: &str,
        targets: &[String],
        gap: f64,
        told: bool,
    ) -> Done {
        if ids.is_empty() {
            return Ok(());
        }
        let kept = self.draft.clone();
        let tries: &[f64] = if told { &[0.0] } else { &[0.0, 0.5, 1.1, 2.0] };
        let size =
            self.state().world().extent_of(ids).map_or(0.5, |own| own.size().x.max(own.size().z));
        let (mut first, mut is_clear) = (None, false);
        // Next to something is on any side of it where there is room.
        let sides: &[&str] = match relation {
            "next_to" if !told => &["next_to", "right_of", "left_of", "in_front_of"],
            _ => &[relation],
        };
        for (more, relation) in
            tries.iter().flat_map(|more| sides.iter().map(move |side| (more, *side)))
        {
            self.draft = kept.clone();
            let gap = gap + more * size.max(0.3);
            self.call(
                "place",
                json!({ "ids": ids, "relation": relation, "to": targets, "gap": gap }),
            )?;
            self.clear_of(ids, relation, targets)?;
            self.let_down_together(ids)?;
            let done = self.draft.clone();
            let state = self.state();
            let world = state.world();
            let own = world.extent_of(ids);
            let clear = own.is_none_or(|extent| is_free(world, extent, ids));
            // Of several sides one where it can be seen.
            let seen = sides.len() == 1 || own.is_none_or(|extent| is_seen(world, extent, ids));
            if clear && seen {
                return Ok(());
            }
            if clear && !is_clear || first.is_none() {
                first = Some(done);
                is_clear = clear;
            }
        }
        if let Some(draft) = first {
            self.draft = draft;
        }
        Ok(())
    }

    /// On the ground below something that stands on it, where there is room: under a table, under the
    /// crown of a tree. Whether there was.
    pub(in crate::plan) fn put_below(
        &mut self,
        ids: &[String],
        own: Extent,
        target: Extent,
    ) -> Done<bool> {
        let state = self.state();
        let world = state.world();
        let ground = ground_of(world).max(target.min.y);
        let half = 0.5 * target.size();
        let steps = [0.0, 0.3, -0.3, 0.55, -0.55, 0.75, -0.75];
        let mut offsets: Vec<(f64, f64)> =
            steps.iter().flat_map(|x| steps.iter().map(move |z| (*x, *z))).collect();
        offsets.sort_by(|one, other| {
            let far = |(x, z): &(f64, f64)| x.abs() + 1.1 * z.abs() - 0.01 * z;
            far(one).total_cmp(&far(other))
        });
        let foot = own.center().with_y(own.min.y);
        let way = offsets.into_iter().find_map(|(x, z)| {
            let at = target.center() + DVec3::new(x * half.x, 0.0, z * half.z);
            let way = at.with_y(ground) - foot;
            is_free(world, own.moved(way), ids).then_some(way)
        });
        match way {
            Some(way) => self.shift_by(ids, way).map(|()| true),
            None => Ok(false),
        }
    }

    /// Below something: what is new is made small enough for the room there; below what is narrower, as a lamp post,
    /// it stands beside it; what hangs under something that floats hangs under it.
    pub(in crate::plan) fn put_under(
        &mut self,
        ids: &[String],
        targets: &[String],
        own: Extent,
        target: Extent,
    ) -> Done {
        const SHRINK: f64 = 0.8;
        const MAX_SHRINKS: usize = 3;
        const FLAT: f64 = 0.1;
        // A rug lies under all of it.
        if own.size().y < RUG * own.size().x.min(own.size().z) && self.is_new(ids) {
            let foot = target.center().with_y(target.min.y);
            return self.shift_by(ids, foot - own.center().with_y(own.min.y));
        }
        if self.put_below(ids, own, target)? {
            return Ok(());
        }
        let ground = ground_of(self.state().world());
        // What has legs or a stem, not what lies on the ground with all of it.
        let is_open = {
            let state = self.state();
            let things = targets.iter().filter_map(|id| state.world().find(id));
            things.into_iter().all(|thing| thing.kind == Kind::Group) && targets.len() == 1
        };
        let is_flat = own.size().y < FLAT * own.size().max_element();
        let stands = is_open && !is_flat && target.min.y < ground + 0.05;
        let is_narrow = own.size().x.min(own.size().z) > target.size().x.max(target.size().z);
        if stands && is_narrow {
            return self.beside(ids, "next_to", targets, 0.1, false);
        }
        if stands && self.is_new(ids) {
            let kept = self.draft.clone();
            for _ in 0..MAX_SHRINKS {
                self.call("scale", json!({ "ids": ids, "by": SHRINK }))?;
                let Some(smaller) = self.extent_of(ids) else { break };
                if self.put_below(ids, smaller, target)? {
                    return Ok(());
                }
            }
            self.draft = kept;
        }
        let args = json!({ "ids": ids, "relation": "under", "to": targets, "offset": [0, 0, 0] });
        self.call("place", args)?;
        self.let_down(ids)?;
        // Nothing goes into the ground that something stands on.
        let low = self.extent_of(ids).map_or(ground, |own| own.min.y);
        if stands && low < ground { self.shift_by(ids, DVec3::Y * (ground - low)) } else { Ok(()) }
    }

    /// Takes things out from under what overhangs: they are to stand beside the whole of it.
    pub(in crate::plan) fn clear_of(
        &mut self,
        ids: &[String],
        relation: &str,
        targets: &[String],
    ) -> Done {
        let state = self.state();
        let world = state.world();
        let scene = world.scene;
        let sides = Sides::of(scene);
        let (Some(own), Some(target)) = (world.extent_of(ids), world.extent_of(targets)) else {
            return Ok(());
        };
        let way = match relation {
            "left_of" => -sides.right,
            "right_of" => sides.right,
            "in_front_of" => sides.front,
            "behind" => -sides.front,
            _ => return Ok(()),
        };
        let half = |extent: Extent| way.abs().dot(0.5 * extent.size());
        let apart = (own.center() - target.center()).dot(way) - half(own) - half(target);
        if apart < 0.01 { self.shift_by(ids, way * (0.02 - apart)) } else { Ok(()) }
    }

    /// Whether a thing is off the ground and on nothing: beside it is no place to stand.
    pub(in crate::plan) fn hangs_free(&self, id: &str) -> bool {
        let state = self.state();
        let world = state.world();
        world.find(id).is_some_and(|thing| {
            thing.extent.min.y > ground_of(world) + 0.05 && world.support_of(thing).is_none()
        })
    }

    /// Lets things that were moved together down by the same way, when they hang over nothing.
    pub(in crate::plan) fn let_down_together(&mut self, ids: &[String]) -> Done {
        let state = self.state();
        let world = state.world();
        let mut way: Option<f64> = None;
        for id in ids {
            let Ok(unit) = world.space.unit(id) else { continue };
            let own = ids
                .iter()
                .filter_map(|id| world.space.unit(id).ok())
                .flat_map(|unit| unit.members)
                .collect();
            if let Some((fall, _)) = world.space.fall(&unit.solid, &own) {
                way = Some(way.map_or(fall, |way: f64| way.min(fall)));
            }
        }
        match way {
            Some(way) if way > 1e-3 => self.shift_by(ids, DVec3::NEG_Y * way),
            _ => Ok(()),
        }
    }
}
