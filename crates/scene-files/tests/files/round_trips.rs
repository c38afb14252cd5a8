//! Round trips render the same image.

use mesh_files::MeshFileError;
use scene::Scene;
use scene_files::{Bounds, Format};
use serde_json::{Value, json};
use tracer::Meshes;

use crate::support::{
    difference, json as file_of, meshes, picture, read_back, scene as scene_of, try_write, write,
};

/// A scene with everything that triangles can represent, lit by an area light, a spot light and a
/// sky.
fn showpiece() -> Scene {
    let shape = |id: &str, kind: &str, properties: Value| json!({ "id": id, "type": kind, "group": "things", "properties": properties });
    Scene::from_json(&json!({
        "version": 1,
        "shapes": [
            { "id": "floor", "type": "quad", "properties": { "corner": [-4, 0, 4], "u": [8, 0, 0],
              "v": [0, 0, -8], "material": { "type": "lambertian", "albedo": [0.6, 0.55, 0.5] } } },
            shape("ball", "sphere", json!({ "center": [-1.2, 0.6, 0], "radius": 0.6,
                "material": { "type": "principled", "base_color": [0.7, 0.1, 0.1] } })),
            shape("block", "box", json!({ "center": [0.2, 0.5, -0.5], "dimensions": [0.8, 1, 0.6],
                "rotation": [0, 30, 0], "material": "gold" })),
            shape("ring", "torus", json!({ "center": [1.4, 0.2, 0.3], "normal": [0, 1, 0],
                "radius": 0.5, "thickness": 0.2,
                "material": { "type": "metal", "albedo": [0.8, 0.8, 0.9], "fuzz": 0.4 } })),
            shape("pillar", "cylinder", json!({ "base_center": [-0.5, 0, 1], "top_center": [-0.5, 0.7, 1],
                "radius": 0.2, "capped": true,
                "material": { "type": "lambertian", "albedo": [0.1, 0.3, 0.6] } })),
        ],
        "lights": [
            { "id": "panel", "type": "area_quad_light", "properties": { "corner": [-1, 3, -1],
              "u": [2, 0, 0], "v": [0, 0, 2], "emission": [4, 4, 3.5] } },
            { "id": "spot", "type": "point_spot_light", "properties": { "center": [2, 3, 3],
              "direction": [-0.5, -1, -0.9], "cutoff_angle": 25, "emission": [20, 20, 25] } },
        ],
        "environment": { "type": "uniform", "emission": [0.3, 0.35, 0.4] },
        "camera": { "center": [0.5, 1.8, 5], "look_at": [0, 0.5, 0], "vfov": 40 },
    }))
    .unwrap_or_else(|violations| panic!("{violations:?}"))
}

#[test]
fn gltf_and_glb_show_the_same_picture_after_a_round_trip() {
    let original = showpiece();
    let before = picture(&original, &Meshes::default());
    for format in [Format::Gltf, Format::Glb] {
        let back = read_back(&write(&original, format), format);
        let after = picture(&scene_of(&back), &meshes(&back));
        let difference = difference(&before, &after);
        assert!(difference < 0.04, "{format:?}: {difference}");
    }
}

#[test]
fn gltf_keeps_materials_camera_groups_lamps_and_surroundings() {
    let original = showpiece();
    let (before, after) =
        (original.to_json(), file_of(&read_back(&write(&original, Format::Glb), Format::Glb)));
    for shape in before["shapes"].as_array().unwrap() {
        let id = shape["id"].as_str().unwrap();
        let found = after["shapes"].as_array().unwrap().iter().find(|other| other["id"] == id);
        let found = found.unwrap_or_else(|| panic!("{id} is lost"));
        assert_eq!(found["properties"]["material"], shape["properties"]["material"], "{id}");
        assert_eq!(found["group"], shape["group"], "{id}");
    }
    assert_eq!(after["environment"], before["environment"]);
    for name in ["center", "look_at"] {
        let (one, other) = (&before["camera"][name], &after["camera"][name]);
        for axis in 0..3 {
            let (one, other) = (one[axis].as_f64().unwrap(), other[axis].as_f64().unwrap());
            assert!((one - other).abs() < 1e-4, "{name}: {one} {other}");
        }
    }
    let lamps: Vec<&Value> =
        after["lights"].as_array().unwrap().iter().map(|l| &l["type"]).collect();
    assert_eq!(lamps, ["area_quad_light", "point_spot_light"]);
}

