//! A triangle on an image.

use glam::{DMat4, DVec3, Vec2, Vec3};
use media::MeshData;
use tracer::SurfaceSpot;

/// A triangle on an image.
#[derive(Debug, Clone)]
pub(super) struct Face {
    /// Its place among those of the part.
    pub(super) triangle: u32,
    /// In pixels, rows from the top.
    pub(super) pixels: [Vec2; 3],
    /// Corners in the world.
    pub(super) points: [Vec3; 3],
    /// Unit normals for shading at the corners, in the world.
    pub(super) shading: [Vec3; 3],
    /// Unit geometric normal, in the world.
    pub(super) normal: Vec3,
    /// The directions in the world that are right and up on the image, not of unit length.
    pub(super) axes: [Vec3; 2],
}

pub(super) fn points(data: &MeshData, triangle: usize) -> [Vec3; 3] {
    data.triangles[triangle].map(|vertex| Vec3::from_array(data.positions[vertex as usize]))
}

impl Face {
    /// A triangle in the world, nowhere on an image yet.
    pub(super) fn of(data: &MeshData, triangle: usize, matrix: DMat4) -> Self {
        let points =
            points(data, triangle).map(|point| matrix.transform_point3(point.as_dvec3()).as_vec3());
        let normal = (points[1] - points[0]).cross(points[2] - points[0]).normalize_or(Vec3::Y);
        let turn = glam::DMat3::from_mat4(matrix).inverse().transpose();
        let shading = data.triangles[triangle].map(|vertex| {
            let own = data.normals.get(vertex as usize).copied();
            let own = own.map(|own| (turn * DVec3::from(own.map(f64::from))).as_vec3());
            own.and_then(Vec3::try_normalize).unwrap_or(normal)
        });
        let (pixels, axes) = ([Vec2::ZERO; 3], [Vec3::X, Vec3::Y]);
        Self { triangle: triangle as u32, pixels, points, shading, normal, axes }
    }

    pub(super) fn spot(&self, at: Vec2) -> SurfaceSpot {
        let shares = shares(self.pixels, at);
        let mix = |of: [Vec3; 3]| of[0] * shares.x + of[1] * shares.y + of[2] * shares.z;
        SurfaceSpot {
            point: mix(self.points).to_array(),
            normal: self.normal.to_array(),
            shading: mix(self.shading).normalize_or(self.normal).to_array(),
            triangle: self.triangle,
        }
    }
}

/// The shares of the corners of a triangle at a point of the image; beyond it they go on evenly.
pub(super) fn shares([a, b, c]: [Vec2; 3], at: Vec2) -> Vec3 {
    let area = (b - a).perp_dot(c - a);
    if area == 0.0 {
        return Vec3::X;
    }
    let (of_b, of_c) = ((at - a).perp_dot(c - a) / area, (b - a).perp_dot(at - a) / area);
    Vec3::new(1.0 - of_b - of_c, of_b, of_c)
}
