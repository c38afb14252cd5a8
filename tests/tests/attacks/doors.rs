//! Errors repeat what was wrong in a request: through no door do they deceive a reader or steer a terminal.

use end_to_end::client::Client;
use end_to_end::server::TestServer;
use reqwest::Method;
use serde_json::{Value, json};

use super::access::{ROUTES, messages};
use super::hostile_text::{check, percent};

/// A letter that turns the text, one that is invisible, an escape for a terminal, the end of a line.
const HOSTILE: &str = "gpj\u{202e}exe\u{200b}\u{1b}[2J\r\u{2066}";

/// The value with one of its texts, or the name of one of its fields, replaced: one for each.
fn variants(value: &Value) -> Vec<Value> {
    match value {
        Value::Object(fields) => {
            let mut all = Vec::new();
            for (name, inner) in fields {
                let with = |inner: Value| {
                    let mut changed = fields.clone();
                    changed.insert(name.clone(), inner);
                    Value::Object(changed)
                };
                all.extend(variants(inner).into_iter().map(with));
                let mut renamed = fields.clone();
                renamed.remove(name);
                renamed.insert(HOSTILE.to_owned(), inner.clone());
                all.push(renamed.into());
            }
            all
        }
        Value::Array(items) => {
            let with = |(at, inner): (usize, Value)| {
                let mut changed = items.clone();
                changed[at] = inner;
                Value::Array(changed)
            };
            let each = items.iter().enumerate();
            each.flat_map(|(at, item)| variants(item).into_iter().map(move |inner| (at, inner)))
                .map(with)
                .collect()
        }
        // Also where no text is expected.
        _ => vec![HOSTILE.into()],
    }
}

/// Checks the errors in the JSON of an answer; what is no error may repeat what it was given.
async fn checked(what: &str, answer: reqwest::Response) {
    let is_refused = !answer.status().is_success();
    let text = answer.text().await.unwrap();
    // A stream of events has each on a line of its own.
    for line in text.lines().map(|line| line.trim_start_matches("data: ")) {
        let Ok(said) = serde_json::from_str::<Value>(line) else { continue };
        if is_refused {
            check(what, &said);
        }
        check(what, &said["error"]);
        if said["result"]["isError"] == true {
            check(what, &said["result"]);
        }
    }
}

#[tokio::test]
async fn no_route_tells_an_error_that_deceives() {
    let server = TestServer::with_mock(&json!([])).await;
    let id = server.client().await.session();
    for (method, path, query, body, _) in ROUTES {
        if ["/ws", "/mcp", "/api/workers"].contains(path) {
            continue;
        }
        let filled = |hostile: Option<&str>| {
            let part = |part: &str| match part.starts_with('{') {
                true if hostile == Some(part) => percent(HOSTILE),
                true if part == "{id}" => id.clone(),
                true => "unknown".to_owned(),
                false => part.to_owned(),
            };
            path.split('/').map(part).collect::<Vec<_>>().join("/")
        };
        let mut requests = Vec::new();
        for part in path.split('/').filter(|part| part.starts_with('{')) {
            requests.push((format!("{}{query}", filled(Some(part))), (*body).to_owned()));
        }
        let names =
            query.trim_start_matches('?').split('&').filter_map(|pair| pair.split('=').next());
        for name in names.filter(|name| !name.is_empty()) {
            requests.push((
                format!("{}?{name}={}", filled(None), percent(HOSTILE)),
                (*body).to_owned(),
            ));
        }
        if *method != "get" && *method != "delete" {
            let whole = serde_json::from_str::<Value>(body).unwrap_or(Value::Null);
            let bodies = variants(&whole).into_iter().map(|body| body.to_string());
            let bodies = bodies.chain([HOSTILE.to_owned(), format!("{{\"{HOSTILE}\": 1}}")]);
            requests.extend(bodies.map(|body| (format!("{}{query}", filled(None)), body)));
        }
        for (path, body) in requests {
            let name = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            let request = server.http().request(name, server.url(&path)).body(body.clone());
            checked(&format!("{method} {path} {body}"), request.send().await.unwrap()).await;
        }
    }
}

