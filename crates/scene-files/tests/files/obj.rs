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
    // The origin of a mesh is its own centre.
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

/// An image of one colour.
fn even(colour: [u8; 4]) -> Vec<u8> {
    image_files::write_png([8, 8], &[colour; 64])
}

#[test]
fn materials_show_the_images_of_the_file_beside() {
    let obj = format!(
        "mtllib paint.mtl\n{CORNERS}vt 0 0\nvt 1 0\nvt 0 1\no lid\nusemtl all\n\
        f 1/1 2/2 3/3\no sheet\nusemtl matte\nf 1/1 2/2 4/3\no lamp\nusemtl lit\nf 1/1 3/2 4/3\n"
    );
    let mtl = "newmtl all\nKd 0.5 1 1\nPr 0.5\n\
        map_Kd -s 2 4 1 -o 0.5 0 0 old wood\\red oak.png\nmap_d -imfchan m old wood\\red oak.png\n\
        map_Ks shine.png\nmap_Pr -imfchan g rough.png\nmap_Pm C:\\Users\\me\\rough.png\n\
        map_Bump -bm 2 -clamp on height.png\nnorm -bm 0.4 normals.png\n\
        newmtl matte\nmap_Kd rough.png\nbump normals.png\nmap_Kd\n\
        newmtl lit\nKd 0 0 0\nKe 4 2 1\nmap_Ke shine.png\n";
    let oak = even([200, 40, 30, 90]);
    let (grey, normals) = (even([90, 90, 90, 255]), even([128, 128, 255, 255]));
    let beside: [(&str, &[u8]); 6] = [
        ("paint.mtl", mtl.as_bytes()),
        ("old wood/red oak.png", &oak),
        ("shine.png", &grey),
        ("rough.png", &grey),
        ("height.png", &grey),
        ("normals.png", &normals),
    ];
    let imported = read_with(obj.as_bytes(), Format::Obj, &beside).unwrap();
    let file = file_of(&imported);
    let material = |id: &str| properties(&file, id)["material"].clone();
    let all = material("lid");
    let asset = |value: &serde_json::Value| value["asset"].as_str().unwrap().to_owned();
    assert!(asset(&all["base_color"]).contains("red_oak"), "{all}");
    assert_eq!(all["base_color"]["second"], json!([0.5, 1.0, 1.0]));
    assert_eq!(all["base_color"]["scale"], json!([0.5, 0.25, 1.0]));
    assert_eq!(all["base_color"]["offset"], json!([-0.25, 0.0, 0.0]));
    assert_eq!(all["geometry_opacity"]["channel"], "alpha");
    assert_eq!(all["geometry_opacity"]["asset"], all["base_color"]["asset"]);
    assert!(asset(&all["specular_color"]).contains("shine"));
    assert_eq!(all["specular_roughness"]["channel"], "green");
    assert_eq!(all["specular_roughness"]["second"], 0.5);
    // An absolute path of another machine is resolved to the file beside the OBJ.
    assert_eq!(all["base_metalness"]["asset"], all["specular_roughness"]["asset"]);
    assert_eq!(all["bump"]["second"], 0.01);
    assert_eq!(all["bump"]["wrap"], "clamp");
    assert!(asset(&all["normal_map"]).contains("normals"));
    assert_eq!(all["normal_map"]["strength"], 0.4);
    let matte = material("sheet");
    assert_eq!(matte["type"], "lambertian");
    assert_eq!(matte["albedo"]["second"], json!([1.0, 1.0, 1.0]));
    // A bump map with the colours of a normal map is imported as one.
    assert!(matte.get("bump").is_none() && asset(&matte["normal_map"]).contains("normals"));
    assert_eq!(material("lamp")["emission"]["second"], json!([4.0, 2.0, 1.0]));
    assert_eq!(imported.images.len(), 5);
    crate::support::scene(&imported);
}

#[test]
fn an_image_that_is_missing_or_damaged_is_told_and_the_rest_is_read() {
    let obj = format!("mtllib paint.mtl\n{CORNERS}usemtl red\nf 1 2 3\n");
    let mtl = b"newmtl red\nKd 0.8 0.1 0.1\nmap_Kd gone.png\nmap_d broken.png\nmap_Pr -s 2\n";
    let beside: [(&str, &[u8]); 2] = [("paint.mtl", mtl), ("broken.png", b"not an image")];
    let imported = read_with(obj.as_bytes(), Format::Obj, &beside).unwrap();
    for name in ["gone.png", "broken.png"] {
        assert!(imported.notes.iter().any(|note| note.contains(name)), "{:?}", imported.notes);
    }
    let material = properties(&file_of(&imported), "thing")["material"].clone();
    assert_eq!(material, json!({ "type": "lambertian", "albedo": [0.8, 0.1, 0.1] }));
}
