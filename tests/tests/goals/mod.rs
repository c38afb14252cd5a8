//! Goals over the whole way: socket, session, loop, and a model whose answers are scripted.

mod delegation;
mod looks;
mod survival;
mod tiers;
mod variants;

use end_to_end::client::Client;
use end_to_end::fake_gemini::{Answer, FakeGemini, Gate};
use end_to_end::server::TestServer;
use serde_json::{Value, json};

use crate::loop_over_gemini::sphere;

fn sets_plan(tasks: &Value) -> Answer {
    Answer::new().call(Some("plan"), "set_plan", json!({ "tasks": tasks }))
}

fn creates(id: &str) -> Answer {
    Answer::new().call(Some(id), "create_shape", sphere(id, json!(1)))
}

fn says(text: &str) -> Answer {
    Answer::new().text(text)
}

fn claims(id: &str) -> Answer {
    let args = json!({ "id": id, "status": "completed", "result": "It stands." });
    Answer::new().call(Some("claim"), "update_task", args)
}

/// Two tasks, one after the other; the last makes the goal's criterion hold.
fn two_balls() -> Value {
    json!([
        { "id": "first", "description": "make a ball", "criteria": ["1 sphere"] },
        { "id": "second", "description": "make another", "depends_on": ["first"], "criteria": ["2 sphere"] }
    ])
}

async fn start(client: &mut Client, criteria: Value) {
    let goal = json!({ "type": "start_goal", "objective": "two balls", "criteria": criteria,
        "verify": "computed" });
    client.send(goal).await;
}

/// The goal when it has this status.
async fn until(client: &mut Client, status: &str) -> Value {
    let is_over = ["completed", "failed", "cancelled", "out_of_budget"].contains(&status);
    let is_it = |message: &Value| {
        message["type"] == "goal_changed"
            && message["goal"]["status"] == status
            && (!is_over || message["change"]["kind"] == "finished")
    };
    client.until_that(is_it).await["goal"].clone()
}

/// The kinds of what happened to the goal, in order.
fn kinds(client: &Client) -> Vec<String> {
    let changes = client.events.iter().filter(|event| event["type"] == "goal_changed");
    changes.map(|event| event["change"]["kind"].as_str().unwrap().to_owned()).collect()
}

fn statuses(goal: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let tasks = goal["tasks"].as_array().unwrap();
    tasks.iter().map(|task| (text(&task["id"]), text(&task["status"]))).collect()
}

/// All text of the requests, for what the model was told.
fn told(gemini: &FakeGemini) -> String {
    gemini.requests().iter().map(|request| request.body["contents"].to_string()).collect()
}

#[tokio::test]
async fn a_goal_is_planned_worked_off_in_order_and_completed_by_computation() {
    let gemini = FakeGemini::start([
        sets_plan(&two_balls()),
        says("This is the plan."),
        creates("one"),
        says("A ball."),
        creates("two"),
        claims("second"),
        says("And another."),
    ])
    .await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    start(&mut client, json!(["2 sphere"])).await;
    let goal = until(&mut client, "completed").await;
    assert_eq!(gemini.refusals(), Vec::<String>::new());
    let expected = [
        "set",
        "reflected",
        "plan_changed",
        "task_started",
        "task_finished",
        "task_started",
        "task_finished",
        "criteria_checked",
        "finished",
    ];
    assert_eq!(kinds(&client), expected);
    assert_eq!(goal["criteria"][0]["met"], true);
    assert_eq!((&goal["used"]["turns"], &goal["used"]["tool_calls"]), (&json!(7), &json!(4)));
    assert_eq!(goal["tasks"][1]["result"], "It stands.");
    // The model reads the task, its criteria and how far the goal is.
    let told = told(&gemini);
    for words in ["Now task 'second' only", "Criteria of the task: '2 sphere'", "1 of 2 tasks"] {
        assert!(told.contains(words), "{words}");
    }
    // The next who comes sees the same.
    let late = server.attach(&format!("session={}", client.session())).await;
    assert_eq!(late.welcome["goal"], goal);
    let shown = server.get(&format!("/api/sessions/{}/goal", client.session())).await;
    assert_eq!(shown["goal"], goal);
}

#[tokio::test]
async fn a_cyclic_plan_and_a_dangling_one_are_refused_by_name_and_asked_for_again() {
    let cyclic = json!([
        { "id": "a", "description": "a", "depends_on": ["b"] },
        { "id": "b", "description": "b", "depends_on": ["a"] }
    ]);
    let dangling = json!([{ "id": "a", "description": "a", "depends_on": ["walls"] }]);
    let gemini = FakeGemini::start([
        sets_plan(&cyclic),
        says("I give up."),
        sets_plan(&dangling),
        sets_plan(&json!([{ "id": "a", "description": "make a ball", "criteria": ["1 sphere"] }])),
        says("Now."),
        creates("one"),
        says("Done."),
    ])
    .await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    start(&mut client, json!(["1 sphere"])).await;
    until(&mut client, "completed").await;
    let refusals: Vec<&str> = client
        .events
        .iter()
        .filter(|event| event["type"] == "tool_finished" && event["name"] == "set_plan")
        .filter_map(|event| event["response"]["error"].as_str())
        .collect();
    assert!(refusals[0].contains("a -> b -> a"), "{refusals:?}");
    assert!(refusals[1].contains("'a' depends on 'walls'"), "{refusals:?}");
    assert_eq!(kinds(&client).iter().filter(|kind| *kind == "reflected").count(), 2);
    assert!(told(&gemini).contains("no plan was set"));
}

