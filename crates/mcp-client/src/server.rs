//! A server: it is connected in the background, monitored, and restarted when it ends.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use rmcp::service::{Peer, RoleClient, ServiceError};
use serde_json::{Map, Value};
use tokio::sync::{Notify, watch};
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::config::{ServerConfig, Transport};
use crate::connection::{
    self, ConnectError, Connection, breaks, list_tools, was_not_delivered, with_sources,
};
use crate::environment::Secrets;
use crate::listing::{Listed, Listing};
use crate::progress::ProgressListeners;
use agent::Notes;
use agent::untrusted::clean;

/// How long a call waits for a server that is restarting.
const RESTART_WAIT: Duration = Duration::from_secs(10);
/// The pause before the first retry; it doubles with each failure.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// The longest pause.
const MAX_PAUSE: Duration = Duration::from_secs(60);
/// The duration of a connection after which the pause is reset.
const GOOD_FOR: Duration = Duration::from_secs(30);
/// The minimum interval between two requests of a changing list.
const LIST_PAUSE: Duration = Duration::from_millis(250);
/// The interval of pings to a server over HTTP; nothing else shows that it is gone.
const PING_EVERY: Duration = Duration::from_secs(30);
/// The timeout of a ping.
const PING_WITHIN: Duration = Duration::from_secs(10);
/// The time for a server to exit before it is killed.
const CLOSE_WITHIN: Duration = Duration::from_secs(4);

/// The phase of a server.
#[derive(Clone)]
pub(crate) enum Phase {
    /// Disabled by the operator.
    Disabled,
    /// Being started and initialised.
    Connecting,
    /// Ready for calls.
    Connected(Link),
    /// Unreachable or ended; it is retried.
    Waiting,
    /// Misconfigured; it is not retried.
    Failed,
}

/// The connection for calls.
#[derive(Clone)]
pub(crate) struct Link {
    peer: Peer<RoleClient>,
    progress: ProgressListeners,
    /// Cancelled when the connection is found broken.
    broken: CancellationToken,
}

/// The state of a server.
#[derive(Clone)]
pub(crate) struct ServerState {
    pub(crate) phase: Phase,
    /// Why it is not connected, without secrets.
    pub(crate) error: Option<String>,
    /// Its tools as of the last list. They are kept during a restart, so that the model's declarations do
    /// not change.
    pub(crate) tools: Arc<BTreeMap<String, Arc<Listed>>>,
    pub(crate) notes: Vec<String>,
}

/// One server.
pub(crate) struct Server {
    pub(crate) name: String,
    pub(crate) config: ServerConfig,
    pub(crate) state: watch::Sender<ServerState>,
    /// Notified when a call needs the server now.
    wanted: Notify,
}

/// How a connection ended.
enum End {
    /// This program stops it.
    Stopped,
    /// It broke; the text says why.
    Lost(String),
}

impl Server {
    pub(crate) fn new(name: &str, config: ServerConfig) -> Self {
        let phase = if config.disabled { Phase::Disabled } else { Phase::Connecting };
        let state = ServerState { phase, error: None, tools: Arc::default(), notes: Vec::new() };
        let (state, _) = watch::channel(state);
        Self { name: name.to_owned(), config, state, wanted: Notify::new() }
    }

    /// Keeps the server connected until `cancel`. `changed` is called after each change.
    pub(crate) async fn keep(self: Arc<Self>, cancel: CancellationToken, changed: impl Fn()) {
        if self.config.disabled {
            return;
        }
        let mut failures = 0_u32;
        let mut told: Option<String> = None;
        loop {
            let began = Instant::now();
            let mut secrets = Secrets::default();
            let connected = tokio::select! {
                biased;
                () = cancel.cancelled() => return,
                connected = self.connect(&mut secrets) => connected,
            };
            let (why, is_final) = match connected {
                Ok(connection) => {
                    told = None;
                    tracing::info!(server = self.name, "connected to an MCP server");
                    changed();
                    match self.watch(connection, &secrets, &cancel, &changed).await {
                        End::Stopped => return,
                        End::Lost(why) => (why, false),
                    }
                }
                Err(error) => (error.why, error.is_final),
            };
            failures = if began.elapsed() > GOOD_FOR { 1 } else { failures.saturating_add(1) };
            let why = secrets.hide(&why);
            if told.as_ref() != Some(&why) {
                tracing::error!("the MCP server '{}' cannot be used: {why}", self.name);
            }
            told = Some(why.clone());
            let phase = if is_final { Phase::Failed } else { Phase::Waiting };
            self.state.send_modify(|state| (state.phase, state.error) = (phase, Some(why)));
            changed();
            if is_final {
                return;
            }
            tokio::select! {
                () = cancel.cancelled() => return,
                () = sleep(pause(failures)) => {}
                () = self.wanted.notified() => {}
            }
            self.state.send_modify(|state| state.phase = Phase::Connecting);
            changed();
        }
    }

