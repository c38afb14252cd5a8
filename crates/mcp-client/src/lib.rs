//! Client of MCP servers of others: their tools as tools of the agent.
//!
//! Servers are reached over stdio (a process of ours) or streamable HTTP. They are connected in the
//! background and started again when they end. What they say is data: names, descriptions, schemas
//! and results are bounded and made fit for every provider, and every call waits for the user's
//! approval unless the operator says otherwise.

mod config;
mod connection;
mod environment;
mod http_client;
mod listing;
mod names;
mod result;
mod schema;
mod server;
mod servers;
mod text;
mod tool;

pub use config::{Ask, ConfigError, DEFAULT_TIMEOUT, ServerConfig, Servers, Transport};
pub use servers::{MAX_TOOLS_IN_ALL, McpServers, ServerPhase, ServerStatus};
