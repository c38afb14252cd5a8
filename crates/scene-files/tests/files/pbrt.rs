//! PBRT files.

use scene::Scene;
use scene_files::Format;
use serde_json::json;

use crate::support::{json as file_of, picture, properties, read, read_with, scene as scene_of};

const CAMERA: &str = "LookAt 0 1 -5  0 1 0  0 1 0\nCamera \"perspective\" \"float fov\" 40\n\
    Film \"rgb\" \"integer xresolution\" 800 \"integer yresolution\" 600\n";

fn world(text: &str) -> Result<scene_files::Imported, scene_files::SceneFileError> {
    read(format!("{CAMERA}WorldBegin\n{text}").as_bytes(), Format::Pbrt)
}

fn error_of(text: &str) -> String {
    world(text).err().map_or_else(String::new, |error| error.to_string())
}

/// Where a point is in the image: to the right of the centre, and up.
fn seen(scene: &Scene, point: [f64; 3]) -> [f64; 2] {
    let sub = |a: [f64; 3], b: [f64; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let forward = sub(scene.camera.look_at.get(), scene.camera.center.get());
    let right = cross(forward, scene.camera.up.get());
    let offset = sub(point, scene.camera.center.get());
    [dot(offset, right), dot(offset, cross(right, forward))]
}

fn center(file: &serde_json::Value, id: &str) -> [f64; 3] {
    std::array::from_fn(|axis| properties(file, id)["center"][axis].as_f64().unwrap())
}

/// PBRT's x axis points right for a camera that looks along z.
#[test]
fn what_is_right_in_the_picture_stays_right() {
    let spheres = "AttributeBegin\nTranslate 1 1 0\nShape \"sphere\"\nAttributeEnd\n\
        AttributeBegin\nTranslate 0 3 0\nShape \"sphere\" \"float radius\" [ 0.5 ]\nAttributeEnd\n";
    let imported = world(spheres).unwrap();
    let (scene, file) = (scene_of(&imported), file_of(&imported));
    let [right, _] = seen(&scene, center(&file, "sphere"));
    let [_, up] = seen(&scene, center(&file, "sphere_2"));
    assert!(right > 0.0 && up > 0.0, "{right} {up}");
    assert_eq!(center(&file, "sphere")[1], 1.0);
    assert_eq!(properties(&file, "sphere_2")["radius"], 0.5);
    assert!((file["camera"]["vfov"].as_f64().unwrap() - 40.0).abs() < 1e-4);
}

#[test]
fn a_flipped_world_is_right_handed_as_it_stands() {
    let text = "Scale -1 1 1\nLookAt 0 1 5  0 1 0  0 1 0\nCamera \"perspective\"\nWorldBegin\n\
        Translate 2 1 0\nShape \"sphere\"\n";
    let imported = read(text.as_bytes(), Format::Pbrt).unwrap();
    let (scene, file) = (scene_of(&imported), file_of(&imported));
    assert_eq!(center(&file, "sphere"), [2.0, 1.0, 0.0]);
    assert_eq!(scene.camera.center.get(), [0.0, 1.0, 5.0]);
    assert!(seen(&scene, center(&file, "sphere"))[0] > 0.0);
}

#[test]
fn z_up_becomes_y_up() {
    let text = "LookAt 10 0 2  0 0 2  0 0 1\nCamera \"perspective\"\nWorldBegin\n\
        Translate 0 0 5\nShape \"sphere\"\n";
    let imported = read(text.as_bytes(), Format::Pbrt).unwrap();
    let file = file_of(&imported);
    assert_eq!(center(&file, "sphere")[1], 5.0);
    let up = &file["camera"]["up"];
    assert!((up[1].as_f64().unwrap() - 1.0).abs() < 1e-6, "{up}");
}

#[test]
fn materials_have_counterparts() {
    let of = |material: &str| {
        let imported = world(&format!("{material}\nShape \"sphere\"\n")).unwrap();
        properties(&file_of(&imported), "sphere")["material"].clone()
    };
    assert_eq!(
        of("Material \"diffuse\" \"rgb reflectance\" [ 0.1 0.2 0.3 ]"),
        json!({ "type": "lambertian", "albedo": [0.1, 0.2, 0.3] })
    );
    assert_eq!(
        of("Material \"dielectric\" \"spectrum eta\" \"glass-BK7\""),
        json!({ "type": "dielectric", "refractive_index": 1.5168 })
    );
    let gold = of("Material \"conductor\" \"spectrum eta\" \"metal-Au-eta\" \
        \"spectrum k\" \"metal-Au-k\" \"float roughness\" [ 0.0625 ]");
    assert_eq!(gold["base_color"], json!([1.0, 0.766, 0.336]));
    // 0.0625 is alpha squared, and alpha is our roughness squared.
    assert_eq!(gold["specular_roughness"], json!(0.5));
    let named = of("MakeNamedMaterial \"paint\" \"string type\" \"coateddiffuse\" \
        \"rgb reflectance\" [ 0.4 0 0 ]\nNamedMaterial \"paint\"");
    assert_eq!(named["type"], "principled");
    let checked = of("Texture \"tiles\" \"spectrum\" \"checkerboard\" \"rgb tex1\" [ 1 0 0 ] \
        \"rgb tex2\" [ 0 0 1 ]\nMaterial \"diffuse\" \"texture reflectance\" \"tiles\"");
    assert_eq!(checked["albedo"], json!([0.5, 0.0, 0.5]));
}

#[test]
fn lights_shine_as_bright_as_there() {
    let text = "LightSource \"point\" \"rgb I\" [ 3 2 1 ] \"float scale\" 2 \
        \"point3 from\" [ 1 2 3 ]\nLightSource \"infinite\" \"rgb L\" [ 0.1 0.2 0.3 ]\n\
        AttributeBegin\nAreaLightSource \"diffuse\" \"rgb L\" [ 5 5 5 ]\nTranslate 0 4 0\n\
        Shape \"sphere\" \"float radius\" 0.2\nAttributeEnd\nShape \"sphere\"\n";
    let file = file_of(&world(text).unwrap());
    let point = properties(&file, "point");
    assert_eq!(point["emission"], json!([6.0, 4.0, 2.0]));
    assert_eq!(point["center"], json!([1.0, 2.0, -3.0]));
    assert_eq!(file["environment"], json!({ "type": "uniform", "emission": [0.1, 0.2, 0.3] }));
    assert_eq!(properties(&file, "sphere")["material"]["emission"], json!([5.0, 5.0, 5.0]));
    // The area light ends with its attributes.
    assert_eq!(properties(&file, "sphere_2")["material"]["type"], "lambertian");
}

/// An area light of two triangles above a floor must shine down, whatever the order of its corners.
#[test]
fn a_quad_shines_to_the_side_of_its_front() {
    let lamp = |reverse: &str| {
        let text = format!(
            "AttributeBegin\nAreaLightSource \"diffuse\" \"rgb L\" [ 9 9 9 ]\n{reverse}\n\
             Shape \"trianglemesh\" \"integer indices\" [ 0 1 2 0 2 3 ]\n\
             \"point3 P\" [ -1 3 -1  -1 3 1  1 3 1  1 3 -1 ]\nAttributeEnd\n\
             Shape \"trianglemesh\" \"integer indices\" [ 0 1 2 0 2 3 ]\n\
             \"point3 P\" [ -9 0 -9  -9 0 9  9 0 9  9 0 -9 ]\n"
        );
        let imported = world(&text).unwrap();
        assert_eq!(scene_of(&imported).lights.len(), 1);
        picture(&scene_of(&imported), &crate::support::meshes(&imported)).mean()[1]
    };
    // PBRT's normal is the cross product of the edges p0 - p2 and p1 - p2: up here.
    let (up, down) = (lamp(""), lamp("ReverseOrientation"));
    assert!(down > 0.05 && up < 0.01 * down, "{up} {down}");
}

#[test]
fn objects_are_shown_where_they_are_placed() {
    let text = "ObjectBegin \"nut\"\nTranslate 0 1 0\nShape \"sphere\"\nObjectEnd\n\
        AttributeBegin\nTranslate 3 0 0\nObjectInstance \"nut\"\nAttributeEnd\n\
        AttributeBegin\nTranslate -3 0 0\nScale 2 2 2\nObjectInstance \"nut\"\nAttributeEnd\n";
    let file = file_of(&world(text).unwrap());
    assert_eq!(file["shapes"].as_array().unwrap().len(), 2);
    assert_eq!(center(&file, "sphere"), [3.0, 1.0, 0.0]);
    assert_eq!(center(&file, "sphere_2"), [-3.0, 2.0, 0.0]);
    assert_eq!(properties(&file, "sphere_2")["radius"], 2.0);
}

#[test]
fn a_stretched_sphere_is_an_ellipsoid_and_a_cut_one_a_mesh() {
    let text = "AttributeBegin\nTranslate 0 1 0\nRotate 90 0 1 0\nScale 1 2 3\n\
        Shape \"sphere\" \"float radius\" 0.5\nAttributeEnd\n\
        Shape \"sphere\" \"float zmax\" 0\n";
    let imported = world(text).unwrap();
    let scene = scene_of(&imported);
    let bounds = scene.shapes[0].geometry.bounds().unwrap();
    for (axis, half) in [1.5, 1.0, 0.5].into_iter().enumerate() {
        assert!((bounds.size()[axis] - 2.0 * half).abs() < 1e-4, "{bounds:?}");
    }
    // The lower half in PBRT's z is the near half here.
    let half = imported.meshes[0].data.bounds().unwrap().size();
    assert!((half[2] - 1.0).abs() < 1e-4 && (half[0] - 2.0).abs() < 1e-3, "{half:?}");
}

#[test]
fn files_name_files() {
    let ply = b"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n\
        property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n\
        0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    let main = format!("{CAMERA}WorldBegin\nInclude \"parts/all.pbrt\"\n");
    let parts = "Shape \"plymesh\" \"string filename\" \"m.ply\"\n";
    let others: [(&str, &[u8]); 2] = [("parts/all.pbrt", parts.as_bytes()), ("m.ply", ply)];
    let imported = read_with(main.as_bytes(), Format::Pbrt, &others).unwrap();
    assert_eq!(imported.meshes[0].data.triangles.len(), 1);
    let alone = read(main.as_bytes(), Format::Pbrt).unwrap_err().to_string();
    assert!(alone.contains("parts/all.pbrt"), "{alone}");
}