    /// Connects and lists the tools.
    async fn connect(&self, secrets: &mut Secrets) -> Result<Connection, ConnectError> {
        let seconds = self.config.timeout.as_secs_f32();
        let passing = |why: String| ConnectError { why, is_final: false };
        let connecting = connection::connect(&self.config.transport, secrets);
        let connection = match timeout(self.config.timeout, connecting).await {
            Ok(connected) => connected?,
            Err(_) => return Err(passing(format!("it did not answer within {seconds} s"))),
        };
        self.list(&connection.peer).await.map_err(passing)?;
        let link = Link {
            peer: connection.peer.clone(),
            progress: connection.progress.clone(),
            broken: CancellationToken::new(),
        };
        self.state.send_modify(|state| {
            (state.phase, state.error) = (Phase::Connected(link), None);
        });
        Ok(connection)
    }

    /// Requests the list of tools.
    async fn list(&self, peer: &Peer<RoleClient>) -> Result<(), String> {
        /// JSON-RPC error code of a server without tools.
        const METHOD_NOT_FOUND: i32 = -32_601;
        let items = match timeout(self.config.timeout, list_tools(peer)).await {
            Ok(Ok(items)) => items,
            Ok(Err(ServiceError::McpError(error))) if error.code.0 == METHOD_NOT_FOUND => {
                Vec::new()
            }
            Ok(Err(error)) => {
                return Err(format!("its tools cannot be listed: {}", with_sources(&error)));
            }
            Err(_) => return Err("it did not list its tools in time".into()),
        };
        let Listing { tools, notes } = Listing::read(&self.name, &items, &self.config);
        let tools = tools.into_iter().map(|(name, tool)| (name, Arc::new(tool))).collect();
        self.state.send_modify(|state| (state.tools, state.notes) = (Arc::new(tools), notes));
        Ok(())
    }

    /// Watches a connection until it ends.
    async fn watch(
        &self,
        connection: Connection,
        secrets: &Secrets,
        cancel: &CancellationToken,
        changed: &impl Fn(),
    ) -> End {
        let Connection { service, peer, mut list_changes, stderr_tail, .. } = connection;
        let broken = match &self.state.borrow().phase {
            Phase::Connected(link) => link.broken.clone(),
            _ => CancellationToken::new(),
        };
        let is_http = matches!(self.config.transport, Transport::Http { .. });
        let stop = service.cancellation_token();
        let ended = service.waiting();
        tokio::pin!(ended);
        let mut seen = 0;
        let mut ping = tokio::time::interval_at(Instant::now() + PING_EVERY, PING_EVERY);
        let end = loop {
            tokio::select! {
                biased;
                () = cancel.cancelled() => break End::Stopped,
                _ = &mut ended => {
                    let words = stderr_tail.complete().await;
                    let said = if words.is_empty() { words } else { format!("; it said: {words}") };
                    return End::Lost(format!("it has ended{said}"));
                }
                () = broken.cancelled() => break End::Lost("the connection was lost".into()),
                // If the sender is gone, the connection has ended, which the branch above handles.
                Ok(count) = async { list_changes.wait_for(|count| *count != seen).await.map(|it| *it) } => {
                    seen = count;
                    match self.list(&peer).await {
                        Ok(()) => changed(),
                        Err(why) => {
                            let why = secrets.hide(&why);
                            tracing::warn!("the MCP server '{}': {why}", self.name);
                        }
                    }
                    sleep(LIST_PAUSE).await;
                }
                _ = ping.tick(), if is_http => {
                    if !answers(&peer, self.config.timeout).await {
                        break End::Lost("it does not answer any more".into());
                    }
                }
            }
        };
        stop.cancel();
        // A process that does not exit in time is killed on drop.
        let _ = timeout(CLOSE_WITHIN, &mut ended).await;
        end
    }

    /// Calls the tool `own_name`; the error is for the model to read.
    pub(crate) async fn call(
        &self,
        own_name: &str,
        args: Map<String, Value>,
        notes: &Notes,
    ) -> Result<Value, String> {
        // Retry once if the server cannot have received the call.
        let first = self.try_call(own_name, args.clone(), notes).await;
        match first {
            Err(CallError::NotDelivered(_)) => {}
            Err(CallError::Failed(why)) => return Err(why),
            Ok(answer) => return Ok(answer),
        }
        match self.try_call(own_name, args, notes).await {
            Ok(answer) => Ok(answer),
            Err(CallError::NotDelivered(why) | CallError::Failed(why)) => Err(why),
        }
    }

