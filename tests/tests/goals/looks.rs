//! Verifying by pictures: looks after tasks, and criteria about the picture. Requests that offer no tools are
//! looks; the fake answers them out of its script.

use end_to_end::fake_gemini::{Answer, FakeGemini};
use end_to_end::server::TestServer;
use serde_json::{Value, json};
use server::ModelsConfig;

use super::{creates, says, sets_plan, told, until};

fn goal(criteria: &Value) -> Value {
    json!({ "type": "start_goal", "objective": "a ball", "criteria": criteria, "may_ask": false })
}

fn ball() -> Value {
    json!([{ "id": "a", "description": "a ball", "criteria": ["1 sphere"] }])
}

/// Requests that showed a picture and offered no tools.
fn looks(gemini: &FakeGemini) -> usize {
    let is_look = |body: &Value| {
        body.get("tools").is_none() && body["contents"].to_string().contains("inlineData")
    };
    gemini.requests().iter().filter(|request| is_look(&request.body)).count()
}

#[tokio::test]
async fn what_a_look_at_the_picture_finds_goes_back_once_and_is_repaired() {
    let smaller = json!({ "id": "one", "updates": { "properties": { "radius": 0.9 } } });
    let gemini = FakeGemini::start([
        sets_plan(&ball()),
        says("The plan."),
        creates("one"),
        says("A ball."),
        Answer::new().call(Some("r"), "update_shape", smaller),
        says("Now it lies in the light."),
    ])
    .await;
    gemini.summarise_by(r#"Here: {"findings": ["The ball hovers in the dark."]}"#);
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    client.send(goal(&json!(["1+ sphere"]))).await;
    let goal = until(&mut client, "completed").await;
    assert_eq!(goal["tasks"][0]["attempts"], 2);
    let failed =
        client.events.iter().find(|event| event["change"]["kind"] == "task_failed").unwrap();
    let error = failed["change"]["error"].as_str().unwrap();
    assert_eq!(error, "seen in the picture: The ball hovers in the dark.");
    assert!(told(&gemini).contains("seen in the picture: The ball hovers"));
    // A finding may be meant so: after the first attempt the criteria alone decide.
    assert_eq!(looks(&gemini), 1);
    // The look counts: two turns for the plan, four for the task, and the look.
    assert_eq!(goal["used"]["turns"], 7);
    assert_eq!(gemini.refusals(), Vec::<String>::new());
}

#[tokio::test]
async fn a_criterion_about_the_picture_is_judged_by_the_picture() {
    let gemini = FakeGemini::start([
        sets_plan(&ball()),
        says("The plan."),
        creates("one"),
        says("A ball."),
        says("I do not know how."),
        says("No plan."),
        says("No plan."),
    ])
    .await;
    gemini.summarise_by(
        r#"{"findings": [], "answers": [{"number": 1, "holds": "no", "seen": "the ball is grey"}]}"#,
    );
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    client.send(goal(&json!(["1 sphere", "picture: the ball is red"]))).await;
    let ended = until(&mut client, "failed").await;
    let criterion = &ended["criteria"][1];
    assert_eq!(
        (&criterion["met"], &criterion["found"]),
        (&json!(false), &json!("the ball is grey"))
    );
    // What the picture shows later counts, and so does the user who resumes.
    gemini.summarise_by(r#"{"answers": [{"number": 1, "holds": "yes"}]}"#);
    client.send(json!({ "type": "resume_goal" })).await;
    let ended = until(&mut client, "completed").await;
    assert_eq!(ended["criteria"][1]["met"], true);
}

#[tokio::test]
async fn what_no_model_can_see_is_told_and_completes_nothing() {
    // The built-in model sees nothing.
    let server = TestServer::start(ModelsConfig::default()).await;
    let mut client = server.client().await;
    client
        .send(json!({ "type": "start_goal", "objective": "a red ball", "may_ask": false,
        "criteria": ["1 red sphere", "picture: the ball looks like an apple"] }))
        .await;
    let ended = until(&mut client, "blocked").await;
    assert_eq!(ended["criteria"][0]["met"], true, "{ended}");
    assert_eq!(ended["criteria"][1].get("met"), None, "{ended}");
    let reason = ended["reason"].as_str().unwrap();
    assert!(reason.contains("could not be checked") && reason.contains("does not see"), "{reason}");
    client.send(json!({ "type": "start_goal", "objective": "x", "criteria": ["picture:"], "request_id": "r" })).await;
    assert_eq!(client.reply("r").await["code"], "bad_goal");
}

#[tokio::test]
async fn an_answer_of_a_look_that_cannot_be_read_stops_nothing() {
    let gemini =
        FakeGemini::start([sets_plan(&ball()), says("The plan."), creates("one"), says("Done.")])
            .await;
    gemini.summarise_by("It looks fine to me!");
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    client.send(goal(&json!(["1 sphere"]))).await;
    let ended = until(&mut client, "completed").await;
    assert_eq!(ended["tasks"][0]["attempts"], 1);
    assert_eq!(looks(&gemini), 1);
}
