//! Round trips with textures render the same image.

use std::sync::Arc;

use mesh_files::MeshFileError;
use scene::Scene;
use scene_files::{Bounds, Exported, Format};
use serde_json::{Value, json};
use tracer::Meshes;

use crate::support::{
    difference, json as file_of, meshes, picture, properties, read_back, scene as scene_of,
    try_write,
};

/// An image of two rows and columns, enlarged so that interpolation keeps its edges: red and green
/// over blue and white. `clear`: the left half is half transparent.
fn tiles(clear: bool) -> Vec<u8> {
    let color = |x: u32, y: u32| match (x < 16, y < 16) {
        (true, true) => [200, 40, 30],
        (false, true) => [40, 180, 40],
        (true, false) => [30, 60, 200],
        (false, false) => [230, 230, 230],
    };
    let pixels = (0..32 * 32).map(|at| {
        let (x, y) = (at % 32, at / 32);
        let [red, green, blue] = color(x, y);
        [red, green, blue, if clear && x < 16 { 100 } else { 255 }]
    });
    image_files::write_png([32, 32], &pixels.collect::<Vec<_>>())
}

/// A normal map with stripes that lean right and up.
fn slopes() -> Vec<u8> {
    let pixels = (0..32 * 32).map(|at| match (at % 32) / 8 % 2 {
        0 => [200, 140, 220, 255],
        _ => [80, 110, 220, 255],
    });
    image_files::write_png([32, 32], &pixels.collect::<Vec<_>>())
}

fn image(name: &str) -> Result<Vec<u8>, MeshFileError> {
    match name {
        "tiles.png" => Ok(tiles(false)),
        "clear.png" => Ok(tiles(true)),
        "slopes.png" => Ok(slopes()),
        _ => Err(MeshFileError::Missing),
    }
}

fn images() -> Meshes {
    let mut all = Meshes::default();
    for name in ["tiles.png", "clear.png", "slopes.png"] {
        let bytes = image(name).unwrap();
        let limits = image_files::Limits::default();
        let texels = image_files::read(&bytes, image_files::Format::Png, &limits).unwrap();
        all.insert_image(name.to_owned(), Arc::new(texels.into()));
    }
    all
}

fn scene(shapes: &Value) -> Scene {
    Scene::from_json(&json!({
        "version": 1,
        "shapes": shapes,
        "lights": [
            { "id": "panel", "type": "area_quad_light", "properties": { "corner": [-1, 4, 1],
              "u": [2, 0, 0], "v": [0, 0, 2], "emission": [6, 6, 5.5] } },
        ],
        "environment": { "type": "uniform", "emission": [0.5, 0.5, 0.5] },
        "camera": { "center": [0.3, 2.2, 4.5], "look_at": [0, 0.6, 0], "vfov": 40 },
    }))
    .unwrap_or_else(|violations| panic!("{violations:?}"))
}

fn write(scene: &Scene, format: Format) -> Exported {
    let none = |_: &str| Err(MeshFileError::Missing);
    try_write(scene, format, &none, &image, &Bounds::default()).unwrap()
}

fn check(original: &Scene, formats: &[Format], tolerance: f64) {
    let before = picture(original, &images());
    for format in formats {
        let back = read_back(&write(original, *format), *format);
        let mut scene = scene_of(&back).to_json();
        if *format == Format::Obj {
            // The file contains only shapes.
            for name in ["camera", "environment"] {
                scene[name] = original.to_json()[name].clone();
            }
        }
        let after = picture(&Scene::from_json(&scene).unwrap(), &meshes(&back));
        let difference = difference(&before, &after);
        assert!(difference < tolerance, "{format:?}: {difference}");
    }
}

