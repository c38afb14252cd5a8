//! MCP client: tools of external MCP servers as tools of the agent.
//!
//! Servers are reached over stdio (a child process) or streamable HTTP. They are connected in the
//! background and restarted when they end. Their output is untrusted: names, descriptions, schemas and
//! results are limited and converted to what every provider accepts, and every call needs the user's
//! approval unless the operator says otherwise.

mod config;
mod connection;
mod environment;
mod http_client;
mod listing;
mod names;
mod progress;
mod result;
mod schema;
mod server;
mod servers;
mod tool;

pub use config::{Ask, ConfigError, DEFAULT_TIMEOUT, ServerConfig, Servers, Transport};
pub use servers::{MAX_TOOLS_IN_ALL, McpServers, ServerPhase, ServerStatus};
