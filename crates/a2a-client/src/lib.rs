//! A2A client: agents of others as tools of our agent, to which it hands tasks.
//!
//! Agents are named by the operator. Their cards are read in the background and again from time to time.
//! What they say is untrusted: cards and answers are limited and sanitised, and every call needs the user's
//! approval unless the operator says otherwise.

mod agents;
mod card;
mod config;
mod connection;
mod delegation;
mod remote;
mod task;
mod tool;

pub use agents::{AgentPhase, AgentStatus, RemoteAgents};
pub use config::{DEFAULT_TIME_LIMIT, RemoteAgent};