/// Images mapped by UV on several kinds of shapes, translated, scaled, rotated and mirrored.
fn with_images() -> Scene {
    let tiles = |more: Value| {
        let mut texture = json!({ "type": "image", "asset": "tiles.png" });
        texture.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        texture
    };
    scene(&json!([
        { "id": "floor", "type": "quad", "properties": { "corner": [-3, 0, 3], "u": [6, 0, 0],
          "v": [0, 0, -6], "material": { "type": "lambertian", "albedo":
            tiles(json!({ "scale": 0.25, "rotation": [0, 0, 30], "offset": [0.1, 0.05, 0] })) } } },
        { "id": "ball", "type": "sphere", "properties": { "center": [-1, 0.7, 0], "radius": 0.7,
          "material": { "type": "lambertian",
            "albedo": tiles(json!({ "scale": [0.5, 1, 1], "wrap": "mirror" })) } } },
        { "id": "block", "type": "box", "properties": { "center": [0.9, 0.5, -0.3],
          "dimensions": [1, 1, 1], "rotation": [0, 25, 0], "material": { "type": "lambertian",
            "albedo": tiles(json!({ "first": [0, 0, 0], "second": [0.6, 0.6, 0.6] })) } } },
        { "id": "can", "type": "cylinder", "properties": { "base_center": [0.1, 0, 1],
          "top_center": [0.1, 0.8, 1], "radius": 0.35, "capped": true,
          "material": { "type": "lambertian", "albedo": tiles(json!({})) } } },
    ]))
}

#[test]
fn images_lie_where_they_lay() {
    // Some edges of the tiles fall on other pixels.
    check(&with_images(), &[Format::Gltf, Format::Glb], 0.04);
}

#[test]
fn images_are_written_as_they_are_and_once() {
    let exported = write(&with_images(), Format::Glb);
    let back = read_back(&exported, Format::Glb);
    assert_eq!(back.images.len(), 1);
    assert_eq!(back.images[0].bytes, tiles(false));
    let file = file_of(&back);
    let floor = &properties(&file, "floor")["material"]["base_color"];
    assert_eq!(floor["type"], "image");
    for (found, expected) in [
        (&floor["scale"][0], 0.25),
        (&floor["rotation"][2], 30.0),
        (&floor["offset"][0], 0.1),
        (&floor["offset"][1], 0.05),
    ] {
        assert!((found.as_f64().unwrap() - expected).abs() < 1e-4, "{floor}");
    }
    assert_eq!(properties(&file, "ball")["material"]["base_color"]["wrap"], "mirror");
}

#[test]
fn roughness_metalness_opacity_and_normals_come_along() {
    let shown =
        |channel: &str| json!({ "type": "image", "asset": "clear.png", "channel": channel });
    let original = scene(&json!([
        { "id": "floor", "type": "quad", "properties": { "corner": [-3, 0, 3], "u": [6, 0, 0],
          "v": [0, 0, -6], "material": { "type": "principled",
            "specular_roughness": shown("green"), "base_metalness": shown("blue"),
            "normal_map": { "asset": "slopes.png", "scale": 0.2, "strength": 0.5 } } } },
        { "id": "pane", "type": "quad", "properties": { "corner": [-1, 0.1, 0.5], "u": [2, 0, 0],
          "v": [0, 1.5, 0], "material": { "type": "principled",
            "base_color": { "type": "image", "asset": "clear.png" },
            "geometry_opacity": shown("alpha") } } },
    ]));
    check(&original, &[Format::Gltf, Format::Glb], 0.04);
    let back = read_back(&write(&original, Format::Glb), Format::Glb);
    assert_eq!(back.images.len(), 2, "neither is baked");
}

/// 3D patterns and bumps.
fn with_patterns() -> Scene {
    let bump = json!({ "type": "noise", "scale": 0.3, "first": 0, "second": 0.05 });
    scene(&json!([
        { "id": "floor", "type": "quad", "properties": { "corner": [-2, 0, 2], "u": [4, 0, 0],
          "v": [0, 0, -4], "material": { "type": "lambertian",
            "albedo": { "type": "checker", "scale": 0.7 } } } },
        { "id": "ball", "type": "sphere", "properties": { "center": [-0.9, 0.7, 0], "radius": 0.7,
          "material": { "type": "lambertian", "bump": bump,
            "albedo": { "type": "marble", "mapping": "world" } } } },
        { "id": "ring", "type": "torus", "properties": { "center": [0.9, 0.5, -0.3],
          "normal": [0, 0.3, 1], "radius": 0.4, "thickness": 0.25, "material": { "type": "metal",
            "albedo": { "type": "stripes", "scale": 0.3, "first": [0.9, 0.7, 0.3],
                        "second": [0.4, 0.5, 0.9] }, "fuzz": 0.3 } } },
        { "id": "plank", "type": "box", "properties": { "center": [0.2, 0.15, 1.1],
          "dimensions": [1.4, 0.3, 0.3], "rotation": [0, 15, 0], "material": { "type": "principled",
            "base_color": { "type": "wood" },
            "specular_roughness": { "type": "noise", "scale": 0.2, "first": 0.2, "second": 0.7 } } } },
    ]))
}

