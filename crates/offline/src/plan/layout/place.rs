//! Things put where they are wished, by `place` of `spatial`.

use glam::DVec3;
use serde_json::{Value, json};

use crate::frames::{Head, Phrase, Place, Quality, Region, Relation};

use super::joined::{is_beside, joined};
use super::spot::{ground_of, is_free};
use crate::plan::planner::{Done, Planner, Remark, Stopped};

/// More things are put somewhere as one, as they lie to each other.
const MAX_SINGLY: usize = 12;

/// By how much what is new shrinks to fit into something, and how often.
const SHRINK: f64 = 0.75;
const MAX_SHRINKS: usize = 5;

/// What is at least so high stands on the ground where it is in a wall, in metres.
const DOOR: f64 = 1.7;

impl Planner<'_> {
    /// Puts new things where they are wished, or where there is room. What nobody gave a size is made
    /// to fit.
    pub(crate) fn settle_new(
        &mut self,
        phrase: &Phrase,
        ids: Vec<String>,
        places: &[Place],
        beside: &[String],
    ) -> Done<Vec<String>> {
        let sized = phrase.qualities.iter().any(|quality| {
            matches!(
                quality,
                Quality::Measured { .. }
                    | Quality::Measures(_)
                    | Quality::Scaled { .. }
                    | Quality::Same { .. }
            )
        });
        let is_shape = matches!(phrase.head, crate::frames::Head::Shape { .. });
        let places: Vec<Place> = places
            .iter()
            .filter(|place| {
                place.region != Some(Region::Here)
                    || place.target.is_some()
                    || self.context.gone.is_some()
            })
            .cloned()
            .collect();
        if places.is_empty() {
            match beside.last().filter(|last| !self.hangs_free(last)) {
                Some(last) => {
                    let args =
                        json!({ "ids": ids, "relation": "right_of", "to": [last], "gap": 0.2 });
                    self.call("place", args)?;
                    let state = self.state();
                    let world = state.world();
                    let clear =
                        world.extent_of(&ids).is_none_or(|extent| is_free(world, extent, &ids));
                    if !clear {
                        self.put_free(&ids, None)?;
                    } else {
                        self.let_down(ids.get(..1).unwrap_or_default())?;
                    }
                }
                None => self.put_free(&ids, None)?,
            }
            return Ok(ids);
        }
        // Against a wall it goes last, from where the other places took it.
        let mut places = joined(&places);
        places.sort_by_key(|place| self.walls_of(place).is_some());
        for (at, place) in places.iter().enumerate() {
            if at == 0 && is_shape && !sized {
                self.make_fit(&ids, place)?;
            }
            // "on a cliff by the sea": the cliff is by the sea.
            let carrier = at.checked_sub(1).and_then(|before| self.new_carrier(&places[before]));
            match carrier.filter(|_| is_beside(place)) {
                Some(mut whole) => {
                    whole.extend(ids.iter().cloned());
                    self.put(&whole, place, true)?;
                }
                None => self.put(&ids, place, at == 0)?,
            }
        }
        Ok(ids)
    }

    /// Puts things in a place. `anew` is whether they stand nowhere yet.
    pub(crate) fn put(&mut self, ids: &[String], place: &Place, anew: bool) -> Done {
        let state = self.state();
        let world = state.world();
        let ground = ground_of(world);
        let Some(extent) = world.extent_of(ids) else { return Ok(()) };
        let foot = extent.center().with_y(extent.min.y);
        if let Some(point) = place.point {
            // A point is where the middle goes; on the ground it is where it stands.
            let point = DVec3::from(point);
            let from = if point.y.abs() < 1e-9 && anew { foot } else { extent.center() };
            return self.shift_by(ids, point - from);
        }
        if place.region == Some(Region::Former) {
            return self.put_where_it_was(ids, place, foot);
        }
        if let Some((axis, value)) = place.coordinate {
            let mut way = DVec3::ZERO;
            way[axis] = value - extent.center()[axis];
            return self.shift_by(ids, way);
        }
        if let Some(height) = place.height {
            self.aloft.extend(ids.iter().cloned());
            if anew {
                self.put_free(ids, None)?;
            }
            let state = self.state();
            let world = state.world();
            let bottom = world.extent_of(ids).map_or(0.0, |extent| extent.min.y);
            return self.shift_by(ids, DVec3::Y * (ground + height - bottom));
        }
        if let Some(wall) = self.walls_of(place) {
            // "a window in the wall" is at eye level, "a door in the wall" stands on the ground.
            let is_low = || {
                let state = self.state();
                state.world().extent_of(ids).is_some_and(|own| own.size().y < DOOR)
            };
            let hung = match place.relation {
                Some(Relation::Inside) => is_low(),
                relation => relation == Some(Relation::On),
            };
            return self.put_to_wall(ids, &wall, hung, anew);
        }
        let of_target = place.region.and_then(Relation::of_region);
        let targets = match &place.target {
            Some(target) if matches!(target.head, Head::Scene("sky")) => {
                return self.put_in_sky(ids, anew);
            }
            Some(target) if matches!(target.head, Head::Scene(_)) => Vec::new(),
            // "in the corner of the room": of what is there.
            Some(target) if matches!(target.head, crate::frames::Head::Theme(_)) => {
                self.find_in(target, world).unwrap_or_default()
            }
            // Where there is no floor, the ground is y = 0.
            Some(target) if matches!(target.head, crate::frames::Head::Scenery("floor")) => {
                self.find_in(target, world).unwrap_or_default()
            }
            Some(target) => self.find_besides(target, world, ids)?,
            None if place.relation.is_some() => self.find_in(&Phrase::it(), world)?,
            None => Vec::new(),
        };
        let others = match &place.other {
            Some(other) => self.find_in(other, world)?,
            None => Vec::new(),
        };
        let is_pronoun = |phrase: &Phrase| matches!(phrase.head, Head::Pronoun(_));
        let targets = match place.target.as_deref().filter(|target| is_pronoun(target)) {
            Some(_) if place.relation == Some(Relation::Inside) => {
                self.container_spoken_of(targets, ids)
            }
            _ => targets,
        };
        let targets: Vec<String> = targets.into_iter().filter(|id| !ids.contains(id)).collect();
        if let [target] = targets.as_slice()
            && place.target.as_ref().is_some_and(|phrase| !matches!(phrase.head, Head::Pronoun(_)))
        {
            self.mentioned = vec![target.clone()];
        }
        if targets.is_empty() {
            // "on the left side": of the desk that it stands on.
            let carrier = self.carrier_of(ids).filter(|_| !anew && place.relation.is_none());
            if let (Some(carrier), Some(side)) = (carrier, of_target)
                && place.region.is_some_and(Region::is_level_side)
            {
                return self.put_on_side(ids, &[carrier], side);
            }
            return self.put_in_scene(ids, place, anew);
        }
        let relation = match (place.relation, of_target) {
            // "on the left side of the table": on it, at its left.
            (Some(Relation::On), Some(side)) if place.region.is_some() => {
                return self.put_on_side(ids, &targets, side);
            }
            // "to the right side of the table": of what stands on it, its right.
            (Some(relation), Some(side)) if relation == side && self.carries(&targets, ids) => {
                return self.put_on_side(ids, &targets, side);
            }
            (Some(Relation::Inside | Relation::NextTo | Relation::To), Some(side)) => side,
            (Some(relation), _) => relation,
            (None, Some(relation)) => relation,
            (None, None) => return self.put_in_scene(ids, place, anew),
        };
        let gap = place.gap.and_then(crate::frames::Amount::metres);
        self.relate(ids, relation, &targets, &others, gap)
    }

    /// Puts things in a relation to others.
    pub(crate) fn relate(
        &mut self,
        ids: &[String],
        relation: Relation,
        targets: &[String],
        others: &[String],
        gap: Option<f64>,
    ) -> Done {
        if relation == Relation::On {
            self.draw_out(ids, targets)?;
        }
        let state = self.state();
        let world = state.world();
        let (Some(own), Some(target)) = (world.extent_of(ids), world.extent_of(targets)) else {
            return Ok(());
        };
        let is_floor = targets
            .iter()
            .filter_map(|id| world.find(id))
            .all(|thing| thing.scenery && thing.extent.size().y <= 1e-3);
        let clear = targets
            .iter()
            .filter_map(|id| world.find(id))
            .any(|thing| world.materials(thing).iter().any(|(_, material, _)| material.is_clear()));
        let place = |relation: &str, more: Value| {
            let mut args = json!({ "ids": ids, "relation": relation, "to": targets });
            if let (Some(args), Some(more)) = (args.as_object_mut(), more.as_object()) {
                args.extend(more.clone());
            }
            args
        };
        let beside = gap.unwrap_or_else(|| {
            (0.12 * own.size().max_element().min(target.size().max_element())).clamp(0.02, 0.3)
        });
        if self.seat_along(ids, relation, targets, beside)?
            || self.line_way(ids, relation, targets, beside)?
        {
            return Ok(());
        }
        match relation {
            Relation::On | Relation::Middle if is_floor => {
                let middle = relation == Relation::Middle;
                if middle {
                    let way = target.center().with_y(target.max.y) - own.center().with_y(own.min.y);
                    return self.shift_by(ids, way);
                }
                let below = own.min.y - target.max.y;
                if below.abs() > 1e-6 {
                    self.shift_by(ids, DVec3::NEG_Y * below)?;
                }
                self.unstack(ids)
            }
            Relation::Middle if targets.len() > 1 => {
                let way = target.center() - own.center();
                self.shift_by(ids, way.with_y(target.min.y - own.min.y))
            }
            Relation::On
                if (2..=MAX_SINGLY).contains(&ids.len())
                    && own.size().cmpgt(target.size()).any()
                    && !self.is_new(ids) =>
            {
                // Things that stood apart find their places one by one.
                for id in ids {
                    self.relate(std::slice::from_ref(id), relation, targets, &[], gap)?;
                }
                Ok(())
            }
            Relation::On | Relation::Middle => {
                // What is above it already comes straight down.
                let is_above = own.min.y > target.max.y + 1e-3
                    && (own.center() - target.center())
                        .abs()
                        .with_y(0.0)
                        .cmple(0.5 * target.size())
                        .all();
                if relation == Relation::On && is_above && !self.is_new(ids) {
                    return self.let_down_together(ids);
                }
                self.widen_slab(targets, own, target)?;
                self.fit_block(ids, targets)?;
                let own = self.extent_of(ids).unwrap_or(own);
                let target = self.extent_of(targets).unwrap_or(target);
                self.put_on(ids, targets, own, target)?;
                // What was laid out side by side comes down on what is below each.
                let is_level = ids.len() > 1 && self.is_new(ids) && self.are_level(ids);
                if is_level { self.let_down(ids) } else { Ok(()) }
            }
            Relation::Above => {
                self.aloft.extend(ids.iter().cloned());
                let room =
                    gap.unwrap_or_else(|| (0.6 * target.size().max_element()).clamp(0.3, 1.2));
                self.call("place", place("on", json!({ "gap": room, "offset": [0, 0, 0] })))
                    .map(drop)
            }
            Relation::Under => self.put_under(ids, targets, own, target),
            Relation::LeftOf | Relation::EdgeLeft => {
                self.beside(ids, "left_of", targets, beside, gap.is_some())
            }
            Relation::RightOf | Relation::EdgeRight => {
                self.beside(ids, "right_of", targets, beside, gap.is_some())
            }
            Relation::InFrontOf => self.beside(ids, "in_front_of", targets, beside, gap.is_some()),
            Relation::Behind => self.beside(ids, "behind", targets, beside, gap.is_some()),
            // "add a lamp to the desk": on what carries such things.
            Relation::To
                if self.is_new(ids)
                    && self.bears(targets, self.extent_of(&ids[..1]).unwrap_or(own), target) =>
            {
                self.relate(ids, Relation::On, targets, others, gap)
            }
            Relation::NextTo | Relation::Along | Relation::Corner | Relation::To => {
                self.beside(ids, "next_to", targets, beside, gap.is_some())
            }
            Relation::Between => {
                let pair: Vec<String> = match others {
                    [] => targets.iter().take(2).cloned().collect(),
                    others => {
                        targets.iter().take(1).chain(others.iter().take(1)).cloned().collect()
                    }
                };
                let pair = if pair.len() == 1 { self.with_last(pair, ids) } else { pair };
                if pair.len() != 2 {
                    return Err(Stopped(Remark::Question(
                        "Between which two things shall it go?".into(),
                    )));
                }
                let args = json!({ "ids": ids, "relation": "between", "to": pair });
                if self.call("place", args.clone()).is_err() {
                    // Too wide for the gap: what is new makes room, or is made to fit; else the two are named and
                    // make room.
                    if self.is_new(&pair) || self.squeeze(ids, &pair).is_err() {
                        self.part(ids, &pair)?;
                    }
                    self.call("place", args)?;
                }
                Ok(())
            }
            // "a windmill in a field of tulips": among them, not in one.
            Relation::Inside if targets.len() > 1 && self.is_new(targets) => {
                let args =
                    json!({ "ids": targets, "relation": "around", "to": ids, "gap": beside });
                self.call("place", args).map(drop)
            }
            Relation::Inside if self.stand_in(ids, target)? => Ok(()),
            Relation::Inside => {
                match ids.len() {
                    2..=MAX_SINGLY => self.lay_block(ids, targets, false)?,
                    _ => self.fit_block(ids, targets)?,
                }
                let own = self.extent_of(ids).unwrap_or(own);
                if own.size().cmpgt(target.size()).any() && self.is_new(ids) {
                    let factor =
                        0.8 * (target.size() / own.size().max(DVec3::splat(1e-6))).min_element();
                    self.call("scale", json!({ "ids": ids, "by": factor.max(1e-3) }))?;
                }
                if clear {
                    // What is in glass lies in its middle: `spatial` decides where it comes to rest.
                    for _ in 0..MAX_SHRINKS {
                        if self.call("place", place("inside", json!({}))).is_ok() {
                            return Ok(());
                        }
                        if !self.is_new(ids) {
                            break;
                        }
                        self.call("scale", json!({ "ids": ids, "by": SHRINK }))?;
                    }
                    return self.call("place", place("inside", json!({}))).map(drop);
                }
                let shallow = target.size().y < 0.6 * target.size().x.min(target.size().z);
                let few = self.call("place", place("inside", json!({})));
                if few.is_ok() || ids.len() > 1 && shallow && self.sink_in(ids, targets, target)? {
                    return Ok(());
                }
                match few {
                    Ok(_) => Ok(()),
                    // What has no room in it carries things on top: flowers in a garden bed.
                    Err(_) => self.put_on(ids, targets, own, target),
                }
            }
            Relation::Around if ids.len() > 1 => {
                self.call("place", place("around", json!({ "gap": beside })))?;
                self.face_middle(ids, target)
            }
            Relation::Around => self.beside(ids, "next_to", targets, beside, gap.is_some()),
            Relation::Flanking | Relation::Ends => {
                let half = ids.len().div_ceil(2);
                self.beside(&ids[..half], "left_of", targets, beside, gap.is_some())?;
                if half < ids.len() {
                    self.beside(&ids[half..], "right_of", targets, beside, gap.is_some())?;
                }
                self.face_middle(ids, target)
            }
            Relation::Corners => self.put_on_corners(ids, targets, target, is_floor),
            Relation::Rim => self.rim(ids, targets, beside),
            Relation::Span => self.lead(ids, targets, others),
        }
    }

    /// Whether things were made by this message.
    pub(in crate::plan) fn is_new(&self, ids: &[String]) -> bool {
        ids.iter().all(|id| self.known.scene().kind_of(id).is_none())
    }
}
