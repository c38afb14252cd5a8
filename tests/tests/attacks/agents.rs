//! Agents of others, over MCP and A2A: they have the share of the address they come from.

use std::net::Ipv4Addr;

use end_to_end::server::TestServer;
use serde_json::{Value, json};
use server::{Config, ModelsConfig, SharedLimits};

fn call(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })
}

/// A client that comes from this address of the machine.
fn client_at(address: [u8; 4]) -> reqwest::Client {
    let builder = llm::http_client_builder().no_proxy();
    builder.local_address(std::net::IpAddr::from(Ipv4Addr::from(address))).build().unwrap()
}

async fn ask(
    server: &TestServer,
    client: &reqwest::Client,
    connection: Option<&str>,
    body: &Value,
) -> reqwest::Response {
    let request = client.post(server.url("/mcp")).body(body.to_string());
    let request = request
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream");
    let request = match connection {
        Some(connection) => request.header("mcp-session-id", connection),
        None => request,
    };
    request.send().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_leaves_connections_over_mcp_to_others() {
    /// What one address may have.
    const MAX_CONNECTIONS: usize = 750;
    let server = TestServer::with_mock(&json!([])).await;
    let (greedy, other) = (client_at([127, 0, 0, 1]), client_at([127, 0, 0, 2]));
    let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": { "name": "x", "version": "1" } });
    let hello = call("initialize", hello);
    let mut first = None;
    for _ in 0..MAX_CONNECTIONS {
        let begun = ask(&server, &greedy, None, &hello).await;
        assert_eq!(begun.status(), 200);
        let id = begun.headers()["mcp-session-id"].to_str().unwrap().to_owned();
        first.get_or_insert(id);
    }
    let refused = ask(&server, &greedy, None, &hello).await;
    assert_eq!(refused.status(), 429);
    assert!(refused.headers().contains_key("retry-after"));
    assert!(refused.text().await.unwrap().contains("750 MCP connections"));
    assert_eq!(ask(&server, &other, None, &hello).await.status(), 200);
    // One that is closed makes room.
    let close = greedy.delete(server.url("/mcp")).header("mcp-session-id", first.unwrap());
    assert!(close.send().await.unwrap().status().is_success());
    assert_eq!(ask(&server, &greedy, None, &hello).await.status(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_of_agents_count_for_their_address() {
    let limits = SharedLimits { sessions: 8, ..SharedLimits::default() };
    let server =
        TestServer::of(Config { limits, ..TestServer::config(ModelsConfig::default()) }).await;
    let (greedy, other) = (client_at([127, 0, 0, 1]), client_at([127, 0, 0, 2]));
    let begin = call(
        "tools/call",
        json!({ "name": "new_session", "arguments": {}, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "x", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {} } }),
    );
    let over_mcp = async |client: &reqwest::Client| {
        let request = client.post(server.url("/mcp")).body(begin.to_string());
        let request = request
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", "tools/call")
            .header("mcp-name", "new_session");
        request.send().await.unwrap().text().await.unwrap()
    };
    let message = json!({ "role": "ROLE_USER", "messageId": "m", "parts": [{ "text": "hi" }] });
    let hello = call("SendMessage", json!({ "message": message }));
    let over_a2a = async |client: &reqwest::Client| {
        let request = client.post(server.url("/a2a")).header("a2a-version", "1.0");
        request.body(hello.to_string()).send().await.unwrap().text().await.unwrap()
    };
    for _ in 0..3 {
        let (mcp, a2a) = (over_mcp(&greedy).await, over_a2a(&greedy).await);
        assert!(mcp.contains("\"success\":true") || mcp.contains("\\\"success\\\":true"), "{mcp}");
        assert!(a2a.contains("\"result\""), "{a2a}");
    }
    let refused = "this address has 6 sessions open";
    for answer in [over_mcp(&greedy).await, over_a2a(&greedy).await] {
        assert!(answer.contains(refused), "{answer}");
    }
    let over_http = greedy.post(server.url("/api/sessions")).send().await.unwrap();
    assert_eq!(over_http.status(), 429);
    let others = over_mcp(&other).await;
    assert!(others.contains("success") && !others.contains(refused), "{others}");
}
