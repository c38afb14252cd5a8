//! All agents of a configuration.

use std::collections::BTreeSet;
use std::sync::Arc;

use agent::Tool;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::config::RemoteAgent;
use crate::remote::Remote;
use crate::tool::{Delegate, tool_name};

/// The agents of a configuration. Their cards are read in the background.
#[derive(Default)]
pub struct RemoteAgents {
    agents: Vec<Arc<Remote>>,
}

impl RemoteAgents {
    /// Begins to read all cards, and returns at once. `tracker` owns the tasks, `cancel` ends them.
    pub fn start(
        config: &[RemoteAgent],
        tracker: &TaskTracker,
        cancel: &CancellationToken,
    ) -> Self {
        let mut agents = Vec::new();
        for config in config {
            let agent = match Remote::new(config.clone(), tracker.clone()) {
                Ok(agent) => Arc::new(agent),
                Err(why) => {
                    tracing::error!("the agent '{}' cannot be used: {why}", config.name);
                    continue;
                }
            };
            let (reading, cancel) = (Arc::clone(&agent), cancel.clone());
            tracker.spawn(async move { cancel.run_until_cancelled(reading.keep_card()).await });
            agents.push(agent);
        }
        Self { agents }
    }

    /// A tool for each agent whose card was read. None has a name in `taken`.
    pub fn tools(&self, taken: &BTreeSet<String>) -> Vec<Arc<dyn Tool>> {
        let tool = |agent: &Arc<Remote>| {
            let card = agent.card.borrow().clone()?;
            let name = tool_name(&agent.config.name);
            if taken.contains(&name) {
                return None;
            }
            Some(Arc::new(Delegate::new(name, Arc::clone(agent), card)) as Arc<dyn Tool>)
        };
        self.agents.iter().filter_map(tool).collect()
    }

    /// Waits until all cards were read.
    pub async fn ready(&self) {
        for agent in &self.agents {
            // The sender is ours.
            let _ = agent.card.subscribe().wait_for(Option::is_some).await;
        }
    }
}
