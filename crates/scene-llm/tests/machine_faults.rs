//! A server on a machine whose clock is set while it runs, and whose disk stands still.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::Path;
use std::time::Duration;

use end_to_end::client::Client;
use end_to_end::machine::Machine;
use end_to_end::process::ServerProcess;
use serde_json::{Value, json};
use tokio::process::Command;
use tokio::time::timeout;

const PROGRAM: &str = env!("CARGO_BIN_EXE_scene-llm");
const PATIENCE: Duration = Duration::from_secs(60);
const YEAR: i64 = 365 * 24 * 3_600;

async fn start(machine: &Machine, directory: &Path) -> ServerProcess {
    let environment = machine.environment();
    let environment = environment.each_ref().map(|(name, path)| (*name, path.to_str().unwrap()));
    ServerProcess::start_with(Path::new(PROGRAM), directory, None, None, &environment).await
}

fn ball(id: &str) -> Value {
    json!({ "type": "edit", "request_id": id, "calls": [{ "name": "create_shape", "args": { "id": id,
        "type": "sphere", "properties": { "center": [0, 0, 0], "radius": 1 } } }] })
}

/// Whether a message says that the object is there.
fn tells(message: &Value, id: &str) -> bool {
    assert_ne!(message["type"], "error", "{message}");
    message["type"] == "scene_changed" && message["changes"][0]["id"] == id
}

async fn edit(client: &mut Client, id: &str) {
    client.send(ball(id)).await;
    client.until_that(|message| tells(message, id)).await;
}

async fn shapes(server: &ServerProcess, session: &str) -> Vec<String> {
    let scene = server.get(&format!("/api/sessions/{session}/scene")).await;
    let shapes = scene["shapes"].as_array().unwrap();
    shapes.iter().map(|shape| shape["id"].as_str().unwrap().to_owned()).collect()
}

/// The status of a request without a body.
async fn status(server: &ServerProcess, path: &str) -> u16 {
    let answer = server.http().get(server.url(path)).send().await.unwrap();
    answer.status().as_u16()
}

