//! Sessions of this process alone, which nobody else reaches and which end with it.

use std::sync::Arc;

use a2a_client::RemoteAgents;
use assets::{Blobs, Library, LibraryError};
use mcp_client::McpServers;
use session::{Environment, Sessions, TurnLimits};
use store::{MemoryStore, Store};
use studio::Renderer;
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;

use crate::config::{AgentConfig, ModelsConfig};
use crate::models::{Models, ModelsError};
use crate::own_files::{sub_agents, workflows};
use crate::run_host::{MeteredModels, ServerRuns};
use crate::shares::SharedLimits;
use crate::spending::SpendingLimits;
use crate::working_goals::WorkingGoals;

/// Bytes of uploads: these sessions get none.
const MAX_ASSET_BYTES: u64 = 1 << 20;

/// Sessions in memory. Dropping them ends their tasks.
pub struct InMemorySessions {
    sessions: Sessions,
    models: Arc<Models>,
    _at_end: DropGuard,
}

/// An error at the start.
#[derive(Debug, thiserror::Error)]
pub enum InMemoryError {
    /// The configuration of models is invalid.
    #[error(transparent)]
    Models(#[from] ModelsError),
    /// There is no such model.
    #[error("there is no model '{asked}'; the models are: {known}")]
    UnknownModel {
        /// The requested one.
        asked: String,
        /// The available ones.
        known: String,
    },
    /// The renderer's threads could not be started.
    #[error("the renderer could not start: {0}")]
    Renderer(#[from] rayon::ThreadPoolBuildError),
    /// The library of assets could not be opened.
    #[error("{0}")]
    Assets(#[from] LibraryError),
}

impl InMemorySessions {
    /// Sessions with these models, whose runs may make `max_turns` model calls.
    pub async fn new(models: ModelsConfig, max_turns: u32) -> Result<Self, InMemoryError> {
        let models = Arc::new(Models::new(models)?);
        let asked = models.default_id();
        if models.open(&asked).is_none() {
            let list = models.list();
            let known: Vec<&str> = list.iter().map(|model| model.id.as_str()).collect();
            return Err(InMemoryError::UnknownModel { asked, known: known.join(", ") });
        }
        let (tracker, cancel) = (TaskTracker::new(), CancellationToken::new());
        let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
        let blobs = Blobs::in_memory();
        let library = Library::open(Arc::clone(&store), blobs, MAX_ASSET_BYTES, tracker.clone());
        let library = Arc::new(library.await?);
        let renderer = Renderer::new(0)?.with_assets(Arc::clone(&library) as _);
        let metered =
            MeteredModels::new(Arc::clone(&models), SpendingLimits::default(), Arc::default());
        let environment = Environment {
            store,
            library,
            models: Arc::new(metered),
            host: Arc::new(ServerRuns::new(
                AgentConfig::default(),
                McpServers::default(),
                RemoteAgents::default(),
                WorkingGoals::new(None),
            )),
            standing: None,
            workflows: Arc::new(workflows(None)),
            agents: Arc::new(sub_agents(None)),
            searches_sessions: false,
            // What a model builds is judged without help.
            own_objects: Arc::default(),
            sets_stage: false,
            turn_limits: TurnLimits::all(max_turns),
            max_sessions: SharedLimits::default().sessions,
            max_bytes: SharedLimits::default().session_bytes,
            tracker,
            stopping: cancel.clone(),
        };
        let sessions = Sessions::new(environment, renderer);
        Ok(Self { sessions, models, _at_end: cancel.drop_guard() })
    }

    /// The sessions.
    pub fn sessions(&self) -> &Sessions {
        &self.sessions
    }

    /// The model of new sessions.
    pub fn default_model(&self) -> String {
        self.models.default_id()
    }
}
