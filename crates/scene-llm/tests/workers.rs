//! Render workers as processes: pictures are the same with and without them, whatever happens to them.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]
#![expect(clippy::print_stdout, reason = "times are measured, and not judged: docs/scaling.md")]

mod example_scenes;

use std::path::Path;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

use end_to_end::process::ServerProcess;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::{sleep, timeout};

const PROGRAM: &str = env!("CARGO_BIN_EXE_scene-llm");
const TOKEN: &str = "token-of-workers";
/// Far more than any picture here takes.
const PATIENCE: Duration = Duration::from_secs(300);
const PAUSE: Duration = Duration::from_millis(20);

async fn server(directory: &TempDir) -> ServerProcess {
    let environment = [("SCENE_LLM_WORKER_TOKEN", TOKEN)];
    let (program, directory) = (Path::new(PROGRAM), directory.path());
    ServerProcess::start_with(program, directory, None, None, &environment).await
}

/// A worker process. Dropping it kills it.
struct Worker {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

fn command(server: &str, token: &str) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(["worker", "--server", server, "--threads", "1"]);
    command.env("SCENE_LLM_WORKER_TOKEN", token).env("SCENE_LLM_LOG", "off").kill_on_drop(true);
    command
}

impl Worker {
    fn start(server: &str) -> Self {
        let mut child = command(server, TOKEN).stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines }
    }

    /// Waits until a server has let it in.
    async fn works(&mut self) {
        let line = timeout(PATIENCE, self.lines.next_line()).await.unwrap().unwrap().unwrap();
        assert!(line.starts_with("working for http://"), "{line}");
    }

    fn signal(&self, name: &str) {
        let id = self.child.id().unwrap().to_string();
        let done = std::process::Command::new("kill").args([name, &id]).status();
        assert!(done.unwrap().success());
    }
}

async fn working(server: &ServerProcess) -> Worker {
    let mut worker = Worker::start(&server.url(""));
    worker.works().await;
    worker
}

/// A number of `/metrics`.
async fn metric(server: &ServerProcess, name: &str) -> u64 {
    let metrics = server.http().get(server.url("/metrics")).send().await.unwrap();
    let text = metrics.text().await.unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(&format!("scene_llm_{name} ")));
    line.unwrap_or_else(|| panic!("there is no {name} in {text}")).parse().unwrap()
}

/// Waits until a number of `/metrics` is as it should be.
async fn until(server: &ServerProcess, name: &str, is: impl Fn(u64) -> bool) {
    let waiting = async {
        while !is(metric(server, name).await) {
            sleep(PAUSE).await;
        }
    };
    assert!(timeout(PATIENCE, waiting).await.is_ok(), "{name} is {}", metric(server, name).await);
}