    async fn try_call(
        &self,
        own_name: &str,
        args: Map<String, Value>,
        notes: &Notes,
    ) -> Result<Value, CallError> {
        let name = &self.name;
        let link = self.link().await.map_err(CallError::Failed)?;
        if !self.state.borrow().tools.contains_key(own_name) {
            let why = format!("the MCP server '{name}' no longer offers the tool '{own_name}'");
            return Err(CallError::Failed(why));
        }
        let calling = connection::call(&link.peer, &link.progress, own_name, args, notes);
        let called = tokio::select! {
            called = timeout(self.config.timeout, calling) => called,
            () = link.broken.cancelled() => Ok(Err(ServiceError::TransportClosed)),
        };
        match called {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(error)) if breaks(&error) => {
                link.broken.cancel();
                self.until_noticed(&link).await;
                if was_not_delivered(&error) {
                    let why = format!("the MCP server '{name}' cannot be reached");
                    return Err(CallError::NotDelivered(why));
                }
                Err(CallError::Failed(format!(
                    "the MCP server '{name}' ended while this call was running, so it may or may \
                     not have been done; the server is being started again"
                )))
            }
            Ok(Err(ServiceError::McpError(error))) => {
                let why = clean(&error.message, 1_000);
                Err(CallError::Failed(format!("the MCP server '{name}' refused the call: {why}")))
            }
            Ok(Err(error)) => {
                let why = clean(&with_sources(&error), 300);
                Err(CallError::Failed(format!("the MCP server '{name}' failed: {why}")))
            }
            Err(_) => {
                if !answers(&link.peer, self.config.timeout).await {
                    link.broken.cancel();
                }
                let seconds = self.config.timeout.as_secs_f32();
                let why = format!("the MCP server '{name}' did not answer within {seconds} s");
                Err(CallError::Failed(why))
            }
        }
    }

    /// Waits until the end of this connection is noticed, so that the next call does not use it.
    async fn until_noticed(&self, link: &Link) {
        let is_other = |state: &ServerState| match &state.phase {
            Phase::Connected(other) => !other.broken.is_cancelled(),
            _ => true,
        };
        debug_assert!(link.broken.is_cancelled());
        let mut state = self.state.subscribe();
        let _ = timeout(RESTART_WAIT, state.wait_for(is_other)).await;
    }

    /// The connection; waits a moment for a server that is being started.
    async fn link(&self) -> Result<Link, String> {
        let mut state = self.state.subscribe();
        let deadline = Instant::now() + RESTART_WAIT;
        loop {
            let phase = state.borrow_and_update().phase.clone();
            match phase {
                Phase::Connected(link) if !link.broken.is_cancelled() => return Ok(link),
                Phase::Disabled | Phase::Failed => break,
                Phase::Waiting => self.wanted.notify_one(),
                Phase::Connected(_) | Phase::Connecting => {}
            }
            if tokio::time::timeout_at(deadline, state.changed()).await.is_err() {
                break;
            }
        }
        let why = state.borrow().error.clone().unwrap_or_else(|| "it does not answer".into());
        Err(format!("the MCP server '{}' is not available: {why}", self.name))
    }
}

/// The error of a call.
enum CallError {
    /// The server cannot have started the call.
    NotDelivered(String),
    /// The call may have run, or is not retried.
    Failed(String),
}

/// Whether the server answers a ping within `within`.
async fn answers(peer: &Peer<RoleClient>, within: Duration) -> bool {
    use rmcp::model::{ClientRequest, PingRequest};
    let ping = peer.send_request(ClientRequest::PingRequest(PingRequest::default()));
    match timeout(within.min(PING_WITHIN), ping).await {
        // An error for an unknown method is an answer, too.
        Ok(Err(error)) => !breaks(&error),
        Ok(Ok(_)) => true,
        Err(_) => false,
    }
}

fn pause(failures: u32) -> Duration {
    FIRST_PAUSE.saturating_mul(1 << failures.saturating_sub(1).min(16)).min(MAX_PAUSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_a_minute() {
        let seconds: Vec<f32> = [1, 2, 3, 8, 9, 40].map(|n| pause(n).as_secs_f32()).into();
        assert_eq!(seconds, [0.25, 0.5, 1.0, 32.0, 60.0, 60.0]);
    }
}