/// Says a message, and checks the errors that come until the next one is answered.
async fn say(client: &mut Client, message: Value) {
    client.send(message.clone()).await;
    client.send(json!({ "type": "ping", "request_id": "last" })).await;
    loop {
        let answer = client.next().await;
        if answer["type"] == "error" {
            check(&message.to_string(), &answer["message"]);
        }
        if answer["request_id"] == "last" {
            return;
        }
    }
}

#[tokio::test]
async fn no_message_tells_an_error_that_deceives() {
    let server = TestServer::with_mock(&json!([])).await;
    let mut client = server.client().await;
    let task = json!({ "id": "a", "description": "d", "depends_on": ["b"], "criteria": ["c"] });
    let more = [
        json!({ "type": "start_goal", "objective": "o", "workflow": "w", "parameters": { "p": "q" },
            "verify": "off", "models": ["m", "n"], "variants": 2 }),
        json!({ "type": "start_goal", "objective": "o", "criteria": ["a ball"] }),
        json!({ "type": "edit_goal", "tasks": [task], "skip": ["s"], "criteria": ["c"] }),
        json!({ "type": "edit", "calls": [{ "name": "update_shape", "args": { "id": "a", "updates": {
            "properties": { "material": { "type": "metal", "albedo": "red" } } } } }] }),
        json!({ "type": "edit", "calls": [{ "name": "place", "args": { "object": "a", "on": "b" } }] }),
        json!({ "type": "user_message", "text": "t", "replaces": "r", "selection": ["s"],
            "images": [{ "mime_type": "image/png", "data": "AAAA" }] }),
        json!({ "type": "view", "camera": { "center": "c", "look_at": [0, 0, 0] }, "hidden": ["h"], "at_time": 1 }),
    ];
    let known = messages().into_iter().map(|(message, _)| message);
    for message in known.chain(more) {
        for variant in variants(&message) {
            say(&mut client, variant).await;
        }
    }
    client.send_text(HOSTILE.to_owned()).await;
    check("a text that is no JSON", &client.until("error").await);
}

/// The answer to a JSON-RPC request.
async fn ask(server: &TestServer, path: &str, connection: &str, body: &Value) -> reqwest::Response {
    let request = server.http().post(server.url(path)).body(body.to_string());
    let request = request
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("a2a-version", "1.0");
    let request = match connection {
        "" => request,
        connection => request.header("mcp-session-id", connection),
    };
    request.send().await.unwrap()
}

#[tokio::test]
async fn no_agent_is_told_an_error_that_deceives() {
    let server = TestServer::with_mock(&json!([])).await;
    let call = |method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": { "name": "x", "version": "1" } });
    let begun = ask(&server, "/mcp", "", &call("initialize", hello)).await;
    let connection = begun.headers()["mcp-session-id"].to_str().unwrap().to_owned();
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    ask(&server, "/mcp", &connection, &ready).await;
    let ball = json!({ "id": "a", "type": "sphere", "session": server.client().await.session(),
        "properties": { "center": [0, 0, 0], "radius": 1 } });
    for call in [
        call("tools/call", json!({ "name": "create_shape", "arguments": ball })),
        call("tools/call", json!({ "name": "undo", "arguments": { "session": "s" } })),
        call("resources/read", json!({ "uri": "scene-llm://sessions/s/scene" })),
        call("prompts/get", json!({ "name": "build_scene", "arguments": { "what": "a ball" } })),
    ] {
        for variant in variants(&call).into_iter().filter(|call| call["id"] == 1) {
            let answer = ask(&server, "/mcp", &connection, &variant).await;
            checked(&format!("/mcp {variant}"), answer).await;
        }
    }
    let message = json!({ "role": "ROLE_USER", "messageId": "m", "contextId": "c", "taskId": "t",
        "parts": [{ "text": "hi" }] });
    for call in [
        call("SendMessage", json!({ "message": message })),
        call("GetTask", json!({ "id": "t", "historyLength": 1 })),
        call("CancelTask", json!({ "id": "t" })),
        call("ListTasks", json!({ "contextId": "c", "pageToken": "p", "status": "s" })),
    ] {
        for variant in variants(&call) {
            let answer = ask(&server, "/a2a", "", &variant).await;
            checked(&format!("/a2a {variant}"), answer).await;
        }
    }
}
