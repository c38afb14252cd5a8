//! A tree of boxes over the bodies of a space, so that neighbours are found without a look at all.

use crate::solid::Extent;

/// Bodies in one leaf: a look at so few costs less than another level.
const LEAF: usize = 8;

/// A tree that halves the bodies along the longest side of the box around their centres.
#[derive(Debug)]
pub(crate) struct Tree {
    /// The root first; the left child of an inner node follows it.
    nodes: Vec<Node>,
    /// Places of bodies with their boxes; those of a node lie in a row.
    leaves: Vec<(usize, Extent)>,
}

#[derive(Debug)]
struct Node {
    /// The box around everything below.
    extent: Extent,
    content: Content,
}

#[derive(Debug)]
enum Content {
    /// The place of the right child.
    Inner(usize),
    /// A part of the leaves.
    Leaf(std::ops::Range<usize>),
}

impl Tree {
    /// A tree of boxes, each known by its place in the order they come.
    pub(crate) fn of(extents: impl Iterator<Item = Extent>) -> Self {
        let mut tree = Self { nodes: Vec::new(), leaves: extents.enumerate().collect() };
        tree.grow(0..tree.leaves.len());
        tree
    }

    fn grow(&mut self, range: std::ops::Range<usize>) {
        let leaves = &mut self.leaves[range.clone()];
        let Some(extent) = leaves.iter().map(|(_, extent)| *extent).reduce(Extent::union) else {
            return;
        };
        let own = self.nodes.len();
        self.nodes.push(Node { extent, content: Content::Leaf(range.clone()) });
        if range.len() <= LEAF {
            return;
        }
        let centers = leaves.iter().map(|(_, extent)| extent.center());
        let centers = centers.map(|center| Extent { min: center, max: center });
        let size = centers.reduce(Extent::union).unwrap_or(extent).size();
        let axis = (0..3).max_by(|one, other| size[*one].total_cmp(&size[*other])).unwrap_or(0);
        let middle = leaves.len() / 2;
        leaves.select_nth_unstable_by(middle, |(_, one), (_, other)| {
            one.center()[axis].total_cmp(&other.center()[axis])
        });
        self.grow(range.start..range.start + middle);
        self.nodes[own].content = Content::Inner(self.nodes.len());
        self.grow(range.start + middle..range.end);
    }

    /// The places of the boxes that are at most `gap` from `extent` along each axis, in order.
    pub(crate) fn near(&self, extent: Extent, gap: f64) -> Vec<usize> {
        let mut found = Vec::new();
        if !self.nodes.is_empty() {
            self.gather(0, extent, gap, &mut found);
        }
        found.sort_unstable();
        found
    }

    fn gather(&self, at: usize, extent: Extent, gap: f64, found: &mut Vec<usize>) {
        let node = &self.nodes[at];
        if !node.extent.is_near(extent, gap) {
            return;
        }
        match &node.content {
            Content::Inner(right) => {
                self.gather(at + 1, extent, gap, found);
                self.gather(*right, extent, gap, found);
            }
            Content::Leaf(range) => {
                let leaves = self.leaves[range.clone()].iter();
                let near = leaves.filter(|(_, other)| other.is_near(extent, gap));
                found.extend(near.map(|(place, _)| *place));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use proptest::prelude::*;

    use super::*;

    fn any_extent() -> impl Strategy<Value = Extent> {
        let corner = prop::array::uniform3(-10.0..10.0f64);
        (corner, prop::array::uniform3(0.0..4.0f64)).prop_map(|(min, size)| {
            let min = DVec3::from(min);
            Extent { min, max: min + DVec3::from(size) }
        })
    }

    proptest! {
        #[test]
        fn the_tree_finds_what_a_look_at_all_finds(
            extents in prop::collection::vec(any_extent(), 0..120), asked in any_extent(), gap in 0.0..1.0f64,
        ) {
            let places = 0..extents.len();
            let near: Vec<usize> = places.filter(|at| extents[*at].is_near(asked, gap)).collect();
            prop_assert_eq!(Tree::of(extents.iter().copied()).near(asked, gap), near);
        }
    }
}
