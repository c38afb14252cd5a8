//! A bounding volume hierarchy.
//!
//! Nodes have eight children. The code is generic over `fearless_simd` and compiled for each level
//! of instruction sets; callers select one with `dispatch!` and pass it down.

mod beam;
mod build;
mod collapse;
mod node;

use std::ops::Range;

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x8};

use crate::bounds::Bounds;
use crate::ray::{ROUNDING, Ray};

pub(crate) use beam::Beam;
pub(crate) use build::LeafCosts;
use node::{Child, Node, WIDTH};

/// The size of a ray's traversal stack; few rays overflow to the heap. Clearing a larger stack
/// would cost more than testing a few boxes.
const STACK: usize = 64;

/// A tree of boxes with eight children per node, over items in the order of its leaves.
#[derive(Debug)]
pub(crate) struct Bvh {
    /// The root first; empty without items.
    nodes: Vec<Node>,
}

/// A ray prepared for box tests.
///
/// A plane at p is hit at p / d - o / d, one fused operation. For an origin far from 0 the rounding
/// of o / d matters, so near distances are decreased and far ones increased by a bound of it; far
/// ones are also scaled to cover the other roundings. So no box is missed. After PBR 4e, section
/// 6.8.2.
struct Slabs<S: Simd> {
    near_scale: [f32x8<S>; 3],
    near_shift: [f32x8<S>; 3],
    far_scale: [f32x8<S>; 3],
    far_shift: [f32x8<S>; 3],
    /// For each axis, which plane the ray hits first.
    first: [usize; 3],
}

// Closures and functions of the standard library that call them are compiled without the selected
// instructions unless they are inlined, so there are none around vectors here.
impl<S: Simd> Slabs<S> {
    #[inline(always)]
    fn new(simd: S, ray: &Ray) -> Self {
        let inverse = ray.inverse();
        let shift = -(ray.origin * inverse);
        let slack = shift.abs() * (4.0 * ROUNDING);
        let longer = 1.0 + 16.0 * ROUNDING;
        Self {
            near_scale: splat(simd, inverse),
            near_shift: splat(simd, shift - slack),
            far_scale: splat(simd, inverse * longer),
            far_shift: splat(simd, shift * longer + slack * 2.0),
            first: [
                usize::from(inverse.x < 0.0),
                usize::from(inverse.y < 0.0),
                usize::from(inverse.z < 0.0),
            ],
        }
    }

    /// The distances at which the ray enters the boxes (0 from inside), and a bit mask of those
    /// that it enters before `t_max`.
    #[inline(always)]
    fn enter(&self, simd: S, node: &Node, t_max: f32x8<S>) -> (f32x8<S>, u32) {
        let zero = f32x8::splat(simd, 0.0);
        let near_x = self.near(simd, node, 0);
        let near_y = self.near(simd, node, 1);
        let near_z = self.near(simd, node, 2);
        let far_x = self.far(simd, node, 0);
        let far_y = self.far(simd, node, 1);
        let far_z = self.far(simd, node, 2);
        let nearest = near_x.max(near_y).max(near_z.max(zero));
        let farthest = far_x.min(far_y).min(far_z.min(t_max));
        (nearest, nearest.simd_le(farthest).to_bitmask() as u32)
    }

    #[inline(always)]
    fn near(&self, simd: S, node: &Node, axis: usize) -> f32x8<S> {
        let plane = f32x8::load_array_ref(simd, &node.planes[axis][self.first[axis] & 1]);
        plane.mul_add(self.near_scale[axis], self.near_shift[axis])
    }

    #[inline(always)]
    fn far(&self, simd: S, node: &Node, axis: usize) -> f32x8<S> {
        let plane = f32x8::load_array_ref(simd, &node.planes[axis][(self.first[axis] ^ 1) & 1]);
        plane.mul_add(self.far_scale[axis], self.far_shift[axis])
    }
}

