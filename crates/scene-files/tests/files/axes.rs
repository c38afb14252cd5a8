//! Units and up axes that files do not say.

use scene::{Scene, Violations};
use scene_files::{Axes, UpAxis};
use serde_json::{Value, json};

fn file() -> Result<Scene, Violations> {
    Scene::from_json(&json!({
        "version": 1,
        "shapes": [{ "id": "ball", "type": "sphere", "properties": { "center": [100, 200, 300], "radius": 50 } }],
        "lights": [
            { "id": "bulb", "type": "point_spot_light",
              "properties": { "center": [0, 0, 1000], "emission": [1000, 2000, 3000] } },
            { "id": "panel", "type": "area_sphere_light",
              "properties": { "center": [0, 0, 2000], "radius": 100, "emission": [5, 5, 5] } }
        ],
        "camera": { "center": [0, -1000, 0], "look_at": [0, 0, 0], "up": [0, 0, 1], "aperture": 10, "focus_distance": 1000 }
    }))
}

fn properties(file: &Value, list: &str, index: usize) -> Value {
    file[list][index]["properties"].clone()
}

#[test]
fn everything_is_turned_and_scaled_and_as_bright_as_before() {
    let axes = Axes { scale: 0.01, up: UpAxis::Z };
    let (scene, note) = axes.apply(file().unwrap()).unwrap();
    assert_eq!(note, None);
    let file = scene.to_json();
    let ball = properties(&file, "shapes", 0);
    assert_eq!((&ball["center"], &ball["radius"]), (&json!([1.0, 3.0, -2.0]), &json!(0.5)));
    let bulb = properties(&file, "lights", 0);
    assert_eq!(bulb["center"], json!([0.0, 10.0, 0.0]));
    assert_eq!(bulb["emission"], json!([0.1, 0.2, 0.3]), "a hundredth of the way, squared");
    let panel = properties(&file, "lights", 1);
    assert_eq!((&panel["radius"], &panel["emission"]), (&json!(1.0), &json!([5.0, 5.0, 5.0])));
    let camera = &file["camera"];
    assert_eq!(
        (&camera["center"], &camera["up"]),
        (&json!([0.0, 0.0, 10.0]), &json!([0.0, 1.0, 0.0]))
    );
    assert_eq!((&camera["aperture"], &camera["focus_distance"]), (&json!(0.1), &json!(10.0)));
}

#[test]
fn what_leaves_the_range_of_a_scene_is_refused_by_its_name() {
    let axes = Axes { scale: 1e5, up: UpAxis::Y };
    let error = axes.apply(file().unwrap()).unwrap_err().to_string();
    assert!(error.starts_with("'ball' cannot have this unit"), "{error}");
}

#[test]
fn a_picture_all_around_keeps_its_direction_and_that_is_told() {
    let mut file = file().unwrap().to_json();
    file["environment"] = json!({ "type": "image", "asset": "sky.hdr" });
    let scene = Scene::from_json(&file).unwrap();
    let axes = Axes { scale: 1.0, up: UpAxis::Z };
    assert!(axes.apply(scene.clone()).unwrap().1.unwrap().contains("environment"));
    let unchanged = Axes { scale: 1.0, up: UpAxis::Y };
    assert_eq!(unchanged.apply(scene.clone()).unwrap(), (scene, None));
}
