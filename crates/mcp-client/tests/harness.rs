//! Starts servers and calls their tools.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use agent::{Tool, ToolOutput};
use mcp_client::{Ask, McpServers, ServerConfig, ServerPhase, ServerStatus, Servers, Transport};
use serde_json::{Value, json};
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;

/// A timeout longer than any step takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// `tests/mcp/PATH`.
pub(crate) fn script(path: &str) -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/mcp");
    let path = root.join(path);
    assert!(path.exists(), "{} is missing: run `make test-rust` once", path.display());
    path.to_string_lossy().into_owned()
}

/// A Node script with these arguments.
pub(crate) fn node(path: &str, args: &[&str]) -> ServerConfig {
    let mut all = vec![script(path)];
    all.extend(args.iter().map(|arg| (*arg).to_owned()));
    let transport =
        Transport::Process { command: "node".into(), args: all, env: BTreeMap::new(), cwd: None };
    ServerConfig { ask: Ask::Never, ..ServerConfig::new(transport) }
}

/// A server of the MCP project, from npm.
pub(crate) fn npm(name: &str, args: &[&str]) -> ServerConfig {
    node(&format!("node_modules/.bin/mcp-server-{name}"), args)
}

/// A server over HTTP.
pub(crate) fn http(url: String) -> ServerConfig {
    let transport = Transport::Http { url, headers: BTreeMap::new() };
    ServerConfig { ask: Ask::Never, ..ServerConfig::new(transport) }
}

/// Running servers; dropping it ends them.
pub(crate) struct Running {
    pub(crate) servers: McpServers,
    tracker: TaskTracker,
    cancel: CancellationToken,
    _at_end: DropGuard,
}

pub(crate) fn start(servers: &[(&str, ServerConfig)]) -> Running {
    let servers = servers.iter().map(|(name, config)| ((*name).to_owned(), config.clone()));
    let config = Servers { servers: servers.collect(), ..Servers::default() };
    let (tracker, cancel) = (TaskTracker::new(), CancellationToken::new());
    let servers = McpServers::start(&config, &tracker, &cancel);
    Running { servers, tracker, _at_end: cancel.clone().drop_guard(), cancel }
}

/// Starts one server named `s` and waits until it is connected.
pub(crate) async fn one(config: ServerConfig) -> Running {
    let running = start(&[("s", config)]);
    running.connected().await;
    running
}

impl Running {
    /// Waits until every server is connected.
    pub(crate) async fn connected(&self) {
        self.until(|status| status.state == ServerPhase::Connected).await;
    }

    /// Waits until the status of every server satisfies `expected`.
    pub(crate) async fn until(&self, expected: impl Fn(&ServerStatus) -> bool) {
        let all = |status: &[ServerStatus]| status.iter().all(&expected);
        let waited = tokio::time::timeout(PATIENCE, self.servers.until(all)).await;
        assert!(waited.is_ok(), "{:?}", self.servers.status());
    }

    pub(crate) fn tools(&self) -> Vec<Arc<dyn Tool>> {
        self.servers.tools(&BTreeSet::new())
    }

    pub(crate) fn tool(&self, name: &str) -> Arc<dyn Tool> {
        let found = self.tools().into_iter().find(|tool| tool.name() == name);
        found.unwrap_or_else(|| panic!("no tool '{name}': {:?}", self.servers.status()))
    }

    pub(crate) async fn call(&self, name: &str, args: Value) -> ToolOutput {
        self.tool(name).call(args).await
    }

    /// The text of a successful call.
    pub(crate) async fn text(&self, name: &str, args: Value) -> String {
        let result = self.call(name, args).await.outcome.unwrap();
        result["text"].as_str().unwrap_or_else(|| panic!("no text: {result}")).to_owned()
    }

    /// The error of a failed call.
    pub(crate) async fn error(&self, name: &str) -> String {
        self.call(name, json!({})).await.outcome.unwrap_err()
    }

    /// Stops the servers and waits for all their tasks.
    pub(crate) async fn stop(self) {
        self.cancel.cancel();
        self.tracker.close();
        self.tracker.wait().await;
    }
}
