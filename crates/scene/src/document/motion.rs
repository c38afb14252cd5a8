//! Similarity transforms: translation, rotation, uniform scale, reflection.

use crate::vector::{Vector, rotation_matrix};

/// A similarity transform: a point `p` is mapped to `scale * (rows p) + shift`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    /// The rows of an orthogonal matrix; its determinant is -1 for a reflection.
    rows: [[f64; 3]; 3],
    /// The scale factor, above 0.
    scale: f64,
    /// The translation, in metres.
    shift: Vector,
}

/// Why a transform cannot be applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MotionError {
    /// A coordinate or a length would leave the range of the document.
    #[error(
        "it would leave the range of the scene (coordinates within ±1000000 m, lengths above 0)"
    )]
    OutOfRange,
    /// The document cannot represent mirrored meshes, texts and noise.
    #[error("a {0} cannot be mirrored")]
    Mirrored(&'static str),
    /// The properties cannot represent a factor for each axis.
    #[error(
        "a {0} can only be scaled by one number; change its properties by update_shape instead"
    )]
    OneFactorOnly(&'static str),
}

const UNIT: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

impl Motion {
    /// A translation, in metres.
    pub fn shift(shift: [f64; 3]) -> Self {
        Self { rows: UNIT, scale: 1.0, shift: Vector(shift) }
    }

    /// A rotation about `pivot` by Euler angles in degrees, X, then Y, then Z.
    pub fn turn(degrees: [f64; 3], pivot: [f64; 3]) -> Self {
        Self { rows: rotation_matrix(degrees), scale: 1.0, shift: Vector([0.0; 3]) }.about(pivot)
    }

    /// A uniform scale by `factor`, above 0, about `pivot`.
    pub fn scale(factor: f64, pivot: [f64; 3]) -> Self {
        Self { rows: UNIT, scale: factor, shift: Vector([0.0; 3]) }.about(pivot)
    }

    /// A reflection at the plane where the coordinate `axis` (0 is x) is `at`.
    pub fn mirror(axis: usize, at: f64) -> Self {
        let (mut rows, mut shift) = (UNIT, [0.0; 3]);
        if axis < 3 {
            rows[axis][axis] = -1.0;
            shift[axis] = 2.0 * at;
        }
        Self { rows, scale: 1.0, shift: Vector(shift) }
    }

    /// The transform with `pivot` as its fixed point.
    fn about(self, pivot: [f64; 3]) -> Self {
        let moved = Vector(self.point(pivot));
        Self { shift: self.shift + (Vector(pivot) - moved), ..self }
    }

    /// This transform, followed by `next`.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        Self {
            rows: product(next.rows, self.rows),
            scale: self.scale * next.scale,
            shift: Vector(next.point(self.shift.0)),
        }
    }

    /// The inverse transform.
    #[must_use]
    pub fn inverse(self) -> Self {
        let rows = [0, 1, 2].map(|at| [self.rows[0][at], self.rows[1][at], self.rows[2][at]]);
        let back = Self { rows, scale: 1.0 / self.scale, shift: Vector([0.0; 3]) };
        Self { shift: Vector(back.vector((self.shift * -1.0).0)), ..back }
    }

    /// Transforms a point.
    pub fn point(&self, point: [f64; 3]) -> [f64; 3] {
        (Vector(self.vector(point)) + self.shift).0
    }

    /// Transforms a displacement.
    pub(super) fn vector(&self, vector: [f64; 3]) -> [f64; 3] {
        self.rows.map(|row| Vector(row).dot(Vector(vector)) * self.scale)
    }

    /// Transforms a direction, whose length has no meaning.
    pub(super) fn direction(&self, direction: [f64; 3]) -> [f64; 3] {
        Self { scale: 1.0, ..*self }.vector(direction)
    }

    /// The scale factor, above 0.
    pub(super) fn factor(&self) -> f64 {
        self.scale
    }

    pub(super) fn is_mirror(&self) -> bool {
        self.handedness() < 0.0
    }

    /// -1 for a reflection, otherwise 1.
    pub(super) fn handedness(&self) -> f64 {
        let [x, y, z] = self.rows.map(Vector);
        if x.cross(y).dot(z) < 0.0 { -1.0 } else { 1.0 }
    }

    /// The transformed Euler angles of an object that is symmetric in its own x.
    pub fn rotation(&self, degrees: [f64; 3]) -> [f64; 3] {
        let mut rows = product(self.rows, rotation_matrix(degrees));
        for row in &mut rows {
            row[0] *= self.handedness();
        }
        nearer(euler_angles(rows), degrees)
    }
}

/// The one of two equivalent triples of Euler angles that is nearer to `before`, so that a rotation
/// about Y by more than 90 degrees does not become 180, 79, 180.
fn nearer(angles: [f64; 3], before: [f64; 3]) -> [f64; 3] {
    let [x, y, z] = angles;
    let other = [x + 180.0, 180.0 - y, z + 180.0].map(within_half_turn);
    let way = |each: [f64; 3]| -> f64 {
        (0..3).map(|axis| within_half_turn(each[axis] - before[axis]).abs()).sum()
    };
    // The first one of equally near ones, so that rounding does not decide.
    if way(other) < way(angles) - 1e-6 { other } else { angles }
}

/// The same angle above -180 and up to 180 degrees.
fn within_half_turn(degrees: f64) -> f64 {
    degrees - 360.0 * ((degrees - 180.0) / 360.0).ceil()
}

