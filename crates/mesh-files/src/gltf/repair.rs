//! Repairs glTF documents so that the `gltf` crate accepts them.
//!
//! The crate refuses a whole file for parts that are not read here: an animation of an extension, a texture
//! in a newer image format, an unknown attribute, missing bounds. These are removed or completed before;
//! everything else is checked by the crate as usual.

use serde_json::{Map, Value, json};

use crate::MeshFileError;

/// Extensions for compressed geometry, which is not supported, with advice.
const COMPRESSIONS: [&str; 3] =
    ["KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression"];

/// Extensions that a file may require: they are supported, or only affect images or animations,
/// whose loss the reader notes.
const KNOWN: [&str; 11] = [
    "KHR_lights_punctual",
    "KHR_mesh_quantization",
    "KHR_texture_transform",
    "KHR_texture_basisu",
    "EXT_texture_webp",
    "EXT_texture_avif",
    "MSFT_texture_dds",
    "KHR_animation_pointer",
    "KHR_node_visibility",
    "KHR_xmp_json_ld",
    "EXT_lights_image_based",
];

/// The supported attributes, as named by the library.
const ATTRIBUTES: [&str; 5] = ["POSITION", "NORMAL", "TANGENT", "TEXCOORD_0", "TEXCOORD_1"];

/// The document in a form that the library accepts. `json` stays as it is, except for normalised
/// numbers.
pub(super) fn repaired(json: &mut Value) -> Result<Value, MeshFileError> {
    check_version(json)?;
    check_extensions(json)?;
    whole_numbers(json);
    let mut document = json.clone();
    without_extras(&mut document);
    let root = document
        .as_object_mut()
        .ok_or_else(|| MeshFileError::malformed("the file is no glTF document"))?;
    for unread in ["animations", "skins", "extensionsRequired"] {
        root.remove(unread);
    }
    each(root, "nodes", |node| {
        node.remove("skin");
        node.remove("weights");
    });
    each(root, "meshes", |mesh| {
        mesh.remove("weights");
        each(mesh, "primitives", |primitive| {
            primitive.remove("targets");
            primitive.remove("extensions");
            if let Some(attributes) = primitive.get_mut("attributes").and_then(Value::as_object_mut)
            {
                attributes.retain(|name, _| ATTRIBUTES.contains(&name.as_str()));
            }
        });
    });
    accessors(root);
    textures(root);
    scenes(root);
    Ok(document)
}

fn check_version(json: &Value) -> Result<(), MeshFileError> {
    let version = json.pointer("/asset/version").and_then(Value::as_str);
    match version {
        Some(version) if version.starts_with("2.") => Ok(()),
        Some(version) => Err(MeshFileError::OldGltf(version.chars().take(20).collect())),
        // glTF 1.0 had objects instead of lists, and its version was optional.
        None if json["nodes"].is_object() => Err(MeshFileError::OldGltf("1.0".into())),
        None => Err(MeshFileError::malformed("the file says no version of glTF ('asset.version')")),
    }
}

fn check_extensions(json: &Value) -> Result<(), MeshFileError> {
    let required = json["extensionsRequired"].as_array().into_iter().flatten();
    for name in required.filter_map(Value::as_str) {
        if COMPRESSIONS.contains(&name) {
            return Err(MeshFileError::malformed(format!(
                "its meshes are compressed ({name}), which is not read; save the file without \
                 compression"
            )));
        }
        if !KNOWN.contains(&name) && !name.starts_with("KHR_materials_") {
            return Err(MeshFileError::malformed(format!(
                "it cannot be shown without the extension '{name}', which is not known here"
            )));
        }
    }
    Ok(())
}

/// Converts floats like 1.0 to integers: some programs write them for counts and indices.
fn whole_numbers(value: &mut Value) {
    match value {
        Value::Number(number) => {
            let whole = number
                .as_f64()
                .filter(|float| number.is_f64() && float.fract() == 0.0 && float.abs() < 1e15);
            if let Some(whole) = whole {
                *value = json!(whole as i64);
            }
        }
        Value::Array(values) => values.iter_mut().for_each(whole_numbers),
        Value::Object(fields) => fields.values_mut().for_each(whole_numbers),
        _ => {}
    }
}

/// Removes `extras`.
fn without_extras(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(without_extras),
        Value::Object(fields) => {
            fields.remove("extras");
            fields.values_mut().for_each(without_extras);
        }
        _ => {}
    }
}

/// Gives every accessor a buffer view, and those of vectors bounds, which the library requires. The
/// content is read from the original JSON.
fn accessors(root: &mut Map<String, Value>) {
    let views = list(root, "bufferViews").len();
    let buffers = list(root, "buffers").len();
    let mut homeless = false;
    each(root, "accessors", |accessor| {
        accessor.remove("sparse");
        if !accessor.contains_key("bufferView") {
            accessor.insert("bufferView".into(), json!(views));
            homeless = true;
        }
        // The library requires bounds for positions.
        if accessor.get("type").is_some_and(|shape| shape == "VEC3") {
            accessor.insert("min".into(), json!([0, 0, 0]));
            accessor.insert("max".into(), json!([0, 0, 0]));
        }
    });
    if homeless {
        push(root, "bufferViews", json!({ "buffer": buffers, "byteLength": 1 }));
        let nothing =
            json!({ "byteLength": 1, "uri": "data:application/octet-stream;base64,AA==" });
        push(root, "buffers", nothing);
    }
}

/// Gives every texture a `source`, which the library requires: that of an extension, or an empty
/// image.
fn textures(root: &mut Map<String, Value>) {
    let images = list(root, "images").len();
    let mut missing = false;
    each(root, "textures", |texture| {
        if texture.contains_key("source") {
            return;
        }
        let extensions = texture.get("extensions").and_then(Value::as_object);
        let other =
            extensions.into_iter().flat_map(Map::values).find_map(|each| each.get("source"));
        let source = other.cloned().unwrap_or_else(|| {
            missing = true;
            json!(images)
        });
        texture.insert("source".into(), source);
    });
    if missing {
        push(root, "images", json!({ "uri": "data:," }));
    }
}

/// Adds a scene with all root nodes to a file that has nodes but no scene, and an empty list to a
/// scene without nodes.
fn scenes(root: &mut Map<String, Value>) {
    if list(root, "scenes").is_empty() && !list(root, "nodes").is_empty() {
        let nodes = list(root, "nodes");
        let children: Vec<&Value> = nodes
            .iter()
            .filter_map(|node| node.get("children").and_then(Value::as_array))
            .flatten()
            .collect();
        let roots: Vec<usize> =
            (0..nodes.len()).filter(|at| !children.contains(&&json!(at))).collect();
        root.insert("scenes".into(), json!([{ "nodes": roots }]));
    }
    each(root, "scenes", |scene| {
        scene.entry("nodes").or_insert_with(|| json!([]));
    });
}

fn list<'a>(fields: &'a Map<String, Value>, name: &str) -> &'a [Value] {
    fields.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn push(fields: &mut Map<String, Value>, name: &str, value: Value) {
    if let Some(list) = fields.entry(name).or_insert_with(|| json!([])).as_array_mut() {
        list.push(value);
    }
}

/// Calls `change` for each object of a list.
fn each(fields: &mut Map<String, Value>, list: &str, change: impl FnMut(&mut Map<String, Value>)) {
    let list = fields.get_mut(list).and_then(Value::as_array_mut);
    list.into_iter().flatten().filter_map(Value::as_object_mut).for_each(change);
}