/// What a client does while the clock is wrong: all of it goes on.
async fn work(server: &ServerProcess, client: &mut Client, when: &str) {
    let session = client.session();
    edit(client, &format!("by_hand_{when}")).await;
    let finished = client.say("add a blue box").await;
    assert_eq!(finished["reason"], "completed", "{when}: {finished}");
    let path = format!("/api/sessions/{session}");
    assert_eq!(status(server, &format!("{path}/thumbnail")).await, 200, "{when}");
    let share = server.http().post(server.url(&format!("{path}/shares")));
    let share: Value =
        share.json(&json!({ "access": "view" })).send().await.unwrap().json().await.unwrap();
    let token = share["token"].as_str().unwrap();
    assert_eq!(status(server, &format!("/api/sessions/{token}/scene")).await, 200, "{when}");
    let mesh = format!("# {when}\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let upload = server.http().post(server.url("/api/assets?name=a.obj")).body(mesh);
    let kept: Value = upload.send().await.unwrap().json().await.unwrap();
    let mesh = json!({ "id": format!("mesh_{when}"), "type": "mesh",
        "properties": { "asset": kept["asset"] } });
    let id = format!("mesh_{when}");
    client
        .send(json!({ "type": "edit", "request_id": id, "calls": [{ "name": "create_shape", "args": mesh }] }))
        .await;
    client.until_that(|message| tells(message, &id)).await;
    for path in ["/api/sessions", "/api/assets", "/metrics", "/readyz"] {
        assert_eq!(status(server, path).await, 200, "{when}: {path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_jumps_takes_nothing_away() {
    let (machine, folder) = (Machine::new(), tempfile::tempdir().unwrap());
    let mut server = start(&machine, folder.path()).await;
    let mut client = server.attach("").await;
    let session = client.session();
    work(&server, &mut client, "at_first").await;
    let dates = [("ahead", 10 * YEAR), ("behind", -10 * YEAR), ("back", 0)];
    for (when, seconds) in dates {
        machine.set_clock_ahead(seconds);
        work(&server, &mut client, when).await;
        // One that was told stays, whatever the clock says at the next start.
        let before = shapes(&server, &session).await;
        server.kill().await;
        server = start(&machine, folder.path()).await;
        assert_eq!(shapes(&server, &session).await, before, "{when}");
        for asset in server.get("/api/assets").await["assets"].as_array().unwrap() {
            let path = format!("/api/assets/{}", asset["asset"].as_str().unwrap());
            assert_eq!(status(&server, &path).await, 200, "{when}: {asset}");
        }
        let query = client.resume_query();
        client = server.attach(&query).await;
        assert_eq!(client.welcome["resumed"], true, "{when}");
        work(&server, &mut client, &format!("after_{when}")).await;
    }
    let assets = server.get("/api/assets").await;
    assert_eq!(assets["assets"].as_array().unwrap().len(), 7, "all are used: {assets}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_stands_still_has_nothing_acknowledged_and_keeps_no_reader_waiting() {
    let (machine, folder) = (Machine::new(), tempfile::tempdir().unwrap());
    let server = start(&machine, folder.path()).await;
    let mut client = server.attach("").await;
    let session = client.session();
    edit(&mut client, "before").await;

    machine.hold_syncs(true);
    client.send(ball("meanwhile")).await;
    timeout(PATIENCE, machine.until_a_sync_is_held()).await.unwrap();
    let path = format!("/api/sessions/{session}");
    assert_eq!(shapes(&server, &session).await, ["before"]);
    assert_eq!(server.get(&path).await["session_id"], session.as_str());
    assert_eq!(status(&server, &format!("{path}/thumbnail")).await, 200);
    assert_eq!(status(&server, "/api/sessions").await, 200);
    let mut other = server.attach(&format!("session={session}")).await;
    assert_eq!(other.welcome["scene"]["shapes"].as_array().unwrap().len(), 1);
    // Of its own messages a client gets the answers in order: this one is somebody else's.
    assert!(other.still_there().await);
    assert!(!other.events.iter().any(|event| tells(event, "meanwhile")), "told before it is kept");
    // It is told when it is on the disk.
    machine.hold_syncs(false);
    client.until_that(|message| tells(message, "meanwhile")).await;
    other.until_that(|message| tells(message, "meanwhile")).await;

    // A crash meanwhile loses what was not acknowledged, or not even that, and nothing else.
    machine.hold_syncs(true);
    client.send(ball("lost")).await;
    timeout(PATIENCE, machine.until_a_sync_is_held()).await.unwrap();
    assert!(other.still_there().await);
    assert!(!other.events.iter().any(|event| tells(event, "lost")));
    server.kill().await;
    machine.hold_syncs(false);
    let server = start(&machine, folder.path()).await;
    assert_eq!(shapes(&server, &session).await[..2], ["before", "meanwhile"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn sigterm_waits_for_a_disk_that_stands_still_and_keeps_what_was_told() {
    let (machine, folder) = (Machine::new(), tempfile::tempdir().unwrap());
    let server = start(&machine, folder.path()).await;
    let mut client = server.attach("").await;
    let session = client.session();
    edit(&mut client, "before").await;
    machine.hold_syncs(true);
    client.send(ball("meanwhile")).await;
    timeout(PATIENCE, machine.until_a_sync_is_held()).await.unwrap();
    let id = server.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().await.unwrap().success());
    while client.try_next().await.is_some() {}
    machine.hold_syncs(false);
    let ended = timeout(PATIENCE, server.ended()).await.expect("it ends when the disk goes on");
    assert!(ended.success(), "{ended}");
    let server = start(&machine, folder.path()).await;
    // Its sync was on its way when the server was stopped.
    assert_eq!(shapes(&server, &session).await, ["before", "meanwhile"]);
}
