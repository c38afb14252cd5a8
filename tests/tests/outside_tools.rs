//! D8: tools of MCP servers in a session: approved by the user, for once, for the session or for
//! good; kept the same for a run; stopped with it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use end_to_end::client::Client;
use end_to_end::server::TestServer;
use mcp_client::{Ask, ServerConfig, ServerPhase, Servers, Transport};
use serde_json::{Value, json};
use server::{AgentConfig, ModelsConfig};

/// The tiny server of `tests/mcp`, as a process.
pub(crate) fn tiny(ask: Ask) -> AgentConfig {
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("mcp/tiny.mjs");
    let transport = Transport::Process {
        command: "node".into(),
        args: vec![script.to_string_lossy().into_owned()],
        env: BTreeMap::new(),
        cwd: None,
    };
    let config = ServerConfig { ask, ..ServerConfig::new(transport) };
    let servers = BTreeMap::from([("tiny".to_owned(), config)]);
    AgentConfig { mcp: Servers { servers, ..Servers::default() }, ..AgentConfig::default() }
}

fn scripted(responses: &Value) -> ModelsConfig {
    ModelsConfig { mock_responses: Some(responses.to_string()), ..ModelsConfig::default() }
}

async fn connected(server: &TestServer) {
    let all = |servers: &[mcp_client::ServerStatus]| {
        servers.iter().all(|server| server.state == ServerPhase::Connected)
    };
    server.mcp().until(all).await;
}

async fn server(ask: Ask, responses: Value) -> TestServer {
    let server = TestServer::start_with(scripted(&responses), tiny(ask)).await;
    connected(&server).await;
    server
}

async fn server_in(directory: &Path, responses: &Value) -> TestServer {
    let server =
        TestServer::start_agent_in(scripted(responses), tiny(Ask::Always), directory).await;
    connected(&server).await;
    server
}

fn calls(names: &[&str]) -> Value {
    let call = |name: &&str| json!({ "name": name, "arguments": { "a": 2, "b": 3 } });
    json!({ "tool_calls": names.iter().map(call).collect::<Vec<_>>() })
}

fn add() -> Value {
    json!([calls(&["tiny_add"]), "That makes five."])
}

async fn ask(client: &mut Client) -> Value {
    client.send(json!({ "type": "user_message", "text": "add" })).await;
    client.until("approval_needed").await
}

fn approve(asked: &Value, remember: &str) -> Value {
    json!({ "type": "approve", "call_id": asked["call_id"], "allow": true, "remember": remember })
}

/// Says something; whether the run asked for approval, which is refused.
async fn asks(client: &mut Client) -> bool {
    client.send(json!({ "type": "user_message", "text": "add" })).await;
    let mut asked = false;
    loop {
        let message = client.next().await;
        match message["type"].as_str() {
            Some("approval_needed") => {
                asked = true;
                let call_id = &message["call_id"];
                client.send(json!({ "type": "approve", "call_id": call_id, "allow": false })).await;
            }
            Some("run_finished") => return asked,
            _ => {}
        }
    }
}

