//! What keeping sessions safe costs: acknowledged edits a second at synchronous FULL, with one session
//! and with fifty; how long an acknowledgement takes while pictures are rendered on all cores; how long
//! a long session takes to open; what an idle session weighs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use benches::summary;
use end_to_end::client::Client;
use end_to_end::server::TestServer;
use serde_json::{Value, json};
use server::ModelsConfig;
use store::{Append, NewSession, Record, RecordKind, SqliteOptions, SqliteStore, Store};

const MEASURED: Duration = Duration::from_secs(4);
const SESSIONS: usize = 50;
const LONG_SESSION_EVENTS: u64 = 10_000;
const IDLE_SESSIONS: usize = 1_000;

fn edit(number: usize) -> Value {
    json!({ "type": "edit", "calls": [{ "name": "set_camera",
        "args": { "center": [0, 1, 5 + number], "look_at": [0, 0, 0] } }] })
}

async fn quiet_client(server: &TestServer) -> Client {
    let mut client = server.client().await;
    client.send(json!({ "type": "view", "paused": true })).await;
    client
}

/// One edit after the other until the time is over; how long each took to be told.
async fn edit_away(mut client: Client) -> Vec<Duration> {
    let (begin, mut times) = (Instant::now(), Vec::new());
    while begin.elapsed() < MEASURED {
        let started = Instant::now();
        client.send(edit(times.len())).await;
        client.until("scene_changed").await;
        times.push(started.elapsed());
    }
    times
}

async fn edits_per_second(server: &TestServer, sessions: usize) -> f64 {
    let mut clients = Vec::new();
    for _ in 0..sessions {
        clients.push(quiet_client(server).await);
    }
    let editing: Vec<_> =
        clients.into_iter().map(|client| tokio::spawn(edit_away(client))).collect();
    let mut edits = 0;
    for each in editing {
        edits += each.await.expect("edits").len();
    }
    edits as f64 / MEASURED.as_secs_f64()
}

/// Appends a second to the store by itself, as an edit makes them, from `writers` sessions at once.
async fn appends_per_second(store: &Arc<SqliteStore>, writers: usize) -> f64 {
    let record = |kind, seq| Record { kind, seq, body: "x".repeat(400), passage: None };
    let mut writing = Vec::new();
    for writer in 0..writers {
        let store = Arc::clone(store);
        writing.push(tokio::spawn(async move {
            let id = format!("{writers}-{writer}");
            let session =
                NewSession { id: id.clone(), epoch: id.clone(), name: String::new(), now_ms: 0 };
            store.create(session).await.expect("a session");
            let (begin, mut appends) = (Instant::now(), 0);
            while begin.elapsed() < MEASURED {
                let records = vec![
                    record(RecordKind::Scene, None),
                    record(RecordKind::Event, Some(appends + 1)),
                ];
                let session = id.clone();
                let append = Append { session, after: 2 * appends, records, ..Append::default() };
                store.append(append).await.expect("room");
                appends += 1;
            }
            appends as f64
        }));
    }
    let mut appends = 0.0;
    for each in writing {
        appends += each.await.expect("appends");
    }
    appends / MEASURED.as_secs_f64()
}

async fn group_commit() -> Value {
    let directory = tempfile::tempdir().expect("a directory");
    let options = SqliteOptions { file: directory.path().join("store.db"), max_bytes: None };
    let store = Arc::new(SqliteStore::open(options).await.expect("a store"));
    let one = appends_per_second(&store, 1).await;
    let fifty = appends_per_second(&store, SESSIONS).await;
    store.close().await;
    json!({ "one_session": one.round(), "fifty_sessions": fifty.round(), "ratio": fifty / one })
}

