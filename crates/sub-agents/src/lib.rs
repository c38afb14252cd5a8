//! Agents that work for the model of a session: each is a file and a tool that hands it a task. It has its own
//! history, its own limits, and a part of the scene that it may change, which is checked where edits are applied.

mod agents;
mod bench;
mod delegate;
mod file;
mod turns;
mod work;

pub use agents::{SubAgents, built_in_agents};
pub use bench::{Bench, OpenModel, OpenedModel};
pub use file::{AgentError, SubAgent, WorkLimits};
pub use turns::MAX_AT_ONCE;
