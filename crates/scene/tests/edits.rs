//! Edits in the format of tools: all errors at once, with advice; a failed call leaves the scene
//! unchanged (A5, A6, A8).

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::needless_pass_by_value,
    reason = "a test stops at the first surprise, and tables read best by value"
)]

use expect_test::{Expect, expect};
use scene::{Edit, Scene, SceneManager, Violations};
use serde_json::{Value, json};

fn call(manager: &mut SceneManager, name: &str, args: &Value) -> Result<Value, Violations> {
    let edit = Edit::parse(name, args)?;
    Ok(manager.apply(&[edit])?.results.remove(0))
}

fn with_sphere() -> SceneManager {
    let mut manager = SceneManager::default();
    let args = json!({ "id": "ball", "type": "sphere", "properties": { "center": [0, 1, 0], "radius": 1 } });
    call(&mut manager, "create_shape", &args).unwrap();
    let args = json!({ "id": "key", "type": "area_sphere_light",
        "properties": { "center": [0, 4, 0], "radius": 0.5, "emission": [8, 8, 8] } });
    call(&mut manager, "create_light", &args).unwrap();
    manager
}

/// Checks the errors of a call, one per line, and that the scene is unchanged.
fn check_refused(name: &str, args: Value, expected: Expect) {
    let mut manager = with_sphere();
    let before = manager.current().clone();
    let error = call(&mut manager, name, &args).expect_err("must be refused");
    assert_eq!(before.number, manager.current().number);
    assert!(std::sync::Arc::ptr_eq(&before.scene, &manager.current().scene));
    expected.assert_eq(&error.messages().join("\n"));
}

fn check_result(name: &str, args: Value, expected: Expect) {
    let mut manager = with_sphere();
    let result = call(&mut manager, name, &args).unwrap();
    expected.assert_eq(&result.to_string());
    // The file format is a fixed point.
    let file = manager.current().scene.to_json();
    assert_eq!(Scene::from_json(&file).unwrap(), *manager.current().scene);
    assert_eq!(Scene::from_json(&file).unwrap().to_json(), file);
}

#[test]
fn a_missing_property_is_named() {
    check_refused(
        "create_shape",
        json!({ "id": "red_sphere", "type": "sphere", "properties": { "radius": 1 } }),
        expect![
            "shape 'red_sphere' requires 'center' property ([x, y, z] with numbers within ±1000000)"
        ],
    );
}

