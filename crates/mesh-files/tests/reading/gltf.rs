//! glTF files.

use mesh_files::{Format, read};
use serde_json::{Value, json};

use crate::samples::{TETRAHEDRON, glb, gltf, gltf_buffer, good_glb, placed, tetrahedron};

#[test]
fn gltf_is_read_with_its_nodes_as_glb_and_with_data_inside() {
    let expected = placed(tetrahedron());
    assert_eq!(read(&good_glb(), Format::Gltf).unwrap(), expected);
    // A buffer of zeros in base64.
    let zeros = "data:application/octet-stream;base64,".to_owned() + &"A".repeat(96);
    let document = gltf(&json!({ "byteLength": 72, "uri": zeros }));
    let flat = read(document.to_string().as_bytes(), Format::Gltf).unwrap();
    assert_eq!(flat.positions, [[1.0, 0.0, 0.0]; 4]);
}

#[test]
fn a_mirrored_node_keeps_its_front() {
    let mut document = gltf(&json!({ "byteLength": 72 }));
    document["nodes"][1]["scale"] = json!([-1, 1, 1]);
    let data = read(&glb(&document, &gltf_buffer()), Format::Gltf).unwrap();
    assert_eq!(data.triangles[0], [0, 1, 2]);
}

/// Unusual but valid files of exporters, and invalid ones that every other reader accepts.
#[test]
fn gltf_of_other_programs_is_read() {
    let mut document = gltf(&json!({ "byteLength": 72 }));
    let expected = placed(tetrahedron());
    let read_as = |document: &Value, buffer: &[u8], what: &str| {
        let data = read(&glb(document, buffer), Format::Gltf);
        data.unwrap_or_else(|error| panic!("{what}: {error}"))
    };
    for (what, pointer, value) in [
        (
            "no bounds",
            "/accessors/0",
            json!({ "bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3" }),
        ),
        ("whole numbers as floats", "/accessors/1/count", json!(12.0)),
        ("any extras", "/extras", json!(42)),
        (
            "movement by extensions",
            "/animations",
            json!([{ "channels": [{ "sampler": 0, "target": { "path": "pointer" } }], "samplers": [] }]),
        ),
        ("a skin", "/skins", json!([{ "joints": [7] }])),
        (
            "attributes of its own",
            "/meshes/0/primitives/0/attributes",
            json!({ "POSITION": 0, "_BATCHID": 1, "COLOR_0": 0 }),
        ),
        (
            "textures in newer pictures",
            "/textures",
            json!([{ "extensions": { "KHR_texture_basisu": { "source": 0 } } }, {}]),
        ),
        (
            "materials by extensions",
            "/extensionsRequired",
            json!(["KHR_materials_sheen", "KHR_mesh_quantization"]),
        ),
        ("no nodes in a second scene", "/scenes", json!([{ "nodes": [0] }, { "name": "empty" }])),
    ] {
        let mut other = document.clone();
        other["extras"] = json!({});
        for list in ["animations", "skins", "textures", "images", "extensionsRequired"] {
            other[list] = json!([]);
        }
        other["images"] = json!([{ "uri": "data:," }]);
        *other.pointer_mut(pointer).unwrap() = value;
        assert_eq!(read_as(&other, &gltf_buffer(), what), expected, "{what}");
    }
    // Without scenes, all nodes are shown.
    let root = document.as_object_mut().unwrap();
    root.remove("scene");
    root.remove("scenes");
    assert_eq!(read_as(&document, &gltf_buffer(), "no scene"), expected);
    // An additional chunk of an unknown type.
    let mut bytes = good_glb();
    bytes.extend([4, 0, 0, 0, b'M', b'O', b'R', b'E', 0, 0, 0, 0]);
    let length = bytes.len() as u32;
    bytes[8..12].copy_from_slice(&length.to_le_bytes());
    assert_eq!(read(&bytes, Format::Gltf).unwrap(), expected);
}

#[test]
fn gltf_numbers_are_read_in_every_form() {
    let shown = |accessor: Value, buffer: &[u8]| {
        let length = buffer.len();
        let mut document = gltf(&json!({ "byteLength": length }));
        document["nodes"] = json!([{ "mesh": 0 }]);
        document["bufferViews"] = json!([
            { "buffer": 0, "byteLength": length - 24 },
            { "buffer": 0, "byteOffset": length - 24, "byteLength": 24 },
            { "buffer": 0, "byteLength": length - 24, "byteStride": 8 },
        ]);
        document["accessors"][0] = accessor;
        read(&glb(&document, buffer), Format::Gltf).unwrap().positions
    };
    let indices = &gltf_buffer()[48..];
    // 16 bits per number, with padding after each three.
    let quantized: Vec<u8> = TETRAHEDRON
        .iter()
        .flat_map(|[x, y, z]| [*x, *y, *z, 9.0])
        .flat_map(|part| ((part * 32_767.0) as i16).to_le_bytes())
        .chain(indices.iter().copied())
        .collect();
    let of_shorts = json!({ "bufferView": 2, "componentType": 5122, "count": 4, "type": "VEC3", "normalized": true });
    assert_eq!(shown(of_shorts.clone(), &quantized), TETRAHEDRON);
    let mut whole = of_shorts;
    whole["normalized"] = json!(false);
    assert_eq!(shown(whole, &quantized)[1], [32_767.0, 0.0, 0.0]);
    // All zero except the second and the fourth.
    let sparse: Vec<u8> = [1, 3, 0, 0]
        .into_iter()
        .chain([2.0, 0.0, 0.0, 0.0, 0.0, 3.0_f32].iter().flat_map(|part| part.to_le_bytes()))
        .chain(indices.iter().copied())
        .collect();
    let of_two = json!({ "componentType": 5126, "count": 4, "type": "VEC3", "sparse": {
        "count": 2,
        "indices": { "bufferView": 0, "componentType": 5121 },
        "values": { "bufferView": 0, "byteOffset": 4 },
    } });
    let expected = [[0.0; 3], [2.0, 0.0, 0.0], [0.0; 3], [0.0, 0.0, 3.0]];
    assert_eq!(shown(of_two, &sparse), expected);
}
