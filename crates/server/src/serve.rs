//! The running server: it listens, serves connections within limits, and shuts down gracefully.

use std::io::Write;
use std::net::{Shutdown, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use a2a_client::RemoteAgents;
use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper_util::rt::{TokioIo, TokioTimer};
use mcp_client::McpServers;
use protocol::Limits;
use session::{Environment, MAX_IMAGES, Sessions, StandingApprovals};
use studio::{MAX_SAMPLES, MAX_SIDE, Renderer};
use tokio::net::{TcpListener, TcpStream};
use tokio_io_timeout::TimeoutStream;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::Service;

use crate::admission::{Admission, AdmissionError, ConnectionPermit};
use crate::config::{Config, Storage};
use crate::http::{
    self, App, Intake, Jobs, MAX_MESSAGE, OperatorToken, Peer, SceneTexts, Thumbnails,
};
use crate::listen::listen;
use crate::models::Models;
use crate::own_objects::UserObjects;
use crate::run_host::{MeteredModels, ServerRuns};
use crate::start_error::StartError;
use crate::storage::{keep_sweeping, open_library, open_store, sweep};
use crate::wire::AboutServer;
use crate::workflows::workflows;
use crate::working_goals::WorkingGoals;

/// The timeout for the head of a request.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
/// The timeout for a client that reads nothing.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);
/// How long the start waits for the list of models, if none is known.
const FIRST_LIST: Duration = Duration::from_millis(1_500);
/// How long a stopping server answers with 503.
const GRACE: Duration = Duration::from_millis(250);
/// How long a stopping server waits for its clients.
const FAREWELL: Duration = Duration::from_secs(5);
/// The interval at which free memory is returned to the system.
const TRIM_EVERY: Duration = Duration::from_secs(5);

/// A running server. Dropping it does not stop it; [`Server::stop`] does.
pub struct Server {
    addr: SocketAddr,
    app: Arc<App>,
}

impl Server {
    /// Starts a server; it accepts connections when this returns.
    pub async fn start(config: Config) -> Result<Self, StartError> {
        let addr = config.addr;
        if !addr.ip().is_loopback()
            && config.models.has_keys()
            && config.token.is_none()
            && !config.open
        {
            return Err(StartError::OpenWallet { addr });
        }
        let listener = listen(addr).map_err(|reason| StartError::Listen { addr, reason })?;
        let addr = listener.local_addr().map_err(|reason| StartError::Listen { addr, reason })?;
        let models = Arc::new(Models::new(config.models)?);
        let (tracker, cancel) = (TaskTracker::new(), CancellationToken::new());
        // Loads the data of the built-in model before its first request.
        tracker.spawn_blocking(offline::Offline::warm);
        let store = open_store(&config.storage, addr).await?;
        let most_bytes = config.assets.most_bytes;
        let library = open_library(&config.storage, &store, most_bytes, &tracker).await?;
        // Before anything is collected: what objects are made of stays.
        let own_objects =
            UserObjects::open(&config.storage, config.lists_sessions, Arc::clone(&library)).await;
        sweep(&library, config.assets.keep_unused).await;
        let renderer = Renderer::new(config.render_threads)?.with_assets(Arc::clone(&library) as _);
        let durable = config.storage != Storage::InMemory;
        let mcp = McpServers::start(&config.agent.mcp, &tracker, &cancel);
        let agents = RemoteAgents::start(&config.agent.agents, &tracker, &cancel);
        let data_dir = config.storage.directory().map(Path::to_owned);
        let standing = || Arc::new(StandingApprovals::open(data_dir.as_deref()));
        let standing = config.lists_sessions.then(standing);
        let working_goals = WorkingGoals::new(data_dir.as_deref());
        let to_go_on = working_goals.sessions();
        let runs = Arc::new(ServerRuns::new(config.agent, mcp, agents, working_goals));
        let workflows = Arc::new(workflows(data_dir.as_deref()));
        let metered = Arc::new(MeteredModels::new(Arc::clone(&models), config.spending));
        let environment = Environment {
            store,
            library: Arc::clone(&library),
            models: Arc::clone(&metered) as _,
            host: Arc::clone(&runs) as _,
            standing: standing.clone(),
            workflows: Arc::clone(&workflows),
            searches_sessions: config.lists_sessions,
            own_objects: Arc::clone(own_objects.list()),
            sets_stage: config.sets_stage,
            max_turns: config.max_turns,
            tracker: tracker.clone(),
            stopping: cancel.clone(),
        };
        let sessions = Arc::new(Sessions::new(environment, renderer.clone()));
        let app = Arc::new(App {
            sessions,
            models,
            runs,
            metered,
            standing,
            about: AboutServer { durable, limits: limits(config.max_turns, config.lists_sessions) },
            renderer,
            workflows,
            thumbnails: Thumbnails::default(),
            library: Arc::clone(&library),
            own_objects,
            intake: Intake::default(),
            jobs: Jobs::new(cancel.clone()),
            scene_texts: SceneTexts::default(),
            most_asset_bytes: config.assets.most_bytes_each,
            lists_sessions: config.lists_sessions,
            allowed_hosts: config.allowed_hosts,
            token: config.token.map(OperatorToken::new),
            data_dir,
            admission: Admission::new(config.connections),
            tracker: tracker.clone(),
            cancel: cancel.clone(),
            draining: AtomicBool::new(false),
        });
        let router = http::router(Arc::clone(&app));
        app.models.listens_on(addr.port());
        if app.models.needs_list() {
            // For some providers, the default model is known only from their list.
            let refreshed = app.models.refresh();
            let _ = tokio::time::timeout(FIRST_LIST, refreshed).await;
        }
        tracker.spawn(Arc::clone(&app.models).keep_fresh(cancel.clone()));
        tracker.spawn(go_on_with_goals(Arc::clone(&app), to_go_on));
        tracker.spawn(keep_sweeping(library, config.assets.keep_unused, cancel.clone()));
        tracker.spawn(keep_trimming(cancel.clone()));
        let admission = Arc::clone(&app.admission);
        tracker.spawn(accept(listener, admission, router, tracker.clone(), cancel));
        tracing::info!(%addr, model = app.models.default_id(), "the server answers");
        Ok(Self { addr, app })
    }

    /// Its address.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// The MCP servers of others.
    pub fn mcp(&self) -> &McpServers {
        &self.app.runs.mcp
    }

    /// The agents of others.
    pub fn agents(&self) -> &RemoteAgents {
        &self.app.runs.agents
    }

    /// Answers MCP over standard input and output, until the client closes them. The current session is kept in
    /// the data directory for the next time.
    pub async fn serve_mcp_stdio(&self) -> std::io::Result<()> {
        let page = Some(format!("http://{}", self.addr));
        let kept = self.app.data_dir.as_ref().map(|directory| directory.join("mcp-session"));
        mcp_server::serve_stdio(Arc::new(self.app.mcp_host(page, kept))).await
    }

    /// The model of new sessions.
    pub fn default_model(&self) -> String {
        self.app.models.default_id()
    }

    /// Closes all connections, cancels all work, and waits for it, at most a few seconds.
    pub async fn stop(self) {
        self.app.draining.store(true, Ordering::Relaxed);
        // New requests get a 503 rather than a refused connection.
        tokio::time::sleep(GRACE).await;
        self.app.cancel.cancel();
        self.app.tracker.close();
        if tokio::time::timeout(FAREWELL, self.app.tracker.wait()).await.is_err() {
            tracing::warn!("some clients did not say goodbye in time");
        }
        self.app.sessions.store().close().await;
        tracing::info!("the server has stopped");
    }
}

/// Opens the sessions that have a goal to work on: an open one works.
async fn go_on_with_goals(app: Arc<App>, sessions: Vec<String>) {
    for id in sessions {
        match app.sessions.get(&id).await {
            Ok(Some(_)) => {}
            // Deleted meanwhile.
            Ok(None) => app.runs.forget_goal(&id),
            Err(error) => tracing::warn!(%error, "the goal of a session cannot go on"),
        }
    }
}

/// What clients of a server with this limit on model calls are told of all limits.
fn limits(max_turns: u32, standing_approvals: bool) -> Limits {
    Limits {
        max_turns,
        max_message_bytes: MAX_MESSAGE,
        max_images: MAX_IMAGES,
        max_image_side: MAX_SIDE,
        max_samples: MAX_SAMPLES,
        max_shapes: scene::MAX_SHAPES,
        max_lights: scene::MAX_LIGHTS,
        standing_approvals,
    }
}

/// Returns free memory to the system from time to time, so that a crowd that has left costs nothing.
async fn keep_trimming(cancel: CancellationToken) {
    while cancel.run_until_cancelled(tokio::time::sleep(TRIM_EVERY)).await.is_some() {
        // It does not panic; a stopping runtime may drop it.
        let _ = tokio::task::spawn_blocking(allocator::return_free_memory).await;
    }
}

async fn accept(
    listener: TcpListener,
    admission: Arc<Admission>,
    router: Router,
    tracker: TaskTracker,
    cancel: CancellationToken,
) {
    loop {
        let (stream, address) = match cancel.run_until_cancelled(listener.accept()).await {
            None => return,
            Some(Ok(accepted)) => accepted,
            Some(Err(error)) => {
                // Out of file descriptors, or the client disconnected: pause, then continue.
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let permit = match admission.admit(address.ip()) {
            Ok(permit) => permit,
            Err(refused) => {
                refuse(stream, refused);
                continue;
            }
        };
        let (router, cancel) = (router.clone(), cancel.clone());
        let peer = Peer(address.ip());
        tracker.spawn(serve_connection(stream, peer, router, cancel, permit));
    }
}

/// Sends the reason of a rejected connection, without blocking.
fn refuse(stream: TcpStream, refused: AdmissionError) {
    tracing::debug!(%refused, "a connection was refused");
    let status = match refused {
        AdmissionError::Total(_) => "503 Service Unavailable",
        AdmissionError::Address(_) => "429 Too Many Requests",
    };
    let body = serde_json::json!({
        "type": "about:blank", "title": &status[4..], "status": status[..3].parse::<u16>().unwrap_or(503),
        "detail": refused.to_string(),
    })
    .to_string();
    let answer = format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/problem+json\r\nRetry-After: 5\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    // The buffer of a new connection is empty: this does not block.
    if let Ok(mut stream) = stream.into_std() {
        let _ = stream.write(answer.as_bytes());
        let _ = stream.shutdown(Shutdown::Write);
    }
}

async fn serve_connection(
    stream: TcpStream,
    peer: Peer,
    router: Router,
    cancel: CancellationToken,
    permit: ConnectionPermit,
) {
    // Send small messages at once.
    let _ = stream.set_nodelay(true);
    let service = hyper::service::service_fn(move |mut request: Request<Incoming>| {
        // A WebSocket upgraded from this connection outlives it, and holds its permit.
        request.extensions_mut().insert(permit.clone());
        request.extensions_mut().insert(peer);
        // A router is always ready.
        router.clone().call(request)
    });
    let mut stream = TimeoutStream::new(stream);
    // A client that reads nothing would keep the written data in memory forever.
    stream.set_write_timeout(Some(WRITE_TIMEOUT));
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .serve_connection(TokioIo::new(Box::pin(stream)), service)
        .with_upgrades();
    tokio::pin!(connection);
    tokio::select! {
        // A client that disconnects or does not speak HTTP is not worth a warning.
        result = connection.as_mut() => if let Err(error) = result {
            tracing::debug!(%error, "a connection ended early");
        },
        () = cancel.cancelled() => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}
