//! Backups of a server that is being edited, and what comes back of them.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::{Arc, Mutex};

use end_to_end::process::ServerProcess;
use serde_json::{Value, json};
use tokio::process::Command;
use tokio::task::JoinSet;

const PROGRAM: &str = env!("CARGO_BIN_EXE_scene-llm");

/// What sessions hold, by session: ids of shapes, or hashes.
type Held = BTreeSet<(String, String)>;

/// What the server has acknowledged so far.
type Acknowledged = Arc<Mutex<Held>>;

async fn scene_llm(arguments: &[&str]) -> Output {
    let mut command = Command::new(PROGRAM);
    command.args(arguments).env_remove("SCENE_LLM_DATA_DIR").env("HOME", "/nonexistent");
    command.output().await.unwrap()
}

async fn done(arguments: &[&str]) -> String {
    let output = scene_llm(arguments).await;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

async fn refused(arguments: &[&str]) -> String {
    let output = scene_llm(arguments).await;
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said.lines().count(), 1, "{said}");
    said
}

/// Adds shapes to a session, one after the other, until the server is gone.
async fn storm(http: reqwest::Client, url: String, name: String, acknowledged: Acknowledged) {
    let new: Value =
        http.post(format!("{url}/api/sessions")).send().await.unwrap().json().await.unwrap();
    let session = new["session_id"].as_str().unwrap().to_owned();
    let mut scene = json!({ "version": 1, "shapes": [] });
    for number in 0.. {
        let id = format!("{name}_{number}");
        scene["shapes"].as_array_mut().unwrap().push(json!({ "id": id, "type": "sphere",
            "properties": { "center": [number, 0, 0], "radius": 1 } }));
        let put = http.put(format!("{url}/api/sessions/{session}/scene")).json(&scene).send().await;
        let Ok(put) = put else { return };
        if put.status() == 200 && put.bytes().await.is_ok() {
            acknowledged.lock().unwrap().insert((session.clone(), id));
        }
    }
}

/// Uploads a mesh of its own for each number, and puts it into a session.
async fn upload(server: &ServerProcess, number: usize) -> (String, String) {
    let ply = format!(
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
         element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 {number}\n3 0 1 2\n"
    );
    let http = server.http();
    let sent =
        http.post(server.url("/api/assets?name=triangle.ply")).body(ply).send().await.unwrap();
    assert!(sent.status().is_success(), "{}", sent.text().await.unwrap());
    let asset: Value = sent.json().await.unwrap();
    let hash = asset["asset"].as_str().unwrap().to_owned();
    let new: Value =
        http.post(server.url("/api/sessions")).send().await.unwrap().json().await.unwrap();
    let session = new["session_id"].as_str().unwrap().to_owned();
    let scene = json!({ "version": 1, "shapes": [{ "id": "mesh", "type": "mesh", "properties": { "asset": hash } }] });
    let put = http
        .put(server.url(&format!("/api/sessions/{session}/scene")))
        .json(&scene)
        .send()
        .await
        .unwrap();
    assert_eq!(put.status(), 200, "{}", put.text().await.unwrap());
    (session, hash)
}

