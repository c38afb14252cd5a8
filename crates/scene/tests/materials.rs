//! Named materials, and the principled material.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use expect_test::expect;
use scene::{Material, PresetName, Principled, Scene, presets};
use serde_json::{Value, json};

fn read(material: &Value) -> Result<Scene, String> {
    let ball = json!({ "center": [0, 0, 0], "radius": 1, "material": material });
    let shape = json!({ "id": "a", "type": "sphere", "properties": ball });
    Scene::from_json(&json!({ "version": 1, "shapes": [shape] }))
        .map_err(|errors| errors.to_string())
}

/// The material as JSON.
fn told(material: &Value) -> String {
    let scene = read(material).unwrap();
    let json = scene.to_json();
    // A round trip gives the same scene.
    assert_eq!(Scene::from_json(&json).unwrap(), scene);
    json["shapes"][0]["properties"]["material"].to_string()
}

fn errors(material: &Value) -> String {
    read(material).map_or_else(|errors| errors, |_| "no error".into())
}

#[test]
fn presets_are_kept_by_their_name() {
    expect![[r#""brushed_steel""#]].assert_eq(&told(&json!("Brushed Steel")));
    expect![[r#""gold""#]].assert_eq(&told(&json!({ "type": "preset", "name": "gold" })));
    let scene = read(&json!("glass")).unwrap();
    assert!(matches!(scene.shapes[0].material, Material::Preset(_)));
    assert!(matches!(scene.shapes[0].material.resolved(), Material::Dielectric(_)));
    assert!(scene.to_context_text().contains("material=\"glass\""), "{}", scene.to_context_text());
}

#[test]
fn an_unknown_preset_is_refused_with_the_nearest() {
    expect!["shape 'a' property 'material' is no known preset: 'frosted glas'; did you mean 'frosted_glass'? describe without names lists all"]
        .assert_eq(&errors(&json!("frosted glas")));
    expect!["shape 'a' property 'material.name' is no known preset: 'golt'; did you mean 'gold'? describe without names lists all"]
        .assert_eq(&errors(&json!({ "type": "preset", "name": "golt" })));
    expect![
        "shape 'a' property 'material' must be an object, or the name of a preset as text, got 7"
    ]
    .assert_eq(&errors(&json!(7)));
}

#[test]
fn every_preset_of_the_data_can_be_read_and_found() {
    let data: Value =
        serde_json::from_str(include_str!("../src/document/material/presets.json")).unwrap();
    let families = data.as_object().unwrap();
    let count: usize = families.values().map(|family| family.as_object().unwrap().len()).sum();
    assert_eq!(presets().len(), count);
    assert!(count >= 40);
    for preset in presets() {
        let found = PresetName::new(preset.name).unwrap();
        assert_eq!(found.material(), &preset.material, "{} is there twice", preset.name);
        assert!(!matches!(preset.material, Material::Preset(_)), "{}", preset.name);
        let written = &families[preset.kind][preset.name];
        assert_eq!(read(written).unwrap().shapes[0].material, preset.material);
    }
}

#[test]
fn of_principled_what_differs_from_the_defaults_is_told() {
    expect![[r#"{"type":"principled"}"#]].assert_eq(&told(&json!({ "type": "principled" })));
    let silk = json!({ "type": "principled", "specular_roughness": 0.4, "base_metalness": 0,
                       "fuzz_weight": 0.5, "fuzz_color": [1, 0.5, 0.5] });
    expect![[r#"{"type":"principled","specular_roughness":0.4,"fuzz_weight":0.5,"fuzz_color":[1.0,0.5,0.5]}"#]]
        .assert_eq(&told(&silk));
    // The defaults of OpenPBR 1.1.
    let defaults = Principled::default();
    assert_eq!(defaults.base_color.typical().get(), [0.8; 3]);
    assert_eq!((defaults.specular_ior.get(), defaults.coat_ior.get()), (1.5, 1.6));
    assert_eq!(
        (defaults.specular_roughness.typical().get(), defaults.fuzz_roughness.typical().get()),
        (0.3, 0.5)
    );
    assert_eq!(
        (defaults.thin_film_thickness.typical().get(), defaults.thin_film_ior.get()),
        (0.5, 1.4)
    );
}

#[test]
fn faults_of_principled_name_the_property() {
    let wrong = json!({ "type": "principled", "base_metalness": 2, "roughness": 0.5 });
    let text = errors(&wrong);
    assert!(
        text.contains("'material.base_metalness' must be a number from 0 to 1, got 2"),
        "{text}"
    );
    assert!(text.contains("has no property 'roughness'; did you mean '"), "{text}");
    expect!["shape 'a' property 'material.emission' must be [r, g, b] with numbers >= 0 and <= 1000000000, got [-1,0,0]"]
        .assert_eq(&errors(&json!({ "type": "emissive", "emission": [-1, 0, 0] })));
}

/// The gallery: each sphere is named like its material, with a text of the name in front of it.
#[test]
fn the_example_of_all_materials_shows_each_of_them() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/material-presets.json");
    let scene = Scene::from_json_text(&std::fs::read_to_string(file).unwrap()).unwrap();
    for preset in presets() {
        let ball = scene.shapes.iter().find(|shape| shape.id.as_str() == preset.name);
        let ball = ball.unwrap_or_else(|| panic!("no ball of {}", preset.name));
        assert_eq!(ball.geometry.type_name(), "sphere");
        assert_eq!(ball.to_json()["properties"]["material"], preset.name);
    }
}

/// The gallery of shapes.
#[test]
fn the_example_of_all_shapes_shows_each_of_them() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/meshes/every-shape.json");
    let scene = Scene::from_json_text(&std::fs::read_to_string(file).unwrap()).unwrap();
    for kind in scene::Geometry::TYPES {
        let is_there = scene.shapes.iter().any(|shape| shape.geometry.type_name() == *kind);
        assert!(is_there, "no {kind}");
    }
}

#[test]
fn a_mix_is_of_any_two_materials() {
    let rusty = json!({ "type": "mix", "first": "Steel", "second": { "type": "lambertian", "albedo": [0.3, 0.1, 0.05] },
                        "weight": { "type": "noise", "contrast": 0.9 } });
    expect![[r#"{"type":"mix","first":"steel","second":{"type":"lambertian","albedo":[0.3,0.1,0.05]},"weight":{"type":"noise","first":0.0,"second":1.0,"contrast":0.9}}"#]]
        .assert_eq(&told(&rusty));
    let scene = read(&rusty).unwrap();
    assert!(scene.to_context_text().contains("first=\"steel\""), "{}", scene.to_context_text());
    let clean = json!({ "type": "mix", "first": "glass", "second": rusty, "weight": 0.8 });
    let Material::Mix(mix) = &read(&clean).unwrap().shapes[0].material else { panic!() };
    assert_eq!(mix.main_part().type_name(), "mix");
    assert!(!Material::from_json(&clean).unwrap().is_clear());
    assert!(Material::from_json(&clean).unwrap().lets_light_through());
    let picture = json!({ "type": "mix", "first": "steel", "weight": { "type": "image", "asset": "m.png" },
        "second": { "type": "lambertian", "albedo": { "type": "image", "asset": "r.png" } } });
    let names: Vec<_> =
        read(&picture).unwrap().asset_names().iter().map(ToString::to_string).collect();
    assert_eq!(names, ["m.png", "r.png"]);
}

#[test]
fn faults_of_a_mix_say_what_it_may_not_be() {
    let mix =
        |first: Value, second: Value| json!({ "type": "mix", "first": first, "second": second });
    expect!["shape 'a' property 'material.first' is no known preset: 'stel'; did you mean 'steel'? describe without names lists all; shape 'a' requires 'material.second' property (an object with a type: lambertian, metal, dielectric, emissive, principled, mix, preset; or the name of a preset); shape 'a' property 'material.weight' must be a number from 0 to 1, got 2"].assert_eq(&errors(&json!({ "type": "mix", "first": "stel", "weight": 2 })));
    expect!["shape 'a' property 'material.second' glows, which no part of a mix may; put a shape that glows beside it"].assert_eq(&errors(&mix(json!("gold"), json!("lava"))));
    expect!["shape 'a' property 'material': only one of 'first' and 'second' may let light through: light inside belongs to one material"].assert_eq(&errors(&mix(json!("glass"), json!("frosted_glass"))));
    let map =
        json!({ "type": "lambertian", "albedo": [1, 1, 1], "normal_map": { "asset": "n.png" } });
    expect!["shape 'a' property 'material.first' has a 'normal_map', which no part of a mix may; use 'bump'"].assert_eq(&errors(&mix(map, json!("gold"))));
    let mut deep = json!("gold");
    for _ in 0..3 {
        deep = mix(deep, json!("rust"));
    }
    assert!(read(&deep).is_ok());
    expect!["shape 'a' property 'material': nests mixes 4 deep; at most 3 are possible"]
        .assert_eq(&errors(&mix(json!("gold"), deep)));
}
