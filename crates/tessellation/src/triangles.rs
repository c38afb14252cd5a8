//! Indexed triangles with normals.

use glam::DVec3;

/// An indexed triangle mesh.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Triangles {
    /// The vertices, in metres.
    pub positions: Vec<[f32; 3]>,
    /// The unit normal of the surface at each vertex, outwards.
    pub normals: Vec<[f32; 3]>,
    /// The vertices of each triangle.
    pub triangles: Vec<[u32; 3]>,
}

impl Triangles {
    /// Adds a vertex and returns its index.
    pub(crate) fn vertex(&mut self, position: DVec3, normal: DVec3) -> u32 {
        let number = self.positions.len() as u32;
        // Adding 0 makes -0 positive, so that equal positions have equal bits.
        self.positions.push((position.as_vec3() + glam::Vec3::ZERO).to_array());
        self.normals.push(normal.as_vec3().to_array());
        number
    }

    /// Adds a triangle, unless two of its corners have the same position.
    pub(crate) fn triangle(&mut self, corners: [u32; 3]) {
        let [a, b, c] = corners.map(|corner| self.positions[corner as usize]);
        if a != b && b != c && c != a {
            self.triangles.push(corners);
        }
    }

    /// Adds a quad of two triangles; its corners are counter-clockwise.
    pub(crate) fn quad(&mut self, [a, b, c, d]: [u32; 4]) {
        self.triangle([a, b, c]);
        self.triangle([a, c, d]);
    }

    /// The same triangles, each with vertices and a normal of its own.
    pub(crate) fn faceted(&self) -> Self {
        let mut faceted = Self::default();
        for triangle in &self.triangles {
            let corners =
                triangle.map(|at| DVec3::from(self.positions[at as usize].map(f64::from)));
            let [a, b, c] = corners;
            faceted.face(&corners, (b - a).cross(c - a).normalize_or(DVec3::Y));
        }
        faceted
    }

    /// Adds a flat convex face with counter-clockwise corners.
    pub(crate) fn face(&mut self, corners: &[DVec3], normal: DVec3) {
        let numbers: Vec<u32> = corners.iter().map(|&corner| self.vertex(corner, normal)).collect();
        for pair in numbers.windows(2).skip(1) {
            self.triangle([numbers[0], pair[0], pair[1]]);
        }
    }
}
