//! The binary buffer of a glTF file, with its views and accessors.

use media::MeshData;
use serde_json::{Value, json};

use crate::export::Content;

// Constants of the specification.
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;
const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;

/// The buffer of a file, as it is written.
#[derive(Default)]
pub(super) struct Buffer {
    pub(super) accessors: Vec<Value>,
    pub(super) views: Vec<Value>,
    pub(super) bytes: Content,
    /// The length of `bytes`.
    pub(super) length: usize,
}

impl Buffer {
    /// Adds a mesh and returns its primitive, without a material.
    pub(super) fn primitive(&mut self, data: &MeshData) -> Value {
        let vertices = data.positions.len();
        let mut attributes = json!({ "POSITION": self.vectors(&data.positions, "VEC3", true) });
        if data.normals.len() == vertices {
            // glTF requires unit normals.
            let unit = |normal: &[f32; 3]| {
                glam::Vec3::from_array(*normal).normalize_or(glam::Vec3::Y).to_array()
            };
            let normals: Vec<[f32; 3]> = data.normals.iter().map(unit).collect();
            attributes["NORMAL"] = self.vectors(&normals, "VEC3", false).into();
        }
        if data.uv.len() == vertices {
            // In glTF v points down.
            let uv: Vec<_> = data.uv.iter().map(|[u, v]| [*u, 1.0 - v]).collect();
            attributes["TEXCOORD_0"] = self.vectors(&uv, "VEC2", false).into();
        }
        let indices = data.triangles.iter().flatten().flat_map(|index| index.to_le_bytes());
        let bytes: Vec<u8> = indices.collect();
        let view = self.view(bytes, Some(ELEMENT_ARRAY_BUFFER));
        self.accessors.push(json!({ "bufferView": view, "componentType": UNSIGNED_INT,
            "count": data.triangles.len() * 3, "type": "SCALAR" }));
        json!({ "attributes": attributes, "indices": self.accessors.len() - 1 })
    }

    /// Adds an accessor of vectors, with their minimum and maximum if `with_bounds`.
    fn vectors<const N: usize>(
        &mut self,
        list: &[[f32; N]],
        kind: &str,
        with_bounds: bool,
    ) -> usize {
        let bytes: Vec<u8> =
            list.iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
        let view = self.view(bytes, Some(ARRAY_BUFFER));
        let mut accessor = json!({ "bufferView": view, "componentType": FLOAT,
            "count": list.len(), "type": kind });
        if with_bounds {
            let fold = |pick: fn(f32, f32) -> f32, start: f32| -> Vec<f32> {
                (0..N).map(|axis| list.iter().map(|item| item[axis]).fold(start, pick)).collect()
            };
            accessor["min"] = json!(fold(f32::min, f32::INFINITY));
            accessor["max"] = json!(fold(f32::max, f32::NEG_INFINITY));
        }
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// Adds a buffer view. `target` is its use; images have none.
    pub(super) fn view(&mut self, mut bytes: Vec<u8>, target: Option<u32>) -> usize {
        let mut view = json!({ "buffer": 0, "byteOffset": self.length, "byteLength": bytes.len() });
        if let Some(target) = target {
            view["target"] = target.into();
        }
        self.views.push(view);
        // Views are aligned to four bytes.
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        self.length += bytes.len();
        self.bytes.push(bytes);
        self.views.len() - 1
    }
}

/// A GLB container: header, JSON chunk, binary chunk; each is padded to four bytes.
pub(super) fn glb(file: &Value, bytes: Content) -> Content {
    let mut text = file.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    // The binary chunk is padded already, since each view is.
    let length = bytes.len();
    let binary = if length == 0 { 0 } else { 8 + length };
    let mut head = b"glTF".to_vec();
    for number in [2, 12 + 8 + text.len() + binary, text.len()] {
        head.extend_from_slice(&(number as u32).to_le_bytes());
    }
    head.extend_from_slice(b"JSON");
    let mut glb = Content::from(head);
    glb.push(text);
    if length > 0 {
        let mut head = (length as u32).to_le_bytes().to_vec();
        head.extend_from_slice(b"BIN\0");
        glb.push(head);
        glb.append(bytes);
    }
    glb
}