pub(super) fn product(left: [[f64; 3]; 3], right: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let column = |at: usize| Vector([right[0][at], right[1][at], right[2][at]]);
    left.map(|row| [0, 1, 2].map(|at| Vector(row).dot(column(at))))
}

/// The Euler angles in degrees whose [`rotation_matrix`] is `rows`. With Y at ±90 degrees, where X
/// and Z rotate about the same axis, X is 0.
pub fn euler_angles(rows: [[f64; 3]; 3]) -> [f64; 3] {
    let sine = -rows[2][0];
    let angles = if sine.abs() < 1.0 - 1e-12 {
        [rows[2][1].atan2(rows[2][2]), sine.asin(), rows[1][0].atan2(rows[0][0])]
    } else {
        [0.0, sine.asin(), (-rows[0][1]).atan2(rows[1][1])]
    };
    angles.map(f64::to_degrees)
}

/// Rounds to twelve digits, so that computed numbers look like typed ones; the error is negligible.
pub(super) fn tidied(number: f64) -> f64 {
    if number.abs() < 1e-12 {
        return 0.0;
    }
    let digits = 11 - number.abs().log10().floor() as i32;
    let scale = 10f64.powi(digits);
    let rounded = (number * scale).round() / scale;
    if rounded.is_finite() { rounded } else { number }
}

pub(super) fn tidy(numbers: [f64; 3]) -> [f64; 3] {
    numbers.map(tidied)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Geometry;

    #[test]
    fn angles_come_back_from_their_matrix() {
        for x in [-170.0, -30.0, 0.0, 45.0] {
            for y in [-90.0, -89.0, 0.0, 33.0, 90.0] {
                for z in [-120.0, 0.0, 77.0] {
                    let rows = rotation_matrix([x, y, z]);
                    let again = rotation_matrix(euler_angles(rows));
                    let far = (0..9).map(|at| (rows[at / 3][at % 3] - again[at / 3][at % 3]).abs());
                    assert!(far.fold(0.0, f64::max) < 1e-6, "{x} {y} {z}");
                }
            }
        }
    }

    #[test]
    fn a_turn_about_y_goes_on_beyond_a_right_angle() {
        let turned = |degrees, by| tidy(Motion::turn([0.0, by, 0.0], [0.0; 3]).rotation(degrees));
        assert_eq!(turned([0.0, 80.0, 0.0], 20.0), [0.0, 100.0, 0.0]);
        assert_eq!(turned([0.0; 3], -100.0), [0.0, -100.0, 0.0]);
        assert_eq!(turned([180.0, 80.0, 180.0], 1.0)[1], 79.0);
    }

    #[test]
    fn motions_follow_each_other() {
        let turn = Motion::turn([0.0, 90.0, 0.0], [1.0, 0.0, 0.0]);
        let both = turn.then(Motion::scale(2.0, [0.0; 3])).then(Motion::shift([0.0, 1.0, 0.0]));
        assert_eq!(tidy(both.point([2.0, 0.0, 0.0])), [2.0, 1.0, -2.0]);
        assert_eq!(tidy(Motion::mirror(0, 1.0).point([3.0, 4.0, 5.0])), [-1.0, 4.0, 5.0]);
    }

    #[test]
    fn an_arc_stays_the_same_arc_wherever_it_goes() {
        let shape = serde_json::json!({ "version": 1, "shapes": [{ "id": "arc", "type": "torus",
            "properties": { "center": [0.5, 1, 0], "normal": [0.3, -0.4, 1], "radius": 2, "thickness": 0.4,
                            "start_angle": 40, "end_angle": 250 } }] });
        let scene = crate::Scene::from_json(&shape).unwrap();
        // The ends and a point between them.
        let points = |geometry: &Geometry| {
            let Geometry::Torus(torus) = geometry else { panic!("{geometry:?}") };
            let [zero, quarter, _] = torus.axes().map(Vector);
            let (start, end) = (torus.start_angle.get(), torus.end_angle.get());
            [start, 0.7 * start + 0.3 * end, end].map(|degrees| {
                let (sin, cos) = degrees.to_radians().sin_cos();
                let arm = (zero * cos + quarter * sin) * torus.radius.get();
                (Vector(torus.center.get()) + arm).0
            })
        };
        let before = points(&scene.shapes[0].geometry);
        let turns = [[0.0, 0.0, 180.0], [90.0, 0.0, 0.0], [10.0, 200.0, -70.0], [0.0, 0.0, 90.0]];
        let turned = turns.map(|turn| Motion::turn(turn, [1.0, 0.0, 2.0]));
        let mirrored = [0, 1, 2].map(|axis| Motion::mirror(axis, 0.3));
        for motion in turned.into_iter().chain(mirrored).chain([Motion::scale(3.0, [1.0; 3])]) {
            let moved = scene.shapes[0].geometry.moved(&motion).unwrap();
            let [mut start, between, mut end] = points(&moved);
            let mut expected = before.map(|point| motion.point(point));
            if motion.is_mirror() {
                (start, end) = (end, start);
                // Three tenths from the other end.
                expected[1] = between;
            }
            for (is, expected) in [start, between, end].into_iter().zip(expected) {
                let far = (Vector(is) - Vector(expected)).length();
                assert!(far < 1e-9, "{motion:?}: {is:?} {expected:?}");
            }
        }
    }

    #[test]
    fn computed_numbers_read_like_typed_ones() {
        assert_eq!(tidy([0.1 + 0.2, 1e-17, -123_456.0 / 3.0]), [0.3, 0.0, -41152.0]);
    }
}
