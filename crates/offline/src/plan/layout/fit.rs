//! Room for what is put on, into or between things: the one is made to fit, or the others make way.

use glam::DVec3;
use serde_json::json;
use spatial::Extent;

use crate::frames::{Amount, Phrase, Place, Quality, Region, Relation};

use crate::plan::planner::{Done, Planner, Remark, Stopped};

/// How large something new is, at most, against what it is put on or into.
const SHARE: f64 = 0.45;

/// What is put on a slab is laid out anew rather than that it grows by more.
const MAX_WIDENING: f64 = 3.0;

impl Planner<'_> {
    /// Moves two things apart until others have room between them.
    pub(in crate::plan) fn part(&mut self, ids: &[String], pair: &[String]) -> Done {
        let extents = (self.extent_of(&pair[..1]), self.extent_of(&pair[1..]), self.extent_of(ids));
        let (Some(one), Some(other), Some(own)) = extents else { return Ok(()) };
        let way = (other.center() - one.center()).with_y(0.0).normalize_or(DVec3::X);
        let need = 1.4 * own.size().dot(way.abs()) + 0.05 - one.distance(other);
        if need > 0.0 {
            self.shift_by(&pair[..1], -0.5 * need * way)?;
            self.shift_by(&pair[1..], 0.5 * need * way)?;
        }
        Ok(())
    }

    pub(in crate::plan) fn squeeze(&mut self, ids: &[String], pair: &[String]) -> Done {
        let state = self.state();
        let world = state.world();
        let (one, other) = (world.extent_of(&pair[..1]), world.extent_of(&pair[1..]));
        let (Some(one), Some(other), Some(own)) = (one, other, world.extent_of(ids)) else {
            return Ok(());
        };
        let free = one.distance(other);
        if free <= 0.02 || !self.is_new(ids) {
            return Err(Stopped(Remark::Refused("There is not enough room between them.".into())));
        }
        let factor = 0.8 * free / own.size().x.max(own.size().z);
        self.call("scale", json!({ "ids": ids, "by": factor.min(1.0) })).map(drop)
    }

    /// A flat thing that is new is as wide as what is put on it needs: a slab under a car.
    pub(in crate::plan) fn widen_slab(
        &mut self,
        targets: &[String],
        own: Extent,
        target: Extent,
    ) -> Done {
        /// How wide it is against what stands on it.
        const ROOM: f64 = 1.6;
        let wide = |size: DVec3| size.x.max(size.z);
        let size = target.size();
        let is_flat = size.y > 1e-3 && size.y < 0.15 * size.x.min(size.z);
        let factor = ROOM * wide(own.size()) / wide(size).max(1e-6);
        if !is_flat || factor <= 1.0 || factor > MAX_WIDENING || !self.is_new(targets) {
            return Ok(());
        }
        let by = json!([factor, 1.0, factor]);
        // What is round is only scaled as a whole.
        let widened = self.call("scale", json!({ "ids": targets, "by": by }));
        let scaled = |_| self.call("scale", json!({ "ids": targets, "by": factor }));
        widened.or_else(scaled).map(drop)
    }

    /// Makes new shapes small enough for what they are put on or into.
    pub(in crate::plan) fn make_fit(&mut self, ids: &[String], place: &Place) -> Done {
        let within = matches!(
            place.relation,
            Some(
                Relation::On
                    | Relation::Inside
                    | Relation::Middle
                    | Relation::Under
                    | Relation::Corners
                    | Relation::Ends
                    | Relation::Flanking
            )
        ) || matches!(place.region, Some(Region::Inside | Region::Above));
        let targets = match (&place.target, within) {
            (Some(target), true) => self.find(target)?,
            (None, true) => self.find(&Phrase::it())?,
            _ => return Ok(()),
        };
        let state = self.state();
        let world = state.world();
        let (Some(own), Some(target)) =
            (world.extent_of(ids.first()), world.extent_of(targets.first()))
        else {
            return Ok(());
        };
        if target.size().min_element() <= 1e-6 && target.size().max_element() > 4.0 {
            return Ok(());
        }
        // Several share the room.
        let share = (ids.len() as f64).sqrt();
        let room = match place.relation {
            Some(Relation::Inside) => 0.6 * target.size().min_element().max(1e-3),
            Some(Relation::Under) => 0.8 * target.size().max_element(),
            _ => SHARE * target.size().x.min(target.size().z),
        } / share;
        let size = if place.relation == Some(Relation::Inside) {
            own.size().max_element()
        } else {
            own.size().x.max(own.size().z)
        };
        if size > room && room > 0.0 {
            let factor = (room / size).max(0.02);
            self.call("scale", json!({ "ids": ids, "by": factor.max(1e-3) }))?;
        }
        Ok(())
    }

    /// Gives several things another size; those that stand in each other then go apart by as much.
    pub(in crate::plan) fn resize_apart(&mut self, ids: &[String], quality: &Quality) -> Done {
        let of = |planner: &Self| -> Vec<spatial::Extent> {
            let state = planner.state();
            let world = state.world();
            ids.iter().filter_map(|id| world.find(id)).map(|thing| thing.extent).collect()
        };
        let clash = |all: &[spatial::Extent]| {
            all.iter().enumerate().any(|(at, one)| {
                all[at + 1..].iter().any(|other| {
                    let apart = (one.center() - other.center()).abs();
                    let reach = 0.5 * (one.size() + other.size()) - DVec3::splat(1e-3);
                    apart.cmplt(reach).all()
                })
            })
        };
        let before = of(self);
        self.resize(ids, quality)?;
        let after = of(self);
        let widest = |all: &[spatial::Extent]| {
            all.iter().map(|one| one.size().x.max(one.size().z)).fold(0.0, f64::max)
        };
        let grown = widest(&after) / widest(&before).max(1e-9);
        if ids.len() > 1 && grown > 1.0 && clash(&after) && !clash(&before) {
            self.spread_by(ids, true, Some(Amount::Times(grown)))?;
        }
        Ok(())
    }
}
