//! A bounding volume hierarchy: finds what a ray may meet without asking everything.

mod build;
mod collapse;

use std::ops::Range;

use glam::Vec4;

use crate::bounds::Bounds;
use crate::ray::Ray;

/// The deepest binary tree the builder makes.
const MAX_DEPTH: usize = 64;
/// Children of a node.
const WIDTH: usize = 4;
/// Places of the stack that is enough for almost any scene: clearing a larger one would cost each
/// ray more than a few boxes.
const USUAL_STACK: usize = 32;
/// Places that are always enough: on each level all children but one wait.
const LARGEST_STACK: usize = (WIDTH - 1) * MAX_DEPTH;

/// A tree of boxes, four to a node, over items that are stored in the order of its leaves.
#[derive(Debug)]
pub(crate) struct Bvh {
    /// The root first. Empty when there are no items.
    nodes: Vec<Node>,
    /// The most children that may wait at a time.
    stack: usize,
}

/// The boxes of four children side by side, so that one instruction does the same for all.
#[derive(Debug, Clone)]
struct Node {
    /// Per axis the lower and the upper planes. Missing children have inverted boxes.
    planes: [[Vec4; 2]; 3],
    children: [Child; WIDTH],
}

/// An inner node or a run of items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Child(u32);

impl Child {
    /// Bits of the number of items; the builder makes leaves of up to four.
    const COUNT_BITS: u32 = 3;

    fn new(first: u32, count: u32) -> Self {
        Self(first << Self::COUNT_BITS | count)
    }

    /// The first item, or the place of the inner node.
    fn first(self) -> usize {
        (self.0 >> Self::COUNT_BITS) as usize
    }

    /// The number of items; 0 for inner nodes.
    fn count(self) -> usize {
        (self.0 & ((1 << Self::COUNT_BITS) - 1)) as usize
    }
}

/// What the boxes of a node are asked about a ray.
struct Slabs {
    origin: [Vec4; 3],
    inverse: [Vec4; 3],
    /// Per axis which plane the ray meets first.
    first: [usize; 3],
}

impl Slabs {
    fn new(ray: &Ray) -> Self {
        let (origin, inverse) = (ray.origin.to_array(), ray.inverse.to_array());
        Self {
            origin: origin.map(Vec4::splat),
            inverse: inverse.map(Vec4::splat),
            first: inverse.map(|inverse| usize::from(inverse < 0.0)),
        }
    }

    /// The distances at which the ray enters the boxes (0 from inside), and a bit for each one it
    /// enters before `t_max`.
    ///
    /// The far end is widened so that rounding never loses a box that is hit: PBR 4e, section 6.8.2.
    #[inline(always)]
    fn enter(&self, node: &Node, t_max: f32) -> (Vec4, u32) {
        let at = |axis: usize, side: usize| {
            (node.planes[axis][side & 1] - self.origin[axis]) * self.inverse[axis]
        };
        let [x, y, z] = self.first;
        let near = at(0, x).max(at(1, y)).max(at(2, z).max(Vec4::ZERO));
        let far = at(0, x ^ 1).min(at(1, y ^ 1)).min(at(2, z ^ 1)) * (1.0 + 8.0 * f32::EPSILON);
        let entered = near.cmple(far) & near.cmplt(Vec4::splat(t_max));
        (near, entered.bitmask())
    }
}

impl Bvh {
    /// A tree over items with the given boxes, and the order in which to store the items: the item
    /// at place `i` is the one that was at `order[i]`.
    pub(crate) fn build(bounds: &[Bounds]) -> (Self, Vec<u32>) {
        let (binary, order) = build::build(bounds);
        let (nodes, depth) = collapse::collapse(&binary);
        (Self { nodes, stack: (WIDTH - 1) * depth }, order)
    }

    /// Calls `visit` with the items of each leaf the ray enters before `t_max`, roughly from near
    /// to far. `visit` gets the current `t_max` and returns the new one; a negative one ends the
    /// walk.
    #[inline]
    pub(crate) fn walk(&self, ray: &Ray, t_max: f32, visit: impl FnMut(Range<usize>, f32) -> f32) {
        if self.stack <= USUAL_STACK {
            self.walk_with::<USUAL_STACK>(ray, t_max, visit);
        } else {
            self.walk_with::<LARGEST_STACK>(ray, t_max, visit);
        }
    }

    #[inline]
    fn walk_with<const STACK: usize>(
        &self,
        ray: &Ray,
        mut t_max: f32,
        mut visit: impl FnMut(Range<usize>, f32) -> f32,
    ) {
        if self.nodes.is_empty() {
            return;
        }
        let slabs = Slabs::new(ray);
        // The farthest first.
        let mut waiting = [(Child(0), 0.0_f32); STACK];
        let mut height = 0;
        let mut current = Child::new(0, 0);
        loop {
            if current.count() > 0 {
                t_max = visit(current.first()..current.first() + current.count(), t_max);
                if t_max < 0.0 {
                    return;
                }
            } else {
                let node = &self.nodes[current.first()];
                let (near, mut entered) = slabs.enter(node, t_max);
                if entered.is_power_of_two() {
                    current = node.children[entered.trailing_zeros() as usize % WIDTH];
                    continue;
                }
                let distances = near.to_array();
                let bottom = height;
                while entered != 0 {
                    let lane = entered.trailing_zeros() as usize % WIDTH;
                    entered &= entered - 1;
                    let mut at = height;
                    while at > bottom && waiting[at - 1].1 < distances[lane] {
                        waiting[at] = waiting[at - 1];
                        at -= 1;
                    }
                    waiting[at] = (node.children[lane], distances[lane]);
                    height += 1;
                }
            }
            current = loop {
                if height == 0 {
                    return;
                }
                height -= 1;
                let (child, entry) = waiting[height];
                if entry < t_max {
                    break child;
                }
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3A;

    use super::*;
    use crate::chi_square::Random;

    fn random_boxes(random: &mut Random, count: usize, spread: f32, size: f32) -> Vec<Bounds> {
        let one = |_| {
            let low = random.direction() * (spread * random.next());
            let edges = Vec3A::new(random.next(), random.next(), random.next()) * size;
            Bounds { min: low, max: low + edges }
        };
        (0..count).map(one).collect()
    }

    /// The tree's nearest box entry against that of all boxes asked in turn.
    fn check_against_all(bounds: &[Bounds], random: &mut Random, spread: f32) {
        let (bvh, order) = Bvh::build(bounds);
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
            bvh.walk(&ray, f32::INFINITY, |items, t_max| {
                let mut entries =
                    items.filter_map(|item| bounds[order[item] as usize].entry(&ray, t_max));
                found = nearest(&mut entries).min(found);
                t_max.min(found * 1.000_001 + 1e-30)
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
        // Sizes that double: every cut by cost takes off one item.
        let growing: Vec<Bounds> = (0..100)
            .map(|power| Bounds { min: Vec3A::ZERO, max: Vec3A::splat(1.3_f32.powi(power)) })
            .collect();
        check_against_all(&growing, &mut random, 2.0);
    }

    #[test]
    fn a_negative_limit_ends_the_walk() {
        let mut random = Random(11);
        let bounds = random_boxes(&mut random, 200, 1.0, 2.0);
        let (bvh, _) = Bvh::build(&bounds);
        let mut visits = 0;
        bvh.walk(&Ray::new(Vec3A::ZERO, Vec3A::X), f32::INFINITY, |_, _| {
            visits += 1;
            -1.0
        });
        assert_eq!(visits, 1);
    }
}
