//! The running server: it listens, serves connections within limits, and shuts down gracefully.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use a2a_client::RemoteAgents;
use assets::Library;
use mcp_client::McpServers;
use protocol::Limits;
use session::{Environment, MAX_IMAGES, OpenError, Sessions, StandingApprovals, TurnLimits};
use store::StoreError;
use studio::{MAX_SAMPLES, MAX_SIDE, Renderer};
use supervision::{guarded, supervised};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::admission::Admission;
use crate::config::{Config, Storage};
use crate::connections::accept;
use crate::http::{
    self, App, Jobs, MAX_MESSAGE, MissedEvents, Nodes, OperatorToken, SceneTexts, Thumbnails,
    TierTokens, WorkerToken,
};
use crate::listen::listen;
use crate::models::Models;
use crate::own_files::{sub_agents, workflows};
use crate::own_objects::UserObjects;
use crate::run_host::{MeteredModels, ServerRuns};
use crate::shares::Shares;
use crate::start_error::StartError;
use crate::storage::{keep_sweeping, open_library, open_store, sweep};
use crate::take_over::keep_taking_over;
use crate::wire::AboutServer;
use crate::working_goals::WorkingGoals;

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
    /// The tasks of sessions and their runs.
    sessions: TaskTracker,
    /// Cancelled when servers and agents of others are no longer needed.
    outside: CancellationToken,
}

