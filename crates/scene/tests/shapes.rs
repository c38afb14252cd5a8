//! Shapes with rules of their own: error messages and exact bounding boxes.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use expect_test::expect;
use scene::{Aabb, Geometry, Scene};
use serde_json::{Value, json};

fn read(kind: &str, properties: &Value) -> Result<Scene, String> {
    let shape = json!({ "id": "a", "type": kind, "properties": properties });
    Scene::from_json(&json!({ "version": 1, "shapes": [shape] }))
        .map_err(|errors| errors.to_string())
}

fn errors(kind: &str, properties: &Value) -> String {
    read(kind, properties).map_or_else(|errors| errors, |_| "no error".into())
}

#[test]
fn the_angles_of_a_whole_ring_are_spelled_out() {
    let ring = json!({ "center": [0, 0, 0], "normal": [0, 1, 0], "radius": 1, "thickness": 0.2 });
    expect![[r#"{"center":[0.0,0.0,0.0],"normal":[0.0,1.0,0.0],"radius":1.0,"thickness":0.2,"start_angle":0.0,"end_angle":360.0,"material":{"type":"lambertian","albedo":[0.5,0.5,0.5]}}"#]]
        .assert_eq(&read("torus", &ring).unwrap().to_json()["shapes"][0]["properties"].to_string());
}

#[test]
fn faults_say_what_a_ring_or_a_capsule_needs() {
    let ring = |more: Value| {
        let mut ring =
            json!({ "center": [0, 0, 0], "normal": [0, 1, 0], "radius": 1, "thickness": 0.2 });
        for (name, value) in more.as_object().unwrap() {
            ring[name] = value.clone();
        }
        errors("torus", &ring)
    };
    expect!["shape 'a': 'thickness' is the diameter of the tube and must be below twice the 'radius' (1), got 2"]
        .assert_eq(&ring(json!({ "thickness": 2 })));
    expect!["shape 'a': 'end_angle' must be above 'start_angle' (90) by at most 360, got 45"]
        .assert_eq(&ring(json!({ "start_angle": 90, "end_angle": 45 })));
    expect!["shape 'a': 'end_angle' must be above 'start_angle' (-90) by at most 360, got 300"]
        .assert_eq(&ring(json!({ "start_angle": -90, "end_angle": 300 })));
    expect!["shape 'a' property 'end_angle' must be a number of degrees from -360 to 360, got 720"]
        .assert_eq(&ring(json!({ "end_angle": 720 })));
    expect!["shape 'a': 'start' and 'end' must be different points; for a ball use a sphere"]
        .assert_eq(&errors(
            "capsule",
            &json!({ "start": [1, 2, 3], "end": [1, 2, 3], "radius": 1 }),
        ));
}

/// The bounding box of many points of the surface, from the definition of the shape.
fn box_of_points(points: impl Iterator<Item = [f64; 3]>) -> Aabb {
    points.map(|point| Aabb { min: point, max: point }).reduce(Aabb::union).unwrap()
}

fn close(a: Aabb, b: Aabb) -> bool {
    let pairs = a.min.iter().zip(b.min).chain(a.max.iter().zip(b.max));
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) < 2e-3
}

#[test]
fn boxes_hold_rings_and_arcs_exactly() {
    for normal in [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.3, -0.5, 0.8]] {
        for (start, end) in
            [(0.0, 360.0), (0.0, 180.0), (-20.0, 50.0), (200.0, 340.0), (-90.0, 200.0)]
        {
            let properties = json!({ "center": [1, 2, 3], "normal": normal, "radius": 2,
                "thickness": 1, "start_angle": start, "end_angle": end });
            let scene = read("torus", &properties).unwrap();
            let Geometry::Torus(torus) = &scene.shapes[0].geometry else { panic!("a ring") };
            let [zero, quarter, axis] = torus.axes();
            let point = |around: f64, along: f64| {
                let (sin, cos) = around.to_radians().sin_cos();
                let (high, wide) = along.to_radians().sin_cos();
                let out = 2.0 + 0.5 * wide;
                std::array::from_fn(|at| {
                    let flat = zero[at] * cos + quarter[at] * sin;
                    [1.0, 2.0, 3.0][at] + flat * out + axis[at] * 0.5 * high
                })
            };
            let steps = 360;
            let points = (0..=steps).flat_map(|row| {
                let around = start + (end - start) * f64::from(row) / f64::from(steps);
                (0..steps).map(move |column| point(around, f64::from(column)))
            });
            let bounds = scene.shapes[0].geometry.bounds().unwrap();
            let expected = box_of_points(points);
            assert!(close(bounds, expected), "{normal:?} {start} {end}: {bounds:?} {expected:?}");
        }
    }
}