#[test]
fn patterns_and_reliefs_are_painted_onto_images() {
    let original = with_patterns();
    check(&original, &[Format::Glb], 0.05);
    let exported = write(&original, Format::Glb);
    assert!(exported.notes.iter().any(|note| note.contains("1024 x 1024")), "{:?}", exported.notes);
    // Without its textures the image differs.
    let mut plain = original.to_json();
    for shape in plain["shapes"].as_array_mut().unwrap() {
        shape["properties"]["material"] =
            json!({ "type": "lambertian", "albedo": [0.4, 0.4, 0.4] });
    }
    let [before, after] = [&original, &Scene::from_json(&plain).unwrap()]
        .map(|scene| picture(scene, &Meshes::default()));
    assert!(difference(&before, &after) > 0.2);
}

#[test]
fn pbrt_shows_images_too() {
    let mut original = with_images().to_json();
    // PBRT has no rotated or mirrored textures.
    let floor = &mut original["shapes"][0]["properties"]["material"]["albedo"];
    floor.as_object_mut().unwrap().remove("rotation");
    let ball = &mut original["shapes"][1]["properties"]["material"]["albedo"];
    ball.as_object_mut().unwrap().remove("wrap");
    check(&Scene::from_json(&original).unwrap(), &[Format::Pbrt], 0.04);
}

/// Surfaces that emit light by an image and by a pattern.
fn with_glowing_images() -> Scene {
    scene(&json!([
        { "id": "floor", "type": "quad", "properties": { "corner": [-3, 0, 3], "u": [6, 0, 0],
          "v": [0, 0, -6], "material": { "type": "lambertian", "albedo": [0.5, 0.5, 0.5] } } },
        { "id": "screen", "type": "quad", "properties": { "corner": [-1.6, 0.2, -0.5],
          "u": [1.4, 0, 0.4], "v": [0, 1, 0], "material": { "type": "emissive",
            "emission": { "type": "image", "asset": "tiles.png", "second": [2, 2, 2] } } } },
        { "id": "lamp", "type": "box", "properties": { "center": [0.9, 0.6, -0.3],
          "dimensions": [0.8, 1.2, 0.8], "rotation": [0, 25, 0], "material": { "type": "principled",
            "base_color": [0.3, 0.1, 0.1], "specular_weight": 0, "emission_luminance": 1.5,
            "emission_color": { "type": "checker", "scale": 0.3 } } } },
    ]))
}

#[test]
fn light_by_images_and_patterns_is_as_it_was() {
    check(&with_glowing_images(), &[Format::Glb, Format::Obj], 0.04);
}

#[test]
fn obj_shows_images_as_they_were() {
    let mut original = with_images().to_json();
    // PBRT has no rotated or mirrored textures.
    let floor = &mut original["shapes"][0]["properties"]["material"]["albedo"];
    floor.as_object_mut().unwrap().remove("rotation");
    let ball = &mut original["shapes"][1]["properties"]["material"]["albedo"];
    ball.as_object_mut().unwrap().remove("wrap");
    check(&Scene::from_json(&original).unwrap(), &[Format::Obj], 0.04);
}

#[test]
fn obj_names_the_images_of_its_materials() {
    let exported = write(&with_images(), Format::Obj);
    let names: Vec<&str> = exported.files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["thing.obj", "thing.mtl", "thing-images/001.png"]);
    let materials = String::from_utf8(exported.files[1].1.to_vec()).unwrap();
    assert!(materials.contains("map_Kd thing-images/001.png"), "{materials}");
    assert!(materials.contains("-s 2 1 1 thing-images/001.png"), "{materials}");
    assert!(exported.notes.iter().any(|note| note.contains("turned")), "{:?}", exported.notes);
}

#[test]
fn an_image_that_is_missing_is_named() {
    let original = with_images();
    let none = |_: &str| Err(MeshFileError::Missing);
    let no_image = |_: &str| Err(MeshFileError::Missing);
    let error =
        try_write(&original, Format::Glb, &none, &no_image, &Bounds::default()).unwrap_err();
    assert!(error.to_string().contains("image 'tiles.png'"), "{error}");
}
