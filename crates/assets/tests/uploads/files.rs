//! Good files, and a library to put them into.

use std::io::Cursor;
use std::sync::Arc;

use assets::{Blobs, Checked, Library, LibraryError, MediaType, StoredAsset};
use bytes::Bytes;
use serde_json::{Value, json};
use store::{MemoryStore, Store};
use tokio_util::task::TaskTracker;

const CORNERS: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]];
const SIDES: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

/// A tetrahedron as text.
pub(crate) fn text_ply() -> Vec<u8> {
    let mut text = String::from(
        "ply\nformat ascii 1.0\ncomment a tetrahedron\nelement vertex 4\nproperty float x\n\
         property float y\nproperty float z\nelement face 4\n\
         property list uchar int vertex_indices\nend_header\n",
    );
    CORNERS.iter().for_each(|[x, y, z]| text += &format!("{x} {y} {z}\n"));
    SIDES.iter().for_each(|[a, b, c]| text += &format!("3 {a} {b} {c}\n"));
    text.into_bytes()
}

/// The same in bytes.
pub(crate) fn binary_ply() -> Vec<u8> {
    let mut bytes = b"ply\nformat binary_little_endian 1.0\nelement vertex 4\nproperty float x\n\
        property float y\nproperty float z\nelement face 4\n\
        property list uint uint vertex_index\nend_header\n"
        .to_vec();
    bytes.extend(CORNERS.iter().flatten().flat_map(|part| part.to_le_bytes()));
    for side in SIDES {
        bytes.extend(3_u32.to_le_bytes());
        bytes.extend(side.iter().flat_map(|corner| corner.to_le_bytes()));
    }
    bytes
}

pub(crate) fn obj() -> Vec<u8> {
    let mut text = String::from("o tetrahedron\nvt 0 0\nvn 0 0 1\n");
    CORNERS.iter().for_each(|[x, y, z]| text += &format!("v {x} {y} {z}\n"));
    for [a, b, c] in SIDES.map(|side| side.map(|corner| corner + 1)) {
        text += &format!("f {a}/1/1 {b}/1/1 {c}/1/1\n");
    }
    text.into_bytes()
}

pub(crate) fn gltf_document(buffer: &Value) -> Value {
    json!({
        "asset": { "version": "2.0" }, "scene": 0, "scenes": [{ "nodes": [0] }],
        "nodes": [{ "children": [1] }, { "mesh": 0 }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 1 }] }],
        "buffers": [buffer],
        "bufferViews": [{ "buffer": 0, "byteLength": 48 },
                        { "buffer": 0, "byteOffset": 48, "byteLength": 24 }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3",
              "min": [0, 0, 0], "max": [1, 2, 3] },
            { "bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR" },
        ],
    })
}

fn gltf_buffer() -> Vec<u8> {
    let positions = CORNERS.iter().flatten().flat_map(|part| part.to_le_bytes());
    let indices = SIDES.iter().flatten().flat_map(|&corner| (corner as u16).to_le_bytes());
    positions.chain(indices).collect()
}

/// A binary glTF of this document.
pub(crate) fn glb_of(document: &Value) -> Vec<u8> {
    let (mut text, buffer) = (document.to_string().into_bytes(), gltf_buffer());
    text.resize(text.len().next_multiple_of(4), b' ');
    let length = 12 + 8 + text.len() + 8 + buffer.len();
    let mut bytes = b"glTF".to_vec();
    bytes.extend([2_u32, length as u32, text.len() as u32].iter().flat_map(|x| x.to_le_bytes()));
    bytes.extend(b"JSON");
    bytes.extend(text);
    bytes.extend((buffer.len() as u32).to_le_bytes());
    bytes.extend(b"BIN\0");
    bytes.extend(buffer);
    bytes
}

pub(crate) fn glb() -> Vec<u8> {
    glb_of(&gltf_document(&json!({ "byteLength": 72 })))
}

pub(crate) fn picture(format: image::ImageFormat) -> Vec<u8> {
    let mut bytes = Vec::new();
    let picture = image::RgbImage::from_fn(4, 3, |x, y| image::Rgb([x as u8 * 60, y as u8, 7]));
    picture.write_to(&mut Cursor::new(&mut bytes), format).unwrap();
    bytes
}

/// One good file of each kind, with a name.
pub(crate) fn good_files() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("text.ply", text_ply()),
        ("binary.ply", binary_ply()),
        ("a.obj", obj()),
        ("a.glb", glb()),
        ("a.png", picture(image::ImageFormat::Png)),
        ("a.jpg", picture(image::ImageFormat::Jpeg)),
        ("a.webp", picture(image::ImageFormat::WebP)),
    ]
}

/// A library that keeps everything in memory, and what it stands on.
pub(crate) struct Stage {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) blobs: Blobs,
    pub(crate) library: Arc<Library>,
}

impl Stage {
    pub(crate) async fn new() -> Self {
        Self::over(Arc::new(MemoryStore::default()), Blobs::in_memory()).await
    }

    pub(crate) async fn over(store: Arc<dyn Store>, blobs: Blobs) -> Self {
        let opened =
            Library::open(Arc::clone(&store), blobs.clone(), 1 << 20, TaskTracker::new()).await;
        Self { store, blobs, library: Arc::new(opened.unwrap()) }
    }

    pub(crate) async fn check(&self, name: &str, bytes: &[u8]) -> Result<Checked, LibraryError> {
        self.library.check(Bytes::copy_from_slice(bytes), name, None).await
    }

    pub(crate) async fn add(&self, name: &str, bytes: &[u8], now_ms: u64) -> StoredAsset {
        let checked = self.check(name, bytes).await.unwrap();
        self.library.add(checked, now_ms).await.unwrap()
    }

    /// What is wrong with a file of this kind; panics when it is good.
    pub(crate) async fn error(&self, kind: MediaType, bytes: Vec<u8>) -> String {
        let checked = self.library.check(bytes.into(), "", Some(kind)).await;
        checked.map(|_| ()).unwrap_err().to_string()
    }

    /// Whether nothing at all is kept: neither known, nor its content.
    pub(crate) async fn is_empty(&self) -> bool {
        let again = Self::over(Arc::clone(&self.store), self.blobs.clone()).await;
        self.library.assets().is_empty()
            && again.library.assets().is_empty()
            && self.store.assets(None).await.unwrap().is_empty()
            // A sweep of everything finds nothing.
            && self.library.sweep(u64::MAX).await.unwrap() == 0
    }
}
