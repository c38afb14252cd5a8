//! Servers that crash, change, hang or lose their sessions.

use std::collections::BTreeMap;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mcp_client::{ServerConfig, ServerPhase, Transport};
use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;
use tokio::process::Command;

use crate::harness::{http, node, one, script, start};

#[tokio::test]
async fn a_server_that_dies_is_started_again_and_the_call_says_so() {
    let running = one(node("tiny.mjs", &[])).await;
    let before: Vec<String> = running.tools().iter().map(|tool| tool.name().to_owned()).collect();
    let error = running.error("s_die").await;
    assert!(error.contains("'s' ended while this call was running"), "{error}");
    // The model's declarations stay the same during the restart.
    let meanwhile: Vec<String> =
        running.tools().iter().map(|tool| tool.name().to_owned()).collect();
    assert_eq!(meanwhile, before);
    let status = &running.servers.status()[0];
    if status.state == ServerPhase::Waiting {
        assert!(status.error.as_ref().unwrap().contains("dying, as asked"), "{status:?}");
    }
    // The next call waits for the restart.
    assert_eq!(running.text("s_add", json!({ "a": 2, "b": 3 })).await, "5");
    running.connected().await;
    assert_eq!(running.servers.status()[0].error, None);
}

#[tokio::test]
async fn a_changed_list_is_read_again_and_a_tool_that_is_gone_says_so() {
    let running = one(node("tiny.mjs", &[])).await;
    let has_extra = |tools: &[String]| tools.iter().any(|tool| tool == "extra");
    running.text("s_more", json!({})).await;
    running.until(|status| has_extra(&status.tools)).await;
    let extra = running.tool("s_extra");
    running.text("s_fewer", json!({})).await;
    running.until(|status| !has_extra(&status.tools)).await;
    let error = extra.call(json!({})).await.outcome.unwrap_err();
    assert_eq!(error, "the MCP server 's' no longer offers the tool 'extra'");
}

#[tokio::test]
async fn five_megabytes_are_cut() {
    let running = one(node("tiny.mjs", &[])).await;
    let text = running.text("s_big", json!({})).await;
    assert!(text.len() < 41_000 && text.contains("of 5280000 bytes"), "{}", text.len());
}

#[tokio::test]
async fn a_server_that_never_ends_its_answer_is_given_up_and_started_again() {
    let config = ServerConfig { timeout: Duration::from_secs(3), ..node("tiny.mjs", &[]) };
    let running = one(config).await;
    let error = running.error("s_endless").await;
    assert_eq!(error, "the MCP server 's' did not answer within 3 s");
    assert_eq!(running.text("s_add", json!({ "a": 1, "b": 1 })).await, "2");
}

#[tokio::test]
async fn a_call_that_is_dropped_is_cancelled_at_the_server() {
    let running = one(node("tiny.mjs", &[])).await;
    let slow = running.tool("s_slow");
    assert!(slow.stops_at_once());
    let mut call = slow.call(json!({}));
    // Another call that began later has been answered, so this one has been sent.
    tokio::select! {
        biased;
        output = &mut call => panic!("answered: {output:?}"),
        text = running.text("s_cancelled", json!({})) => assert_eq!(text, "0"),
    }
    drop(call);
    while running.text("s_cancelled", json!({})).await != "1" {}
}

#[tokio::test]
async fn a_session_that_the_server_forgot_is_made_anew() {
    let mut command = Command::new("node");
    command.args([script("tiny.mjs"), "--http".into()]);
    command.stdout(Stdio::piped()).stdin(Stdio::null()).kill_on_drop(true);
    let mut server = command.spawn().unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
    let port = lines.next_line().await.unwrap().unwrap();
    let running = one(http(format!("http://127.0.0.1:{port}/mcp"))).await;
    assert_eq!(running.text("s_add", json!({ "a": 1.5, "b": 2 })).await, "3.5");
    assert_eq!(running.text("s_forget", json!({})).await, "forgotten");
    // After 404 the call is repeated in a new session, since it cannot have run.
    assert_eq!(running.text("s_add", json!({ "a": 2, "b": 2 })).await, "4");
}

/// A server that answers each request with `answer`, with its address and what it was sent.
async fn answering(answer: String) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let heard = Arc::new(Mutex::new(Vec::new()));
    let hears = Arc::clone(&heard);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut head = [0; 4096];
            let length = stream.read(&mut head).await.unwrap_or(0);
            hears.lock().unwrap().push(String::from_utf8_lossy(&head[..length]).into_owned());
            // The client may have left.
            let _ = stream.write_all(answer.as_bytes()).await;
        }
    });
    (address, heard)
}

#[tokio::test]
async fn a_redirect_to_another_server_gets_neither_key_nor_message() {
    let nothing = "HTTP/1.1 500 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    let (other, heard_there) = answering(nothing.to_owned()).await;
    let redirect = format!(
        "HTTP/1.1 307 Moved\r\nLocation: http://{other}/mcp\r\nContent-Length: 0\r\n\
         Connection: close\r\n\r\n"
    );
    let (first, heard) = answering(redirect).await;
    let headers = BTreeMap::from([("X-API-Key".to_owned(), "secret-key".to_owned())]);
    let transport = Transport::Http { url: format!("http://{first}/mcp"), headers };
    let running = start(&[("s", ServerConfig::new(transport))]);
    running.until(|status| status.error.is_some()).await;
    let error = running.servers.status()[0].error.clone().unwrap();
    assert!(error.contains("it redirects to another server, which is not followed"), "{error}");
    assert!(heard.lock().unwrap()[0].contains("secret-key"), "the configured server gets the key");
    assert_eq!(*heard_there.lock().unwrap(), Vec::<String>::new());
}
