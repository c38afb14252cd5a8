//! `check_scene` finds planted problems in random scenes, and none in clean ones.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use scene::{NoAssets, Scene, SceneManager};
use serde_json::{Value, json};
use spatial::Call;
use studio::{Attention, SharedScene, findings};
use tracer::Meshes;

/// SplitMix64, with a fixed seed for reproducible scenes.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let bits = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }
}

/// A clean scene: shapes of all kinds on a floor or on top of each other, without overlaps, visible
/// and lit.
fn clean(seed: u64) -> Value {
    let mut random = Random(seed);
    let floor = json!({ "corner": [-20, 0, 20], "u": [40, 0, 0], "v": [0, 0, -40] });
    let mut shapes = vec![json!({ "id": "floor", "type": "quad", "properties": floor })];
    for column in 0..3 {
        for row in 0..2 {
            let x = f64::from(column - 1) * 3.0 + random.between(-0.4, 0.4);
            let z = f64::from(row) * -4.0 + random.between(-0.3, 0.3);
            let x = if row == 1 { x + 1.6 } else { x };
            let (size, kind) = (random.between(0.4, 0.9), (random.next() * 5.0) as u32);
            let id = format!("thing_{column}_{row}");
            let (kind, properties) = match kind {
                0 => ("sphere", json!({ "center": [x, size, z], "radius": size })),
                1 => (
                    "box",
                    json!({ "center": [x, size / 2.0, z], "dimensions": [size, size, 1.2 * size],
                                      "rotation": [0, random.between(0.0, 90.0), 0] }),
                ),
                2 => (
                    "cylinder",
                    json!({ "base_center": [x, 0, z], "top_center": [x, 1.5 * size, z],
                                           "radius": size, "capped": true }),
                ),
                3 => (
                    "cone",
                    json!({ "base_center": [x, 0, z], "top_center": [x, 1.5 * size, z],
                                       "base_radius": size, "top_radius": 0.4 * size, "capped": true }),
                ),
                _ => (
                    "cylinder",
                    json!({ "base_center": [x - size, size / 2.0, z], "top_center": [x + size, size / 2.0, z],
                                           "radius": size / 2.0, "capped": true }),
                ),
            };
            shapes.push(json!({ "id": id, "type": kind, "properties": properties }));
        }
    }
    json!({ "version": 1, "shapes": shapes, "lights": [{ "id": "lamp", "type": "area_sphere_light",
        "properties": { "center": [3, 12, 6], "radius": 1, "emission": [40, 40, 40] } }],
        "camera": { "center": [0, 7, 12], "look_at": [0, 0.7, -1], "vfov": 45 } })
}

/// The findings, as `check: ids`.
fn found(file: &Value) -> Vec<String> {
    let scene = Scene::from_json(file).unwrap();
    let findings = findings(&scene, &NoAssets, &Meshes::default()).found;
    findings.iter().map(|finding| format!("{}: {}", finding.check, finding.ids.join(" "))).collect()
}

#[test]
fn nothing_is_found_in_two_hundred_clean_scenes() {
    for seed in 0..200 {
        let scene = clean(seed);
        assert_eq!(found(&scene), [""; 0], "seed {seed}: {scene:#}");
    }
}

fn shapes(file: &mut Value) -> &mut Vec<Value> {
    file["shapes"].as_array_mut().unwrap()
}

