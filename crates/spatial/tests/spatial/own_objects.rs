//! Objects of the user's own: saved from a scene, added to another like the built-in ones.

use catalogue::{About, OwnObject};
use scene::{Geometry, Id, NoAssets, Scene};
use serde_json::{Value, json};
use spatial::{Space, front_of, own_object};

use crate::stage::{Stage, near, stage, stage_of};

/// A lamp of a foot, a pole and a shade in a group of its own, off the origin and off the ground, with a light.
fn workshop() -> Value {
    let matte = |red: f64| json!({ "type": "lambertian", "albedo": [red, 0.2, 0.1] });
    json!({ "version": 1,
        "shapes": [
            { "id": "lamp_foot", "type": "box", "group": "lamp", "properties": {
                "center": [3, 1.05, -2], "dimensions": [0.4, 0.1, 0.4], "material": matte(0.1) } },
            { "id": "lamp_pole", "type": "cylinder", "group": "lamp", "properties": {
                "base_center": [3, 1.1, -2], "top_center": [3, 1.9, -2], "radius": 0.02, "capped": true, "material": matte(0.1) } },
            { "id": "lamp_shade_ring", "type": "cylinder", "group": "lamp_shade", "properties": {
                "base_center": [3, 1.9, -2], "top_center": [3, 2.0, -2], "radius": 0.15, "capped": true, "material": matte(0.8) } },
            { "id": "nose", "type": "box", "group": "lamp", "properties": {
                "center": [3.25, 1.05, -2], "dimensions": [0.1, 0.1, 0.1], "material": matte(0.5) } },
            { "id": "elsewhere", "type": "sphere", "properties": { "center": [0, 5, 0], "radius": 1 } }
        ],
        "lights": [{ "id": "lamp_bulb", "type": "point_spot_light", "group": "lamp_shade", "properties": {
            "center": [3, 1.95, -2], "emission": [5, 5, 5] } }],
        "groups": [{ "id": "lamp", "parent": null }, { "id": "lamp_shade", "parent": "lamp" }] })
}

fn about(name: &str) -> About {
    About { name: name.to_owned(), words: vec!["my light".to_owned()], ..About::default() }
}

fn saved(file: &Value, ids: &[&str], front: f64) -> Result<OwnObject, scene::Violations> {
    let scene = Scene::from_json(file).unwrap();
    let ids: Vec<Id> = ids.iter().map(|id| Id::new(id).unwrap()).collect();
    own_object(&Space::of(&scene, &NoAssets), &ids, front, about("reading lamp"))
}

fn lamp() -> OwnObject {
    // Its nose is at +x, so that is its front.
    saved(&workshop(), &["lamp"], 90.0).unwrap()
}

fn room() -> Stage {
    stage(&[("floor", "quad", json!({ "corner": [-5, 0, 5], "u": [10, 0, 0], "v": [0, 0, -10] }))])
        .with_own(vec![lamp()])
}

#[test]
fn a_saved_object_stands_at_the_origin_and_faces_z() {
    let lamp = lamp();
    let ids: Vec<&str> = lamp.parts().shapes.iter().map(|shape| shape.id.as_str()).collect();
    assert_eq!(ids, ["foot", "pole", "shade_ring", "nose"], "without the name of the group");
    let space = Space::of(lamp.parts(), &NoAssets);
    let extents = space.shapes().map(|(_, body)| body.solid.extent());
    let whole = extents.reduce(|one, other| spatial::Extent {
        min: one.min.min(other.min),
        max: one.max.max(other.max),
    });
    let whole = whole.unwrap();
    assert!(near(whole.min.y, 0.0) && near(whole.max.y, 1.0), "{whole:?}");
    assert!(near(whole.center().x, 0.0) && near(whole.center().z, 0.0), "{whole:?}");
    let nose = space.unit("nose").unwrap().solid.extent();
    assert!(nose.center().z > 0.15 && near(nose.center().x, 0.0), "{nose:?}");
    let size = lamp.size();
    assert!(near(size[0], 0.4) && near(size[1], 1.0) && near(size[2], 0.5), "{size:?}");
    assert_eq!(lamp.parts().lights.len(), 1);
    assert_eq!(lamp.part_names()[..2], ["body", "shade"]);
}