#[inline(always)]
fn splat<S: Simd>(simd: S, vector: glam::Vec3A) -> [f32x8<S>; 3] {
    [f32x8::splat(simd, vector.x), f32x8::splat(simd, vector.y), f32x8::splat(simd, vector.z)]
}

/// The stacks of a walk through the tree over bodies and of those through the trees of meshes in it. They serve
/// many rays, since clearing them takes as long as testing some boxes.
pub(crate) struct Stacks {
    pub(crate) of_bodies: TraversalStack,
    pub(crate) of_mesh: TraversalStack,
}

impl Stacks {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self { of_bodies: TraversalStack::new(), of_mesh: TraversalStack::new() }
    }
}

/// The traversal stack: pending children, the farthest first.
pub(crate) struct TraversalStack {
    /// A child and the ray's entry distance.
    stack: [(Child, f32); STACK],
    height: usize,
    /// Overflow of the stack.
    spilled: Vec<(Child, f32)>,
}

impl TraversalStack {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self { stack: [(Child::default(), 0.0); STACK], height: 0, spilled: Vec::new() }
    }

    /// A walk that ended early leaves children behind.
    #[inline(always)]
    fn clear(&mut self) {
        self.height = 0;
        self.spilled.clear();
    }

    /// Pushes the children of `node` whose bit is set in `entered`, so that the nearest is popped
    /// first.
    #[inline(always)]
    fn push(&mut self, node: &Node, mut entered: u32, distances: &[f32; WIDTH]) {
        if self.height + WIDTH > STACK {
            self.spilled.extend(&self.stack[..self.height]);
            self.height = 0;
        }
        let bottom = self.height;
        while entered != 0 {
            let lane = entered.trailing_zeros() as usize % WIDTH;
            entered &= entered - 1;
            let mut at = self.height;
            while at > bottom && self.stack[at - 1].1 < distances[lane] {
                self.stack[at] = self.stack[at - 1];
                at -= 1;
            }
            self.stack[at] = (node.children[lane], distances[lane]);
            self.height += 1;
        }
    }

    /// The nearest pending child with an entry distance up to `t_max`.
    #[inline(always)]
    fn pop(&mut self, t_max: f32) -> Option<Child> {
        loop {
            let (child, entry) = if self.height > 0 {
                self.height -= 1;
                self.stack[self.height]
            } else {
                self.spilled.pop()?
            };
            if entry <= t_max {
                return Some(child);
            }
        }
    }
}

impl Bvh {
    /// A tree over the leaves of items with the given boxes, the order of the items, and the ranges of that
    /// order that are the leaves.
    pub(crate) fn build(
        bounds: &[Bounds],
        costs: LeafCosts,
    ) -> (Self, Vec<u32>, Vec<Range<usize>>) {
        let (binary, order) = build::build(bounds, costs);
        let (nodes, leaves) = collapse::collapse(&binary);
        (Self { nodes }, order, leaves)
    }

