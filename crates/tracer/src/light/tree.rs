//! A light tree: importance sampling of many lights by a hierarchy of bounding spheres. Conty
//! Estevez and Kulla 2018, "Importance Sampling of Many Lights with Adaptive Tree Splitting",
//! without the cones of directions, and with sixteen children a node.

use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, dispatch, f32x8, f32x16};

use super::block::{LANES, LightBlock};
use super::bounds::LightBounds;
use super::weighted_choice::{Chosen, choice_of_lanes, running_sums};
use super::{Known, Light, Receiver};
use crate::bounds::Bounds;

/// The number of children of a node.
const WIDTH: usize = 2 * LANES;

/// A tree over lights.
#[derive(Debug, Clone)]
pub(super) struct LightTree {
    /// The root first; parents before their children.
    nodes: Vec<Node>,
    /// Where each light is.
    places: Vec<Place>,
}

#[derive(Debug, Clone)]
struct Node {
    /// Its children side by side: one block or two.
    blocks: Vec<LightBlock>,
    children: Vec<Child>,
    /// Where it is in its parent; `None` for the root.
    place: Option<Place>,
}

#[derive(Debug, Clone, Copy)]
enum Child {
    Light(usize),
    Node(usize),
}

/// A child of a node.
#[derive(Debug, Clone, Copy)]
struct Place {
    node: usize,
    lane: usize,
}

impl Node {
    /// The importance of each child.
    #[inline(always)]
    fn weights<S: Simd>(&self, simd: S, receiver: &Receiver<impl Known>) -> f32x16<S> {
        let first = self.blocks[0].importance_with(simd, receiver);
        let second = match self.blocks.get(1) {
            Some(block) => block.importance_with(simd, receiver),
            None => f32x8::splat(simd, 0.0),
        };
        simd.combine_f32x8(first, second)
    }
}

/// A part of the lights, by their indices.
type Group<'a> = &'a mut [usize];

impl LightTree {
    pub(super) fn new(lights: &[Light]) -> Self {
        let nowhere = Place { node: 0, lane: 0 };
        let mut tree = Self { nodes: Vec::new(), places: vec![nowhere; lights.len()] };
        let mut indices: Vec<usize> = (0..lights.len()).collect();
        tree.add(lights, &mut indices, None);
        tree
    }

    /// Appends a tree over the lights at `indices`.
    fn add(&mut self, lights: &[Light], indices: Group<'_>, place: Option<Place>) {
        // The levels below are full.
        let mut size = 1;
        while size * WIDTH < indices.len() {
            size *= WIDTH;
        }
        let mut groups = Vec::with_capacity(WIDTH);
        part(lights, indices, size, &mut groups);
        let bounds = |group: &Group<'_>| match &**group {
            [only] => lights[*only].bounds(),
            many => bounds_of(lights, many),
        };
        let blocks = groups.chunks(LANES);
        let blocks = blocks.map(|groups| LightBlock::new(groups.iter().map(bounds))).collect();
        let node = self.nodes.len();
        self.nodes.push(Node { blocks, children: Vec::with_capacity(groups.len()), place });
        for (lane, group) in groups.into_iter().enumerate() {
            let place = Place { node, lane };
            let child = if let [only] = *group {
                self.places[only] = place;
                Child::Light(only)
            } else {
                let child = self.nodes.len();
                self.add(lights, group, Some(place));
                Child::Node(child)
            };
            self.nodes[node].children.push(child);
        }
    }

    /// The light for `choice`, in [0, 1), and its probability; `None` if no light can contribute.
    pub(super) fn choose(
        &self,
        level: Level,
        receiver: &Receiver<impl Known>,
        choice: f32,
    ) -> Option<(usize, f32)> {
        dispatch!(level, simd => self.choose_with(simd, receiver, choice))
    }

    #[inline(always)]
    fn choose_with<S: Simd>(
        &self,
        simd: S,
        receiver: &Receiver<impl Known>,
        mut choice: f32,
    ) -> Option<(usize, f32)> {
        let mut chance = 1.0;
        let mut at = 0;
        loop {
            let node = &self.nodes[at];
            let weights = node.weights(simd, receiver);
            let (Chosen { index: lane, weight, left }, total) =
                choice_of_lanes(simd, weights, choice)?;
            chance *= weight / total;
            choice = (left / weight).clamp(0.0, 1.0 - f32::EPSILON);
            match node.children[lane] {
                Child::Light(index) => return (chance > 0.0).then_some((index, chance)),
                Child::Node(node) => at = node,
            }
        }
    }

    /// The probability with which [`choose`](Self::choose) chooses the light at `index`.
    pub(super) fn chance(
        &self,
        level: Level,
        receiver: &Receiver<impl Known>,
        index: usize,
    ) -> f32 {
        dispatch!(level, simd => self.chance_with(simd, receiver, index))
    }

    #[inline(always)]
    fn chance_with<S: Simd>(&self, simd: S, receiver: &Receiver<impl Known>, index: usize) -> f32 {
        let mut chance = 1.0;
        let mut next = Some(self.places[index]);
        while let Some(Place { node, lane }) = next {
            let node = &self.nodes[node];
            let weights = node.weights(simd, receiver);
            let total = running_sums(simd, weights).as_array()[WIDTH - 1];
            let weight = weights.as_array()[lane % WIDTH];
            if weight == 0.0 {
                return 0.0;
            }
            chance *= weight / total;
            next = node.place;
        }
        chance
    }
}

/// Parts a group along its longest side into groups of `size` and a rest.
fn part<'a>(lights: &[Light], group: Group<'a>, size: usize, groups: &mut Vec<Group<'a>>) {
    let count = group.len().div_ceil(size);
    if count <= 1 {
        groups.extend((count == 1).then_some(group));
        return;
    }
    let bounds = box_of(lights, group);
    let axis = (bounds.max - bounds.min).max_position();
    let middle = count / 2 * size;
    group.select_nth_unstable_by(middle, |&a, &b| {
        let along = |index: usize| lights[index].ball().0[axis];
        along(a).total_cmp(&along(b)).then(a.cmp(&b))
    });
    let (left, right) = group.split_at_mut(middle);
    part(lights, left, size, groups);
    part(lights, right, size, groups);
}

fn bounds_of(lights: &[Light], group: &[usize]) -> LightBounds {
    let bounds = box_of(lights, group);
    let ball = (bounds.center(), 0.5 * (bounds.max - bounds.min).length());
    LightBounds::group(ball, group.iter().map(|&index| lights[index].power()).sum())
}

fn box_of(lights: &[Light], group: &[usize]) -> Bounds {
    group.iter().fold(Bounds::EMPTY, |all, &index| {
        let (center, radius) = lights[index].ball();
        all.union(Bounds { min: center - radius, max: center + radius })
    })
}