/// Plants a problem and returns the expected finding.
fn plant(file: &mut Value, seed: u64) -> String {
    let mut random = Random(seed ^ 0xABCD);
    let ball = |center: [f64; 3], radius: f64| json!({ "id": "fault", "type": "sphere", "properties": { "center": center, "radius": radius } });
    let target = 1 + (random.next() * 6.0) as usize;
    let victim = shapes(file)[target].clone();
    let id = victim["id"].as_str().unwrap().to_owned();
    let scene = Scene::from_json(file).unwrap();
    let bounds = scene.shape(&id).unwrap().geometry.bounds().unwrap();
    let center = bounds.center();
    match seed % 8 {
        0 => {
            let height = bounds.max[1] + random.between(0.05, 0.6);
            shapes(file).push(ball([center[0], height + 0.2, center[2]], 0.2));
            "floating: fault".into()
        }
        1 => {
            let reach = bounds.max[0] - center[0];
            let x = center[0] + reach + 0.3 - random.between(0.03, 0.15);
            let side = json!({ "center": [x, 0.3, center[2]], "dimensions": [0.6, 0.6, 0.6] });
            // A box deep in the shape's side, at the widest height of round ones.
            let center_x = if victim["type"] == "box" { center[0] } else { x - 0.1 };
            let side = json!({ "center": [center_x, side["center"][1], center[2]], "dimensions": [0.6, 0.6, 0.6] });
            shapes(file).push(json!({ "id": "fault", "type": "box", "properties": side }));
            format!("overlap: {id}")
        }
        2 => {
            shapes(file).push(ball([random.between(15.0, 19.0), 0.5, -1.0], 0.5));
            "out_of_view: fault".into()
        }
        3 => {
            // Behind a visible wall.
            let wall = json!({ "center": [0, 1.5, -8], "dimensions": [6, 3, 0.2] });
            shapes(file).push(json!({ "id": "wall", "type": "box", "properties": wall }));
            shapes(file).push(ball([random.between(-1.5, 1.5), 0.3, -9.0], 0.3));
            "hidden: fault".into()
        }
        4 => {
            shapes(file).push(ball([0.0, 7.0, 12.0], random.between(0.5, 2.0)));
            "camera_inside: fault".into()
        }
        5 => {
            shapes(file).push(ball([0.0, 0.001, 3.5], 0.001));
            "scale: fault".into()
        }
        6 => {
            file["lights"] = json!([]);
            file["environment"] = json!({ "type": "none" });
            "dark: ".into()
        }
        _ => {
            file["environment"] = json!({ "type": "uniform", "emission": [60, 60, 60] });
            "burnt_out: ".into()
        }
    }
}

#[test]
fn planted_faults_are_found_in_two_hundred_scenes() {
    for seed in 0..200 {
        let mut scene = clean(seed);
        let planted = plant(&mut scene, seed);
        let all = found(&scene);
        let (check, id) = planted.split_once(": ").unwrap();
        let is_it = |finding: &String| finding.starts_with(check) && finding.contains(id);
        assert!(all.iter().any(is_it), "seed {seed}: {planted} is not among {all:?}");
    }
}

#[test]
fn every_fix_puts_things_right() {
    for seed in 0..200 {
        let mut file = clean(seed);
        let planted = plant(&mut file, seed);
        let check = planted.split_once(": ").unwrap().0.to_owned();
        let manager = SceneManager::new(Scene::from_json(&file).unwrap());
        let shared = SharedScene::new(manager, Attention::default());
        let found = || {
            let scene = shared.current().scene;
            let found = findings(&scene, &NoAssets, &Meshes::default()).found;
            found.into_iter().find(|finding| finding.check == check)
        };
        // A fix may reveal another problem: a sphere moved out of a box may float then.
        for _ in 0..6 {
            let Some(finding) = found() else { break };
            let fix = finding.fix.unwrap();
            let call = Call::parse(fix["name"].as_str().unwrap(), &fix["args"]).unwrap();
            shared.apply_for_user(&[call], None).unwrap();
        }
        assert_eq!(found(), None, "seed {seed} {planted}");
    }
}

#[test]
fn every_finding_can_be_marked_as_meant() {
    for seed in 0..40 {
        let mut file = clean(seed);
        let planted = plant(&mut file, seed);
        let check = planted.split_once(": ").unwrap().0;
        let of_it = |file: &Value| {
            let findings =
                findings(&Scene::from_json(file).unwrap(), &NoAssets, &Meshes::default());
            let found = findings.found.into_iter().filter(|finding| finding.check == check);
            (found.collect::<Vec<_>>(), findings.silenced)
        };
        let (found, silenced) = of_it(&file);
        for finding in &found {
            let id = &finding.ids[0];
            let all = shapes(&mut file);
            let shape = all.iter_mut().find(|shape| shape["id"] == id.as_str()).unwrap();
            shape["intentional"] = json!([check]);
        }
        let (left, marked) = of_it(&file);
        assert_eq!((left, marked), (Vec::new(), silenced + found.len()), "seed {seed} {planted}");
    }
}

