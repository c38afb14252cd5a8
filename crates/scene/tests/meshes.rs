//! Triangles, and meshes that are stored as assets.

use std::sync::Arc;

use expect_test::expect;
use scene::{Aabb, Assets, Edit, Geometry, NoAssets, Patch, Scene, SceneManager, edit_tools};
use serde_json::{Value, json};

/// Assets with one mesh that fills the box from [0, 0, 0] to [1, 2, 3].
#[derive(Debug)]
struct OneMesh;

impl Assets for OneMesh {
    fn bounds(&self, name: &str) -> Option<Aabb> {
        (name == "bunny.ply").then_some(Aabb { min: [0.0; 3], max: [1.0, 2.0, 3.0] })
    }

    fn names(&self) -> Vec<String> {
        vec!["bunny.ply".into()]
    }
}

fn shape(kind: &str, properties: &Value) -> Value {
    json!({ "version": 1, "shapes": [{ "id": "a", "type": kind, "properties": properties }] })
}

fn errors(kind: &str, properties: &Value) -> String {
    let read = Scene::from_json(&shape(kind, properties));
    read.map_or_else(|violations| violations.to_string(), |_| "no error".into())
}

#[test]
fn defaults_are_spelled_out_and_the_form_of_the_scale_is_kept() {
    let scene = Scene::from_json(&shape("mesh", &json!({ "asset": "bunny.ply" }))).unwrap();
    expect![[r#"{"asset":"bunny.ply","translation":[0.0,0.0,0.0],"rotation":[0.0,0.0,0.0],"scale":1.0,"material":{"type":"lambertian","albedo":[0.5,0.5,0.5]}}"#]]
        .assert_eq(&scene.to_json()["shapes"][0]["properties"].to_string());
    for scale in [json!(2.5), json!([1.0, 2.0, 0.5])] {
        let properties = json!({ "asset": "bunny.ply", "translation": [1.0, 2.0, 3.0],
            "rotation": [0.0, 90.0, 0.0], "scale": scale, "material":
            { "type": "lambertian", "albedo": [0.5, 0.5, 0.5] } });
        let scene = Scene::from_json(&shape("mesh", &properties)).unwrap();
        assert_eq!(scene.to_json()["shapes"][0]["properties"], properties);
    }
}

#[test]
fn faults_name_the_shape_the_property_and_what_is_accepted() {
    expect!["shape 'a' requires 'asset' property (the name of an asset, a text of at most 512 characters); shape 'a' property 'rotation' must be [x, y, z] in degrees, got 3; shape 'a' property 'scale' must be a number, or [x, y, z], from 0.000001 to 1000000, got [1,0,1]"]
        .assert_eq(&errors("mesh", &json!({ "rotation": 3, "scale": [1, 0, 1] })));
    expect!["shape 'a' property 'asset' must be the name of an asset, a text of at most 512 characters, got \"a\\nb\""]
        .assert_eq(&errors("mesh", &json!({ "asset": "a\nb" })));
    expect!["shape 'a': 'vertices' must not be equal or on one line: they span the area"]
        .assert_eq(&errors("triangle", &json!({ "vertices": [[0, 0, 0], [1, 1, 1], [2, 2, 2]] })));
    expect!["shape 'a' property 'vertices' must be three points [[x, y, z], [x, y, z], [x, y, z]] with numbers within ±1000000, got [[0,0,0],[1,1,1]]"]
        .assert_eq(&errors("triangle", &json!({ "vertices": [[0, 0, 0], [1, 1, 1]] })));
}

#[test]
fn the_box_of_a_mesh_is_that_of_its_asset_scaled_turned_and_moved() {
    let properties = json!({ "asset": "bunny.ply", "translation": [10, 0, 5],
                             "rotation": [0, 90, 0], "scale": [2, 1, 1] });
    let scene = Scene::from_json(&shape("mesh", &properties)).unwrap();
    let geometry = &scene.shapes[0].geometry;
    assert_eq!(geometry.bounds(), None);
    assert_eq!(geometry.bounds_with(&NoAssets), None);
    let bounds = geometry.bounds_with(&OneMesh).unwrap();
    for (actual, expected) in bounds.min.iter().chain(&bounds.max).zip([10., 0., 3., 13., 2., 5.]) {
        assert!((actual - expected).abs() < 1e-9, "{bounds:?}");
    }
    let text = scene.to_context_text_with(&OneMesh);
    assert!(text.contains("| bounds [10,0,3] to [13,2,5]"), "{text}");
    assert!(!scene.to_context_text().contains("bounds"));
}

#[test]
fn the_box_of_a_triangle_is_that_of_its_corners() {
    let properties = json!({ "vertices": [[0, 3, 1], [-1, 0, 2], [4, 1, 0]] });
    let scene = Scene::from_json(&shape("triangle", &properties)).unwrap();
    assert!(matches!(scene.shapes[0].geometry, Geometry::Triangle(_)));
    let expected = Aabb { min: [-1.0, 0.0, 0.0], max: [4.0, 3.0, 2.0] };
    assert_eq!(scene.shapes[0].geometry.bounds(), Some(expected));
}

#[test]
fn an_asset_that_is_not_known_is_a_fault_and_changes_nothing() {
    let create = |id: &str, asset: &str| {
        let args = json!({ "id": id, "type": "mesh", "properties": { "asset": asset } });
        Edit::parse("create_shape", &args).unwrap()
    };
    let mut bare = SceneManager::default();
    expect!["shape 'a' property 'asset': asset 'bunny.ply' is not known here; there are no assets, so use another type of shape"]
        .assert_eq(&bare.apply(&[create("a", "bunny.ply")]).unwrap_err().to_string());
    assert!(bare.current().scene.shapes.is_empty());

    let mut manager = SceneManager::default().with_assets(Arc::new(OneMesh));
    manager.apply(&[create("a", "bunny.ply")]).unwrap();
    expect!["shape 'b' property 'asset': asset 'bunnie.ply' is not known here; did you mean 'bunny.ply'? Known assets: bunny.ply"]
        .assert_eq(&manager.apply(&[create("b", "bunnie.ply")]).unwrap_err().to_string());
    assert_eq!(manager.current().scene.shapes.len(), 1);
}

/// Assets with one mesh whose name is a hash, and its title.
#[derive(Debug)]
struct Titled;

impl Assets for Titled {
    fn bounds(&self, name: &str) -> Option<Aabb> {
        (name == "3f9c").then_some(Aabb { min: [0.0; 3], max: [1.0; 3] })
    }

    fn names(&self) -> Vec<String> {
        vec!["77aa".into(), "3f9c".into()]
    }

    fn title(&self, name: &str) -> Option<String> {
        (name == "3f9c").then(|| "bunny.ply".into())
    }
}

#[test]
fn an_asset_is_found_by_what_people_call_it() {
    let scene = |asset: &str| Scene::from_json(&shape("mesh", &json!({ "asset": asset }))).unwrap();
    expect!["shape 'a' property 'asset': asset 'bunny' is not known here; did you mean '3f9c'? Known assets: 77aa, 3f9c (bunny.ply)"]
        .assert_eq(&scene("bunny").check_assets(&Titled).unwrap_err().to_string());
    assert!(scene("3f9c").check_assets(&Titled).is_ok());
}

#[test]
fn a_patch_names_the_assets_it_brings() {
    let scene = |asset: &str| Scene::from_json(&shape("mesh", &json!({ "asset": asset }))).unwrap();
    let named = |before: &Scene, after: &Scene| -> Vec<String> {
        Patch::between(before, after).asset_names().iter().map(ToString::to_string).collect()
    };
    let (one, other) = (scene("one"), scene("other"));
    assert_eq!(named(&Scene::default(), &one), ["one"]);
    assert_eq!(named(&one, &other), ["other"]);
    assert!(named(&one, &one).is_empty() && named(&one, &Scene::default()).is_empty());
}

#[test]
fn an_edit_is_not_to_blame_for_assets_that_were_missing_before() {
    let lost = Scene::from_json(&shape("mesh", &json!({ "asset": "lost.ply" }))).unwrap();
    assert!(lost.check_assets(&OneMesh).is_err());
    let mut manager = SceneManager::new(lost);
    let args = json!({ "id": "a", "updates": { "properties": { "scale": 2 } } });
    let applied = manager.apply(&[Edit::parse("update_shape", &args).unwrap()]).unwrap();
    assert_eq!(applied.changes.len(), 1);
    assert_eq!(applied.results[0]["properties"]["scale"], json!(2.0));
}

#[test]
fn the_tools_offer_both() {
    let create = &edit_tools()[0];
    let types = create.parameters["properties"]["type"]["enum"].to_string();
    assert!(types.contains("triangle") && types.contains("mesh"), "{types}");
    let summary = "mesh: asset, translation?, rotation?, scale?";
    assert!(create.description.contains(summary), "{}", create.description);
}
