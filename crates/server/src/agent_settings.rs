//! What all runs of the server share: numbers, tools of MCP servers, and how the loop behaves.

use std::collections::BTreeSet;
use std::sync::Arc;

use agent::{Approvals, RunOptions, Tool, ToolIdentity, in_share};
use mcp_client::McpServers;

use crate::config::AgentConfig;
use crate::metrics::Metrics;
use crate::spending::{Spending, SpendingLimits};
use crate::standing_approvals::StandingApprovals;

/// What all runs share.
pub(crate) struct AgentSettings {
    /// Counts what runs do.
    pub(crate) metrics: Metrics,
    config: AgentConfig,
    /// What models may cost.
    pub(crate) spending: Arc<Spending>,
    /// MCP servers of others.
    pub(crate) mcp: McpServers,
    /// What the user has approved for all sessions.
    pub(crate) standing: Arc<StandingApprovals>,
    /// Whether the server has one user: the model may search the conversations of other sessions,
    /// and approvals may count for all of them.
    pub(crate) remembers: bool,
}

impl AgentSettings {
    /// Runs of these settings, with the tools of `mcp`.
    pub(crate) fn new(
        config: AgentConfig,
        mcp: McpServers,
        standing: StandingApprovals,
        spending: SpendingLimits,
        remembers: bool,
    ) -> Self {
        let (standing, spending) = (Arc::new(standing), Spending::new(spending));
        Self { metrics: Metrics::new(), config, spending, mcp, standing, remembers }
    }

    /// The tools of MCP servers as they are now, sorted by name; `taken` are names of our own tools.
    pub(crate) fn mcp_tools(&self, taken: &BTreeSet<String>) -> Vec<Arc<dyn Tool>> {
        self.mcp.tools(taken)
    }

    /// How a run of the session `id` behaves, in which the user has approved `remembered`.
    pub(crate) fn options(
        &self,
        id: &str,
        remembered: impl IntoIterator<Item = ToolIdentity>,
    ) -> RunOptions {
        let standing = Arc::clone(&self.standing);
        RunOptions {
            feedback: in_share(id, self.config.loop_share),
            guard: self.config.guard,
            limit_words: self.config.limit_words,
            approvals: Approvals::new(remembered, Arc::new(move |tool| standing.contains(tool))),
            ..RunOptions::default()
        }
    }
}
