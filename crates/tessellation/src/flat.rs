//! Exact tessellations of polyhedra and flat shapes.

use glam::DVec3;

use crate::{Placement, Tessellation, Triangles};

pub(crate) fn cuboid(shape: &scene::Box) -> Tessellation {
    let half = 0.5 * DVec3::from(shape.dimensions.get());
    let mut triangles = Triangles::default();
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let [mut normal, mut u, mut v] = [DVec3::ZERO; 3];
            normal[axis] = side;
            u[(axis + 1) % 3] = side * half[(axis + 1) % 3];
            v[(axis + 2) % 3] = half[(axis + 2) % 3];
            let middle = normal * half;
            let corners = [middle - u - v, middle + u - v, middle + u + v, middle - u + v];
            triangles.face(&corners, normal);
        }
    }
    let placement = Placement::turned(shape.center.get(), shape.rotation.get());
    Tessellation { triangles, placement }
}

pub(crate) fn quad(shape: &scene::Quad) -> Tessellation {
    let (u, v) = (DVec3::from(shape.u.get()), DVec3::from(shape.v.get()));
    face(shape.corner.get(), &[DVec3::ZERO, u, u + v, v])
}

pub(crate) fn triangle(shape: &scene::Triangle) -> Tessellation {
    let corners = shape.vertices.get();
    let first = DVec3::from(corners[0]);
    face(corners[0], &corners.map(|corner| DVec3::from(corner) - first))
}

/// A flat convex face; `corners` are relative to `origin`.
fn face(origin: [f64; 3], corners: &[DVec3]) -> Tessellation {
    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or_zero();
    let mut triangles = Triangles::default();
    triangles.face(corners, normal);
    Tessellation { triangles, placement: Placement::at(origin) }
}
