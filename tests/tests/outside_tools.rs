//! D8: tools of a real MCP server process, and of one over HTTP, in a session; calls wait for the
//! person's leave.

use std::collections::BTreeMap;
use std::path::PathBuf;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use end_to_end::client::Client;
use end_to_end::server::TestServer;
use end_to_end::tiny_mcp;
use outside::{Outside, ServerConfig, Servers, Transport};
use scene_llm::{AgentConfig, ModelsConfig};
use serde_json::{Value, json};

fn process(ask: bool) -> ServerConfig {
    let command = PathBuf::from(env!("CARGO_BIN_EXE_tiny-mcp"));
    let transport = Transport::Process { command, args: Vec::new(), env: BTreeMap::new() };
    ServerConfig { transport, ask, timeout_seconds: 20 }
}

fn one(name: &str, config: ServerConfig) -> Servers {
    Servers { servers: BTreeMap::from([(name.to_owned(), config)]) }
}

async fn server(config: ServerConfig, responses: Value) -> TestServer {
    let models =
        ModelsConfig { mock_responses: Some(responses.to_string()), ..ModelsConfig::default() };
    let agent = AgentConfig { mcp: Some(one("tiny", config)), ..AgentConfig::default() };
    TestServer::start_with(models, agent).await
}

fn add() -> Value {
    json!([
        { "tool_calls": [{ "name": "tiny_add", "arguments": { "a": 2, "b": 3 } }] },
        "That makes five.",
    ])
}

async fn ask(client: &mut Client) -> Value {
    client.send(json!({ "type": "user_message", "text": "add" })).await;
    client.until("approval_needed").await
}

#[tokio::test]
async fn a_call_that_is_allowed_runs_and_one_that_is_not_says_so() {
    for (allow, success) in [(true, true), (false, false)] {
        let server = server(process(true), add()).await;
        let mut client = server.client().await;
        let asked = ask(&mut client).await;
        assert_eq!(
            (&asked["name"], &asked["args"]),
            (&json!("tiny_add"), &json!({ "a": 2, "b": 3 }))
        );
        // Whoever comes in between learns of the question too.
        let other = server.attach(&format!("session={}", client.session())).await;
        assert_eq!(other.welcome["approvals"][0]["call_id"], asked["call_id"]);
        let answer = json!({ "type": "approve", "call_id": asked["call_id"], "allow": allow });
        client.send(answer).await;
        let finished = client.until("tool_finished").await;
        assert_eq!(finished["response"]["success"], success);
        if allow {
            assert_eq!(finished["response"]["result"]["text"], "5");
        } else {
            let error = finished["response"]["error"].as_str().unwrap();
            assert!(error.contains("did not allow"), "{error}");
        }
        assert_eq!(client.until("run_finished").await["reason"], "completed");
        assert_eq!(client.text(), "That makes five.");
    }
}

#[tokio::test]
async fn a_question_ends_with_its_run_and_an_answer_without_question_is_an_error() {
    let server = server(process(true), add()).await;
    let mut client = server.client().await;
    let asked = ask(&mut client).await;
    client.send(json!({ "type": "cancel" })).await;
    assert_eq!(client.until("run_finished").await["reason"], "cancelled");
    let late = json!({ "type": "approve", "call_id": asked["call_id"], "allow": true,
                       "request_id": "late" });
    client.send(late).await;
    assert_eq!(client.reply("late").await["code"], "bad_message");
    assert!(client.still_there().await);
}

#[tokio::test]
async fn a_trusted_server_is_not_asked_about_and_its_pictures_and_failures_come_through() {
    let responses = json!([
        { "tool_calls": [{ "name": "tiny_picture", "arguments": {} },
                         { "name": "tiny_fail", "arguments": {} }] },
        "Seen.",
    ]);
    let server = server(process(false), responses).await;
    let mut client = server.client().await;
    assert_eq!(client.say("look").await["reason"], "completed");
    let history = server.get(&format!("/api/sessions/{}/history", client.session())).await;
    let parts = &history["contents"][2]["parts"];
    let picture = &parts[0]["functionResponse"]["parts"][0]["inlineData"];
    assert_eq!(picture["mimeType"], "image/png");
    assert_eq!(
        parts[1]["functionResponse"]["response"],
        json!({ "success": false, "error": "no such luck" })
    );
    let log = server.get(&format!("/api/sessions/{}/log", client.session())).await;
    let kinds: Vec<&str> =
        log["entries"].as_array().unwrap().iter().filter_map(|it| it["type"].as_str()).collect();
    let expected = ["user_message", "tool_call", "tool_call", "tool_result", "tool_result"];
    assert_eq!(kinds[..5], expected);
    assert_eq!(kinds[5..], ["agent_response"]);
}

#[tokio::test]
async fn a_server_over_http_gives_its_tools_and_one_that_cannot_be_had_is_named() {
    async fn answer(Json(message): Json<Value>) -> Response {
        match tiny_mcp::answer(&message) {
            Some(answer) => Json(answer).into_response(),
            None => StatusCode::ACCEPTED.into_response(),
        }
    }
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let router = axum::Router::new().route("/mcp", post(answer));
    let http = tokio::spawn(async move { axum::serve(listener, router).await });
    let reach = |url: String| ServerConfig {
        transport: Transport::Http { url, headers: BTreeMap::new() },
        ..process(true)
    };
    let mut servers = one("web", reach(url));
    let nowhere = Transport::Process {
        command: PathBuf::from("/no/such/program"),
        args: Vec::new(),
        env: BTreeMap::new(),
    };
    servers.servers.insert("gone".into(), ServerConfig { transport: nowhere, ..process(true) });
    let (outside, errors) = Outside::connect(&servers).await;
    let names: Vec<&str> = outside.tools().iter().map(|tool| tool.name()).collect();
    assert_eq!(names, ["web_add", "web_picture", "web_fail"]);
    assert!(outside.tools().iter().all(|tool| tool.needs_approval()));
    let output = outside.tools()[0].call(json!({ "a": 1.5, "b": 2 })).await;
    assert_eq!(output.outcome, Ok(json!({ "text": "3.5" })));
    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(errors.len(), 1);
    assert!(errors[0].contains("'gone'") && errors[0].contains("/no/such/program"), "{errors:?}");
    http.abort();
}
