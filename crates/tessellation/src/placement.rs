//! Placements: rotation and translation.

use glam::{DMat3, DQuat, DVec3};
use scene::rotation_matrix;

use crate::Triangles;

/// A rotation, then a translation: a point `p` of the local space is at `rotation * p + translation` in the
/// world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placement {
    /// The rows of a rotation matrix.
    pub rotation: [[f64; 3]; 3],
    /// In metres.
    pub translation: [f64; 3],
}

impl Placement {
    /// A translation.
    pub(crate) fn at(translation: [f64; 3]) -> Self {
        Self { rotation: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], translation }
    }

    /// A rotation by Euler angles in degrees (X, then Y, then Z) and a translation.
    pub(crate) fn turned(translation: [f64; 3], degrees: [f64; 3]) -> Self {
        Self { rotation: rotation_matrix(degrees), translation }
    }

    /// Maps the axes x and y to perpendicular unit vectors, and the origin to `translation`.
    pub(crate) fn along(translation: [f64; 3], x: DVec3, y: DVec3) -> Self {
        let rows = DMat3::from_cols(x, y, x.cross(y)).transpose();
        Self { rotation: rows.to_cols_array_2d(), translation }
    }

    /// Maps the axis y to the direction of `axis`, and the origin to `translation`.
    pub(crate) fn upright_along(translation: [f64; 3], axis: DVec3) -> Self {
        let y = axis.normalize();
        // The shortest turn, as textures have it.
        Self::along(translation, DQuat::from_rotation_arc(DVec3::Y, y) * DVec3::X, y)
    }

    /// The triangles in world space.
    pub fn place(&self, triangles: &Triangles) -> Triangles {
        let rotation = DMat3::from_cols_array_2d(&self.rotation).transpose();
        let shift = DVec3::from(self.translation);
        let turned = |vector: &[f32; 3]| rotation * DVec3::from(vector.map(f64::from));
        let moved = |position| (turned(position) + shift).as_vec3().to_array();
        Triangles {
            positions: triangles.positions.iter().map(moved).collect(),
            normals: triangles.normals.iter().map(|n| turned(n).as_vec3().to_array()).collect(),
            triangles: triangles.triangles.clone(),
        }
    }
}