#[tokio::test]
async fn a_false_claim_completes_nothing_and_the_end_says_what_is_unmet() {
    let mut script = vec![
        sets_plan(&json!([{ "id": "a", "description": "two balls", "criteria": ["2 sphere"] }])),
        says("The plan."),
        creates("one"),
    ];
    // The model insists: in the tool and in words.
    for _ in 0..3 {
        script.extend([claims("a"), says("Both balls stand. The goal is completed.")]);
    }
    // Asked for another plan, it only says so again.
    script.extend((0..3).map(|_| says("All done, nothing to plan.")));
    let gemini = FakeGemini::start(script).await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    let goal = json!({ "type": "start_goal", "objective": "two balls", "criteria": ["2 sphere"], "may_ask": false,
        "verify": "computed" });
    client.send(goal).await;
    let goal = until(&mut client, "failed").await;
    let reason = goal["reason"].as_str().unwrap();
    assert!(reason.contains("unmet: '2 sphere'"), "{reason}");
    assert_eq!(goal["criteria"][0]["met"], false);
    assert_eq!(statuses(&goal), [("a".into(), "failed".into())]);
    let claim = client
        .events
        .iter()
        .find(|event| event["type"] == "tool_finished" && event["name"] == "update_task")
        .unwrap();
    let error = claim["response"]["error"].as_str().unwrap();
    assert!(error.contains("not completed") && error.contains("'2 sphere'"), "{error}");
    // What was found went back as data.
    assert!(told(&gemini).contains("'2 sphere' does not hold"));
    assert_eq!(gemini.refusals(), Vec::<String>::new());
}

#[tokio::test]
async fn a_failing_task_changes_the_plan_and_the_goal_is_reached_another_way() {
    let first = json!([{ "id": "big", "description": "three at once", "criteria": ["3 sphere"] }]);
    let second = json!([{ "id": "small", "description": "one", "criteria": ["1 sphere"] }]);
    let gemini = FakeGemini::start([
        sets_plan(&first),
        says("The plan."),
        says("I cannot."),
        says("Still not."),
        says("No."),
        sets_plan(&second),
        says("A smaller plan."),
        creates("one"),
        says("Done."),
    ])
    .await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    start(&mut client, json!(["1 sphere"])).await;
    let goal = until(&mut client, "completed").await;
    assert_eq!(
        statuses(&goal),
        [("big".into(), "failed".into()), ("small".into(), "completed".into())]
    );
    let next: Vec<&str> =
        client.events.iter().filter_map(|event| event["change"]["next"].as_str()).collect();
    let expected = [
        "it is tried again with what was found",
        "it is tried in another way",
        "the plan is changed",
    ];
    assert_eq!(next, expected);
    assert!(told(&gemini).contains("Try another, simpler way"));
}

#[tokio::test]
async fn a_task_that_a_model_gives_up_is_not_tried_again_but_planned_anew() {
    let blocked = Answer::new().call(Some("b"), "report_blocked", json!({ "reason": "no clay" }));
    let second = json!([{ "id": "wood", "description": "a ball", "criteria": ["1 sphere"] }]);
    let gemini = FakeGemini::start([
        sets_plan(&json!([{ "id": "clay", "description": "a clay ball" }])),
        says("The plan."),
        blocked,
        says("It cannot be done."),
        sets_plan(&second),
        says("Of wood then."),
        creates("one"),
        says("Done."),
    ])
    .await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    start(&mut client, json!(["1 sphere"])).await;
    let goal = until(&mut client, "completed").await;
    assert_eq!(goal["tasks"][0]["error"], "no clay");
    assert_eq!(goal["tasks"][0]["attempts"], 1);
}

#[tokio::test]
async fn a_question_waits_for_the_user_and_the_work_goes_on_with_the_answer() {
    let asks = Answer::new().call(Some("q"), "ask_user", json!({ "question": "Which name?" }));
    let gemini = FakeGemini::start([
        sets_plan(&json!([{ "id": "a", "description": "a ball", "criteria": ["1 sphere"] }])),
        says("The plan."),
        asks,
        says("I wait."),
        creates("bob"),
        says("Done."),
    ])
    .await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    start(&mut client, json!(["id:bob"])).await;
    let goal = until(&mut client, "waiting_for_user").await;
    assert_eq!(goal["question"], json!({ "text": "Which name?", "task": "a" }));
    client.until("run_finished").await;
    client.send(json!({ "type": "user_message", "text": "call it bob" })).await;
    let goal = until(&mut client, "completed").await;
    assert_eq!(goal["tasks"][0]["attempts"], 1);
    let last = gemini.requests().last().unwrap().body["contents"].to_string();
    assert!(last.contains("call it bob"), "{last}");
}

