//! What all runs of the server share: numbers, outside tools, and how the loop behaves.

use agent::{Approvals, RunOptions, Tool, in_share};
use std::sync::Arc;

use outside::Outside;

use crate::config::AgentConfig;
use crate::metrics::Metrics;
use crate::spending::{Spending, SpendingLimits};

/// What all runs share.
pub(crate) struct AgentSettings {
    /// Counts what runs do.
    pub(crate) metrics: Metrics,
    config: AgentConfig,
    outside: Outside,
    /// What models may cost.
    pub(crate) spending: Arc<Spending>,
    /// Whether the model may search the conversations of other sessions.
    pub(crate) remembers: bool,
}

impl AgentSettings {
    /// Runs of these settings, with the tools of `outside`.
    pub(crate) fn new(
        config: AgentConfig,
        outside: Outside,
        spending: SpendingLimits,
        remembers: bool,
    ) -> Self {
        let spending = Spending::new(spending);
        Self { metrics: Metrics::new(), config, outside, spending, remembers }
    }

    /// The tools of outside servers.
    pub(crate) fn outside_tools(&self) -> Vec<Arc<dyn Tool>> {
        self.outside.tools().to_vec()
    }

    /// How a run of the session `id` behaves; `approvals` is where the user's leave comes in.
    pub(crate) fn options(&self, id: &str, approvals: Approvals) -> RunOptions {
        RunOptions {
            feedback: in_share(id, self.config.loop_share),
            guard: self.config.guard,
            limit_words: self.config.limit_words,
            approvals,
            ..RunOptions::default()
        }
    }
}
