//! Shapes with analytic intersections in the tracer.

use std::f64::consts::{PI, TAU};

use glam::DVec3;
use scene::Geometry;
use serde_json::{Value, json};
use tessellation::{COARSE, FINE, Triangles, tessellate, tolerance_of};

use crate::support::{
    area, assert_sound_normals, assert_watertight, corners, shape, triangles, volume,
};

/// A kind, its properties, its area, and its volume if it is closed.
type Case = (&'static str, Value, f64, Option<f64>);

fn cases() -> Vec<Case> {
    let slant = |radii: [f64; 2], height: f64| {
        PI * (radii[0] + radii[1]) * (radii[0] - radii[1]).hypot(height)
    };
    let held = |radii: [f64; 2], height: f64| {
        PI / 3.0 * height * (radii[0] * radii[0] + radii[0] * radii[1] + radii[1] * radii[1])
    };
    let height = DVec3::new(0.6, 1.2, 0.2).length();
    vec![
        (
            "sphere",
            json!({ "center": [1, 2, 3], "radius": 0.7 }),
            4.0 * PI * 0.49,
            Some(4.0 / 3.0 * PI * 0.343),
        ),
        (
            "box",
            json!({ "center": [1, 2, 3], "dimensions": [1, 2, 3], "rotation": [10, 20, 30] }),
            22.0,
            Some(6.0),
        ),
        ("quad", json!({ "corner": [1, 2, 3], "u": [1, 0, 1], "v": [0, 2, 0] }), 8f64.sqrt(), None),
        ("disc", json!({ "center": [1, 2, 3], "normal": [1, 1, -2], "radius": 2 }), 4.0 * PI, None),
        (
            "cylinder",
            json!({ "base_center": [0, 0, 0], "top_center": [0.6, 1.2, 0.2], "radius": 0.4,
                    "capped": true }),
            TAU * 0.4 * (height + 0.4),
            Some(PI * 0.16 * height),
        ),
        (
            "cylinder",
            json!({ "base_center": [0, 0, 0], "top_center": [0.6, 1.2, 0.2], "radius": 0.4,
                    "capped": false }),
            TAU * 0.4 * height,
            None,
        ),
        (
            "cone",
            json!({ "base_center": [0, 0, 0], "base_radius": 0.7, "top_center": [0.6, 1.2, 0.2],
                    "top_radius": 0.2, "capped": true }),
            slant([0.7, 0.2], height) + PI * (0.49 + 0.04),
            Some(held([0.7, 0.2], height)),
        ),
        (
            "cone",
            json!({ "base_center": [0, 3, 0], "base_radius": 0.7, "top_center": [0.6, 4.2, 0.2],
                    "top_radius": 0, "capped": true }),
            slant([0.7, 0.0], height) + PI * 0.49,
            Some(held([0.7, 0.0], height)),
        ),
        (
            "torus",
            json!({ "center": [1, 2, 3], "normal": [1, 2, -1], "radius": 1, "thickness": 0.8 }),
            TAU * TAU * 0.4,
            Some(TAU * PI * 0.16),
        ),
        (
            "torus",
            json!({ "center": [1, 2, 3], "normal": [1, 2, -1], "radius": 1, "thickness": 0.8,
                    "start_angle": -30, "end_angle": 60 }),
            0.25 * TAU * TAU * 0.4 + TAU * 0.16,
            Some(0.25 * TAU * PI * 0.16),
        ),
        (
            "capsule",
            json!({ "start": [1, 0, 0], "end": [1, 2, 0], "radius": 0.5 }),
            TAU * 0.5 * 2.0 + PI,
            Some(PI * 0.25 * 2.0 + PI / 6.0),
        ),
        (
            "ellipsoid",
            // A spheroid has a closed form of its area.
            json!({ "center": [1, 2, 3], "radii": [0.5, 1, 0.5], "rotation": [10, 20, 30] }),
            TAU * 0.25 * (1.0 + 2.0 / 0.75f64.sqrt() * 0.75f64.sqrt().asin()),
            Some(4.0 / 3.0 * PI * 0.25),
        ),
        (
            "rounded_box",
            json!({ "center": [1, 2, 3], "dimensions": [1, 2, 3], "radius": 0.25,
                    "rotation": [10, 20, 30] }),
            2.0 * (0.5 * 1.5 + 1.5 * 2.5 + 2.5 * 0.5) + TAU * 0.25 * 4.5 + 4.0 * PI * 0.0625,
            Some(
                0.5 * 1.5 * 2.5
                    + 0.5 * (0.5 * 1.5 + 1.5 * 2.5 + 2.5 * 0.5)
                    + PI * 0.0625 * 4.5
                    + 4.0 / 3.0 * PI * 0.25f64.powi(3),
            ),
        ),
        (
            "rounded_box",
            json!({ "center": [0, 0, 0], "dimensions": [1, 2, 1], "radius": 0.5 }),
            TAU * 0.5 * 2.0,
            Some(PI * 0.25 + 4.0 / 3.0 * PI * 0.125),
        ),
        ("triangle", json!({ "vertices": [[1, 0, 0], [1, 2, 0], [1, 0, 3]] }), 3.0, None),
    ]
}

#[test]
fn areas_and_volumes_are_those_of_the_shapes() {
    for (kind, properties, expected_area, expected_volume) in cases() {
        let geometry = shape(kind, &properties);
        for (share, slack) in [(FINE, 1.5e-3), (COARSE, 1.5e-2)] {
            let triangles = triangles(&geometry, share).triangles;
            let name = format!("{kind} to {share}");
            assert_sound_normals(&name, &triangles);
            let is = area(&triangles);
            // Vertices lie on the surface, so the area is slightly smaller.
            let less = 1.0 - is / expected_area;
            assert!((-1e-6..slack).contains(&less), "{name}: {is} of {expected_area}");
            if let Some(expected) = expected_volume {
                assert_watertight(&name, &triangles);
                let less = 1.0 - volume(&triangles) / expected;
                assert!((-1e-6..2.0 * slack).contains(&less), "{name}: {less} of {expected}");
            }
        }
    }
}

/// The distance of a point from the surface of a sphere, a capsule, a torus or the side of a
/// cylinder.
fn distance(geometry: &Geometry, point: DVec3) -> f64 {
    let beside = |start: [f64; 3], end: [f64; 3]| {
        let (start, way) = (DVec3::from(start), DVec3::from(end) - DVec3::from(start));
        let share = (point - start).dot(way) / way.length_squared();
        (point - start - way * share.clamp(0.0, 1.0)).length()
    };
    match geometry {
        Geometry::Sphere(ball) => {
            (point.distance(ball.center.get().into()) - ball.radius.get()).abs()
        }
        Geometry::Capsule(shape) => {
            (beside(shape.start.get(), shape.end.get()) - shape.radius.get()).abs()
        }
        Geometry::Cylinder(shape) => {
            let side = beside(shape.base_center.get(), shape.top_center.get());
            (side - shape.radius.get()).abs()
        }
        Geometry::Torus(shape) => {
            let axis = DVec3::from(shape.axes()[2]);
            let offset = point - DVec3::from(shape.center.get());
            let along = offset.dot(axis);
            let flat = (offset - axis * along).length() - shape.radius.get();
            (flat.hypot(along) - 0.5 * shape.thickness.get()).abs()
        }
        Geometry::RoundedBox(shape) => {
            let rows = scene::rotation_matrix(shape.rotation.get()).map(DVec3::from);
            let offset = point - DVec3::from(shape.center.get());
            let local = rows[0] * offset.x + rows[1] * offset.y + rows[2] * offset.z;
            let beyond = local.abs() - DVec3::from(shape.inner_half());
            let outside = beyond.max(DVec3::ZERO).length();
            (outside + beyond.max_element().min(0.0) - shape.radius.get()).abs()
        }
        other => panic!("no distance from {other:?}"),
    }
}

#[test]
fn no_triangle_is_farther_from_the_surface_than_the_tolerance() {
    let (mut tested, wanted) = (0, ["sphere", "capsule", "cylinder", "torus", "rounded_box"]);
    for (kind, properties, _, _) in cases() {
        let is_arc = properties.get("end_angle").is_some();
        let capped = properties.get("capped") == Some(&json!(true));
        if !wanted.contains(&kind) || is_arc || capped {
            continue;
        }
        tested += 1;
        let geometry = shape(kind, &properties);
        for share in [FINE, COARSE, 0.01] {
            let tolerance = tolerance_of(&geometry, share).unwrap();
            let placed = triangles(&geometry, share).in_world();
            let mut farthest = 0.0_f64;
            for [a, b, c] in corners(&placed) {
                for weights in [[1.0, 0.0], [0.0, 0.0], [0.5, 0.5], [0.5, 0.0], [0.33, 0.33]] {
                    let rest = 1.0 - weights[0] - weights[1];
                    let point = a * weights[0] + b * weights[1] + c * rest;
                    farthest = farthest.max(distance(&geometry, point));
                }
            }
            // Single precision adds a small error.
            assert!(farthest <= tolerance + 1e-6, "{kind} to {share}: {farthest} of {tolerance}");
            // The number of triangles is close to the minimum.
            assert!(farthest >= 0.2 * tolerance, "{kind} to {share}: {farthest} of {tolerance}");
        }
    }
    assert_eq!(tested, 6);
}

#[test]
fn what_stands_in_the_world_is_turned_as_the_document_says() {
    for (kind, properties, _, _) in cases() {
        let geometry = shape(kind, &properties);
        let placed = triangles(&geometry, FINE).in_world();
        assert_sound_normals(kind, &placed);
        let expected = geometry.bounds().unwrap();
        let (min, max) = corners(&placed)
            .flatten()
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(min, max), corner| {
                (min.min(corner), max.max(corner))
            });
        let off =
            (min - DVec3::from(expected.min)).abs().max((max - DVec3::from(expected.max)).abs());
        assert!(off.max_element() < 2e-3, "{kind}: {off}");
    }
}

