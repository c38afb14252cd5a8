//! Stated sizes, limits and damaged files.

use mesh_files::{Format, Limits, read_within};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::samples::{
    binary_ply, binary_stl, error_of, glb, gltf, gltf_buffer, good_glb, survives, text_ply,
    text_stl,
};

#[test]
fn what_a_file_promises_of_itself_is_checked() {
    let huge = text_ply().replace("element vertex 4", "element vertex 4000000000000");
    assert!(error_of(huge.as_bytes(), Format::Ply).contains("more than the file can hold"));
    let bare = "ply\nformat ascii 1.0\nelement vertex 5\nelement face 1\n\
                property list uchar int vertex_indices\nend_header\n3 0 1 2\n";
    assert!(error_of(bare.as_bytes(), Format::Ply).contains("more than the file can hold"));
    let no_z = text_ply().replace("property float z", "property float w");
    assert!(error_of(no_z.as_bytes(), Format::Ply).contains("no x, y and z"));
    let negative = text_ply().replace("3 1 2 3", "3 1 2 -3");
    assert!(error_of(negative.as_bytes(), Format::Ply).contains("vertex -3"));

    let changed = |pointer: &str, value: Value| {
        let mut document = gltf(&json!({ "byteLength": 72 }));
        document["extensionsRequired"] = json!([]);
        *document.pointer_mut(pointer).unwrap() = value;
        error_of(&glb(&document, &gltf_buffer()), Format::Gltf)
    };
    for (pointer, value, expected) in [
        ("/accessors/0/count", json!(5), "accessor 0 reaches beyond its buffer view"),
        ("/accessors/1/count", json!(13), "accessor 1 reaches beyond"),
        ("/accessors/1/count", json!(u64::MAX / 2), "more triangles than"),
        ("/asset/version", json!("1.1"), "this is glTF 1.1; only glTF 2.0 is read"),
        ("/extensionsRequired", json!(["KHR_draco_mesh_compression"]), "save the file without"),
        ("/scene", json!("first"), "scene: invalid type: string \"first\""),
        ("/extensionsRequired", json!(["EXT_portal"]), "without the extension 'EXT_portal'"),
        ("/bufferViews/1/byteLength", json!(9999), "reaches beyond its buffer"),
        ("/bufferViews/1/byteOffset", json!(u64::MAX - 3), "reaches beyond its buffer"),
        ("/buffers/0/byteLength", json!(73), "buffer 0 has 72 bytes, but 73 are promised"),
        ("/accessors/0/type", json!("VEC2"), "accessor 0 has a form"),
        (
            "/meshes/0/primitives/0/attributes/POSITION",
            json!(2),
            "a mesh names accessor 2, but there are 2",
        ),
        ("/nodes/0/children", json!([1, 1]), "node 1 is in several places"),
        ("/nodes/0/children", json!([0]), "node 0 is in several places"),
        ("/buffers/0", json!({ "byteLength": 72, "uri": "http://x/y.bin" }), "must be inside"),
    ] {
        let error = changed(pointer, value);
        assert!(error.contains(expected), "{pointer}: {error}");
    }
    let mut short = good_glb();
    short[8..12].copy_from_slice(&4_u32.to_le_bytes());
    assert!(error_of(&short, Format::Gltf).contains("promises 4 bytes"));
}

#[test]
fn no_more_is_read_than_the_limits_allow() {
    let obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    // A square counts as two triangles.
    let squares = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\nf 4 3 2 1\n";
    let files = [
        (text_ply().into_bytes(), Format::Ply),
        (binary_ply(true), Format::Ply),
        (text_stl().into_bytes(), Format::Stl),
        (binary_stl("binary"), Format::Stl),
        (obj.as_bytes().to_vec(), Format::Obj),
        (squares.as_bytes().to_vec(), Format::Obj),
        (good_glb(), Format::Gltf),
    ];
    for (bytes, format) in files {
        let within = |vertices, triangles| {
            let read = read_within(&bytes, format, &Limits { vertices, triangles });
            read.map_or_else(|error| error.to_string(), |_| "read".into())
        };
        assert_eq!(within(4, 4), "read");
        assert_eq!(within(3, 4), "the file has more vertices than the 3 that are read");
        assert_eq!(within(4, 3), "the file has more triangles than the 3 that are read");
    }
}

proptest! {
    #[test]
    fn damaged_files_are_refused_or_read(
        which in 0_usize..7, cut in 0.0_f64..1.0, at in 0.0_f64..1.0, byte in any::<u8>()
    ) {
        let obj = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\nf 1/1/1 2/1/1 3/1/1\nf -1 -2 -3\n";
        let (mut bytes, format) = match which {
            0 => (text_ply().into_bytes(), Format::Ply),
            1 => (binary_ply(false), Format::Ply),
            2 => (obj.to_vec(), Format::Obj),
            3 => (good_glb(), Format::Gltf),
            4 => (text_stl().into_bytes(), Format::Stl),
            5 => (binary_stl("binary"), Format::Stl),
            _ => (gltf(&json!({ "byteLength": 72 })).to_string().into_bytes(), Format::Gltf),
        };
        let place = (at * bytes.len() as f64) as usize;
        bytes[place] = byte;
        survives(&bytes, format);
        bytes.truncate((cut * bytes.len() as f64) as usize);
        survives(&bytes, format);
    }
}