#[test]
fn faults_name_the_line_and_the_thing() {
    assert!(error_of("Shape \"sphere\" \"float radius\" [ 1 2\n").contains("end of the file"));
    assert!(
        error_of("\nSphere \"x\"\n").starts_with("line 6: 'Sphere'"),
        "{}",
        error_of("\nSphere \"x\"\n")
    );
    assert!(error_of("Shape \"sphere\" \"radius\" 1").contains("must be a type and a name"));
    assert!(error_of("Translate 1 two 3").contains("expected 3 numbers, found 'two'"));
    assert!(error_of("AttributeEnd").contains("without its beginning"));
    assert!(error_of("Include \"self\"").contains("self"));
    assert!(
        error_of("Shape \"curve\"").contains("nothing that can be shown"),
        "{}",
        error_of("Shape \"curve\"")
    );
    assert!(error_of("Shape \"trianglemesh\" \"point3 P\" [ 0 0 0 ]").contains("vertex"));
}

#[test]
fn curves_are_read_from_files_and_metals_under_a_coat_by_their_own_names() {
    let metal = |parameters: &str, others: &[(&str, &[u8])]| {
        let text = format!("{CAMERA}WorldBegin\nMaterial {parameters}\nShape \"sphere\"\n");
        let imported = read_with(text.as_bytes(), Format::Pbrt, others).unwrap();
        let colour = properties(&file_of(&imported), "sphere")["material"]["base_color"].clone();
        (serde_json::from_value::<[f64; 3]>(colour).unwrap(), imported.notes.join("; "))
    };
    let gold = "\"coatedconductor\" \"spectrum conductor.eta\" \"metal-Au-eta\" \
        \"spectrum conductor.k\" \"metal-Au-k\"";
    assert_eq!(metal(gold, &[]).0, [1.0, 0.766, 0.336]);
    // For eta = 2 and k = 0 the reflectance is one ninth.
    let files = "\"conductor\" \"spectrum eta\" \"spds/a.spd\" \"spectrum k\" [ \"spds/b.spd\" ]";
    let two: &[u8] = b"# nm, value\n400 2\n500 2 # green\n700 2\n";
    let (colour, notes) = metal(files, &[("spds/a.spd", two), ("spds/b.spd", b"400 0 700 0")]);
    assert!(colour.iter().all(|part| (part - 1.0 / 9.0).abs() < 1e-6), "{colour:?}");
    assert!(!notes.contains("spectrum"), "{notes}");
    let (_, notes) = metal(files, &[("spds/a.spd", two)]);
    assert!(notes.contains("the spectrum 'spds/b.spd' cannot be read"), "{notes}");
}