async fn shapes(server: &ServerProcess, session: &str) -> BTreeSet<String> {
    let scene = server.get(&format!("/api/sessions/{session}/scene")).await;
    let shapes = scene["shapes"].as_array().unwrap_or_else(|| panic!("{session}: {scene}"));
    shapes.iter().map(|shape| shape["id"].as_str().unwrap().to_owned()).collect()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_during_a_storm_of_edits_has_what_was_acknowledged_before() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let server = ServerProcess::start(Path::new(PROGRAM), &data, None).await;
    std::fs::write(data.join("approvals.json"), r#"{"always":[]}"#).unwrap();
    std::fs::create_dir_all(data.join("workflows")).unwrap();
    std::fs::write(data.join("workflows/mine.toml"), "name = \"mine\"").unwrap();
    std::fs::write(data.join("workflows/.half"), "being written").unwrap();
    let acknowledged = Acknowledged::default();
    let mut storms = JoinSet::new();
    for number in 0..4 {
        let (http, url) = (server.http().clone(), server.url(""));
        storms.spawn(storm(http, url, format!("s{number}"), Arc::clone(&acknowledged)));
    }
    let mut backups: Vec<(PathBuf, Held, Held)> = Vec::new();
    let mut uploads = Held::new();
    for number in 0..3 {
        uploads.insert(upload(&server, number).await);
        let known = backups.last().map_or(0, |(_, known, _)| known.len());
        while acknowledged.lock().unwrap().len() < known + 12 {
            tokio::task::yield_now().await;
        }
        let before = acknowledged.lock().unwrap().clone();
        let to = folder.path().join(format!("backup-{number}"));
        done(&["backup", text(&to), "--data-dir", text(&data)]).await;
        backups.push((to, before, uploads.clone()));
    }
    let after = acknowledged.lock().unwrap().len();
    assert!(after > backups[2].1.len(), "the storm went on during the backup");
    // The last one is about to be restored where the server was.
    let said = refused(&["restore", text(&backups[2].0), "--data-dir", text(&data)]).await;
    assert!(said.contains("exists: name a new directory"), "{said}");
    server.kill().await;
    while storms.join_next().await.is_some() {}

    for (backup, before, uploads) in &backups {
        let restored = folder.path().join("restored");
        let said = done(&["restore", text(backup), "--data-dir", text(&restored)]).await;
        assert!(said.contains(&format!("with {} uploaded files", uploads.len())), "{said}");
        assert!(restored.join("approvals.json").exists());
        assert!(restored.join("workflows/mine.toml").exists());
        assert!(!restored.join("workflows/.half").exists());
        let server = ServerProcess::start(Path::new(PROGRAM), &restored, None).await;
        let sessions: BTreeSet<&String> = before.iter().map(|(session, _)| session).collect();
        for session in sessions {
            let there = shapes(&server, session).await;
            let of_session = before.iter().filter(|(of, _)| of == session);
            for (_, id) in of_session {
                assert!(there.contains(id), "{id} of {session} is not in {there:?}");
            }
            let events = server.events(session).await;
            let numbers: Vec<u64> =
                events.iter().map(|event| event["seq"].as_u64().unwrap()).collect();
            assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>(), "a gap");
        }
        for (session, hash) in uploads {
            assert!(shapes(&server, session).await.contains("mesh"));
            let got = server.http().get(server.url(&format!("/api/assets/{hash}"))).send().await;
            assert_eq!(got.unwrap().status(), 200, "{hash}");
        }
        server.kill().await;
        std::fs::remove_dir_all(&restored).unwrap();
    }
    let left = std::fs::read_dir(folder.path()).unwrap();
    let left = left.filter(|entry| {
        entry.as_ref().unwrap().file_name().to_string_lossy().contains("unfinished")
    });
    assert_eq!(left.count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_that_is_damaged_or_none_is_refused_and_nothing_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let (data, backup) = (folder.path().join("data"), folder.path().join("backup"));
    let said = refused(&["backup", text(&backup), "--data-dir", text(&data)]).await;
    assert!(said.contains("there are no sessions in"), "{said}");
    let server = ServerProcess::start(Path::new(PROGRAM), &data, None).await;
    let (_, hash) = upload(&server, 1).await;
    done(&["backup", text(&backup), "--data-dir", text(&data)]).await;
    server.kill().await;
    let said = refused(&["backup", text(&backup), "--data-dir", text(&data)]).await;
    assert!(said.contains("exists: name a new directory"), "{said}");

    let restored = folder.path().join("restored");
    let restore = ["restore", text(&backup), "--data-dir", text(&restored)];
    // An uploaded file is told and the rest restored.
    let asset = backup.join("assets").join(&hash[..2]).join(&hash);
    std::fs::write(&asset, "something else").unwrap();
    let output = scene_llm(&restore).await;
    assert!(output.status.success());
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains(&format!("'{hash}' is missing or damaged")), "{said}");
    std::fs::remove_dir_all(&restored).unwrap();

    let sessions = backup.join("sessions.sqlite");
    let whole = std::fs::read(&sessions).unwrap();
    std::fs::write(&sessions, &whole[..whole.len() / 2]).unwrap();
    let said = refused(&restore).await;
    assert!(said.contains("damaged"), "{said}");
    assert!(!restored.exists() && !folder.path().join("restored.unfinished").exists());
}