#[test]
fn all_faults_are_reported_at_once() {
    check_refused(
        "create_shape",
        json!({ "id": "s", "type": "sphere", "properties": {
            "center": [0, "1"], "radious": 2, "radius": -1,
            "material": { "type": "metal", "albedo": [2, 0, 0], "fuz": 0 } } }),
        expect![[r#"
            shape 's' has no property 'radious'; did you mean 'radius'? It takes: center, radius, sides, material
            shape 's' property 'center' must be [x, y, z] with numbers within ±1000000, got [0,"1"]
            shape 's' property 'radius' must be a number > 0 and <= 1000000, got -1
            shape 's' property 'material' has no property 'fuz'; did you mean 'fuzz'? It takes: albedo, fuzz, bump, normal_map, type
            shape 's' property 'material.albedo' must be [r, g, b] with numbers from 0 to 1, got [2,0,0]
            shape 's' requires 'material.fuzz' property (a number from 0 to 1)"#]],
    );
}

#[test]
fn an_unknown_type_names_the_nearest() {
    check_refused(
        "create_shape",
        json!({ "id": "s", "type": "spher", "properties": {} }),
        expect![
            "shape 's' has unknown type 'spher'; did you mean 'sphere'? Known types: sphere, box, quad, disc, cylinder, cone, torus, capsule, triangle, mesh, ellipsoid, rounded_box, tube, lathe, extrusion, text, height_field, wedge, prism, polyhedron"
        ],
    );
}

#[test]
fn a_call_without_anything_lists_what_it_takes() {
    check_refused(
        "create_shape",
        json!({}),
        expect![[r#"
            create_shape requires 'id' property (a non-empty text of at most 128 characters)
            create_shape requires 'type': one of sphere, box, quad, disc, cylinder, cone, torus, capsule, triangle, mesh, ellipsoid, rounded_box, tube, lathe, extrusion, text, height_field, wedge, prism, polyhedron
            create_shape requires 'properties': an object"#]],
    );
}

#[test]
fn a_camera_takes_a_property_alone_and_its_place_whole() {
    let mut manager = with_sphere();
    let before = manager.current().scene.camera.to_json();
    let after = call(&mut manager, "set_camera", &json!({ "exposure": 0.7 })).unwrap();
    assert_eq!(after["exposure"], 0.7);
    for kept in ["center", "look_at", "vfov"] {
        assert_eq!(after[kept], before[kept], "{kept}");
    }
    for place in [json!({}), json!({ "look_at": [0, 0, 0] })] {
        let error = call(&mut manager, "set_camera", &place).unwrap_err();
        assert!(error.to_string().contains("the camera requires 'center'"), "{error}");
    }
}

#[test]
fn arguments_that_are_no_object_are_refused() {
    check_refused("set_camera", json!([1]), expect!["the camera must be an object, got [1]"]);
    check_refused("remove_shape", json!(null), expect!["remove_shape must be an object, got null"]);
}

#[test]
fn taken_and_unknown_ids_are_explained() {
    check_refused(
        "create_shape",
        json!({ "id": "key", "type": "sphere", "properties": { "center": [0,0,0], "radius": 1 } }),
        expect![
            "shape 'key' cannot be made: a light with this id already exists; choose another id"
        ],
    );
    check_refused(
        "update_shape",
        json!({ "id": "bal", "updates": { "properties": { "radius": 2 } } }),
        expect!["there is no shape 'bal'; did you mean 'ball'? The scene has: ball"],
    );
    check_refused(
        "remove_shape",
        json!({ "id": "key" }),
        expect!["'key' is a light, not a shape; use the tools for a light"],
    );
    check_refused(
        "update_shape",
        json!({ "id": "ball", "updates": { "id": "key" } }),
        expect![
            "shape 'key' cannot be made: a light with this id already exists; choose another id"
        ],
    );
}

#[test]
fn rules_over_several_properties_are_checked() {
    check_refused(
        "create_shape",
        json!({ "id": "c", "type": "cone", "properties": { "base_center": [0,0,0],
            "base_radius": 0, "top_center": [0,0,0], "top_radius": 0, "capped": true } }),
        expect![[r#"
            shape 'c': 'base_center' and 'top_center' must be different points
            shape 'c': 'base_radius' and 'top_radius' must not both be 0"#]],
    );
    check_refused(
        "create_light",
        json!({ "id": "q", "type": "area_quad_light", "properties": { "corner": [0,0,0],
            "u": [1,0,0], "v": [2,0,0], "emission": [1,1,1] } }),
        expect!["light 'q': 'u' and 'v' must not be parallel or zero: they span the area"],
    );
    check_refused(
        "set_camera",
        json!({ "center": [1,1,1], "look_at": [1,1,1], "vfov": 180 }),
        expect!["the camera property 'vfov' must be a number of degrees from 0.1 to 179, got 180"],
    );
}

#[test]
fn updates_merge_properties_and_keep_what_a_new_type_shares() {
    check_result(
        "update_shape",
        json!({ "id": "ball", "updates": { "properties": { "radius": 2 } } }),
        expect![[
            r#"{"id":"ball","type":"sphere","properties":{"center":[0.0,1.0,0.0],"radius":2.0,"material":{"type":"lambertian","albedo":[0.5,0.5,0.5]}}}"#
        ]],
    );
    check_result(
        "update_shape",
        json!({ "id": "ball", "updates": { "id": "cube", "type": "box",
            "properties": { "dimensions": [1, 2, 3] } } }),
        expect![[
            r#"{"id":"cube","type":"box","properties":{"center":[0.0,1.0,0.0],"dimensions":[1.0,2.0,3.0],"rotation":[0.0,0.0,0.0],"material":{"type":"lambertian","albedo":[0.5,0.5,0.5]}}}"#
        ]],
    );
    check_refused(
        "update_shape",
        json!({ "id": "ball", "updates": { "type": "box" } }),
        expect![
            "shape 'ball' requires 'dimensions' property ([w, h, d] with numbers > 0 and <= 1000000)"
        ],
    );
}

#[test]
fn results_spell_defaults_out() {
    check_result(
        "create_light",
        json!({ "id": "spot", "type": "point_spot_light",
            "properties": { "center": [0, 3, 0], "emission": [5, 5, 5] } }),
        expect![[
            r#"{"id":"spot","type":"point_spot_light","properties":{"center":[0.0,3.0,0.0],"emission":[5.0,5.0,5.0],"direction":[0.0,-1.0,0.0],"cutoff_angle":180.0,"falloff_exponent":0.0}}"#
        ]],
    );
    check_result(
        "set_environment_lighting",
        json!({ "type": "uniform" }),
        expect![[r#"{"type":"uniform","emission":[1.0,1.0,1.0]}"#]],
    );
    check_result(
        "set_environment_lighting",
        json!({ "type": "none" }),
        expect![[r#"{"type":"none"}"#]],
    );
    check_result(
        "set_camera",
        json!({ "center": [0, 2, 6], "look_at": [0, 1, 0], "aperture": 0.1 }),
        expect![[
            r#"{"center":[0.0,2.0,6.0],"look_at":[0.0,1.0,0.0],"up":[0.0,1.0,0.0],"vfov":45.0,"aperture":0.1,"focus_distance":null}"#
        ]],
    );
}

#[test]
fn numbers_come_back_digit_for_digit() {
    check_result(
        "update_shape",
        json!({ "id": "ball", "updates": { "properties": { "center": [0.1, 1e-7, 123456.789] } } }),
        expect![[
            r#"{"id":"ball","type":"sphere","properties":{"center":[0.1,1e-7,123456.789],"radius":1.0,"material":{"type":"lambertian","albedo":[0.5,0.5,0.5]}}}"#
        ]],
    );
}

#[test]
fn several_edits_are_one_step_or_none() {
    let mut manager = with_sphere();
    let before = manager.current().number;
    let edit = |name: &str, args: Value| Edit::parse(name, &args).unwrap();
    let sphere = |id: &str| {
        edit(
            "create_shape",
            json!({ "id": id, "type": "sphere", "properties": { "center": [0,0,0], "radius": 1 } }),
        )
    };
    let error = manager
        .apply(&[sphere("a"), sphere("ball"), edit("remove_shape", json!({ "id": "zzz" }))])
        .unwrap_err();
    expect![[r#"
        edit 2: shape 'ball' cannot be made: a shape with this id already exists; use update_shape to change it, or choose another id
        edit 3: there is no shape 'zzz'; did you mean 'a'? The scene has: ball, a"#]]
    .assert_eq(&error.messages().join("\n"));
    assert_eq!(manager.current().number, before);
    let applied = manager.apply(&[sphere("a"), sphere("b")]).unwrap();
    assert_eq!((applied.revision.number, applied.changes.len()), (before + 1, 2));
    manager.undo().unwrap();
    assert_eq!(manager.current().scene.shapes.len(), 1);
}

/// Requirement A8.
#[test]
fn the_tools_declare_what_the_readers_accept() {
    let tools = scene::edit_tools();
    let names: Vec<_> = tools.iter().map(|tool| tool.name).collect();
    assert_eq!(names, scene::EDIT_NAMES);
    // A flat schema with every property of every type. The tool's description has the notes once:
    // the budget of all tools is four thousand tokens, at about four characters each.
    let create = &tools[0].parameters["properties"];
    let properties = create["properties"]["properties"].as_object().unwrap();
    for name in ["center", "dimensions", "u", "normal", "top_radius", "capped"] {
        assert!(properties[name]["type"].is_string(), "{name}");
        assert!(tools[0].description.contains(name), "{name}");
    }
    assert!(properties["material"]["description"].as_str().unwrap().contains("principled"));
    let meaning = &tools[3].description;
    assert!(meaning.contains("points W/sr") && meaning.contains("W/(sr m^2)"), "{meaning}");
    let characters: usize =
        tools.iter().map(|tool| tool.description.len() + tool.parameters.to_string().len()).sum();
    assert!(characters < 4 * 4000, "{characters} characters");
    // The schema's required properties are those that a call cannot omit.
    for tool in tools {
        // Only set_animation requires none.
        for required in tool.parameters["required"].as_array().into_iter().flatten() {
            let error = Edit::parse(tool.name, &json!({})).unwrap_err().to_string();
            assert!(error.contains(required.as_str().unwrap()), "{}: {error}", tool.name);
        }
    }
}

#[test]
fn fog_stays_until_somebody_speaks_of_it() {
    let mut manager = SceneManager::default();
    let mut set = |args: Value| {
        let told = call(&mut manager, "set_environment_lighting", &args).unwrap();
        told["fog"]["visibility"].as_f64()
    };
    assert_eq!(set(json!({ "type": "sky", "fog": { "visibility": 30 } })), Some(30.0));
    assert_eq!(set(json!({ "type": "sky", "time": 19 })), Some(30.0));
    assert_eq!(set(json!({ "type": "none", "fog": { "visibility": 8 } })), Some(8.0));
    assert_eq!(set(json!({ "type": "none", "fog": null })), None);
    assert_eq!(set(json!({ "type": "gradient" })), None);
}

#[test]
fn new_ids_have_nothing_hidden_in_them() {
    let sphere = |id: &str| json!({ "id": id, "type": "sphere", "properties": { "center": [0, 0, 0], "radius": 1 } });
    check_refused(
        "create_shape",
        sphere("red\u{202e}llab"),
        expect![
            "create_shape property 'id' must not have invisible characters or ones that turn the direction of text, got U+202E; call it 'redllab'"
        ],
    );
    check_refused(
        "update_shape",
        json!({ "id": "ball", "updates": { "id": "b\u{200b}all", "group": "g\u{2066}" } }),
        expect![[r#"
            shape 'ball' property 'updates.id' must not have invisible characters or ones that turn the direction of text, got U+200B; call it 'ball'
            shape 'ball' property 'updates.group' must not have invisible characters or ones that turn the direction of text, got U+2066; call it 'g'"#]],
    );
    // Other scripts are allowed.
    for id in ["шар", "כדור", "球", "é"] {
        call(&mut with_sphere(), "create_shape", &sphere(id)).unwrap();
    }
}

#[test]
fn a_file_from_before_with_hidden_characters_opens_and_can_be_mended() {
    let old = "red\u{202e}llab";
    let file = json!({ "version": 1, "shapes": [
        { "id": old, "type": "sphere", "properties": { "center": [0, 0, 0], "radius": 1 } } ] });
    let scene = Scene::from_json(&file).unwrap();
    assert_eq!(scene.shapes[0].id.as_str(), old);
    let mut manager = SceneManager::new(scene);
    let args = json!({ "id": old, "updates": { "properties": { "radius": 2 } } });
    call(&mut manager, "update_shape", &args).unwrap();
    let args = json!({ "id": old, "updates": { "id": "red_ball" } });
    call(&mut manager, "update_shape", &args).unwrap();
    assert_eq!(manager.current().scene.shapes[0].id.as_str(), "red_ball");
}

#[test]
fn names_are_shown_without_what_is_hidden() {
    assert_eq!(scene::shown("a\u{202e}b\u{200b}c\u{7}"), "abc");
    // A family emoji consists of four people and three joiners.
    let family = "👨\u{200d}👩\u{200d}👧";
    assert_eq!(scene::shown(family), family);
}

#[test]
fn a_cone_may_be_described_either_way_up_and_a_material_in_usual_words() {
    let mut manager = with_sphere();
    let args = json!({ "id": "funnel", "type": "cone", "properties": { "base_center": [0, 0, 0], "base_radius": 0.2,
        "top_center": [0, 1, 0], "top_radius": 0.6, "capped": false, "material": { "color": [1, 0, 0], "roughness": 0.5 } } });
    let made = call(&mut manager, "create_shape", &args).unwrap();
    let properties = &made["properties"];
    assert_eq!(
        (&properties["base_radius"], &properties["base_center"]),
        (&json!(0.2), &json!([0.0, 0.0, 0.0]))
    );
    assert_eq!(properties["material"]["base_color"], json!([1.0, 0.0, 0.0]));
    let args = json!({ "id": "funnel", "updates": { "properties": { "top_radius": 0.9, "material": { "roughness": 0.1 } } } });
    let properties = call(&mut manager, "update_shape", &args).unwrap()["properties"].clone();
    assert_eq!((&properties["base_radius"], &properties["top_radius"]), (&json!(0.2), &json!(0.9)));
    assert_eq!(properties["material"]["specular_roughness"], 0.1);
    assert_eq!(properties["material"]["base_color"], json!([1.0, 0.0, 0.0]));
}
