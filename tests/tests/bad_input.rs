//! Bad input over every door of the server: a clear error each, the session still works, the scene
//! unchanged. The command line's door is in `crates/server/tests/command_line.rs`.

mod over_http;

use end_to_end::bad_scenes::BadScene;
use end_to_end::client::Client;
use end_to_end::server::TestServer;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A session with a sphere and a light in it, and its scene.
async fn session(server: &TestServer) -> (Client, Value) {
    let mut client = server.client().await;
    let calls = json!([
        { "name": "create_shape", "args": { "id": "ball", "type": "sphere",
            "properties": { "center": [0, 1, 0], "radius": 1 } } },
        { "name": "create_light", "args": { "id": "lamp", "type": "point_spot_light",
            "properties": { "center": [0, 4, 0], "emission": [9, 9, 9] } } },
    ]);
    client.send(json!({ "type": "edit", "calls": calls })).await;
    client.until("scene_changed").await;
    let scene = scene_of(server, &client).await;
    (client, scene)
}

async fn scene_of(server: &TestServer, client: &Client) -> Value {
    server.get(&format!("/api/sessions/{}/scene", client.session())).await
}

fn mock() -> Value {
    json!(["I am here."])
}

#[tokio::test]
async fn messages_over_the_socket() {
    let shape = |properties: Value| {
        json!({ "type": "edit", "calls": [
            { "name": "create_shape", "args": { "id": "new", "type": "sphere", "properties": properties } } ] })
    };
    let edit = |name: &str, args: Value| json!({ "type": "edit", "calls": [{ "name": name, "args": args }] });
    let cases: Vec<(String, &str)> = [
        // Not messages at all.
        ("".into(), "not valid JSON"),
        ("{".into(), "not valid JSON"),
        ("null".into(), "must be a JSON object"),
        ("[]".into(), "must be a JSON object"),
        ("\"ping\"".into(), "must be a JSON object"),
        ("{\"type\":NaN}".into(), "not valid JSON"),
        ("[".repeat(10_000), "not valid JSON"),
        ("{}".into(), "must have a 'type'"),
        (json!({ "type": 7 }).to_string(), "must have a 'type'"),
        (json!({ "type": "user_mesage" }).to_string(), "no message type 'user_mesage'"),
        (json!({ "type": "x".repeat(100_000) }).to_string(), "no message type"),
        // Fields.
        (json!({ "type": "user_message" }).to_string(), "'text' is missing"),
        (json!({ "type": "user_message", "text": 3 }).to_string(), "'text' must be a text, got 3"),
        (json!({ "type": "user_message", "text": " \n" }).to_string(), "'text' is empty"),
        (json!({ "type": "user_message", "text": "x".repeat(33_000) }).to_string(), "at most 32000"),
        (json!({ "type": "user_message", "text": "hi", "selection": "ball" }).to_string(), "'selection' must be a list"),
        (json!({ "type": "user_message", "text": "hi", "images": [{ "mime_type": "text/html", "data": "" }] }).to_string(), "mime_type must be one of"),
        (json!({ "type": "user_message", "text": "hi", "images": [{ "mime_type": "image/png", "data": "%%" }] }).to_string(), "base64"),
        (json!({ "type": "user_message", "text": "hi", "images": [{ "mime_type": "image/png", "data": "AAAA" }] }).to_string(), "not a file of type image/png"),
        (json!({ "type": "user_message", "text": "hi", "selection": ["a\nb"] }).to_string(), "'selection' must be"),
        (json!({ "type": "restore" }).to_string(), "'revision' is missing"),
        (json!({ "type": "restore", "revision": -1 }).to_string(), "'revision' must be a whole number from 0 on, got -1"),
        (json!({ "type": "restore", "revision": 1.5 }).to_string(), "'revision' must be a whole number from 0 on, got 1.5"),
        (json!({ "type": "restore", "revision": 99 }).to_string(), "no revision 99"),
        (json!({ "type": "redo" }).to_string(), "nothing to redo"),
        (json!({ "type": "pick", "x": 0.5 }).to_string(), "'y' is missing"),
        (json!({ "type": "pick", "x": 2, "y": 0 }).to_string(), "from 0 to 1"),
        (json!({ "type": "pick", "x": "left", "y": 0 }).to_string(), "'x' must be a number"),
        (json!({ "type": "select_model", "model": "hal-9000" }).to_string(), "no model 'hal-9000'"),
        (json!({ "type": "view", "width": 0 }).to_string(), "'width' must be from"),
        (json!({ "type": "view", "width": 100_000, "height": 3 }).to_string(), "'height' must be from"),
        (json!({ "type": "view", "width": -4 }).to_string(), "'width' must be a whole number"),
        (json!({ "type": "view", "quality": "best" }).to_string(), "'quality' must be 'draft', 'preview' or 'final', got 'best'"),
        (json!({ "type": "view", "camera": { "center": [0, 0, 0] } }).to_string(), "requires 'look_at'"),
        (json!({ "type": "view", "camera": 7 }).to_string(), "must be an object"),
        (json!({ "type": "view", "at_time": -1 }).to_string(), "'at_time' must be from 0 to 600 seconds, or null, got -1"),
        (json!({ "type": "view", "fit_aspect": 99 }).to_string(), "'fit_aspect' must be from 0.1 to 10, width over height, got 99"),
        (json!({ "type": "view", "paused": "yes" }).to_string(), "'paused' must be true or false"),
        // Edits.
        (json!({ "type": "edit" }).to_string(), "'calls' is missing"),
        (json!({ "type": "edit", "calls": [] }).to_string(), "'calls' is empty"),
        (json!({ "type": "edit", "calls": {} }).to_string(), "something in 'calls' must be a list"),
        (json!({ "type": "edit", "calls": [{ "args": {} }] }).to_string(), "in 'calls', 'name' is missing"),
        (edit("create_shpe", json!({})).to_string(), "did you mean 'create_shape'"),
        (edit("get_scene_state", json!({})).to_string(), "there is no edit"),
        (edit("create_shape", json!(null)).to_string(), "must be an object"),
        (edit("create_shape", json!({})).to_string(), "requires 'id'"),
        (edit("create_shape", json!({ "id": "ball", "type": "sphere", "properties": { "center": [0, 0, 0], "radius": 1 } })).to_string(), "already exists"),
        (edit("create_shape", json!({ "id": "lamp", "type": "sphere", "properties": { "center": [0, 0, 0], "radius": 1 } })).to_string(), "already exists"),
        (shape(json!({ "center": [0, 0, 0] })).to_string(), "shape 'new' requires 'radius' property"),
        (shape(json!({ "center": [0, 0, 0], "radius": 1e307 })).to_string(), "<= 1000000"),
        (edit("update_shape", json!({ "id": "ball" })).to_string(), "requires 'updates'"),
        (edit("update_shape", json!({ "id": "ball", "updates": {} })).to_string(), "is empty"),
        (edit("update_shape", json!({ "id": "ball", "updates": { "radius": 2 } })).to_string(), "has no property 'radius'"),
        (edit("update_shape", json!({ "id": "ball", "updates": { "properties": { "radius": null } } })).to_string(), "requires 'radius'"),
        (edit("update_shape", json!({ "id": "ball", "updates": { "type": "box" } })).to_string(), "requires 'dimensions'"),
        (edit("update_shape", json!({ "id": "ball", "updates": { "id": "lamp" } })).to_string(), "already exists"),
        (edit("update_shape", json!({ "id": "lamp", "updates": { "id": "x" } })).to_string(), "is a light"),
        (edit("remove_shape", json!({ "id": "bal" })).to_string(), "did you mean 'ball'"),
        (edit("remove_light", json!({ "id": ["lamp"] })).to_string(), "non-empty text"),
        (edit("update_light", json!({ "id": "lamp", "updates": { "properties": { "emission": [1, 1] } } })).to_string(), "[r, g, b]"),
        (edit("set_camera", json!({ "center": [0, 0, 0] })).to_string(), "requires 'look_at'"),
        (edit("set_environment_lighting", json!({ "type": "gradient", "emission": [1, 1, 1] })).to_string(), "has no property 'emission'"),
        (json!({ "type": "edit", "calls": [
            { "name": "remove_shape", "args": { "id": "ball" } },
            { "name": "remove_shape", "args": { "id": "ball" } } ] }).to_string(), "edit 2: "),
        (format!("{{\"type\":\"user_message\",\"text\":\"{}\"}}", "x".repeat(10_000_000)), "at most"),
    ]
    .into();
    assert!(cases.len() >= 60);

    let server = TestServer::with_mock(&mock()).await;
    let (mut client, scene) = session(&server).await;
    for (text, expected) in cases {
        let shown: String = text.chars().take(120).collect();
        client.send_text(text).await;
        let error = client.until("error").await;
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(expected), "{shown}\n  got: {message}\n  expected: {expected}");
        assert!(message.len() < 2_000, "{shown}: an error of {} bytes", message.len());
    }
    assert!(client.still_there().await);
    assert_eq!(scene_of(&server, &client).await, scene);
    assert_eq!(client.say("Are you there?").await["reason"], "completed");
}

