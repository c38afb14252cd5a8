//! What the server itself costs in a turn: a message in over the socket, an instant model that
//! makes three tool calls, their results, a closing answer, all events out. No rendering. Once with
//! sessions in memory, once on disk, where every event is synced before it is told.

use std::time::Instant;

use benches::summary;
use end_to_end::server::TestServer;
use scene_llm::ModelsConfig;
use serde_json::{Value, json};

/// Messages of one session.
const MESSAGES: usize = 40;
const SESSIONS: usize = 12;

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
    println!("{:#}", json!({ "turn_with_three_tool_calls": turn }));
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
