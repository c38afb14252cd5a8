//! What becomes of a shape.

use crate::placement::Placement;
use crate::triangles::Triangles;

/// Triangles around the origin, and where they go.
#[derive(Debug, Clone, PartialEq)]
pub struct Tessellation {
    /// In the shape's own frame: the same wherever the shape stands and however it is turned.
    pub triangles: Triangles,
    /// From there to the world.
    pub placement: Placement,
}

impl Tessellation {
    /// The triangles where the shape stands. Far from the origin single precision moves them by
    /// up to a ten-millionth of the distance; keep the placement apart where that matters.
    pub fn in_world(&self) -> Triangles {
        self.placement.place(&self.triangles)
    }
}