#[test]
fn pbrt_shows_the_same_picture_after_a_round_trip() {
    let original = showpiece();
    let before = picture(&original, &Meshes::default());
    let back = read_back(&write(&original, Format::Pbrt), Format::Pbrt);
    let after = picture(&scene_of(&back), &meshes(&back));
    // Gold and glossy paint have no exact counterparts.
    let difference = difference(&before, &after);
    assert!(difference < 0.06, "{difference}");
}

#[test]
fn obj_keeps_triangles_and_colours() {
    let original = showpiece();
    let back = read_back(&write(&original, Format::Obj), Format::Obj);
    let file = file_of(&back);
    let colour = &crate::support::properties(&file, "pillar")["material"]["albedo"];
    assert_eq!(*colour, json!([0.1, 0.3, 0.6]));
    let names: Vec<&str> =
        file["shapes"].as_array().unwrap().iter().map(|s| s["id"].as_str().unwrap()).collect();
    assert_eq!(names, ["floor", "ball", "block", "ring", "pillar", "panel"]);
    let bounds = |scene: &Scene, id: &str| scene.shape(id).unwrap().geometry.clone();
    let block = back.meshes[2].data.bounds().unwrap();
    let size = bounds(&original, "block").bounds().unwrap().size();
    for axis in 0..3 {
        assert!((block.size()[axis] - size[axis]).abs() < 1e-4, "{block:?} {size:?}");
    }
}

#[test]
fn a_mesh_that_several_shapes_show_is_written_once() {
    let scene = Scene::from_json(&json!({ "version": 1, "shapes": [
        { "id": "one", "type": "mesh", "properties": { "asset": "a.ply" } },
        { "id": "two", "type": "mesh", "properties": { "asset": "a.ply", "translation": [2, 0, 0],
          "rotation": [0, 90, 0], "scale": [1, 2, 1] } },
    ] }))
    .unwrap();
    let data = media::MeshData {
        positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.5]],
        triangles: vec![[0, 1, 2]],
        ..media::MeshData::default()
    };
    let source = |name: &str| {
        assert_eq!(name, "a.ply");
        Ok(data.clone())
    };
    let none = |_: &str| Err(MeshFileError::Missing);
    let exported = try_write(&scene, Format::Glb, &source, &none, &Bounds::default()).unwrap();
    let back = read_back(&exported, Format::Glb);
    assert_eq!(back.meshes.len(), 1);
    assert_eq!(back.meshes[0].data, data);
    let file = file_of(&back);
    let two = crate::support::properties(&file, "two");
    assert_eq!(two["translation"], json!([2.0, 0.0, 0.0]));
    assert_eq!(two["rotation"], json!([0.0, 90.0, 0.0]));
    assert_eq!(two["scale"], json!([1.0, 2.0, 1.0]));
}

#[test]
fn a_changed_material_is_not_what_it_was() {
    let exported = write(&showpiece(), Format::Gltf);
    let text = String::from_utf8(exported.files[0].1.to_vec()).unwrap();
    let mut file: Value = serde_json::from_str(&text).unwrap();
    let ball =
        file["nodes"].as_array().unwrap().iter().find(|node| node["name"] == "ball").unwrap();
    let mesh = ball["mesh"].as_u64().unwrap() as usize;
    let material = file["meshes"][mesh]["primitives"][0]["material"].as_u64().unwrap() as usize;
    file["materials"][material]["pbrMetallicRoughness"]["baseColorFactor"] = json!([0, 1, 0, 1]);
    let mut changed = exported;
    changed.files[0].1 = file.to_string().into_bytes().into();
    let back = read_back(&changed, Format::Gltf);
    let colour =
        &crate::support::properties(&file_of(&back), "ball")["material"]["base_color"].clone();
    assert_eq!(*colour, json!([0.0, 1.0, 0.0]));
}

