//! Textures of colours and numbers.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use expect_test::expect;
use scene::{Aabb, Assets, Mapping, Material, NoAssets, Scene};
use serde_json::{Value, json};

fn read(material: &Value) -> Result<Scene, String> {
    let ball = json!({ "center": [0, 0, 0], "radius": 1, "material": material });
    let shape = json!({ "id": "a", "type": "sphere", "properties": ball });
    Scene::from_json(&json!({ "version": 1, "shapes": [shape] }))
        .map_err(|errors| errors.to_string())
}

fn matte(albedo: &Value) -> Value {
    json!({ "type": "lambertian", "albedo": albedo })
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
fn textures_are_told_with_what_differs_from_the_defaults() {
    expect![[
        r#"{"type":"lambertian","albedo":{"type":"checker","first":[0.8,0.8,0.8],"second":[0.05,0.05,0.05]}}"#
    ]]
    .assert_eq(&told(&matte(&json!({ "type": "checker" }))));
    let bricks = json!({ "type": "brick", "first": [0.3, 0.1, 0.1], "mortar": 0.02, "shift": 0.5,
                         "mapping": "world", "scale": 2, "offset": [1, 0, 0] });
    expect![[r#"{"type":"lambertian","albedo":{"type":"brick","first":[0.3,0.1,0.1],"second":[0.55,0.52,0.47],"mortar":0.02,"mapping":"world","scale":2.0,"offset":[1.0,0.0,0.0]}}"#]]
    .assert_eq(&told(&matte(&bricks)));
    let worn = json!({ "type": "principled",
                       "specular_roughness": { "type": "noise", "kind": "cells", "second": 0.6 },
                       "bump": { "type": "noise", "second": 0.01 } });
    expect![[
        r#"{"type":"principled","specular_roughness":{"type":"noise","first":0.0,"second":0.6,"kind":"cells"},"bump":{"type":"noise","first":0.0,"second":0.01}}"#
    ]]
    .assert_eq(&told(&worn));
    expect![[r#"{"type":"dielectric","refractive_index":1.5}"#]]
        .assert_eq(&told(&json!({ "type": "dielectric", "refractive_index": 1.5, "bump": 0 })));
}

#[test]
fn textures_may_be_nested_four_deep() {
    let mut texture = json!({ "type": "checker" });
    for _ in 1..4 {
        texture = json!({ "type": "stripes", "first": texture });
    }
    assert!(read(&matte(&texture)).is_ok());
    texture = json!({ "type": "stripes", "second": texture });
    expect!["shape 'a' property 'material.albedo' nests textures 5 deep; at most 4 are possible"]
        .assert_eq(&errors(&matte(&texture)));
}

#[test]
fn faults_name_the_texture_and_the_property() {
    let bad =
        json!({ "type": "wood", "first": [2, 0, 0], "rings": 4, "mapping": "cube", "grain": 3 });
    expect![[r#"shape 'a' property 'material.albedo' has no property 'rings'; did you mean 'ring'? It takes: ring, turbulence, grain, log, type, first, second, mapping, scale, offset, rotation; shape 'a' property 'material.albedo.grain' must be a number from 0 to 1, got 3; shape 'a' property 'material.albedo.first' must be [r, g, b] with numbers from 0 to 1, got [2,0,0]; shape 'a' property 'material.albedo.mapping' must be one of object, world, box, uv, round, got "cube""#]]
    .assert_eq(&errors(&matte(&bad)));
    expect!["shape 'a' property 'material.albedo' has unknown type 'marbel'; did you mean 'marble'? Known types: checker, stripes, gradient, noise, brick, wood, marble, image"]
        .assert_eq(&errors(&matte(&json!({ "type": "marbel" }))));
    expect![
        "shape 'a' property 'material.fuzz.octaves' must be a whole number from 1 to 8, got 2.5"
    ]
    .assert_eq(&errors(&json!({ "type": "metal", "albedo": [1, 1, 1],
                                    "fuzz": { "type": "noise", "octaves": 2.5 } })));
}

#[test]
fn what_needs_tables_may_vary_in_three_ways_at_once() {
    let mut material = json!({ "type": "principled" });
    for name in ["specular_roughness", "coat_weight", "fuzz_weight", "transmission_weight"] {
        assert!(read(&material).is_ok());
        material[name] = json!({ "type": "noise" });
    }
    expect!["shape 'a' property 'material': at most 3 of these may be textures at once: specular_roughness, transmission_weight, coat_weight, fuzz_weight; make one of them a plain value"]
        .assert_eq(&errors(&material));
    let inside = json!({ "type": "principled", "transmission_weight": 1, "transmission_depth": 0.1,
                         "transmission_color": { "type": "noise" } });
    expect!["shape 'a' property 'material': 'transmission_color' must be a plain color where 'transmission_depth' is above 0: it is the color of the inside"]
        .assert_eq(&errors(&inside));
}

#[test]
fn a_texture_has_a_typical_value_and_the_mapping_that_suits_it() {
    let nested = json!({ "type": "gradient", "first": { "type": "checker", "first": [1, 0, 0],
                         "second": [0, 0, 0] }, "second": [0.5, 1, 0] });
    let scene = read(&matte(&nested)).unwrap();
    let Material::Lambertian(matte) = &scene.shapes[0].material else { panic!() };
    assert_eq!(matte.albedo.typical().get(), [0.5, 0.5, 0.0]);
    assert_eq!(matte.albedo.range(), [[0.0, 0.0, 0.0], [1.0, 1.0, 0.0]]);
    assert_eq!(matte.albedo.texture().unwrap().mapping(), Mapping::Uv);
    let text = scene.to_context_text();
    assert!(
        text.contains("albedo=(type=\"gradient\"") || text.contains("albedo=(gradient first=("),
        "{text}"
    );
}

#[test]
fn images_and_normal_maps_are_told_with_what_differs_from_the_defaults() {
    let image =
        json!({ "type": "image", "asset": "wall.png", "channel": "color", "wrap": "mirror" });
    expect![[r#"{"type":"lambertian","albedo":{"type":"image","first":[0.0,0.0,0.0],"second":[1.0,1.0,1.0],"asset":"wall.png","wrap":"mirror"}}"#]].assert_eq(&told(&matte(&image)));
    let bent = json!({ "type": "metal", "albedo": [1, 1, 1], "fuzz": 0.2, "normal_map":
        { "asset": "n.png", "strength": 0.5, "flip_y": false, "mapping": "box", "scale": 1 } });
    expect![[r#"{"type":"metal","albedo":[1.0,1.0,1.0],"fuzz":0.2,"normal_map":{"asset":"n.png","strength":0.5,"mapping":"box"}}"#]].assert_eq(&told(&bent));
    expect![[r#"shape 'a' requires 'material.albedo.asset' property (the name of an asset, a text of at most 512 characters); shape 'a' property 'material.albedo.wrap' must be one of repeat, mirror, clamp, got "tile""#]].assert_eq(&errors(&matte(&json!({ "type": "image", "wrap": "tile" }))));
    let odd = json!({ "type": "lambertian", "albedo": [1, 1, 1], "normal_map": { "strenght": 1 } });
    expect!["shape 'a' property 'material.normal_map' has no property 'strenght'; did you mean 'strength'? It takes: asset, strength, flip_y, wrap, mapping, scale, offset, rotation; shape 'a' requires 'material.normal_map.asset' property (the name of an asset, a text of at most 512 characters)"].assert_eq(&errors(&odd));
}

#[test]
fn every_property_that_takes_a_texture_tells_its_image() {
    let image = json!({ "type": "image", "asset": "a.png" });
    let bare = json!({ "type": "principled" });
    let mut textured = 0;
    let names = Material::from_json(&bare).unwrap().properties_json();
    for name in names.keys() {
        let mut material = bare.clone();
        material[name] = image.clone();
        let Ok(material) = Material::from_json(&material) else { continue };
        let told: Vec<&str> = material.asset_names().iter().map(|name| name.as_str()).collect();
        assert_eq!(told, ["a.png"], "{name}");
        textured += 1;
    }
    assert_eq!(textured, 20);
    let nested = json!({ "type": "checker", "first": { "type": "image", "asset": "b.png" } });
    let material = json!({ "type": "metal", "albedo": nested, "fuzz": image,
        "bump": { "type": "image", "asset": "c.png" }, "normal_map": { "asset": "d.png" } });
    let scene = read(&material).unwrap();
    let all: Vec<&str> = scene.asset_names().iter().map(|name| name.as_str()).collect();
    assert_eq!(all, ["a.png", "b.png", "c.png", "d.png"]);
    assert_eq!(scene.image_names(), scene.asset_names());
    assert!(scene.mesh_names().is_empty());
}

#[test]
fn light_may_vary_over_a_surface() {
    let glow = json!({ "type": "emissive", "emission": { "type": "image", "asset": "a.png",
                       "second": [40, 30, 20] } });
    let scene = read(&glow).unwrap();
    assert_eq!(scene.image_names().len(), 1);
    expect![[r#"{"type":"emissive","emission":{"type":"image","first":[0.0,0.0,0.0],"second":[40.0,30.0,20.0],"asset":"a.png"}}"#]].assert_eq(&told(&glow));
    let sign = json!({ "type": "principled", "emission_luminance": 6, "emission_color":
                       { "type": "stripes", "first": [0, 0, 0], "second": [1, 0.5, 0] } });
    let Material::Principled(sign) = Material::from_json(&sign).unwrap() else { panic!() };
    assert!(sign.glows());
    assert_eq!(sign.emission().range(), [[0.0; 3], [6.0, 3.0, 0.0]]);
    let dark =
        json!({ "type": "emissive", "emission": { "type": "checker", "first": [0, -1, 0] } });
    let error = errors(&dark);
    assert!(error.contains("material.emission.first"), "{error}");
}

/// Assets with one image.
#[derive(Debug)]
struct OneImage;

impl Assets for OneImage {
    fn bounds(&self, _: &str) -> Option<Aabb> {
        None
    }

    fn names(&self) -> Vec<String> {
        Vec::new()
    }

    fn has_image(&self, name: &str) -> bool {
        name == "wall.png"
    }

    fn image_names(&self) -> Vec<String> {
        vec!["wall.png".into()]
    }
}

#[test]
fn an_image_that_is_not_there_is_a_fault_that_names_those_that_are() {
    let of = |asset: &str| read(&matte(&json!({ "type": "image", "asset": asset }))).unwrap();
    assert_eq!(of("wall.png").check_assets(&OneImage), Ok(()));
    let errors = |assets: &dyn Assets| of("wal.png").check_assets(assets).unwrap_err().to_string();
    expect!["shape 'a' property 'material': image 'wal.png' is not known here; did you mean 'wall.png'? Known images: wall.png"].assert_eq(&errors(&OneImage));
    expect!["shape 'a' property 'material': image 'wal.png' is not known here; there are no images, so use another texture"].assert_eq(&errors(&NoAssets));
}
