//! The A2A server: agents of others hand requests to the built-in agent.
//!
//! A context is a session, a task is a message of the user and what the agent does for it. Nothing is kept beside
//! the log of events of the session: a task is what its events add up to. The library knows no HTTP; `server`
//! mounts it.

mod card;
mod error;
mod follow;
mod host;
mod message;
mod methods;
mod named;
mod task;
mod tasks;

pub use card::agent_card;
pub use host::Host;
pub use methods::{Answer, Call, answer};
pub use named::context_of;