#[test]
fn its_form_is_read_back_as_it_was() {
    let lamp = lamp();
    let read = OwnObject::from_json(&lamp.to_json()).unwrap();
    assert_eq!(read.about(), lamp.about());
    assert_eq!(read.parts(), lamp.parts());
    for (read, was) in read.size().into_iter().zip(lamp.size()) {
        assert!(near(read, was), "{read} {was}");
    }
}

#[test]
fn it_is_added_with_a_turn_a_size_and_materials_by_part() {
    let mut stage = room();
    let added = stage.call(
        "add_object",
        json!({ "object": "Reading Lamps", "id": "left", "at": [1, 0, 2], "turn": 90, "height": 2,
            "materials": { "shade": "teal", "nose": { "type": "metal", "albedo": [0.9, 0.8, 0.5], "fuzz": 0.1 } } }),
    );
    assert_eq!(added, ["left_foot", "left_pole", "left_shade_ring", "left_nose", "left_bulb"]);
    let extent = stage.extent("left");
    assert!(near(extent.min.y, 0.0) && near(extent.max.y, 2.0), "{extent:?}");
    // Turned by 90 degrees, what faced +z faces +x.
    assert!(stage.center("left_nose")[0] > 1.2, "{:?}", stage.center("left_nose"));
    let scene = stage.scene();
    let material = |id: &str| scene.shape(id).unwrap().material.to_json();
    assert_eq!(material("left_nose")["type"], "metal");
    assert_ne!(material("left_shade_ring"), material("left_foot"));
    assert_eq!(material("left_foot"), lamp().parts().shapes[0].material.to_json());
    let parent = scene.groups.iter().find(|group| group.id.as_str() == "left_shade").unwrap();
    assert_eq!(parent.parent.as_ref().map(Id::as_str), Some("left"));
}

#[test]
fn it_rests_on_what_is_there_and_takes_the_words_of_place() {
    let mut stage = room();
    stage.call("add_object", json!({ "object": "table", "at": [0, 0] }));
    let top = stage.extent("table").max.y;
    stage.call("add_object", json!({ "object": "my light", "at": [0.1, 0.1] }));
    let own = stage.extent("reading_lamp");
    assert!(near(own.min.y, top), "{own:?} on {top}");
    let beside =
        json!({ "object": "reading lamp", "relation": "right_of", "to": ["table"], "gap": 0.2 });
    stage.call("add_object", beside);
    let second = stage.extent("reading_lamp_2");
    assert!(
        second.center().x > stage.extent("table").max.x && near(second.min.y, 0.0),
        "{second:?}"
    );
    assert!(near(stage.relation("reading_lamp_2", "table").gap, 0.2), "{second:?}");
    let light = stage.extent("reading_lamp_2_bulb").center();
    assert!((light.x - second.center().x).abs() < 0.3, "its light comes along: {light:?}");
}

#[test]
fn without_its_light_nothing_shines() {
    let mut stage = room();
    stage.call("add_object", json!({ "object": "reading lamp", "options": { "light": false } }));
    assert!(stage.scene().lights.is_empty());
    let error = stage
        .refused("add_object", json!({ "object": "reading lamp", "options": { "hat": true } }));
    assert!(error.contains("has no option 'hat'; its options: light"), "{error}");
}

#[test]
fn body_is_most_of_it() {
    let mut stage = room();
    stage.call("add_object", json!({ "object": "reading lamp", "materials": { "body": "red" } }));
    let scene = stage.scene();
    let material =
        |id: &str| scene.shape(&format!("reading_lamp_{id}")).unwrap().material.to_json();
    assert_eq!(material("foot"), material("pole"));
    assert_ne!(material("foot"), lamp().parts().shapes[0].material.to_json());
    assert_eq!(material("nose"), lamp().parts().shapes[3].material.to_json());
}

