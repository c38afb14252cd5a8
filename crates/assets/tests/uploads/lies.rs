//! Files that are not what they say: each is refused with words that say why, and nothing is kept.

use std::io::Write as _;

use assets::{MAX_TRIANGLES, MediaType};
use serde_json::{Value, json};

use crate::files::{Stage, binary_ply, glb, glb_of, gltf_document, obj, picture, text_ply};

fn changed(bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
    let at = bytes.windows(from.len()).position(|window| window == from.as_bytes()).unwrap();
    [&bytes[..at], to.as_bytes(), &bytes[at + from.len()..]].concat()
}

fn header(format: &str, lines: &str) -> Vec<u8> {
    format!("ply\nformat {format} 1.0\n{lines}end_header\n").into_bytes()
}

const XYZ: &str = "property float x\nproperty float y\nproperty float z\n";

/// Each with a part of what is said of it.
fn lies() -> Vec<(&'static str, MediaType, Vec<u8>, &'static str)> {
    use MediaType::{Glb, Gltf, Jpeg, Obj, Ply, Png};
    let glb_with = |pointer: &str, value: Value| {
        let mut document = gltf_document(&json!({ "byteLength": 72 }));
        *document.pointer_mut(pointer).unwrap() = value;
        glb_of(&document)
    };
    let gltf_with = |key: &str, value: Value| {
        let mut document = gltf_document(&json!({ "byteLength": 72 }));
        document[key] = value;
        document.to_string().into_bytes()
    };
    let elsewhere = |uri: &str| {
        gltf_document(&json!({ "byteLength": 72, "uri": uri })).to_string().into_bytes()
    };
    let mut png_bomb = Vec::new();
    image::GrayImage::new(9_000, 9_000)
        .write_to(&mut std::io::Cursor::new(&mut png_bomb), image::ImageFormat::Png)
        .unwrap();
    assert!(png_bomb.len() < 1 << 20, "a bomb is small");
    let million = 1_000_000;
    vec![
        ("nothing", Ply, Vec::new(), "end_header"),
        ("zeros", Ply, vec![0; 1 << 16], "end_header"),
        ("a picture called a mesh", Ply, picture(image::ImageFormat::Png), "end_header"),
        ("a mesh called a picture", Png, text_ply(), "png"),
        ("a picture of another kind", Jpeg, picture(image::ImageFormat::Png), "jpeg"),
        ("text that is no mesh", Obj, b"Dear Sir or Madam,\n".to_vec(), "no triangles"),
        ("points alone", Obj, b"v 0 0 0\nv 1 0 0\nv 0 1 0\n".to_vec(), "no triangles"),
        ("text that is no text", Obj, b"v 0 0 0\n\xff\xfe\n".to_vec(), "no triangles"),
        ("half a file", Glb, glb()[..glb().len() / 2].to_vec(), "promises"),
        ("half a text", Ply, text_ply()[..text_ply().len() - 20].to_vec(), "expected 3 list elements"),
        // Wrong counts.
        ("vertices", Ply, changed(&text_ply(), "vertex 4", "vertex 4000000000"), "more than the file"),
        ("one face more", Ply, changed(&text_ply(), "face 4", "face 5"), "promises"),
        ("a vertex that is not there", Ply, changed(&text_ply(), "3 1 2 3", "3 1 2 9"), "names vertex 9"),
        ("a vertex that is not there, in OBJ", Obj, [obj(), b"f 1 2 99\n".to_vec()].concat(), "index"),
        ("a list of 4,000,000,000", Ply, {
            let mut bytes = binary_ply();
            let at = bytes.len() - 16;
            bytes[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
            bytes
        }, "a list element at index 3"),
        ("elements without properties", Ply,
            header("ascii", &format!("element vertex 3\n{XYZ}element face 9999999999\n")), "more than the file"),
        ("a count that is no count", Ply, changed(&text_ply(), "vertex 4", "vertex -4"), "vertex"),
        ("an accessor", Glb, glb_with("/accessors/0/count", json!(u32::MAX)), "more vertices than"),
        ("a buffer", Glb, glb_with("/buffers/0/byteLength", json!(u32::MAX)), "are promised"),
        ("a view that goes round", Glb, glb_with("/bufferViews/1/byteOffset", json!(u64::MAX - 3)), "reaches beyond"),
        // Numbers.
        ("infinite", Ply, changed(&text_ply(), "1 0 0", "1e39 0 0"), "coordinates must be within"),
        ("not a number", Obj, [b"v nan nan nan\n".to_vec(), obj()].concat(), "three numbers"),
        ("far away", Obj, [b"v 1e9 0 0\n".to_vec(), obj()].concat(), "coordinates must be within"),
        // Bombs: small files that mean much.
        ("empty nodes", Gltf, gltf_with("nodes", Value::Array(vec![json!({}); million])), "values in its JSON"),
        ("empty parts", Obj, b"v 0 0 0\no a\nf 1 1 1\n".repeat(100_000), "objects and groups"),
        ("faces without number", Obj, [obj(), b"f 1\n".repeat(MAX_TRIANGLES + 1)].concat(), "triangles than"),
        ("one endless face", Obj, [b"v 0 0 0\nf".to_vec(), b" 1".repeat(million)].concat(), "a line has more"),
        ("one endless face, in PLY", Ply, [
            header("ascii", &format!("element vertex 1\n{XYZ}element face 1\nproperty list int int vertex_index\n")),
            format!("0 0 0\n{million}").into_bytes(),
            b" 0".repeat(million),
        ].concat(), "a line has more"),
        ("a header without end", Ply, [b"ply\nformat ascii 1.0\n".to_vec(), b"comment x\n".repeat(million)].concat(), "end_header"),
        ("a header of many elements", Ply, [b"ply\nformat ascii 1.0\n".to_vec(), b"element a 0\n".repeat(10_000), b"end_header\n".to_vec()].concat(), "end_header"),
        ("the same mesh over and over", Glb, {
            let mut document = gltf_document(&json!({ "byteLength": 72 }));
            let mesh = document["meshes"][0]["primitives"][0].clone();
            document["meshes"][0]["primitives"] = Value::Array(vec![mesh; 2_000]);
            let nodes: Vec<Value> = (0..2_000).map(|_| json!({ "mesh": 0 })).collect();
            document["scenes"][0]["nodes"] = (0..2_000).collect();
            document["nodes"] = nodes.into();
            glb_of(&document)
        }, "more triangles than"),
        ("a huge picture", Png, png_bomb, "9000 x 9000"),
        // Nests and loops.
        ("a deep nest", Gltf, [b"{\"x\":".to_vec(), b"[".repeat(100_000), b"]".repeat(100_000), b"}".to_vec()].concat(), "recursion limit"),
        ("a node in itself", Glb, glb_with("/nodes/0/children", json!([0])), "node 0 is in several places"),
        ("a node twice", Glb, glb_with("/nodes/0/children", json!([1, 1])), "node 1 is in several places"),
        // Other files.
        ("a file of the server", Gltf, elsewhere("/etc/passwd"), "must be inside"),
        ("a file above", Gltf, elsewhere("../sessions.sqlite"), "must be inside"),
        ("another server", Gltf, elsewhere("http://127.0.0.1/x.bin"), "must be inside"),
        ("packed triangles", Gltf, gltf_with("extensionsRequired", json!(["KHR_draco_mesh_compression"])), "KHR_draco_mesh_compression"),
    ]
}

#[tokio::test]
async fn each_is_refused_with_the_reason_and_nothing_is_kept() {
    let stage = Stage::new().await;

    let mut wrong = Vec::new();
    for (name, kind, bytes, expected) in lies() {
        let error = stage.error(kind, bytes).await;
        let is_told = error.to_lowercase().contains(&expected.to_lowercase());
        if !is_told || !error.contains(kind.name()) || error.len() > 500 {
            wrong.push(format!("{name}: {error}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(stage.is_empty().await);
}

#[tokio::test]
async fn a_file_that_nothing_tells_the_kind_of_is_refused() {
    let stage = Stage::new().await;
    let error = stage.check("notes.txt", b"v 0 0 0\n").await.unwrap_err().to_string();
    assert!(error.contains("model/ply") && error.contains(".glb"), "{error}");
    // Some say it themselves.
    assert!(stage.check("mesh", &text_ply()).await.is_ok());
    assert!(stage.check("", &picture(image::ImageFormat::WebP)).await.is_ok());
}

/// What is read of a file is in proportion to it: a stream of pixels that is cut off says so.
#[tokio::test]
async fn a_picture_that_ends_early_is_refused() {
    let stage = Stage::new().await;
    let mut bytes = Vec::new();
    bytes.write_all(&picture(image::ImageFormat::Png)[..50]).unwrap();
    assert!(!stage.error(MediaType::Png, bytes).await.is_empty());
}
