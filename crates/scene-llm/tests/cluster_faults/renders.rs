//! A render worker, and somebody who has one picture rendered again and again by any server: it is the same each time.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};
use tokio::process::{Child, Command};
use tokio::sync::watch;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::PROGRAM;

/// What workers have to know.
pub(super) const WORKER_TOKEN: &str = "token-of-workers";
/// Far more than the picture takes, and so little that a server that stands still is left.
const TOO_LONG: Duration = Duration::from_secs(30);

/// A worker for all of these servers. Dropping it kills it.
pub(super) fn worker(servers: &[String]) -> Child {
    let mut command = Command::new(PROGRAM);
    command.args(["worker", "--threads", "1", "--server", &servers.join(",")]);
    command.env("SCENE_LLM_WORKER_TOKEN", WORKER_TOKEN).env("SCENE_LLM_LOG", "off");
    command.stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true).spawn().unwrap()
}

/// Has the picture rendered until `stop`, and counts those that came.
pub(super) async fn look(
    http: reqwest::Client,
    servers: Vec<String>,
    made: watch::Sender<u64>,
    stop: CancellationToken,
) {
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/snowman.json");
    let scene: Value = serde_json::from_str(&std::fs::read_to_string(scene).unwrap()).unwrap();
    let body = json!({ "scene": scene, "width": 150, "height": 110, "samples": 48,
        "integrator": "path" });
    let mut random = StdRng::seed_from_u64(71);
    let mut expected: Option<Vec<u8>> = None;
    let looking = async {
        loop {
            let server = &servers[random.random_range(0..servers.len())];
            let asked = http.post(format!("{server}/api/render")).timeout(TOO_LONG);
            let answer = match asked.header("accept", "image/x-exr").json(&body).send().await {
                Ok(answer) if answer.status().is_success() => answer.bytes().await.ok(),
                _ => None,
            };
            // A server that ends, or is not there, is left for another one.
            let Some(picture) = answer else {
                sleep(Duration::from_millis(50)).await;
                continue;
            };
            match &expected {
                Some(expected) => assert!(*expected == picture, "another picture"),
                None => expected = Some(picture.to_vec()),
            }
            made.send_modify(|count| *count += 1);
        }
    };
    stop.run_until_cancelled(looking).await;
}
