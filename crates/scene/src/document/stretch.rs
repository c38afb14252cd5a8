//! Non-uniform scale.

use crate::values::{Dimensions, Point, Rotation};
use crate::vector::{Vector, rotation_matrix};

use super::motion::{MotionError, tidied, tidy};

/// A scale of an object along its own axes, with a factor for each, about a pivot.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stretch {
    /// The factors, each above 0.
    pub(crate) factors: [f64; 3],
    /// The fixed point.
    pub(crate) pivot: [f64; 3],
}

impl Stretch {
    /// Scales lengths along the three axes.
    pub(crate) fn lengths(&self, lengths: [f64; 3]) -> [f64; 3] {
        tidy([0, 1, 2].map(|axis| lengths[axis] * self.factors[axis]))
    }

    /// Scales the edges of an object whose sides are along its own axes.
    pub(crate) fn dimensions(&self, edges: Dimensions) -> Result<Dimensions, MotionError> {
        Dimensions::new(self.lengths(edges.get())).ok_or(MotionError::OutOfRange)
    }

    /// Scales a length along one axis.
    pub(crate) fn length(&self, length: f64, axis: usize) -> f64 {
        tidied(length * self.factors[axis])
    }

    /// Scales a point of an object whose own axes are those of the world.
    pub(crate) fn world_point(&self, point: [f64; 3]) -> [f64; 3] {
        let arm = (Vector(point) - Vector(self.pivot)).0;
        tidy((Vector(self.pivot) + Vector(self.lengths(arm))).0)
    }

    /// Scales a point of an object that is rotated by `rotation`.
    pub(crate) fn own_point(&self, point: Point, rotation: Rotation) -> Result<Point, MotionError> {
        let rows = rotation_matrix(rotation.get());
        let arm = Vector(point.get()) - Vector(self.pivot);
        let own = [0, 1, 2].map(|at| Vector([rows[0][at], rows[1][at], rows[2][at]]));
        let own = Vector(self.lengths(own.map(|axis| axis.dot(arm))));
        let turned = Vector(rows.map(|row| Vector(row).dot(own)));
        Point::new(tidy((Vector(self.pivot) + turned).0)).ok_or(MotionError::OutOfRange)
    }
}
