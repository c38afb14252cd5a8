//! MCP and A2A over any of several servers, whichever has the session open; and whose limits count there.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::Path;
use std::time::Duration;

use end_to_end::client::Client;
use end_to_end::process::ServerProcess;
use reqwest::{Method, Response};
use serde_json::{Value, json};
use tempfile::TempDir;
use test_postgres::TestPostgres;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

const PROGRAM: &str = env!("CARGO_BIN_EXE_scene-llm");
/// Far more than anything here takes.
const PATIENCE: Duration = Duration::from_secs(60);
const NEWEST: &str = "2026-07-28";
const CONNECTION: &str = "mcp-session-id";

/// Servers on one database, and the directory that they share.
struct Servers {
    all: Vec<ServerProcess>,
    _directory: TempDir,
}

async fn servers(environment: &[(&str, &str)]) -> Servers {
    let url = TestPostgres::shared().database();
    let directory = tempfile::tempdir().unwrap();
    let mut all = Vec::new();
    for _ in 0..3 {
        let program = Path::new(PROGRAM);
        let starting =
            ServerProcess::start_with(program, directory.path(), Some(&url), None, environment);
        all.push(starting.await);
    }
    Servers { all, _directory: directory }
}

/// The messages of an answer: one, or those of a stream that has ended.
async fn messages(answer: Response) -> Vec<Value> {
    let text = timeout(PATIENCE, answer.text()).await.unwrap().unwrap();
    if let Ok(one) = serde_json::from_str(&text) {
        return vec![one];
    }
    let data = text.lines().filter_map(|line| line.strip_prefix("data:"));
    data.filter_map(|data| serde_json::from_str(data.trim()).ok()).collect()
}

/// A client of MCP that begins with a handshake, and sends each request to the server that it is told.
struct Connection {
    id: String,
}

impl Connection {
    async fn begin(server: &ServerProcess) -> Self {
        let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": { "name": "x", "version": "1" } });
        let answer = post_mcp(server, &request("initialize", &hello), &[]).await;
        assert_eq!(answer.status(), 200);
        let id = answer.headers()[CONNECTION].to_str().unwrap().to_owned();
        Self { id }
    }

    async fn send(&self, server: &ServerProcess, body: &Value) -> Response {
        let headers = [(CONNECTION, &*self.id), ("mcp-protocol-version", "2025-06-18")];
        post_mcp(server, body, &headers).await
    }

    /// The result of a call, with what was told before it.
    async fn call(&self, server: &ServerProcess, tool: &str, args: Value) -> (Value, Vec<Value>) {
        let params = json!({ "name": tool, "arguments": args, "_meta": { "progressToken": 7 } });
        let mut all = messages(self.send(server, &request("tools/call", &params)).await).await;
        let last = all.pop().unwrap();
        assert!(last["id"] == 1 && last["error"].is_null(), "{last}");
        (last["result"]["structuredContent"].clone(), all)
    }

    /// The stream of what happens without a request.
    async fn listen(&self, server: &ServerProcess) -> Response {
        let listening = server
            .http()
            .get(server.url("/mcp"))
            .header("accept", "text/event-stream")
            .header(CONNECTION, &self.id)
            .send();
        let answer = listening.await.unwrap();
        assert_eq!(answer.status(), 200);
        answer
    }
}

fn request(method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })
}

async fn post_mcp(server: &ServerProcess, body: &Value, headers: &[(&str, &str)]) -> Response {
    let mut sending = server.http().request(Method::POST, server.url("/mcp"));
    sending = sending.header("accept", "application/json, text/event-stream");
    for (name, value) in headers {
        sending = sending.header(*name, *value);
    }
    timeout(PATIENCE, sending.json(body).send()).await.unwrap().unwrap()
}