fn scene(name: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let text = std::fs::read_to_string(folder.join(format!("{name}.json"))).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The request of a picture: every bit of its light is in the answer.
fn request(server: &ServerProcess, body: &Value) -> reqwest::RequestBuilder {
    let url = server.url("/api/render");
    server.http().post(url).header("accept", "image/x-exr").json(body)
}

async fn picture(server: &ServerProcess, body: &Value) -> Vec<u8> {
    let answer = request(server, body).send().await.unwrap();
    let status = answer.status();
    let bytes = answer.bytes().await.unwrap();
    assert_eq!(status, 200, "{}", String::from_utf8_lossy(&bytes));
    bytes.to_vec()
}

fn of(name: &str, more: &Value) -> Value {
    let mut body = json!({ "scene": scene(name), "width": 150, "height": 110 });
    let more = more.as_object().unwrap().clone();
    body.as_object_mut().unwrap().extend(more);
    body
}

/// A picture with so many samples that workers took part, and its number of samples.
async fn shared(server: &ServerProcess, body: &Value) -> (Vec<u8>, u32) {
    let mut samples = 32;
    loop {
        let before = metric(server, "render_tasks_done_total").await;
        let mut body = body.clone();
        body["samples"] = samples.into();
        let made = picture(server, &body).await;
        if metric(server, "render_tasks_done_total").await > before {
            return (made, samples);
        }
        samples *= 2;
        assert!(samples < 10_000, "no worker takes part");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_are_the_same_bytes_with_one_and_three_workers() {
    let directories = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let (alone, helped) = (server(&directories[0]).await, server(&directories[1]).await);
    let pictures = [
        of("snowman", &json!({ "integrator": "path", "denoise": "builtin", "aov": true })),
        of("glass-caustics", &json!({ "integrator": "bdpt" })),
        of("light-shafts", &json!({ "seed": 7, "max_depth": 5 })),
        of("game-of-chess", &json!({ "integrator": "path", "transparent": true })),
    ];
    let mut workers = vec![working(&helped).await];
    for count in [1, 3] {
        while workers.len() < count {
            workers.push(working(&helped).await);
        }
        assert_eq!(metric(&helped, "render_workers").await, count as u64);
        for body in &pictures {
            let (made, samples) = shared(&helped, body).await;
            let mut body = body.clone();
            body["samples"] = samples.into();
            assert!(made == picture(&alone, &body).await, "{count} workers: {body}");
        }
    }
    // Noise is judged between rounds, which workers share as well.
    let body = of("snowman", &json!({ "noise_threshold": 0.004, "samples": 4096 }));
    let before = metric(&helped, "render_tasks_done_total").await;
    picture(&helped, &body).await;
    println!("{} tasks", metric(&helped, "render_tasks_done_total").await - before);
}

/// A mesh and a picture that were uploaded come to the worker by their hashes.
#[tokio::test(flavor = "multi_thread")]
async fn uploaded_files_come_to_the_worker() {
    let directory = tempfile::tempdir().unwrap();
    let server = server(&directory).await;
    let upload = |name: &str, bytes: Vec<u8>| {
        let url = server.url(&format!("/api/assets?name={name}"));
        let sending = server.http().post(url).body(bytes).send();
        async move {
            let stored: Value = sending.await.unwrap().json().await.unwrap();
            stored["asset"].as_str().unwrap().to_owned()
        }
    };
    let picture_file = include_bytes!("../../../docs/page.png").to_vec();
    let image = upload("page.png", picture_file).await;
    let obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n";
    let mesh = upload("form.obj", obj.into()).await;
    let albedo = json!({ "type": "image", "asset": image });
    let matte = json!({ "type": "lambertian", "albedo": albedo });
    let scene = json!({ "version": 1, "shapes": [
        { "id": "form", "type": "mesh", "properties": { "asset": mesh, "translation": [0, 0.2, 0] } },
        { "id": "ball", "type": "sphere",
          "properties": { "center": [1.5, 1, 0], "radius": 1, "material": matte } },
    ] });
    let body = json!({ "scene": scene, "width": 150, "height": 110, "integrator": "path" });
    let worker = working(&server).await;
    let (made, samples) = shared(&server, &body).await;
    drop(worker);
    until(&server, "render_workers", |count| count == 0).await;
    let mut body = body;
    body["samples"] = samples.into();
    assert!(made == picture(&server, &body).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_is_killed_or_stands_still_changes_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let server = server(&directory).await;
    let body = of("snowman", &json!({ "integrator": "path", "samples": 400 }));
    let expected = picture(&server, &body).await;
    for signal in ["-KILL", "-STOP"] {
        let worker = working(&server).await;
        let done = metric(&server, "render_tasks_done_total").await;
        let making = tokio::spawn(request(&server, &body).send());
        until(&server, "render_tasks_done_total", |count| count > done).await;
        worker.signal(signal);
        let made = timeout(PATIENCE, making).await.unwrap().unwrap().unwrap();
        assert!(made.bytes().await.unwrap() == expected, "{signal}");
        drop(worker);
        until(&server, "render_workers", |count| count == 0).await;
    }
    println!("{} tasks lost", metric(&server, "render_tasks_lost_total").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_that_nobody_waits_for_ends_everywhere() {
    let directory = tempfile::tempdir().unwrap();
    let server = server(&directory).await;
    let mut worker = working(&server).await;
    let endless = of("snowman", &json!({ "width": 1000, "height": 700, "samples": 4096 }));
    let making = tokio::spawn(request(&server, &endless).send());
    until(&server, "render_tasks_done_total", |count| count > 0).await;
    making.abort();
    let cancelled = Instant::now();
    until(&server, "in_use{of=\"pictures\"}", |count| count == 0).await;
    println!("from the cancel to its end on the server: {:?} at most", cancelled.elapsed());
    // Neither the server nor the worker is busy with it.
    let (made, samples) = shared(&server, &of("snowman", &json!({}))).await;

    // It is asked to end, and says goodbye.
    worker.signal("-TERM");
    let ended = timeout(PATIENCE, worker.child.wait()).await.unwrap().unwrap();
    assert!(ended.success(), "{ended}");
    until(&server, "render_workers", |count| count == 0).await;
    assert!(made == picture(&server, &of("snowman", &json!({ "samples": samples }))).await);
}

async fn refused(server: &str, token: &str) -> String {
    let output = timeout(PATIENCE, command(server, token).output()).await.unwrap().unwrap();
    let Output { status, stderr, .. } = output;
    assert_eq!(status.code(), Some(1));
    String::from_utf8(stderr).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn only_workers_of_the_same_kind_with_the_token_are_let_in() {
    let directories = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let environment = [("SCENE_LLM_WORKER_TOKEN", TOKEN), ("SCENE_LLM_TOKEN", "operator")];
    let (program, directory) = (Path::new(PROGRAM), directories[0].path());
    let server = ServerProcess::start_with(program, directory, None, None, &environment).await;
    let said = refused(&server.url(""), "another-token").await;
    assert!(said.contains("the worker's token is not this server's"), "{said}");
    assert!(!said.contains("another-token"), "{said}");
    let closed = ServerProcess::start(program, directories[1].path(), None).await;
    let said = refused(&closed.url(""), TOKEN).await;
    assert!(said.contains("start it with --worker-token"), "{said}");

    // The token is good for nothing else, and the operator's is none of a worker.
    let get = |path: &str, token: &str| {
        let request = server.http().get(server.url(path)).bearer_auth(token);
        async move {
            let answer = request.send().await.unwrap();
            (answer.status().as_u16(), answer.text().await.unwrap())
        }
    };
    assert_eq!(get("/api/sessions", TOKEN).await.0, 401);
    assert_eq!(get("/metrics", TOKEN).await.0, 401);
    let asks = "/api/workers?threads=1&fingerprint=00";
    assert_eq!(get(&format!("{asks}&version=0.1.0"), "operator").await.0, 403);
    let (status, said) = get(&format!("{asks}&version=0.0.1"), TOKEN).await;
    assert_eq!(status, 409);
    assert!(said.contains("the worker has version 0.0.1"), "{said}");
    let version = env!("CARGO_PKG_VERSION");
    let (status, said) = get(&format!("{asks}&version={version}"), TOKEN).await;
    assert_eq!(status, 409);
    assert!(said.contains("the worker renders other bits"), "{said}");
    let (status, said) = get("/api/workers?threads=some", TOKEN).await;
    assert_eq!(status, 400, "{said}");

    // A server of another version, as a worker sees it.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let other = format!("http://{}", listener.local_addr().unwrap());
    let answering = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut asked = vec![0; 4096];
        let count = stream.read(&mut asked).await.unwrap();
        let body = r#"{"detail":"install the same on both"}"#;
        let head = format!("HTTP/1.1 409 Conflict\r\ncontent-length: {}\r\n\r\n", body.len());
        stream.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
        String::from_utf8_lossy(&asked[..count]).into_owned()
    });
    let said = refused(&other, TOKEN).await;
    assert!(said.contains("install the same on both"), "{said}");
    let asked = answering.await.unwrap();
    assert!(asked.contains(&format!("version={version}&")), "{asked}");
}

/// A worker comes back by itself when its line ends, and waits for a server that is not there yet.
#[tokio::test(flavor = "multi_thread")]
async fn a_worker_connects_again() {
    let directory = tempfile::tempdir().unwrap();
    let server = server(&directory).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mut worker = Worker::start(&format!("http://{}", listener.local_addr().unwrap()));
    // Nobody answers.
    drop(listener.accept().await.unwrap());
    let address = server.url("").replace("http://", "");
    for _ in 0..2 {
        let (mut client, _) = timeout(PATIENCE, listener.accept()).await.unwrap().unwrap();
        let mut owner = TcpStream::connect(&address).await.unwrap();
        let carrying = tokio::spawn(async move {
            let _ = tokio::io::copy_bidirectional(&mut client, &mut owner).await;
        });
        worker.works().await;
        until(&server, "render_workers", |count| count == 1).await;
        carrying.abort();
        until(&server, "render_workers", |count| count == 0).await;
    }
}

/// The preview of a fresh session with this many columns when it has all its samples, and how many tasks workers
/// did for it.
async fn refined(server: &ServerProcess, columns: u32) -> (Vec<u8>, u64) {
    let before = metric(server, "render_tasks_done_total").await;
    let mut client = server.attach("").await;
    let url = server.url(&format!("/api/sessions/{}/scene", client.session()));
    let put = server.http().put(url).json(&scene("snowman")).send().await.unwrap();
    assert!(put.status().is_success());
    let view = json!({ "type": "view", "width": columns, "height": columns, "quality": "draft" });
    client.send(view).await;
    let refining = async {
        loop {
            let preview = client.preview().await;
            if preview.header["width"] == columns && preview.header["samples"] == 16 {
                return preview.image;
            }
        }
    };
    let image = timeout(PATIENCE, refining).await.unwrap();
    (image, metric(server, "render_tasks_done_total").await - before)
}

#[tokio::test(flavor = "multi_thread")]
async fn previews_are_the_same_with_a_worker() {
    let directories = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let (alone, helped) = (server(&directories[0]).await, server(&directories[1]).await);
    let _worker = working(&helped).await;
    let mut columns = 120;
    let (image, columns) = loop {
        // Passes of a small picture may be too short to be shared.
        match refined(&helped, columns).await {
            (_, 0) if columns < 1000 => columns *= 2,
            (image, tasks) => {
                println!("{tasks} tasks");
                assert!(tasks > 0, "no worker takes part");
                break (image, columns);
            }
        }
    };
    let (expected, tasks) = refined(&alone, columns).await;
    assert_eq!(tasks, 0);
    assert!(image == expected);
}
