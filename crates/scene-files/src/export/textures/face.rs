//! A triangle of a mesh with its position in an atlas.

use glam::{DMat4, DVec3, Vec2, Vec3};
use media::MeshData;
use tracer::SurfaceSpot;

/// A triangle in world space with its position in an atlas.
#[derive(Debug, Clone)]
pub(super) struct Face {
    /// Its index in the mesh.
    pub(super) triangle: u32,
    /// Its corners in the atlas, in texels from the top left.
    pub(super) texels: [Vec2; 3],
    /// Its corners.
    pub(super) points: [Vec3; 3],
    /// Unit shading normals at the corners.
    pub(super) shading: [Vec3; 3],
    /// Unit geometric normal.
    pub(super) normal: Vec3,
    /// The directions that point right and up in the atlas, of any length.
    pub(super) axes: [Vec3; 2],
}

/// The corners of a triangle of a mesh.
pub(super) fn points(data: &MeshData, triangle: usize) -> [Vec3; 3] {
    data.triangles[triangle].map(|vertex| Vec3::from_array(data.positions[vertex as usize]))
}

impl Face {
    /// A triangle of a mesh with a matrix applied; its position in the atlas is not set.
    pub(super) fn of(data: &MeshData, triangle: usize, matrix: DMat4) -> Self {
        let points =
            points(data, triangle).map(|point| matrix.transform_point3(point.as_dvec3()).as_vec3());
        let normal = (points[1] - points[0]).cross(points[2] - points[0]).normalize_or(Vec3::Y);
        let normal_matrix = glam::DMat3::from_mat4(matrix).inverse().transpose();
        let shading = data.triangles[triangle].map(|vertex| {
            let own = data.normals.get(vertex as usize).copied();
            let own = own.map(|own| (normal_matrix * DVec3::from(own.map(f64::from))).as_vec3());
            own.and_then(Vec3::try_normalize).unwrap_or(normal)
        });
        let (texels, axes) = ([Vec2::ZERO; 3], [Vec3::X, Vec3::Y]);
        Self { triangle: triangle as u32, texels, points, shading, normal, axes }
    }

    /// The point of the surface at a point of the atlas.
    pub(super) fn spot(&self, at: Vec2) -> SurfaceSpot {
        let weights = barycentric(self.texels, at);
        let mix = |of: [Vec3; 3]| of[0] * weights.x + of[1] * weights.y + of[2] * weights.z;
        SurfaceSpot {
            point: mix(self.points).to_array(),
            normal: self.normal.to_array(),
            shading: mix(self.shading).normalize_or(self.normal).to_array(),
            triangle: self.triangle,
        }
    }
}

/// The barycentric coordinates of a point of the atlas; extrapolated outside of the triangle.
pub(super) fn barycentric([a, b, c]: [Vec2; 3], at: Vec2) -> Vec3 {
    let area = (b - a).perp_dot(c - a);
    if area == 0.0 {
        return Vec3::X;
    }
    let (of_b, of_c) = ((at - a).perp_dot(c - a) / area, (b - a).perp_dot(at - a) / area);
    Vec3::new(1.0 - of_b - of_c, of_b, of_c)
}
