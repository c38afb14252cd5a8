//! A light tree: importance sampling of many lights by a hierarchy of bounding spheres. Conty
//! Estevez and Kulla 2018, "Importance Sampling of Many Lights with Adaptive Tree Splitting",
//! without the cones of directions.

use std::f32::consts::PI;

use glam::Vec3A;

use super::cosines::receiver_cosine;
use super::{Known, Light, Receiver};
use crate::bounds::Bounds;

/// A binary tree over lights.
#[derive(Debug)]
pub(super) struct LightTree {
    /// The root first; parents before their children.
    nodes: Vec<Node>,
    /// For each light, the path from the root, the first turn in the lowest bit; 1 is right. Nodes
    /// are split by count, so 32 bits suffice.
    turns: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    center: Vec3A,
    /// The radius of the bounding sphere.
    radius: f32,
    /// The power of all lights below, as luminance, in W.
    power: f32,
    below: Below,
}

#[derive(Debug, Clone, Copy)]
enum Below {
    Light(usize),
    /// The right child; the left one follows the node itself.
    Right(usize),
}

impl LightTree {
    pub(super) fn new(lights: &[Light]) -> Self {
        let mut tree =
            Self { nodes: Vec::with_capacity(2 * lights.len()), turns: vec![0; lights.len()] };
        let mut indices: Vec<usize> = (0..lights.len()).collect();
        if !lights.is_empty() {
            tree.add(lights, &mut indices, 0, 0);
        }
        tree
    }

    /// Appends a tree over the lights at `indices`, whose path from the root is the first `depth`
    /// bits of `turns`.
    fn add(&mut self, lights: &[Light], indices: &mut [usize], turns: u32, depth: u32) {
        let bounds = indices.iter().fold(Bounds::EMPTY, |all, &index| {
            let (center, radius) = lights[index].ball();
            all.union(Bounds { min: center - radius, max: center + radius })
        });
        let place = self.nodes.len();
        let only = indices[0];
        let (center, radius) = if indices.len() == 1 {
            lights[only].ball()
        } else {
            (bounds.center(), 0.5 * (bounds.max - bounds.min).length())
        };
        let power = indices.iter().map(|&index| lights[index].power()).sum();
        self.nodes.push(Node { center, radius, power, below: Below::Light(only) });
        if indices.len() == 1 {
            self.turns[only] = turns;
            return;
        }
        let axis = (bounds.max - bounds.min).max_position();
        let middle = indices.len() / 2;
        indices.select_nth_unstable_by(middle, |&a, &b| {
            let along = |index: usize| lights[index].ball().0[axis];
            along(a).total_cmp(&along(b)).then(a.cmp(&b))
        });
        let (left, right) = indices.split_at_mut(middle);
        self.add(lights, left, turns, depth + 1);
        self.nodes[place].below = Below::Right(self.nodes.len());
        self.add(lights, right, turns | 1 << depth, depth + 1);
    }

    /// The light for `choice`, in [0, 1), and its probability; `None` if no light can contribute.
    pub(super) fn choose(
        &self,
        lights: &[Light],
        receiver: &Receiver<impl Known>,
        mut choice: f32,
    ) -> Option<(usize, f32)> {
        let mut chance = 1.0;
        let mut at = 0;
        loop {
            let right = match self.nodes[at].below {
                Below::Light(index) => return (chance > 0.0).then_some((index, chance)),
                Below::Right(right) => right,
            };
            let left_share = self.left_share(lights, receiver, at + 1, right)?;
            // Rounding must not choose a side with probability 0.
            if choice < left_share || left_share == 1.0 {
                choice = (choice / left_share).min(1.0 - f32::EPSILON);
                chance *= left_share;
                at += 1;
            } else {
                choice = ((choice - left_share) / (1.0 - left_share)).min(1.0 - f32::EPSILON);
                chance *= 1.0 - left_share;
                at = right;
            }
        }
    }

    /// The probability with which [`choose`](Self::choose) chooses the light at `index`.
    pub(super) fn chance(
        &self,
        lights: &[Light],
        receiver: &Receiver<impl Known>,
        index: usize,
    ) -> f32 {
        let mut chance = 1.0;
        let mut at = 0;
        let mut turns = self.turns[index];
        while let Below::Right(right) = self.nodes[at].below {
            let Some(left_share) = self.left_share(lights, receiver, at + 1, right) else {
                return 0.0;
            };
            let goes_right = turns & 1 == 1;
            chance *= if goes_right { 1.0 - left_share } else { left_share };
            at = if goes_right { right } else { at + 1 };
            turns >>= 1;
        }
        chance
    }

    /// The probability of the left child; `None` if neither side can contribute.
    fn left_share(
        &self,
        lights: &[Light],
        receiver: &Receiver<impl Known>,
        left: usize,
        right: usize,
    ) -> Option<f32> {
        let [left, right] = [left, right].map(|at| self.nodes[at].importance(lights, receiver));
        let total = left + right;
        (total > 0.0).then(|| left / total)
    }
}

impl Node {
    /// The approximate irradiance, as luminance, at the receiver without occlusion, for lights that
    /// emit in all directions. Zero only if no light can arrive.
    fn importance(&self, lights: &[Light], receiver: &Receiver<impl Known>) -> f32 {
        let importance = if let Below::Light(index) = self.below {
            receiver.importance(|normal| lights[index].importance(receiver.point, normal))
        } else {
            let to_center = self.center - receiver.point;
            // Within the sphere the distance has no meaning.
            let squared = to_center.length_squared().max(self.radius * self.radius);
            let cosine =
                receiver.importance(|normal| receiver_cosine(normal, to_center, self.radius));
            self.power * cosine / (4.0 * PI * squared)
        };
        // Very close to a light the square overflows: use the largest finite weight.
        if importance.is_nan() { 0.0 } else { importance.min(1e30) }
    }
}
