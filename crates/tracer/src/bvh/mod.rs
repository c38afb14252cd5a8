//! A bounding volume hierarchy: finds what a ray may meet without asking everything.

mod build;

use std::ops::Range;

use glam::{Vec3A, Vec4};

use crate::bounds::Bounds;
use crate::ray::Ray;

/// The deepest tree the builder makes; it bounds the stack of a traversal.
const MAX_DEPTH: usize = 64;

/// A binary tree of boxes over items that are stored in the order of its leaves.
#[derive(Debug)]
pub(crate) struct Bvh {
    /// The root first. Empty when there are no items.
    nodes: Vec<Node>,
}

/// 32 bytes: a box, and in the fourth components, bit by bit, an index and a count.
#[derive(Debug, Clone, Copy)]
struct Node {
    /// w: the first item of a leaf, or the first of two neighbouring children.
    min: Vec4,
    /// w: the number of items; 0 in inner nodes.
    max: Vec4,
}

impl Node {
    fn new(bounds: Bounds, first: u32, count: u32) -> Self {
        Self {
            min: bounds.min.extend(f32::from_bits(first)),
            max: bounds.max.extend(f32::from_bits(count)),
        }
    }

    fn bounds(&self) -> Bounds {
        Bounds { min: Vec3A::from_vec4(self.min), max: Vec3A::from_vec4(self.max) }
    }

    fn first(&self) -> usize {
        self.min.w.to_bits() as usize
    }

    fn count(&self) -> usize {
        self.max.w.to_bits() as usize
    }
}

impl Bvh {
    /// A tree over items with the given boxes, and the order in which to store the items: the item
    /// at place `i` is the one that was at `order[i]`.
    pub(crate) fn build(bounds: &[Bounds]) -> (Self, Vec<u32>) {
        let (nodes, order) = build::build(bounds);
        (Self { nodes }, order)
    }

    /// Calls `visit` with the items of each leaf the ray enters before `t_max`, roughly from near
    /// to far. `visit` gets the current `t_max` and returns the new one; a negative one ends the
    /// walk.
    #[inline]
    pub(crate) fn walk(
        &self,
        ray: &Ray,
        mut t_max: f32,
        mut visit: impl FnMut(Range<usize>, f32) -> f32,
    ) {
        let Some(root) = self.nodes.first() else {
            return;
        };
        if root.bounds().entry(ray, t_max).is_none() {
            return;
        }
        let mut waiting = [(0_u32, 0.0_f32); MAX_DEPTH];
        let mut height = 0;
        let mut node = root;
        loop {
            if node.count() > 0 {
                t_max = visit(node.first()..node.first() + node.count(), t_max);
                if t_max < 0.0 {
                    return;
                }
            } else {
                let first = node.first();
                let children = [&self.nodes[first], &self.nodes[first + 1]];
                match children.map(|child| child.bounds().entry(ray, t_max)) {
                    [Some(left), Some(right)] => {
                        let far = usize::from(left <= right);
                        waiting[height] = ((first + far) as u32, left.max(right));
                        height += 1;
                        node = children[1 - far];
                        continue;
                    }
                    [Some(_), None] => {
                        node = children[0];
                        continue;
                    }
                    [None, Some(_)] => {
                        node = children[1];
                        continue;
                    }
                    [None, None] => {}
                }
            }
            node = loop {
                if height == 0 {
                    return;
                }
                height -= 1;
                let (index, entry) = waiting[height];
                if entry < t_max {
                    break &self.nodes[index as usize];
                }
            };
        }
    }
}

#[cfg(test)]
mod tests {
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
