//! Many shapes: equal meshes are written once, exports beyond the limits are refused before they
//! start, and cancelled work ends.

use std::cell::Cell;

use glam::DVec3;
use mesh_files::{Limits, MeshFileError};
use scene::Scene;
use scene_files::{AssetSize, Bounds, Estimate, Format, SceneFileError, Sources, export, import};
use serde_json::{Value, json};
use tracer::Meshes;

use crate::support::{
    difference, json as file_of, meshes, picture, read, read_back, scene as scene_of, try_write,
    write,
};

/// Rows of spheres, each of another size and of one of three colours.
fn balls(count: usize, material: &dyn Fn(usize) -> Value) -> Scene {
    let ball = |at: usize| {
        let (x, z) = ((at % 100) as f64, -((at / 100) as f64));
        json!({ "id": format!("ball_{at}"), "type": "sphere", "properties": {
            "center": [x, 0.2, z], "radius": 0.2 + 0.01 * (at % 7) as f64,
            "material": material(at) } })
    };
    let shapes: Vec<Value> = (0..count).map(ball).collect();
    Scene::from_json(&json!({ "version": 1, "shapes": shapes,
        "camera": { "center": [3, 3, 5], "look_at": [3, 0, -2] } }))
    .unwrap()
}

fn plain(at: usize) -> Value {
    json!({ "type": "lambertian", "albedo": [0.2 + 0.3 * (at % 3) as f64, 0.4, 0.3] })
}

fn checkered(_: usize) -> Value {
    json!({ "type": "lambertian", "albedo": { "type": "checker" } })
}

#[test]
fn ten_thousand_balls_are_one_mesh() {
    for format in [Format::Glb, Format::Gltf, Format::Pbrt] {
        let exported = write(&balls(10_000, &plain), format);
        let bytes: usize = exported.files.iter().map(|(_, content)| content.len()).sum();
        assert!(bytes < 8 << 20, "{format:?}: {bytes} bytes");
    }
}

#[test]
fn balls_that_share_a_mesh_look_as_they_did_and_share_it_when_they_come_back() {
    let original = balls(300, &plain);
    let before = picture(&original, &Meshes::default());
    let back = read_back(&write(&original, Format::Glb), Format::Glb);
    assert_eq!(back.meshes.len(), 1);
    let difference = difference(&before, &picture(&scene_of(&back), &meshes(&back)));
    assert!(difference < 0.04, "{difference}");
}

#[test]
fn shapes_of_all_kinds_that_are_alike_share_their_triangles_in_pbrt_too() {
    let shapes = (0..20).flat_map(|at| {
        let x = f64::from(at);
        [
            json!({ "id": format!("cone_{at}"), "type": "cone", "properties": {
                "base_center": [x, 0, 0], "top_center": [x, 0.8, 0], "base_radius": 0.4,
                "top_radius": 0, "capped": true } }),
            json!({ "id": format!("ring_{at}"), "type": "torus", "properties": {
                "center": [x, 0.1, 1], "normal": [0, 1, 0.01 * x], "radius": 0.3, "thickness": 0.1 } }),
        ]
    });
    let original = Scene::from_json(&json!({ "version": 1, "shapes": shapes.collect::<Vec<_>>(),
        "camera": { "center": [4, 3, 6], "look_at": [4, 0, 0] } }))
    .unwrap();
    let before = picture(&original, &Meshes::default());
    for format in [Format::Glb, Format::Pbrt] {
        let exported = write(&original, format);
        let back = read_back(&exported, format);
        assert_eq!(back.meshes.len(), 2, "{format:?}");
        let mut shown = scene_of(&back);
        // The PBRT file has a uniform sky.
        shown.environment = original.environment.clone();
        let difference = difference(&before, &picture(&shown, &meshes(&back)));
        assert!(difference < 0.04, "{format:?}: {difference}");
    }
}

#[test]
fn equal_patterns_share_an_image() {
    let scene = balls(28, &checkered);
    let exported = write(&scene, Format::Gltf);
    let images = exported.files.iter().filter(|(name, _)| name.ends_with(".png")).count();
    assert_eq!(images, 7, "one for each size");
    // A texture mapped in world space differs at each place.
    let in_world =
        |_| json!({ "type": "lambertian", "albedo": { "type": "checker", "mapping": "world" } });
    let exported = write(&balls(3, &in_world), Format::Gltf);
    let images = exported.files.iter().filter(|(name, _)| name.ends_with(".png")).count();
    assert_eq!(images, 3);
}

