//! The configuration file of MCP servers.

mod entry;
mod server;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use entry::Entry;
pub use server::{Ask, DEFAULT_TIMEOUT, ServerConfig, Transport};

/// The servers of a configuration file, by name. The format is that of other MCP clients:
/// `{"mcpServers": {"NAME": {...}}}`, or VS Code's `{"servers": {...}}`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Servers {
    /// By name.
    pub servers: BTreeMap<String, ServerConfig>,
    /// Fields that have no effect here, for the operator to read.
    pub warnings: Vec<String>,
}

/// An error in a configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read '{}': {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        reason: std::io::Error,
    },
    /// The file is malformed.
    #[error("'{}' is not a configuration of MCP servers: {reason}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// All errors.
        reason: String,
    },
}

impl Servers {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|reason| ConfigError::Unreadable { path: path.to_owned(), reason })?;
        Self::parse(&text)
            .map_err(|reason| ConfigError::Malformed { path: path.to_owned(), reason })
    }

    /// Parses the text of a file; the error lists every mistake.
    pub fn parse(text: &str) -> Result<Self, String> {
        // Editors on Windows may add a byte order mark.
        let text = text.trim_start_matches('\u{feff}');
        let file: Value = serde_json::from_str(text)
            .map_err(|error| format!("{error} (JSON without comments is expected)"))?;
        let entries = ["/mcpServers", "/servers", "/mcp/servers"]
            .iter()
            .find_map(|place| file.pointer(place))
            .ok_or("it has neither \"mcpServers\" nor \"servers\"")?;
        let entries = entries.as_object().ok_or(
            "the servers must be an object, e.g. {\"mcpServers\": {\"NAME\": {\"command\": \"...\"}}}",
        )?;
        let mut servers = Self::default();
        let mut mistakes = Vec::new();
        for (name, entry) in entries {
            let mut reader =
                Entry { name, mistakes: &mut mistakes, warnings: &mut servers.warnings };
            if let Some(config) = reader.read(entry) {
                servers.servers.insert(name.clone(), config);
            }
        }
        if mistakes.is_empty() { Ok(servers) } else { Err(mistakes.join("; ")) }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn files_of_other_clients_are_read() {
        let text = r#"{"mcpServers": {
            "files": {"command": "mcp-files", "args": ["/data", 1], "env": {"A": "b", "N": 1}, "ask": false,
                      "cwd": "/tmp", "timeout": 5},
            "web": {"type": "http", "url": "https://example.org/mcp", "headers": {"Authorization": "Bearer x"}},
            "cline": {"command": "x", "disabled": true, "autoApprove": ["read"], "timeout": 1500.5},
            "gemini": {"httpUrl": "http://localhost/mcp", "timeout": 30000, "includeTools": ["a"],
                       "excludeTools": ["b"], "trust": true}}}"#;
        let servers = Servers::parse(text).unwrap().servers;
        let files = &servers["files"];
        assert!(matches!(&files.transport, Transport::Process { command, args, env, cwd: Some(_) }
            if command == "mcp-files" && args[1] == "1" && env["N"] == "1"));
        assert_eq!((&files.ask, files.timeout), (&Ask::Never, Duration::from_secs(5)));
        let web = &servers["web"];
        assert!(matches!(&web.transport, Transport::Http { url, .. } if url.ends_with("/mcp")));
        assert!(web.ask == Ask::Always && web.timeout == DEFAULT_TIMEOUT && !web.disabled);
        let cline = &servers["cline"];
        assert!(cline.disabled && cline.ask.applies_to("write") && !cline.ask.applies_to("read"));
        assert_eq!(cline.timeout, Duration::from_millis(1_500_500));
        let gemini = &servers["gemini"];
        assert_eq!(gemini.timeout, Duration::from_secs(30));
        assert!(gemini.wants("a") && !gemini.wants("b") && !gemini.wants("c"));
        assert_eq!(gemini.ask, Ask::Never);
    }

    #[test]
    fn files_of_vs_code_are_read() {
        let text = r#"{"inputs": [], "servers": {"memory": {"type": "stdio", "command": "npx"}}}"#;
        assert!(Servers::parse(text).unwrap().servers.contains_key("memory"));
        let settings = r#"{"mcp": {"servers": {"memory": {"command": "npx"}}}}"#;
        assert!(Servers::parse(settings).unwrap().servers.contains_key("memory"));
        assert!(Servers::parse(r#"{"mcpServers": {}}"#).unwrap().servers.is_empty());
    }

    #[test]
    fn every_mistake_is_told_and_fields_of_others_are_passed_over() {
        let check = |text: &str, expected: &[&str]| {
            let error = Servers::parse(text).unwrap_err();
            for expected in expected {
                assert!(error.contains(expected), "{error}");
            }
        };
        check("{", &["JSON"]);
        check("{}", &["mcpServers"]);
        check(r#"{"mcpServers": []}"#, &["must be an object"]);
        check(
            r#"{"mcpServers": {"a": {}, "b": {"comand": "x"}, "c": {"type": "sse", "url": "http://x"},
                "d": {"command": "x", "args": "y", "env": [], "timeout": -1}, "e": 5,
                "f": {"url": "ftp://x"}, "g": {"type": "carrier pigeon"}}}"#,
            &[
                "'a': it needs 'command'",
                "'b': unknown field 'comand': is 'command' meant?",
                "'c': only the types",
                "'d': 'args' must be a list",
                "'d': 'env' must be an object",
                "'d': 'timeout' must be",
                "'e': its entry must be",
                "'f': 'url' must begin",
                "'g': unknown type",
            ],
        );
        let text =
            r#"{"mcpServers": {"a": {"command": "x", "envFile": ".env", "description": "d"}}}"#;
        let warnings = Servers::parse(text).unwrap().warnings;
        assert_eq!(warnings, ["server 'a': the field 'envFile' has no effect"]);
    }
}
