//! Full disks behind several servers: that of the database, and the directory that they share.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::Path;

use end_to_end::client::Client;
use end_to_end::machine::Machine;
use end_to_end::process::ServerProcess;
use serde_json::{Value, json};
use tempfile::TempDir;
use test_postgres::TestPostgres;

const PROGRAM: &str = env!("CARGO_BIN_EXE_scene-llm");
const TRIANGLE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
/// Far more edits than there is room for in what the tables of the database have already.
const MANY: usize = 5_000;

async fn start(machine: &Machine, directory: &TempDir, database: &str) -> ServerProcess {
    let environment = machine.environment();
    let environment = environment.each_ref().map(|(name, path)| (*name, path.to_str().unwrap()));
    let (program, directory) = (Path::new(PROGRAM), directory.path());
    ServerProcess::start_with(program, directory, Some(database), None, &environment).await
}

/// Makes an object; the answer is an event or an error.
async fn edit(client: &mut Client, id: &str) -> Value {
    client
        .send(json!({ "type": "edit", "request_id": id, "calls": [{ "name": "create_shape",
            "args": { "id": id, "type": "sphere", "properties": { "center": [0, 0, 0], "radius": 1 } } }] }))
        .await;
    let is_made = |it: &Value| it["type"] == "scene_changed" && it["changes"][0]["id"] == id;
    client.until_that(|message| message["request_id"] == id || is_made(message)).await
}

async fn shapes(server: &ServerProcess, session: &str) -> Vec<String> {
    let scene = server.get(&format!("/api/sessions/{session}/scene")).await;
    let shapes = scene["shapes"].as_array().unwrap();
    shapes.iter().map(|shape| shape["id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_of_the_database_is_told_nothing_changes_and_it_goes_on() {
    let (disk, machine) = (Machine::new(), Machine::new());
    let postgres = TestPostgres::start_with(&disk.environment());
    let (database, directory) = (postgres.database(), tempfile::tempdir().unwrap());
    let (one, two) = (
        start(&machine, &directory, &database).await,
        start(&machine, &directory, &database).await,
    );
    let mut owner = one.attach("").await;
    let session = owner.session();
    let mut client = two.attach(&format!("session={session}")).await;
    let mut kept = Vec::new();
    // PostgreSQL writes its log in files of a size, and the next one is there already.
    postgres.query(&database, "SELECT pg_switch_wal()");
    postgres.query(&database, "CHECKPOINT");

    disk.fill_disk(true);
    let refused = loop {
        assert!(kept.len() < MANY, "no edit is refused");
        let id = format!("ball_{}", kept.len());
        let answer = edit(&mut client, &id).await;
        if answer["type"] == "error" {
            break answer;
        }
        kept.push(id);
    };
    assert_eq!((&refused["code"], &refused["retryable"]), (&json!("not_saved"), &json!(true)));
    let told = refused["message"].as_str().unwrap();
    assert!(told.contains("the disk of the database is full; free some space there"), "{told}");
    // The client at the owner is told as well.
    owner.until_that(|message| message["code"] == "not_saved").await;
    for server in [&one, &two] {
        assert_eq!(shapes(server, &session).await, kept);
        let path = format!("/api/sessions/{session}/scene");
        // More than any page of the database has left.
        let name = "x".repeat(60);
        let many = (0..200).map(|number| {
            json!({ "id": format!("{name}_{number}"), "type": "sphere",
            "properties": { "center": [number, 0, 0], "radius": 1 } })
        });
        let scene = json!({ "version": 1, "shapes": many.collect::<Vec<_>>() });
        let put = server.http().put(server.url(&path)).json(&scene).send().await.unwrap();
        assert_eq!(put.status(), 507);
        assert!(put.text().await.unwrap().contains("the disk of the database is full"));
        assert_eq!(shapes(server, &session).await, kept);
    }

    disk.fill_disk(false);
    assert_eq!(edit(&mut client, "after").await["type"], "scene_changed");
    kept.push("after".to_owned());
    one.kill().await;
    assert_eq!(shapes(&two, &session).await, kept);
    let events = two.events(&session).await;
    let made = events.iter().filter(|event| event["type"] == "scene_changed").count();
    assert_eq!(made, kept.len(), "what was refused is in no log");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_shared_directory_refuses_files_and_nothing_else() {
    let machine = Machine::new();
    let (database, directory) = (TestPostgres::shared().database(), tempfile::tempdir().unwrap());
    let (one, two) = (
        start(&machine, &directory, &database).await,
        start(&machine, &directory, &database).await,
    );
    let mut client = one.attach("").await;
    let session = client.session();
    let upload = |server: &ServerProcess, content: &str| {
        let url = server.url(&format!("/api/assets?name=a.obj&session={session}"));
        let sending = server.http().post(url).body(content.to_owned()).send();
        async move {
            let answer = sending.await.unwrap();
            (answer.status().as_u16(), answer.json::<Value>().await.unwrap())
        }
    };
    let (status, first) = upload(&one, TRIANGLE).await;
    assert!(status < 300, "{first}");
    let files = || {
        let files = walk(directory.path());
        assert!(!files.is_empty());
        files
    };
    let before = files();

    machine.fill_disk(true);
    let other = format!("# another one\n{TRIANGLE}");
    for server in [&one, &two] {
        let (status, refused) = upload(server, &other).await;
        assert_eq!(status, 507, "{refused}");
        assert!(refused["detail"].as_str().unwrap().contains("the disk is full"), "{refused}");
        // What is there can be read, and what the database keeps goes on.
        let path = format!("/api/assets/{}", first["asset"].as_str().unwrap());
        assert_eq!(server.http().get(server.url(&path)).send().await.unwrap().status(), 200);
    }
    assert_eq!(edit(&mut client, "meanwhile").await["type"], "scene_changed");
    let listed = two.get(&format!("/api/sessions/{session}/assets")).await;
    assert_eq!(listed["assets"].as_array().unwrap().len(), 1, "{listed}");

    machine.fill_disk(false);
    assert_eq!(files(), before, "nothing half-written is left");
    let (status, second) = upload(&two, &other).await;
    assert!(status < 300, "{second}");
    let mesh = json!({ "id": "mesh", "type": "mesh", "properties": { "asset": second["asset"] } });
    let call = json!({ "name": "create_shape", "args": mesh });
    client.send(json!({ "type": "edit", "request_id": "mesh", "calls": [call] })).await;
    let is_made = |it: &Value| it["type"] == "scene_changed" && it["changes"][0]["id"] == "mesh";
    let made = client.until_that(|it| it["request_id"] == "mesh" || is_made(it)).await;
    assert_eq!(made["type"], "scene_changed", "{made}");
}

/// All files below a directory.
fn walk(directory: &Path) -> Vec<String> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files.extend(walk(&path)),
            false => files.push(path.display().to_string()),
        }
    }
    files.sort();
    files
}