#[tokio::test]
async fn an_error_echoes_its_request_and_goes_to_its_client_alone() {
    let server = TestServer::with_mock(&mock()).await;
    let (mut client, _) = session(&server).await;
    let mut other = server.attach(&format!("session={}", client.session())).await;
    client.send(json!({ "type": "redo", "request_id": "r-1" })).await;
    let error = client.reply("r-1").await;
    assert_eq!((&error["type"], &error["code"]), (&json!("error"), &json!("no_history")));
    assert!(error.get("seq").is_none());
    assert!(other.still_there().await, "and nothing but the pong came");
    assert!(other.events.is_empty());
}

#[tokio::test]
async fn frames_that_are_no_messages() {
    let server = TestServer::with_mock(&mock()).await;
    let (mut client, scene) = session(&server).await;
    client.send_binary(vec![1, 2, 3]).await;
    assert!(client.until("error").await["message"].as_str().unwrap().contains("not binary"));
    assert!(client.still_there().await);

    // Each of these ends its own connection, with the close code of its fault, and nothing else.
    let not_utf8: &[u8] = &[0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe];
    let unmasked: &[u8] = &[0x81, 0x02, b'{', b'}'];
    let reserved_opcode: &[u8] = &[0x83, 0x80, 0, 0, 0, 0];
    let continuation_of_nothing: &[u8] = &[0x80, 0x80, 0, 0, 0, 0];
    let gigabytes: &[u8] = &[0x81, 0xff, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0];
    let mut long_ping = vec![0x89, 0xfe, 0x01, 0x00, 0, 0, 0, 0];
    long_ping.extend([0; 256]);
    let farewell: &[u8] = &[0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe8];
    for (frame, code) in [
        (not_utf8, 1007),
        (unmasked, 1002),
        (reserved_opcode, 1002),
        (continuation_of_nothing, 1002),
        (gigabytes, 1009),
        (&long_ping, 1002),
        (farewell, 1000),
    ] {
        let mut socket = upgraded(&server, &client.session()).await;
        socket.write_all(frame).await.unwrap();
        assert_eq!(close_code(&mut socket).await, Some(code), "{frame:x?}");
    }
    let half_a_frame: &[u8] = &[0x81, 0xfe, 0x10];
    let mut socket = upgraded(&server, &client.session()).await;
    socket.write_all(half_a_frame).await.unwrap();
    drop(socket);
    assert!(client.still_there().await);
    assert_eq!(scene_of(&server, &client).await, scene);
}

