//! Real MCP servers: those of the protocol's makers from npm (`make test-rust` installs them), and a
//! tiny one for what they cannot do.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod harness;
mod odd;
mod recovery;
mod servers;
