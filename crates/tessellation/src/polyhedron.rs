//! Polyhedra.

use glam::{DVec2, DVec3};

use crate::extrusion::triangulate;
use crate::{Placement, Tessellation, Triangles};

/// The cosine of the largest angle between faces that a smooth polyhedron is shaded across: 80 degrees.
const SMOOTH: f64 = 0.174;

pub(crate) fn polyhedron(shape: &scene::Polyhedron) -> Tessellation {
    let vertices: Vec<DVec3> =
        shape.vertices.get().iter().map(|place| DVec3::from(*place)).collect();
    let faces = shape.oriented_faces();
    // Along each face, as long as twice its area: larger faces count more.
    let normals: Vec<DVec3> = faces.iter().map(|face| normal(&vertices, face)).collect();
    let mut around: Vec<Vec<usize>> = vec![Vec::new(); vertices.len()];
    for (at, face) in faces.iter().enumerate() {
        face.iter().for_each(|vertex| around[*vertex as usize].push(at));
    }
    let mut triangles = Triangles::default();
    for (face, normal) in faces.iter().zip(&normals) {
        let first = triangles.positions.len() as u32;
        let flat = normal.normalize_or(DVec3::Y);
        for vertex in face {
            let near = around[*vertex as usize].iter().map(|at| normals[*at]);
            let near = near.filter(|other| other.normalize_or_zero().dot(flat) > SMOOTH);
            let soft = near.sum::<DVec3>().normalize_or(flat);
            let shading = if shape.smooth { soft } else { flat };
            triangles.vertex(vertices[*vertex as usize], shading);
        }
        for corners in divided(&vertices, face, flat) {
            triangles.triangle(corners.map(|corner| first + corner as u32));
        }
    }
    let placement = Placement::turned(shape.center.get(), shape.rotation.get());
    Tessellation { triangles, placement }
}

fn normal(vertices: &[DVec3], face: &[u32]) -> DVec3 {
    let corner = |at: usize| vertices[face[at % face.len()] as usize];
    (1..face.len()).map(|at| (corner(at) - corner(0)).cross(corner(at + 1) - corner(0))).sum()
}

/// Triangles over a face, as indices of its corners.
fn divided(vertices: &[DVec3], face: &[u32], normal: DVec3) -> Vec<[usize; 3]> {
    if face.len() == 3 {
        return vec![[0, 1, 2]];
    }
    let (right, up) = normal.any_orthonormal_pair();
    // Right, up and the normal are right-handed, so that the corners stay counter-clockwise.
    let up = if right.cross(up).dot(normal) < 0.0 { -up } else { up };
    let flat = face.iter().map(|vertex| {
        let place = vertices[*vertex as usize];
        DVec2::new(place.dot(right), place.dot(up)).to_array()
    });
    let made = triangulate(&[flat.collect()]);
    // Corners that touch each other in the plane leave a fan as good as anything.
    if made.len() + 2 == face.len() {
        made
    } else {
        (1..face.len() - 1).map(|at| [0, at, at + 1]).collect()
    }
}
