//! `add_object`: ready-made objects where they are wanted.

use scene::{NoAssets, Scene};
use serde_json::{Value, json};
use spatial::{Finding, Sight, Space, check};

use crate::stage::{Stage, near, stage, stage_of};

/// A level floor, ten metres wide.
fn room() -> Stage {
    stage(&[("floor", "quad", json!({ "corner": [-5, 0, 5], "u": [10, 0, 0], "v": [0, 0, -10] }))])
}

fn group_of(added: &[String]) -> &str {
    added[0].rsplit_once('_').map_or(&added[0], |(group, _)| group)
}

#[test]
fn an_object_stands_life_size_where_it_is_put() {
    let mut stage = room();
    let added = stage.call("add_object", json!({ "object": "armchair", "at": [1, 0, -2] }));
    assert!(added.iter().all(|id| id.starts_with("armchair_")), "{added:?}");
    let extent = stage.extent("armchair");
    assert!(near(extent.min.y, 0.0) && (0.7..1.2).contains(&extent.size().y), "{extent:?}");
    assert!((extent.center().x - 1.0).abs() < 0.05 && (extent.center().z + 2.0).abs() < 0.1);
}

#[test]
fn calls_speak_along_the_axes_of_an_object_that_was_added_turned() {
    let mut stage = room();
    stage.call("add_object", json!({ "object": "armchair", "at": [0, 0, 0], "turn": 90 }));
    let before = stage.extent("armchair").center();
    stage.call("move", json!({ "ids": ["armchair"], "by": [0, 0, 1], "along": "armchair" }));
    let way = stage.extent("armchair").center() - before;
    assert!(near(way.x, 1.0) && near(way.z, 0.0), "its front is at +x: {way:?}");
}

#[test]
fn copies_stand_at_the_places_that_are_listed_and_their_parts_bear_their_name() {
    let mut stage = room();
    stage.call("add_object", json!({ "object": "chair", "id": "chair", "at": [0, 0, 0] }));
    let height = stage.extent("chair").min.y;
    let copies = json!({ "ids": ["chair"], "at": [[1, 2], [3, 0.5, -1]], "new_id": "guest" });
    let parts = stage.call("duplicate", copies);
    assert!(parts.iter().all(|id| id.starts_with("guest_")), "{parts:?}");
    let stand = |stage: &Stage, id: &str| {
        let extent = stage.extent(id);
        extent.center().with_y(extent.min.y).to_array()
    };
    for (id, at) in [("guest", [1.0, height, 2.0]), ("guest_2", [3.0, 0.5, -1.0])] {
        let found = stand(&stage, id);
        assert!(found.iter().zip(at).all(|(found, at)| near(*found, at)), "{id}: {found:?}");
    }
    for (wrong, hint) in [
        (json!({ "ids": ["chair"] }), "'offset'"),
        (json!({ "ids": ["chair"], "offset": [1, 0, 0], "at": [[1, 1]] }), "'at'"),
        (json!({ "ids": ["chair", "guest"], "at": [[1, 1]] }), "group several"),
        (json!({ "ids": ["chair"], "at": [[1, "a"]] }), "[x, z]"),
    ] {
        let error = stage.refused("duplicate", wrong);
        assert!(error.contains(hint), "{error}");
    }
}

#[test]
fn it_rests_on_what_is_below_a_place_on_the_ground() {
    let mut stage = room();
    stage.call("add_object", json!({ "object": "table", "at": [0, 0] }));
    let top = stage.extent("table").max.y;
    stage.call("add_object", json!({ "object": "mug", "at": [0.1, 0.1] }));
    assert!(near(stage.extent("mug").min.y, top), "{:?} on {top}", stage.extent("mug"));
}

#[test]
fn what_it_would_roll_off_leaves_it_above_the_table() {
    let mut stage = room();
    let table = json!({ "id": "table", "type": "box", "properties": {
        "center": [0, 0.4, 0], "dimensions": [2, 0.8, 2] } });
    stage.call("create_shape", table);
    let handle = json!({ "id": "handle", "type": "torus", "properties": {
        "center": [0, 0.84, 0], "normal": [0, 0, 1], "radius": 0.03, "thickness": 0.01 } });
    stage.call("create_shape", handle);
    let rod = json!({ "id": "rod", "type": "capsule", "properties": {
        "start": [-0.1, 0.85, 0.01], "end": [0.1, 0.85, 0.01], "radius": 0.005 } });
    stage.call("create_shape", rod);
    stage.call("add_object", json!({ "object": "lemon", "at": [0, 0] }));
    let lemon = stage.extent("lemon");
    assert!(lemon.min.y >= 0.8 - 1e-6, "{lemon:?}");
}

