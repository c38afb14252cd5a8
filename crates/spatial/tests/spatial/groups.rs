//! Groups act on their members.

use serde_json::json;

use crate::stage::{Stage, stage};

fn table() -> Stage {
    let leg = |x: f64| json!({ "center": [x, 0.4, 0], "dimensions": [0.1, 0.8, 0.1] });
    let mut stage = stage(&[
        ("left", "box", leg(-0.5)),
        ("right", "box", leg(0.5)),
        ("top", "box", json!({ "center": [0, 0.85, 0], "dimensions": [1.4, 0.1, 0.8] })),
    ]);
    stage.call("group", json!({ "id": "legs", "ids": ["left", "right"] }));
    stage.call("group", json!({ "id": "table", "ids": ["legs", "top"] }));
    stage
}

fn group_of(stage: &Stage, id: &str) -> Option<String> {
    stage.scene().shape(id).unwrap().group.as_ref().map(|group| group.as_str().to_owned())
}

#[test]
fn groups_hold_groups_and_dissolve_upwards() {
    let mut stage = table();
    assert_eq!(stage.extent("table").size().y, 0.9);
    assert_eq!(group_of(&stage, "left").as_deref(), Some("legs"));
    stage.call("move", json!({ "ids": ["table"], "by": [1, 0, 0] }));
    assert_eq!(stage.center("left"), [0.5, 0.4, 0.0]);
    stage.call("ungroup", json!({ "id": "legs" }));
    assert_eq!(group_of(&stage, "left").as_deref(), Some("table"));
    stage.call("ungroup", json!({ "id": "table" }));
    assert_eq!(group_of(&stage, "left"), None);
    assert!(stage.scene().groups.is_empty());
    for _ in 0..3 {
        stage.0.undo().unwrap();
    }
    assert_eq!(group_of(&stage, "left").as_deref(), Some("legs"));
}

#[test]
fn a_group_is_coloured_and_removed_as_one() {
    let mut stage = table();
    let red = json!({ "type": "lambertian", "albedo": [0.8, 0.1, 0.1] });
    let args = json!({ "id": "table", "updates": { "properties": { "material": red } } });
    let ids = stage.call("update_shape", args);
    assert_eq!(ids, ["left", "right", "top"]);
    assert!(stage.scene().shapes.iter().all(|shape| shape.material.to_json()["albedo"][0] == 0.8));
    stage.call("remove_shape", json!({ "id": "legs" }));
    assert_eq!(stage.scene().shapes.len(), 1);
    assert_eq!(stage.scene().groups.len(), 1);
    let error =
        stage.refused("update_shape", json!({ "id": "table", "updates": { "id": "desk" } }));
    assert_eq!(
        error,
        "'table' is a group, and its shapes keep their ids; leave 'id' out of the updates"
    );
}

#[test]
fn bad_groups_are_explained() {
    let mut stage = table();
    for (name, args, expected) in [
        (
            "group",
            json!({ "id": "top", "ids": ["left"] }),
            "group property 'id': 'top' is a shape; choose another name",
        ),
        (
            "group",
            json!({ "id": "legs", "ids": ["table"] }),
            "group: 'table' cannot be put into 'legs', which is inside it",
        ),
        ("ungroup", json!({ "id": "leg" }), "there is no group 'leg'; the groups are: legs, table"),
        ("ungroup", json!({ "id": "top" }), "'top' is a shape, not a group"),
    ] {
        assert_eq!(stage.refused(name, args), expected);
    }
}

#[test]
fn a_part_cannot_be_named_beside_its_whole() {
    let mut stage = table();
    let error = stage.refused("move", json!({ "ids": ["table", "top"], "by": [1, 0, 0] }));
    assert_eq!(error, "'top' is named twice, by itself or by its group; name each thing once");
}
