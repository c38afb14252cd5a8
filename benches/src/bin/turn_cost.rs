//! What the server itself costs in a turn: a message in over the socket, an instant model that
//! makes three tool calls, their results, a closing answer, all events out. No rendering. Once with
//! sessions in memory, once on disk, where every event is synced before it is told. And how long a
//! cancel takes, from the client's message to the end of the run, with a model that is in the midst of
//! its words and with one that says nothing.

use std::time::Instant;

use benches::summary;
use end_to_end::fake_gemini::{Answer, FakeGemini};
use end_to_end::server::TestServer;
use llm::Gate;
use serde_json::{Value, json};
use server::ModelsConfig;

/// Messages of one session.
const MESSAGES: usize = 40;
const SESSIONS: usize = 12;
const CANCELS: usize = 100;

fn wave(message: usize) -> Value {
    let id = format!("ball_{message}");
    json!({ "text": "Working.", "tool_calls": [
        { "name": "create_shape", "arguments": { "id": id, "type": "sphere",
            "properties": { "center": [message, 1, 0], "radius": 1 } } },
        { "name": "update_shape", "arguments": { "id": id, "updates": { "properties": { "radius": 2 } } } },
        { "name": "get_scene_state", "arguments": {} } ] })
}

#[tokio::main]
async fn main() {
    let answers: Vec<Value> =
        (0..MESSAGES).flat_map(|message| [wave(message), json!("Done.")]).collect();
    let models = || ModelsConfig {
        mock_responses: Some(Value::from(answers.clone()).to_string()),
        ..ModelsConfig::default()
    };
    let in_memory = measure(TestServer::start(models()).await).await;
    let directory = tempfile::tempdir().expect("a directory");
    let on_disk = measure(TestServer::start_in(models(), directory.path()).await).await;
    let turn = json!({ "in_memory": in_memory, "on_disk": on_disk });
    let chatty = (0..5_000).fold(Answer::new(), |answer, _| answer.text("and so on, "));
    let silent = Answer::new().gate(&Gate::new());
    let cancel = json!({
        "model_that_streams": cancelled(&chatty, "text_delta").await,
        "model_that_hangs": cancelled(&silent, "turn_started").await,
    });
    println!("{:#}", json!({ "turn_with_three_tool_calls": turn, "cancel_to_silence": cancel }));
}

/// Times from `cancel` to `run_finished` over a socket, each sent when the run has told `sign`.
async fn cancelled(answer: &Answer, sign: &str) -> Value {
    let gemini = FakeGemini::start(std::iter::repeat_n(answer.clone(), CANCELS)).await;
    let directory = tempfile::tempdir().expect("a directory");
    let server = TestServer::start_in(TestServer::models_of(&gemini), directory.path()).await;
    let mut times = Vec::with_capacity(CANCELS);
    for number in 1..=CANCELS {
        let mut client = server.client().await;
        client.send(json!({ "type": "view", "paused": true })).await;
        client.send(json!({ "type": "user_message", "text": "go" })).await;
        client.until(sign).await;
        gemini.wait_until(|requests| requests.len() >= number).await;
        let started = Instant::now();
        client.send(json!({ "type": "cancel" })).await;
        client.until("run_finished").await;
        times.push(started.elapsed());
    }
    server.stop().await;
    summary(times)
}

async fn measure(server: TestServer) -> Value {
    let mut times = Vec::with_capacity(SESSIONS * MESSAGES);
    // Each session starts the list of answers anew.
    for _ in 0..SESSIONS {
        let mut client = server.client().await;
        client.send(json!({ "type": "view", "paused": true })).await;
        for _ in 0..MESSAGES {
            let started = Instant::now();
            client.say("go").await;
            times.push(started.elapsed());
        }
    }
    server.stop().await;
    summary(times)
}