/// The showpiece with its panel hidden from the camera, in a group with a ball that hangs below it.
fn with_hidden_panel() -> Scene {
    let mut file = showpiece().to_json();
    file["lights"][0]["properties"]["visible_to_camera"] = false.into();
    file["lights"][0]["group"] = "lamp".into();
    file["groups"] = json!([{ "id": "lamp", "parent": "rig" }, { "id": "rig", "parent": null }]);
    let pendant = json!({ "id": "pendant", "type": "sphere", "group": "rig",
        "properties": { "center": [3, 2, 0], "radius": 0.5 } });
    file["shapes"].as_array_mut().unwrap().push(pendant);
    Scene::from_json(&file).unwrap_or_else(|violations| panic!("{violations:?}"))
}

#[test]
fn a_light_that_the_camera_does_not_see_stays_hidden() {
    let scene = with_hidden_panel();
    let note = |format: Format, part: &str| {
        let exported = write(&scene, format);
        let notes: Vec<&String> = exported.notes.iter().collect();
        assert!(notes.iter().any(|note| note.contains(part)), "{format:?}: {notes:?}");
        file_of(&read_back(&exported, format))
    };
    let pbrt = note(Format::Pbrt, "invisible in mirrors, too");
    let panel = &pbrt["lights"][0];
    assert_eq!(panel["type"], "area_quad_light");
    assert_eq!(panel["properties"]["visible_to_camera"], false);

    // As strong in its middle direction, from the middle of its area.
    let glb = note(Format::Glb, "lights without an area");
    let panel = crate::support::properties(&glb, "panel");
    for (axis, middle) in [0.0, 3.0, 0.0].into_iter().enumerate() {
        assert!((panel["center"][axis].as_f64().unwrap() - middle).abs() < 1e-6, "{panel}");
    }
    assert!((panel["direction"][1].as_f64().unwrap() + 1.0).abs() < 1e-6, "{panel}");
    assert!((panel["emission"][0].as_f64().unwrap() - 16.0).abs() < 1e-6, "{panel}");

    let obj = note(Format::Obj, "does not see are left out");
    let names: Vec<&str> =
        obj["shapes"].as_array().unwrap().iter().map(|s| s["id"].as_str().unwrap()).collect();
    assert!(!names.contains(&"panel") && names.contains(&"pendant"), "{names:?}");
}

#[test]
fn groups_of_a_gltf_have_their_origin_in_their_middle() {
    let exported = write(&with_hidden_panel(), Format::Gltf);
    let file: Value = serde_json::from_slice(&exported.files[0].1.to_vec()).unwrap();
    let nodes = file["nodes"].as_array().unwrap();
    let node = |name: &str| nodes.iter().find(|node| node["name"] == name).unwrap();
    let place = |name: &str| -> Vec<f64> {
        let at = |axis: usize| node(name)["translation"][axis].as_f64().unwrap_or(0.0);
        (0..3).map(at).collect()
    };
    let near = |found: Vec<f64>, expected: [f64; 3]| {
        let is_near = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9);
        assert!(is_near, "{found:?} {expected:?}");
    };
    // The panel from -1 to 1 at a height of 3, and the ball with it from -1 to 3.5 and 1.5 to 3.
    near(place("rig"), [1.25, 2.25, 0.0]);
    near(place("lamp"), [-1.25, 0.75, 0.0]);
    near(place("panel"), [0.0; 3]);
    near(place("pendant"), [1.75, -0.25, 0.0]);
    let children = node("rig")["children"].as_array().unwrap();
    assert_eq!(children.len(), 2);
}
