//! glTF files in the form of other programs.

use scene_files::Format;
use serde_json::{Value, json};

use crate::support::{json as file_of, properties, read, read_with, scene as scene_of};

/// A file with these nodes, each with the same triangle, and with these materials, lights and
/// cameras.
fn file(nodes: &Value, materials: &Value, more: &Value) -> Vec<u8> {
    // The three corners: the floats 0 0 0, 1 0 0, 0 1 0 in base64.
    let floats: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let bytes: Vec<u8> = floats.iter().flat_map(|number| number.to_le_bytes()).collect();
    let mut file = json!({
        "asset": { "version": "2.0" }, "scene": 0,
        "scenes": [{ "nodes": (0..nodes.as_array().unwrap().len()).collect::<Vec<_>>() }],
        "nodes": nodes,
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "material": 0 }] }],
        "materials": materials,
        "buffers": [{ "byteLength": 36,
            "uri": format!("data:application/octet-stream;base64,{}", base64(&bytes)) }],
        "bufferViews": [{ "buffer": 0, "byteLength": 36 }],
        "accessors": [{ "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
            "min": [0, 0, 0], "max": [1, 1, 0] }],
    });
    for (name, value) in more.as_object().unwrap() {
        file[name] = value.clone();
    }
    file.to_string().into_bytes()
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let groups = bytes.chunks(3).map(|group| {
        let number = group.iter().fold(0_u32, |sum, byte| sum << 8 | u32::from(*byte));
        (0..4)
            .map(|at| LETTERS[(number >> (18 - 6 * at) & 63) as usize] as char)
            .collect::<String>()
    });
    groups.collect()
}

fn material(material: &Value) -> Value {
    let bytes = file(&json!([{ "name": "thing", "mesh": 0 }]), &json!([material]), &json!({}));
    let imported = read(&bytes, Format::Gltf).unwrap_or_else(|error| panic!("{error}"));
    properties(&file_of(&imported), "thing")["material"].clone()
}

#[test]
fn materials_are_taken_by_their_physical_meaning() {
    assert_eq!(
        material(&json!({ "pbrMetallicRoughness": { "baseColorFactor": [0.5, 0.25, 0.1, 1],
            "metallicFactor": 0, "roughnessFactor": 0.4 } })),
        json!({ "type": "principled", "base_color": [0.5, 0.25, 0.1], "specular_roughness": 0.4 })
    );
    // glTF's defaults: a rough white metal.
    assert_eq!(
        material(&json!({})),
        json!({ "type": "principled", "base_color": [1.0, 1.0, 1.0], "base_metalness": 1.0,
            "specular_roughness": 1.0 })
    );
    assert_eq!(
        material(&json!({ "pbrMetallicRoughness": { "metallicFactor": 0, "roughnessFactor": 0 },
            "extensions": { "KHR_materials_transmission": { "transmissionFactor": 1 },
                "KHR_materials_ior": { "ior": 1.33 },
                "KHR_materials_volume": { "thicknessFactor": 1, "attenuationDistance": 0.5,
                    "attenuationColor": [0.2, 0.9, 0.3] } } })),
        json!({ "type": "principled", "base_color": [1.0, 1.0, 1.0], "specular_roughness": 0.0,
            "specular_ior": 1.33, "transmission_weight": 1.0,
            "transmission_color": [0.2, 0.9, 0.3], "transmission_depth": 0.5 })
    );
    // A surface without a volume is thin-walled.
    assert_eq!(
        material(&json!({ "pbrMetallicRoughness": { "metallicFactor": 0, "roughnessFactor": 0,
                "baseColorFactor": [0.2, 0.9, 0.3, 1] },
            "extensions": { "KHR_materials_transmission": { "transmissionFactor": 1 } } })),
        json!({ "type": "principled", "base_color": [0.2, 0.9, 0.3], "specular_roughness": 0.0,
            "transmission_weight": 1.0, "transmission_color": [0.2, 0.9, 0.3],
            "geometry_thin_walled": true })
    );
    assert_eq!(
        material(&json!({ "pbrMetallicRoughness": { "baseColorFactor": [0, 0, 0, 1] },
            "emissiveFactor": [1, 0.5, 0.25],
            "extensions": { "KHR_materials_emissive_strength": { "emissiveStrength": 8 } } })),
        json!({ "type": "emissive", "emission": [8.0, 4.0, 2.0] })
    );
    let coated = material(&json!({ "extensions": { "KHR_materials_clearcoat":
        { "clearcoatFactor": 0.8, "clearcoatRoughnessFactor": 0.1 } } }));
    assert_eq!((&coated["coat_weight"], &coated["coat_roughness"]), (&json!(0.8), &json!(0.1)));
}

