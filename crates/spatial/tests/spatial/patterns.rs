//! `array`: what is told of its patterns, and what becomes of the originals.

use serde_json::json;

use crate::stage::{near, stage_of};

#[test]
fn each_pattern_is_told_with_arguments_that_are_valid() {
    let file = json!({ "version": 1, "shapes": [
        { "id": "tree", "type": "cylinder", "properties": { "base_center": [3, 0, 0],
            "top_center": [3, 2, 0], "radius": 0.2, "capped": true } },
        { "id": "bush", "type": "sphere", "properties": { "center": [-3, 0.5, 0], "radius": 0.5 } },
        { "id": "path", "type": "box", "properties": { "center": [0, 0.01, 6], "dimensions": [20, 0.02, 1] } },
        { "id": "ground", "type": "height_field", "properties": { "center": [0, 0, 0], "sides": [40, 40],
            "noise": { "seed": 1, "height": 0.01, "feature_size": 20 } } } ] });
    for pattern in spatial::guided_names() {
        let guide = spatial::guide(pattern).unwrap();
        let mut stage = stage_of(&file);
        let before = stage.scene().shapes.len();
        stage.call("array", guide["example"].clone());
        assert!(stage.scene().shapes.len() > before + 1, "{pattern}");
        let schema =
            &spatial::computed_tools().iter().find(|tool| tool.name == "array").unwrap().parameters;
        for (name, _) in guide["properties"].as_object().unwrap() {
            assert!(schema["properties"][name].is_object(), "{pattern}: {name}");
        }
    }
    let known: Vec<_> = spatial::Pattern::NAMES.to_vec();
    assert_eq!(spatial::guided_names().collect::<Vec<_>>(), known);
}

#[test]
fn all_originals_go_to_places_where_the_first_does() {
    let file = json!({ "version": 1, "shapes": [
        { "id": "pine", "type": "cylinder", "properties": { "base_center": [0, 9, 0],
            "top_center": [0, 11, 0], "radius": 0.2, "capped": true } },
        { "id": "oak", "type": "sphere", "properties": { "center": [2, 9, 0], "radius": 0.5 } },
        { "id": "ground", "type": "box", "properties": { "center": [0, -0.5, 0], "dimensions": [40, 1, 40] } } ] });
    let mut stage = stage_of(&file);
    let scatter = json!({ "id": "pine", "also": ["oak"], "pattern": "scatter", "count": 30, "on": "ground",
        "group": "wood", "move_first": true });
    stage.call("array", scatter);
    for id in ["pine", "oak"] {
        assert!(near(stage.extent(id).min.y, 0.0), "{id} {:?}", stage.extent(id));
    }
}
