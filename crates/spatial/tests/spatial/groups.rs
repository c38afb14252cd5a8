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
fn lists_take_another_order_and_back_by_undo() {
    let mut stage = table();
    let shapes = |stage: &Stage| -> Vec<String> {
        stage.scene().shapes.iter().map(|shape| shape.id.as_str().to_owned()).collect()
    };
    let groups = |stage: &Stage| -> Vec<String> {
        stage.scene().groups.iter().map(|group| group.id.as_str().to_owned()).collect()
    };
    assert_eq!((shapes(&stage), groups(&stage)), (ids("left right top"), ids("legs table")));
    stage.call("reorder", json!({ "ids": ["top"], "before": "right" }));
    assert_eq!(shapes(&stage), ids("left top right"));
    stage.call("reorder", json!({ "ids": ["left", "top"] }));
    assert_eq!(shapes(&stage), ids("right left top"), "among each other they stay in order");
    stage.call("reorder", json!({ "ids": "table", "before": "legs" }));
    assert_eq!(groups(&stage), ids("table legs"));
    for _ in 0..3 {
        stage.0.undo().unwrap();
    }
    assert_eq!((shapes(&stage), groups(&stage)), (ids("left right top"), ids("legs table")));
    for (args, expected) in [
        (
            json!({ "ids": ["top", "legs"] }),
            "reorder: 'legs' is a group, but 'top' is a shape; each kind has a list of its own",
        ),
        (
            json!({ "ids": ["top"], "before": "top" }),
            "reorder property 'before': 'top' is among the ids; name what stays",
        ),
    ] {
        assert_eq!(stage.refused("reorder", args), expected);
    }
    assert_eq!(shapes(&stage), ids("left right top"), "a refused call changes nothing");
}

