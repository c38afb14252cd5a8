//! Overlaps that an artist leaves as they are: what is rooted in the ground, fixed to something, or one of a
//! crowd.

use std::collections::HashSet;

use glam::DVec3;

use super::finding::whole;
use super::ground::{grounds, lowest, wide_grounds};
use super::joint::{Overlap, Piece, is_joint};
use crate::solid::{Relation, Solid};
use crate::space::{Body, Space};

/// Pairs of parts or copies that overlap, from which on it is foliage, fur, pebbles: meant so.
const CROWD: usize = 8;
/// Copies in a group from which on they are its foliage.
const COPIES: usize = 6;
/// How many times larger than a thing the ground is that it may be rooted in, and by which share of its height:
/// rocks, bushes, kerbs, posts.
const LAND: f64 = 10.0;
const ROOTED: f64 = 0.5;
/// The same share of smaller grounds, and of what stands in something else: a cake in its cloth, candles.
const SUNK: f64 = 0.25;
/// How many times larger a hill is than what stands on it: something with a round or pointed top.
const HILL: f64 = 3.0;

/// What is natural in a scene.
pub(crate) struct Natural<'s, 'a> {
    space: &'s Space<'a>,
    /// What each body touches.
    neighbours: Vec<Vec<usize>>,
    grounds: HashSet<usize>,
    /// What everything hangs together with: the ground, or the lowest things where there is none.
    base: HashSet<usize>,
}

impl<'s, 'a> Natural<'s, 'a> {
    pub(crate) fn new(space: &'s Space<'a>, contacts: &[(usize, usize, Relation)]) -> Self {
        let mut neighbours = vec![Vec::new(); space.bodies().len()];
        for (one, other, _) in contacts {
            neighbours[*one].push(*other);
            neighbours[*other].push(*one);
        }
        let mut grounds = grounds(space);
        grounds.extend(wide_grounds(space));
        let base = if grounds.is_empty() { lowest(space) } else { grounds.clone() };
        Self { space, neighbours, grounds, base }
    }

    /// Whether `small`, which leaves `large` along `away` after `depth` metres, is in it as it should be;
    /// `count` pairs of their parts and copies overlap.
    pub(super) fn is_natural(
        &self,
        [small, large]: [&Body<'a>; 2],
        depth: f64,
        away: DVec3,
        count: usize,
    ) -> bool {
        let rises = away.y > 0.7;
        let size = self.whole_solid(small).extent().size();
        if count >= CROWD || (self.is_foliage(small, depth) && self.is_foliage(large, depth)) {
            return true;
        }
        let reach = size.dot(away.abs());
        let is_land = large.solid.size() >= LAND * size.max_element();
        // Nothing stands on a hill without reaching into it.
        let (its, others) = (small.solid.extent(), large.solid.extent());
        let is_larger = large.solid.size() >= HILL * size.max_element();
        // Higher by more than rounding.
        let rise = its.min.y - others.min.y;
        let level = small.solid.contact_tolerance();
        let is_hill = is_larger && rise > level && !large.solid.has_flat_top();
        if self.is_ground(large) || is_hill {
            let share = if is_land || is_hill { ROOTED } else { SUNK };
            if depth <= share * reach.max(size.y) {
                return true;
            }
        }
        if large.solid.holds(&small.solid) {
            return self.is_root(small, large);
        }
        if self.is_ground(large) {
            return false;
        }
        // What stands is not pushed far in, whichever of the two is below; else, held by nothing else, it is fixed
        // there.
        if away.y < -0.7 && rise < -level && depth <= SUNK * its.size().y {
            return true;
        }
        if rises && rise > level {
            if depth <= SUNK * reach {
                return true;
            }
        } else if !self.is_held(small, large) || !self.is_held(large, small) {
            return true;
        }
        let [small_whole, large_whole] = [small, large].map(|body| self.whole_solid(body));
        is_joint(
            Piece { solid: &small.solid, whole: &small_whole, alone: self.is_alone(small) },
            Piece { solid: &large.solid, whole: &large_whole, alone: self.is_alone(large) },
            Overlap { depth, away },
        )
    }

    /// Whether a body is one of many copies in its group, and another thing reaches a little into it: the outer
    /// leaves of bushes that grow side by side.
    fn is_foliage(&self, body: &Body<'a>, depth: f64) -> bool {
        let of = |body: &Body<'a>| whole(self.space, body);
        let stem = scene::stem(body.id);
        let bodies = self.space.bodies().iter();
        let copies =
            bodies.filter(|one| scene::stem(one.id) == stem && of(one) == of(body)).count();
        copies >= COPIES && depth <= SUNK * body.solid.size()
    }

    /// Whether a body inside of another one belongs to what comes out of it: the foot of a tree in a hill.
    fn is_root(&self, small: &Body<'a>, large: &Body<'a>) -> bool {
        let Some(at) = self.space.place_of(small.id) else { return false };
        let beside = self.neighbours[at].iter().filter(|at| !self.grounds.contains(at));
        let mut beside = beside.map(|at| &self.space.bodies()[*at]);
        let around = whole(self.space, large);
        beside.any(|body| whole(self.space, body) != around && !large.solid.holds(&body.solid))
    }

    /// Whether one of two bodies is rooted in the other, the ground, by `depth`.
    pub(crate) fn is_rooted(&self, one: usize, other: usize, depth: f64) -> bool {
        let size = |at: usize| self.space.bodies()[at].solid.extent().size();
        let [one_is, other_is] = [one, other].map(|at| self.grounds.contains(&at));
        let (thing, ground) = if other_is { (one, other) } else { (other, one) };
        let is_land = size(ground).max_element() >= LAND * size(thing).max_element();
        (one_is || other_is) && is_land && depth <= ROOTED * size(thing).y
    }

    /// Whether it is a thing of its own, and no part of a group.
    fn is_alone(&self, body: &Body<'a>) -> bool {
        whole(self.space, body) == body.id
    }

    fn is_ground(&self, body: &Body<'_>) -> bool {
        self.space.place_of(body.id).is_some_and(|at| self.grounds.contains(&at))
    }

    fn whole_solid(&self, body: &Body<'a>) -> Solid {
        let unit = self.space.unit(whole(self.space, body));
        unit.map_or_else(|_| body.solid.clone(), |unit| unit.solid)
    }

    /// Whether the thing that `body` is a part of hangs together with the ground, `other` left out.
    fn is_held(&self, body: &Body<'a>, other: &Body<'a>) -> bool {
        let of = |body: &Body<'a>| whole(self.space, body);
        let without = of(other);
        let mut known: HashSet<usize> = HashSet::new();
        let bodies = self.space.bodies();
        let members = bodies.iter().enumerate().filter(|(_, one)| of(one) == of(body));
        let mut next: Vec<usize> = members.map(|(at, _)| at).collect();
        while let Some(at) = next.pop() {
            if !known.insert(at) {
                continue;
            }
            if self.base.contains(&at) {
                return true;
            }
            let neighbours = self.neighbours[at].iter().copied();
            next.extend(neighbours.filter(|at| of(&bodies[*at]) != without));
        }
        false
    }
}
