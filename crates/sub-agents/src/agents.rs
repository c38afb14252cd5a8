//! All agents of a program.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use agent::Tool;

use crate::bench::Bench;
use crate::delegate::Delegate;
use crate::file::{AgentError, SubAgent};

/// Name and text of each built-in file.
const FILES: [(&str, &str); 3] = [
    ("critic.toml", include_str!("../../../agents/critic.toml")),
    ("lighting_artist.toml", include_str!("../../../agents/lighting_artist.toml")),
    ("set_dresser.toml", include_str!("../../../agents/set_dresser.toml")),
];

/// All agents, by name.
#[derive(Debug, Clone, Default)]
pub struct SubAgents {
    all: BTreeMap<String, Arc<SubAgent>>,
}

impl SubAgents {
    /// Adds an agent; one of the same name gives way.
    pub fn add(&mut self, agent: SubAgent) {
        self.all.insert(agent.name.clone(), Arc::new(agent));
    }

    /// All of them, by name.
    pub fn iter(&self) -> impl Iterator<Item = &SubAgent> {
        self.all.values().map(|agent| &**agent)
    }

    /// A tool for each agent, which works at `bench`. None has a name in `taken`.
    pub fn tools(&self, bench: &Arc<Bench>, taken: &BTreeSet<String>) -> Vec<Arc<dyn Tool>> {
        let free = self.all.values().filter(|agent| !taken.contains(&agent.tool_name()));
        free.map(|agent| Arc::new(Delegate::new(Arc::clone(agent), Arc::clone(bench))) as _)
            .collect()
    }
}

/// The built-in agents.
pub fn built_in_agents() -> Result<SubAgents, AgentError> {
    let mut agents = SubAgents::default();
    for (file, text) in FILES {
        agents.add(SubAgent::parse(file, text)?);
    }
    Ok(agents)
}
