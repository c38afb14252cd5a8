//! Who may use which route and which message. A new one fails here until it says so.

use std::collections::BTreeSet;

use end_to_end::client::Client;
use end_to_end::server::TestServer;
use reqwest::Method;
use secrecy::SecretString;
use serde_json::{Value, json};
use server::{Config, ModelsConfig};

use self::Who::{Editor, Everybody, Looker, Operator, Owner, Worker};

const TOKEN: &str = "open-sesame";

/// Whom a route is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Who {
    Everybody,
    /// Whoever has the operator's token.
    Operator,
    /// Whoever has the session's id or one of its share tokens.
    Looker,
    /// Whoever has its id or a token to edit with.
    Editor,
    /// Whoever has its id.
    Owner,
    /// Whoever has the token of render workers.
    Worker,
}

/// Of what a page shows, which may have a camera of its own.
const SMALL_PICTURE: &str = r#"{"width":16,"height":16,"samples":1,
    "camera":{"center":[0,1,4],"look_at":[0,0,0]},"hidden":["a"]}"#;

/// Method and path as in the description of the API, a query, a body that can be read, whom it is for.
pub(super) const ROUTES: &[(&str, &str, &str, &str, Who)] = &[
    ("get", "/ws", "", "", Operator),
    ("post", "/api/sessions", "", "", Operator),
    ("get", "/api/sessions", "", "", Operator),
    ("post", "/api/sessions/import", "", "{}", Operator),
    ("get", "/api/sessions/{id}", "", "", Looker),
    ("patch", "/api/sessions/{id}", "", r#"{"name":"x"}"#, Editor),
    ("delete", "/api/sessions/{id}", "", "", Owner),
    ("get", "/api/sessions/{id}/assets", "", "", Looker),
    ("post", "/api/sessions/{id}/duplicate", "", "", Operator),
    ("get", "/api/sessions/{id}/export", "", "", Looker),
    ("get", "/api/sessions/{id}/shares", "", "", Owner),
    ("post", "/api/sessions/{id}/shares", "", r#"{"access":"edit"}"#, Owner),
    ("delete", "/api/sessions/{id}/shares/{token}", "", "", Owner),
    ("get", "/api/sessions/{id}/branches", "", "", Looker),
    ("get", "/api/sessions/{id}/diff", "?from=0&to=1", "", Looker),
    ("get", "/api/sessions/{id}/history", "", "", Looker),
    ("get", "/api/sessions/{id}/log", "", "", Looker),
    ("get", "/api/sessions/{id}/events", "?after=0", "", Looker),
    ("get", "/api/sessions/{id}/scene", "", "", Looker),
    ("put", "/api/sessions/{id}/scene", "", r#"{"version":1,"shapes":[]}"#, Editor),
    ("get", "/api/sessions/{id}/scene/export", "?format=glb", "", Looker),
    ("post", "/api/sessions/{id}/scene/import", "?name=a.obj", "v 0 0 0", Editor),
    ("post", "/api/sessions/{id}/messages", "", r#"{"text":"x"}"#, Editor),
    ("get", "/api/sessions/{id}/messages/{message_id}/images/{index}", "", "", Looker),
    ("post", "/api/sessions/{id}/cancel", "", "", Editor),
    ("get", "/api/sessions/{id}/goal", "", "", Looker),
    ("post", "/api/sessions/{id}/goal", "", r#"{"objective":"x"}"#, Editor),
    ("patch", "/api/sessions/{id}/goal", "", "{}", Editor),
    ("post", "/api/sessions/{id}/goal/pause", "", "", Editor),
    ("post", "/api/sessions/{id}/goal/resume", "", "", Editor),
    ("post", "/api/sessions/{id}/goal/cancel", "", "", Editor),
    ("post", "/api/sessions/{id}/goal/choose", "", r#"{"variant": 1}"#, Editor),
    ("get", "/api/sessions/{id}/goal/variants/{number}/picture", "", "", Looker),
    ("get", "/api/sessions/{id}/render", "?width=16&height=16&samples=1", "", Looker),
    ("post", "/api/sessions/{id}/render", "", SMALL_PICTURE, Looker),
    ("get", "/api/sessions/{id}/animation", "?width=16&height=16&samples=1", "", Looker),
    ("get", "/api/sessions/{id}/animation/poses", "", "", Looker),
    ("get", "/api/sessions/{id}/shapes/{shape}/mesh", "", "", Looker),
    ("get", "/api/sessions/{id}/thumbnail", "", "", Looker),
    ("get", "/api/workflows", "", "", Operator),
    ("post", "/api/render", "", "{}", Operator),
    ("get", "/api/workers", "?version=0&fingerprint=0&threads=1", "", Worker),
    ("post", "/api/assets", "", "x", Operator),
    ("post", "/api/assets", "?session={id}", "x", Editor),
    ("get", "/api/assets", "", "", Operator),
    ("get", "/api/assets/{hash}", "", "", Everybody),
    ("get", "/api/objects", "", "", Everybody),
    ("post", "/api/objects", "", "{}", Operator),
    ("post", "/api/objects/import", "", "{}", Operator),
    ("get", "/api/objects/{name}", "", "", Everybody),
    ("patch", "/api/objects/{name}", "", "{}", Operator),
    ("delete", "/api/objects/{name}", "", "", Operator),
    ("get", "/api/objects/{name}/export", "", "", Operator),
    ("get", "/api/objects/{name}/picture", "", "", Everybody),
    ("get", "/api/models", "", "", Operator),
    ("get", "/api/keys", "", "", Operator),
    ("put", "/api/keys/{provider}", "", r#"{"key":"x"}"#, Operator),
    ("delete", "/api/keys/{provider}", "", "", Operator),
    ("get", "/api/agents", "", "", Operator),
    ("get", "/api/mcp", "", "", Operator),
    ("get", "/api/approvals", "", "", Operator),
    ("delete", "/api/approvals", "?server=a&tool=b", "", Operator),
    ("post", "/mcp", "", "{}", Operator),
    ("get", "/mcp", "", "", Operator),
    ("delete", "/mcp", "", "", Operator),
    ("post", "/a2a", "", "{}", Operator),
    ("get", "/.well-known/agent-card.json", "", "", Everybody),
    ("get", "/metrics", "", "", Operator),
    ("get", "/healthz", "", "", Everybody),
    ("get", "/readyz", "", "", Everybody),
    ("get", "/api/openapi.json", "", "", Everybody),
    ("get", "/api/docs", "", "", Everybody),
];

/// A message of each type that a client can send, and whom it is for.
pub(super) fn messages() -> Vec<(Value, Who)> {
    let ball =
        json!({ "id": "a", "type": "sphere", "properties": { "center": [0, 0, 0], "radius": 1 } });
    vec![
        (json!({ "type": "ping" }), Looker),
        (json!({ "type": "pick", "x": 0.5, "y": 0.5 }), Looker),
        (json!({ "type": "view", "width": 64, "height": 64 }), Looker),
        (json!({ "type": "presence", "name": "a guest" }), Looker),
        (json!({ "type": "user_message", "text": "hi" }), Editor),
        (json!({ "type": "select_branch", "branch": 0 }), Editor),
        (json!({ "type": "cancel" }), Editor),
        (json!({ "type": "edit", "calls": [{ "name": "create_shape", "args": ball }] }), Editor),
        (json!({ "type": "undo" }), Editor),
        (json!({ "type": "redo" }), Editor),
        (json!({ "type": "restore", "revision": 0 }), Editor),
        (json!({ "type": "set_bookmarks", "bookmarks": [] }), Editor),
        (json!({ "type": "approve", "call_id": "c", "allow": true }), Editor),
        (json!({ "type": "select_model", "model": "mock" }), Editor),
        (json!({ "type": "start_goal", "objective": "a ball" }), Editor),
        (json!({ "type": "edit_goal" }), Editor),
        (json!({ "type": "pause_goal" }), Editor),
        (json!({ "type": "resume_goal" }), Editor),
        (json!({ "type": "cancel_goal" }), Editor),
        (json!({ "type": "choose_variant", "variant": 1 }), Editor),
    ]
}

/// A server with an operator's token, and the keys of a session with a ball: its id, a token to edit with, and one
/// to look with.
async fn guarded() -> (TestServer, [String; 3]) {
    let models = ModelsConfig { mock_responses: Some("[]".into()), ..ModelsConfig::default() };
    let config = Config { token: Some(SecretString::from(TOKEN)), ..TestServer::config(models) };
    let server = TestServer::of(config).await;
    let made = server.http().post(server.url("/api/sessions")).bearer_auth(TOKEN).send().await;
    let made: Value = made.unwrap().json().await.unwrap();
    let id = made["session_id"].as_str().unwrap().to_owned();
    let mut owner = server.attach(&format!("session={id}")).await;
    owner.send(messages().swap_remove(7).0).await;
    owner.until("scene_changed").await;
    let mut keys = [id.clone(), String::new(), String::new()];
    for (key, access) in keys[1..].iter_mut().zip(["edit", "view"]) {
        let shares = server.url(&format!("/api/sessions/{id}/shares"));
        let body = json!({ "access": access }).to_string();
        let shared = server.http().post(shares).body(body).send().await.unwrap();
        let shared: Value = shared.json().await.unwrap();
        *key = shared["token"].as_str().unwrap().to_owned();
    }
    (server, keys)
}

#[tokio::test]
async fn every_route_says_whom_it_is_for() {
    let (server, _) = guarded().await;
    let document = server.get("/api/openapi.json").await;
    let mut described = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            if ["get", "put", "post", "patch", "delete"].contains(&method.as_str()) {
                described.insert((method.clone(), path.clone()));
            }
        }
    }
    let listed: BTreeSet<_> = ROUTES
        .iter()
        .map(|(method, path, ..)| ((*method).to_owned(), (*path).to_owned()))
        .collect();
    let difference: Vec<_> = described.symmetric_difference(&listed).collect();
    assert!(difference.is_empty(), "say in ROUTES whom these are for: {difference:?}");
}

/// The status and the text of a request to a route with this key in place of the session.
async fn ask(server: &TestServer, route: (&str, &str, &str, &str), key: &str) -> (u16, String) {
    let (method, path, query, body) = route;
    let path = path
        .replace("{id}", key)
        .replace("{shape}", "a")
        .replace("{index}", "0")
        .replace("{number}", "1");
    let path: String = path
        .split('/')
        .map(|part| if part.starts_with('{') { "unknown" } else { part })
        .collect::<Vec<_>>()
        .join("/");
    let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
    let query = query.replace("{id}", key);
    let request = server.http().request(method, server.url(&format!("{path}{query}")));
    let answer = request.body(body.to_owned()).send().await.unwrap();
    let status = answer.status().as_u16();
    // Of pictures nothing is read.
    (status, String::from_utf8_lossy(&answer.bytes().await.unwrap()).into_owned())
}

#[tokio::test]
async fn a_route_gives_nobody_more_than_it_is_for() {
    let (server, [id, edit, view]) = guarded().await;
    for (method, path, query, body, who) in ROUTES {
        let route = (*method, *path, *query, *body);
        let name = format!("{method} {path} for {who:?}");
        let (status, text) = ask(&server, route, &view).await;
        match who {
            Operator => assert_eq!(status, 401, "{name}: {text}"),
            Editor | Owner | Worker => assert_eq!(status, 403, "{name}: {text}"),
            Everybody | Looker => assert!(![401, 403].contains(&status), "{name}: {status} {text}"),
        }
        assert!(!text.contains(&id), "{name}: the id is revealed to who may only look: {text}");
        if [Editor, Owner].contains(who) {
            let (status, text) = ask(&server, route, &edit).await;
            assert_eq!(status == 403, *who == Owner, "{name}: {status} {text}");
            assert!(!text.contains(&id), "{name}: the id is revealed: {text}");
        }
        if [Looker, Editor, Owner].contains(who) {
            let (status, text) = ask(&server, route, "nobody-has-this").await;
            assert_eq!(status, 404, "{name}: {text}");
        }
    }
    // The operator's token grants no session, whatever it is sent with.
    let scene = server.url("/api/sessions/nobody-has-this/scene");
    let answer = server.http().get(scene).bearer_auth(TOKEN).send().await.unwrap();
    assert_eq!(answer.status(), 404);
}

#[tokio::test]
async fn every_message_says_whom_it_is_for_and_a_token_gets_no_more() {
    let schema: Value =
        serde_json::from_str(include_str!("../../../docs/protocol.schema.json")).unwrap();
    let kinds = schema["$defs"]["ClientMessage"]["oneOf"].as_array().unwrap().iter();
    let described: BTreeSet<_> =
        kinds.map(|kind| kind["properties"]["type"]["const"].as_str().unwrap()).collect();
    let messages = messages();
    let listed: BTreeSet<_> =
        messages.iter().map(|(message, _)| message["type"].as_str().unwrap()).collect();
    let difference: Vec<_> = described.symmetric_difference(&listed).collect();
    assert!(difference.is_empty(), "say in messages() whom these are for: {difference:?}");

    let (server, [id, _, view]) = guarded().await;
    let before = server.get(&format!("/api/sessions/{id}")).await;
    let mut guest: Client = server.attach(&format!("session={view}")).await;
    assert!(!guest.welcome.to_string().contains(&id), "the id is revealed: {}", guest.welcome);
    for (mut message, who) in messages {
        message["request_id"] = "r".into();
        guest.send(message.clone()).await;
        if who == Editor {
            assert_eq!(guest.reply("r").await["code"], "read_only", "{message}");
        } else {
            // What has no answer of its own is followed by one that has.
            guest.send(json!({ "type": "ping", "request_id": "last" })).await;
            let is_answer =
                |answer: &Value| answer["request_id"] == "last" || answer["type"] == "error";
            assert_eq!(guest.until_that(is_answer).await["type"], "pong", "{message}");
        }
    }
    assert_eq!(server.get(&format!("/api/sessions/{id}")).await, before, "nothing has changed");
}
