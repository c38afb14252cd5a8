//! Real MCP servers: those of the protocol's makers from npm (`make test-rust` installs them), and a
//! tiny one for what they cannot do.

mod harness;
mod odd;
mod recovery;
mod servers;