#[test]
fn an_upright_arc_rises_to_its_middle() {
    let arch = json!({ "center": [0, 0, 0], "normal": [0, 0, 5], "radius": 2, "thickness": 1,
        "start_angle": 0, "end_angle": 180 });
    for normal in [json!([0, 0, 5]), json!([1, 0, 0]), json!([-1, 0, -1])] {
        let mut arch = arch.clone();
        arch["normal"] = normal;
        let bounds = read("torus", &arch).unwrap().shapes[0].geometry.bounds().unwrap();
        assert!((bounds.max[1] - 2.5).abs() < 1e-12 && bounds.min[1].abs() < 1e-12, "{bounds:?}");
    }
}

#[test]
fn the_box_of_a_capsule_is_that_of_its_two_balls() {
    let capsule = json!({ "start": [0, 1, 0], "end": [2, 3, -1], "radius": 0.5 });
    let bounds = read("capsule", &capsule).unwrap().shapes[0].geometry.bounds().unwrap();
    assert_eq!(bounds, Aabb { min: [-0.5, 0.5, -1.5], max: [2.5, 3.5, 0.5] });
}

#[test]
fn boxes_hold_ellipsoids_and_rounded_boxes_exactly() {
    let turn = [30.0, -40.0, 65.0];
    let rows = scene::rotation_matrix(turn);
    let turned = |own: [f64; 3]| rows.map(|row| (0..3).map(|at| row[at] * own[at]).sum::<f64>());
    let ways: Vec<[f64; 3]> = (0..20_000)
        .map(|at| {
            let height = 1.0 - (2.0 * f64::from(at) + 1.0) / 20_000.0;
            let angle = f64::from(at) * 2.399_963;
            let flat = (1.0 - height * height).sqrt();
            [flat * angle.cos(), height, flat * angle.sin()]
        })
        .collect();
    let radii = [0.5, 1.5, 1.0];
    let egg = json!({ "center": [0, 0, 0], "radii": radii, "rotation": turn });
    let points = ways.iter().map(|way| turned([0, 1, 2].map(|at| way[at] * radii[at])));
    let bounds = read("ellipsoid", &egg).unwrap().shapes[0].geometry.bounds().unwrap();
    assert!(close(bounds, box_of_points(points)), "{bounds:?}");
    let soap =
        json!({ "center": [0, 0, 0], "dimensions": [1, 3, 2], "radius": 0.3, "rotation": turn });
    let inner = [0.2_f64, 1.2, 0.7];
    let point =
        |way: &[f64; 3]| turned([0, 1, 2].map(|at| inner[at].copysign(way[at]) + 0.3 * way[at]));
    let bounds = read("rounded_box", &soap).unwrap().shapes[0].geometry.bounds().unwrap();
    assert!(close(bounds, box_of_points(ways.iter().map(point))), "{bounds:?}");
}

