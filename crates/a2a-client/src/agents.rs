//! All agents of a configuration.

use std::collections::BTreeSet;
use std::sync::Arc;

use agent::Tool;
use serde::Serialize;
use supervision::supervised;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::config::RemoteAgent;
use crate::remote::{Known, Remote};
use crate::tool::{Delegate, tool_name};

/// The status of an agent for the operator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AgentStatus {
    /// Its name.
    pub name: String,
    /// Its phase.
    pub state: AgentPhase,
    /// Why its card could not be read when it was tried last, without secrets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The tool that hands it a task.
    pub tool: String,
    /// What its card says of it, cut and sanitised.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// The longest time of a task in seconds.
    pub time_limit: u64,
    /// Whether each task waits for the user's approval.
    pub ask: bool,
}

/// The phase of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentPhase {
    /// Its card is being read for the first time.
    Connecting,
    /// Its card was read; it can be handed tasks.
    Ready,
    /// Its card cannot be read; that is tried again.
    Waiting,
    /// Misconfigured; it is not tried again.
    Failed,
}

/// The agents of a configuration. Their cards are read in the background.
#[derive(Default)]
pub struct RemoteAgents {
    agents: Vec<Arc<Remote>>,
    /// Those that cannot be used, with the reason.
    failed: Vec<(RemoteAgent, String)>,
}

impl RemoteAgents {
    /// Begins to read all cards, and returns at once. `tracker` owns the tasks, `cancel` ends them.
    pub fn start(
        config: &[RemoteAgent],
        tracker: &TaskTracker,
        cancel: &CancellationToken,
    ) -> Self {
        let (mut agents, mut failed) = (Vec::new(), Vec::new());
        for config in config {
            let agent = match Remote::new(config.clone(), tracker.clone()) {
                Ok(agent) => Arc::new(agent),
                Err(why) => {
                    tracing::error!("the agent '{}' cannot be used: {why}", config.name);
                    failed.push((config.clone(), why));
                    continue;
                }
            };
            let (reading, cancel) = (Arc::clone(&agent), cancel.clone());
            let keeping = supervised("an agent's card", move || Arc::clone(&reading).keep_card());
            tracker.spawn(async move { cancel.run_until_cancelled(keeping).await });
            agents.push(agent);
        }
        Self { agents, failed }
    }

    /// A tool for each agent whose card was read. None has a name in `taken`.
    pub fn tools(&self, taken: &BTreeSet<String>) -> Vec<Arc<dyn Tool>> {
        let tool = |agent: &Arc<Remote>| {
            let card = agent.known.borrow().card.clone()?;
            let name = tool_name(&agent.config.name);
            if taken.contains(&name) {
                return None;
            }
            Some(Arc::new(Delegate::new(name, Arc::clone(agent), card)) as Arc<dyn Tool>)
        };
        self.agents.iter().filter_map(tool).collect()
    }

    /// The status of each agent, in the order of the configuration, those that cannot be used last.
    pub fn status(&self) -> Vec<AgentStatus> {
        let status = |config: &RemoteAgent, state, error, about| AgentStatus {
            name: config.name.clone(),
            state,
            error,
            tool: tool_name(&config.name),
            about,
            time_limit: config.time_limit.as_secs(),
            ask: config.ask,
        };
        let usable = self.agents.iter().map(|agent| {
            let Known { card, error } = agent.known.borrow().clone();
            let state = match (&card, &error) {
                (Some(_), _) => AgentPhase::Ready,
                (None, None) => AgentPhase::Connecting,
                (None, Some(_)) => AgentPhase::Waiting,
            };
            status(&agent.config, state, error, card.map(|card| card.about.clone()))
        });
        let failed = self.failed.iter();
        let failed =
            failed.map(|(config, why)| status(config, AgentPhase::Failed, Some(why.clone()), None));
        usable.chain(failed).collect()
    }

    /// Waits until all cards were read.
    pub async fn ready(&self) {
        for agent in &self.agents {
            // The sender is ours.
            let _ = agent.known.subscribe().wait_for(|known| known.card.is_some()).await;
        }
    }
}