#[test]
fn names_that_are_taken_are_counted_on() {
    let mut stage =
        stage_of(&workshop()).with_own(vec![lamp().with_about(about("lamp of mine")).unwrap()]);
    // The group is free, one of its parts is not.
    let ball = json!({ "id": "lamp_of_mine_nose", "type": "sphere", "properties": { "center": [9, 9, 9], "radius": 1 } });
    stage.call("create_shape", ball.clone());
    let added = stage.call("add_object", json!({ "object": "lamp of mine", "at": [0, 0, 0] }));
    assert!(added.iter().all(|id| id.starts_with("lamp_of_mine_2_")), "{added:?}");
    assert_eq!(stage.scene().shape("lamp_of_mine_nose").unwrap().geometry.type_name(), "sphere");
    let taken =
        stage.refused("add_object", json!({ "object": "lamp of mine", "id": "lamp_of_mine" }));
    assert!(taken.contains("'lamp_of_mine_nose' already exists; choose another id"), "{taken}");
}

#[test]
fn what_cannot_be_an_object_is_refused_with_a_reason() {
    for (ids, message) in [
        (&["nobody"][..], "there is no 'nobody'"),
        (&["lamp_bulb"], "an object needs at least one shape"),
        (&["lamp", "nose"], "'nose' is named twice"),
    ] {
        let error = saved(&workshop(), ids, 0.0).unwrap_err().to_string();
        assert!(error.contains(message), "{ids:?}: {error}");
    }
    let mut stage = room();
    for (args, message) in [
        (json!({ "object": "reading lamb" }), "there are: reading lamp"),
        (
            json!({ "object": "reading lamp", "materials": { "hat": "red" } }),
            "a reading lamp has no part 'hat'; it has body, shade",
        ),
        (json!({ "object": "reading lamp", "height": 1e9 }), "height"),
        (
            json!({ "object": "reading lamp", "at": [0, 0, 0], "relation": "on", "to": ["floor"] }),
            "not both",
        ),
    ] {
        let error = stage.refused("add_object", args.clone());
        assert!(error.contains(message), "{args}: {error}");
    }
}

#[test]
fn several_things_become_one_object_and_keep_their_names() {
    let object = saved(&workshop(), &["lamp_shade", "elsewhere"], 0.0).unwrap();
    assert_eq!(object.part_names(), ["body", "lamp_shade", "lamp_shade_ring", "elsewhere"]);
    assert!(matches!(object.parts().shapes[1].geometry, Geometry::Sphere(_)));
}

#[test]
fn a_mesh_that_is_not_at_hand_is_told() {
    let mesh = json!({ "version": 1, "shapes": [
        { "id": "bunny", "type": "mesh", "group": "pet", "properties": { "asset": "f00" } },
        { "id": "ball", "type": "sphere", "group": "pet", "properties": { "center": [0, 1, 0], "radius": 1 } } ] });
    let error = saved(&mesh, &["pet"], 0.0).unwrap_err().to_string();
    assert!(error.contains("the mesh of 'bunny' is not at hand"), "{error}");
    let form = json!({ "format": "scene-llm object", "version": 1, "name": "pet", "size": [1, 2, 1],
        "shapes": [{ "id": "bunny", "type": "mesh", "properties": { "asset": "f00" } }] });
    let mut stage = stage(&[]).with_own(vec![OwnObject::from_json(&form).unwrap()]);
    let error = stage.refused("add_object", json!({ "object": "pet" }));
    assert!(error.contains("the object 'pet' cannot be added, import its file again"), "{error}");
}

#[test]
fn the_front_of_a_turned_group_is_where_it_was_turned_to() {
    let mut stage = stage_of(&workshop());
    let front = |stage: &Stage| {
        let scene = stage.scene();
        front_of(&Space::of(&scene, &NoAssets), &[Id::new("lamp").unwrap()])
    };
    assert!(near(front(&stage), 0.0));
    stage.call("rotate", json!({ "ids": ["lamp"], "by": [0, 40, 0] }));
    assert!(near(front(&stage), 40.0), "{}", front(&stage));
}
