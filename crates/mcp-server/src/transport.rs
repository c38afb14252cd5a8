//! The two ways in: streamable HTTP, and standard input and output.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::streamable_http_server::session::SessionManager;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio_util::sync::CancellationToken;

use crate::host::Host;
use crate::in_order::{Arrivals, InOrder, Noting};
use crate::scene_server::SceneServer;

/// How long a connection over HTTP that asks for nothing is remembered, with its current session.
const KEEP_ALIVE: Duration = Duration::from_secs(3_600);
/// The most connections over HTTP that are remembered. Clients of the newest version of the protocol need none.
pub const MAX_CONNECTIONS: usize = 1_000;
/// Bytes of a request: several times the largest batch of calls.
const MAX_BODY: usize = 4 * 1024 * 1024;

/// The service for the path `/mcp`. Host and Origin are checked before it.
pub type HttpService = StreamableHttpService<SceneServer, LocalSessionManager>;

/// The connections over HTTP that are remembered.
#[derive(Clone)]
pub struct Connections(Arc<LocalSessionManager>);

impl Connections {
    /// Whether a connection is remembered, or it cannot be told now.
    pub fn has(&self, id: &str) -> bool {
        // A writer holds the lock only while it adds or removes one.
        self.0.sessions.try_read().map_or(true, |known| known.contains_key(id))
    }

    /// Forgets a connection.
    pub async fn close(&self, id: &str) {
        // It may have ended by itself.
        let _ = self.0.close_session(&id.into()).await;
    }
}

/// Answers MCP over HTTP until `cancel`.
pub fn http_service(host: Arc<Host>, cancel: CancellationToken) -> (HttpService, Connections) {
    let mut connections = LocalSessionManager::default();
    connections.session_config.keep_alive = Some(KEEP_ALIVE);
    // Of each connection the last answer is kept for a client that lost it, not all of a minute.
    connections.session_config.completed_cache_ttl = Duration::ZERO;
    let connections = Arc::new(connections);
    let known = Arc::clone(&connections);
    let server = move || {
        // A writer holds the lock only while it adds or removes one.
        match known.sessions.try_read() {
            Ok(known) if known.len() >= MAX_CONNECTIONS => Err(io::Error::other(format!(
                "{MAX_CONNECTIONS} MCP connections are open; close some, or try again later"
            ))),
            _ => Ok(SceneServer::new(Arc::clone(&host))),
        }
    };
    let mut config = StreamableHttpServerConfig::default();
    config.cancellation_token = cancel;
    // The server in front checks both for all paths.
    config.allowed_hosts = Vec::new();
    config.max_request_body_bytes = MAX_BODY;
    let remembered = Connections(Arc::clone(&connections));
    (StreamableHttpService::new(server, connections, config), remembered)
}

/// Answers MCP over standard input and output, until the client closes them.
pub async fn serve_stdio(host: Arc<Host>) -> io::Result<()> {
    let (stdin, stdout) = rmcp::transport::stdio();
    let arrivals = Arc::<Arrivals>::default();
    let pipe = AsyncRwTransport::new_server(stdin, stdout);
    let pipe = Noting { inner: pipe, arrivals: Arc::clone(&arrivals) };
    let server = InOrder { server: SceneServer::new(host), arrivals, turns: Arc::default() };
    let running = match server.serve(pipe).await {
        // It has asked for nothing that needed a connection.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        running => running.map_err(io::Error::other)?,
    };
    running.waiting().await.map_err(io::Error::other)?;
    Ok(())
}
