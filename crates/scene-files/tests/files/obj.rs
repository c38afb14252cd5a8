//! Wavefront files with materials.

use scene_files::Format;
use serde_json::json;

use crate::support::{json as file_of, properties, read, read_with};

const CORNERS: &str = "v 0 0 0\nv 2 0 0\nv 0 2 0\nv 0 0 4\n";

#[test]
fn objects_get_the_materials_of_the_file_beside() {
    let obj = format!(
        "mtllib paint.mtl\n{CORNERS}o lid\nusemtl red\nf 1 2 3\no base\nusemtl steel\nf 1 2 4\n\
         o bulb\nusemtl lamp\nf 1 3 4\no pane\nusemtl window\nf 2 3 4\n"
    );
    let mtl = "newmtl red\nKd 0.8 0.1 0.1\n\
        newmtl steel\nKd 0.6 0.6 0.7\nPr 0.25\nPm 1\n\
        newmtl lamp\nKd 0 0 0\nKe 5 4 3\n\
        newmtl window\nKd 1 1 1\nNi 1.45\nd 0.2\nillum 7\n";
    let imported =
        read_with(obj.as_bytes(), Format::Obj, &[("paint.mtl", mtl.as_bytes())]).unwrap();
    let file = file_of(&imported);
    let material = |id: &str| properties(&file, id)["material"].clone();
    assert_eq!(material("lid"), json!({ "type": "lambertian", "albedo": [0.8, 0.1, 0.1] }));
    assert_eq!(
        material("base"),
        json!({ "type": "principled", "base_color": [0.6, 0.6, 0.7], "base_metalness": 1.0,
            "specular_roughness": 0.25 })
    );
    assert_eq!(material("bulb"), json!({ "type": "emissive", "emission": [5.0, 4.0, 3.0] }));
    assert_eq!(material("pane")["type"], "dielectric");
    // A mesh turns about its own middle.
    assert_eq!(properties(&file, "base")["translation"], json!([1.0, 0.0, 2.0]));
}

#[test]
fn without_its_materials_all_is_grey_and_that_is_told() {
    let obj = format!("mtllib gone.mtl\n{CORNERS}usemtl red\nf 1 2 3\n");
    let imported = read(obj.as_bytes(), Format::Obj).unwrap();
    assert!(imported.notes[0].contains("materials"), "{:?}", imported.notes);
    assert_eq!(
        properties(&file_of(&imported), "thing")["material"]["albedo"],
        json!([0.5, 0.5, 0.5])
    );
}

#[test]
fn the_camera_sees_all_of_it() {
    let obj = format!("{CORNERS}f 1 2 3\nf 1 2 4\n");
    let scene = crate::support::scene(&read(obj.as_bytes(), Format::Obj).unwrap());
    let (eye, target) = (scene.camera.center.get(), scene.camera.look_at.get());
    assert_eq!(target, [1.0, 1.0, 2.0]);
    let distance = (0..3).map(|axis| (eye[axis] - target[axis]).powi(2)).sum::<f64>().sqrt();
    let radius = 6_f64.sqrt();
    assert!(distance * (scene.camera.vfov.get() / 2.0).to_radians().sin() >= radius);
}
