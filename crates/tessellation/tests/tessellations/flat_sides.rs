//! Round shapes of flat sides, bevels and polyhedra.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::f64::consts::TAU;

use serde_json::{Value, json};
use tessellation::{FINE, size_of, tessellate, tolerance_of};

use crate::support::{assert_sound_normals, assert_watertight, shape, triangles, volume};

/// Of any tolerance: the shape is what it is.
fn assert_volume(kind: &str, properties: &Value, expected: f64) {
    let geometry = shape(kind, properties);
    let made = triangles(&geometry, FINE);
    assert_watertight(kind, &made.triangles);
    assert_sound_normals(kind, &made.triangles);
    let off = (volume(&made.triangles) / expected - 1.0).abs();
    assert!(off < 1e-4, "{kind}: {} for {expected}", volume(&made.triangles));
    let tolerance = tolerance_of(&geometry, FINE).unwrap();
    let (size, whole) =
        (size_of(&geometry, tolerance).unwrap(), tessellate(&geometry, tolerance).unwrap());
    assert!(size.vertices >= whole.triangles.positions.len(), "{kind}: {size:?}");
    assert!(size.triangles >= whole.triangles.triangles.len(), "{kind}: {size:?}");
}

/// The area of a regular polygon.
fn polygon(sides: f64, radius: f64) -> f64 {
    0.5 * sides * radius * radius * (TAU / sides).sin()
}

#[test]
fn round_shapes_of_flat_sides_are_prisms_and_pyramids() {
    for sides in [3, 4, 6, 11] {
        let base = polygon(f64::from(sides), 0.5);
        let column = json!({ "base_center": [1, 2, 3], "top_center": [1, 4, 3], "radius": 0.5, "capped": true,
                             "sides": sides });
        assert_volume("cylinder", &column, 2.0 * base);
        for (low, high) in [(0.5, 0.0), (0.0, 0.5)] {
            let pyramid = json!({ "base_center": [0, 0, 0], "base_radius": low, "top_center": [0.3, 3, 0],
                                  "top_radius": high, "capped": true, "sides": sides });
            assert_volume("cone", &pyramid, base * (0.09_f64 + 9.0).sqrt() / 3.0);
        }
    }
    // Twelve triangles, as an octahedron has eight: two rings of the same polygon between poles.
    let ball = shape("sphere", &json!({ "center": [0, 0, 0], "radius": 1, "sides": 6 }));
    let made = triangles(&ball, FINE).triangles;
    assert_watertight("sphere", &made);
    assert_sound_normals("sphere", &made);
    assert!(volume(&made) > 2.0 && volume(&made) < 4.0);
    for (kind, properties) in [
        ("capsule", json!({ "start": [0, 0, 0], "end": [0, 1, 0], "radius": 0.5, "sides": 5 })),
        (
            "torus",
            json!({ "center": [0, 0, 0], "normal": [0, 1, 0], "radius": 1, "thickness": 0.5, "sides": 7 }),
        ),
        ("ellipsoid", json!({ "center": [0, 0, 0], "radii": [1, 2, 3], "sides": 8 })),
        (
            "lathe",
            json!({ "base_center": [0, 0, 0], "profile": [[0, 0], [1, 0], [0.5, 1], [0, 1]], "sides": 5 }),
        ),
        (
            "tube",
            json!({ "points": [[0, 0, 0], [0, 1, 0], [1, 2, 0]], "radius": [0.3, 0.2, 0.1], "sides": 6 }),
        ),
    ] {
        let made = triangles(&shape(kind, &properties), FINE).triangles;
        assert_watertight(kind, &made);
        assert_sound_normals(kind, &made);
    }
}

/// Seen from the front, one of the sides faces the viewer.
#[test]
fn a_flat_side_faces_the_front() {
    for sides in [3, 4, 5, 6] {
        let column = json!({ "base_center": [0, 0, 0], "top_center": [0, 1, 0], "radius": 1, "capped": true,
                             "sides": sides });
        let made = triangles(&shape("cylinder", &column), FINE).triangles;
        let front = made.normals.iter().map(|normal| normal[2]).fold(0.0, f32::max);
        assert!((front - 1.0).abs() < 1e-5, "{sides}: {front}");
    }
}

#[test]
fn bevels_cut_edges_off() {
    let (edge, bevel) = (2.0_f64, 0.3_f64);
    let cube = json!({ "center": [1, 1, 1], "dimensions": [2, 2, 2], "bevel": bevel, "rotation": [10, 20, 30] });
    // Twelve edges are prisms over a right triangle, less what they have in common at the corners.
    let length = edge - 2.0 * bevel;
    let corner = bevel.powi(3) * (1.0 - 1.0 / 6.0);
    let cut = 12.0 * 0.5 * bevel * bevel * length + 8.0 * corner;
    assert_volume("box", &cube, edge.powi(3) - cut);
    // A square plate: its front and back edges are cut, those along its depth are not.
    let square = json!([[-1, -1], [1, -1], [1, 1], [-1, 1]]);
    let plate = json!({ "center": [0, 0, 0], "outline": square, "depth": 1, "bevel": 0.2 });
    let inner = 2.0 - 0.4_f64;
    let frustum = 0.2 / 3.0 * (4.0 + inner * inner + 2.0 * inner);
    assert_volume("extrusion", &plate, 4.0 * 0.6 + 2.0 * frustum);
    let hole = json!([[-0.3, -0.3], [0.3, -0.3], [0.3, 0.3], [-0.3, 0.3]]);
    let mut frame = plate.clone();
    frame["holes"] = json!([hole]);
    let wider = 0.6 + 0.4_f64;
    let hole = 0.36 * 0.6 + 2.0 * (0.2 / 3.0 * (0.36 + wider * wider + 0.6 * wider));
    assert_volume("extrusion", &frame, 4.0 * 0.6 + 2.0 * frustum - hole);
}

#[test]
fn faces_may_go_either_way_round() {
    let corners = json!([
        [0, 0, 0],
        [1, 0, 0],
        [1, 0, 1],
        [0, 0, 1],
        [0, 1, 0],
        [1, 1, 0],
        [1, 1, 1],
        [0, 1, 1]
    ]);
    let faces =
        json!([[0, 1, 2, 3], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [7, 6, 2, 3], [3, 0, 4, 7]]);
    let cube = json!({ "center": [5, 0, 0], "vertices": corners, "faces": faces });
    assert_volume("polyhedron", &cube, 1.0);
    // A face that is not convex: an L seen from above.
    let flat = [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]];
    let corners: Vec<[i32; 3]> =
        [0, 1].iter().flat_map(|y| flat.map(|[x, z]| [x, *y, z])).collect();
    let mut faces: Vec<Vec<usize>> = vec![(0..6).collect(), (6..12).collect()];
    faces.extend((0..6).map(|at| vec![at, (at + 1) % 6, 6 + (at + 1) % 6, 6 + at]));
    assert_volume("polyhedron", &json!({ "vertices": corners, "faces": faces }), 3.0);
    let smooth = json!({ "vertices": corners, "faces": faces, "smooth": true });
    assert_watertight("smooth", &triangles(&shape("polyhedron", &smooth), FINE).triangles);
}
