//! A light tree: importance sampling of many lights by a hierarchy of bounding spheres. Conty
//! Estevez and Kulla 2018, "Importance Sampling of Many Lights with Adaptive Tree Splitting",
//! without the cones of directions, and with sixteen children a node.

use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, dispatch, f32x16, u32x16};
use glam::Vec3A;

use super::block::LightBlock;
use super::bounds::LightBounds;
use super::weighted_choice::{Chosen, choice_of_lanes, choice_of_many, running_sums};
use super::{Known, Light, Receiver, Receivers};
use crate::bounds::Bounds;
use crate::lane_mask::lanes_of;
use crate::ray::LANES as RAYS;
use crate::vector::lanes::{bits_of, mask_of};

/// The number of children of a node.
const WIDTH: usize = 16;

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
    /// Its children side by side.
    block: LightBlock<WIDTH>,
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
        let block = LightBlock::new(groups.iter().map(bounds));
        let node = self.nodes.len();
        self.nodes.push(Node { block, children: Vec::with_capacity(groups.len()), place });
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
        dispatch!(level, simd => self.choose_from(simd, receiver, 0, choice))
    }

    /// [`choose`](Self::choose) below the node `at`.
    #[inline(always)]
    fn choose_from<S: Simd>(
        &self,
        simd: S,
        receiver: &Receiver<impl Known>,
        mut at: usize,
        mut choice: f32,
    ) -> Option<(usize, f32)> {
        let mut chance = 1.0;
        loop {
            let node = &self.nodes[at];
            let weights = node.block.importance_with(simd, receiver);
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

    /// [`choose`](Self::choose) for many receivers: the lights and their probabilities, which are 0 for none and for
    /// receivers that are not among `lanes`.
    #[inline(always)]
    pub(super) fn choose_many<S: Simd, K: Known>(
        &self,
        simd: S,
        receivers: &Receivers<S, K>,
        choice: f32x16<S>,
        lanes: u32,
    ) -> (u32x16<S>, f32x16<S>) {
        let root = &self.nodes[0];
        let mut weights = [f32x16::splat(simd, 0.0); WIDTH];
        let mut total = f32x16::splat(simd, 0.0);
        for (lane, weight) in weights.iter_mut().enumerate().take(root.children.len()) {
            let [point, normal] = [&receivers.point, &receivers.normal];
            *weight = root.block.importance_at_many(simd, lane, point, normal);
            total += *weight;
        }
        let weights = &weights[..root.children.len()];
        let chosen = choice_of_many(simd, weights, choice * total, mask_of(simd, lanes));
        let of_root = chosen.weight / total;
        let left = chosen.left / chosen.weight;
        let [point, normal] = [&receivers.point, &receivers.normal];
        let (mut index, mut chance) = ([0; RAYS], [0.0; RAYS]);
        for lane in lanes_of(lanes & bits_of(of_root.simd_gt(f32x16::splat(simd, 0.0)))) {
            let (light, below) = match root.children[chosen.index.as_array()[lane] as usize] {
                Child::Light(light) => (light, 1.0),
                Child::Node(node) => {
                    let receiver = Receiver {
                        point: Vec3A::new(point[0][lane], point[1][lane], point[2][lane]),
                        normal: Vec3A::new(normal[0][lane], normal[1][lane], normal[2][lane]),
                        samples_sky: false,
                        both_sides: false,
                        known: receivers.known,
                    };
                    let choice = left[lane].clamp(0.0, 1.0 - f32::EPSILON);
                    match self.choose_from(simd, &receiver, node, choice) {
                        Some(found) => found,
                        None => continue,
                    }
                }
            };
            (index[lane], chance[lane]) = (light as u32, of_root[lane] * below);
        }
        (u32x16::load_array(simd, index), f32x16::load_array(simd, chance))
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
            let weights = node.block.importance_with(simd, receiver);
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
