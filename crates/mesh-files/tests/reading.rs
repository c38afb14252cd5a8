//! Good and bad mesh files, and files that are not to be read.

use std::path::Path;

use media::MeshData;
use mesh_files::{Folder, Format, Limits, MeshFileError, read, read_within};
use proptest::prelude::*;
use scene::Scene;
use serde_json::{Value, json};

const TETRAHEDRON: [[f32; 3]; 4] =
    [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
const SIDES: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

fn tetrahedron() -> MeshData {
    MeshData { positions: TETRAHEDRON.to_vec(), triangles: SIDES.to_vec(), ..MeshData::default() }
}

fn text_ply() -> String {
    let mut text = String::from(
        "ply\nformat ascii 1.0\ncomment made by hand\nelement vertex 4\nproperty float x\n\
         property double y\nproperty float z\nelement face 4\n\
         property list uchar int vertex_indices\nend_header\n",
    );
    TETRAHEDRON.iter().for_each(|[x, y, z]| text += &format!("{x} {y} {z}\n"));
    SIDES.iter().for_each(|[a, b, c]| text += &format!("3 {a} {b} {c}\n"));
    text
}

fn binary_ply(big: bool) -> Vec<u8> {
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

fn text_stl() -> String {
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

/// `header` is what its comment begins with.
fn binary_stl(header: &str) -> Vec<u8> {
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

/// The same solid; STL numbers vertices as they come.
fn stl_tetrahedron() -> MeshData {
    let [a, b, c, d] = TETRAHEDRON;
    MeshData {
        positions: vec![a, c, b, d],
        triangles: vec![[0, 1, 2], [0, 2, 3], [0, 3, 1], [2, 1, 3]],
        ..MeshData::default()
    }
}

/// Positions, then 16-bit indices.
fn gltf_buffer() -> Vec<u8> {
    let positions = TETRAHEDRON.iter().flatten().flat_map(|x| x.to_le_bytes());
    let indices = SIDES.iter().flatten().flat_map(|&at| (at as u16).to_le_bytes());
    positions.chain(indices).collect()
}

fn gltf(buffer: &Value) -> Value {
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

fn glb(document: &Value, buffer: &[u8]) -> Vec<u8> {
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

fn good_glb() -> Vec<u8> {
    glb(&gltf(&json!({ "byteLength": 72 })), &gltf_buffer())
}

/// Moved by [1, 0, 0] after it was doubled.
fn placed(data: MeshData) -> MeshData {
    let place = |[x, y, z]: [f32; 3]| [2.0 * x + 1.0, 2.0 * y, 2.0 * z];
    MeshData { positions: data.positions.into_iter().map(place).collect(), ..data }
}

fn error_of(bytes: &[u8], format: Format) -> String {
    read(bytes, format).map_or_else(|error| error.to_string(), |data| format!("read: {data:?}"))
}

#[test]
fn ply_is_read_as_text_and_in_both_orders_of_bytes() {
    assert_eq!(read(text_ply().as_bytes(), Format::Ply).unwrap(), tetrahedron());
    for big in [false, true] {
        let data = read(&binary_ply(big), Format::Ply).unwrap();
        assert_eq!(data.uv[1], [1.0, 0.0]);
        assert_eq!(MeshData { uv: Vec::new(), ..data }, tetrahedron());
    }
}

#[test]
fn stl_is_read_as_text_and_binary_and_corners_are_shared() {
    assert_eq!(read(text_stl().as_bytes(), Format::Stl).unwrap(), stl_tetrahedron());
    let windows = text_stl().replace('\n', "\r\n").to_uppercase().replace("SOLID", "solid");
    assert_eq!(read(windows.as_bytes(), Format::Stl).unwrap(), stl_tetrahedron());
    for header in ["made by hand", "solid and yet binary"] {
        assert_eq!(read(&binary_stl(header), Format::Stl).unwrap(), stl_tetrahedron());
    }
    let mut longer = binary_stl("colors follow");
    longer.extend(b"COLOR=");
    assert_eq!(read(&longer, Format::Stl).unwrap(), stl_tetrahedron());
    assert_eq!(Format::of(Path::new("part.STL")), Some(Format::Stl));
}

#[test]
fn a_damaged_stl_file_tells_what_is_wrong() {
    for (bytes, expected) in [
        (b"".to_vec(), "begins with 'solid', or with a header of 84 bytes"),
        (binary_stl("cut")[..200].to_vec(), "promises 4 triangles, more than the file can hold"),
        (
            text_stl().replacen("vertex 0e0", "vertex zero", 1).into(),
            "line 4: 'vertex' needs three",
        ),
        (text_stl().replacen("  endloop\n", "", 1).into(), "line 13: a facet needs three vertices"),
        (text_stl()[..74].into(), "the file ends within a facet"),
    ] {
        let error = error_of(&bytes, Format::Stl);
        assert!(error.contains(expected), "{error}");
    }
    let empty = read(b"solid\nendsolid\n", Format::Stl).unwrap();
    assert_eq!(empty.check().unwrap_err().to_string(), "the mesh has no triangles");
}

#[test]
fn polygons_are_cut_and_other_elements_passed_over() {
    let text = "ply\nformat ascii 1.0\nelement edge 1\nproperty int a\nelement vertex 4\n\
        property float x\nproperty float y\nproperty float z\nproperty float nx\n\
        property float ny\nproperty float nz\nelement face 1\n\
        property list uchar int vertex_indices\nend_header\n\
        7\n0 0 0 0 0 1\n1 0 0 0 0 1\n1 1 0 0 0 1\n0 1 0 0 0 1\n4 0 1 2 3\n";
    let data = read(text.as_bytes(), Format::Ply).unwrap();
    assert_eq!(data.triangles, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(data.normals, [[0.0, 0.0, 1.0]; 4]);
}

#[test]
fn obj_is_read_with_polygons_normals_and_several_parts() {
    let text = "mtllib none.mtl\no one\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvn 0 0 1\n\
                f 1//1 2//1 3//1 4//1\no two\nv 0 0 2\nf 1//1 2//1 -1//1\n";
    let data = read(text.as_bytes(), Format::Obj).unwrap();
    assert_eq!((data.triangles.len(), data.positions.len()), (3, 7));
    assert_eq!(data.normals, [[0.0, 0.0, 1.0]; 7]);
    let apex = data.triangles[2][2] as usize;
    assert_eq!(data.positions[apex], [0.0, 0.0, 2.0]);
    assert!(data.check().is_ok());
}

/// The library counts back from the first texture coordinate.
#[test]
fn an_index_before_the_first_is_a_fault_or_no_index() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/-9/ 2/-9/ 3/-9/\n";
    survives(text.as_bytes(), Format::Obj);
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -9\n";
    assert!(!error_of(text.as_bytes(), Format::Obj).starts_with("read"));
}

#[test]
fn gltf_is_read_with_its_nodes_as_glb_and_with_data_inside() {
    let expected = placed(tetrahedron());
    assert_eq!(read(&good_glb(), Format::Gltf).unwrap(), expected);
    // The same numbers in base64.
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
    // A square counts as two.
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

/// Whatever is cut off or changed: an error or a mesh, never a panic.
fn survives(bytes: &[u8], format: Format) {
    if let Ok(data) = read(bytes, format) {
        // A error of the mesh is an answer as well.
        let _ = data.check();
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

fn scene_of(assets: &[&str]) -> Scene {
    let shape = |(index, asset): (usize, &&str)| json!({ "id": format!("s{index}"), "type": "mesh", "properties": { "asset": asset } });
    let shapes: Vec<Value> = assets.iter().enumerate().map(shape).collect();
    Scene::from_json(&json!({ "version": 1, "shapes": shapes }))
        .unwrap_or_else(|violations| panic!("{violations}"))
}

#[test]
fn a_scene_gets_each_of_its_meshes_once() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("parts")).unwrap();
    std::fs::write(folder.path().join("parts/a.PLY"), text_ply()).unwrap();
    let document = gltf(&json!({ "byteLength": 72, "uri": "the%20data.bin" }));
    std::fs::write(folder.path().join("parts/b.gltf"), document.to_string()).unwrap();
    std::fs::write(folder.path().join("parts/the data.bin"), gltf_buffer()).unwrap();
    let scene = scene_of(&["parts/a.PLY", "parts/b.gltf", "./parts/../parts/a.PLY", "parts/a.PLY"]);
    let media = Folder::of_scene(&folder.path().join("scene.json")).load(&scene).unwrap();
    let expected = [
        ("./parts/../parts/a.PLY".to_owned(), tetrahedron()),
        ("parts/a.PLY".to_owned(), tetrahedron()),
        ("parts/b.gltf".to_owned(), placed(tetrahedron())),
    ];
    assert_eq!(media.meshes, expected);
}

#[test]
fn all_faults_of_assets_are_told_with_shape_and_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bad.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n").unwrap();
    std::fs::write(folder.path().join("empty.ply"), "").unwrap();
    std::fs::create_dir(folder.path().join("dir.ply")).unwrap();
    let scene = scene_of(&["none.ply", "bad.obj", "empty.ply", "x.fbx", "dir.ply", "none.ply"]);
    let violations = Folder::new(folder.path().into()).load(&scene).unwrap_err();
    let told = violations.messages().join("\n");
    assert_eq!(violations.messages().len(), 6, "{told}");
    for expected in [
        "shape 's0' property 'asset': asset 'none.ply' is not known here; there is no such file",
        "shape 's5' property 'asset': asset 'none.ply' is not known here; there is no such file",
        "shape 's1' property 'asset': 'bad.obj': ",
        "shape 's2' property 'asset': 'empty.ply': ",
        "shape 's3' property 'asset': 'x.fbx': the name must end in .ply, .stl, .obj, .gltf or .glb",
        "shape 's4' property 'asset': 'dir.ply': this is not a regular file",
    ] {
        assert!(told.contains(expected), "{expected}\n  in {told}");
    }
}

#[test]
fn no_path_leads_out_of_the_folder() {
    let outer = tempfile::tempdir().unwrap();
    let inner = outer.path().join("scenes");
    std::fs::create_dir(&inner).unwrap();
    std::fs::write(outer.path().join("secret.ply"), text_ply()).unwrap();
    let document = gltf(&json!({ "byteLength": 72, "uri": "../secret.ply" }));
    std::fs::write(inner.join("sly.gltf"), document.to_string()).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(outer.path().join("secret.ply"), inner.join("link.ply")).unwrap();
    let folder = Folder::new(inner);
    let absolute = outer.path().join("secret.ply");
    let mut paths = vec!["../secret.ply", "a/../../secret.ply", absolute.to_str().unwrap()];
    if cfg!(unix) {
        paths.push("link.ply");
    }
    for path in paths {
        let read = folder.read(path);
        assert!(matches!(read, Err(MeshFileError::Outside)), "{path}: {read:?}");
    }
    let sly = folder.read("sly.gltf").unwrap_err().to_string();
    assert!(sly.contains("leads out of the folder"), "{sly}");
    assert!(Folder::new(outer.path().into()).read("secret.ply").is_ok(), "on purpose");
    assert_eq!(Format::of(Path::new("a.GLB")), Some(Format::Gltf));
}

/// What exporters write and the specification allows, or what every other reader forgives.
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
    // Without a scene all is shown.
    let root = document.as_object_mut().unwrap();
    root.remove("scene");
    root.remove("scenes");
    assert_eq!(read_as(&document, &gltf_buffer(), "no scene"), expected);
    // More parts than the two, and a mark of its encoding.
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
    // Sixteen bits each, with a gap behind each three.
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
    // All zero but the second and the fourth.
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

#[test]
fn text_of_other_programs_is_read() {
    let obj = "v 0 0 0 1 0 0\nv\t1 0 0\nv 0 1 0 1\nusemtl\nf 1 2 3\n";
    let corner = |bytes: &[u8], format| read(bytes, format).unwrap().positions[1];
    assert_eq!(corner(obj.as_bytes(), Format::Obj), [1.0, 0.0, 0.0]);
    let latin = [b"# caf\xe9\n".as_slice(), obj.as_bytes()].concat();
    assert_eq!(corner(&latin, Format::Obj), [1.0, 0.0, 0.0]);
    let wide: Vec<u8> =
        "\u{feff}".encode_utf16().chain(obj.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    assert_eq!(corner(&wide, Format::Obj), [1.0, 0.0, 0.0]);
    let some = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nvt 0 0\nf 1/1 2/1 3/1\nf 2 4 3\n";
    let data = read(some.as_bytes(), Format::Obj).unwrap();
    assert_eq!((data.triangles.len(), data.uv.len()), (2, 0));
    let unmarked = text_ply().replace("comment made by hand", "Created by a program");
    assert_eq!(read(unmarked.as_bytes(), Format::Ply).unwrap(), tetrahedron());

    let not = obj.replace("0 1 0 1", "0 nan 0");
    assert_eq!(
        error_of(not.as_bytes(), Format::Obj),
        "line 3: a vertex is three numbers: 'v 0 nan 0'"
    );
    let zero = obj.replace("f 1 2 3", "f 0 1 2");
    assert_eq!(
        error_of(zero.as_bytes(), Format::Obj),
        "line 5: vertices are counted from 1: 'f 0 1 2'"
    );
}