#[tokio::test]
async fn a_user_pauses_edits_resumes_and_cancels_over_http_and_errors_say_what_to_change() {
    let gate = Gate::new();
    let gemini = FakeGemini::start([
        sets_plan(&two_balls()),
        says("The plan."),
        creates("one").gate(&gate),
        // After the pause: the second task was left out by the user.
        creates("two"),
        says("Done."),
    ])
    .await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    let session = client.session();
    let http = llm::http_client_builder().no_proxy().build().unwrap();
    let url = |path: &str| server.url(&format!("/api/sessions/{session}/goal{path}"));
    let none = http.get(url("")).send().await.unwrap();
    assert_eq!(none.status(), 404);
    for (body, status, words) in [
        (json!({ "objective": "x", "criteria": ["4 chiar"] }), 422, "4 chiar"),
        (json!({ "workflow": "shoot" }), 422, "there is no workflow 'shoot'"),
        (json!({ "objective": "" }), 422, "'objective'"),
        (json!({ "objective": "x", "budget": { "turns": 0 } }), 422, "at least 1"),
        (json!({ "objective": 3 }), 400, "'objective' must be a text, got 3"),
    ] {
        let refused = http.post(url("")).json(&body).send().await.unwrap();
        assert_eq!(refused.status(), status, "{body}");
        assert_eq!(refused.headers()["content-type"], "application/problem+json");
        let problem: Value = refused.json().await.unwrap();
        assert!(problem["detail"].as_str().unwrap().contains(words), "{problem}");
    }
    let body = json!({ "objective": "two balls", "criteria": ["1 sphere", "id:two"],
        "verify": "computed" });
    let set = http.post(url("")).json(&body).send().await.unwrap();
    assert_eq!(set.status(), 201);
    client.until_that(|event| event["change"]["kind"] == "task_started").await;
    let paused: Value = http.post(url("/pause")).send().await.unwrap().json().await.unwrap();
    assert_eq!(paused["goal"]["status"], "paused");
    gate.open();
    client
        .until_that(|event| event["type"] == "run_finished" && event["reason"] == "cancelled")
        .await;
    let again = http.post(url("/pause")).send().await.unwrap();
    assert_eq!(again.status(), 422);
    let edit = json!({ "skip": ["second"], "criteria": ["id:two"] });
    let edited: Value = http.patch(url("")).json(&edit).send().await.unwrap().json().await.unwrap();
    assert_eq!(edited["goal"]["tasks"][1]["status"], "skipped");
    let resumed: Value = http.post(url("/resume")).send().await.unwrap().json().await.unwrap();
    assert_eq!(resumed["goal"]["status"], "active");
    let goal = until(&mut client, "completed").await;
    assert_eq!(goal["criteria"].as_array().unwrap().len(), 1);
    let cancelled = http.post(url("/cancel")).send().await.unwrap();
    assert_eq!(cancelled.status(), 422);
    assert_eq!(gemini.refusals(), Vec::<String>::new());
}

#[tokio::test]
async fn the_button_stop_pauses_a_goal() {
    let gate = Gate::new();
    let gemini =
        FakeGemini::start([sets_plan(&two_balls()), says("The plan."), creates("one").gate(&gate)])
            .await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    start(&mut client, json!(["2 sphere"])).await;
    client.until_that(|event| event["change"]["kind"] == "task_started").await;
    client.send(json!({ "type": "cancel" })).await;
    until(&mut client, "paused").await;
    gate.open();
    client.until("run_finished").await;
    assert!(client.still_there().await);
    client.send(json!({ "type": "cancel_goal" })).await;
    let goal = until(&mut client, "cancelled").await;
    assert_eq!(goal["reason"].as_str().unwrap(), "you ended it; unmet: '2 sphere' (not checked)");
}

#[tokio::test]
async fn a_budget_ends_a_goal_and_a_larger_one_lets_it_go_on() {
    let gemini = FakeGemini::start([
        sets_plan(&two_balls()),
        says("The plan."),
        creates("one"),
        says("A ball."),
        creates("two"),
        says("Done."),
    ])
    .await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    let goal = json!({ "type": "start_goal", "objective": "two balls", "criteria": ["2 sphere"],
        "verify": "computed", "budget": { "turns": 4 } });
    client.send(goal).await;
    let goal = until(&mut client, "out_of_budget").await;
    let reason = goal["reason"].as_str().unwrap();
    assert!(reason.starts_with("its 4 model calls are used up; unmet: '2 sphere'"), "{reason}");
    client.send(json!({ "type": "resume_goal", "request_id": "r" })).await;
    assert_eq!(client.reply("r").await["code"], "bad_goal");
    client.send(json!({ "type": "edit_goal", "budget": { "turns": 20 } })).await;
    client.send(json!({ "type": "resume_goal" })).await;
    until(&mut client, "completed").await;
}
