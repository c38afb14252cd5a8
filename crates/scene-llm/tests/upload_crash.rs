//! A server that is killed in the middle of uploads: what was acknowledged is there, everything else is
//! there whole or not at all.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::{Path, PathBuf};
use std::time::Duration;

use assets::AssetHash;
use end_to_end::process::ServerProcess;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const PROGRAM: &str = env!("CARGO_BIN_EXE_scene-llm");
/// How often the server is killed.
const CRASHES: u64 = 8;
/// The longest time between the start of the uploads and the kill.
const MAX_LIFETIME: Duration = Duration::from_millis(150);

/// A mesh of about `bytes` bytes like no other.
fn mesh(number: u64, bytes: usize) -> String {
    let comment = "x".repeat(bytes);
    format!("# {number} {comment}\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let entries = entries.map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// All hashes the server knows; each must have its content.
async fn known(server: &ServerProcess) -> Vec<String> {
    let mut known = Vec::new();
    loop {
        let listed = server.get(&format!("/api/assets?limit=200&offset={}", known.len())).await;
        let listed = listed["assets"].as_array().unwrap();
        for asset in listed {
            let hash = asset["asset"].as_str().unwrap().to_owned();
            let url = server.url(&format!("/api/assets/{hash}"));
            let content = server.http().get(url).send().await.unwrap().bytes().await.unwrap();
            assert_eq!(AssetHash::of(&content).as_str(), hash);
            known.push(hash);
        }
        if listed.is_empty() {
            return known;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn half_an_upload_leaves_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let server = ServerProcess::start(Path::new(PROGRAM), directory.path(), None).await;
    let file = mesh(0, 100_000);
    let address = server.url("").trim_start_matches("http://").to_owned();
    let mut socket = TcpStream::connect(&address).await.unwrap();
    let head = format!(
        "POST /api/assets?name=a.obj HTTP/1.1\r\nhost: {address}\r\nexpect: 100-continue\r\ncontent-length: {}\r\n\r\n",
        file.len()
    );
    socket.write_all(head.as_bytes()).await.unwrap();
    // The server asks for the body: it is at work on this upload.
    let mut answer = [0; 12];
    socket.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 100");
    socket.write_all(&file.as_bytes()[..50_000]).await.unwrap();
    server.kill().await;
    let server = ServerProcess::start(Path::new(PROGRAM), directory.path(), None).await;
    assert!(known(&server).await.is_empty());
    assert_eq!(files(&directory.path().join("assets")), Vec::<PathBuf>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_acknowledged_is_there_after_a_crash_and_nothing_is_half_there() {
    let directory = tempfile::tempdir().unwrap();
    let mut acknowledged: Vec<String> = Vec::new();
    let mut random = StdRng::seed_from_u64(7);
    for round in 0..CRASHES {
        let server = ServerProcess::start(Path::new(PROGRAM), directory.path(), None).await;
        let there = known(&server).await;
        assert!(acknowledged.iter().all(|hash| there.contains(hash)), "round {round}");
        let uploads: Vec<_> = (0..3_u64)
            .map(|client| {
                let (http, url) = (server.http().clone(), server.url("/api/assets?name=a.obj"));
                tokio::spawn(async move {
                    let mut told = Vec::new();
                    for number in 0_u64.. {
                        let body = mesh(round * 1_000_000 + client * 1_000 + number, 300_000);
                        let Ok(answer) = http.post(&url).body(body).send().await else { break };
                        let Ok(answer) = answer.json::<Value>().await else { break };
                        told.push(answer["asset"].as_str().unwrap().to_owned());
                    }
                    told
                })
            })
            .collect();
        tokio::time::sleep(MAX_LIFETIME.mul_f64(random.random_range(0.2..1.0))).await;
        server.kill().await;
        for upload in uploads {
            acknowledged.extend(upload.await.unwrap());
        }
        // What has the name of an asset is one.
        for path in files(&directory.path().join("assets")) {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            if AssetHash::parse(&name).is_some() {
                assert_eq!(AssetHash::of(&std::fs::read(&path).unwrap()).as_str(), name);
            } else {
                assert!(name.contains('#'), "{name}");
            }
        }
    }
    let server = ServerProcess::start(Path::new(PROGRAM), directory.path(), None).await;
    let there = known(&server).await;
    assert!(acknowledged.iter().all(|hash| there.contains(hash)));
    assert!(!acknowledged.is_empty(), "the server lived long enough to take something in");
}