#[test]
fn nodes_become_groups_and_places() {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let nodes = json!([
        { "name": "car", "children": [1, 2], "translation": [10, 0, 0] },
        { "name": "door", "mesh": 0, "rotation": [0, half, 0, half], "scale": [2, 2, 2] },
        { "name": "wheel", "mesh": 0, "scale": [-1, 1, 1] },
    ]);
    let bytes = file(&nodes, &json!([{}]), &json!({ "scenes": [{ "nodes": [0] }] }));
    let imported = read(&bytes, Format::Gltf).unwrap();
    let file = file_of(&imported);
    assert_eq!(file["groups"], json!([{ "id": "car", "parent": null }]));
    let door = properties(&file, "door");
    assert_eq!(door["translation"], json!([10.0, 0.0, 0.0]));
    assert_eq!(door["rotation"], json!([0.0, 90.0, 0.0]));
    assert_eq!(door["scale"], json!(2.0));
    // A mirrored node gets its own mesh, with the winding order restored.
    let wheel = imported.meshes.iter().find(|mesh| mesh.name.contains("wheel")).unwrap();
    assert_eq!(wheel.data.positions[wheel.data.triangles[0][1] as usize][0], 0.0);
    assert_eq!(properties(&file, "wheel")["translation"], json!([10.0, 0.0, 0.0]));
}

#[test]
fn lights_and_camera_come_along() {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let nodes = json!([
        { "mesh": 0 },
        { "name": "bulb", "translation": [0, 2, 0],
          "extensions": { "KHR_lights_punctual": { "light": 0 } } },
        // Rotated so that -z points down.
        { "name": "cone", "translation": [0, 3, 0], "rotation": [-half, 0, 0, half],
          "extensions": { "KHR_lights_punctual": { "light": 1 } } },
        { "name": "eye", "camera": 0, "translation": [0, 0, 4] },
    ]);
    let more = json!({
        "extensionsUsed": ["KHR_lights_punctual"],
        "extensions": { "KHR_lights_punctual": { "lights": [
            { "type": "point", "color": [1, 0.5, 0], "intensity": 6 },
            { "type": "spot", "intensity": 9, "spot": { "outerConeAngle": 0.5, "innerConeAngle": 0.499 } },
        ] } },
        "cameras": [{ "type": "perspective", "perspective": { "yfov": 0.8, "znear": 0.1 } }],
    });
    let imported = read(&file(&nodes, &json!([{}]), &more), Format::Gltf).unwrap();
    let file = file_of(&imported);
    assert_eq!(properties(&file, "bulb")["emission"], json!([6.0, 3.0, 0.0]));
    let cone = properties(&file, "cone");
    assert_eq!(cone["direction"], json!([0.0, -1.0, 0.0]));
    assert!((cone["cutoff_angle"].as_f64().unwrap() - 0.5_f64.to_degrees()).abs() < 1e-4);
    assert_eq!(cone["falloff_exponent"], json!(0.0));
    let camera = &file["camera"];
    assert_eq!(camera["center"], json!([0.0, 0.0, 4.0]));
    assert!((camera["vfov"].as_f64().unwrap() - 0.8_f64.to_degrees()).abs() < 1e-4);
    // The camera looks at the centre of the scene.
    assert_eq!(camera["look_at"], json!([0.0, 0.0, 0.0]));
}

#[test]
fn what_is_left_out_is_told() {
    let material = json!({ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } });
    let more = json!({ "textures": [{ "source": 0 }], "images": [{ "uri": "wood.png" }] });
    let bytes = file(&json!([{ "mesh": 0 }]), &json!([material]), &more);
    let notes = read(&bytes, Format::Gltf).unwrap().notes.join("\n");
    assert!(notes.contains("an image is left out"), "{notes}");
    assert!(notes.contains("surroundings"), "{notes}");
}

/// An image of one pixel.
fn png() -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let pixel = image::RgbaImage::from_pixel(1, 1, image::Rgba([10, 200, 30, 255]));
    pixel.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

