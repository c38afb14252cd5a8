//! All servers of a configuration.

use std::collections::BTreeSet;
use std::sync::Arc;

use agent::Tool;
use serde::Serialize;
use supervision::supervised;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::config::Servers;
use crate::names::names;
use crate::server::{Phase, Server};
use crate::tool::McpTool;

/// The most tools of all servers: with the built-in ones they stay below the 128 that every provider
/// accepts.
pub const MAX_TOOLS_IN_ALL: usize = 80;

/// The configured MCP servers. They are connected in the background.
#[derive(Default)]
pub struct McpServers {
    /// By name.
    servers: Vec<Arc<Server>>,
    /// Counts changes of any server.
    changes: watch::Sender<u64>,
}

/// The status of a server for the operator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ServerStatus {
    /// Its name.
    pub name: String,
    /// Its phase.
    pub state: ServerPhase,
    /// Why it is not connected, without secrets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The names of its tools, sorted.
    pub tools: Vec<String>,
    /// Warnings for the operator, e.g. that it has too many tools.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// The phase of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ServerPhase {
    /// Disabled by the operator.
    Disabled,
    /// Being started.
    Connecting,
    /// Ready for calls.
    Connected,
    /// Unreachable or ended; it is retried.
    Waiting,
    /// Misconfigured; it is not retried.
    Failed,
}

impl McpServers {
    /// Starts to connect to all servers, and returns at once. `tracker` owns the tasks; `cancel` stops them
    /// and the processes.
    pub fn start(config: &Servers, tracker: &TaskTracker, cancel: &CancellationToken) -> Self {
        for warning in &config.warnings {
            tracing::warn!("{warning}");
        }
        let changes = watch::Sender::new(0);
        let start = |(name, config): (&String, _)| {
            let server = Arc::new(Server::new(name, Clone::clone(config)));
            let (kept, changes, cancel) = (Arc::clone(&server), changes.clone(), cancel.clone());
            tracker.spawn(supervised("an MCP server", move || {
                let changes = changes.clone();
                let changed = move || changes.send_modify(|count| *count += 1);
                Arc::clone(&kept).keep(cancel.child_token(), changed)
            }));
            server
        };
        let servers = config.servers.iter().map(start).collect();
        Self { servers, changes }
    }

    /// The current tools, sorted by name. None has a name in `taken`.
    pub fn tools(&self, taken: &BTreeSet<String>) -> Vec<Arc<dyn Tool>> {
        let mut listed = Vec::new();
        for server in &self.servers {
            let tools = Arc::clone(&server.state.borrow().tools);
            listed.extend(tools.values().map(|tool| (server, Arc::clone(tool))));
        }
        listed.truncate(MAX_TOOLS_IN_ALL);
        let pairs: Vec<_> =
            listed.iter().map(|(server, tool)| (&*server.name, &*tool.own_name)).collect();
        let names = names(&pairs, taken);
        let mut tools: Vec<McpTool> = names
            .into_iter()
            .zip(listed)
            .map(|(name, (server, tool))| McpTool::new(name, Arc::clone(server), tool))
            .collect();
        tools.sort_by(|a, b| a.name().cmp(b.name()));
        tools.into_iter().map(|tool| Arc::new(tool) as Arc<dyn Tool>).collect()
    }

    /// The status of each server, by name.
    pub fn status(&self) -> Vec<ServerStatus> {
        let status = |server: &Arc<Server>| {
            let state = server.state.borrow();
            ServerStatus {
                name: server.name.clone(),
                state: match state.phase {
                    Phase::Disabled => ServerPhase::Disabled,
                    Phase::Connecting => ServerPhase::Connecting,
                    Phase::Connected(_) => ServerPhase::Connected,
                    Phase::Waiting => ServerPhase::Waiting,
                    Phase::Failed => ServerPhase::Failed,
                },
                error: state.error.clone(),
                tools: state.tools.keys().cloned().collect(),
                notes: state.notes.clone(),
            }
        };
        self.servers.iter().map(status).collect()
    }

    /// Waits until the status of all servers satisfies `expected`.
    pub async fn until(&self, expected: impl Fn(&[ServerStatus]) -> bool) {
        let mut changes = self.changes.subscribe();
        loop {
            changes.mark_unchanged();
            if expected(&self.status()) {
                return;
            }
            // Fails only without a sender, and we own it.
            let _ = changes.changed().await;
        }
    }
}
