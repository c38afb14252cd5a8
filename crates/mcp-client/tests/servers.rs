//! Behaviour of real servers.

use std::collections::BTreeMap;
use std::process::Stdio;

use agent::Access;
use mcp_client::{ServerConfig, ServerPhase, Transport};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use crate::harness::{http, node, npm, one, script, start};

#[tokio::test]
async fn the_reference_server_calls_shows_and_fails() {
    let running = one(npm("everything", &["stdio"])).await;
    assert_eq!(running.text("s_echo", json!({ "message": "hi" })).await, "Echo: hi");
    let sum = running.text("s_get-sum", json!({ "a": 2, "b": 3 })).await;
    assert!(sum.contains("2 and 3 is 5"), "{sum}");
    let picture = running.call("s_get-tiny-image", json!({})).await;
    assert_eq!(picture.pictures.len(), 1);
    assert_eq!(picture.pictures[0].raw()["inlineData"]["mimeType"], "image/png");
    let structured =
        running.call("s_get-structured-content", json!({ "location": "Chicago" })).await;
    assert!(structured.outcome.unwrap()["temperature"].is_number());
    // The error names the missing argument.
    let error = running.error("s_get-sum").await;
    assert!(error.contains("number"), "{error}");
    let links = running.text("s_get-resource-links", json!({ "count": 2 })).await;
    assert!(links.contains("[link to "), "{links}");
    let blob = json!({ "resourceType": "Blob", "resourceId": 1 });
    let blob = running.text("s_get-resource-reference", blob).await;
    assert!(blob.contains(" left out: "), "{blob}");
    assert_eq!(running.tool("s_echo").access(), Access::Reads);
    assert!(running.tool("s_echo").description().ends_with("(tool of the MCP server 's')"));
    running.stop().await;
}

#[tokio::test]
async fn a_process_gets_the_base_and_what_its_entry_names_and_nothing_else_of_ours() {
    let mut config = npm("everything", &["stdio"]);
    let Transport::Process { env, .. } = &mut config.transport else { unreachable!() };
    env.insert("OUR_OWN".into(), "${CARGO_PKG_NAME} x".into());
    let running = one(config).await;
    let text = running.text("s_get-env", json!({})).await;
    let env: BTreeMap<String, String> = serde_json::from_str(&text).unwrap();
    assert_eq!(env["OUR_OWN"], "mcp-client x");
    assert!(env.contains_key("PATH"));
    let base = [
        "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ",
        "USER", "OUR_OWN",
    ];
    let others: Vec<&String> = env.keys().filter(|name| !base.contains(&name.as_str())).collect();
    assert_eq!(others, Vec::<&String>::new());
    // Our own environment has more variables: this test runs under cargo.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
}

#[tokio::test]
async fn the_file_server_keeps_to_its_directory_and_the_memory_server_remembers() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap();
    let mut memory = npm("memory", &[]);
    let Transport::Process { env, .. } = &mut memory.transport else { unreachable!() };
    env.insert("MEMORY_FILE_PATH".into(), root.join("memory.jsonl").to_string_lossy().into());
    let files = npm("filesystem", &[&root.to_string_lossy()]);
    let running = start(&[("files", files), ("memory", memory)]);
    running.connected().await;
    let path = root.join("note.txt");
    let written = json!({ "path": path, "content": "a red sphere" });
    running.call("files_write_file", written).await.outcome.unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "a red sphere");
    let read = running.call("files_read_text_file", json!({ "path": path })).await.outcome.unwrap();
    assert!(read.to_string().contains("a red sphere"), "{read}");
    let outside = running.call("files_read_text_file", json!({ "path": "/etc/passwd" })).await;
    assert!(outside.outcome.unwrap_err().contains("denied"));
    let entity = json!({ "name": "Anna", "entityType": "person", "observations": ["likes blue"] });
    let created = running.call("memory_create_entities", json!({ "entities": [entity] })).await;
    created.outcome.unwrap();
    let found = running.call("memory_search_nodes", json!({ "query": "blue" })).await;
    assert!(found.outcome.unwrap().to_string().contains("Anna"));
    // Tools are sorted by name, across servers.
    let names: Vec<String> = running.tools().iter().map(|tool| tool.name().to_owned()).collect();
    assert!(names.is_sorted() && names.len() > 15, "{names:?}");
}

