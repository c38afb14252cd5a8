//! Which servers there are.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

/// The servers of a configuration file, in the form many MCP clients share:
/// `{"mcpServers": {"NAME": {"command", "args"?, "env"?} or {"url", "headers"?}}}`, each also with
/// `"ask"?` (true) and `"timeout_seconds"?` (60).
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct Servers {
    /// By name.
    #[serde(rename = "mcpServers")]
    pub servers: BTreeMap<String, ServerConfig>,
}

/// One server.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct ServerConfig {
    /// How it is reached.
    #[serde(flatten)]
    pub transport: Transport,
    /// Whether each call waits for the user's leave.
    #[serde(default = "yes")]
    pub ask: bool,
    /// How long a call, or the first greeting, may take.
    #[serde(default = "a_minute")]
    pub timeout_seconds: u64,
}

impl ServerConfig {
    /// How long a call may take.
    pub(crate) fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout_seconds)
    }
}

/// How a server is reached.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Transport {
    /// A process that speaks on its standard input and output; it ends with us.
    Process {
        /// The program.
        command: PathBuf,
        /// Its arguments.
        #[serde(default)]
        args: Vec<String>,
        /// Variables beside those of our own process.
        #[serde(default)]
        env: BTreeMap<String, String>,
    },
    /// Streamable HTTP.
    Http {
        /// The address.
        url: String,
        /// Headers of every request, e.g. `Authorization`.
        #[serde(default)]
        headers: BTreeMap<String, String>,
    },
}

fn yes() -> bool {
    true
}

fn a_minute() -> u64 {
    60
}

/// Why a configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read '{}': {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: std::io::Error,
    },
    /// The file is not in its form.
    #[error("'{}' is no configuration of MCP servers: {reason}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: serde_json::Error,
    },
}

impl Servers {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|reason| ConfigError::Unreadable { path: path.to_owned(), reason })?;
        serde_json::from_str(&text)
            .map_err(|reason| ConfigError::Malformed { path: path.to_owned(), reason })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_read_in_the_form_many_clients_share() {
        let text = r#"{"mcpServers": {
            "files": {"command": "mcp-files", "args": ["/data"], "env": {"A": "b"}, "ask": false},
            "web": {"url": "https://example.org/mcp", "headers": {"Authorization": "Bearer x"}}}}"#;
        let servers: Servers = serde_json::from_str(text).unwrap();
        let files = &servers.servers["files"];
        assert!(matches!(&files.transport, Transport::Process { command, .. }
            if command.as_os_str() == "mcp-files"));
        assert!(!files.ask);
        let web = &servers.servers["web"];
        assert!(matches!(&web.transport, Transport::Http { url, .. } if url.ends_with("/mcp")));
        assert!(web.ask && web.timeout() == Duration::from_secs(60));
        assert!(serde_json::from_str::<Servers>(r#"{"mcpServers": {"x": {}}}"#).is_err());
    }
}
