//! Folders of scene files.

use std::path::Path;

use mesh_files::{Folder, Format, MeshFileError};
use scene::Scene;
use serde_json::{Value, json};

use crate::samples::{gltf, gltf_buffer, placed, tetrahedron, text_ply};

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
