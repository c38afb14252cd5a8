//! What was asked for against what came of it: relations, colors and measures that do not hold are told.

use std::cell::LazyCell;

use glam::DVec3;
use spatial::Extent;

use crate::frames::Relation;
use crate::resolve::{Sides, Thing, World, has_quality, is_at};
use crate::wording::Names;

use super::planner::{Planner, Remark};
use super::wish::Wish;

/// What lies on an area is in it.
const NEAR: f64 = 0.1;
/// More things at once are not looked over one by one.
const MAX_CHECKED: usize = 24;
/// No more is told at once.
const MAX_TOLD: usize = 2;

impl Planner<'_> {
    /// Tells what does not hold of all that was asked for.
    pub(super) fn tell_what_does_not_hold(&mut self) {
        if self.wishes.is_empty() && self.looks.is_empty() {
            return;
        }
        let state = self.state();
        let world = state.world();
        let names = LazyCell::new(|| Names::of(world.scene));
        let sides = Sides::of(world.scene);
        let mut told: Vec<String> = Vec::new();
        for wish in &self.wishes {
            let is_gone = wish.ids.iter().chain(&wish.targets).any(|id| world.find(id).is_none());
            if is_gone || wish.ids.len() > MAX_CHECKED {
                continue;
            }
            if let Some(word) = unmet(wish, world, sides) {
                let (own, other) = (names.all(&wish.ids, "and"), names.all(&wish.targets, "and"));
                told.push(format!("I could not put {own} {word} {other}."));
            }
        }
        for (ids, qualities) in &self.looks {
            let things = ids.iter().filter_map(|id| world.find(id));
            let lacks = |thing: &&Thing| {
                qualities.iter().any(|quality| has_quality(quality, thing, world) == Some(false))
            };
            let lacking: Vec<String> = things.filter(lacks).map(|thing| thing.id.clone()).collect();
            if !lacking.is_empty() && lacking.len() == ids.len() {
                told.push(format!(
                    "{} did not come out quite as you said.",
                    crate::wording::capital(&names.all(&lacking, "and"))
                ));
            }
        }
        told.dedup();
        self.remarks.extend(told.into_iter().take(MAX_TOLD).map(Remark::Note));
    }
}

/// The word of a relation that does not hold.
fn unmet(wish: &Wish, world: &World<'_>, sides: Sides) -> Option<&'static str> {
    let things: Vec<&Thing> = wish.ids.iter().filter_map(|id| world.find(id)).collect();
    let target = world.extent_of(&wish.targets)?;
    let own = world.extent_of(&wish.ids)?;
    // On that side, and for the most part beyond the edge.
    let beyond = |side: DVec3| {
        let far = 0.5 * target.size().dot(side.abs());
        (own.center() - target.center()).dot(side) > 0.6 * far
    };
    let lies =
        |relation: Relation, side: DVec3| beyond(side) || is_at(relation, own, target, sides);
    let (holds, word) = match wish.relation {
        Relation::On => (things.iter().all(|thing| is_on(thing, target, world, wish)), "on"),
        Relation::LeftOf => (lies(Relation::LeftOf, -sides.right), "to the left of"),
        Relation::RightOf => (lies(Relation::RightOf, sides.right), "to the right of"),
        Relation::InFrontOf => (lies(Relation::InFrontOf, sides.front), "in front of"),
        Relation::Behind => (lies(Relation::Behind, -sides.front), "behind"),
        Relation::Inside => (own.distance(target) <= NEAR, "in"),
        Relation::Around if things.len() > 2 => (is_around(&things, target), "around"),
        _ => return None,
    };
    (!holds).then_some(word)
}

/// Whether a thing stands on another, or on what stands there, or reaches onto it.
fn is_on(thing: &Thing, target: Extent, world: &World<'_>, wish: &Wish) -> bool {
    let over = |thing: &Thing| {
        let apart = (thing.extent.center() - target.center()).abs();
        let reach = 0.5 * (thing.extent.size() + target.size());
        apart.x <= reach.x && apart.z <= reach.z
    };
    let is_level = thing.extent.min.y <= target.max.y + 0.1 && thing.extent.max.y > target.min.y;
    let mut below = world.support_of(thing);
    for _ in 0..8 {
        let Some(next) = below else { break };
        if wish.targets.contains(&next.id) {
            return true;
        }
        below = world.support_of(next);
    }
    over(thing) && (is_level || thing.extent.min.y >= target.max.y)
}

/// Whether things are on several sides of another.
fn is_around(things: &[&Thing], target: Extent) -> bool {
    let ways = things.iter().map(|thing| thing.extent.center() - target.center());
    let (mut left, mut right, mut front, mut back) = (false, false, false, false);
    for way in ways {
        left |= way.x < -1e-3;
        right |= way.x > 1e-3;
        front |= way.z > 1e-3;
        back |= way.z < -1e-3;
    }
    u8::from(left) + u8::from(right) + u8::from(front) + u8::from(back) >= 3
}
