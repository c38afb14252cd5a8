//! The result of a tessellation.

use crate::placement::Placement;
use crate::triangles::Triangles;

/// Triangles in the shape's own space, with its placement.
#[derive(Debug, Clone, PartialEq)]
pub struct Tessellation {
    /// In the shape's own space: independent of its position and rotation.
    pub triangles: Triangles,
    /// From the shape's own space to the world.
    pub placement: Placement,
}

impl Tessellation {
    /// The triangles in world space. Far from the origin, single precision moves them by up to a
    /// ten-millionth of the distance; keep the placement separate if that matters.
    pub fn in_world(&self) -> Triangles {
        self.placement.place(&self.triangles)
    }
}