#[test]
fn a_picture_too_bright_is_dimmed_by_all_that_shines() {
    let mut file = clean(2);
    file["environment"] =
        json!({ "type": "gradient", "top_color": [40, 60, 80], "bottom_color": [50, 50, 50] });
    shapes(&mut file)[1]["properties"]["material"] =
        json!({ "type": "emissive", "emission": [30, 20, 10] });
    let scene = Scene::from_json(&file).unwrap();
    let found = findings(&scene, &NoAssets, &Meshes::default()).found;
    let burnt = found.iter().find(|finding| finding.check == "burnt_out").unwrap();
    let calls = burnt.fix.as_ref().unwrap()["args"]["calls"].clone();
    let names: Vec<&str> =
        calls.as_array().unwrap().iter().map(|call| call["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["set_environment_lighting", "update_light", "update_shape"]);
    let dimmed = calls[2]["args"]["updates"]["properties"]["material"]["emission"].clone();
    let ratio = dimmed[0].as_f64().unwrap() / dimmed[2].as_f64().unwrap();
    assert!((ratio - 3.0).abs() < 0.01, "the colour stays: {dimmed}");
}

/// The findings for a scene with additional shapes, and with some properties replaced.
fn checks(more: &[Value], replaced: &Value) -> Vec<String> {
    let mut file = clean(4);
    shapes(&mut file).extend(more.iter().cloned());
    for (name, value) in replaced.as_object().unwrap() {
        file[name] = value.clone();
    }
    found(&file)
}

#[test]
fn a_camera_level_with_the_floor_and_a_light_turned_away_are_found() {
    let level = json!({ "camera": { "center": [0, 0.01, 9], "look_at": [0, 0.3, 0] } });
    assert!(checks(&[], &level).contains(&"camera_low: floor".to_owned()));
    let panel = |u: Value, v: Value| {
        json!({ "lights": [{ "id": "lamp", "type": "area_quad_light", "properties": {
            "corner": [0, 8, 0], "u": u, "v": v, "emission": [30, 30, 30] } }] })
    };
    let mut away = panel(json!([0, 0, 1]), json!([1, 0, 0]));
    assert_eq!(checks(&[], &away), ["light_away: lamp"]);
    away["lights"][0]["intentional"] = json!(["light_away"]);
    assert_eq!(checks(&[], &away), [""; 0], "it is meant so");
    assert_eq!(checks(&[], &panel(json!([1, 0, 0]), json!([0, 0, 1]))), [""; 0]);
}

#[test]
fn a_subject_without_light_is_found_though_the_rest_is_bright() {
    // A tall box in front of the camera, lit from behind only.
    let wall = json!({ "id": "slab", "type": "box", "properties": { "center": [0, 1.5, 4], "dimensions": [6, 3, 0.4] } });
    let dark = json!({ "environment": { "type": "none" }, "lights": [{ "id": "lamp", "type": "area_sphere_light",
        "properties": { "center": [0, 9, -9], "radius": 1, "emission": [12, 12, 12] } }] });
    let found = checks(&[wall], &dark);
    assert!(found.iter().any(|found| found == "subject_light: slab"), "{found:?}");
}

#[test]
fn the_walls_of_a_room_and_land_are_no_subject() {
    let dark = json!({ "environment": { "type": "none" }, "camera": { "center": [-0.6, 1.5, 5], "look_at": [0.6, 1.2, 0] },
        "lights": [{ "id": "lamp", "type": "area_sphere_light",
            "properties": { "center": [0, 9, -9], "radius": 1, "emission": [12, 12, 12] } }] });
    let box_of = |id: &str, center: [f64; 3], size: [f64; 3]| json!({ "id": id, "type": "box", "properties": { "center": center, "dimensions": size } });
    let subject = |shape: Value| {
        let found = checks(&[shape], &dark);
        found.into_iter().filter(|found| found.starts_with("subject_light")).collect::<Vec<_>>()
    };
    assert_eq!(subject(box_of("wall", [-5.0, 2.0, 2.6], [9.0, 6.0, 0.1])), [""; 0]);
    assert_eq!(
        subject(box_of("crate", [-0.6, 1.0, 2.6], [1.6, 2.0, 1.0])),
        ["subject_light: crate"]
    );
    // Beside the middle and cut off by the edge of the picture.
    let beside = box_of("crate", [-1.9, 1.0, 2.6], [1.6, 2.0, 1.0]);
    assert_eq!(subject(beside), [""; 0]);
}

#[test]
fn copies_in_other_groups_are_no_loss_where_one_is_seen() {
    let tree = |id: &str, center: [f64; 3]| {
        json!({ "id": id, "type": "sphere", "group": id.replace("crown", "tree"),
        "properties": { "center": center, "radius": 0.3 } })
    };
    let wall = json!({ "id": "wall", "type": "box", "properties": { "center": [0, 1.5, -8], "dimensions": [6, 3, 0.2] } });
    let groups = |near: Value| {
        let copies =
            [json!({ "id": "tree", "parent": near }), json!({ "id": "tree_2", "parent": "far" })];
        let wholes = ["near", "far"].map(|id| json!({ "id": id }));
        let all = [wholes, copies].concat();
        json!({ "groups": all })
    };
    let shapes = [wall, tree("crown", [4.5, 0.3, 3.0]), tree("crown_2", [0.0, 0.3, -9.0])];
    assert_eq!(checks(&shapes, &groups(json!("near"))), [""; 0]);
    let alone = checks(&[shapes[0].clone(), shapes[2].clone()], &groups(json!("near")));
    assert_eq!(alone, ["hidden: crown_2"]);
}

#[test]
fn parts_hidden_in_their_group_and_things_half_in_the_picture_are_no_findings() {
    let part = |id: &str, radius: f64| json!({ "id": id, "type": "sphere", "group": "bulb", "properties": { "center": [4.5, radius, 3], "radius": radius } });
    // The core is inside the shell.
    assert_eq!(checks(&[part("shell", 0.4), part("core", 0.2)], &json!({})), [""; 0]);
    let post = json!({ "id": "post", "type": "box", "properties": { "center": [0, 6, -9], "dimensions": [0.3, 12, 0.3] } });
    assert_eq!(checks(&[post], &json!({})), [""; 0], "most of it reaches out of the picture");
}

#[test]
fn land_and_table_tops_carry_things_whatever_lies_lower() {
    let box_of = |id: &str, center: [f64; 3], size: [f64; 3]| json!({ "id": id, "type": "box", "properties": { "center": center, "dimensions": size } });
    let camera = json!({ "center": [0, 6, 14], "look_at": [0, 0, 0] });
    let file = |shapes: Value| json!({ "version": 1, "shapes": shapes, "camera": camera });
    // A floor at some height, and a hill that starts below it.
    let scene = file(json!([
        box_of("floor", [0.0, -0.1, 0.0], [12.0, 0.2, 8.0]),
        { "id": "hill", "type": "ellipsoid", "properties": { "center": [0, -1.2, -6], "radii": [8, 2, 3] } },
        box_of("crate", [1.0, 0.5, 0.0], [1.0, 1.0, 1.0]),
        box_of("box", [-1.0, 0.8, 1.0], [0.4, 0.4, 0.4]) ]));
    assert_eq!(found(&scene), ["floating: box"]);
    let table = file(json!([
        box_of("top", [0.0, 0.7, 0.0], [2.0, 0.05, 1.0]),
        { "id": "plum", "type": "sphere", "properties": { "center": [0.3, 0.765, 0.2], "radius": 0.04 } } ]));
    assert_eq!(found(&table), [""; 0]);
}

#[test]
fn findings_of_a_group_are_folded_and_mended_as_a_whole() {
    let leg = |id: &str, x: f64| json!({ "id": id, "type": "box", "group": "stool", "properties": { "center": [x, 0.4, 4], "dimensions": [0.2, 0.8, 0.2] } });
    let block = json!({ "id": "block", "type": "box", "properties": { "center": [0, 0.2, 4], "dimensions": [2, 0.4, 0.6] } });
    let mut file = clean(4);
    shapes(&mut file).extend([leg("leg_1", -0.5), leg("leg_2", 0.5), block]);
    let scene = Scene::from_json(&file).unwrap();
    let found = findings(&scene, &NoAssets, &Meshes::default()).found;
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].message.ends_with("and 1 more of their parts or copies overlap"), "{found:?}");
    assert_eq!(found[0].fix.as_ref().unwrap()["args"]["ids"], json!(["stool"]));
}

