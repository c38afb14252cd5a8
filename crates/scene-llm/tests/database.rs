//! The program with its sessions in PostgreSQL.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::Path;
use std::process::{Command, Output};

use end_to_end::client::Client;
use end_to_end::process::ServerProcess;
use serde_json::{Value, json};
use test_postgres::TestPostgres;

const PROGRAM: &str = env!("CARGO_BIN_EXE_scene-llm");

fn scene_llm(home: &Path, environment: &[(&str, &str)], arguments: &[&str]) -> Output {
    let mut command = Command::new(PROGRAM);
    command.args(arguments).env_clear().env("HOME", home).envs(environment.iter().copied());
    command.output().unwrap()
}

fn refused(home: &Path, environment: &[(&str, &str)], arguments: &[&str]) -> String {
    let output = scene_llm(home, environment, arguments);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!said.contains("secret"), "{said}");
    said
}

async fn edit(client: &mut Client, id: &str) {
    client
        .send(json!({ "type": "edit", "request_id": id, "calls": [{ "name": "create_shape",
            "args": { "id": id, "type": "sphere", "properties": { "center": [0, 0, 0], "radius": 1 } } }] }))
        .await;
    let changed = client
        .until_that(|message| message["request_id"] == id || message["type"] == "scene_changed")
        .await;
    assert_eq!(changed["type"], "scene_changed", "{changed}");
}

/// A server is killed, another one goes on with the same database; a crash of the database is a pause.
#[tokio::test(flavor = "multi_thread")]
async fn another_server_goes_on_and_a_crash_of_the_database_is_a_pause() {
    let mut postgres = TestPostgres::start();
    let url = postgres.database();
    let directory = tempfile::tempdir().unwrap();
    let start = || ServerProcess::start_on(Path::new(PROGRAM), directory.path(), Some(&url), None);
    let server = start().await;
    let mut client = server.attach("").await;
    let session = client.session();
    assert_eq!(client.welcome["durable"], true, "{}", client.welcome);
    edit(&mut client, "first").await;
    let told = client.say("add a blue box").await;
    assert_eq!(told["reason"], "completed");
    postgres = tokio::task::spawn_blocking(move || {
        postgres.crash();
        postgres
    })
    .await
    .unwrap();
    edit(&mut client, "second").await;
    let events = server.events(&session).await;
    let scene = server.get(&format!("/api/sessions/{session}/scene")).await;
    server.kill().await;

    let server = start().await;
    assert_eq!(server.events(&session).await, events);
    assert_eq!(server.get(&format!("/api/sessions/{session}/scene")).await, scene);
    let listed = server.get("/api/sessions?q=blue").await;
    assert_eq!(listed["sessions"].as_array().map(Vec::len), Some(1), "{listed}");
    let mut client = server.attach(&format!("session={session}")).await;
    edit(&mut client, "third").await;
    assert!(!directory.path().join("sessions.sqlite").exists());
    assert_eq!(postgres.query(&url, "SELECT count(*) FROM session WHERE seq > 0"), "1");
}

#[test]
fn the_configuration_shows_the_database_without_its_password() {
    let home = tempfile::tempdir().unwrap();
    let url = "postgres://me:secret@db.example/scenes";
    let environment = [("SCENE_LLM_DATABASE_URL", url)];
    let shown = scene_llm(home.path(), &environment, &["config", "--json"]);
    let shown: Value = serde_json::from_slice(&shown.stdout).unwrap();
    let expected = json!({ "value": "postgres://me:***@db.example/scenes",
        "source": "environment", "variable": "SCENE_LLM_DATABASE_URL" });
    assert_eq!(shown["settings"]["database_url"], expected);

    let file = home.path().join("mine.toml");
    std::fs::write(&file, format!("database_url = \"{url}\"\n")).unwrap();
    let shown = scene_llm(home.path(), &[], &["config", "--config", file.to_str().unwrap()]);
    let text = String::from_utf8(shown.stdout).unwrap();
    assert!(text.contains("# database_url = \"postgres://me:***@db.example/scenes\""), "{text}");
    let plain = scene_llm(home.path(), &[], &["config", "--database-url", "postgres://db/scenes"]);
    let text = String::from_utf8(plain.stdout).unwrap();
    assert!(text.contains("\ndatabase_url = \"postgres://db/scenes\""), "{text}");
}

#[test]
fn what_a_database_excludes_is_told() {
    let home = tempfile::tempdir().unwrap();
    let url = "postgres://me:secret@%2Fnowhere/scenes";
    let serve = ["serve", "--addr", "127.0.0.1:0", "--database-url", url];
    let said = refused(home.path(), &[], &serve);
    assert!(said.contains("in the database postgres://me:***@%2Fnowhere/scenes"), "{said}");
    assert!(said.contains("cannot be reached"), "{said}");
    let output = scene_llm(home.path(), &[], &[&serve[..], &["--max-data-mb", "5"]].concat());
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("cannot be used with"), "{said}");

    // A copy of the directory alone would look like a backup.
    let copy = home.path().join("copy");
    let copy = copy.to_str().unwrap();
    for command in ["backup", "restore"] {
        let said = refused(home.path(), &[("SCENE_LLM_DATABASE_URL", url)], &[command, copy]);
        assert!(said.contains("postgres://me:***@") && said.contains("pg_dump"), "{said}");
    }
    assert!(!Path::new(copy).exists());
}