#[test]
fn what_it_reaches_over_by_a_little_does_not_carry_it() {
    let mut stage = room();
    let table = json!({ "id": "table", "type": "box", "properties": {
        "center": [0, 0.4, 0], "dimensions": [2, 0.8, 1] } });
    stage.call("create_shape", table);
    // The chair, half a metre deep, is a few centimetres over the edge; the mug is by half.
    stage.call("add_object", json!({ "object": "chair", "at": [0, 0.7] }));
    assert!(near(stage.extent("chair").min.y, 0.0), "{:?}", stage.extent("chair"));
    stage.call("add_object", json!({ "object": "mug", "at": [0.5, 0.49] }));
    assert!(near(stage.extent("mug").min.y, 0.8), "{:?}", stage.extent("mug"));
}

#[test]
fn a_ceiling_carries_nothing() {
    let mut stage = room();
    let ceiling = json!({ "id": "ceiling", "type": "quad", "properties": {
        "corner": [-5, 2.6, -5], "u": [10, 0, 0], "v": [0, 0, 10] } });
    stage.call("create_shape", ceiling);
    let camera = json!({ "center": [0, 1.5, 4.5], "look_at": [0, 1, 0] });
    stage.call("set_camera", camera);
    stage.call("add_object", json!({ "object": "chair", "at": [1, 0] }));
    assert!(near(stage.extent("chair").min.y, 0.0), "{:?}", stage.extent("chair"));
}

#[test]
fn what_is_overhead_carries_nothing_unless_one_looks_down_on_it() {
    let mut stage = room();
    let eaves = json!({ "id": "eaves", "type": "box", "properties": {
        "center": [1, 4, 0], "dimensions": [1.2, 0.1, 6], "rotation": [0, 0, 30] } });
    stage.call("create_shape", eaves);
    stage.call("set_camera", json!({ "center": [0, 1.6, 6], "look_at": [0, 1, 0] }));
    stage.call("add_object", json!({ "object": "barrel", "id": "below", "at": [1, 0] }));
    assert!(near(stage.extent("below").min.y, 0.0), "{:?}", stage.extent("below"));
    stage.call("set_camera", json!({ "center": [0, 12, 12], "look_at": [0, 1, 0] }));
    stage.call("add_object", json!({ "object": "barrel", "id": "above", "at": [1, 2] }));
    assert!(stage.extent("above").min.y > 3.9, "{:?}", stage.extent("above"));
}

#[test]
fn the_words_of_place_place_it() {
    let mut stage = room();
    stage.call("add_object", json!({ "object": "sofa", "id": "couch" }));
    let lamp =
        json!({ "object": "floor lamp", "relation": "right_of", "to": ["couch"], "gap": 0.1 });
    let added = stage.call("add_object", lamp);
    assert_eq!(group_of(&added), "floor_lamp");
    let (lamp, sofa) = (stage.extent("floor_lamp"), stage.extent("couch"));
    assert!(lamp.center().x > sofa.center().x && near(lamp.min.y, 0.0), "{lamp:?} {sofa:?}");
    assert!(near(stage.relation("floor_lamp", "couch").gap, 0.1));
}

#[test]
fn without_a_place_it_goes_where_room_is() {
    let mut stage = room();
    for _ in 0..6 {
        stage.call("add_object", json!({ "object": "chair" }));
    }
    let names = ["chair", "chair_2", "chair_3", "chair_4", "chair_5", "chair_6"];
    for (at, one) in names.iter().enumerate() {
        assert!(near(stage.extent(one).min.y, 0.0));
        for other in &names[at + 1..] {
            assert!(stage.relation(one, other).gap > 0.0, "{one} {other}");
        }
    }
    // A table is no ground, however much room is on it.
    let mut stage = room();
    stage.call("add_object", json!({ "object": "table", "at": [0, 0] }));
    stage.call("add_object", json!({ "object": "mug" }));
    assert!(near(stage.extent("mug").min.y, 0.0), "{:?}", stage.extent("mug"));
    assert!(stage.relation("mug", "table").gap > 0.0);
}

