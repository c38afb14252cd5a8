//! Tools of outside MCP servers, as tools of the agent.
//!
//! Servers are reached over stdio (a process of ours) or streamable HTTP. Their tools bear their
//! server's name in front, and every call waits for the user's leave unless the configuration says
//! otherwise.

mod config;
mod connect;
mod tool;

pub use config::{ConfigError, ServerConfig, Servers, Transport};
pub use connect::{Outside, OutsideError};
