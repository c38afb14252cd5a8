//! Wedges.

use crate::bounds::Aabb;
use crate::document::kinds::{Frame, ShapeKind};
use crate::document::motion::{Motion, MotionError, euler_angles, product, tidy};
use crate::document::movable::{MovableProperties, movable};
use crate::document::stretch::Stretch;
use crate::lists::{Holes, Outline};
use crate::values::{Dimensions, Length, Point, Rotation};
use crate::vector::rotation_matrix;

use super::extrusion::Extrusion;

movable! {
    /// A ramp: the lower half of a box that is cut from its lower left to its upper right edge.
    pub struct Wedge {
        /// The centre of the box.
        pub center: Point,
        /// Full edge lengths [w, h, d] of the box before the rotation; the slope rises along x.
        pub dimensions: Dimensions,
        /// Euler angles in degrees, applied X, then Y, then Z.
        pub rotation: Rotation = Rotation::NONE,
    }
    check(self, reader) {
        if self.as_extrusion().loops()[0].len() < 3 {
            reader.error("'dimensions' are too far apart: the slope could not be told from an edge");
        }
    }
}

impl Wedge {
    /// The triangle seen from the front, extruded by the depth of the wedge.
    pub(super) fn as_extrusion(&self) -> Extrusion {
        let [w, h, d] = self.dimensions.get();
        let [x, y] = [0.5 * w, 0.5 * h];
        Extrusion {
            center: self.center,
            outline: Outline::known(vec![[-x, -y], [x, -y], [x, y]]),
            holes: Holes::default(),
            depth: Length::known(d),
            rotation: self.rotation,
            bevel: None,
        }
    }
}

impl ShapeKind for Wedge {
    const LABEL: &'static str = "Wedge";
    const ICON: &'static str = "triangleRight";
    const FRAME: Frame = Frame::Cuboid;
    const SIZES: Option<&'static str> = Some("dimensions");
    const ON_REQUEST: bool = true;

    fn sample() -> Option<Self> {
        let dimensions = Dimensions::known([2.0, 1.0, 1.5]);
        Some(Self { center: Point::ORIGIN, dimensions, rotation: Rotation::NONE })
    }

    fn bounds(&self) -> Option<Aabb> {
        self.as_extrusion().bounds()
    }

    fn is_solid(&self) -> bool {
        true
    }

    /// Its own x cannot be mirrored, since the slope rises along it; its own z can, which is
    /// equivalent after half a turn about y.
    fn moved(&self, motion: &Motion) -> Result<Self, MotionError> {
        let moved = self.properties_moved(motion)?;
        if !motion.is_mirror() {
            return Ok(moved);
        }
        let half_turn = rotation_matrix([0.0, 180.0, 0.0]);
        let rows = product(rotation_matrix(moved.rotation.get()), half_turn);
        let rotation = Rotation::new(tidy(euler_angles(rows))).ok_or(MotionError::OutOfRange)?;
        Ok(Self { rotation, ..moved })
    }

    fn stretched(&self, stretch: &Stretch) -> Result<Option<Self>, MotionError> {
        Ok(Some(Self {
            center: stretch.own_point(self.center, self.rotation)?,
            dimensions: stretch.dimensions(self.dimensions)?,
            rotation: self.rotation,
        }))
    }
}