#[test]
fn it_is_turned_sized_and_painted() {
    let mut stage = room();
    let bed = json!({ "object": "bed", "at": [0, 0, 0], "turn": 90, "height": 0.5,
                      "materials": { "body": "gold" } });
    stage.call("add_object", bed);
    let size = stage.extent("bed").size();
    assert!(near(size.y, 0.5) && size.x > size.z, "its length lies along x: {size}");
    let scene = stage.scene();
    let is_gold = |shape: &&std::sync::Arc<scene::Shape>| {
        shape.material.to_json() == json!({ "type": "preset", "name": "gold" })
            || shape.material.to_json() == json!("gold")
    };
    assert!(scene.shapes.iter().filter(is_gold).count() > 0);
    // A colour keeps the kind of surface; a part is painted by its name.
    let chair = json!({ "object": "armchair", "materials": { "body": "#ff0000", "foot": "teal" } });
    stage.call("add_object", chair);
    let scene = stage.scene();
    let painted = |id: &str| scene.shape(id).unwrap().material.to_json();
    assert_eq!(painted("armchair_base")["albedo"], json!([1.0, 0.0, 0.0]));
    assert_ne!(painted("armchair_foot_front_right"), painted("armchair_base"));
    let refused = json!({ "object": "armchair", "materials": { "body": "#zz" } });
    assert!(stage.refused("add_object", refused).contains("materials.body"));
}

#[test]
fn options_are_there_or_not_or_so_many() {
    let shines = |scene: &Scene| {
        let emits =
            |shape: &&std::sync::Arc<scene::Shape>| shape.material.to_json()["type"] == "emissive";
        scene.shapes.iter().filter(emits).count()
    };
    let mut stage = room();
    stage.call("add_object", json!({ "object": "floor lamp" }));
    assert_eq!(shines(&stage.scene()), 1);
    let dark = json!({ "object": "floor lamp", "options": { "light": false } });
    stage.call("add_object", dark);
    assert_eq!(shines(&stage.scene()), 1);
    let candles = |stage: &mut Stage, count: Value| {
        let cake = json!({ "object": "cake", "options": { "candles": count } });
        let added = stage.call("add_object", cake);
        added.iter().filter(|id| id.contains("candle")).count()
    };
    let (three, six) = (candles(&mut stage, json!(3)), candles(&mut stage, json!(6)));
    assert_eq!((six, candles(&mut stage, json!(false))), (2 * three, 0));
}

#[test]
fn what_is_wrong_is_told_by_name() {
    let mut stage = room();
    for (args, part) in [
        (json!({ "object": "amrchair" }), "there is no object 'amrchair'; there are: armchair"),
        (
            json!({ "object": "qwertz" }),
            "there is no object 'qwertz'; find_objects tells what there is",
        ),
        (
            json!({ "object": "chair", "options": { "wings": true } }),
            "a chair has no option 'wings'",
        ),
        (
            json!({ "object": "chair", "materials": { "wing": "gold" } }),
            "a chair has no part 'wing'",
        ),
        (json!({ "object": "chair", "id": "floor" }), "a shape 'floor' already exists"),
        (json!({ "object": "chair", "relation": "on" }), "takes 'relation' and 'to' together"),
        (json!({ "object": "chair", "at": [1, 0], "relation": "on", "to": ["floor"] }), "not both"),
        (json!({ "object": "chair", "at": [1] }), "must be [x, y, z] or [x, z] in meters"),
        (
            json!({ "object": "chair", "options": { "arms": "yes" } }),
            "{option: true, false or a number",
        ),
        (
            json!({ "object": "living room", "at": [1, 0] }),
            "is a whole scene, which takes only 'object'",
        ),
        (json!({ "object": "chair", "relation": "on", "to": ["moon"] }), "moon"),
    ] {
        let error = stage.refused("add_object", args.clone());
        assert!(error.contains(part), "{args}: {error}");
    }
}

