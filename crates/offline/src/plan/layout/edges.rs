//! Several things along the sides of something: chairs at a table, trees along a road, pots around the edge of a deck.

use glam::DVec3;
use spatial::Extent;

use crate::frames::{Amount, Dimension, Quality, Relation};
use crate::resolve::{is_listed, is_member};

use super::spot::ground_of;
use crate::plan::planner::{Done, Planner};

/// From the middle of a seat to that of the next, in parts of its width.
const ELBOW: f64 = 1.25;
/// So many sit at a table in a ring; more of them along its sides.
const MAX_IN_RING: usize = 4;
/// What is that much longer than wide has long sides and short ones.
const OBLONG: f64 = 1.25;
/// What lies on the ground is no higher than a step.
const MAX_STEP: f64 = 0.35;

/// A side of something seen from above: from its middle outwards, along it, and how long it is.
#[derive(Debug, Clone, Copy)]
struct Side {
    out: DVec3,
    along: DVec3,
    half: DVec3,
}

impl Side {
    fn length(&self) -> f64 {
        2.0 * self.half.dot(self.along.abs())
    }

    fn far(&self) -> f64 {
        self.half.dot(self.out.abs())
    }
}

/// The sides of a box: two long ones, the nearer to the viewer last, and two short ones.
fn sides_of(target: Extent) -> [Side; 4] {
    let half = 0.5 * target.size();
    let side = |out: DVec3| Side { out, along: DVec3::new(out.z.abs(), 0.0, out.x.abs()), half };
    let [back, front, left, right] = [DVec3::NEG_Z, DVec3::Z, DVec3::NEG_X, DVec3::X].map(side);
    if half.x >= half.z { [back, front, left, right] } else { [left, right, back, front] }
}

/// How many go to each of the sides, in their order.
fn shares(count: usize, relation: Relation, target: Extent) -> [usize; 4] {
    let size = target.size();
    let oblong = size.x.max(size.z) > OBLONG * size.x.min(size.z);
    let part = |of: usize, at: usize, all: usize| of / all + usize::from(at < of % all);
    match relation {
        Relation::Flanking if oblong => [part(count, 0, 2), part(count, 1, 2), 0, 0],
        Relation::Ends => [0, 0, part(count, 0, 2), part(count, 1, 2)],
        Relation::Around if oblong => {
            let heads = 2 - count % 2;
            let long = (count - heads) / 2;
            [long, long, heads.min(1), heads / 2]
        }
        _ => [0, 1, 2, 3].map(|at| part(count, at, 4)),
    }
}