#[test]
fn what_is_too_much_is_refused_with_its_count_the_limit_and_what_to_do() {
    let refused = |scene: &Scene, format, bounds: &Bounds| {
        let none = |_: &str| Err(MeshFileError::Missing);
        match try_write(scene, format, &none, &|_| Err(MeshFileError::Missing), bounds) {
            Err(SceneFileError::TooLarge(why)) => why,
            other => panic!("{other:?}"),
        }
    };
    let why = refused(&balls(10_000, &plain), Format::Obj, &Bounds::default());
    assert!(why.contains("triangles; at most 67108864") && why.contains("glb and pbrt"), "{why}");
    let bounds = Bounds { pixels: 1 << 20, ..Bounds::default() };
    let why = refused(&balls(7, &checkered), Format::Glb, &bounds);
    assert!(why.contains("7340032 pixels") && why.contains("at most 1048576"), "{why}");
}

#[test]
fn what_an_export_takes_is_known_before_and_not_too_low() {
    let none = |_: &str| AssetSize::default();
    for (scene, format) in [
        (balls(2_000, &plain), Format::Glb),
        (balls(20, &plain), Format::Obj),
        (balls(20, &checkered), Format::Glb),
    ] {
        let told = Estimate::of(&scene, format, &none);
        let bytes: usize =
            write(&scene, format).files.iter().map(|(_, content)| content.len()).sum();
        assert!(told.memory >= bytes as u64, "{format:?}: {told:?} for {bytes}");
        assert!(told.memory < 100 << 20, "{format:?}: {told:?}");
    }
}

/// A cancellation after this many polls.
fn leaves_after(questions: usize) -> impl Fn() -> bool {
    let left = Cell::new(questions);
    move || {
        left.set(left.get().saturating_sub(1));
        left.get() == 0
    }
}

#[test]
fn nobody_who_has_left_is_worked_for() {
    for format in [Format::Glb, Format::Obj, Format::Pbrt] {
        let cancelled = leaves_after(5);
        let mut sources = Sources {
            meshes: &mut |_| Err(MeshFileError::Missing),
            images: &mut |_| Err(MeshFileError::Missing),
            cancelled: &cancelled,
        };
        let scene = balls(50, &checkered);
        let ended = export(&scene, format, "thing", &mut sources, &Bounds::default());
        assert!(matches!(ended, Err(SceneFileError::Cancelled)), "{format:?}: {ended:?}");
    }
    let glb = write(&balls(300, &plain), Format::Glb).files[0].1.to_vec();
    let pbrt = instances(20_000).into_bytes();
    let lines = "v 0 0 1\n".repeat(200_000) + "f 1 2 3\n";
    for (bytes, format) in
        [(glb, Format::Glb), (pbrt, Format::Pbrt), (lines.into_bytes(), Format::Obj)]
    {
        let mut none = |_: &str| Err(MeshFileError::Missing);
        let cancelled = leaves_after(5);
        let ended = import(&bytes, format, "x", &Limits::default(), &mut none, &cancelled);
        let ended = ended.map(drop);
        let is_cancelled = matches!(
            ended,
            Err(SceneFileError::Cancelled | SceneFileError::File(MeshFileError::Cancelled))
        );
        assert!(is_cancelled, "{format:?}: {ended:?}");
    }
}

/// This many instances of an object of one triangle.
fn instances(count: usize) -> String {
    let mut text = String::from(
        "WorldBegin\nObjectBegin \"leaf\"\nTranslate 0 1 0\nShape \"trianglemesh\" \"integer indices\" \
         [ 0 1 2 ] \"point3 P\" [ 0 0 0 1 0 0 0 1 0.5 ]\nObjectEnd\n",
    );
    for at in 0..count {
        text += &format!(
            "AttributeBegin Translate {at} 0 2 Rotate 90 0 1 0 ObjectInstance \"leaf\" AttributeEnd\n"
        );
    }
    text
}

#[test]
fn instances_share_a_mesh_and_stand_where_they_should() {
    let back = read(instances(8_000).as_bytes(), Format::Pbrt).unwrap();
    assert_eq!(back.meshes.len(), 1);
    let file = file_of(&back);
    let shapes = file["shapes"].as_array().unwrap();
    assert_eq!(shapes.len(), 8_000);
    assert_eq!(shapes[7_999]["id"], "trianglemesh_8000");
    // PBRT's point (x, y, z) of the object is placed at (5 + z, y + 1, 2 - x); the import then
    // mirrors z.
    let scene = scene_of(&back);
    let scene::Geometry::Mesh(mesh) = &scene.shapes[5].geometry else { panic!("no mesh") };
    let rows = mesh.matrix().map(DVec3::from);
    let shift = DVec3::from(mesh.translation.get());
    let expected = [[5.0, 1.0, -2.0], [5.0, 1.0, -1.0], [5.5, 2.0, -2.0]].map(DVec3::from);
    for (position, expected) in back.meshes[0].data.positions.iter().zip(expected) {
        let local = DVec3::from(position.map(f64::from));
        let found = DVec3::from(rows.map(|row| row.dot(local))) + shift;
        assert!(found.distance(expected) < 1e-4, "{found} for {expected}");
    }
}