#[tokio::test]
async fn a_call_that_is_allowed_runs_and_one_that_is_not_says_so() {
    for (allow, success) in [(true, true), (false, false)] {
        let server = server(Ask::Always, add()).await;
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
    let server = server(Ask::Always, add()).await;
    let mut client = server.client().await;
    let asked = ask(&mut client).await;
    client.send(json!({ "type": "cancel" })).await;
    assert_eq!(client.until("run_finished").await["reason"], "cancelled");
    let late = json!({ "type": "approve", "call_id": asked["call_id"], "allow": true,
                       "remember": "always", "request_id": "late" });
    client.send(late).await;
    assert_eq!(client.reply("late").await["code"], "bad_message");
    let approvals = server.get("/api/approvals").await;
    assert_eq!(approvals, json!({ "always": [] }));
    assert!(client.still_there().await);
}

#[tokio::test]
async fn a_trusted_server_is_not_asked_about_and_its_pictures_and_failures_come_through() {
    let responses = json!([calls(&["tiny_picture", "tiny_fail"]), "Seen."]);
    let server = server(Ask::Never, responses).await;
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
async fn an_approval_for_the_session_answers_all_that_wait_and_outlives_the_server() {
    let directory = tempfile::tempdir().unwrap();
    let twice = json!([
        calls(&["tiny_picture", "tiny_picture"]),
        "Seen.",
        calls(&["tiny_picture"]),
        "Again.",
        calls(&["tiny_fail"]),
        "No."
    ]);
    let server = server_in(directory.path(), &twice).await;
    let mut client = server.client().await;
    // Both read, so both wait at the same time; one answer is for both.
    ask(&mut client).await;
    let asked = client.until("approval_needed").await;
    client.send(approve(&asked, "session")).await;
    for _ in 0..2 {
        assert_eq!(client.until("tool_finished").await["response"]["success"], true);
    }
    client.until("run_finished").await;
    assert!(!asks(&mut client).await);
    // Another tool is another question.
    assert!(asks(&mut client).await);
    let session = client.session().to_owned();
    // A copy, and a file that is imported, are other sessions.
    let http = server.http();
    let copy = http.post(server.url(&format!("/api/sessions/{session}/duplicate"))).send().await;
    let copy: Value = copy.unwrap().json().await.unwrap();
    let file = http.get(server.url(&format!("/api/sessions/{session}/export"))).send().await;
    let file = file.unwrap().bytes().await.unwrap();
    assert!(String::from_utf8_lossy(&file).contains("approved"));
    let import = http.post(server.url("/api/sessions/import")).body(file).send().await;
    let import: Value = import.unwrap().json().await.unwrap();
    drop(client);
    server.stop().await;
    let once = json!([calls(&["tiny_picture"]), "Seen."]);
    let server = server_in(directory.path(), &once).await;
    let mut client = server.attach(&format!("session={session}")).await;
    assert!(!asks(&mut client).await);
    for other in [&copy["session_id"], &import["session_id"]] {
        let other = other.as_str().unwrap();
        let mut client = server.attach(&format!("session={other}")).await;
        assert!(asks(&mut client).await);
    }
}

#[tokio::test]
async fn an_approval_for_good_is_listed_outlives_the_server_and_can_be_taken_back() {
    let directory = tempfile::tempdir().unwrap();
    let server = server_in(directory.path(), &add()).await;
    let mut client = server.client().await;
    assert_eq!(client.welcome["limits"]["standing_approvals"], true);
    let asked = ask(&mut client).await;
    client.send(approve(&asked, "always")).await;
    client.until("run_finished").await;
    let mut other = server.client().await;
    assert!(!asks(&mut other).await);
    drop((client, other));
    server.stop().await;
    let server = server_in(directory.path(), &add()).await;
    let listed = server.get("/api/approvals").await;
    assert_eq!(listed, json!({ "always": [{ "server": "tiny", "tool": "add" }] }));
    assert!(!asks(&mut server.client().await).await);
    let url = server.url("/api/approvals?server=tiny&tool=add");
    for status in [204, 404] {
        assert_eq!(server.http().delete(&url).send().await.unwrap().status(), status);
    }
    assert!(asks(&mut server.client().await).await);
}

#[tokio::test]
async fn a_run_that_is_stopped_does_not_wait_for_a_tool_of_another_server() {
    let responses = json!([calls(&["tiny_slow"]), calls(&["tiny_cancelled"]), "Done."]);
    let server = server(Ask::Never, responses).await;
    let mut client = server.client().await;
    client.send(json!({ "type": "user_message", "text": "wait" })).await;
    client.until("tool_started").await;
    client.send(json!({ "type": "cancel" })).await;
    let finished = client.until("tool_finished").await;
    let error = finished["response"]["error"].as_str().unwrap();
    assert!(error.contains("the user stopped the run"), "{error}");
    assert_eq!(client.until("run_finished").await["reason"], "cancelled");
    // The history is one that the next run goes on with.
    assert_eq!(client.say("go on").await["reason"], "completed");
}

/// What a call did is known, also when the server stops while it runs.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stops_lets_a_running_tool_end() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("there");
    let call = json!({ "name": "tiny_until", "arguments": { "path": file.to_str().unwrap() } });
    let models = scripted(&json!([{ "tool_calls": [call] }, "It is there."]));
    let data = directory.path().join("data");
    let server = TestServer::start_agent_in(models.clone(), tiny(Ask::Never), &data).await;
    connected(&server).await;
    let mut client = server.client().await;
    let session = client.session();
    client.send(json!({ "type": "user_message", "text": "wait" })).await;
    client.until("tool_started").await;
    let stopped = tokio::spawn(server.stop());
    assert_eq!(client.close_code().await, 1001);
    std::fs::write(&file, "").unwrap();
    stopped.await.unwrap();
    let server = TestServer::start_in(models, &data).await;
    let events = server.get(&format!("/api/sessions/{session}/events?after=0")).await;
    let events = events["events"].as_array().unwrap();
    let finished = events.iter().find(|event| event["type"] == "tool_finished").unwrap();
    assert_eq!(finished["response"]["result"]["text"], "it is there", "{finished}");
    // Whether the model still answers before the run is stopped does not matter.
    assert_eq!(events.last().unwrap()["type"], "run_finished");
}

#[tokio::test]
async fn a_changed_list_counts_from_the_next_run_on() {
    let responses = json!([
        calls(&["tiny_more"]),
        calls(&["tiny_extra"]),
        "Not yet.",
        calls(&["tiny_extra"]),
        "Now."
    ]);
    let server = server(Ask::Never, responses).await;
    let mut client = server.client().await;
    client.say("more").await;
    let results = |client: &Client| -> Vec<Value> {
        let finished = client.events.iter().filter(|event| event["type"] == "tool_finished");
        finished.map(|event| event["response"].clone()).collect()
    };
    let error = results(&client)[1]["error"].as_str().unwrap().to_owned();
    assert!(error.contains("there is no tool 'tiny_extra'"), "{error}");
    let has_extra = |servers: &[mcp_client::ServerStatus]| {
        servers.iter().any(|server| server.tools.contains(&"extra".to_owned()))
    };
    server.mcp().until(has_extra).await;
    client.say("again").await;
    // The server knows it by now, and has its own opinion of it.
    assert_eq!(results(&client)[2]["error"], "no such luck");
    let status = server.get("/api/mcp").await;
    assert_eq!(status["servers"][0]["name"], "tiny");
    assert_eq!(status["servers"][0]["state"], "connected");
}

#[tokio::test]
async fn what_a_tool_does_meanwhile_is_told_with_its_call() {
    let server = server(Ask::Never, json!([calls(&["tiny_steps"]), "Done."])).await;
    let mut client = server.client().await;
    client.send(json!({ "type": "user_message", "text": "read" })).await;
    let started = client.until("tool_started").await;
    let note = client.until_that(|message| message.get("note").is_some()).await;
    assert_eq!((&note["type"], &note["call_id"]), (&json!("progress"), &started["call_id"]));
    assert!(note["note"].as_str().unwrap().starts_with("reads the files ("), "{note}");
    let target = format!("tiny_steps: {}", note["note"].as_str().unwrap());
    assert_eq!((&note["target"], note.get("seq")), (&json!(target), None));
    client.send(json!({ "type": "cancel" })).await;
    assert_eq!(client.until("run_finished").await["reason"], "cancelled");
}
