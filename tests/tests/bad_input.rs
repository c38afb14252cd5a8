//! Bad input over every door of the server: a clear error each, the session still works, the scene
//! unchanged. The command line's door is in `crates/server/tests/command_line.rs`.

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
        (json!({ "type": "user_message" }).to_string(), "missing field `text`"),
        (json!({ "type": "user_message", "text": 3 }).to_string(), "expected a string"),
        (json!({ "type": "user_message", "text": " \n" }).to_string(), "'text' is empty"),
        (json!({ "type": "user_message", "text": "x".repeat(33_000) }).to_string(), "at most 32000"),
        (json!({ "type": "user_message", "text": "hi", "selection": "ball" }).to_string(), "expected a sequence"),
        (json!({ "type": "user_message", "text": "hi", "images": [{ "mime_type": "text/html", "data": "" }] }).to_string(), "mime_type must be one of"),
        (json!({ "type": "user_message", "text": "hi", "images": [{ "mime_type": "image/png", "data": "%%" }] }).to_string(), "base64"),
        (json!({ "type": "user_message", "text": "hi", "images": [{ "mime_type": "image/png", "data": "AAAA" }] }).to_string(), "not a file of type image/png"),
        (json!({ "type": "user_message", "text": "hi", "selection": ["a\nb"] }).to_string(), "'selection' must be"),
        (json!({ "type": "restore" }).to_string(), "missing field `revision`"),
        (json!({ "type": "restore", "revision": -1 }).to_string(), "invalid value"),
        (json!({ "type": "restore", "revision": 1.5 }).to_string(), "invalid"),
        (json!({ "type": "restore", "revision": 99 }).to_string(), "no revision 99"),
        (json!({ "type": "redo" }).to_string(), "nothing to redo"),
        (json!({ "type": "pick", "x": 0.5 }).to_string(), "missing field `y`"),
        (json!({ "type": "pick", "x": 2, "y": 0 }).to_string(), "from 0 to 1"),
        (json!({ "type": "pick", "x": "left", "y": 0 }).to_string(), "invalid type"),
        (json!({ "type": "select_model", "model": "hal-9000" }).to_string(), "no model 'hal-9000'"),
        (json!({ "type": "view", "width": 0 }).to_string(), "'width' must be from"),
        (json!({ "type": "view", "width": 100_000, "height": 3 }).to_string(), "'height' must be from"),
        (json!({ "type": "view", "width": -4 }).to_string(), "invalid value"),
        (json!({ "type": "view", "quality": "best" }).to_string(), "unknown variant"),
        (json!({ "type": "view", "camera": { "center": [0, 0, 0] } }).to_string(), "requires 'look_at'"),
        (json!({ "type": "view", "camera": 7 }).to_string(), "must be an object"),
        (json!({ "type": "view", "paused": "yes" }).to_string(), "invalid type"),
        // Edits.
        (json!({ "type": "edit" }).to_string(), "missing field `calls`"),
        (json!({ "type": "edit", "calls": [] }).to_string(), "'calls' is empty"),
        (json!({ "type": "edit", "calls": {} }).to_string(), "expected a sequence"),
        (json!({ "type": "edit", "calls": [{ "args": {} }] }).to_string(), "missing field `name`"),
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
async fn requests_over_http() {
    let server = TestServer::with_mock(&mock()).await;
    let (mut client, scene) = session(&server).await;
    let id = client.session();
    let of = |path: &str| format!("/api/sessions/{id}{path}");
    let empty = json!({ "version": 1, "shapes": [] });
    let render = |more: Value| {
        let mut body = json!({ "scene": empty });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body.to_string()
    };
    let cases: Vec<(&str, String, String, u16, &str)> = vec![
        ("GET", "/nothing/here".into(), String::new(), 404, "nothing at"),
        ("GET", "/../../etc/passwd".into(), String::new(), 404, "nothing at"),
        ("GET", "/api/sessions/unknown".into(), String::new(), 404, "no session 'unknown'"),
        ("GET", "/api/sessions/unknown/history".into(), String::new(), 404, "no session"),
        ("GET", "/api/sessions/unknown/scene".into(), String::new(), 404, "no session"),
        ("GET", "/api/sessions/unknown/events".into(), String::new(), 404, "no session"),
        ("GET", "/api/sessions/unknown/render".into(), String::new(), 404, "no session"),
        ("POST", "/api/sessions/unknown/cancel".into(), String::new(), 404, "no session"),
        (
            "POST",
            "/api/sessions/unknown/messages".into(),
            json!({ "text": "hi" }).to_string(),
            404,
            "no session",
        ),
        ("GET", "/ws?session=unknown".into(), String::new(), 404, "no session"),
        ("GET", "/ws".into(), String::new(), 400, "this path is a WebSocket"),
        ("PUT", of(""), String::new(), 405, "does not take this method"),
        ("PATCH", of(""), "{}".into(), 400, "missing field `name`"),
        ("PATCH", of(""), json!({ "name": " " }).to_string(), 400, "'name' must be a line"),
        ("PATCH", of(""), json!({ "name": "a\nb" }).to_string(), 400, "'name' must be a line"),
        ("PATCH", of(""), json!({ "name": "x".repeat(201) }).to_string(), 400, "1 to 200"),
        ("DELETE", "/api/sessions/unknown".into(), String::new(), 404, "there is no session"),
        ("GET", "/api/sessions?limit=-1".into(), String::new(), 400, "whole numbers"),
        ("POST", of("/shares"), json!({ "access": "all" }).to_string(), 400, "must be"),
        ("DELETE", of("/shares/unknown"), String::new(), 404, "no such share token"),
        ("GET", of("/diff"), String::new(), 400, "must be revisions"),
        ("GET", of("/diff?from=0&to=99"), String::new(), 409, "there is no revision 99"),
        ("POST", of("/duplicate/x"), String::new(), 404, ""),
        ("POST", "/api/sessions/import".into(), String::new(), 422, "the file is empty"),
        ("POST", "/api/sessions/import".into(), "{}".into(), 422, "not an exported session"),
        ("GET", of("/messages"), String::new(), 405, "does not take this method"),
        ("GET", of("/events?after=-1"), String::new(), 400, "after"),
        ("GET", of("/events?after=x"), String::new(), 400, "after"),
        ("GET", of("/events?after=99999"), String::new(), 410, "not kept"),
        ("POST", of("/messages"), String::new(), 400, "not valid JSON"),
        ("POST", of("/messages"), "{}".into(), 400, "missing field `text`"),
        ("POST", of("/messages"), json!({ "text": 1 }).to_string(), 400, "expected a string"),
        ("POST", of("/messages"), json!({ "text": "" }).to_string(), 400, "'text' is empty"),
        ("POST", of("/messages"), "x".repeat(17 * 1024 * 1024), 413, "at most"),
        ("GET", of("/render?width=0"), String::new(), 400, "'width' must be from 1 to 4096"),
        ("GET", of("/render?width=99999&height=99999"), String::new(), 400, "'height' must be"),
        ("GET", of("/render?samples=0"), String::new(), 400, "'samples' must be"),
        ("GET", of("/render?samples=1000000000"), String::new(), 400, "'samples' must be"),
        ("GET", of("/render?width=abc"), String::new(), 400, "the query"),
        (
            "GET",
            of("/render?integrator=magic"),
            String::new(),
            400,
            "integrator is auto, path or bdpt",
        ),
        (
            "GET",
            of("/render?denoise=magic"),
            String::new(),
            400,
            "denoise is none, builtin or oidn",
        ),
        ("GET", of("/render?filter=magic"), String::new(), 400, "filter is box"),
        ("GET", of("/render?noise_threshold=0"), String::new(), 400, "'noise_threshold' must be"),
        ("GET", of("/render?noise_threshold=NaN"), String::new(), 400, "'noise_threshold' must be"),
        ("GET", of("/render?time_limit=0"), String::new(), 400, "'time_limit' must be"),
        ("GET", of("/render?time_limit=inf"), String::new(), 400, "'time_limit' must be"),
        ("GET", of("/render?aov=true"), String::new(), 400, "'aov' needs a picture of type"),
        (
            "GET",
            of("/render?denoise=builtin&width=4096&height=4096&samples=1"),
            String::new(),
            400,
            "use the command line",
        ),
        (
            "GET",
            of("/render?width=4096&height=4096&samples=65536"),
            String::new(),
            400,
            "ask for fewer",
        ),
        ("POST", "/api/render".into(), String::new(), 400, "not valid JSON"),
        ("POST", "/api/render".into(), "{}".into(), 400, "missing field `scene`"),
        ("POST", "/api/render".into(), render(json!({ "width": 1.5 })), 400, "invalid"),
        ("POST", "/api/render".into(), render(json!({ "width": -1 })), 400, "invalid"),
        ("POST", "/api/render".into(), render(json!({ "height": 1e12 })), 400, "invalid"),
        (
            "POST",
            "/api/render".into(),
            render(json!({ "integrator": "x" })),
            400,
            "one of `auto`, `path`, `bdpt`",
        ),
        (
            "POST",
            "/api/render".into(),
            render(json!({ "max_depth": 0 })),
            400,
            "'max_depth' must be",
        ),
        (
            "POST",
            "/api/render".into(),
            render(json!({ "samples": 1e9 as u64, "width": 5000 })),
            400,
            "'width' must be",
        ),
    ];
    for (method, path, body, status, expected) in cases {
        let method = method.parse().unwrap();
        let request = server.http().request(method, server.url(&path)).body(body);
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), status, "{path}");
        let text = response.text().await.unwrap();
        assert!(text.contains(expected), "{path}\n  got: {text}\n  expected: {expected}");
    }
    let body =
        server.http().post(server.url("/api/render")).body(vec![0xff, 0xfe]).send().await.unwrap();
    assert_eq!(body.status(), 400);
    assert!(body.text().await.unwrap().contains("not UTF-8"));
    let request = server.http().get(server.url(&of("/render"))).header("accept", "text/html");
    assert_eq!(request.send().await.unwrap().status(), 406);
    assert_eq!(scene_of(&server, &client).await, scene);
    assert!(client.still_there().await);
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
