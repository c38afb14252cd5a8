//! Picking: objects at points of the image.

use serde_json::json;
use tracer::{ObjectKind, World};

use crate::support::*;

#[test]
fn picks_shapes_lights_and_nothing() {
    let camera = json!({ "center": [0, 0, 10], "look_at": [0, 0, 0], "vfov": 90,
                         "aperture": 3 });
    let shapes = [
        ("sphere", json!({ "center": [0, 0, 0], "radius": 1 })),
        ("box", json!({ "center": [5, 0, 0], "dimensions": [2, 2, 2] })),
    ];
    let lamp = json!({ "center": [-5, 5, 0], "normal": [0, 0, 1], "radius": 1,
                       "emission": [1, 1, 1] });
    let lights = [
        ("disc_spot_light", lamp),
        (
            "point_spot_light",
            json!({ "center": [5, 5, 0],
                                                                 "emission": [1, 1, 1] }),
        ),
    ];
    let world = World::build(&scene(&shapes, &lights, &none(), &camera));
    // The image is 40 x 20 metres at z = 0.
    let pick = |x: f32, y: f32| world.pick(0.5 + x / 40.0, 0.5 - y / 20.0, 2.0);

    let ball = pick(0.0, 0.0).unwrap();
    assert_eq!((ball.id.as_str(), ball.kind), ("shape0", ObjectKind::Shape));
    assert!((ball.distance - 9.0).abs() < 1e-5);
    for (actual, expected) in ball.point.iter().zip([0.0, 0.0, 1.0]) {
        assert!((actual - expected).abs() < 1e-5);
    }
    assert_eq!(ball.normal, [0.0, 0.0, 1.0]);
    assert_eq!(pick(5.0, 0.0).unwrap().id.as_str(), "shape1");
    let lamp = pick(-5.0, 5.0).unwrap();
    assert_eq!((lamp.id.as_str(), lamp.kind), ("light0", ObjectKind::Light));
    assert_eq!(pick(5.0, 5.0), None, "point lights have no body");
    assert_eq!(pick(0.0, 5.0), None);
}

#[test]
fn normals_face_the_viewer_also_from_inside() {
    let camera = json!({ "center": [0, 0, 0], "look_at": [0, 0, -1] });
    let room = [("box", json!({ "center": [0, 0, 0], "dimensions": [4, 4, 4] }))];
    let picked = World::build(&scene(&room, &[], &none(), &camera)).pick(0.5, 0.5, 1.5).unwrap();
    assert_eq!(picked.normal, [0.0, 0.0, 1.0]);
    assert_eq!(picked.distance, 2.0);
}
