//! A disk that takes no more: the user reads what is wrong, nothing is half-done, and it goes on when
//! the fault is gone.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fs::Permissions;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::{Command, Stdio};

use end_to_end::client::Client;
use end_to_end::fake_gemini::{Answer, FakeGemini, Gate, Options};
use end_to_end::process::ServerProcess;
use serde_json::{Value, json};

const PROGRAM: &str = env!("CARGO_BIN_EXE_scene-llm");

/// From now on the process can make no file longer than this.
fn limit_files(server: &ServerProcess, bytes: &str) {
    let status = Command::new("prlimit")
        .args(["--pid", &server.id().to_string(), &format!("--fsize={bytes}:unlimited")])
        .status();
    assert!(status.unwrap().success());
}

async fn edit(client: &mut Client, id: &str) -> Value {
    client
        .send(json!({ "type": "edit", "request_id": id, "calls": [{ "name": "create_shape",
            "args": { "id": id, "type": "sphere", "properties": { "center": [0, 0, 0], "radius": 1 } } }] }))
        .await;
    client
        .until_that(|message| message["request_id"] == id || message["type"] == "scene_changed")
        .await
}

async fn shapes(server: &ServerProcess, session: &str) -> Vec<String> {
    let scene = server.get(&format!("/api/sessions/{session}/scene")).await;
    let shapes = scene["shapes"].as_array().unwrap();
    shapes.iter().map(|shape| shape["id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_is_told_nothing_changes_and_it_goes_on() {
    let directory = tempfile::tempdir().unwrap();
    let server = ServerProcess::start(Path::new(PROGRAM), directory.path(), None).await;
    let mut client = server.attach("").await;
    let session = client.session();
    let mut other = server.attach(&format!("session={session}")).await;
    assert_eq!(edit(&mut client, "before").await["type"], "scene_changed");

    let ready = async || server.http().get(server.url("/readyz")).send().await.unwrap();
    assert_eq!(ready().await.status(), 200);
    limit_files(&server, "1");
    let not_ready = ready().await;
    assert_eq!(not_ready.status(), 503);
    assert!(not_ready.text().await.unwrap().contains("free space on the disk"));
    let refused = edit(&mut client, "meanwhile").await;
    assert_eq!((&refused["type"], &refused["code"]), (&json!("error"), &json!("not_saved")));
    assert_eq!(refused["retryable"], true);
    let told = refused["message"].as_str().unwrap();
    assert!(told.contains("could not be saved") && told.contains("disk"), "{told}");
    // Everyone else is told too, by a message without a number.
    let told = other.until_that(|message| message["code"] == "not_saved").await;
    assert!(told["seq"].is_null() && told["request_id"].is_null(), "{told}");
    assert_eq!(shapes(&server, &session).await, ["before"]);
    client.send(json!({ "type": "user_message", "request_id": "m", "text": "hello" })).await;
    assert_eq!(client.reply("m").await["code"], "not_saved");
    let put = server.http().put(server.url(&format!("/api/sessions/{session}/scene")));
    let put = put.json(&json!({ "version": 1, "shapes": [] })).send().await.unwrap();
    assert!(put.status().is_server_error());
    assert!(put.text().await.unwrap().contains("could not be saved"));
    let made = server.http().post(server.url("/api/sessions")).send().await.unwrap();
    assert!(made.status().is_server_error());

    limit_files(&server, "unlimited");
    assert_eq!(ready().await.status(), 200);
    assert_eq!(edit(&mut client, "after").await["type"], "scene_changed");
    assert_eq!(shapes(&server, &session).await, ["before", "after"]);
    // The other client heard of what was kept, and of nothing else.
    other.until_that(|message| message["revision"] == 2).await;
    assert_eq!(other.story(), ["scene_changed"]);

    server.kill().await;
    let server = ServerProcess::start(Path::new(PROGRAM), directory.path(), None).await;
    assert_eq!(shapes(&server, &session).await, ["before", "after"]);
}

/// The program without the right to write to what is read-only, which root has.
fn unprivileged(arguments: &[&str], directory: &Path) -> Command {
    // A server that starts all the same is not waited for.
    let mut command = Command::new("timeout");
    command.arg("20");
    if std::fs::metadata("/proc/self").unwrap().uid() == 0 {
        command.args(["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--"]);
    }
    command.arg(PROGRAM).args(arguments).arg(directory).stdin(Stdio::null());
    command
}

fn set_modes(directory: &Path, of_directory: u32, of_files: u32) {
    let set = |path: &Path, mode| {
        std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    };
    set(directory, 0o700);
    for file in std::fs::read_dir(directory).unwrap() {
        set(&file.unwrap().path(), of_files);
    }
    set(directory, of_directory);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_only_store_is_told_at_the_start_and_keeps_what_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path().join("sessions");
    let server = ServerProcess::start(Path::new(PROGRAM), &directory, None).await;
    let mut client = server.attach("").await;
    let session = client.session();
    assert_eq!(edit(&mut client, "before").await["type"], "scene_changed");
    server.kill().await;

    set_modes(&directory, 0o500, 0o400);
    let output =
        unprivileged(&["serve", "--addr", "127.0.0.1:0", "--data-dir"], &directory).output();
    set_modes(&directory, 0o700, 0o600);
    let output = output.unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
    assert!(told.contains("read-only") && told.contains("--in-memory"), "{told}");

    let server = ServerProcess::start(Path::new(PROGRAM), &directory, None).await;
    assert_eq!(shapes(&server, &session).await, ["before"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_cannot_be_saved_is_stopped_closed_and_told() {
    let directory = tempfile::tempdir().unwrap();
    let gate = Gate::default();
    let create = json!({ "id": "ball", "type": "sphere", "properties": { "center": [0, 0, 0], "radius": 1 } });
    // What was shown of an answer is kept as one text, with a note.
    let options = Options { readers_may_die: true, foreign_answers: true, ..Options::default() };
    let answers = [
        Answer::new().text("Wait.").gate(&gate).call(Some("1"), "create_shape", create.clone()),
        // One may go to a run that asks once more before it is stopped.
        Answer::new().text("Here I am again."),
        Answer::new().text("Here I am again."),
    ];
    let gemini = FakeGemini::start_with(options, answers).await;
    let base_url = gemini.base_url();
    let server = ServerProcess::start(Path::new(PROGRAM), directory.path(), Some(&base_url)).await;
    let mut client = server.attach("").await;
    let session = client.session();
    client.send(json!({ "type": "user_message", "text": "a ball" })).await;
    client.until("text_delta").await;

    limit_files(&server, "1");
    gate.open();
    let told = client.until_that(|message| message["code"] == "not_saved").await;
    assert!(told["message"].as_str().unwrap().contains("cannot be saved"), "{told}");
    assert!(shapes(&server, &session).await.is_empty(), "the ball could not be kept");

    limit_files(&server, "unlimited");
    let finished = client.until("run_finished").await;
    assert_eq!(finished["reason"], "error");
    assert!(finished["message"].as_str().unwrap().contains("could not be saved"), "{finished}");
    let finished = client.say("go on").await;
    assert_eq!(finished["reason"], "completed", "{finished}");
    assert_eq!(gemini.refusals(), Vec::<String>::new());
    let events = server.events(&session).await;
    assert_eq!(events, client.events, "what was told is what is kept");
}
