//! Nothing that anybody was told is lost: a server under load is killed at random moments, and what
//! comes back is held against what was told.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use end_to_end::client::Client;
use end_to_end::fake_gemini::{Answer, FakeGemini, Options};
use end_to_end::process::ServerProcess;
use end_to_end::replica::Replica;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};
use test_postgres::TestPostgres;
use tokio::time::timeout;

const PROGRAM: &str = env!("CARGO_BIN_EXE_scene-llm");
/// How often the server is killed, where `SCENE_LLM_CRASHES` does not say it.
const CRASHES: u64 = 50;
/// The longest time between the start of the load and the kill.
const MAX_LIFETIME: Duration = Duration::from_millis(120);
/// Far more than any step needs.
const PATIENCE: Duration = Duration::from_secs(30);

/// What somebody outside was told.
#[derive(Default)]
struct Told {
    /// By number.
    events: BTreeMap<u64, Value>,
    /// Ids of messages that were accepted over HTTP.
    messages: Vec<String>,
    /// Names of scenes that were put in place over HTTP.
    replaced: Vec<String>,
}

impl Told {
    fn hear(&mut self, events: &[Value]) {
        for event in events {
            let seq = event["seq"].as_u64().unwrap();
            let known = self.events.insert(seq, event.clone());
            assert!(known.is_none_or(|known| known == *event), "event {seq} was told differently");
        }
    }
}

/// One client's doings until the server is gone.
async fn load(mut client: Client, mut random: StdRng, name: String) -> Client {
    for number in 0.. {
        let message = match random.random_range(0..10) {
            0 => json!({ "type": "user_message", "text": format!("{name} says {number}") }),
            1 => json!({ "type": "cancel" }),
            2 => json!({ "type": "undo" }),
            3 => json!({ "type": "redo" }),
            4 => json!({ "type": "restore", "revision": random.random_range(0..20) }),
            _ => json!({ "type": "edit", "calls": [{ "name": "create_shape", "args": {
                "id": format!("{name}_{number}"), "type": "sphere",
                "properties": { "center": [number, 0, 0], "radius": 1 } } }] }),
        };
        let asked = message["type"] == "edit" || message["type"] == "undo";
        if !client.try_send(&message).await {
            break;
        }
        // One edit after the other, as fast as they are told; the rest in between.
        if !asked {
            continue;
        }
        loop {
            match client.try_next().await {
                None => return client,
                Some(answer) if answer["type"] == "scene_changed" => break,
                Some(answer) if answer["type"] == "error" || answer["type"] == "unchanged" => break,
                Some(_) => {}
            }
        }
    }
    client
}

/// Messages and whole scenes over HTTP until the server is gone.
async fn load_over_http(
    http: reqwest::Client,
    url: String,
    name: String,
) -> (Vec<String>, Vec<String>) {
    let (mut messages, mut replaced) = (Vec::new(), Vec::new());
    for number in 0.. {
        let text = format!("{name} writes {number}");
        let said = http.post(format!("{url}/messages")).json(&json!({ "text": text })).send().await;
        let Ok(said) = said else { break };
        if said.status() == 202
            && let Ok(said) = said.json::<Value>().await
        {
            messages.push(said["message_id"].as_str().unwrap().to_owned());
        }
        let shape = format!("{name}_whole_{number}");
        let scene = json!({ "version": 1, "shapes": [{ "id": shape, "type": "sphere",
            "properties": { "center": [0, 0, 0], "radius": 1 } }] });
        let Ok(put) = http.put(format!("{url}/scene")).json(&scene).send().await else { break };
        if put.status() == 200 && put.bytes().await.is_ok() {
            replaced.push(shape);
        }
    }
    (messages, replaced)
}

/// Answers of every kind, enough for one life of the server.
fn refill(gemini: &FakeGemini, cycle: u64) {
    for number in gemini.remaining()..40 {
        // No two answers are alike: the fake tells by their parts where a content came from.
        let id = format!("c{cycle}_{number}");
        let text = |words: &str| format!("{words} {id} ");
        let create = json!({ "id": format!("model_{id}"), "type": "box",
            "properties": { "center": [0, 0, 0], "dimensions": [1, 1, 1] } });
        gemini.push(match number % 4 {
            0 => Answer::new()
                .text(&text("I"))
                .text(&text("make"))
                .text(&text("two"))
                .call(Some(&id), "create_shape", create)
                .signed("c2lnbmVk")
                .call(Some(&format!("{id}b")), "get_scene_state", json!({})),
            1 => Answer::new()
                .thought(&text("hm"))
                .text(&text("Done"))
                .text(&text("with it"))
                .signed_end("ZW5k"),
            2 => {
                Answer::new().call(Some(&id), "remove_shape", json!({ "id": format!("not_{id}") }))
            }
            _ => Answer::new().text(&text("All is well")),
        });
    }
}