#[test]
fn what_is_meant_so_is_not_told() {
    let mut file = clean(3);
    shapes(&mut file).push(json!({ "id": "balloon", "type": "sphere", "intentional": ["floating"],
        "properties": { "center": [0, 0.9, 3.6], "radius": 0.3 } }));
    let scene = Scene::from_json(&file).unwrap();
    assert_eq!(scene.to_json()["shapes"][7]["intentional"], json!(["floating"]));
    let findings = findings(&scene, &NoAssets, &Meshes::default());
    assert_eq!((findings.found, findings.silenced), (Vec::new(), 1));
}

#[test]
fn what_is_seen_through_glass_is_not_hidden_and_what_it_holds_is_no_overlap() {
    let mut file = clean(5);
    shapes(&mut file).push(json!({ "id": "case", "type": "box", "properties": { "center": [0, 1, 3],
        "dimensions": [1, 2, 1], "material": { "type": "dielectric", "refractive_index": 1.5 } } }));
    shapes(&mut file).push(json!({ "id": "jewel", "type": "sphere", "intentional": ["floating"],
        "properties": { "center": [0, 1, 3], "radius": 0.2 } }));
    assert_eq!(found(&file), [""; 0]);
    shapes(&mut file)[7]["properties"]["material"] =
        json!({ "type": "lambertian", "albedo": [0.5, 0.5, 0.5] });
    let opaque = found(&file);
    for fault in ["overlap: jewel case", "hidden: jewel"] {
        assert!(opaque.iter().any(|found| found == fault), "{opaque:?}");
    }
}

