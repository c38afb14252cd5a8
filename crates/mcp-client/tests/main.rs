//! Tests with real MCP servers: those of the MCP project from npm (`make test-rust` installs them),
//! and a small one for errors that they never make.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod harness;
mod odd;
mod recovery;
mod servers;