/// Everything told is in the log, once, without a gap; the scene is what the events lead to.
async fn check(server: &ServerProcess, session: &str, told: &Told) {
    let log = server.events(session).await;
    for (index, event) in log.iter().enumerate() {
        assert_eq!(event["seq"], index as u64 + 1, "the log has a gap");
    }
    for (seq, event) in &told.events {
        assert_eq!(log.get(*seq as usize - 1), Some(event), "event {seq} was told and is lost");
    }
    let said: Vec<&str> = log.iter().filter_map(|event| event["message_id"].as_str()).collect();
    for message in &told.messages {
        assert!(said.contains(&message.as_str()), "message {message} was accepted and is lost");
    }
    let changes: String =
        log.iter().filter(|e| e["type"] == "scene_changed").map(Value::to_string).collect();
    for shape in &told.replaced {
        assert!(
            changes.contains(&format!("\"{shape}\"")),
            "scene {shape} was accepted and is lost"
        );
    }
    let mut replica = Replica::new(&json!({ "version": 1, "shapes": [], "lights": [],
        "environment": { "type": "gradient", "top_color": [0.5, 0.7, 1.0], "bottom_color": [1.0, 1.0, 1.0] },
        "camera": { "center": [0.0, 0.0, 5.0], "look_at": [0.0, 0.0, 0.0], "up": [0.0, 1.0, 0.0],
            "vfov": 45.0, "aperture": 0.0, "focus_distance": null } }));
    log.iter().for_each(|event| replica.follow(event));
    let scene = server.get(&format!("/api/sessions/{session}/scene")).await;
    assert!(replica.is(&scene), "the events lead to {}, the scene is {scene}", replica.scene());
}

/// A message is answered to its end: the model's provider accepts the history as it is.
async fn talk(client: &mut Client) {
    client.send(json!({ "type": "user_message", "text": "and now?" })).await;
    let said = client.until_that(|event| event["text"] == "and now?").await;
    client
        .until_that(|event| {
            event["type"] == "run_finished" && event["seq"].as_u64() > said["seq"].as_u64()
        })
        .await;
}

async fn life(
    server: ServerProcess,
    gemini: &FakeGemini,
    session: &str,
    epoch: &str,
    told: &mut Told,
    random: &mut StdRng,
    cycle: u64,
) {
    let resume = |after: u64| format!("session={session}&epoch={epoch}&after={after}");
    // One client has missed nothing it was told of, the other everything.
    let newest = told.events.keys().last().copied().unwrap_or(0);
    let mut first = server.attach(&resume(newest)).await;
    assert_eq!(first.welcome["resumed"], true, "the log was lost: {}", first.welcome);
    talk(&mut first).await;
    told.hear(&first.events);
    let second = server.attach(&resume(0)).await;
    let loads = [
        tokio::spawn(load(first, StdRng::seed_from_u64(random.random()), format!("a{cycle}"))),
        tokio::spawn(load(second, StdRng::seed_from_u64(random.random()), format!("b{cycle}"))),
    ];
    let url = server.url(&format!("/api/sessions/{session}"));
    let over_http = tokio::spawn(load_over_http(server.http().clone(), url, format!("h{cycle}")));
    let alive = MAX_LIFETIME.mul_f64(random.random());
    // The moment of the crash is part of what is random.
    tokio::time::sleep(alive).await;
    server.kill().await;
    for load in loads {
        let client = timeout(PATIENCE, load).await.unwrap().unwrap();
        told.hear(&client.events);
    }
    let (messages, replaced) = timeout(PATIENCE, over_http).await.unwrap().unwrap();
    told.messages.extend(messages);
    told.replaced.extend(replaced);
    assert_eq!(gemini.refusals(), Vec::<String>::new(), "the history was refused");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_told_survives_being_killed_at_any_moment() {
    survives(None, CRASHES).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_told_survives_in_a_database_as_well() {
    survives(Some(TestPostgres::shared().database()), CRASHES / 2).await;
}

async fn survives(database: Option<String>, usual: u64) {
    let crashes = std::env::var("SCENE_LLM_CRASHES").ok().and_then(|n| n.parse().ok());
    let seed = std::env::var("SCENE_LLM_SEED").ok().and_then(|n| n.parse().ok());
    let seed = seed.unwrap_or_else(rand::random);
    eprintln!("SCENE_LLM_SEED={seed}");
    let mut random = StdRng::seed_from_u64(seed);
    let directory = tempfile::tempdir().unwrap();
    // A run that is stopped before a byte came leaves a note that nobody gave.
    let options = Options { readers_may_die: true, foreign_answers: true, ..Options::default() };
    let gemini = FakeGemini::start_with(options, []).await;
    let base_url = gemini.base_url();
    let start = || {
        let (program, database) = (Path::new(PROGRAM), database.as_deref());
        ServerProcess::start_on(program, directory.path(), database, Some(&base_url))
    };
    let server = start().await;
    let made = server.http().post(server.url("/api/sessions")).send().await.unwrap();
    let made: Value = made.json().await.unwrap();
    let session = made["session_id"].as_str().unwrap().to_owned();
    // Told, so it is there after a crash.
    server.kill().await;
    let server = start().await;
    let client = server.attach(&format!("session={session}")).await;
    let epoch = client.welcome["epoch"].as_str().unwrap().to_owned();
    drop(client);
    let mut server = Some(server);
    let mut told = Told::default();
    for cycle in 0..crashes.unwrap_or(usual) {
        let running = match server.take() {
            Some(server) => server,
            None => start().await,
        };
        refill(&gemini, cycle);
        check(&running, &session, &told).await;
        life(running, &gemini, &session, &epoch, &mut told, &mut random, cycle).await;
    }
    let last = start().await;
    check(&last, &session, &told).await;
    eprintln!("{} events were told", told.events.len());
}
