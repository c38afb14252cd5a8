//! Vector arithmetic for the document, in double precision so that typed numbers are kept exactly.

use std::ops::{Add, Mul, Sub};

/// A vector of three components.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Vector(pub [f64; 3]);

impl Vector {
    /// The scalar product.
    pub fn dot(self, other: Self) -> f64 {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        a * x + b * y + c * z
    }

    /// The vector product, right-handed.
    pub fn cross(self, other: Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        Self([b * z - c * y, c * x - a * z, a * y - b * x])
    }

    /// The Euclidean length.
    pub fn length(self) -> f64 {
        self.dot(self).sqrt()
    }
}

impl Add for Vector {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        Self([a + x, b + y, c + z])
    }
}

impl Sub for Vector {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + other * -1.0
    }
}

impl Mul<f64> for Vector {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self(self.0.map(|component| component * factor))
    }
}

/// The rows of the rotation matrix for Euler angles in degrees: about X first, then Y, then Z
/// (fixed world axes), so M = Rz Ry Rx.
pub fn rotation_matrix(degrees: [f64; 3]) -> [[f64; 3]; 3] {
    let [(sx, cx), (sy, cy), (sz, cz)] = degrees.map(|angle| angle.to_radians().sin_cos());
    [
        [cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx],
        [sz * cy, sz * sy * sx + cz * cx, sz * sy * cx - cz * sx],
        [-sy, cy * sx, cy * cx],
    ]
}
