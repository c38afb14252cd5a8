//! The axes that a call speaks in: those of the world, or those of a group or a shape.

use scene::{Id, Motion, Violations};

use crate::space::Space;

/// Axes by their Euler angles in degrees.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axes([f64; 3]);

impl Axes {
    /// Those of the thing named `along`; the world's, if there is none.
    pub(super) fn of(space: &Space<'_>, along: Option<&Id>) -> Result<Self, Violations> {
        along.map_or(Ok(Self([0.0; 3])), |id| space.axes_of(id.as_str()).map(Self))
    }

    /// A way along these axes as one along the world's.
    pub(super) fn vector(self, way: [f64; 3]) -> [f64; 3] {
        Motion::turn(self.0, [0.0; 3]).point(way)
    }

    /// A turn about these axes, by `degrees` and about `pivot`.
    pub(super) fn turn(self, degrees: [f64; 3], pivot: [f64; 3]) -> Motion {
        let to_world = Motion::turn(self.0, pivot);
        to_world.inverse().then(Motion::turn(degrees, pivot)).then(to_world)
    }
}
