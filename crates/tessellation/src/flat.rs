//! Exact tessellations of polyhedra and flat shapes.

use glam::DVec3;

use crate::{Placement, Tessellation, Triangles};

pub(crate) fn cuboid(shape: &scene::Box) -> Tessellation {
    let half = 0.5 * DVec3::from(shape.dimensions.get());
    let placement = Placement::turned(shape.center.get(), shape.rotation.get());
    if let Some(bevel) = shape.bevel {
        return Tessellation { triangles: beveled(half, bevel.get()), placement };
    }
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
    Tessellation { triangles, placement }
}

/// A box of `half` its size whose edges are cut off: six faces, twelve edges, eight corners.
fn beveled(half: DVec3, bevel: f64) -> Triangles {
    let mut triangles = Triangles::default();
    let inner = half - DVec3::splat(bevel);
    let signs = [-1.0, 1.0];
    let mut add = |corners: &[DVec3], outwards: DVec3| {
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize();
        if normal.dot(outwards) > 0.0 {
            triangles.face(corners, normal);
        } else {
            let reversed: Vec<DVec3> = corners.iter().rev().copied().collect();
            triangles.face(&reversed, -normal);
        }
    };
    // The corner of the face across `axis` at a corner of the box.
    let on_face = |axis: usize, corner: DVec3| {
        let mut place = corner * inner;
        place[axis] = corner[axis] * half[axis];
        place
    };
    for axis in 0..3 {
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        for side in signs {
            let corner = |u: f64, v: f64| {
                let mut corner = DVec3::ZERO;
                (corner[axis], corner[next], corner[last]) = (side, u, v);
                corner
            };
            let round =
                [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
            let face = round.map(|corner| on_face(axis, corner));
            add(&face, face[0] + face[2]);
            // The edges along `last` between this face and those across `next`.
            for u in signs {
                let (low, high) = (corner(u, -1.0), corner(u, 1.0));
                let edge = [
                    on_face(axis, low),
                    on_face(axis, high),
                    on_face(next, high),
                    on_face(next, low),
                ];
                add(&edge, low + high);
            }
        }
    }
    for x in signs {
        for y in signs {
            for z in signs {
                let corner = DVec3::new(x, y, z);
                add(&[0, 1, 2].map(|axis| on_face(axis, corner)), corner);
            }
        }
    }
    triangles
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