#[test]
fn edges_are_rounded_by_half_the_shortest_side_at_most() {
    let soap =
        |radius: f64| json!({ "center": [0, 0, 0], "dimensions": [1, 3, 2], "radius": radius });
    assert!(read("rounded_box", &soap(0.5)).is_ok());
    expect!["shape 'a': 'radius' of the edges must be at most half the shortest of 'dimensions' (0.5), got 0.6"]
        .assert_eq(&errors("rounded_box", &soap(0.6)));
    expect![
        "shape 'a' property 'radii' must be [x, y, z] with numbers > 0 and <= 1000000, got [1,0,1]"
    ]
    .assert_eq(&errors("ellipsoid", &json!({ "center": [0, 0, 0], "radii": [1, 0, 1] })));
}

#[test]
fn cones_stand_either_way_up_in_files_and_calls() {
    let cone = |base: f64, top: f64| {
        json!({ "id": "c", "type": "cone", "properties": { "base_center": [0, 0, 0],
        "base_radius": base, "top_center": [0, 1, 0], "top_radius": top, "capped": true } })
    };
    for (base, top) in [(0.5, 0.0), (0.0, 0.5), (0.2, 0.5), (0.5, 0.5)] {
        let file = json!({ "version": 1, "shapes": [cone(base, top)] });
        let scene = Scene::from_json(&file).unwrap();
        let bounds = scene.shapes[0].geometry.bounds().unwrap();
        assert_eq!((bounds.min, bounds.max), ([-0.5, 0.0, -0.5], [0.5, 1.0, 0.5]));
        assert_eq!(
            scene.to_json()["shapes"][0]["properties"]["base_radius"],
            base,
            "as it was given"
        );
    }
    let none = Scene::from_json(&json!({ "version": 1, "shapes": [cone(0.0, 0.0)] })).unwrap_err();
    assert!(
        none.to_string().contains("'base_radius' and 'top_radius' must not both be 0"),
        "{none}"
    );
}

#[test]
fn polyhedra_and_bevels_say_what_is_wrong_with_them() {
    let wrong = |kind: &str, properties: Value| {
        let shape = json!({ "id": "s", "type": kind, "properties": properties });
        Scene::from_json(&json!({ "version": 1, "shapes": [shape] })).unwrap_err().to_string()
    };
    let corners = json!([[0, 0, 0], [1, 0, 0], [0, 1, 0], [2, 0, 0]]);
    for (faces, told) in [
        (json!([[0, 1, 4]]), "'faces[0]' names vertex 4, and there are 4, from 0 to 3"),
        (json!([[0, 1, 2], [0, 1, 1]]), "'faces[1]' names a vertex twice: [0, 1, 1]"),
        (json!([[0, 1, 3]]), "'faces[0]' has no area"),
        (json!([[0, 1]]), "lists of 3 to 64 indices"),
        (json!([]), "1 to 1000 lists"),
    ] {
        let text = wrong("polyhedron", json!({ "vertices": corners, "faces": faces }));
        assert!(text.contains(told), "{text}");
    }
    let text = wrong("box", json!({ "center": [0, 0, 0], "dimensions": [1, 2, 3], "bevel": 0.5 }));
    assert!(
        text.contains("'bevel' must be below half the shortest of 'dimensions' (0.5), got 0.5"),
        "{text}"
    );
    let square = json!([[0, 0], [1, 0], [1, 1], [0, 1]]);
    for (bevel, told) in [(0.6, "half the 'depth' (0.5)"), (0.4, "")] {
        let plate = json!({ "center": [0, 0, 0], "outline": square, "depth": 1, "bevel": bevel });
        if told.is_empty() {
            let shape = json!({ "id": "s", "type": "extrusion", "properties": plate });
            Scene::from_json(&json!({ "version": 1, "shapes": [shape] })).unwrap();
        } else {
            let text = wrong("extrusion", plate);
            assert!(text.contains(told), "{text}");
        }
    }
    let thin = json!({ "center": [0, 0, 0], "outline": [[0, 0], [1, 0], [1, 0.1], [0, 0.1]], "depth": 1, "bevel": 0.2 });
    let text = wrong("extrusion", thin);
    assert!(
        text.contains("'bevel' 0.2 is wider than parts of 'outline' or 'holes' allow"),
        "{text}"
    );
}
