//! Prisms.

use std::f64::consts::{PI, TAU};

use crate::bounds::Aabb;
use crate::document::kinds::{Frame, ShapeKind};
use crate::document::motion::{euler_angles, product};
use crate::document::movable::movable;
use crate::lists::{Holes, Outline};
use crate::values::{Length, Point, Rotation, SideCount};
use crate::vector::rotation_matrix;

use super::extrusion::Extrusion;

movable! {
    /// An upright prism over a regular polygon: a hexagonal column, a nut, a tent.
    pub struct Prism {
        /// The centre.
        pub center: Point,
        /// From the axis to the edges that run along it.
        pub radius: Length,
        /// The length along the axis, which is y before the rotation.
        pub height: Length,
        /// How many sides it has, 3 to 64; one of them faces +z before the rotation.
        pub sides: SideCount,
        /// Euler angles in degrees, applied X, then Y, then Z.
        pub rotation: Rotation = Rotation::NONE,
    }
}

/// Rotates an outline to the horizontal: its y becomes -z, and its depth points up.
const LAID_FLAT: [f64; 3] = [-90.0, 0.0, 0.0];

impl Prism {
    /// The polygon seen from above, extruded by the height of the prism.
    pub(super) fn as_extrusion(&self) -> Extrusion {
        let sides = self.sides.get();
        let corner = |index: u32| {
            // The side between the first and the last corner faces the front.
            let angle = -0.5 * PI + (f64::from(index) + 0.5) * TAU / sides;
            [angle.cos(), angle.sin()].map(|part| self.radius.get() * part)
        };
        let rows = product(rotation_matrix(self.rotation.get()), rotation_matrix(LAID_FLAT));
        Extrusion {
            center: self.center,
            outline: Outline::known((0..sides as u32).map(corner).collect()),
            holes: Holes::default(),
            depth: self.height,
            rotation: Rotation::known(euler_angles(rows)),
            bevel: None,
        }
    }
}

impl ShapeKind for Prism {
    const LABEL: &'static str = "Prism";
    const ICON: &'static str = "hexagon";
    const FRAME: Frame = Frame::Column;
    const HAS_FLAT_TOP: bool = true;
    const ON_REQUEST: bool = true;

    fn sample() -> Option<Self> {
        Some(Self {
            center: Point::ORIGIN,
            radius: Length::known(1.0),
            height: Length::known(2.0),
            sides: SideCount::known(6.0),
            rotation: Rotation::NONE,
        })
    }

    fn bounds(&self) -> Option<Aabb> {
        self.as_extrusion().bounds()
    }

    fn is_solid(&self) -> bool {
        true
    }
}
