//! The example scenes as workers render them.

use std::collections::HashMap;
use std::path::Path;

use serde_json::{Value, json};

use super::{picture, server, shared, working};

/// The example scenes with pictures of their own, or all of them with `SCENE_LLM_ALL_SCENES`.
#[tokio::test(flavor = "multi_thread")]
async fn example_scenes_are_the_same_bytes_with_three_workers() {
    let directories = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let (alone, helped) = (server(&directories[0]).await, server(&directories[1]).await);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let mut files = HashMap::new();
    for file in std::fs::read_dir(folder.join("images")).unwrap() {
        let file = file.unwrap();
        let name = file.file_name().into_string().unwrap();
        let bytes = std::fs::read(file.path()).unwrap();
        for server in [&alone, &helped] {
            let url = server.url(&format!("/api/assets?name={name}"));
            let sent = server.http().post(url).body(bytes.clone()).send().await.unwrap();
            let kept: Value = sent.json().await.unwrap();
            files.insert(format!("images/{name}"), kept["asset"].as_str().unwrap().to_owned());
        }
    }
    let mut workers = Vec::new();
    while workers.len() < 3 {
        workers.push(working(&helped).await);
    }
    let is_long = std::env::var_os("SCENE_LLM_ALL_SCENES").is_some();
    let mut compared = 0;
    for file in std::fs::read_dir(&folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let mut text = std::fs::read_to_string(&path).unwrap();
        if !is_long && !files.keys().any(|name| text.contains(name)) {
            continue;
        }
        for (name, asset) in &files {
            text = text.replace(name, asset);
        }
        let scene: Value = serde_json::from_str(&text).unwrap();
        let mut body = json!({ "scene": scene, "width": 150, "height": 110 });
        let (made, samples) = shared(&helped, &body).await;
        body["samples"] = samples.into();
        assert!(made == picture(&alone, &body).await, "{}", path.display());
        compared += 1;
    }
    assert!(compared > 1, "no scene was compared");
    println!("{compared} example scenes are the same bytes with three workers and with none");
}
