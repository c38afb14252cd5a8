//! Tori and arcs of tori.

use crate::bounds::Aabb;
use crate::document::kinds::{Frame, ShapeKind};
use crate::document::motion::{Motion, MotionError, tidied};
use crate::document::movable::{MovableProperties, movable};
use crate::values::{Angle, Direction, Length, Point, SideCount};
use crate::vector::Vector;

movable! {
    /// A ring with a round tube, or an arc of one whose ends are closed by discs.
    pub struct Torus {
        /// The centre of the ring.
        pub center: Point,
        /// The axis of the ring, of any length: a ring that lies flat has [0, 1, 0].
        pub normal: Direction,
        /// From the centre to the middle of the tube.
        pub radius: Length,
        /// Diameter of the tube; below 2 radius.
        pub thickness: Length,
        /// Where an arc starts, in degrees, counter-clockwise seen from where the normal points: 90 is
        /// as far up as the ring goes; on a ring that lies flat 0 is +x.
        pub start_angle: Angle = Angle::known(0.0),
        /// Where it ends: above start_angle, by at most 360.
        pub end_angle: Angle = Angle::known(360.0),
        /// Makes it of so many flat sides around, 3 to 64: low-poly looks. Its edges lie on the round shape.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub sides: Option<SideCount> = None,
    }
    check(self, reader) {
        if self.thickness.get() >= 2.0 * self.radius.get() {
            reader.error(&format!(
                "'thickness' is the diameter of the tube and must be below twice the 'radius' ({}), got {}",
                self.radius.get(), self.thickness.get()
            ));
        }
        let arc = self.end_angle.get() - self.start_angle.get();
        if !(arc > 0.0 && arc <= 360.0) {
            reader.error(&format!(
                "'end_angle' must be above 'start_angle' ({}) by at most 360, got {}",
                self.start_angle.get(), self.end_angle.get()
            ));
        }
    }
}

impl Torus {
    /// Whether it is a complete torus without caps.
    pub fn is_whole(&self) -> bool {
        self.end_angle.get() - self.start_angle.get() >= 360.0
    }

    /// Right-handed unit vectors: towards angle 0, towards 90 degrees, and along the normal.
    pub fn axes(&self) -> [[f64; 3]; 3] {
        let normal = Vector(self.normal.get());
        let normal = normal * (1.0 / normal.length());
        let up = Vector([0.0, 1.0, 0.0]);
        let upwards = up - normal * normal.dot(up);
        // Below this the torus counts as horizontal.
        const FLAT: f64 = 1e-6;
        let zero = if upwards.length() > FLAT {
            upwards.cross(normal)
        } else {
            let east = Vector([1.0, 0.0, 0.0]);
            east - normal * normal.dot(east)
        };
        let zero = zero * (1.0 / zero.length());
        [zero.0, normal.cross(zero).0, normal.0]
    }
}

impl ShapeKind for Torus {
    const LABEL: &'static str = "Torus";
    const ICON: &'static str = "torus";
    const FRAME: Frame = Frame::Ring;

    fn sample() -> Option<Self> {
        Some(Self {
            center: Point::ORIGIN,
            normal: Direction::UP,
            radius: Length::known(1.0),
            thickness: Length::known(0.5),
            start_angle: Angle::known(0.0),
            end_angle: Angle::known(360.0),
            sides: None,
        })
    }

    /// An arc extends farthest along an axis at the angle nearest to that of the full torus.
    fn bounds(&self) -> Option<Aabb> {
        let [zero, quarter, normal] = self.axes();
        let (radius, tube) = (self.radius.get(), 0.5 * self.thickness.get());
        let (start, end) = (self.start_angle.get(), self.end_angle.get());
        let mut bounds = Aabb { min: self.center.get(), max: self.center.get() };
        for axis in 0..3 {
            let slope = (1.0 - normal[axis] * normal[axis]).max(0.0).sqrt();
            let farthest = quarter[axis].atan2(zero[axis]).to_degrees();
            let reach = |towards: f64| {
                // The angle from the start of the arc, in 0..360.
                let ahead = (towards - start).rem_euclid(360.0);
                if ahead <= end - start {
                    return radius * slope + tube;
                }
                let at = |degrees: f64| {
                    let (sin, cos) = (degrees - towards).to_radians().sin_cos();
                    radius * slope * cos + tube * (1.0 - (slope * sin).powi(2)).max(0.0).sqrt()
                };
                at(start).max(at(end))
            };
            bounds.max[axis] += reach(farthest);
            bounds.min[axis] -= reach(farthest + 180.0);
        }
        Some(bounds)
    }

    fn is_solid(&self) -> bool {
        true
    }

    fn sides(&self) -> Option<SideCount> {
        self.sides
    }

    /// The origin of the angles depends on the normal, so they are recomputed in the new axes; a
    /// mirrored arc runs in the opposite direction from its old end.
    fn moved(&self, motion: &Motion) -> Result<Self, MotionError> {
        let mut moved = self.properties_moved(motion)?;
        if self.is_whole() {
            return Ok(moved);
        }
        let (start, end) = (self.start_angle.get(), self.end_angle.get());
        let [zero, quarter, _] = self.axes().map(Vector);
        let (sin, cos) = if motion.is_mirror() { end } else { start }.to_radians().sin_cos();
        let first = Vector(motion.vector((zero * cos + quarter * sin).0));
        let [zero, quarter, _] = moved.axes().map(Vector);
        let from = first.dot(quarter).atan2(first.dot(zero)).to_degrees();
        // Both ends within ±360.
        let from = if from + end - start > 360.0 { from - 360.0 } else { from };
        let angle = |degrees| Angle::new(tidied(degrees)).ok_or(MotionError::OutOfRange);
        moved.start_angle = angle(from)?;
        moved.end_angle = angle(from + end - start)?;
        Ok(moved)
    }
}