/// Edits while previews refine and pictures are asked for without a pause.
async fn while_rendering(server: &TestServer) -> Value {
    let mut watcher = server.client().await;
    let session = watcher.session();
    let shapes: Vec<Value> = (0..200)
        .map(|number| {
            json!({ "id": format!("s{number}"), "type": "sphere",
                "properties": { "center": [number % 20, number / 20, 0], "radius": 0.5 } })
        })
        .collect();
    let scene = json!({ "version": 1, "shapes": shapes });
    let done = Arc::new(AtomicBool::new(false));
    let rendering = {
        let (http, url) = (server.http().clone(), server.url("/api/render"));
        let (done, scene) = (Arc::clone(&done), scene.clone());
        tokio::spawn(async move {
            let body = json!({ "scene": scene, "width": 800, "height": 600, "samples": 64 });
            while !done.load(Ordering::Relaxed) {
                http.post(&url).json(&body).send().await.expect("an answer");
            }
        })
    };
    watcher.send(json!({ "type": "view", "quality": "final" })).await;
    watcher.preview().await;
    let editor = server.attach(&format!("session={session}")).await;
    let times = edit_away(editor).await;
    done.store(true, Ordering::Relaxed);
    rendering.await.expect("the renders end");
    summary(times)
}

/// Resident memory of this process, in bytes.
fn resident() -> f64 {
    let text = std::fs::read_to_string("/proc/self/statm").expect("Linux");
    let pages: f64 = text.split(' ').nth(1).and_then(|pages| pages.parse().ok()).expect("pages");
    pages * 4096.0
}

/// A server of its own reads a session of many events that another one left behind.
async fn opening(models: &ModelsConfig) -> Value {
    let directory = tempfile::tempdir().expect("a directory");
    let server = TestServer::start_in(models.clone(), directory.path()).await;
    let mut client = quiet_client(&server).await;
    let session = client.session();
    let mut number = 0;
    while client.seq() < LONG_SESSION_EVENTS {
        for _ in 0..50 {
            client.send(edit(number)).await;
            number += 1;
        }
        for _ in 0..50 {
            client.until("scene_changed").await;
        }
    }
    client.vanish();
    server.stop().await;
    let mut times = Vec::new();
    for _ in 0..20 {
        let server = TestServer::start_in(models.clone(), directory.path()).await;
        let started = Instant::now();
        let client = server.attach(&format!("session={session}")).await;
        times.push(started.elapsed());
        client.vanish();
        server.stop().await;
    }
    summary(times)
}

async fn weight(models: &ModelsConfig) -> Value {
    let directory = tempfile::tempdir().expect("a directory");
    let server = TestServer::start_in(models.clone(), directory.path()).await;
    let mut clients = Vec::new();
    for _ in 0..20 {
        clients.push(quiet_client(&server).await);
    }
    let before = resident();
    for _ in 0..IDLE_SESSIONS {
        let mut client = quiet_client(&server).await;
        client.send(edit(0)).await;
        client.until("scene_changed").await;
        clients.push(client);
    }
    // Both ends of each connection are in this process.
    let kilobytes = (resident() - before) / IDLE_SESSIONS as f64 / 1e3;
    drop(clients);
    server.stop().await;
    json!({ "sessions": IDLE_SESSIONS, "kilobytes_each_with_client": kilobytes.round() })
}

#[tokio::main]
async fn main() {
    let models = ModelsConfig::default();
    let directory = tempfile::tempdir().expect("a directory");
    let server = TestServer::start_in(models.clone(), directory.path()).await;
    let one = edits_per_second(&server, 1).await;
    let fifty = edits_per_second(&server, SESSIONS).await;
    let rendering = while_rendering(&server).await;
    server.stop().await;
    println!(
        "{:#}",
        json!({
            "acknowledged_edits_per_second": {
                "one_session": one.round(), "fifty_sessions": fifty.round(), "ratio": fifty / one },
            "appends_per_second_of_the_store": group_commit().await,
            "acknowledgement_while_rendering": rendering,
            "opening_a_session_of_10000_events": opening(&models).await,
            "idle_sessions": weight(&models).await,
        })
    );
}