/// Starts the reference server over HTTP on `port`, and waits until it listens.
async fn everything_over_http(port: u16) -> Child {
    let mut command = Command::new("node");
    command.arg(script("node_modules/.bin/mcp-server-everything")).arg("streamableHttp");
    command.env("PORT", port.to_string()).kill_on_drop(true);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    while let Some(line) = lines.next_line().await.unwrap() {
        if line.contains("listening") {
            // Drain its output.
            tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
            return child;
        }
    }
    panic!("the server did not start");
}

fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

#[tokio::test]
async fn a_server_over_http_is_reached_again_after_it_was_killed() {
    let port = free_port();
    let mut server = everything_over_http(port).await;
    let running = one(http(format!("http://127.0.0.1:{port}/mcp"))).await;
    assert_eq!(running.text("s_echo", json!({ "message": "one" })).await, "Echo: one");
    let picture = running.call("s_get-tiny-image", json!({})).await;
    assert_eq!(picture.pictures.len(), 1);
    server.kill().await.unwrap();
    let _again = everything_over_http(port).await;
    // It rejects our old session with an error of its own.
    assert_eq!(running.text("s_echo", json!({ "message": "two" })).await, "Echo: two");
}

#[tokio::test]
async fn servers_that_cannot_be_used_cost_nobody_time_and_are_told() {
    let port = free_port();
    let process = |command: &str| {
        ServerConfig::new(Transport::Process {
            command: command.into(),
            args: Vec::new(),
            env: BTreeMap::new(),
            cwd: None,
        })
    };
    let mut unset = process("node");
    let Transport::Process { env, .. } = &mut unset.transport else { unreachable!() };
    env.insert("KEY".into(), "${NO_SUCH_VARIABLE_HERE}".into());
    let mut secret = node("tiny.mjs", &[]);
    let Transport::Process { args, env, .. } = &mut secret.transport else { unreachable!() };
    args[0] = "-e".into();
    args.push("console.error('bad key: ' + process.env.KEY); process.exit(1)".into());
    env.insert("KEY".into(), "sk-very-secret".into());
    let disabled = ServerConfig { disabled: true, ..process("/no/such/program") };
    let running = start(&[
        ("disabled", disabled),
        ("gone", process("/no/such/program")),
        ("nobody", http(format!("http://127.0.0.1:{port}/mcp"))),
        ("secret", secret),
        ("tiny", node("tiny.mjs", &[])),
        ("unset", unset),
        ("words", process("node --version")),
    ]);
    // `start` returns at once, before any tool is listed.
    assert!(running.tools().is_empty());
    running.until(|status| status.state != ServerPhase::Connecting || status.error.is_some()).await;
    let status = running.servers.status();
    let of = |name: &str| status.iter().find(|status| status.name == name).unwrap();
    let error = |name: &str| of(name).error.clone().unwrap_or_default();
    assert_eq!((of("disabled").state, &of("disabled").error), (ServerPhase::Disabled, &None));
    assert_eq!((of("tiny").state, &of("tiny").error), (ServerPhase::Connected, &None));
    assert!(error("gone").contains("'/no/such/program' does not start"), "{}", error("gone"));
    assert!(error("words").contains("'args'"), "{}", error("words"));
    assert!(error("nobody").contains("error sending request"), "{}", error("nobody"));
    assert_eq!(of("unset").state, ServerPhase::Failed);
    assert!(error("unset").contains("'NO_SUCH_VARIABLE_HERE' is not set"));
    assert!(error("secret").contains("bad key: ***"), "{}", error("secret"));
    let all = serde_json::to_string(&status).unwrap();
    assert!(!all.contains("sk-very-secret"), "{all}");
    assert_eq!(serde_json::from_str::<Value>(&all).unwrap()[0]["state"], "disabled");
}