fn ids(words: &str) -> Vec<String> {
    words.split(' ').map(str::to_owned).collect()
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

#[test]
fn calls_speak_along_the_axes_of_a_group_that_was_turned() {
    let mut stage = table();
    stage.call("rotate", json!({ "ids": ["table"], "by": [0, 90, 0] }));
    assert_eq!(stage.scene().groups[1].to_json()["rotation"], json!([0.0, 90.0, 0.0]));
    let before = stage.center("left");
    stage.call("move", json!({ "ids": ["left"], "by": [0.2, 0, 0], "along": "table" }));
    let after = stage.center("left");
    // Its x is the world's -z now.
    let way = [0, 1, 2].map(|axis| (after[axis] - before[axis] + 0.0).round_to(9));
    assert_eq!(way, [0.0, 0.0, -0.2]);
    // A turn about its x stands the top up in the y z plane of the world's z.
    stage.call("rotate", json!({ "ids": ["top"], "by": [90, 0, 0], "along": "table" }));
    let size = stage.extent("top").size();
    assert_eq!([size.x, size.y, size.z].map(|edge| edge.round_to(9)), [0.1, 0.8, 1.4]);
    // A copy has the axes of its original, turned as it is.
    stage.call("duplicate", json!({ "ids": ["table"], "offset": [0, 0, 2], "along": "table" }));
    let copy = stage.scene().groups.iter().find(|group| group.id.as_str() == "table_2").cloned();
    assert_eq!(copy.unwrap().rotation.get(), [0.0, 90.0, 0.0]);
    assert!((stage.center("table_2_top")[0] - stage.center("top")[0] - 2.0).abs() < 1e-9);
    let error =
        stage.refused("move", json!({ "ids": ["left"], "to": [0, 0, 0], "along": "table" }));
    assert!(error.contains("'to' is a place in the world"), "{error}");
    let error =
        stage.refused("move", json!({ "ids": ["left"], "by": [1, 0, 0], "along": "tabel" }));
    assert!(error.contains("did you mean 'table'"), "{error}");
}

#[test]
fn a_shared_material_is_changed_in_one_place() {
    let mut stage = table();
    let oak = json!({ "name": "oak_wood", "ids": ["legs", "top"], "material": "oak" });
    assert_eq!(stage.call("share_material", oak), ["left", "right", "top"]);
    let text = stage.scene().to_context_text();
    assert!(text.contains("shared materials (1):\n- oak_wood: left, right, top"), "{text}");
    // Copies share it as well.
    stage.call("duplicate", json!({ "ids": ["table"], "offset": [3, 0, 0] }));
    let red = json!({ "name": "oak_wood", "material": { "roughness": 0.9 } });
    assert_eq!(stage.call("share_material", red).len(), 6);
    let roughness = |stage: &Stage, id: &str| {
        stage.scene().shape(id).unwrap().material.to_json()["specular_roughness"].clone()
    };
    assert_eq!(
        (roughness(&stage, "top"), roughness(&stage, "table_2_top")),
        (json!(0.9), json!(0.9))
    );
    // A file keeps it.
    let file = stage.scene().to_json();
    assert_eq!(scene::Scene::from_json(&file).unwrap().to_json(), file);
    // What is changed by itself leaves it.
    stage.call(
        "update_shape",
        json!({ "id": "top", "updates": { "properties": { "material": "gold" } } }),
    );
    assert_eq!(stage.scene().shape("top").unwrap().material_name, None);
    assert!(stage.scene().shape("left").unwrap().material_name.is_some());
    stage.call("update_shape", json!({ "id": "left", "updates": { "group": null } }));
    assert!(stage.scene().shape("left").unwrap().material_name.is_some());
    let error = stage.refused("share_material", json!({ "name": "teak", "material": "gold" }));
    assert!(error.contains("shared are oak_wood"), "{error}");
    let error = stage.refused("share_material", json!({ "name": "oak_wood" }));
    assert!(error.contains("give 'ids'"), "{error}");
    let error = stage
        .refused("share_material", json!({ "name": "oak_wood", "material": { "preset": "oack" } }));
    assert!(error.contains("did you mean 'oak'"), "{error}");
    // Its name is a material, too.
    let named = |id: &str, material: &str| {
        json!({ "id": id, "type": "sphere", "properties": {
            "center": [9, 2, 0], "radius": 0.1, "material": material } })
    };
    stage.call("create_shape", named("named", "oak_wood"));
    assert_eq!(roughness(&stage, "named"), json!(0.9));
    let gilded = json!({ "id": "top", "updates": { "properties": { "material": "oak_wood" } } });
    stage.call("update_shape", gilded);
    for id in ["named", "top"] {
        let name = stage.scene().shape(id).unwrap().material_name.clone();
        assert_eq!(name.unwrap().as_str(), "oak_wood", "{id}");
    }
    let error = stage.refused("create_shape", named("other", "oak_wod"));
    assert!(error.contains("no known preset: 'oak_wod'"), "{error}");
    assert!(error.ends_with("shared are oak_wood"), "{error}");
    let error = stage.refused("create_shape", named("other", "left"));
    assert!(
        error.contains(r#"'left' is a shape: share_material {"name": ..., "ids": ["left"]}"#),
        "{error}"
    );
    // A new one shares what it has only.
    let ball = |id: &str, material: &serde_json::Value| {
        json!({ "id": id, "type": "sphere", "material_name": "oak_wood",
            "properties": { "center": [9, 1, 0], "radius": 0.1, "material": material } })
    };
    let shared = stage.scene().shape("left").unwrap().material.to_json();
    stage.call("create_shape", ball("oak_ball", &shared));
    stage.call("create_shape", ball("gold_ball", &json!("gold")));
    assert!(stage.scene().shape("oak_ball").unwrap().material_name.is_some());
    assert!(stage.scene().shape("gold_ball").unwrap().material_name.is_none());
    // Two that differ cannot share one.
    let mut file = stage.scene().to_json();
    file["shapes"][0]["properties"]["material"] = json!("gold");
    let error = scene::Scene::from_json(&file).unwrap_err().to_string();
    assert!(error.contains("share the material 'oak_wood' and have different ones"), "{error}");
}

#[test]
fn what_glows_is_named_where_a_lamp_without_light_is_to_be_changed() {
    let glow = json!({ "type": "emissive", "emission": [5, 5, 5] });
    let mut stage = stage(&[(
        "lamp_globe",
        "sphere",
        json!({ "center": [0, 2, 0], "radius": 0.1, "material": glow }),
    )]);
    let brighter = json!({ "properties": { "emission": [9, 9, 9] } });
    let error = stage.refused("update_light", json!({ "id": "lamp*", "updates": brighter }));
    assert!(error.contains("its shape 'lamp_globe' glows"), "{error}");
}

/// Rounded to some decimals.
trait RoundTo {
    fn round_to(self, decimals: i32) -> f64;
}

impl RoundTo for f64 {
    fn round_to(self, decimals: i32) -> f64 {
        let scale = 10f64.powi(decimals);
        (self * scale).round() / scale + 0.0
    }
}

#[test]
fn a_mat_lies_on_the_ground_of_a_stage_and_is_none() {
    let grounds = |name: &str| {
        let empty = stage(&[]);
        let shown = stage(&[
            ("cat", "sphere", json!({ "center": [0, 0.22, 0], "radius": 0.2 })),
            (name, "box", json!({ "center": [0, 0.01, 0], "dimensions": [2, 0.02, 2] })),
        ]);
        let (before, after) = (empty.scene(), shown.scene());
        let rule = spatial::StageRule { begins: true, by_hand: false };
        let edits = spatial::stage_edits(
            &spatial::Space::of(&before, &scene::NoAssets),
            &spatial::Space::of(&after, &scene::NoAssets),
            rule,
        );
        let put = edits.iter().filter_map(|edit| match edit {
            scene::Edit::Put(objects) => Some(&objects.shapes),
            _ => None,
        });
        put.flatten().filter(|shape| shape.id.as_str() == "stage_ground").count()
    };
    assert_eq!([grounds("mat"), grounds("persian_rug"), grounds("floor")], [1, 1, 0]);
}

#[test]
fn the_parts_of_a_copy_are_named_by_it() {
    let mut stage = table();
    stage.call("group", json!({ "id": "set", "ids": ["table"] }));
    let copies = stage.call("array", json!({ "id": "set", "pattern": "line", "count": 3 }));
    for name in ["set_2_left", "set_2_top", "set_3_right", "set_2_table", "set_3_legs"] {
        let all = stage.scene().kind_of(name).is_some();
        assert!(all, "{name} is not among {copies:?}");
    }
    // A copy of a copy is named likewise.
    stage.call("duplicate", json!({ "ids": ["set_3"], "offset": [0, 0, 3] }));
    assert!(stage.scene().shape("set_4_top").is_some());
    stage.call("duplicate", json!({ "ids": ["set_3"], "offset": [0, 0, 6], "new_id": "far" }));
    assert!(stage.scene().shape("far_top").is_some());
}
