//! Lines that were good and are damaged at random, to the MCP server over standard input and output: it goes on.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::process::Stdio;
use std::time::Duration;

use damage::{damage, value, with_value};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{ChildStdin, ChildStdout, Command};
use tokio::runtime::Runtime;
use tokio::time::timeout;

const PROGRAM: &str = env!("CARGO_BIN_EXE_scene-llm");
const PATIENCE: Duration = Duration::from_secs(60);

/// Both ends of the server's pipes.
struct Pipes {
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Pipes {
    async fn say(&mut self, line: &[u8]) {
        self.input.write_all(line).await.unwrap();
        self.input.write_all(b"\n").await.unwrap();
    }

    /// What answers the request of this id; others are passed over.
    async fn answer(&mut self, id: &str) -> Value {
        loop {
            let line = timeout(PATIENCE, self.output.next_line()).await;
            // It answers in time, can be read, and goes on.
            let line = line.unwrap().unwrap().unwrap();
            let answer: Value = serde_json::from_str(&line).unwrap();
            if answer["id"] == id {
                return answer;
            }
        }
    }
}

#[test]
fn damaged_lines_are_passed_over_or_answered() {
    let runtime = Runtime::new().unwrap();
    let _within = runtime.enter();
    let mut command = Command::new(PROGRAM);
    command.args(["mcp", "--in-memory"]).env("SCENE_LLM_LOG", "off").kill_on_drop(true);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = command.spawn().unwrap();
    let output = BufReader::new(process.stdout.take().unwrap()).lines();
    let pipes = Pipes { input: process.stdin.take().unwrap(), output };
    let pipes = std::cell::RefCell::new(pipes);
    let call = |name: &str, arguments: Value| {
        json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call",
            "params": { "name": name, "arguments": arguments } })
    };
    let good = [
        call("create_shape", json!({ "id": "a", "type": "sphere", "properties": { "radius": 1 } })),
        call("undo", json!({})),
        json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": {} }),
        json!({ "jsonrpc": "2.0", "id": 7, "method": "resources/list" }),
        json!({ "jsonrpc": "2.0", "id": 7, "method": "prompts/list" }),
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 3 } }),
    ];
    let mut beginning = pipes.borrow_mut();
    runtime.block_on(async {
        let hello = json!({ "jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "x", "version": "1" } } });
        beginning.say(hello.to_string().as_bytes()).await;
        assert!(beginning.answer("hello").await["result"].is_object());
        beginning.say(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
    });
    drop(beginning);
    let lie = prop::option::of((0.0..1.0, value()));
    let lines = (0..good.len(), lie, prop::collection::vec(damage(), 0..4));
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::default() });
    let tested = runner.run(&lines, |(which, lie, damages)| {
        let mut line = good[which].clone();
        if let Some((at, lie)) = lie {
            with_value(&mut line, at, &lie);
        }
        let mut line = line.to_string().into_bytes();
        damages.iter().for_each(|damage| damage.of(&mut line));
        let mut pipes = pipes.borrow_mut();
        runtime.block_on(async {
            pipes.say(&line).await;
            pipes.say(br#"{"jsonrpc":"2.0","id":"there?","method":"ping"}"#).await;
            let answer = pipes.answer("there?").await;
            assert!(answer["result"].is_object(), "{answer}");
        });
        Ok(())
    });
    tested.unwrap();
}
