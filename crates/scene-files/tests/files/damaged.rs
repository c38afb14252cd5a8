//! Damaged and forged files give a clear error or a scene, never a panic.

use std::sync::LazyLock;

use mesh_files::{Limits, MeshFileError};
use proptest::prelude::*;
use scene_files::{Bounds, Format, import};
use serde_json::json;

use crate::support::try_write;

/// An image of four pixels.
fn png() -> Vec<u8> {
    image_files::write_png([2, 2], &[[200, 30, 40, 255], [0; 4], [255; 4], [9, 99, 9, 255]])
}

/// Valid files of each format, with the files they refer to.
static GOOD: LazyLock<Vec<(Format, Vec<Vec<u8>>)>> = LazyLock::new(|| {
    let texture = json!({ "type": "image", "asset": "a.png", "scale": 0.5 });
    let scene = scene::Scene::from_json(&json!({ "version": 1, "shapes": [
        { "id": "a", "type": "box", "group": "g", "properties": { "center": [0, 0, 0],
          "dimensions": [1, 1, 1], "material": "gold" } },
        { "id": "b", "type": "sphere", "properties": { "center": [2, 0, 0], "radius": 1 } },
        { "id": "c", "type": "quad", "properties": { "corner": [0, 0, 0], "u": [1, 0, 0],
          "v": [0, 1, 0], "material": { "type": "lambertian", "albedo": texture } } },
    ], "lights": [{ "id": "l", "type": "point_spot_light", "properties": { "center": [0, 3, 0],
        "emission": [1, 1, 1], "cutoff_angle": 40 } }] }))
    .unwrap();
    let good = |format| {
        let none = |_: &str| Err(MeshFileError::Missing);
        let exported = try_write(&scene, format, &none, &|_| Ok(png()), &Bounds::default());
        (format, exported.unwrap().files.iter().map(|(_, content)| content.to_vec()).collect())
    };
    FORMATS.map(good).to_vec()
});

/// Imports a file. Every import validates its scene at the end. `beside` is the content of all
/// files that it refers to.
fn try_reading(bytes: &[u8], format: Format, beside: &[u8]) {
    let limits = Limits { vertices: 10_000, triangles: 10_000 };
    let mut beside = |_: &str| Ok(beside.to_vec());
    if let Err(error) = import(bytes, format, "thing", &limits, &mut beside, &|| false) {
        let text = error.to_string();
        assert!(!text.is_empty() && text.len() < 4000, "{text}");
    }
}

/// Changes some bytes, and may truncate the rest.
fn damage(
    bytes: &mut Vec<u8>,
    changes: &[(prop::sample::Index, u8)],
    cut: Option<prop::sample::Index>,
) {
    for (at, byte) in changes {
        let at = at.index(bytes.len());
        bytes[at] = *byte;
    }
    if let Some(cut) = cut {
        bytes.truncate(cut.index(bytes.len()));
    }
}

const FORMATS: [Format; 4] = [Format::Glb, Format::Gltf, Format::Obj, Format::Pbrt];

proptest! {
    #[test]
    fn damaged_files_do_no_harm(
        which in 0..FORMATS.len(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let (format, files) = &GOOD[which];
        let mut bytes = files[0].clone();
        damage(&mut bytes, &changes, cut);
        try_reading(&bytes, *format, b"newmtl x\nKd 1 nan -3\n");
    }

    /// Damages MTL files of OBJ, buffers of glTF, and images and meshes of any format.
    #[test]
    fn damaged_files_beside_do_no_harm(
        which in 0..FORMATS.len(),
        beside in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let (format, files) = &GOOD[which];
        let mut others = files.iter().skip(1).collect::<Vec<_>>();
        let picture = png();
        others.push(&picture);
        let mut bytes = others[beside.index(others.len())].clone();
        damage(&mut bytes, &changes, cut);
        try_reading(&files[0], *format, &bytes);
    }

    #[test]
    fn damaged_pbrt_words_do_no_harm(words in prop::collection::vec(prop::sample::select(vec![
        "WorldBegin", "AttributeBegin", "AttributeEnd", "ObjectBegin", "ObjectEnd", "ObjectInstance",
        "\"a\"", "Shape", "\"sphere\"", "\"trianglemesh\"", "\"bilinearmesh\"", "\"disk\"",
        "\"float radius\"", "\"integer indices\"", "\"point3 P\"", "[", "]", "0", "-1", "1e30", "1",
        "Scale", "Rotate", "Transform", "LookAt", "Camera", "\"perspective\"", "Material",
        "\"conductor\"", "AreaLightSource", "\"diffuse\"", "LightSource", "\"distant\"", "\"spot\"",
        "Include", "Texture", "\"spectrum\"", "\"imagemap\"", "\"string filename\"", "\"float uscale\"", "true", "#", "\n", "ReverseOrientation", "CoordSysTransform",
    ]), 0..60)) {
        try_reading(words.join(" ").as_bytes(), Format::Pbrt, b"newmtl x\nKd 1 nan -3\n");
    }
}

#[test]
fn many_numbers_and_deep_nesting_are_refused() {
    let limits = Limits { vertices: 100, triangles: 100 };
    let mut none = |_: &str| Err(MeshFileError::Missing);
    let points = "0 1 2 ".repeat(300);
    let text = format!(
        "WorldBegin\nShape \"trianglemesh\" \"integer indices\" [ {} ] \"point3 P\" [ {points} ]",
        "0 1 2 ".repeat(200)
    );
    let error =
        import(text.as_bytes(), Format::Pbrt, "x", &limits, &mut none, &|| false).unwrap_err();
    assert!(error.to_string().contains("100"), "{error}");
    let deep = format!("WorldBegin\n{}", "AttributeBegin\n".repeat(10_000));
    let error =
        import(deep.as_bytes(), Format::Pbrt, "x", &limits, &mut none, &|| false).unwrap_err();
    assert!(error.to_string().contains("inside each other"), "{error}");
    // A file that includes itself.
    let mut itself = |_: &str| Ok(b"Include \"x\"".to_vec());
    let error =
        import(b"Include \"x\"", Format::Pbrt, "x", &limits, &mut itself, &|| false).unwrap_err();
    assert!(error.to_string().contains("a loop?"), "{error}");
}
