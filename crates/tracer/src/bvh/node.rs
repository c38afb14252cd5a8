//! Nodes of the tree.

use glam::Vec3A;

use crate::bounds::Bounds;

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

impl Node {
    /// The box of a child.
    #[inline(always)]
    pub(super) fn bounds(&self, child: usize) -> Bounds {
        let corner =
            |side: usize| Vec3A::from_array(self.planes.map(|planes| planes[side][child % WIDTH]));
        Bounds { min: corner(0), max: corner(1) }
    }
}

/// An inner node or a leaf, by its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Child(u32);

impl Child {
    pub(super) const ROOT: Self = Self::inner(0);

    pub(super) const fn inner(index: u32) -> Self {
        Self(index << 1)
    }

    pub(super) fn leaf(index: u32) -> Self {
        Self(index << 1 | 1)
    }

    #[inline(always)]
    pub(super) fn is_leaf(self) -> bool {
        self.0 & 1 == 1
    }

    #[inline(always)]
    pub(super) fn index(self) -> usize {
        (self.0 >> 1) as usize
    }
}