#[test]
fn an_arc_starts_and_ends_where_its_angles_say() {
    let arch = json!({ "center": [0, 0, 0], "normal": [0, 0, 1], "radius": 1, "thickness": 0.2,
                       "start_angle": 0, "end_angle": 90 });
    let placed = triangles(&shape("torus", &arch), FINE).in_world();
    for [a, b, c] in corners(&placed) {
        let middle = (a + b + c) / 3.0;
        assert!(middle.x > -1e-6 && middle.y > -1e-6, "{middle}");
    }
}

#[test]
fn the_frame_of_a_shape_does_not_depend_on_where_it_stands() {
    let at = |center: [f64; 3], rotation: [f64; 3]| -> Triangles {
        let properties = json!({ "center": center, "dimensions": [1, 2, 3], "rotation": rotation });
        triangles(&shape("box", &properties), FINE).triangles
    };
    assert_eq!(at([0.0; 3], [0.0; 3]), at([1e5, 3.0, -2.0], [20.0, 30.0, 40.0]));
}

#[test]
fn extreme_sizes_stay_bounded_and_closed() {
    for (radius, tolerance) in [(1e-6, 1e9), (1e-6, 1e-8), (1e3, 1.0), (1e6, 1e4), (1e6, 1e-12)] {
        let ball = shape("sphere", &json!({ "center": [0, 0, 0], "radius": radius }));
        let triangles = tessellate(&ball, tolerance).unwrap().triangles;
        assert!((50..=2 * 512 * 256).contains(&triangles.triangles.len()));
        assert!(volume(&triangles) > 0.7 * 4.0 / 3.0 * PI * f64::powi(radius, 3));
        assert_watertight("ball", &triangles);
    }
}

#[test]
fn a_mesh_is_not_in_the_document() {
    let mesh = shape("mesh", &json!({ "asset": "a" }));
    assert!(tessellate(&mesh, 1.0).is_none() && tolerance_of(&mesh, FINE).is_none());
}