#[test]
fn what_an_artist_leaves_as_it_is_is_no_finding() {
    let shape = |id: &str, kind: &str, properties: Value| json!({ "id": id, "type": kind, "properties": properties });
    let boulder = shape("boulder", "sphere", json!({ "center": [0, 0.2, 4], "radius": 0.6 }));
    assert_eq!(checks(&[boulder], &json!({})), [""; 0], "rooted in the ground");
    let post = shape("post", "box", json!({ "center": [0, 0.5, 4], "dimensions": [0.3, 1, 0.3] }));
    let sign =
        shape("sign", "box", json!({ "center": [0, 0.9, 4.1], "dimensions": [1, 0.3, 0.2] }));
    assert_eq!(checks(&[post.clone(), sign], &json!({})), [""; 0], "fixed to its post");
    let planet = shape("planet", "sphere", json!({ "center": [0, 20, -60], "radius": 6 }));
    let far = json!({ "camera": { "center": [0, 7, 14], "look_at": [0, 4, -1], "vfov": 70 } });
    let aloft = checks(&[planet], &far);
    assert!(!aloft.iter().any(|found| found.starts_with("floating")), "{aloft:?}");
    // What stands by itself and reaches into what stands by itself is one.
    let beside =
        shape("beside", "box", json!({ "center": [0.2, 0.5, 4], "dimensions": [0.3, 1, 0.3] }));
    assert_eq!(checks(&[post, beside], &json!({})), ["overlap: beside post"]);
}
