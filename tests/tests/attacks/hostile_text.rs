//! Text that is to be taken for something else: control characters, terminal escapes, invisible characters, those
//! that turn the direction of text, HTML.

use end_to_end::server::TestServer;
use reqwest::Method;
use serde_json::{Value, json};

/// Each with what people would be shown.
const HOSTILE: [&str; 6] = [
    "a\u{1b}]0;owned\u{7}b",
    "a\u{1b}[2J\u{1b}[31mb",
    "gpj\u{202e}exe.b",
    "a\u{200b}\u{2060}b",
    "a\r\nSet-Cookie: owned=1\r\n\r\nb",
    "a\u{0}b\u{2066}c",
];

/// Whether a text has what a page, a log or a terminal must not show as it is.
fn is_hostile(text: &str) -> bool {
    text.chars().any(|letter| {
        (letter.is_control() && letter != '\n' && letter != '\t')
            || matches!(letter, '\u{200b}' | '\u{2060}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    })
}

/// All texts in a value.
fn texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            found.push(name.clone());
            texts(value, found);
        }),
        _ => {}
    }
}

pub(super) fn check(what: &str, value: &Value) {
    let mut found = Vec::new();
    texts(value, &mut found);
    let hostile = found.iter().find(|text| is_hostile(text));
    assert!(hostile.is_none(), "{what}: {hostile:?}");
}

async fn ask(server: &TestServer, method: Method, path: &str, body: String) -> reqwest::Response {
    server.http().request(method, server.url(path)).body(body).send().await.unwrap()
}

#[tokio::test]
async fn names_are_shown_without_what_deceives() {
    let server = TestServer::with_mock(&json!([])).await;
    let mut client = server.client().await;
    let session = format!("/api/sessions/{}", client.session());
    for name in HOSTILE {
        let body = json!({ "name": name }).to_string();
        let renamed = ask(&server, Method::PATCH, &session, body).await.status().as_u16();
        assert!([200, 422].contains(&renamed), "{name:?}: {renamed}");
        check("the list of sessions", &server.get("/api/sessions").await);
        check("a session", &server.get(&session).await);
        let file = ask(&server, Method::GET, &format!("{session}/export"), String::new()).await;
        let header = file.headers()["content-disposition"].to_str().unwrap().to_owned();
        assert!(!is_hostile(&header) && header.is_ascii(), "{header}");

        client.send(json!({ "type": "presence", "name": name, "request_id": "p" })).await;
        let is_answer =
            |message: &Value| message["type"] == "presence" || message["type"] == "error";
        check("the people", &client.until_that(is_answer).await);

        let query = percent(name);
        let mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n".to_owned();
        let path = format!("/api/assets?name={query}.obj");
        let stored = ask(&server, Method::POST, &path, mesh).await.status().as_u16();
        assert!((200..500).contains(&stored), "{name:?}: {stored}");
        check("the list of assets", &server.get("/api/assets").await);
    }
}

pub(super) fn percent(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02x}")).collect()
}

#[tokio::test]
async fn ids_that_deceive_are_refused_and_told_without_deceiving() {
    let server = TestServer::with_mock(&json!([])).await;
    let mut client = server.client().await;
    for id in HOSTILE {
        let args = json!({ "id": id, "type": "sphere", "properties": { "center": [0, 0, 0], "radius": 1 } });
        let call = json!({ "name": "create_shape", "args": args });
        client.send(json!({ "type": "edit", "calls": [call], "request_id": "e" })).await;
        let refused = client.reply("e").await;
        assert_eq!(refused["code"], "invalid_edit", "{id:?}: {refused}");
        check("a refused id", &refused);
        // Who asks for it by HTTP is told without it, too.
        let path = format!("/api/sessions/{}", percent(id));
        let unknown = ask(&server, Method::GET, &path, String::new()).await;
        assert_eq!(unknown.status(), 404, "{id:?}");
        check("an unknown session", &unknown.json().await.unwrap());
    }
    let scene = server.get(&format!("/api/sessions/{}/scene", client.session())).await;
    assert_eq!(scene["shapes"], json!([]));
}

#[tokio::test]
async fn what_clients_made_is_never_served_as_a_page() {
    let server = TestServer::with_mock(&json!([])).await;
    let client = server.client().await;
    let script = "<script>alert(1)</script>";
    let session = format!("/api/sessions/{}", client.session());
    ask(&server, Method::PATCH, &session, json!({ "name": script }).to_string()).await;
    let hostile = percent(script);
    for path in [
        session.clone(),
        format!("{session}/export"),
        format!("{session}/log"),
        format!("/api/sessions/{hostile}"),
        format!("/api/objects?query={hostile}"),
        format!("/api/objects/{hostile}"),
        format!("/api/assets/{hostile}"),
        format!("/{hostile}"),
    ] {
        let answer = ask(&server, Method::GET, &path, String::new()).await;
        let header = |name: &str| {
            let value = answer.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
            value.unwrap_or_default()
        };
        assert_eq!(header("x-content-type-options"), "nosniff", "{path}");
        let is_page = header("content-type").starts_with("text/html");
        let policy = header("content-security-policy");
        let text = answer.text().await.unwrap();
        assert!(!is_page || !text.contains(script), "{path}: {text}");
        assert!(!is_page || policy.contains("script-src"), "{path}: {policy}");
    }
}
