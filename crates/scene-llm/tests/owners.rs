//! Several servers on one database, as processes: one owns a session, another one follows it when it dies or
//! stands still, and what comes back cannot go on.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use end_to_end::client::Client;
use end_to_end::fake_gemini::{Answer, FakeGemini, Gate, Options};
use end_to_end::process::ServerProcess;
use serde_json::{Value, json};
use test_postgres::TestPostgres;
use tokio::time::{sleep, timeout};

const PROGRAM: &str = env!("CARGO_BIN_EXE_scene-llm");
/// Far more than a lease runs.
const PATIENCE: Duration = Duration::from_secs(60);

fn signal(server: &ServerProcess, name: &str) {
    let done = Command::new("kill").args([name, &server.id().to_string()]).status();
    assert!(done.unwrap().success());
}

async fn edit(client: &mut Client, id: &str) -> Value {
    let quoted = format!("\"{id}\"");
    client
        .send(json!({ "type": "edit", "request_id": id, "calls": [{ "name": "create_shape",
            "args": { "id": id, "type": "sphere", "properties": { "center": [0, 0, 0], "radius": 1 } } }] }))
        .await;
    client
        .until_that(|message| {
            let is_change = message["type"] == "scene_changed";
            message["request_id"] == id || is_change && message.to_string().contains(&quoted)
        })
        .await
}

/// The status and the scene of a session on a server.
async fn scene(server: &ServerProcess, session: &str) -> (u16, Value) {
    let url = server.url(&format!("/api/sessions/{session}/scene"));
    let answer = server.http().get(url).send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

fn shapes(scene: &Value) -> Vec<&str> {
    let shapes = scene["shapes"].as_array().unwrap();
    shapes.iter().map(|shape| shape["id"].as_str().unwrap()).collect()
}

/// Waits until the server has the session.
async fn until_owned(server: &ServerProcess, session: &str) -> Value {
    let owned = async {
        loop {
            match scene(server, session).await {
                (200, scene) => return scene,
                (503, _) => sleep(Duration::from_millis(20)).await,
                other => panic!("{other:?}"),
            }
        }
    };
    timeout(PATIENCE, owned).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_server_is_followed() {
    let url = TestPostgres::shared().database();
    let directory = tempfile::tempdir().unwrap();
    let start = || ServerProcess::start_on(Path::new(PROGRAM), directory.path(), Some(&url), None);
    let (mut one, mut two) = (start().await, start().await);
    let mut client = one.attach("").await;
    let (session, epoch) = (client.session(), client.welcome["epoch"].clone());
    let (status, problem) = scene(&two, &session).await;
    assert_eq!(status, 503);
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.contains("open on another server (127.0.0.1:"), "{detail}");
    let mut expected = Vec::new();
    for number in 0..4 {
        let id = format!("shape_{number}");
        assert_eq!(edit(&mut client, &id).await["type"], "scene_changed");
        expected.push(id);
        one.kill().await;
        assert_eq!(shapes(&until_owned(&two, &session).await), expected);
        let resume = format!("session={session}&epoch={}&after=0", epoch.as_str().unwrap());
        client = two.attach(&resume).await;
        assert_eq!(client.welcome["resumed"], true);
        (one, two) = (two, start().await);
    }
    let events = one.events(&session).await;
    for (index, event) in events.iter().enumerate() {
        assert_eq!(event["seq"], index as u64 + 1);
    }
    let changes = events.iter().filter(|event| event["type"] == "scene_changed");
    assert_eq!(changes.count(), expected.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stood_still_cannot_go_on() {
    let url = TestPostgres::shared().database();
    let directory = tempfile::tempdir().unwrap();
    let gate = Gate::default();
    let create = json!({ "id": "late", "type": "sphere", "properties": { "center": [0, 0, 0], "radius": 1 } });
    let options = Options { readers_may_die: true, foreign_answers: true, ..Options::default() };
    let answers = [
        Answer::new().text("Wait.").gate(&gate).call(Some("1"), "create_shape", create),
        Answer::new().text("Nobody asks for this."),
    ];
    let gemini = FakeGemini::start_with(options, answers).await;
    let base_url = gemini.base_url();
    let start = || {
        let program = Path::new(PROGRAM);
        ServerProcess::start_on(program, directory.path(), Some(&url), Some(&base_url))
    };
    let (one, two) = (start().await, start().await);
    let mut client = one.attach("").await;
    let session = client.session();
    assert_eq!(edit(&mut client, "before").await["type"], "scene_changed");
    client.send(json!({ "type": "user_message", "text": "a ball" })).await;
    client.until("text_delta").await;

    signal(&one, "-STOP");
    assert_eq!(shapes(&until_owned(&two, &session).await), ["before"]);
    let mut other = two.attach(&format!("session={session}")).await;
    assert_eq!(edit(&mut other, "meanwhile").await["type"], "scene_changed");
    let events = two.events(&session).await;
    let ends: Vec<&Value> = events.iter().filter(|it| it["type"] == "run_finished").collect();
    assert_eq!(ends.len(), 1, "the run that stands still is closed");
    assert_eq!(ends[0]["reason"], "error");

    // It wakes in the middle of its run, whose model goes on.
    signal(&one, "-CONT");
    gate.open();
    let until_closed = async { while client.try_next().await.is_some() {} };
    timeout(PATIENCE, until_closed).await.unwrap();
    assert_eq!(scene(&one, &session).await.0, 503);
    assert_eq!(gemini.remaining(), 1, "a server that lost the session asked the model again");
    assert_eq!(two.events(&session).await, events);
    let told: Vec<&Value> = client.events.iter().collect();
    assert_eq!(told, events.iter().take(told.len()).collect::<Vec<_>>());
    assert_eq!(edit(&mut other, "after").await["type"], "scene_changed");

    // It takes part again: with a lease of its own it follows the other one.
    two.kill().await;
    assert_eq!(shapes(&until_owned(&one, &session).await), ["before", "meanwhile", "after"]);
    let mut client = one.attach(&format!("session={session}")).await;
    assert_eq!(edit(&mut client, "last").await["type"], "scene_changed");
}
