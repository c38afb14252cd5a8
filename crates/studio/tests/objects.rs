//! `find_objects`: the answers from the catalogue, and their token counts.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::sync::Arc;

use catalogue::{OwnObject, OwnObjects};
use serde_json::{Value, json};
use studio::Author;

use crate::tools::{desk, desk_with};

async fn find(args: Value) -> Result<Value, String> {
    desk().tools.get("find_objects").unwrap().call(args).await.outcome
}

#[tokio::test]
async fn several_things_are_found_in_one_call() {
    let found = find(json!({ "query": "sofa, floor lamp, rug" })).await.unwrap();
    for name in ["sofa", "floor lamp", "rug"] {
        let row = &found[name]["objects"][0];
        assert_eq!(row["object"], name, "{found}");
        assert!(row["size"][1].as_f64().unwrap() > 0.0 && row["parts"][0].is_string(), "{row}");
    }
    assert!(found["floor lamp"]["objects"][0]["options"].to_string().contains("light"), "{found}");
    let list = find(json!({ "query": ["sofa", "rug"], "max": 1 })).await.unwrap();
    assert_eq!(list["sofa"]["objects"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_row_is_about_fifty_tokens() {
    let found =
        find(json!({ "query": "desk, chair, laptop, mug, table lamp, plant" })).await.unwrap();
    let rows: usize = found
        .as_object()
        .unwrap()
        .values()
        .map(|answer| answer["objects"].as_array().unwrap().len())
        .sum();
    let tokens = found.to_string().len() / 4;
    assert!(tokens / rows < 60, "{tokens} tokens for {rows} rows: {found}");
}

#[tokio::test]
async fn without_a_query_the_categories_are_told() {
    let all = find(json!({})).await.unwrap();
    assert!(all["categories"]["furniture"].as_u64().unwrap() > 10, "{all}");
    assert!(all["scenes"].as_array().unwrap().contains(&json!("living room")), "{all}");
    let furniture = find(json!({ "category": "furniture" })).await.unwrap();
    assert!(furniture["objects"].as_array().unwrap().contains(&json!("sofa")), "{furniture}");
}

#[tokio::test]
async fn a_whole_scene_is_told_by_what_it_holds() {
    let found = find(json!({ "query": "living room" })).await.unwrap();
    assert_eq!(found["scenes"][0]["scene"], "living room", "{found}");
    assert!(found["scenes"][0]["holds"].as_array().unwrap().contains(&json!("sofa")), "{found}");
}

#[tokio::test]
async fn what_is_not_there_is_said() {
    let nothing = find(json!({ "query": "qwertzuiop" })).await.unwrap();
    assert_eq!(nothing["hint"], "nothing like it: build it from shapes", "{nothing}");
    let error = find(json!({ "category": "qwertz" })).await.unwrap_err();
    assert!(error.contains("there is no category 'qwertz'; there are"), "{error}");
    let error = find(json!({ "words": "sofa" })).await.unwrap_err();
    assert!(error.contains("it takes query (a text)"), "{error}");
}

/// The user's reading lamp: a foot and a shade that glows.
fn own() -> Arc<OwnObjects> {
    let form = json!({ "format": "scene-llm object", "version": 1, "name": "reading lamp", "words": ["my light"],
        "category": "lighting", "note": "for the sofa",
        "shapes": [
            { "id": "foot", "type": "box", "properties": { "center": [0, 0.05, 0], "dimensions": [0.4, 0.1, 0.4] } },
            { "id": "shade", "type": "sphere", "properties": { "center": [0, 0.3, 0], "radius": 0.2,
                "material": { "type": "emissive", "emission": [4, 4, 4] } } } ] });
    let own = OwnObjects::default();
    own.publish(vec![Arc::new(OwnObject::from_json(&form).unwrap())]);
    Arc::new(own)
}

#[tokio::test]
async fn the_users_own_are_found_added_and_taken_back() {
    let desk = desk_with(own());
    let find = async |args: Value| {
        desk.tools.get("find_objects").unwrap().call(args).await.outcome.unwrap()
    };
    let found = find(json!({ "query": "reading lamp" })).await;
    let row = &found["objects"][0];
    assert_eq!(row["object"], "reading lamp", "{found}");
    assert_eq!((&row["own"], &row["note"]), (&json!(true), &json!("for the sofa")), "{row}");
    assert_eq!(row["parts"], json!(["body", "foot", "shade"]));
    assert_eq!(row["options"], json!(["light"]));
    assert_eq!(row["size"], json!([0.4, 0.5, 0.4]));
    assert_eq!(find(json!({ "query": "my light" })).await["objects"][0]["object"], "reading lamp");
    let lighting = find(json!({ "category": "lighting" })).await;
    assert_eq!(lighting["objects"][0], "reading lamp", "{lighting}");
    assert_eq!(find(json!({})).await["own"], json!(["reading lamp"]));

    let (before, _) = desk.state();
    let args = json!({ "object": "reading lamp", "relation": "on", "to": ["table"], "offset": [0.6, 0, 0] });
    let output = desk.call("add_object", args).await;
    let result = output.outcome.unwrap();
    assert_eq!((&result["id"], &result["own"]), (&json!("reading_lamp"), &json!(true)), "{result}");
    let facts = output.facts.unwrap();
    assert_eq!(
        facts["bounds"],
        json!([[0.4, 1.0, -0.2], [0.8, 1.5, 0.2]]),
        "on the table: {facts}"
    );
    assert!(facts.get("new_overlaps").is_none(), "{facts}");
    desk.scene.undo(Author::Model).unwrap();
    assert!(desk.state().1.shape("reading_lamp_foot").is_none());
    assert!(desk.state().0 > before);

    // In a batch, as a model adds several things.
    let calls = json!({ "calls": [
        { "name": "add_object", "args": { "object": "reading lamp", "id": "a", "at": [3, 0] } },
        { "name": "add_object", "args": { "object": "armchair", "at": [4, 2] } } ] });
    assert!(desk.call("edit_scene", calls).await.outcome.is_ok());
    assert!(desk.state().1.shape("a_foot").is_some());
}
