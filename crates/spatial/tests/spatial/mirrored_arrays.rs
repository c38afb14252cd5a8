//! `array` with mirror images, along curves, and of shapes of flat faces.

use serde_json::json;

use crate::stage::{near, stage};

fn block() -> crate::stage::Stage {
    let block = json!({ "center": [2, 0.5, 1], "dimensions": [0.4, 1, 0.4] });
    stage(&[("a", "box", block)])
}

#[test]
fn an_array_can_have_its_mirror_image() {
    let mut stage = block();
    let row = json!({ "id": "a", "pattern": "line", "count": 3, "step": [0, 0, -2], "mirror": "x",
                      "group": "columns" });
    let ids = stage.call("array", row);
    assert_eq!(ids.len(), 7, "six and their group: {ids:?}");
    for (at, id) in ids[..3].iter().enumerate() {
        let (here, there) = (stage.center(id), stage.center(&ids[at + 3]));
        assert!(near(here[0], -there[0]) && near(here[1], there[1]) && near(here[2], there[2]));
    }
    // Through the centre that is given; what stands in the mirror has no image.
    let mut stage = block();
    let row = json!({ "id": "a", "pattern": "line", "count": 3, "step": [1, 0, 0], "mirror": "x",
                      "center": [4, 0, 0] });
    let ids = stage.call("array", row);
    let mut places: Vec<f64> = ids.iter().map(|id| stage.center(id)[0]).collect();
    places.sort_by(f64::total_cmp);
    assert_eq!(places.len(), 5);
    assert!(places.iter().zip([2.0, 3.0, 4.0, 5.0, 6.0]).all(|(is, wanted)| near(*is, wanted)));
}

#[test]
fn copies_of_several_things_and_sizes_follow_a_curve() {
    let grass = json!({ "center": [0, 0.5, 9], "radius": 0.5 });
    let block = json!({ "center": [2, 0.5, 9], "dimensions": [0.4, 1, 0.4] });
    let mut stage = stage(&[("a", "box", block), ("b", "sphere", grass)]);
    let points = json!([[-6, 0, 0], [0, 0, -3], [6, 0, 0]]);
    let row = json!({ "id": "a", "also": ["b"], "pattern": "path", "points": points, "count": 12,
                      "sizes": [0.5, 0.9], "seed": 4 });
    let ids = stage.call("array", row);
    let heights: Vec<f64> = ids.iter().map(|id| stage.extent(id).size().y).collect();
    assert_eq!(ids.len(), 12);
    assert!(heights.iter().all(|height| (0.49..0.91).contains(height)), "{heights:?}");
    assert!(ids.iter().any(|id| id.starts_with('b')) && ids.iter().any(|id| id.starts_with("a_")));
    assert!(ids.iter().all(|id| near(stage.extent(id).min.y, 0.0)), "each stands on its foot");
}

#[test]
fn things_are_scattered_beside_a_curve() {
    let stone = json!({ "center": [0, 0.1, 20], "radius": 0.1 });
    let mut stage = stage(&[("stone", "sphere", stone)]);
    let points = json!([[-5, 0, 0], [5, 0, 0]]);
    let line = json!({ "id": "stone", "pattern": "scatter", "points": points, "radius": 0.6,
                       "count": 20 });
    let ids = stage.call("array", line);
    assert_eq!(ids.len(), 20);
    for id in ids.iter().filter(|id| *id != "stone") {
        let [x, _, z] = stage.center(id);
        assert!(z.abs() <= 0.6 && x.abs() <= 5.6, "{id} at {x} {z}");
    }
}

#[test]
fn shapes_of_flat_faces_stand_on_their_faces() {
    let cases = [
        (
            "cylinder",
            json!({ "base_center": [0, 3, 0], "top_center": [2, 3, 0], "radius": 0.5,
                             "capped": true, "sides": 4 }),
        ),
        ("sphere", json!({ "center": [0, 3, 0], "radius": 0.5, "sides": 6 })),
        (
            "cone",
            json!({ "base_center": [0, 3, 0], "base_radius": 0.2, "top_center": [0, 4, 0],
                         "top_radius": 0.8, "capped": true, "sides": 5 }),
        ),
        (
            "polyhedron",
            json!({ "center": [0, 3, 0], "vertices": [[0, 0, 0], [1, 0, 0], [0, 0, 1], [0, 1, 0]],
                               "faces": [[0, 1, 2], [0, 1, 3], [1, 2, 3], [2, 0, 3]] }),
        ),
    ];
    for (kind, properties) in cases {
        let floor = json!({ "corner": [-9, 0, -9], "u": [0, 0, 18], "v": [18, 0, 0] });
        let mut stage = stage(&[("a", kind, properties), ("floor", "quad", floor)]);
        let bounds = stage.scene().shapes[0].geometry.bounds().unwrap();
        let extent = stage.extent("a");
        assert!(extent.size().x <= bounds.size()[0] + 1e-6, "{kind}");
        stage.call("place", json!({ "ids": ["a"], "relation": "on", "to": ["floor"] }));
        assert!(stage.extent("a").min.y.abs() < 1e-5, "{kind}: {}", stage.extent("a").min.y);
        // A square column that lies down lies on a face: its middle is nearer to the floor than a corner.
        if kind == "cylinder" {
            let height = stage.center("a")[1];
            assert!((height - 0.5 / 2f64.sqrt()).abs() < 1e-5, "{height}");
        }
    }
}
