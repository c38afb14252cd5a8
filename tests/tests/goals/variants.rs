//! Variants of a goal: branches, ranked, one chosen.

use end_to_end::fake_gemini::{Answer, FakeGemini};
use end_to_end::server::TestServer;
use serde_json::{Value, json};

use super::{creates, says, sets_plan, told, until};
use crate::loop_over_gemini::sphere;

fn plan(words: &str) -> Answer {
    sets_plan(&json!([{ "id": "a", "description": words, "criteria": ["1+ sphere"] }]))
}

#[tokio::test]
async fn variants_are_branches_from_one_beginning_ranked_and_another_can_be_chosen() {
    let two = Answer::new()
        .call(Some("a"), "create_shape", sphere("one", json!(1)))
        // It stands in the other one.
        .call(Some("b"), "create_shape", sphere("two", json!(1.1)));
    let gemini = FakeGemini::start([
        // Something that was there before all variants.
        creates("before"),
        says("A ball."),
        plan("two balls"),
        says("The plan."),
        two,
        says("Two."),
        plan("one ball"),
        says("Another plan."),
        Answer::new().call(
            Some("c"),
            "create_shape",
            json!({ "id": "alone", "type": "sphere",
            "properties": { "center": [9, 1, 0], "radius": 1 } }),
        ),
        says("One."),
    ])
    .await;
    let directory = tempfile::tempdir().unwrap();
    let models = || TestServer::models_of(&gemini);
    let server = TestServer::start_in(models(), directory.path()).await;
    let mut client = server.client().await;
    let session = client.session();
    client.send(json!({ "type": "user_message", "text": "a ball" })).await;
    client.until("run_finished").await;
    client
        .send(json!({ "type": "start_goal", "objective": "balls", "criteria": ["1+ sphere"],
        "may_ask": false, "verify": "off", "variants": 2 }))
        .await;
    let goal = until(&mut client, "completed").await;
    assert_eq!(gemini.refusals(), Vec::<String>::new());
    let made = goal["variants"]["made"].as_array().unwrap();
    let numbers: Vec<&Value> = made.iter().map(|variant| &variant["number"]).collect();
    assert_eq!(numbers, [2, 1], "the one without overlaps first: {made:?}");
    assert_eq!((&made[0]["faults"], &goal["variants"]["chosen"]), (&json!(0), &json!(2)));
    assert!(made[1]["faults"].as_u64().unwrap() >= 1, "{made:?}");
    assert_eq!(goal["used"]["turns"], 8);
    assert!(told(&gemini).contains("Variant 2 of 2 of the same goal"));
    assert!(told(&gemini).contains("which were: two balls"));
    let ids = async |server: &TestServer| -> Vec<String> {
        let scene = server.get(&format!("/api/sessions/{session}/scene")).await;
        let shapes = scene["shapes"].as_array().unwrap().clone();
        shapes.iter().map(|shape| shape["id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(ids(&server).await, ["before", "alone"]);
    let branches = server.get(&format!("/api/sessions/{session}/branches")).await;
    assert_eq!(branches["branches"].as_array().unwrap().len(), 2);
    // Each has a picture.
    let http = server.http();
    for number in [1, 2] {
        let path = format!("/api/sessions/{session}/goal/variants/{number}/picture");
        let picture = http.get(server.url(&path)).send().await.unwrap();
        assert_eq!(
            (picture.status().as_u16(), &picture.headers()["content-type"]),
            (200, &"image/jpeg".parse().unwrap())
        );
    }
    let missing = format!("/api/sessions/{session}/goal/variants/3/picture");
    assert_eq!(http.get(server.url(&missing)).send().await.unwrap().status(), 404);
    // Choosing another one is a step like any other: it is stored, and the first choice stays a branch.
    let choose = server.url(&format!("/api/sessions/{session}/goal/choose"));
    let wrong = http.post(&choose).json(&json!({ "variant": 7 })).send().await.unwrap();
    assert_eq!(wrong.status(), 422);
    let chosen = http.post(&choose).json(&json!({ "variant": 1 })).send().await.unwrap();
    assert_eq!(chosen.status(), 200);
    let chosen: Value = chosen.json().await.unwrap();
    assert_eq!(chosen["goal"]["variants"]["chosen"], 1);
    assert_eq!(ids(&server).await, ["before", "one", "two"]);
    server.stop().await;
    let server = TestServer::start_in(models(), directory.path()).await;
    assert_eq!(ids(&server).await, ["before", "one", "two"]);
    let late = server.attach(&format!("session={session}")).await;
    assert_eq!(late.welcome["goal"]["variants"]["chosen"], 1);
    assert_eq!(late.welcome["branches"], 2);
}

#[tokio::test]
async fn a_goal_with_variants_says_what_cannot_be() {
    let gemini = FakeGemini::start([]).await;
    let server = TestServer::with_gemini(&gemini).await;
    let client = server.client().await;
    let url = server.url(&format!("/api/sessions/{}/goal", client.session()));
    for (more, status, words) in [
        (json!({ "variants": 9 }), 422, "from 2 to 5, got 9"),
        (json!({ "variants": 2, "models": ["gone"] }), 409, "'gone'"),
        (json!({ "variants": -1 }), 400, "variants"),
    ] {
        let mut body = json!({ "objective": "x" });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let refused = server.http().post(&url).json(&body).send().await.unwrap();
        assert_eq!(refused.status(), status, "{body}");
        let problem: Value = refused.json().await.unwrap();
        assert!(problem["detail"].as_str().unwrap().contains(words), "{problem}");
    }
    let choose = server.url(&format!("/api/sessions/{}/goal/choose", client.session()));
    let refused = server.http().post(choose).json(&json!({ "variant": 1 })).send().await.unwrap();
    assert_eq!(refused.status(), 404);
}
