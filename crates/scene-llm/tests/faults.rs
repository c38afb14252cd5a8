//! Faults of the machine around a server, and its end in each state.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use end_to_end::client::Client;
use end_to_end::fake_gemini::{Answer, FakeGemini, Gate, Options};
use end_to_end::process::ServerProcess;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::time::timeout;

const PROGRAM: &str = env!("CARGO_BIN_EXE_scene-llm");
/// Far more than a stop takes that waits for nobody.
const PATIENCE: Duration = Duration::from_secs(30);

async fn run(program: &str, arguments: &[&str]) {
    let status = Command::new(program).args(arguments).status().await.unwrap();
    assert!(status.success(), "{program} {arguments:?}");
}

fn ball(id: &str) -> Value {
    json!({ "name": "create_shape", "args": { "id": id, "type": "sphere",
        "properties": { "center": [0, 0, 0], "radius": 1 } } })
}

async fn edit(client: &mut Client, id: &str) -> Value {
    client.send(json!({ "type": "edit", "request_id": id, "calls": [ball(id)] })).await;
    let is_answer =
        |message: &Value| message["request_id"] == id || message["type"] == "scene_changed";
    client.until_that(is_answer).await
}

async fn shapes(server: &ServerProcess, session: &str) -> Vec<String> {
    let scene = server.get(&format!("/api/sessions/{session}/scene")).await;
    let shapes = scene["shapes"].as_array().unwrap();
    shapes.iter().map(|shape| shape["id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_without_file_descriptors_goes_on_when_there_are_some() {
    let folder = tempfile::tempdir().unwrap();
    let server = ServerProcess::start(Path::new(PROGRAM), folder.path(), None).await;
    let mut client = server.attach("").await;
    let session = client.session();
    let pid = server.id().to_string();
    let limit =
        async |most: &str| run("prlimit", &["--pid", &pid, &format!("--nofile={most}")]).await;
    let open = std::fs::read_dir(format!("/proc/{pid}/fd")).unwrap().count();
    // Room for a few connections, and then for none.
    limit(&format!("{}:20000", open + 4)).await;
    let addr = server.url("").trim_start_matches("http://").to_owned();
    let mut waiting = Vec::new();
    for _ in 0..20 {
        waiting.push(TcpStream::connect(&addr).await.unwrap());
    }
    // The client that is there is served all the same.
    assert!(client.still_there().await);
    assert_eq!(edit(&mut client, "meanwhile").await["type"], "scene_changed");
    limit("20000:20000").await;
    let mut late = waiting.pop().unwrap();
    late.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        .await
        .unwrap();
    let mut answer = String::new();
    timeout(PATIENCE, late.read_to_string(&mut answer)).await.unwrap().unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert_eq!(shapes(&server, &session).await, ["meanwhile"]);
}

/// Of two servers on one directory, one may be told of a conflict; neither loses what it has acknowledged.
#[tokio::test(flavor = "multi_thread")]
async fn two_servers_on_one_directory_lose_nothing_they_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let first = ServerProcess::start(Path::new(PROGRAM), folder.path(), None).await;
    let mut on_first = first.attach("").await;
    let session = on_first.session();
    assert_eq!(edit(&mut on_first, "a").await["type"], "scene_changed");
    let second = ServerProcess::start(Path::new(PROGRAM), folder.path(), None).await;
    let mut on_second = second.attach(&format!("session={session}")).await;
    assert_eq!(edit(&mut on_second, "b").await["type"], "scene_changed");
    // The first does not know of it yet: its edit is refused, and its clients get what the other has saved.
    on_first.send(json!({ "type": "edit", "request_id": "c", "calls": [ball("c")] })).await;
    assert_eq!(on_first.reply("c").await["code"], "not_saved");
    // It goes on from there.
    on_first.send(json!({ "type": "edit", "calls": [ball("d")] })).await;
    on_first.until_that(|message| message["changes"][0]["id"] == "d").await;
    let changed = on_first.events.iter().filter(|event| event["type"] == "scene_changed");
    let ids: Vec<&Value> = changed.map(|event| &event["changes"][0]["id"]).collect();
    assert_eq!(ids, ["a", "b", "d"]);
    first.kill().await;
    second.kill().await;
    let third = ServerProcess::start(Path::new(PROGRAM), folder.path(), None).await;
    assert_eq!(shapes(&third, &session).await, ["a", "b", "d"]);
}

async fn put(server: &ServerProcess, session: &str, scene: &Value) {
    let request = server.http().put(server.url(&format!("/api/sessions/{session}/scene")));
    let answer = request.json(scene).send().await.unwrap();
    assert_eq!(answer.status(), 200, "{}", answer.text().await.unwrap());
}

/// Waits until at least so much of a shared limit is in use.
async fn until_in_use(server: &ServerProcess, of: &str, least: u64) {
    let line = format!("scene_llm_in_use{{of=\"{of}\"}} ");
    let used = async || {
        let answer = server.http().get(server.url("/metrics")).send().await.unwrap();
        let text = answer.text().await.unwrap();
        let value = text.lines().find_map(|metric| metric.strip_prefix(&line));
        value.unwrap_or_else(|| panic!("no {line}")).parse::<u64>().unwrap()
    };
    let waits = async { while used().await < least {} };
    timeout(PATIENCE, waits).await.unwrap_or_else(|_| panic!("{of} is not in use"));
}

/// Sends SIGTERM, and waits for a good end.
async fn stop(server: ServerProcess, state: &str) {
    run("kill", &["-TERM", &server.id().to_string()]).await;
    let ended = timeout(PATIENCE, server.ended()).await;
    let status = ended.unwrap_or_else(|_| panic!("{state}: the server does not stop"));
    assert!(status.success(), "{state}: {status}");
}

/// What a server is doing, for as long as this is held.
#[derive(Default)]
struct Doing {
    clients: Vec<TcpStream>,
    backup: Option<Child>,
}

fn head(request: &str, more: &str) -> String {
    format!("{request} HTTP/1.1\r\nHost: localhost\r\n{more}\r\n")
}

/// A client that has sent this.
async fn sent(server: &ServerProcess, text: &str) -> TcpStream {
    let addr = server.url("").trim_start_matches("http://").to_owned();
    let mut stream = TcpStream::connect(&addr).await.unwrap();
    stream.write_all(text.as_bytes()).await.unwrap();
    stream
}

/// A client that has sent a part of a message over a WebSocket.
async fn half_a_message(server: &ServerProcess, session: &str) -> TcpStream {
    let key = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
               Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";
    let mut stream = sent(server, &head(&format!("GET /ws?session={session}"), key)).await;
    stream.read_u8().await.unwrap();
    stream.write_all(&[0x01, 0xfe, 0x10]).await.unwrap();
    stream
}

/// A client that waits for a long animation of the session.
async fn animation(server: &ServerProcess, session: &str) -> TcpStream {
    let moves = json!({ "duration": 10, "fps": 24, "tracks": [{ "target": "kept",
        "property": "position", "keys": [[0, [0, 0, 0]], [10, [1, 0, 0]]] }] });
    let scene = json!({ "version": 1, "animation": moves, "shapes": [{ "id": "kept",
        "type": "sphere", "properties": { "center": [0, 0, 0], "radius": 1 } }] });
    put(server, session, &scene).await;
    let size = "width=640&height=480&samples=64";
    let path = format!("GET /api/sessions/{session}/animation?{size}");
    let client = sent(server, &head(&path, "")).await;
    until_in_use(server, "animations", 1).await;
    client
}

/// Clients that have asked for exports of a large scene, more than are made at the same time.
async fn exports(server: &ServerProcess) -> Vec<TcpStream> {
    let large = server.attach("").await.session();
    let shapes: Vec<Value> = (0..8_000)
        .map(|n| {
            json!({ "id": format!("ball_{n}"), "type": "sphere",
                "properties": { "center": [n, 0, 0], "radius": 1.0 + f64::from(n) / 1e4 } })
        })
        .collect();
    put(server, &large, &json!({ "version": 1, "shapes": shapes })).await;
    let request = head(&format!("GET /api/sessions/{large}/scene/export?format=json"), "");
    let mut clients = Vec::new();
    for _ in 0..12 {
        clients.push(sent(server, &request).await);
    }
    clients
}

/// Lets the server do something; `copies` is a directory for a backup of `data`.
async fn begin(
    state: &str,
    server: &ServerProcess,
    session: &str,
    data: &Path,
    copies: &Path,
) -> Doing {
    let large = r#"{"scene":{"version":1,"shapes":[]},"width":1920,"height":1080,"samples":2000}"#;
    let text = match state {
        "asked for a picture" => {
            head("POST /api/render", &format!("Content-Length: {}\r\n", large.len())) + large
        }
        "sending a file" => head(&format!("GET /api/sessions/{session}/export"), ""),
        "half a head" => "GET /healthz HTTP/1.1\r\nHo".to_owned(),
        "half a request" => head("POST /api/render", "Content-Length: 100\r\n"),
        "half an upload" => {
            let upload = format!("POST /api/assets?name=a.obj&session={session}");
            head(&upload, "Content-Length: 100000\r\n") + "v 0 0 0\n"
        }
        _ => String::new(),
    };
    let mut doing = Doing { clients: vec![sent(server, &text).await], backup: None };
    match state {
        "half a message" => doing.clients.push(half_a_message(server, session).await),
        "asked for an animation" => doing.clients.push(animation(server, session).await),
        "asked for exports" => doing.clients.extend(exports(server).await),
        "being backed up" => {
            let mut command = Command::new(PROGRAM);
            command.arg("backup").arg(copies.join("copy")).arg("--data-dir").arg(data);
            doing.backup = Some(command.spawn().unwrap());
        }
        "told twice" => run("kill", &["-TERM", &server.id().to_string()]).await,
        _ => {}
    }
    doing
}

#[tokio::test(flavor = "multi_thread")]
async fn sigterm_ends_a_server_well_in_each_state() {
    for state in [
        "idle",
        "asked for a picture",
        "sending a file",
        "half a head",
        "half a request",
        "half a message",
        "half an upload",
        "asked for an animation",
        "asked for exports",
        "being backed up",
        "told twice",
    ] {
        let (folder, copies) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let server = ServerProcess::start(Path::new(PROGRAM), folder.path(), None).await;
        let mut client = server.attach("").await;
        let session = client.session();
        assert_eq!(edit(&mut client, "kept").await["type"], "scene_changed");
        let mut doing = begin(state, &server, &session, folder.path(), copies.path()).await;
        // Its answer shows that the server has read what came before.
        assert!(state == "told twice" || client.still_there().await);
        stop(server, state).await;
        if let Some(backup) = &mut doing.backup {
            assert!(backup.wait().await.unwrap().success(), "{state}");
        }
        let server = ServerProcess::start(Path::new(PROGRAM), folder.path(), None).await;
        assert_eq!(shapes(&server, &session).await, ["kept"], "{state}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sigterm_during_a_run_keeps_what_was_done() {
    let folder = tempfile::tempdir().unwrap();
    let gate = Gate::default();
    let options = Options { readers_may_die: true, ..Options::default() };
    let answers = [
        Answer::new().text("A ball.").call(Some("1"), "create_shape", ball("made")["args"].clone()),
        Answer::new().text("And").gate(&gate).text(" more."),
    ];
    let gemini = FakeGemini::start_with(options, answers).await;
    let base_url = gemini.base_url();
    let server = ServerProcess::start(Path::new(PROGRAM), folder.path(), Some(&base_url)).await;
    let mut client = server.attach("").await;
    let session = client.session();
    client.send(json!({ "type": "user_message", "text": "a ball" })).await;
    client.until("tool_finished").await;
    client.until("text_delta").await;
    stop(server, "running").await;
    let server = ServerProcess::start(Path::new(PROGRAM), folder.path(), None).await;
    assert_eq!(shapes(&server, &session).await, ["made"]);
    let events = server.events(&session).await;
    let last = events.last().unwrap();
    assert_eq!(last["type"], "run_finished", "{last}");
    assert!(last["message"].as_str().unwrap().contains("The server stopped"), "{last}");
}

/// What clients send must not steer the terminal of whoever reads the log.
#[tokio::test(flavor = "multi_thread")]
async fn the_log_has_no_escapes_of_others() {
    for format in ["text", "json"] {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new(PROGRAM);
        command.args(["serve", "--addr", "127.0.0.1:0", "--threads", "1", "--log", "debug"]);
        command.args(["--log-format", format, "--data-dir"]).arg(folder.path());
        command.env("DEBUG_MOCK_RESPONSES", r#"["I \u001b]0;owned\u0007 am here."]"#);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut process = command.spawn().unwrap();
        let mut address = [0; 1024];
        let read = process.stdout.as_mut().unwrap().read(&mut address).await.unwrap();
        let line = String::from_utf8_lossy(&address[..read]).into_owned();
        let addr =
            line.split("http://").nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
        let mut client = Client::connect(addr.parse().unwrap(), "").await;
        client
            .send(json!({ "type": "user_message", "text": "say \u{1b}]0;owned\u{7}\u{202e}" }))
            .await;
        client.until("run_finished").await;
        client.send(json!({ "type": "\u{1b}[31m" })).await;
        client.until("error").await;
        for request in ["GET /%1b%5b31m", "GET /api/sessions/%1b%5b2J", "GET /api/assets/%e2%80%ae"]
        {
            let mut stream = TcpStream::connect(&addr).await.unwrap();
            let text = format!(
                "{request} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: \u{1b}[31m\r\nConnection: close\r\n\r\n"
            );
            stream.write_all(text.as_bytes()).await.unwrap();
            let mut answer = Vec::new();
            stream.read_to_end(&mut answer).await.unwrap();
        }
        run("kill", &["-TERM", &process.id().unwrap().to_string()]).await;
        let output = timeout(PATIENCE, process.wait_with_output()).await.unwrap().unwrap();
        let log = String::from_utf8(output.stderr).unwrap();
        assert!(log.contains("a run finished"), "{log}");
        let hostile = log.lines().find(|line| line.contains(['\u{1b}', '\u{7}', '\u{202e}']));
        assert!(hostile.is_none(), "{format}: {hostile:?}");
    }
}