/// The code of the close frame the server sends; frames before it are skipped.
async fn close_code(socket: &mut TcpStream) -> Option<u16> {
    loop {
        let [head, length] = [socket.read_u8().await.ok()?, socket.read_u8().await.ok()?];
        let length = match length {
            126 => u64::from(socket.read_u16().await.ok()?),
            127 => socket.read_u64().await.ok()?,
            short => u64::from(short),
        };
        let mut payload = vec![0; usize::try_from(length).ok()?];
        socket.read_exact(&mut payload).await.ok()?;
        if head & 0x0f == 8 {
            return Some(u16::from_be_bytes([*payload.first()?, *payload.get(1)?]));
        }
    }
}

/// A socket after its upgrade, to write bytes on.
async fn upgraded(server: &TestServer, session: &str) -> TcpStream {
    let mut socket = TcpStream::connect(server.addr()).await.unwrap();
    let request = format!(
        "GET /ws?session={session} HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
        server.addr()
    );
    socket.write_all(request.as_bytes()).await.unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(socket.read_u8().await.unwrap());
    }
    assert!(head.starts_with(b"HTTP/1.1 101"));
    socket
}

#[tokio::test]
async fn scene_files_over_http() {
    let server = TestServer::with_mock(&mock()).await;
    let (mut client, scene) = session(&server).await;
    let put = format!("/api/sessions/{}/scene", client.session());
    let cases = BadScene::all();
    assert!(cases.len() >= 100);
    for case in &cases {
        let text = case.text();
        let response = server.http().put(server.url(&put)).body(text.clone()).send().await.unwrap();
        check_problem(&case.name, &case.fault, response).await;
        let body = format!("{{\"scene\":{text},\"width\":8,\"height\":8,\"samples\":1}}");
        let response =
            server.http().post(server.url("/api/render")).body(body).send().await.unwrap();
        check_problem(&case.name, &case.fault, response).await;
    }
    assert_eq!(scene_of(&server, &client).await, scene);
    assert!(client.still_there().await);
}

/// The response is 400 (not JSON) or 422 (not a scene) with the fault in its detail.
async fn check_problem(name: &str, fault: &str, response: reqwest::Response) {
    let status = response.status().as_u16();
    assert_eq!(response.headers()["content-type"], "application/problem+json", "{name}");
    let problem: Value = response.json().await.unwrap();
    let detail = problem["detail"].as_str().unwrap();
    if fault == "not valid JSON" {
        // Wrapped into a larger body, half a file may read as another fault of the form.
        assert_eq!(status, 400, "{name}: {detail}");
    } else {
        assert_eq!(status, 422, "{name}: {detail}");
        assert!(detail.contains(fault), "{name}\n  got: {detail}\n  expected: {fault}");
        assert!(!problem["violations"].as_array().unwrap().is_empty());
    }
    assert_eq!(problem["status"], status);
}

#[tokio::test]
async fn other_sites_and_other_host_names_are_refused() {
    let server = TestServer::with_mock(&mock()).await;
    let post = || server.http().post(server.url("/api/sessions"));
    assert_eq!(post().send().await.unwrap().status(), 201);
    assert_eq!(post().header("origin", server.url("")).send().await.unwrap().status(), 201);
    assert_eq!(post().header("origin", "https://evil.example").send().await.unwrap().status(), 403);
    assert_eq!(post().header("host", "evil.example").send().await.unwrap().status(), 421);
    let upgrade = server
        .http()
        .get(server.url("/ws"))
        .header("origin", "http://localhost:1")
        .header("connection", "upgrade")
        .header("upgrade", "websocket");
    assert_eq!(upgrade.send().await.unwrap().status(), 403);
}