impl Server {
    /// Starts a server; it accepts connections when this returns.
    pub async fn start(config: Config) -> Result<Self, StartError> {
        allocator::map_large_blocks();
        let addr = config.addr;
        // Host names are for a proxy in front, through which others come.
        let others_may_come = !addr.ip().is_loopback() || !config.allowed_hosts.is_empty();
        if others_may_come && config.models.has_keys() && config.token.is_none() && !config.open {
            let hosts = config.allowed_hosts.join(", ");
            return Err(StartError::OpenWallet { addr, hosts });
        }
        let listener = listen(addr).map_err(|reason| StartError::Listen { addr, reason })?;
        let addr = listener.local_addr().map_err(|reason| StartError::Listen { addr, reason })?;
        let cluster_address = config.cluster_address.unwrap_or_else(|| addr.to_string());
        let models = Arc::new(Models::new(config.models)?);
        let (tracker, cancel) = (TaskTracker::new(), CancellationToken::new());
        let (session_tasks, outside) = (TaskTracker::new(), CancellationToken::new());
        // Loads the data of the built-in model before its first request.
        tracker.spawn_blocking(offline::Offline::warm);
        let store = open_store(&config.storage, cluster_address).await?;
        let most_bytes = config.assets.most_bytes;
        let library = open_library(&config.storage, &store, most_bytes, &tracker).await?;
        // Before anything is collected: what objects are made of stays.
        let own_objects =
            UserObjects::open(&config.storage, config.lists_sessions, Arc::clone(&library)).await;
        sweep(&library, config.assets.keep_unused).await;
        let renderer = Renderer::new(config.render_threads)?.with_limits(config.limits.render);
        let renderer = renderer.with_assets(Arc::clone(&library) as _);
        let durable = config.storage != Storage::InMemory;
        let mcp = McpServers::start(&config.agent.mcp, &tracker, &outside);
        let agents = RemoteAgents::start(&config.agent.agents, &tracker, &outside);
        let data_dir = config.storage.directory().map(Path::to_owned);
        let standing = || Arc::new(StandingApprovals::open(data_dir.as_deref()));
        let standing = config.lists_sessions.then(standing);
        let working_goals = WorkingGoals::new(data_dir.as_deref());
        let to_go_on = working_goals.sessions();
        let tiers = TierTokens::new(&config.agent.tiers);
        let of_tiers = config.agent.tiers.iter().map(|tier| (tier.name.clone(), tier.max_turns));
        let of_tiers = of_tiers.collect();
        let runs = Arc::new(ServerRuns::new(config.agent, mcp, agents, working_goals));
        let workflows = Arc::new(workflows(data_dir.as_deref()));
        let shares = Shares::new(config.limits);
        let talkers = Arc::clone(shares.talkers());
        let metered = MeteredModels::new(Arc::clone(&models), config.spending, talkers);
        let metered = Arc::new(metered);
        let environment = Environment {
            store,
            library: Arc::clone(&library),
            models: Arc::clone(&metered) as _,
            host: Arc::clone(&runs) as _,
            standing: standing.clone(),
            workflows: Arc::clone(&workflows),
            agents: Arc::new(sub_agents(data_dir.as_deref())),
            searches_sessions: config.lists_sessions,
            own_objects: Arc::clone(own_objects.list()),
            sets_stage: config.sets_stage,
            turn_limits: TurnLimits { usual: config.max_turns, of_tiers },
            max_sessions: config.limits.sessions,
            max_bytes: config.limits.session_bytes,
            tracker: session_tasks.clone(),
            stopping: cancel.clone(),
        };
        let sessions = Arc::new(Sessions::new(environment, renderer.clone()));
        let nodes = matches!(config.storage, Storage::InDatabase { .. })
            .then(|| Nodes::new(Arc::clone(sessions.store()), tracker.clone(), cancel.clone()));
        let app = Arc::new(App {
            sessions,
            nodes,
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
            shares,
            jobs: Jobs::new(config.limits, cancel.clone()),
            scene_texts: SceneTexts::within(config.limits.answer_bytes),
            missed: MissedEvents::default(),
            most_asset_bytes: config.assets.most_bytes_each,
            lists_sessions: config.lists_sessions,
            allowed_hosts: config.allowed_hosts,
            token: config.token.map(OperatorToken::new),
            worker_token: config.worker_token.map(WorkerToken::new),
            tiers,
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
        tracker.spawn(go_on_with_goals(Arc::clone(&app), to_go_on));
        supervise(&app, library, config.assets.keep_unused);
        let (listener, accepting) = (Arc::new(listener), Arc::clone(&app));
        tracker.spawn(supervised("connections", move || {
            accept(Arc::clone(&listener), Arc::clone(&accepting), router.clone())
        }));
        tracing::info!(%addr, model = app.models.default_id(), "the server answers");
        Ok(Self { addr, app, sessions: session_tasks, outside })
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
        let page = format!("http://{}", self.addr);
        let kept = self.app.data_dir.as_ref().map(|directory| directory.join("mcp-session"));
        mcp_server::serve_stdio(Arc::new(self.app.mcp_host().with_one_client(page, kept))).await
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
        self.sessions.close();
        // A run's last calls may need the servers of others.
        if tokio::time::timeout(FAREWELL, self.sessions.wait()).await.is_err() {
            tracing::warn!("some runs did not end in time");
        }
        self.outside.cancel();
        self.app.tracker.close();
        if tokio::time::timeout(FAREWELL, self.app.tracker.wait()).await.is_err() {
            tracing::warn!("some clients did not say goodbye in time");
        }
        // What was acknowledged is saved. A database that cannot be reached would be waited for without end.
        if tokio::time::timeout(FAREWELL, self.app.sessions.store().close()).await.is_err() {
            tracing::warn!("the database was not closed in time");
        }
        tracing::info!("the server has stopped");
    }
}

/// Starts what the server does from time to time.
fn supervise(app: &Arc<App>, library: Arc<Library>, keep_unused: Duration) {
    let (models, cancel) = (Arc::clone(&app.models), app.cancel.clone());
    app.tracker.spawn(supervised("lists of models", move || {
        Arc::clone(&models).keep_fresh(cancel.clone())
    }));
    let cancel = app.cancel.clone();
    app.tracker.spawn(supervised("sweeping", move || {
        keep_sweeping(Arc::clone(&library), keep_unused, cancel.clone())
    }));
    if app.nodes.is_some() {
        let (taking, cancel) = (Arc::clone(app), app.cancel.clone());
        app.tracker.spawn(supervised("taking over", move || {
            keep_taking_over(Arc::clone(&taking), cancel.clone())
        }));
    }
    let trimming = Arc::clone(app);
    app.tracker.spawn(supervised("trimming", move || keep_trimming(Arc::clone(&trimming))));
}

/// Opens the sessions that have a goal to work on: an open one works.
async fn go_on_with_goals(app: Arc<App>, sessions: Vec<String>) {
    for id in sessions {
        // One that panics is left as it is, and the others go on.
        let Some(opened) = guarded("going on with goals", app.sessions.get(&id)).await else {
            continue;
        };
        match opened {
            Ok(Some(_)) => {}
            // Deleted meanwhile.
            Ok(None) => app.runs.forget_goal(&id),
            // It works there.
            Err(OpenError::Store(StoreError::Elsewhere { .. })) => {}
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
async fn keep_trimming(app: Arc<App>) {
    let cancel = app.cancel.clone();
    while cancel.run_until_cancelled(tokio::time::sleep(TRIM_EVERY)).await.is_some() {
        let app = Arc::clone(&app);
        // It does not panic; a stopping runtime may drop it.
        let trimmed = tokio::task::spawn_blocking(move || {
            app.renderer.forget_unused();
            app.scene_texts.forget_unused();
            app.shares.talkers().keep(|session| app.sessions.is_in_memory(session));
            offline::Offline::forget_unused();
            allocator::return_free_memory();
        });
        let _ = trimmed.await;
    }
}
