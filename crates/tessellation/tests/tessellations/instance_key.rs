//! Keys and counts of shared tessellations.

use glam::{DMat3, DVec3};
use scene::Geometry;
use serde_json::{Value, json};
use tessellation::{InstanceKey, placement, size_of, tessellate, tolerance_of};

use crate::support::{shape, triangles};

/// A shape of each kind.
fn kinds() -> Vec<(&'static str, Value)> {
    vec![
        ("sphere", json!({ "center": [1, 2, 3], "radius": 0.7 })),
        ("box", json!({ "center": [1, 2, 3], "dimensions": [1, 2, 3], "rotation": [10, 20, 30] })),
        ("quad", json!({ "corner": [1, 2, 3], "u": [1, 0, 0.5], "v": [0, 2, 0] })),
        ("disc", json!({ "center": [1, 2, 3], "normal": [1, 1, 0], "radius": 2 })),
        (
            "cylinder",
            json!({ "base_center": [1, 0, 0], "top_center": [1, 3, 1], "radius": 0.5, "capped": true }),
        ),
        (
            "cone",
            json!({ "base_center": [1, 0, 0], "top_center": [1, 3, 1], "base_radius": 0.5,
                         "top_radius": 0.2, "capped": true }),
        ),
        (
            "torus",
            json!({ "center": [1, 2, 3], "normal": [1, 1, 0], "radius": 2, "thickness": 0.5 }),
        ),
        (
            "torus",
            json!({ "center": [1, 2, 3], "normal": [0, 1, 0], "radius": 2, "thickness": 0.5,
                          "start_angle": 10, "end_angle": 200 }),
        ),
        ("capsule", json!({ "start": [1, 2, 3], "end": [2, 4, 1], "radius": 0.4 })),
        ("ellipsoid", json!({ "center": [1, 2, 3], "radii": [1, 2, 3], "rotation": [10, 20, 30] })),
        ("rounded_box", json!({ "center": [1, 2, 3], "dimensions": [1, 2, 3], "radius": 0.2 })),
        ("tube", json!({ "points": [[1, 2, 3], [1, 4, 3], [2, 5, 3]], "radius": 0.5 })),
        (
            "tube",
            json!({ "points": [[0, 0, 0], [1, 0, 0], [0, 0, 1]], "radius": 0.1, "closed": true }),
        ),
        (
            "lathe",
            json!({ "base_center": [1, 2, 3], "profile": [[0, 0], [1, 0], [0.5, 1], [0, 2]] }),
        ),
        (
            "extrusion",
            json!({ "center": [1, 2, 3], "outline": [[0, 0], [2, 0], [1, 1]], "depth": 1 }),
        ),
        ("text", json!({ "base_center": [1, 2, 3], "text": "Bold", "size": 1, "depth": 0.2 })),
        (
            "height_field",
            json!({ "center": [1, 2, 3], "sides": [2, 3],
                                 "heights": [[0, 1, 0], [1, 0, 1], [0, 1, 0]] }),
        ),
        ("triangle", json!({ "vertices": [[1, 2, 3], [2, 2, 3], [1, 3, 4]] })),
    ]
}

#[test]
fn where_triangles_go_is_known_without_them() {
    for (kind, properties) in kinds() {
        let geometry = shape(kind, &properties);
        assert_eq!(placement(&geometry), Some(triangles(&geometry, 1e-3).placement), "{kind}");
    }
}

#[test]
fn how_many_triangles_there_will_be_is_told_closely_and_not_too_low() {
    for (kind, properties) in kinds() {
        let geometry = shape(kind, &properties);
        for share in [1e-2, 4e-4, 1e-5] {
            let tolerance = tolerance_of(&geometry, share).unwrap();
            let made = tessellate(&geometry, tolerance).unwrap().triangles;
            let told = size_of(&geometry, tolerance).unwrap();
            let [vertices, count] = [made.positions.len(), made.triangles.len()];
            assert!(told.vertices >= vertices && told.triangles >= count, "{kind}: {told:?}");
            let most = |real: usize| 2 * real + 200;
            assert!(
                told.vertices <= most(vertices) && told.triangles <= most(count),
                "{kind}: {told:?} for {vertices} and {count}"
            );
        }
    }
}

/// The triangles of `one`, scaled by the ratio of the sizes and placed like `other`.
#[expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]
fn as_other(one: &Geometry, other: &Geometry) -> Vec<DVec3> {
    let [first, second] = [one, other].map(|geometry| InstanceKey::of(geometry).unwrap());
    assert_eq!(first.name, second.name);
    let turn = DMat3::from_cols_array_2d(&second.placement.rotation).transpose();
    let (ratio, shift) = (second.size / first.size, DVec3::from(second.placement.translation));
    let positions = triangles(one, 1e-3).triangles.positions;
    positions.iter().map(|p| turn * (DVec3::from(p.map(f64::from)) * ratio) + shift).collect()
}

#[test]
fn alike_shapes_differ_by_place_and_size_alone() {
    let like = [
        ("sphere", json!({ "center": [-5, 0, 1], "radius": 2.1 })),
        (
            "cylinder",
            json!({ "base_center": [7, 0, 0], "top_center": [7, 6, 2], "radius": 1, "capped": true }),
        ),
        (
            "cone",
            json!({ "base_center": [7, 0, 0], "top_center": [7, 6, 2], "base_radius": 1,
                         "top_radius": 0.4, "capped": true }),
        ),
        ("capsule", json!({ "start": [2, 2, 3], "end": [4, 6, -1], "radius": 0.8 })),
        (
            "ellipsoid",
            json!({ "center": [1, 2, 3], "radii": [0.5, 1, 1.5], "rotation": [10, 20, 30] }),
        ),
        ("box", json!({ "center": [4, 4, 4], "dimensions": [1, 2, 3], "rotation": [0, 20, 0] })),
        ("triangle", json!({ "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 1]] })),
    ];
    for (kind, properties) in like {
        let (_, first) = kinds().into_iter().find(|(known, _)| *known == kind).unwrap();
        let (one, other) = (shape(kind, &first), shape(kind, &properties));
        let real = triangles(&other, 1e-3).in_world().positions;
        let found = as_other(&one, &other);
        assert_eq!(found.len(), real.len(), "{kind}");
        for (found, real) in found.iter().zip(real) {
            let off = found.distance(DVec3::from(real.map(f64::from)));
            assert!(off < 1e-5, "{kind}: {off}");
        }
    }
}

#[test]
fn shapes_that_differ_in_form_are_not_alike() {
    let name =
        |kind: &str, properties: Value| InstanceKey::of(&shape(kind, &properties)).unwrap().name;
    let cylinder = |height: f64, capped: bool| {
        name(
            "cylinder",
            json!({ "base_center": [0, 0, 0], "top_center": [0, height, 0], "radius": 1,
                                 "capped": capped }),
        )
    };
    assert_ne!(cylinder(1.0, true), cylinder(2.0, true));
    assert_ne!(cylinder(1.0, true), cylinder(1.0, false));
    let cuboid = |x: f64| name("box", json!({ "center": [0, 0, 0], "dimensions": [x, 1, 1] }));
    assert_ne!(cuboid(1.0), cuboid(2.0));
    assert_ne!(cuboid(1.0), cylinder(1.0, true));
}
