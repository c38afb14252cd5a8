//! SIGTERM while a run waits for somebody: it ends at once, is told as interrupted, and nothing of it is lost.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::{Path, PathBuf};
use std::time::Duration;

use end_to_end::client::Client;
use end_to_end::fake_gemini::{Answer, FakeGemini, Gate, Options};
use end_to_end::process::ServerProcess;
use serde_json::{Value, json};
use tokio::process::Command;
use tokio::time::timeout;

const PROGRAM: &str = env!("CARGO_BIN_EXE_scene-llm");
/// Far more than a stop takes that waits for nobody.
const PATIENCE: Duration = Duration::from_secs(30);

async fn start(folder: &Path, gemini: Option<&FakeGemini>, more: &[(&str, &str)]) -> ServerProcess {
    let address = gemini.map(FakeGemini::base_url);
    ServerProcess::start_with(Path::new(PROGRAM), folder, None, address.as_deref(), more).await
}

/// Sends SIGTERM, and waits for a good end.
async fn stop(server: ServerProcess) {
    let id = server.id().to_string();
    let told = Command::new("kill").args(["-TERM", &id]).status().await.unwrap();
    assert!(told.success());
    let ended = timeout(PATIENCE, server.ended()).await;
    let status = ended.unwrap_or_else(|_| panic!("the server does not stop"));
    assert!(status.success());
}

async fn say(client: &mut Client, text: &str) {
    client.send(json!({ "type": "user_message", "text": text })).await;
}

fn ball() -> Answer {
    let ball = json!({ "id": "ball", "type": "sphere", "properties": { "center": [0, 0, 0], "radius": 1 } });
    Answer::new().call(Some("b"), "create_shape", ball)
}

/// A Gemini that answers so, and in the end begins an answer that comes to no end.
async fn gemini(answers: impl IntoIterator<Item = Answer>) -> FakeGemini {
    let endless = Answer::new().text("I begin.").gate(&Gate::default());
    let options = Options { readers_may_die: true, ..Options::default() };
    FakeGemini::start_with(options, answers.into_iter().chain([endless])).await
}

/// The newest event of a session of a server that has been started again, which tells of the stop.
async fn is_told(folder: &Path, session: &str) -> Value {
    let server = start(folder, None, &[]).await;
    let events = server.events(session).await;
    let last = events.last().unwrap();
    assert_eq!(last["type"], "run_finished", "{last}");
    assert!(last["message"].as_str().unwrap().contains("The server stopped"), "{last}");
    server.get(&format!("/api/sessions/{session}/scene")).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_waits_for_an_approval_ends_with_its_server() {
    let folder = tempfile::tempdir().unwrap();
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/mcp/tiny.mjs");
    let servers = json!({ "mcpServers": { "tiny": { "command": "node", "args": [script] } } });
    let file = folder.path().join("mcp.json");
    std::fs::write(&file, servers.to_string()).unwrap();
    let calls =
        json!([{ "tool_calls": [{ "name": "tiny_add", "arguments": { "a": 2, "b": 3 } }] }]);
    let calls = calls.to_string();
    let more =
        [("SCENE_LLM_MCP_CONFIG", file.to_str().unwrap()), ("DEBUG_MOCK_RESPONSES", &*calls)];
    let data = folder.path().join("data");
    let server = start(&data, None, &more).await;
    while server.get("/api/mcp").await["servers"][0]["state"] != "connected" {}
    let mut client = server.attach("").await;
    let session = client.session();
    say(&mut client, "add").await;
    client.until("approval_needed").await;
    stop(server).await;
    is_told(&data, &session).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_whose_sub_agent_works_ends_with_its_server() {
    let folder = tempfile::tempdir().unwrap();
    let task = json!({ "task": "light the ball" });
    let hands_on = Answer::new().call(Some("d"), "delegate_to_lighting_artist", task);
    let gemini = gemini([ball(), hands_on]).await;
    let server = start(folder.path(), Some(&gemini), &[]).await;
    let mut client = server.attach("").await;
    let session = client.session();
    say(&mut client, "a ball, well lit").await;
    client.until("tool_finished").await;
    while gemini.requests().len() < 3 {
        assert!(client.still_there().await);
    }
    stop(server).await;
    let scene = is_told(folder.path(), &session).await;
    assert_eq!(scene["shapes"][0]["id"], "ball");
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_that_wait_for_a_model_end_with_their_server() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.toml");
    std::fs::write(&file, "max_model_requests = 1\n").unwrap();
    let gemini = gemini([]).await;
    let data = folder.path().join("data");
    let config = [("SCENE_LLM_CONFIG", file.to_str().unwrap())];
    let server = start(&data, Some(&gemini), &config).await;
    let (mut first, mut second) = (server.attach("").await, server.attach("").await);
    let sessions = [first.session(), second.session()];
    say(&mut first, "go").await;
    first.until("text_delta").await;
    say(&mut second, "go, too").await;
    let waits = "scene_llm_in_use{of=\"model_requests_waiting\"} 1";
    let metrics = async || server.http().get(server.url("/metrics")).send().await.unwrap();
    while !metrics().await.text().await.unwrap().contains(waits) {}
    stop(server).await;
    for session in sessions {
        is_told(&data, &session).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_to_the_user_outlives_its_server() {
    let folder = tempfile::tempdir().unwrap();
    let task = json!([{ "id": "a", "description": "make a ball", "criteria": ["1 sphere"] }]);
    let plans = Answer::new().call(Some("p"), "set_plan", json!({ "tasks": task }));
    let asks = Answer::new().call(Some("q"), "ask_user", json!({ "question": "Which name?" }));
    let gemini =
        gemini([plans, Answer::new().text("The plan."), asks, Answer::new().text("I wait.")]).await;
    let server = start(folder.path(), Some(&gemini), &[]).await;
    let mut client = server.attach("").await;
    let session = client.session();
    let goal = json!({ "type": "start_goal", "objective": "a ball", "criteria": ["1 sphere"],
        "verify": "computed" });
    client.send(goal).await;
    client
        .until_that(|message| {
            message["type"] == "goal_changed" && message["goal"]["status"] == "waiting_for_user"
        })
        .await;
    client.until("run_finished").await;
    stop(server).await;
    let server = start(folder.path(), None, &[]).await;
    let kept = server.get(&format!("/api/sessions/{session}/goal")).await;
    assert_eq!(kept["goal"]["status"], "waiting_for_user", "{kept}");
    assert_eq!(kept["goal"]["question"]["text"], "Which name?");
}
