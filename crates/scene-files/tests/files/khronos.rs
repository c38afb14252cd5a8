//! The features of Khronos's sample models, one at a time: a round trip renders the same image.
//! Extras of this program are removed before, so that the file depends only on extensions.

use scene::Scene;
use scene_files::{Exported, Format, Imported};
use serde_json::{Value, json};
use tracer::Meshes;

use crate::support::{difference, meshes, picture, read_back, scene as scene_of, write};

/// A sphere of a material on a grey floor, with a light and a dim sky.
fn ball(material: &Value) -> Scene {
    Scene::from_json(&json!({
        "version": 1,
        "shapes": [
            { "id": "floor", "type": "quad", "properties": { "corner": [-4, 0, 4], "u": [8, 0, 0],
              "v": [0, 0, -8], "material": { "type": "lambertian", "albedo": [0.6, 0.55, 0.5] } } },
            { "id": "ball", "type": "sphere", "properties": { "center": [0, 1, 0], "radius": 1,
              "material": material } },
        ],
        "lights": [
            { "id": "panel", "type": "area_quad_light", "properties": { "corner": [-1, 4, 0],
              "u": [2, 0, 0], "v": [0, 0, 2], "emission": [6, 6, 5.5] } },
        ],
        "environment": { "type": "uniform", "emission": [0.3, 0.35, 0.4] },
        "camera": { "center": [0.5, 1.8, 4.5], "look_at": [0, 0.8, 0], "vfov": 40 },
    }))
    .unwrap_or_else(|violations| panic!("{violations:?}"))
}

/// Imports a file without the extras of this program.
fn read_alone(mut exported: Exported) -> Imported {
    let mut file: Value = serde_json::from_slice(&exported.files[0].1.to_vec()).unwrap();
    for material in file["materials"].as_array_mut().unwrap() {
        material.as_object_mut().unwrap().remove("extras");
    }
    exported.files[0].1 = file.to_string().into_bytes().into();
    read_back(&exported, Format::Gltf)
}

#[test]
fn each_extension_alone_keeps_the_picture() {
    let principled = |more: Value| {
        let mut material = json!({ "type": "principled" });
        for (name, value) in more.as_object().unwrap() {
            material[name] = value.clone();
        }
        material
    };
    // Noise and the tessellation of the sphere cause differences of about 0.02.
    for (what, material, tolerance) in [
        ("matte", json!({ "type": "lambertian", "albedo": [0.1, 0.3, 0.6] }), 0.04),
        ("metal", json!({ "type": "metal", "albedo": [0.9, 0.7, 0.3], "fuzz": 0.4 }), 0.05),
        ("glass", json!({ "type": "dielectric", "refractive_index": 1.5 }), 0.08),
        (
            "tinted glass",
            principled(json!({ "transmission_weight": 1, "specular_roughness": 0.1,
            "transmission_color": [0.3, 0.8, 0.4] })),
            0.08,
        ),
        (
            "pane",
            principled(json!({ "transmission_weight": 1, "specular_roughness": 0.1,
            "transmission_color": [0.3, 0.8, 0.4], "geometry_thin_walled": true })),
            0.08,
        ),
        (
            "volume",
            principled(json!({ "transmission_weight": 1, "specular_roughness": 0.1,
            "transmission_color": [0.2, 0.5, 0.9], "transmission_depth": 0.6 })),
            0.08,
        ),
        ("emissive strength", json!({ "type": "emissive", "emission": [3, 1.5, 0.5] }), 0.05),
        (
            "glowing plastic",
            principled(json!({ "base_color": [0.4, 0.1, 0.1],
            "emission_luminance": 2, "emission_color": [1, 0.4, 0.1] })),
            0.05,
        ),
        (
            "clearcoat",
            principled(json!({ "base_color": [0.5, 0.05, 0.05], "specular_roughness": 0.8,
            "coat_weight": 1, "coat_roughness": 0.05, "coat_ior": 1.5, "coat_darkening": 0 })),
            0.05,
        ),
        (
            "sheen",
            principled(json!({ "base_color": [0.1, 0.1, 0.3], "specular_roughness": 0.9,
            "fuzz_weight": 1, "fuzz_color": [0.8, 0.7, 0.9], "fuzz_roughness": 0.4 })),
            0.05,
        ),
        (
            "specular and ior",
            principled(json!({ "base_color": [0.2, 0.2, 0.2],
            "specular_weight": 0.7, "specular_color": [1, 0.5, 0.3], "specular_ior": 1.9 })),
            0.05,
        ),
        (
            "iridescence",
            principled(json!({ "base_metalness": 1, "thin_film_weight": 1,
            "thin_film_thickness": 0.4, "thin_film_ior": 1.8 })),
            0.05,
        ),
        (
            "anisotropy",
            principled(json!({ "base_metalness": 1, "specular_roughness": 0.4,
            "specular_roughness_anisotropy": 0.7 })),
            0.06,
        ),
    ] {
        let original = ball(&material);
        let before = picture(&original, &Meshes::default());
        let back = read_alone(write(&original, Format::Gltf));
        let after = picture(&scene_of(&back), &meshes(&back));
        let difference = difference(&before, &after);
        assert!(difference < tolerance, "{what}: {difference}");
        // The brightest pixels show that the emission is kept.
        let ends = [&before, &after].map(|image| image.mean()[0]);
        assert!((ends[0] / ends[1] - 1.0).abs() < 0.5 * tolerance, "{what}: {ends:?}");
    }
}