impl Planner<'_> {
    /// Seats at the sides of what one sits at, each with its front to it. Whether it is that.
    pub(in crate::plan) fn seat_along(
        &mut self,
        ids: &[String],
        relation: Relation,
        targets: &[String],
        gap: f64,
    ) -> Done<bool> {
        let asked = matches!(relation, Relation::Around | Relation::Flanking | Relation::Ends);
        let few = relation == Relation::Around && ids.len() <= MAX_IN_RING && ids.len() != 3;
        if !asked || few || !self.is_new(ids) || targets.len() != 1 || !self.sit_at(ids, targets) {
            return Ok(false);
        }
        let Some(target) = self.extent_of(targets) else { return Ok(false) };
        let seat = ids.iter().filter_map(|id| self.extent_of(std::slice::from_ref(id)));
        let width = seat.map(|seat| seat.size().x).fold(0.0, f64::max);
        let shares = shares(ids.len(), relation, target);
        let target = self.lengthen(targets, target, shares, ELBOW * width)?;
        let mut left = ids.iter();
        for (side, share) in sides_of(target).into_iter().zip(shares) {
            let own: Vec<String> = left.by_ref().take(share).cloned().collect();
            for (at, id) in own.iter().enumerate() {
                let step = (side.length() / share as f64).min(2.2 * width);
                let shift = side.along * (at as f64 - 0.5 * (share - 1) as f64) * step;
                let edge = target.center() + shift + side.out * (side.far() + gap);
                self.stand_facing(id, edge.with_y(target.min.y), side.out)?;
            }
        }
        Ok(true)
    }

    /// Whether things are seats and the other is a piece of furniture with corners.
    fn sit_at(&self, ids: &[String], targets: &[String]) -> bool {
        let state = self.state();
        let world = state.world();
        let is_of =
            |id: &String, kind: &str| world.find(id).is_some_and(|thing| is_member(thing, kind));
        let table = |id: &String| is_of(id, "furniture") && !is_of(id, "seats");
        ids.iter().all(|id| is_of(id, "seats"))
            && targets.iter().all(table)
            && !super::block::is_round(world, targets)
    }

    /// A new table that nobody gave a size is made as long as those who sit at it need.
    fn lengthen(
        &mut self,
        targets: &[String],
        target: Extent,
        shares: [usize; 4],
        pitch: f64,
    ) -> Done<Extent> {
        let needs = shares[0].max(shares[1]) as f64 * pitch;
        let is_free = self.is_new(targets) && !targets.iter().any(|id| self.sized.contains(id));
        if is_free && needs > target.size().x.max(target.size().z) {
            let amount = Amount::Metres(needs);
            let dimension = Dimension::Length;
            self.resize(targets, &Quality::Measured { dimension, amount })?;
        }
        Ok(self.extent_of(targets).unwrap_or(target))
    }

    /// Turns a thing's front against `out` and puts its front to a point of an edge.
    fn stand_facing(&mut self, id: &str, edge: DVec3, out: DVec3) -> Done {
        let ids = [id.to_owned()];
        let angle = (-out.x).atan2(-out.z).to_degrees();
        self.call("rotate", serde_json::json!({ "ids": ids, "by": [0.0, angle, 0.0] }))?;
        let Some(own) = self.extent_of(&ids) else { return Ok(()) };
        let reach = 0.5 * own.size().dot(out.abs());
        self.shift_by(&ids, edge + out * reach - own.center().with_y(own.min.y))
    }

    /// Along a way: on its far side, or on both. Whether it is a way.
    pub(in crate::plan) fn line_way(
        &mut self,
        ids: &[String],
        relation: Relation,
        targets: &[String],
        gap: f64,
    ) -> Done<bool> {
        let asked = matches!(relation, Relation::Flanking | Relation::Along);
        let Some(target) = self.extent_of(targets) else { return Ok(false) };
        let is_way = crate::resolve::is_way(target) && target.size().y < MAX_STEP;
        if !asked || !is_way || ids.len() < 2 || !self.is_ground(targets) {
            return Ok(false);
        }
        let [back, front, ..] = sides_of(target);
        let half = ids.len().div_ceil(2);
        let rows = match relation {
            Relation::Flanking => vec![(back, &ids[..half]), (front, &ids[half..])],
            _ => vec![(back, ids)],
        };
        let ground = ground_of(self.state().world());
        for (side, row) in rows {
            self.spread_along(row, side, target, gap, ground)?;
        }
        Ok(true)
    }

    /// Whether something lies on the ground.
    fn is_ground(&self, targets: &[String]) -> bool {
        let state = self.state();
        let ground = ground_of(state.world());
        let target = state.world().extent_of(targets);
        target.is_some_and(|target| target.min.y < ground + MAX_STEP)
    }

    /// Whether things are laid on what lies below rather than beside it.
    fn bears_along(&self, ids: &[String], targets: &[String]) -> bool {
        let own = ids.first().and_then(|id| self.extent_of(std::slice::from_ref(id)));
        let target = self.extent_of(targets);
        own.zip(target).is_some_and(|(own, target)| self.bears(targets, own, target))
    }

    /// Evenly along the outside of a side, or a told distance apart.
    fn spread_along(
        &mut self,
        row: &[String],
        side: Side,
        target: Extent,
        gap: f64,
        foot: f64,
    ) -> Done {
        let step = self.pitch.unwrap_or(side.length() / row.len().max(1) as f64);
        for (at, id) in row.iter().enumerate() {
            let along = side.along * (at as f64 - 0.5 * (row.len() - 1) as f64) * step;
            let edge = target.center() + along + side.out * (side.far() + gap);
            self.stand_facing(id, edge.with_y(foot), side.out)?;
        }
        Ok(())
    }

    /// Evenly around the edge of something: on it where it carries such things, else outside of it.
    pub(in crate::plan) fn rim(&mut self, ids: &[String], targets: &[String], gap: f64) -> Done {
        let Some(target) = self.extent_of(targets) else { return Ok(()) };
        let on = self.carries_rim(ids, targets, target);
        let round = super::block::is_round(self.state().world(), targets);
        let foot = if on { target.max.y } else { ground_of(self.state().world()) };
        for (at, id) in ids.iter().enumerate() {
            let own = std::slice::from_ref(id);
            let Some(extent) = self.extent_of(own) else { continue };
            let reach = 0.5 * extent.size().with_y(0.0);
            let margin = if on { -reach } else { reach + DVec3::splat(gap) };
            let half = (0.5 * target.size() + margin).with_y(0.0).max(DVec3::ZERO);
            let share = at as f64 / ids.len() as f64;
            let spot = target.center()
                + if round { on_ellipse(half, share) } else { on_border(half, share) };
            self.shift_by(own, spot.with_y(foot) - extent.center().with_y(extent.min.y))?;
        }
        if on { self.let_down(ids) } else { self.face_middle(ids, target) }
    }

    /// Whether something flat carries things at its edge: a deck does, a pond does not.
    fn carries_rim(&self, ids: &[String], targets: &[String], target: Extent) -> bool {
        let state = self.state();
        let things = targets.iter().filter_map(|id| state.world().find(id));
        let is_water = things.into_iter().any(|thing| is_listed(thing, "Water"));
        let flat = target.size().y < MAX_STEP;
        !is_water && flat || self.bears_along(ids, targets)
    }

    /// In a line from one thing to another, with even gaps.
    pub(in crate::plan) fn lead(&mut self, ids: &[String], from: &[String], to: &[String]) -> Done {
        let (Some(one), Some(other)) = (self.extent_of(from), self.extent_of(to)) else {
            return Ok(());
        };
        let length = |extent: Extent, way: DVec3| 0.5 * extent.size().dot(way.abs());
        let size = ids.iter().filter_map(|id| self.extent_of(std::slice::from_ref(id)));
        let size = size.map(|own| own.size().x.max(own.size().z)).fold(0.0, f64::max);
        let way = (other.center() - one.center()).with_y(0.0).normalize_or(DVec3::X);
        let needs = self.pitch.unwrap_or(1.3 * size) * (ids.len() + 1) as f64;
        let far = (other.center() - one.center()).with_y(0.0).length();
        let free = far - length(one, way) - length(other, way);
        // New things are put as far apart as the line between them needs.
        let short = (needs - free).max(0.0);
        let other = match short > 1e-6 && self.is_new(to) {
            true => {
                self.shift_by(to, way * short)?;
                other.moved(way * short)
            }
            false => other,
        };
        let begin = one.center() + way * length(one, way);
        let end = other.center() - way * length(other, way);
        for (at, id) in ids.iter().enumerate() {
            let own = std::slice::from_ref(id);
            let Some(extent) = self.extent_of(own) else { continue };
            let share = (at + 1) as f64 / (ids.len() + 1) as f64;
            let spot = begin.lerp(end, share).with_y(one.min.y.max(other.min.y));
            self.shift_by(own, spot - extent.center().with_y(extent.min.y))?;
        }
        Ok(())
    }
}

/// A point of an ellipse, by a share of the way around.
fn on_ellipse(half: DVec3, share: f64) -> DVec3 {
    let angle = std::f64::consts::TAU * share;
    DVec3::new(half.x * angle.cos(), 0.0, half.z * angle.sin())
}

/// A point of the border of a rectangle, by a share of the way around from a back corner.
fn on_border(half: DVec3, share: f64) -> DVec3 {
    let (width, depth) = (2.0 * half.x, 2.0 * half.z);
    let mut way = share * 2.0 * (width + depth);
    let legs = [(width, DVec3::X), (depth, DVec3::Z), (width, DVec3::NEG_X), (depth, DVec3::NEG_Z)];
    let mut spot = DVec3::new(-half.x, 0.0, -half.z);
    for (length, along) in legs {
        let step = way.min(length);
        spot += along * step;
        way -= step;
    }
    spot
}
