//! The server's implementation of the session traits: models within the spending limits, and a host for
//! runs with metrics and MCP servers.

use std::collections::BTreeSet;
use std::sync::Arc;

use a2a_client::RemoteAgents;
use agent::{Event, Outcome, RunOptions, Tool, Toolbox, in_share};
use llm::LanguageModel;
use mcp_client::McpServers;
use studio::Bound;

use crate::config::AgentConfig;
use crate::local_model::{Apart, queue};
use crate::metrics::Metrics;
use crate::models::{Models, OFFLINE};
use crate::queue::Queue;
use crate::shares::{Asker, Talkers};
use crate::spending::{Spending, SpendingLimits};
use crate::working_goals::WorkingGoals;

/// The resources shared by all runs.
pub(crate) struct ServerRuns {
    /// The metrics.
    pub(crate) metrics: Metrics,
    config: AgentConfig,
    /// MCP servers of others.
    pub(crate) mcp: McpServers,
    /// Agents of others.
    pub(crate) agents: RemoteAgents,
    working_goals: WorkingGoals,
}

impl ServerRuns {
    /// A host for runs with these settings, the tools of `mcp` and those of `agents`.
    pub(crate) fn new(
        config: AgentConfig,
        mcp: McpServers,
        agents: RemoteAgents,
        working_goals: WorkingGoals,
    ) -> Self {
        Self { metrics: Metrics::new(), config, mcp, agents, working_goals }
    }

    /// Removes the mark of a session that is gone.
    pub(crate) fn forget_goal(&self, session: &str) {
        self.working_goals.mark(session, false);
    }
}

impl session::RunHost for ServerRuns {
    fn options(&self, id: &str) -> RunOptions {
        RunOptions {
            feedback: in_share(id, self.config.loop_share),
            guard: self.config.guard,
            limit_words: self.config.limit_words,
            ..RunOptions::default()
        }
    }

    fn tools(&self, taken: &BTreeSet<String>) -> Vec<Arc<dyn Tool>> {
        let mut tools = self.mcp.tools(taken);
        let mut taken = taken.clone();
        taken.extend(tools.iter().map(|tool| tool.name().to_owned()));
        tools.extend(self.agents.tools(&taken));
        tools
    }

    fn on_event(&self, event: &Event, tools: &Toolbox) {
        self.metrics.event(event, tools);
    }

    fn on_goal(&self, session: &str, is_working: bool) {
        self.working_goals.mark(session, is_working);
    }

    fn on_owned(&self) {
        self.metrics.session_opened();
    }

    fn on_fenced(&self, session: &str) {
        tracing::warn!(session, "an append was refused: another server owns the session");
        self.metrics.append_fenced();
    }

    fn on_lost(&self, session: &str) {
        tracing::warn!(session, "another server owns the session now");
        self.metrics.session_lost();
    }

    fn on_finished(&self, outcome: &Outcome, feedback: bool) {
        self.metrics.run_finished(outcome, feedback);
    }
}

/// The models of this server, within its spending limits.
pub(crate) struct MeteredModels {
    models: Arc<Models>,
    spending: Arc<Spending>,
    /// The requests of the built-in model.
    local: Arc<Queue>,
    talkers: Arc<Talkers>,
}

impl MeteredModels {
    /// Requests for a session count for the address of `talkers` that talked to it last.
    pub(crate) fn new(models: Arc<Models>, limits: SpendingLimits, talkers: Arc<Talkers>) -> Self {
        Self { models, spending: Spending::new(limits), local: queue(), talkers }
    }

    /// The limits of requests to models.
    pub(crate) fn bounds(&self) -> impl Iterator<Item = Bound> {
        self.spending.bounds().into_iter().chain(self.local.bounds())
    }
}

impl session::Models for MeteredModels {
    fn default_id(&self) -> String {
        self.models.default_id()
    }

    fn contains(&self, id: &str) -> bool {
        self.models.contains(id)
    }

    fn ids(&self) -> Vec<String> {
        self.models.list().iter().map(|model| model.id.clone()).collect()
    }

    fn open(&self, id: &str, session: &str, used_tokens: u64) -> Option<Arc<dyn LanguageModel>> {
        let model = self.models.open(id)?;
        let asker = Asker { session: session.into(), talkers: Arc::clone(&self.talkers) };
        // The built-in model runs locally and is free.
        Some(if id == OFFLINE {
            Arc::new(Apart { model, queue: Arc::clone(&self.local), asker })
        } else {
            self.spending.metered(model, asker, used_tokens)
        })
    }

    fn is_scripted(&self) -> bool {
        self.models.is_scripted()
    }

    fn can_plan(&self, id: &str) -> bool {
        id != OFFLINE
    }

    fn cost(&self, id: &str, usage: &llm::Usage) -> Option<f64> {
        self.models.cost(id, usage)
    }
}