/// The answer to a request of the protocol without connections.
async fn ask(server: &ServerProcess, method: &str, name: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": NEWEST,
        "io.modelcontextprotocol/clientInfo": { "name": "x", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let headers = [("mcp-protocol-version", NEWEST), ("mcp-method", method), ("mcp-name", name)];
    let answer = post_mcp(server, &request(method, &params), &headers).await;
    messages(answer).await.pop().unwrap()
}

fn ball(id: &str) -> Value {
    json!({ "id": id, "type": "sphere", "properties": { "center": [0, 1, 0], "radius": 1 } })
}

/// Waits until a stream tells that a resource has changed.
async fn until_changed(stream: &mut Response, uri: &str) {
    let mut text = String::new();
    let told = async {
        while !(text.contains("notifications/resources/updated") && text.contains(uri)) {
            let chunk = stream.chunk().await.unwrap().unwrap();
            text += &String::from_utf8_lossy(&chunk);
        }
    };
    timeout(PATIENCE, told).await.unwrap();
}

fn shapes(scene: &Value) -> Vec<&str> {
    let shapes = scene["shapes"].as_array().unwrap();
    shapes.iter().map(|shape| shape["id"].as_str().unwrap()).collect()
}

async fn shapes_at(server: &ServerProcess, session: &str) -> Value {
    server.get(&format!("/api/sessions/{session}/scene")).await
}

#[tokio::test(flavor = "multi_thread")]
async fn mcp_works_through_any_server() {
    let mut servers = servers(&[]).await;
    let [one, two, three] = &servers.all[..] else { unreachable!() };
    // The connection is in the first one, and used over all.
    let connection = Connection::begin(one).await;
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert_eq!(connection.send(two, &ready).await.status(), 202);
    let (new, _) = connection.call(three, "new_session", json!({ "name": "mine" })).await;
    let session = new["session"].as_str().unwrap().to_owned();
    let (made, _) = connection.call(two, "create_shape", ball("first")).await;
    assert_eq!((&made["success"], &made["session"]), (&json!(true), &json!(session)));
    // So is the session, also without a connection.
    let mut args = ball("second");
    args["session"] = json!(session);
    let call = json!({ "name": "create_shape", "arguments": args });
    let made = ask(three, "tools/call", "create_shape", call).await;
    assert_eq!(made["result"]["structuredContent"]["success"], true, "{made}");
    let uri = format!("scene-llm://sessions/{session}/scene");
    let read = ask(two, "resources/read", &uri, json!({ "uri": uri })).await;
    let scene = read["result"]["contents"][0]["text"].as_str().unwrap_or_else(|| panic!("{read}"));
    assert_eq!(shapes(&serde_json::from_str(scene).unwrap()), ["first", "second"]);
    // What is wrong is told in the same words.
    let mut args = ball("second");
    args["session"] = json!(session);
    let call = json!({ "name": "create_shape", "arguments": args });
    let here = ask(one, "tools/call", "create_shape", call.clone()).await;
    let there = ask(two, "tools/call", "create_shape", call).await;
    assert_eq!(here["result"]["isError"], true, "{here}");
    assert_eq!(there, here);

    // The session is on the second one, the connection on the first one, the client at the third one.
    let mut person = two.attach("").await;
    let other = person.session();
    let said = json!({ "session": other, "text": "add a blue box" });
    let (done, told) = connection.call(three, "send_message", said).await;
    assert_eq!(done["result"]["reason"], "completed", "{done}");
    assert!(told.iter().any(|one| one["params"]["progressToken"] == 7), "{told:?}");
    person.until("run_finished").await;
    let uri = format!("scene-llm://sessions/{other}/scene");
    let mut stream = connection.listen(three).await;
    let subscribe = request("resources/subscribe", &json!({ "uri": uri }));
    assert_eq!(connection.send(three, &subscribe).await.status(), 200);
    // A change before the second one listens would not be told, so it tells when it does.
    until_changed(&mut stream, &uri).await;
    edit(&mut person, "watched").await;
    until_changed(&mut stream, &uri).await;

    // The one that has the session dies: calls and the stream go on with the next one.
    let two = servers.all.remove(1);
    two.kill().await;
    let [one, three] = &servers.all[..] else { unreachable!() };
    let mut args = ball("after");
    args["session"] = json!(other);
    let (made, _) = connection.call(three, "create_shape", args).await;
    assert_eq!(made["success"], true, "{made}");
    until_changed(&mut stream, &uri).await;
    assert!(shapes(&shapes_at(three, &other).await).ends_with(&["watched", "after"]));
    // The one that has the connection dies: the client is told to begin again, and its session is still there.
    let metrics = one.http().get(one.url("/metrics")).send().await.unwrap().text().await.unwrap();
    assert!(metrics.contains("\nscene_llm_forwarded_requests_total "), "{metrics}");
    let one = servers.all.remove(0);
    one.kill().await;
    let three = &servers.all[0];
    let ping = request("ping", &json!({}));
    let until_known = async {
        loop {
            let answer = connection.send(three, &ping).await;
            match answer.status().as_u16() {
                404 => return answer.text().await.unwrap(),
                // Its end is not known yet.
                status => assert_eq!(status, 503),
            }
        }
    };
    let said = timeout(PATIENCE, until_known).await.unwrap();
    assert!(said.contains("begin again with 'initialize'"), "{said}");
    let connection = Connection::begin(three).await;
    assert_eq!(connection.send(three, &ready).await.status(), 202);
    let (state, _) = connection.call(three, "get_scene_state", json!({ "session": session })).await;
    assert_eq!(state["success"], true, "{state}");
}

async fn edit(client: &mut Client, id: &str) {
    let calls = json!([{ "name": "create_shape", "args": ball(id) }]);
    client.send(json!({ "type": "edit", "request_id": id, "calls": calls })).await;
    client.until("scene_changed").await;
}

async fn a2a(server: &ServerProcess, method: &str, params: Value) -> Vec<Value> {
    let sending = server
        .http()
        .post(server.url("/a2a"))
        .header("a2a-version", "1.0")
        .json(&request(method, &params))
        .send();
    messages(timeout(PATIENCE, sending).await.unwrap().unwrap()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a2a_works_through_any_server() {
    let mut servers = servers(&[]).await;
    let [one, two, three] = &servers.all[..] else { unreachable!() };
    let says = |text: &str, context: &str| {
        json!({ "message": { "messageId": "m", "role": "ROLE_USER", "contextId": context,
            "parts": [{ "text": text }] } })
    };
    let done = a2a(one, "SendMessage", says("add a red ball", "")).await.remove(0);
    let task = &done["result"]["task"];
    assert_eq!(task["status"]["state"], "TASK_STATE_COMPLETED", "{done}");
    let context = task["contextId"].as_str().unwrap();
    // A socket keeps the session where it is.
    let person = one.attach(&format!("session={context}")).await;
    let read = a2a(two, "GetTask", json!({ "id": task["id"] })).await.remove(0);
    assert_eq!(read["result"]["id"], task["id"], "{read}");
    let told = a2a(three, "SendStreamingMessage", says("add a blue box", context)).await;
    assert!(told.len() > 1, "{told:?}");
    assert!(told[0]["result"]["task"]["contextId"] == context, "{told:?}");
    let last = told.last().unwrap();
    assert_eq!(last["result"]["statusUpdate"]["status"]["state"], "TASK_STATE_COMPLETED", "{last}");
    for params in [json!({ "contextId": context }), json!({})] {
        let listed = a2a(two, "ListTasks", params).await.remove(0);
        assert_eq!(listed["result"]["totalSize"], 2, "{listed}");
    }
    let refused = a2a(three, "CancelTask", json!({ "id": task["id"] })).await.remove(0);
    assert_eq!(refused["error"]["code"], -32_002, "{refused}");
    let events = two.events(context).await;
    let said = events.iter().filter(|event| event["type"] == "user_message");
    assert_eq!(said.count(), 2);

    let one = servers.all.remove(0);
    one.kill().await;
    drop(person);
    let done = a2a(&servers.all[1], "SendMessage", says("remove the box", context)).await.remove(0);
    assert_eq!(done["result"]["task"]["status"]["state"], "TASK_STATE_COMPLETED", "{done}");
}

/// A WebSocket of a client at this address, and the first line of the answer.
async fn socket(server: &ServerProcess, from: &str, session: &str) -> (TcpStream, String) {
    let to = server.url("").replace("http://", "");
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(format!("{from}:0").parse().unwrap()).unwrap();
    let mut stream = socket.connect(to.parse().unwrap()).await.unwrap();
    let head = format!(
        "GET /ws?session={session} HTTP/1.1\r\nHost: {to}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = vec![0; 2048];
    let count = timeout(PATIENCE, stream.read(&mut answer)).await.unwrap().unwrap();
    let answer = String::from_utf8_lossy(&answer[..count]);
    (stream, answer.lines().next().unwrap_or_default().to_owned())
}

/// Of a request that is sent on, the owner counts the client and not the server in between.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn limits_of_an_address_count_clients_behind_other_servers() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("config.toml");
    std::fs::write(&file, "max_connections_per_address = 4\n").unwrap();
    let servers = servers(&[("SCENE_LLM_CONFIG", file.to_str().unwrap())]).await;
    let [one, two, three] = &servers.all[..] else { unreachable!() };
    let answer = one.http().post(one.url("/api/sessions")).send().await.unwrap();
    let created: Value = answer.json().await.unwrap();
    let session = created["session_id"].as_str().unwrap_or_else(|| panic!("{created}"));
    // It stays where it is.
    let (_stays, line) = socket(one, "127.0.0.9", session).await;
    assert!(line.contains("101"), "{line}");
    let mut open = Vec::new();
    // Each server between has two of each client's, the owner all four, and twelve that these two servers bring.
    for client in 2..5 {
        let from = format!("127.0.0.{client}");
        for through in [two, three, two, three] {
            let (stream, line) = socket(through, &from, session).await;
            assert!(line.contains("101"), "{from}: {line}");
            open.push(stream);
        }
    }
    // The fifth is too many at the owner, and only there.
    let (_, line) = socket(two, "127.0.0.2", session).await;
    assert!(line.contains("429"), "{line}");
    let (_stream, line) = socket(three, "127.0.0.5", session).await;
    assert!(line.contains("101"), "{line}");

    // Only a server may say whose a request is.
    let pretending = one
        .http()
        .get(one.url("/api/sessions"))
        .header("x-scene-llm-forwarded", "1")
        .header("x-scene-llm-client", "10.0.0.1")
        .send();
    assert_eq!(pretending.await.unwrap().status(), 403);
    let pretending =
        one.http().get(one.url("/healthz")).header("x-scene-llm-client", "10.0.0.1").send();
    assert_eq!(pretending.await.unwrap().status(), 200);
}
