//! What goals survive: failing tools, busy and lost providers, restarts, copies.

use end_to_end::fake_gemini::{Answer, FakeGemini, Gate};
use end_to_end::server::TestServer;
use serde_json::{Value, json};

use super::{creates, says, sets_plan, start, two_balls, until};

#[tokio::test]
async fn a_tool_that_fails_twice_and_a_service_that_answers_429_are_survived() {
    let wrong =
        || Answer::new().call(Some("w"), "create_shape", json!({ "id": "one", "type": "spere" }));
    let gemini = FakeGemini::start([
        sets_plan(&json!([{ "id": "a", "description": "a ball", "criteria": ["1 sphere"] }])),
        says("The plan."),
        wrong(),
        wrong(),
        Answer::too_many_requests("0.01s"),
        creates("one"),
        says("Done."),
    ])
    .await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    start(&mut client, json!(["1 sphere"])).await;
    let goal = until(&mut client, "completed").await;
    assert_eq!(goal["tasks"][0]["attempts"], 1);
    assert!(client.events.iter().any(|event| event["type"] == "retrying"));
}

#[tokio::test]
async fn a_provider_that_gives_no_answer_pauses_the_goal_and_says_why() {
    let gone = || Answer::error(400, "this model is gone");
    let gemini = FakeGemini::start([gone(), gone(), gone(), gone()]).await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    start(&mut client, json!(["1 sphere"])).await;
    let goal = until(&mut client, "paused").await;
    assert!(goal["reason"].as_str().unwrap().contains("gave no answer"), "{goal}");
}

#[tokio::test]
async fn a_goal_survives_a_restart_without_anybody_opening_its_session() {
    let directory = tempfile::tempdir().unwrap();
    let gate = Gate::new();
    let gemini =
        FakeGemini::start([sets_plan(&two_balls()), says("The plan."), creates("one").gate(&gate)])
            .await;
    let models = || TestServer::models_of(&gemini);
    let server = TestServer::start_in(models(), directory.path()).await;
    let mut client = server.client().await;
    let session = client.session();
    start(&mut client, json!(["2 sphere"])).await;
    client.until_that(|event| event["change"]["kind"] == "task_started").await;
    server.stop().await;
    gate.open();
    gemini.clear();
    for answer in [creates("one"), says("A ball."), creates("two"), says("Done.")] {
        gemini.push(answer);
    }
    let server = TestServer::start_in(models(), directory.path()).await;
    // Nobody asks for the session until the model was asked for everything.
    gemini.wait_until(|requests| requests.len() == 7).await;
    let mut client = server.attach(&format!("session={session}")).await;
    let is_done = client.welcome["goal"]["status"] == "completed";
    let goal = match is_done {
        true => client.welcome["goal"].clone(),
        false => until(&mut client, "completed").await,
    };
    assert_eq!(goal["tasks"][0]["attempts"], 1, "an interruption is no failed attempt");
    let scene = server.get(&format!("/api/sessions/{session}/scene")).await;
    assert_eq!(scene["shapes"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_copied_session_does_not_begin_to_work_by_itself() {
    let gate = Gate::new();
    let gemini =
        FakeGemini::start([sets_plan(&two_balls()), says("The plan."), creates("one").gate(&gate)])
            .await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    start(&mut client, json!(["2 sphere"])).await;
    client.until_that(|event| event["change"]["kind"] == "task_started").await;
    let http = llm::http_client_builder().no_proxy().build().unwrap();
    let url = server.url(&format!("/api/sessions/{}/duplicate", client.session()));
    let copy: Value = http.post(url).send().await.unwrap().json().await.unwrap();
    let mut copied =
        server.attach(&format!("session={}", copy["session_id"].as_str().unwrap())).await;
    let goal = match copied.welcome["goal"]["status"] == "paused" {
        true => copied.welcome["goal"].clone(),
        false => until(&mut copied, "paused").await,
    };
    assert!(goal["reason"].as_str().unwrap().contains("copy"), "{goal}");
    gate.open();
}
