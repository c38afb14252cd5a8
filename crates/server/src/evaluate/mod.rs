//! Goals held against a model, in this process, through the same sessions that clients talk to.

mod conversation;

use std::sync::Arc;
use std::time::Duration;

use assets::{Blobs, KeepError, Library};
use evaluation::{Goal, GoalResult, Report};
use futures_util::{StreamExt, stream};
use mcp_client::McpServers;
use store::{MemoryStore, Store};
use studio::Renderer;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::agent_settings::AgentSettings;
use crate::config::{AgentConfig, ModelsConfig};
use crate::models::{Models, ModelsError};
use crate::serve::limits;
use crate::session::Sessions;
use crate::spending::SpendingLimits;
use crate::standing_approvals::StandingApprovals;

/// How goals are held against a model.
#[derive(Debug, Clone)]
pub struct Evaluation {
    /// Which models there are; its `model` is the one that is looked at.
    pub models: ModelsConfig,
    /// Dialogues at the same time.
    pub jobs: usize,
    /// The most model calls for one message.
    pub max_turns: u32,
    /// The most time for one message.
    pub time_limit: Duration,
}

/// Why nothing could be evaluated.
#[derive(Debug, thiserror::Error)]
pub enum EvaluationFault {
    /// The models are misconfigured.
    #[error(transparent)]
    Models(#[from] ModelsError),
    /// There is no such model.
    #[error("there is no model '{asked}'; the models are: {known}")]
    UnknownModel {
        /// What was asked for.
        asked: String,
        /// What there is.
        known: String,
    },
    /// The renderer's threads could not be started.
    #[error("the renderer could not start: {0}")]
    Renderer(#[from] rayon::ThreadPoolBuildError),
    /// Assets could not be kept in memory.
    #[error("{0}")]
    Assets(#[from] KeepError),
}

/// The most bytes of uploads: goals bring none.
const MOST_ASSET_BYTES: u64 = 1 << 20;

impl Evaluation {
    /// Talks to the model about every goal, and checks what came of it. `told` hears of each goal as
    /// it is done, in no order.
    pub async fn run(
        &self,
        goals: &[Goal],
        mut told: impl FnMut(&GoalResult),
    ) -> Result<Report, EvaluationFault> {
        let models = Arc::new(Models::new(self.models.clone())?);
        let model = models.default_id();
        if models.open(&model).is_none() {
            let list = models.list();
            let known: Vec<&str> = list.iter().map(|model| model.id.as_str()).collect();
            return Err(EvaluationFault::UnknownModel { asked: model, known: known.join(", ") });
        }
        let (tracker, cancel) = (TaskTracker::new(), CancellationToken::new());
        // Whatever ends this ends the sessions' tasks.
        let _at_end = cancel.clone().drop_guard();
        let sessions = self.sessions(models, &tracker, &cancel).await?;
        let mut running = stream::iter(goals.iter().enumerate())
            .map(|(number, goal)| {
                let held = conversation::hold(&sessions, goal, self.time_limit);
                async move { (number, held.await) }
            })
            .buffer_unordered(self.jobs.max(1));
        let mut results = Vec::with_capacity(goals.len());
        while let Some((number, result)) = running.next().await {
            told(&result);
            results.push((number, result));
        }
        results.sort_by_key(|(number, _)| *number);
        let goals = results.into_iter().map(|(_, result)| result).collect();
        Ok(Report { model, goals })
    }

    async fn sessions(
        &self,
        models: Arc<Models>,
        tracker: &TaskTracker,
        cancel: &CancellationToken,
    ) -> Result<Sessions, EvaluationFault> {
        let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
        let library = Library::open(
            Arc::clone(&store),
            Blobs::in_memory(),
            MOST_ASSET_BYTES,
            tracker.clone(),
        );
        let library = Arc::new(library.await?);
        let renderer = Renderer::new(0)?.with_assets(Arc::clone(&library) as _);
        let agent = AgentSettings::new(
            AgentConfig::default(),
            McpServers::default(),
            StandingApprovals::default(),
            SpendingLimits::default(),
            false,
        );
        Ok(Sessions::new(
            store,
            false,
            library,
            models,
            Arc::new(agent),
            renderer,
            limits(self.max_turns, false),
            tracker.clone(),
            cancel.clone(),
        ))
    }
}
