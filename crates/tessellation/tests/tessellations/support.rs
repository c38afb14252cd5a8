//! Measures of tessellations.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::collections::HashMap;

use glam::DVec3;
use scene::{Geometry, Scene};
use serde_json::{Value, json};
use tessellation::{Tessellation, Triangles, tessellate, tolerance_of};

/// The shape in a document.
pub(crate) fn shape(kind: &str, properties: &Value) -> Geometry {
    let shape = json!({ "id": "shape", "type": kind, "properties": properties });
    let scene = Scene::from_json(&json!({ "version": 1, "shapes": [shape] }));
    scene.unwrap_or_else(|violations| panic!("{violations}")).shapes[0].geometry.clone()
}

/// The tessellation with a tolerance relative to its size.
pub(crate) fn triangles(geometry: &Geometry, share: f64) -> Tessellation {
    tessellate(geometry, tolerance_of(geometry, share).unwrap()).unwrap()
}

/// The corners of each triangle.
pub(crate) fn corners(triangles: &Triangles) -> impl Iterator<Item = [DVec3; 3]> {
    let corner = |vertex: u32| DVec3::from(triangles.positions[vertex as usize].map(f64::from));
    triangles.triangles.iter().map(move |triangle| triangle.map(corner))
}

pub(crate) fn area(triangles: &Triangles) -> f64 {
    corners(triangles).map(|[a, b, c]| 0.5 * (b - a).cross(c - a).length()).sum()
}

/// The volume of a closed surface; negative for the wrong winding order.
pub(crate) fn volume(triangles: &Triangles) -> f64 {
    corners(triangles).map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum()
}

/// Checks that every edge belongs to exactly two triangles, in opposite directions.
#[track_caller]
pub(crate) fn assert_watertight(name: &str, triangles: &Triangles) {
    assert!(is_watertight(triangles), "{name} is not closed");
}

/// See [`assert_watertight`].
pub(crate) fn is_watertight(triangles: &Triangles) -> bool {
    let edges = edges(triangles);
    is_balanced(triangles) && edges.values().all(|count| *count == 1)
}

/// Whether every edge occurs equally often in both directions: the surface is closed, but outlines
/// may touch in a point.
pub(crate) fn is_balanced(triangles: &Triangles) -> bool {
    let edges = edges(triangles);
    edges.iter().all(|([from, to], count)| from != to && edges.get(&[*to, *from]) == Some(count))
}

/// The count of each edge between two positions, in one direction.
fn edges(triangles: &Triangles) -> HashMap<[[u32; 3]; 2], i32> {
    let mut edges = HashMap::new();
    for triangle in &triangles.triangles {
        let [a, b, c] =
            triangle.map(|vertex| triangles.positions[vertex as usize].map(f32::to_bits));
        for edge in [[a, b], [b, c], [c, a]] {
            *edges.entry(edge).or_default() += 1;
        }
    }
    edges
}

/// Checks that normals are unit vectors on the side from which the triangles are counter-clockwise.
#[track_caller]
pub(crate) fn assert_sound_normals(name: &str, triangles: &Triangles) {
    assert_eq!(triangles.normals.len(), triangles.positions.len());
    for (triangle, [a, b, c]) in triangles.triangles.iter().zip(corners(triangles)) {
        let flat = (b - a).cross(c - a).normalize();
        for vertex in triangle {
            let normal = DVec3::from(triangles.normals[*vertex as usize].map(f64::from));
            assert!((normal.length() - 1.0).abs() < 1e-5, "{name}: {normal}");
            assert!(flat.dot(normal) > 0.4, "{name}: {normal} on a triangle facing {flat}");
        }
    }
}
