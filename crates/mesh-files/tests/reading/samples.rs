//! A tetrahedron in every format.

use media::MeshData;
use mesh_files::{Format, read};
use serde_json::{Value, json};

pub(crate) const TETRAHEDRON: [[f32; 3]; 4] =
    [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
pub(crate) const SIDES: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

pub(crate) fn tetrahedron() -> MeshData {
    MeshData { positions: TETRAHEDRON.to_vec(), triangles: SIDES.to_vec(), ..MeshData::default() }
}

pub(crate) fn text_ply() -> String {
    let mut text = String::from(
        "ply\nformat ascii 1.0\ncomment made by hand\nelement vertex 4\nproperty float x\n\
         property double y\nproperty float z\nelement face 4\n\
         property list uchar int vertex_indices\nend_header\n",
    );
    TETRAHEDRON.iter().for_each(|[x, y, z]| text += &format!("{x} {y} {z}\n"));
    SIDES.iter().for_each(|[a, b, c]| text += &format!("3 {a} {b} {c}\n"));
    text
}

pub(crate) fn binary_ply(big: bool) -> Vec<u8> {
    let order = if big { "big" } else { "little" };
    let mut bytes = format!(
        "ply\nformat binary_{order}_endian 1.0\nelement vertex 4\nproperty float x\n\
         property float y\nproperty float z\nproperty float u\nproperty float v\n\
         element face 4\nproperty list uchar uint vertex_index\nend_header\n"
    )
    .into_bytes();
    for [x, y, z] in TETRAHEDRON {
        for part in [x, y, z, x, y] {
            bytes.extend(if big { part.to_be_bytes() } else { part.to_le_bytes() });
        }
    }
    for side in SIDES {
        bytes.push(3);
        for corner in side {
            bytes.extend(if big { corner.to_be_bytes() } else { corner.to_le_bytes() });
        }
    }
    bytes
}

pub(crate) fn text_stl() -> String {
    let mut text = String::from("solid by hand\n");
    for side in SIDES {
        text += " facet normal 0 0 0\n  outer loop\n";
        for [x, y, z] in side.map(|at| TETRAHEDRON[at as usize]) {
            text += &format!("   vertex {x:e} {y:.6} {z}\n");
        }
        text += "  endloop\n endfacet\n";
    }
    text + "endsolid by hand\n"
}

/// A binary STL file whose comment begins with `header`.
pub(crate) fn binary_stl(header: &str) -> Vec<u8> {
    let mut bytes = header.as_bytes().to_vec();
    bytes.resize(80, b' ');
    bytes.extend((SIDES.len() as u32).to_le_bytes());
    for side in SIDES {
        let corners = side.iter().flat_map(|&at| TETRAHEDRON[at as usize]);
        bytes.extend([0.0_f32; 3].into_iter().chain(corners).flat_map(f32::to_le_bytes));
        bytes.extend([0, 0]);
    }
    bytes
}

/// The same tetrahedron with vertices in the order of an STL file.
pub(crate) fn stl_tetrahedron() -> MeshData {
    let [a, b, c, d] = TETRAHEDRON;
    MeshData {
        positions: vec![a, c, b, d],
        triangles: vec![[0, 1, 2], [0, 2, 3], [0, 3, 1], [2, 1, 3]],
        ..MeshData::default()
    }
}

/// Positions, then 16-bit indices.
pub(crate) fn gltf_buffer() -> Vec<u8> {
    let positions = TETRAHEDRON.iter().flatten().flat_map(|x| x.to_le_bytes());
    let indices = SIDES.iter().flatten().flat_map(|&at| (at as u16).to_le_bytes());
    positions.chain(indices).collect()
}

pub(crate) fn gltf(buffer: &Value) -> Value {
    json!({
        "asset": { "version": "2.0" }, "scene": 0, "scenes": [{ "nodes": [0] }],
        "nodes": [{ "children": [1], "translation": [1, 0, 0] }, { "mesh": 0, "scale": [2, 2, 2] }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 1 }] }],
        "buffers": [buffer],
        "bufferViews": [{ "buffer": 0, "byteLength": 48 },
                        { "buffer": 0, "byteOffset": 48, "byteLength": 24 }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3",
              "min": [0, 0, 0], "max": [1, 1, 1] },
            { "bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR" },
        ],
    })
}

pub(crate) fn glb(document: &Value, buffer: &[u8]) -> Vec<u8> {
    let mut text = document.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut bytes = b"glTF".to_vec();
    let length = 12 + 8 + text.len() + 8 + buffer.len();
    bytes.extend([2_u32, length as u32, text.len() as u32].iter().flat_map(|x| x.to_le_bytes()));
    bytes.extend(b"JSON");
    bytes.extend(text);
    bytes.extend((buffer.len() as u32).to_le_bytes());
    bytes.extend(b"BIN\0");
    bytes.extend(buffer);
    bytes
}

pub(crate) fn good_glb() -> Vec<u8> {
    glb(&gltf(&json!({ "byteLength": 72 })), &gltf_buffer())
}

/// The mesh scaled by 2, then translated by [1, 0, 0].
pub(crate) fn placed(data: MeshData) -> MeshData {
    let place = |[x, y, z]: [f32; 3]| [2.0 * x + 1.0, 2.0 * y, 2.0 * z];
    MeshData { positions: data.positions.into_iter().map(place).collect(), ..data }
}

pub(crate) fn error_of(bytes: &[u8], format: Format) -> String {
    read(bytes, format).map_or_else(|error| error.to_string(), |data| format!("read: {data:?}"))
}

/// Reads damaged bytes: the result is an error or a mesh, never a panic.
pub(crate) fn survives(bytes: &[u8], format: Format) {
    if let Ok(data) = read(bytes, format) {
        // The mesh may be invalid.
        let _ = data.check();
    }
}
