//! Overlaps that an artist leaves as they are: what is rooted in the ground, fixed to something, or one of a
//! crowd.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};

use glam::DVec3;
use scene::{Geometry, stem};

use super::foliage::are_leaves;
use super::ground::{grounds, lowest, wide_grounds};
use super::joint::{Overlap, Piece, is_joint};
use super::pair::{Deepest, Overlapping};
use super::touching::Touching;
use crate::solid::{Build, Relation, Solid};
use crate::space::{Body, Space};

/// Pairs of parts or copies that overlap, from which on it is foliage, fur, pebbles: meant so.
const CROWD: usize = 8;
/// Copies in a group from which on they are its foliage, and the share of their size by which the outer leaves of
/// two bushes may reach into each other.
const COPIES: usize = 6;
const MINGLED: f64 = 0.4;
/// Bodies of a crowd whose overlaps are looked at for one call.
const MAX_LOOKED_AT: usize = 64;
/// How many times larger than a thing the ground is that it may be rooted in, and by which share of its height:
/// rocks, bushes, kerbs, posts.
const LAND: f64 = 10.0;
const ROOTED: f64 = 0.5;
/// The same share of smaller grounds, and of what stands in something else: a cake in its cloth, candles.
const SUNK: f64 = 0.25;
/// The share of a roof's width that what carries it has at least.
const CARRIER: f64 = 0.4;
/// The share of a roof's height in which it is widest.
const EAVES: f64 = 0.1;
/// How many times larger a hill is than what stands on it: something with a round or pointed top.
const HILL: f64 = 3.0;

/// What is natural in a scene.
pub(crate) struct Natural<'s, 'a> {
    space: &'s Space<'a>,
    /// The outermost group of each body, or its own name.
    wholes: Vec<&'a str>,
    touching: Touching<'s, 'a>,
    grounds: HashSet<usize>,
    /// What everything hangs together with: the ground, or the lowest things where there is none.
    base: HashSet<usize>,
    /// Whether the overlaps of two wholes and their copies are a mistake, by their stems.
    mistakes: RefCell<BTreeMap<[&'a str; 2], bool>>,
}

impl<'s, 'a> Natural<'s, 'a> {
    pub(crate) fn new(space: &'s Space<'a>) -> Self {
        Self::by(space, Touching::new(space))
    }

    /// With all contacts of the scene, so that none is looked for again.
    pub(super) fn with_contacts(
        space: &'s Space<'a>,
        contacts: &[(usize, usize, Relation)],
    ) -> Self {
        Self::by(space, Touching::all(space, contacts))
    }

    fn by(space: &'s Space<'a>, touching: Touching<'s, 'a>) -> Self {
        let mut grounds = grounds(space);
        grounds.extend(wide_grounds(space));
        let base = if grounds.is_empty() { lowest(space) } else { grounds.clone() };
        let whole = |body: &Body<'a>| space.whole_of(body).unwrap_or(body.id);
        let wholes = space.bodies().iter().map(whole).collect();
        Self { space, wholes, touching, grounds, base, mistakes: RefCell::default() }
    }

    /// The stems of the wholes of two bodies, under which their overlaps are folded.
    pub(super) fn stems_of(&self, one: usize, other: usize) -> [&'a str; 2] {
        let mut stems = [one, other].map(|at| stem(self.wholes[at]));
        stems.sort_unstable();
        stems
    }

    /// Whether the overlap of two bodies is one that the check of the scene tells, by itself or folded with those of
    /// other parts and copies.
    pub(crate) fn is_mistake(&self, one: usize, other: usize, relation: &Relation) -> bool {
        let (one, other, relation) = match one < other {
            true => (one, other, *relation),
            false => (other, one, relation.reversed()),
        };
        let Some(pair) = Overlapping::of(self.space, one, other, &relation) else { return false };
        if self.is_natural(Deepest { pair, count: 1 }) {
            return false;
        }
        let stems = self.stems_of(one, other);
        let known = self.mistakes.borrow().get(&stems).copied();
        known.unwrap_or_else(|| {
            let is_mistake = !self.is_natural(self.deepest(stems, pair));
            self.mistakes.borrow_mut().insert(stems, is_mistake);
            is_mistake
        })
    }

    /// The deepest overlap of two wholes and their copies, of which `pair` is one; of a crowd, that of its first.
    fn deepest(&self, stems: [&str; 2], pair: Overlapping<'s, 'a>) -> Deepest<'s, 'a> {
        let with_stem = |stem_of_it: &str| -> Vec<usize> {
            let wholes = self.wholes.iter().enumerate();
            wholes.filter(|(_, whole)| stem(whole) == stem_of_it).map(|(at, _)| at).collect()
        };
        let [one, other] = stems.map(with_stem);
        let (few, many) =
            if one.len() <= other.len() { (one, stems[1]) } else { (other, stems[0]) };
        let mut deepest: Option<Deepest<'s, 'a>> = None;
        for at in few.into_iter().take(MAX_LOOKED_AT) {
            for (beside, relation) in self.touching.of(at) {
                // Of two of the same name each pair is met twice.
                let is_seen = stems[0] == stems[1] && *beside < at;
                if stem(self.wholes[*beside]) != many || is_seen {
                    continue;
                }
                let found = match at < *beside {
                    true => Overlapping::of(self.space, at, *beside, relation),
                    false => Overlapping::of(self.space, *beside, at, &relation.reversed()),
                };
                deepest = found.map(|found| Deepest::and(deepest, found)).or(deepest);
                if let Some(deepest) = deepest.filter(|deepest| deepest.count >= CROWD) {
                    return deepest;
                }
            }
        }
        match deepest {
            Some(deepest) if deepest.pair.depth >= pair.depth => deepest,
            known => Deepest { pair, count: known.map_or(1, |known| known.count) },
        }
    }