#[test]
fn textures_come_along_with_their_factors_and_places() {
    let material = json!({
        "alphaMode": "MASK",
        "pbrMetallicRoughness": {
            "baseColorFactor": [1, 0.5, 0.25, 0.9], "metallicFactor": 0, "roughnessFactor": 0.5,
            "baseColorTexture": { "index": 0,
                "extensions": { "KHR_texture_transform": { "scale": [2, 4], "offset": [1, 0.5] } } },
            "metallicRoughnessTexture": { "index": 1 },
        },
        "normalTexture": { "index": 1, "scale": 0.5 },
        "emissiveTexture": { "index": 0 }, "emissiveFactor": [1, 0.5, 0],
        "occlusionTexture": { "index": 0 },
    });
    let url = format!("data:image/png;base64,{}", base64_padded(&png()));
    let more = json!({
        "textures": [{ "source": 0 }, { "source": 1, "sampler": 0 }],
        "samplers": [{ "wrapS": 33071 }],
        "images": [{ "uri": url, "mimeType": "image/png", "name": "Old Wood" }, { "uri": "n.png" }],
    });
    let bytes = file(&json!([{ "name": "thing", "mesh": 0 }]), &json!([material]), &more);
    let imported = read_with(&bytes, Format::Gltf, &[("n.png", &png())]).unwrap();
    let names: Vec<&str> = imported.images.iter().map(|image| image.name.as_str()).collect();
    assert_eq!(names, ["001_old_wood.png", "002.png"]);
    assert_eq!(imported.images[1].bytes, png());
    let file = file_of(&imported);
    let material = &properties(&file, "thing")["material"];
    let wood = json!({ "type": "image", "first": [0.0, 0.0, 0.0], "second": [1.0, 0.5, 0.25],
        "asset": "001_old_wood.png", "scale": [0.5, 0.25, 1.0], "offset": [-0.5, 0.875, 0.0] });
    assert_eq!(material["base_color"], wood);
    assert_eq!(material["geometry_opacity"]["channel"], "alpha");
    assert_eq!(material["geometry_opacity"]["second"], 0.9);
    assert_eq!(material["base_metalness"], Value::Null);
    let rough = json!({ "type": "image", "first": 0.0, "second": 0.5, "asset": "002.png",
        "channel": "green", "wrap": "clamp" });
    assert_eq!(material["specular_roughness"], rough);
    let normals = json!({ "asset": "002.png", "strength": 0.5, "wrap": "clamp" });
    assert_eq!(material["normal_map"], normals);
    let light = &material["emission_color"];
    assert_eq!((&light["asset"], &light["second"]), (&wood["asset"], &json!([1.0, 0.5, 0.0])));
    assert_eq!(material["emission_luminance"], 1.0);
    // With other file names, as for uploads.
    let renamed = imported.scene(|name| format!("folder/{name}")).unwrap();
    let images: Vec<_> = renamed.image_names().into_iter().map(ToString::to_string).collect();
    assert_eq!(images, ["folder/001_old_wood.png", "folder/002.png"]);
}

/// Padded base64, which decoders of whole files require.
fn base64_padded(bytes: &[u8]) -> String {
    let mut text = base64(bytes);
    text.truncate((bytes.len() * 4).div_ceil(3));
    text.extend(std::iter::repeat_n('=', text.len().next_multiple_of(4) - text.len()));
    text
}

#[test]
fn images_that_are_none_or_not_there_are_told() {
    let material = json!({ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } },
        "normalTexture": { "index": 1 } });
    let more = json!({ "textures": [{ "source": 0 }, { "source": 1 }],
        "images": [{ "uri": "none.png" }, { "uri": "text.png" }] });
    let bytes = file(&json!([{ "name": "thing", "mesh": 0 }]), &json!([material]), &more);
    let imported = read_with(&bytes, Format::Gltf, &[("text.png", b"no picture")]).unwrap();
    assert!(imported.images.is_empty());
    let notes = imported.notes.join("\n");
    assert!(notes.contains("no such file") && notes.contains("no known kind"), "{notes}");
    assert!(scene_of(&imported).image_names().is_empty());
}

#[test]
fn an_orthographic_camera_comes_along() {
    let nodes = json!([{ "mesh": 0 }, { "camera": 0, "translation": [0, 0, 4] }]);
    let more = json!({ "cameras": [{ "type": "orthographic",
        "orthographic": { "xmag": 3, "ymag": 1.5, "znear": 0, "zfar": 100 } }] });
    let camera =
        &file_of(&read(&file(&nodes, &json!([{}]), &more), Format::Gltf).unwrap())["camera"];
    assert_eq!((&camera["projection"], &camera["height"]), (&json!("orthographic"), &json!(3.0)));
}