#[test]
fn a_whole_scene_fills_an_empty_one_and_joins_another() {
    let mut empty = stage_of(&json!({ "version": 1, "shapes": [] }));
    let camera = empty.scene().camera.clone();
    empty.call("add_object", json!({ "object": "living room" }));
    let scene = empty.scene();
    assert!(!scene.lights.is_empty() && scene.shapes.len() > 100);
    assert_ne!(scene.camera, camera, "an empty scene gets its camera too");
    // Once more: every name is counted on, and the camera stays.
    let before = (scene.shapes.len(), scene.camera.clone());
    empty.call("set_camera", json!({ "center": [0, 9, 9], "look_at": [0, 0, 0] }));
    let camera = empty.scene().camera.clone();
    empty.call("add_object", json!({ "object": "living room" }));
    assert_eq!((empty.scene().shapes.len(), &empty.scene().camera), (2 * before.0, &camera));
}

/// A living room as a model would furnish it: nothing floats, nothing overlaps.
#[test]
fn a_furnished_room_has_no_findings() {
    let mut stage = room();
    for args in [
        json!({ "object": "rug", "at": [0, 0, 0] }),
        json!({ "object": "coffee table", "at": [0, 0] }),
        json!({ "object": "sofa", "at": [0, 0, -1.8] }),
        json!({ "object": "armchair", "at": [2.1, 0, 0.2], "turn": -70 }),
        json!({ "object": "floor lamp", "relation": "left_of", "to": ["sofa"], "gap": 0.15 }),
        json!({ "object": "bookshelf", "at": [3.2, 0, -2.4] }),
        json!({ "object": "vase", "relation": "on", "to": ["coffee_table"] }),
        json!({ "object": "potted plant", "at": [-3, 0, -2] }),
    ] {
        stage.call("add_object", args);
    }
    let scene = stage.scene();
    let space = Space::of(&scene, &NoAssets);
    let findings = check(&space, &mut |_| Sight::Seen).found;
    let physical: Vec<&Finding> =
        findings.iter().filter(|finding| matches!(finding.check, "overlap" | "floating")).collect();
    assert!(physical.is_empty(), "{physical:#?}");
}

#[test]
fn it_rests_on_the_part_below_its_middle_and_not_on_what_rises_beside_it() {
    let mut stage = room();
    stage.call("add_object", json!({ "object": "chair", "at": [0, 0] }));
    let bear = json!({ "object": "teddy bear", "relation": "on", "to": ["chair"] });
    stage.call("add_object", bear);
    assert!(near(stage.relation("teddy_bear", "chair_seat").gap, 0.0));
    let back = stage.extent("chair").max.y;
    assert!(stage.extent("teddy_bear").min.y < back - 0.3, "{:?}", stage.extent("teddy_bear"));
    for slat in ["chair_slat_1", "chair_slat_2", "chair_slat_3"] {
        assert!(stage.relation("teddy_bear", slat).gap > -1e-6, "{slat}");
    }
    // In the well of a plate, within its rim.
    stage.call("add_object", json!({ "object": "dinner plate", "id": "plate", "at": [2, 0] }));
    let cupcake = json!({ "object": "cupcake", "relation": "on", "to": ["plate"] });
    stage.call("add_object", cupcake);
    assert!(near(stage.relation("cupcake", "plate_well").gap, 0.0));
    // What is wider than the well lies on the rim.
    let board = json!({ "id": "lid", "type": "cylinder", "properties": {
        "base_center": [2, 1, 0], "top_center": [2, 1.02, 0], "radius": 0.14, "capped": true } });
    stage.call("create_shape", board);
    stage.call("remove", json!({ "ids": ["cupcake"] }));
    stage.call("place", json!({ "ids": ["lid"], "relation": "on", "to": ["plate"] }));
    assert!(near(stage.relation("lid", "plate_edge").gap, 0.0));
    // Where it goes was said.
    let there =
        json!({ "ids": ["lid"], "relation": "on", "to": ["chair"], "offset": [0, 0, -0.2] });
    stage.call("place", there);
    assert!(stage.extent("lid").min.y > back - 0.05, "{:?}", stage.extent("lid"));
}
