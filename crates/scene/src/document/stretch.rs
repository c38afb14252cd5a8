//! Scaling by a factor for each axis.

use crate::values::{Dimensions, Point, Rotation};
use crate::vector::{Vector, rotation_matrix};

use super::motion::{MotionError, tidied, tidy};

/// Lengths along an object's own axes are multiplied by a factor for each axis, about a pivot.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stretch {
    /// The factors, each above 0.
    pub(crate) factors: [f64; 3],
    /// The point that stays where it is.
    pub(crate) pivot: [f64; 3],
}

impl Stretch {
    /// Lengths along the three axes.
    pub(crate) fn lengths(&self, lengths: [f64; 3]) -> [f64; 3] {
        tidy([0, 1, 2].map(|axis| lengths[axis] * self.factors[axis]))
    }

    /// The edges of something whose sides lie along its own axes.
    pub(crate) fn dimensions(&self, edges: Dimensions) -> Result<Dimensions, MotionError> {
        Dimensions::new(self.lengths(edges.get())).ok_or(MotionError::OutOfRange)
    }

    /// A length along one axis.
    pub(crate) fn length(&self, length: f64, axis: usize) -> f64 {
        tidied(length * self.factors[axis])
    }

    /// A point of something whose own axes are those of the world.
    pub(crate) fn world_point(&self, point: [f64; 3]) -> [f64; 3] {
        let arm = (Vector(point) - Vector(self.pivot)).0;
        tidy((Vector(self.pivot) + Vector(self.lengths(arm))).0)
    }

    /// A point of something that is turned by `rotation`.
    pub(crate) fn own_point(&self, point: Point, rotation: Rotation) -> Result<Point, MotionError> {
        let rows = rotation_matrix(rotation.get());
        let arm = Vector(point.get()) - Vector(self.pivot);
        let own = [0, 1, 2].map(|at| Vector([rows[0][at], rows[1][at], rows[2][at]]));
        let own = Vector(self.lengths(own.map(|axis| axis.dot(arm))));
        let turned = Vector(rows.map(|row| Vector(row).dot(own)));
        Point::new(tidy((Vector(self.pivot) + turned).0)).ok_or(MotionError::OutOfRange)
    }
}