    /// Bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        self.nodes.len() * size_of::<Node>()
    }

    /// Calls `visit` with the index of each leaf that the ray enters before `t_max`, roughly from
    /// near to far. `visit` gets the current `t_max` and returns the new one; a negative one ends
    /// the traversal.
    #[inline(always)]
    pub(crate) fn walk<S: Simd>(
        &self,
        simd: S,
        stack: &mut TraversalStack,
        ray: &Ray,
        mut t_max: f32,
        mut visit: impl FnMut(usize, f32) -> f32,
    ) {
        if self.nodes.is_empty() {
            return;
        }
        let slabs = Slabs::new(simd, ray);
        stack.clear();
        let mut current = Child::ROOT;
        loop {
            if current.is_leaf() {
                t_max = visit(current.index(), t_max);
                if t_max < 0.0 {
                    return;
                }
            } else {
                let node = &self.nodes[current.index()];
                let (near, entered) = slabs.enter(simd, node, f32x8::splat(simd, t_max));
                if entered.is_power_of_two() {
                    current = node.children[entered.trailing_zeros() as usize % WIDTH];
                    continue;
                }
                stack.push(node, entered, near.as_array());
            }
            match stack.pop(t_max) {
                Some(child) => current = child,
                None => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use fearless_simd::dispatch;
    use glam::Vec3A;

    use super::*;
    use crate::chi_square::Random;
    use crate::instructions::InstructionSet;

    const COSTS: LeafCosts = LeafCosts { batch: 1, batch_cost: 2.0, largest: 4 };

    fn random_boxes(random: &mut Random, count: usize, spread: f32, size: f32) -> Vec<Bounds> {
        let one = |_| {
            let low = random.direction() * (spread * random.next());
            let edges = Vec3A::new(random.next(), random.next(), random.next()) * size;
            Bounds { min: low, max: low + edges }
        };
        (0..count).map(one).collect()
    }

    /// Compares the tree's nearest box entry with brute force.
    fn check_against_all(bounds: &[Bounds], random: &mut Random, spread: f32) {
        for instructions in InstructionSet::available() {
            check_with(instructions, bounds, random, spread);
        }
    }

    fn check_with(
        instructions: InstructionSet,
        bounds: &[Bounds],
        random: &mut Random,
        spread: f32,
    ) {
        let (bvh, order, leaves) = Bvh::build(bounds, COSTS);
        let mut places = order.clone();
        places.sort_unstable();
        assert!(places.iter().copied().eq(0..bounds.len() as u32), "each item once");
        for _ in 0..500 {
            let origin = random.direction() * (2.0 * spread * random.next());
            let ray = Ray::new(origin, random.direction());
            let nearest = |entries: &mut dyn Iterator<Item = f32>| entries.fold(1e30, f32::min);
            let mut entries = bounds.iter().filter_map(|bounds| bounds.entry(&ray, f32::INFINITY));
            let expected = nearest(&mut entries);
            let mut found = 1e30;
            dispatch!(instructions.level(), simd => {
                bvh.walk(simd, &mut TraversalStack::new(), &ray, f32::INFINITY, |leaf, t_max| {
                    let mut entries =
                        leaves[leaf].clone().filter_map(|item| bounds[order[item] as usize].entry(&ray, t_max));
                    found = nearest(&mut entries).min(found);
                    t_max.min(found * 1.000_001 + 1e-30)
                });
            });
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn finds_what_asking_every_box_finds() {
        let mut random = Random(9);
        for (count, size) in [(0, 1.0), (1, 1.0), (2, 1.0), (5, 3.0), (100, 0.3), (3000, 0.1)] {
            let bounds = random_boxes(&mut random, count, 10.0, size);
            check_against_all(&bounds, &mut random, 10.0);
        }
    }

    #[test]
    fn copes_with_equal_and_one_sided_boxes() {
        let mut random = Random(10);
        let one = Bounds { min: Vec3A::ZERO, max: Vec3A::ONE };
        check_against_all(&[one; 300], &mut random, 2.0);
        // Doubling sizes: each split by cost separates a single item.
        let growing: Vec<Bounds> = (0..100)
            .map(|power| Bounds { min: Vec3A::ZERO, max: Vec3A::splat(1.3_f32.powi(power)) })
            .collect();
        check_against_all(&growing, &mut random, 2.0);
    }

    #[test]
    fn a_negative_limit_ends_the_walk() {
        let mut random = Random(11);
        let bounds = random_boxes(&mut random, 200, 1.0, 2.0);
        let (bvh, ..) = Bvh::build(&bounds, COSTS);
        let mut visits = 0;
        dispatch!(InstructionSet::Best.level(), simd => {
            bvh.walk(simd, &mut TraversalStack::new(), &Ray::new(Vec3A::ZERO, Vec3A::X), f32::INFINITY, |_, _| {
                visits += 1;
                -1.0
            });
        });
        assert_eq!(visits, 1);
    }
}
