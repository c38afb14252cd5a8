//! The MCP server: agents of others build and edit scenes with the tools that the built-in agent has.
//!
//! It is a thin door: each call is a command of a session, which is saved before it is answered. The page shows
//! it while it happens.

mod calls;
mod changes;
mod client;
mod current;
mod follow;
mod host;
mod in_order;
mod owners;
mod pictures;
mod plain_errors;
mod progress;
mod prompts;
mod recent;
mod refusal;
mod relay;
mod resources;
mod scene_server;
mod tools;
mod transport;
mod view;

pub use client::Client;
pub use host::Host;
pub use owners::{AskError, Caller, Owners, Place};
pub use transport::{Connections, HttpService, MAX_CONNECTIONS, http_service, serve_stdio};
