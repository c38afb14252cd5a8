//! Damaged and forged files: a clear fault or a scene, never a panic.

use mesh_files::{FileFault, Limits};
use proptest::prelude::*;
use scene_files::{Format, export, import};
use serde_json::json;

fn good(format: Format) -> Vec<u8> {
    let scene = scene::Scene::from_json(&json!({ "version": 1, "shapes": [
        { "id": "a", "type": "box", "group": "g", "properties": { "center": [0, 0, 0],
          "dimensions": [1, 1, 1], "material": "gold" } },
        { "id": "b", "type": "sphere", "properties": { "center": [2, 0, 0], "radius": 1 } },
    ], "lights": [{ "id": "l", "type": "point_spot_light", "properties": { "center": [0, 3, 0],
        "emission": [1, 1, 1], "cutoff_angle": 40 } }] }))
    .unwrap();
    let exported = export(&scene, format, "thing", &mut |_| Err(FileFault::Missing)).unwrap();
    exported.files[0].1.clone()
}

/// Whatever comes out is a valid scene: that is checked at the end of every import.
fn try_reading(bytes: &[u8], format: Format) {
    let limits = Limits { vertices: 10_000, triangles: 10_000 };
    let mut beside = |_: &str| Ok(b"newmtl x\nKd 1 nan -3\n".to_vec());
    if let Err(fault) = import(bytes, format, "thing", &limits, &mut beside) {
        let text = fault.to_string();
        assert!(!text.is_empty() && text.len() < 4000, "{text}");
    }
}

const FORMATS: [Format; 4] = [Format::Glb, Format::Gltf, Format::Obj, Format::Pbrt];

proptest! {
    #[test]
    fn damaged_files_do_no_harm(
        format in prop::sample::select(FORMATS.to_vec()),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        cut in any::<prop::sample::Index>(),
        cuts in any::<bool>(),
    ) {
        let mut bytes = good(format);
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if cuts {
            bytes.truncate(cut.index(bytes.len()));
        }
        try_reading(&bytes, format);
    }

    #[test]
    fn damaged_pbrt_words_do_no_harm(words in prop::collection::vec(prop::sample::select(vec![
        "WorldBegin", "AttributeBegin", "AttributeEnd", "ObjectBegin", "ObjectEnd", "ObjectInstance",
        "\"a\"", "Shape", "\"sphere\"", "\"trianglemesh\"", "\"bilinearmesh\"", "\"disk\"",
        "\"float radius\"", "\"integer indices\"", "\"point3 P\"", "[", "]", "0", "-1", "1e30", "1",
        "Scale", "Rotate", "Transform", "LookAt", "Camera", "\"perspective\"", "Material",
        "\"conductor\"", "AreaLightSource", "\"diffuse\"", "LightSource", "\"distant\"", "\"spot\"",
        "Include", "Texture", "true", "#", "\n", "ReverseOrientation", "CoordSysTransform",
    ]), 0..60)) {
        try_reading(words.join(" ").as_bytes(), Format::Pbrt);
    }
}

#[test]
fn many_numbers_and_deep_nesting_are_refused() {
    let limits = Limits { vertices: 100, triangles: 100 };
    let mut none = |_: &str| Err(FileFault::Missing);
    let points = "0 1 2 ".repeat(300);
    let text = format!(
        "WorldBegin\nShape \"trianglemesh\" \"integer indices\" [ {} ] \"point3 P\" [ {points} ]",
        "0 1 2 ".repeat(200)
    );
    let fault = import(text.as_bytes(), Format::Pbrt, "x", &limits, &mut none).unwrap_err();
    assert!(fault.to_string().contains("100"), "{fault}");
    let deep = format!("WorldBegin\n{}", "AttributeBegin\n".repeat(10_000));
    let fault = import(deep.as_bytes(), Format::Pbrt, "x", &limits, &mut none).unwrap_err();
    assert!(fault.to_string().contains("inside each other"), "{fault}");
    // A file that includes itself.
    let mut itself = |_: &str| Ok(b"Include \"x\"".to_vec());
    let fault = import(b"Include \"x\"", Format::Pbrt, "x", &limits, &mut itself).unwrap_err();
    assert!(fault.to_string().contains("a loop?"), "{fault}");
}
