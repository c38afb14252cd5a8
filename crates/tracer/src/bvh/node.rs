//! Nodes of the tree.

/// The number of children of a node.
pub(super) const WIDTH: usize = 8;

/// The boxes of eight children in SoA layout, for SIMD.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
pub(super) struct Node {
    /// Per axis the lower and the upper planes. Missing children have inverted boxes.
    pub(super) planes: [[[f32; WIDTH]; 2]; 3],
    pub(super) children: [Child; WIDTH],
}

/// An inner node or a range of items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Child(u32);

impl Child {
    /// The bits for the number of items; leaves hold up to seven.
    const COUNT_BITS: u32 = 3;

    pub(super) fn new(first: u32, count: u32) -> Self {
        Self(first << Self::COUNT_BITS | count)
    }

    /// The first item, or the index of the inner node.
    #[inline(always)]
    pub(super) fn first(self) -> usize {
        (self.0 >> Self::COUNT_BITS) as usize
    }

    /// The number of items; 0 for inner nodes.
    #[inline(always)]
    pub(super) fn count(self) -> usize {
        (self.0 & ((1 << Self::COUNT_BITS) - 1)) as usize
    }
}