    /// Whether the deepest overlap of two things is as it should be.
    pub(super) fn is_natural(&self, deepest: Deepest<'_, 'a>) -> bool {
        let Overlapping { small, large, depth, away } = deepest.pair;
        let rises = away.y > 0.7;
        let size = self.whole_solid(small).extent().size();
        if deepest.count >= CROWD
            || (self.is_foliage(small, depth) && self.is_foliage(large, depth))
            || self.grows_around(small, large, depth)
            || self.grows_around(large, small, depth)
        {
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
        if self.meets_eaves_of(small, large, depth) || self.meets_eaves_of(large, small, depth) {
            return true;
        }
        let [small_whole, large_whole] = [small, large].map(|body| self.whole_solid(body));
        is_joint(
            Piece { solid: &small.solid, whole: &small_whole, alone: self.is_alone(small) },
            Piece { solid: &large.solid, whole: &large_whole, alone: self.is_alone(large) },
            Overlap { depth, away },
        )
    }

    fn whole(&self, body: &Body<'a>) -> &'a str {
        self.space.place_of(body.id).map_or(body.id, |at| self.wholes[at])
    }

    /// The places of what belongs to the same whole.
    fn members(&self, body: &Body<'a>) -> impl Iterator<Item = usize> {
        let whole = self.whole(body);
        self.wholes.iter().enumerate().filter(move |(_, one)| **one == whole).map(|(at, _)| at)
    }

    /// Whether a body is one of many copies in its group, and another thing reaches a little into it: the outer
    /// leaves of bushes that grow side by side.
    fn is_foliage(&self, body: &Body<'a>, depth: f64) -> bool {
        let its = stem(body.id);
        let copies = self.members(body).filter(|at| stem(self.space.bodies()[*at].id) == its);
        depth <= MINGLED * body.solid.size() && copies.count() >= COPIES
    }

    /// Whether a body belongs to foliage that grows around a stem, and reaches a little into it: most parts of its
    /// group are many copies, each turned in its own way.
    fn grows_around(&self, leaf: &Body<'a>, trunk: &Body<'a>, depth: f64) -> bool {
        let is_tube =
            || trunk.shape().is_some_and(|shape| matches!(shape.geometry, Geometry::Tube(_)));
        let is_stem = || is_tube() || matches!(trunk.solid.build(), Build::Bar(_));
        let members = || self.members(leaf).map(|at| &self.space.bodies()[at]);
        depth <= SUNK * leaf.solid.size() && is_stem() && are_leaves(members())
    }

    /// Whether `wall` reaches no further into `roof` than that stands out over what carries it. A roof is widest at
    /// its lower edge and has a ridge or a peak.
    fn meets_eaves_of(&self, roof: &Body<'a>, wall: &Body<'a>, depth: f64) -> bool {
        let Some(at) = self.space.place_of(roof.id) else { return false };
        let (size, bottom) = (roof.solid.extent().size(), roof.solid.extent().min.y);
        let is_eave = |way: DVec3| roof.solid.farthest(way).y <= bottom + EAVES * size.y;
        if roof.solid.has_flat_top() || ![DVec3::X, DVec3::Z].into_iter().all(is_eave) {
            return false;
        }
        let carriers = self.touching.of(at).iter().filter(|(_, relation)| relation.away.y > 0.7);
        let mut carriers = carriers.map(|(below, _)| &self.space.bodies()[*below]);
        carriers.any(|below| {
            let carrier = below.solid.extent().size();
            let overhang = 0.5 * (size.x.max(size.z) - carrier.x.min(carrier.z));
            below.id != wall.id
                && carrier.x.min(carrier.z) >= CARRIER * size.x.max(size.z)
                && depth <= overhang
        })
    }

    /// Whether a body inside of another one belongs to what comes out of it: the foot of a tree in a hill.
    fn is_root(&self, small: &Body<'a>, large: &Body<'a>) -> bool {
        let Some(at) = self.space.place_of(small.id) else { return false };
        let around = self.whole(large);
        let beside = self.touching.of(at).iter().map(|(at, _)| *at);
        let mut beside = beside.filter(|at| !self.grounds.contains(at));
        beside.any(|at| {
            self.wholes[at] != around && !large.solid.holds(&self.space.bodies()[at].solid)
        })
    }

    /// Whether it is a thing of its own, and no part of a group.
    fn is_alone(&self, body: &Body<'a>) -> bool {
        self.whole(body) == body.id
    }

    fn is_ground(&self, body: &Body<'_>) -> bool {
        self.space.place_of(body.id).is_some_and(|at| self.grounds.contains(&at))
    }

    fn whole_solid(&self, body: &Body<'a>) -> Solid {
        let unit = self.space.unit(self.whole(body));
        unit.map_or_else(|_| body.solid.clone(), |unit| unit.solid)
    }

    /// Whether the thing that `body` is a part of hangs together with the ground, `other` left out.
    fn is_held(&self, body: &Body<'a>, other: &Body<'a>) -> bool {
        let without = self.whole(other);
        let mut known: HashSet<usize> = HashSet::new();
        let mut next: Vec<usize> = self.members(body).collect();
        while let Some(at) = next.pop() {
            if !known.insert(at) {
                continue;
            }
            if self.base.contains(&at) {
                return true;
            }
            let neighbours = self.touching.of(at).iter().map(|(at, _)| *at);
            next.extend(neighbours.filter(|at| self.wholes[*at] != without));
        }
        false
    }
}
