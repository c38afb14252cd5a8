//! `find_objects`: the answers from the catalogue, and their token counts.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use serde_json::{Value, json};

use crate::tools::desk;

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
