//! The configuration file of MCP servers.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Map, Value};

/// The default timeout of a call.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);
/// The longest timeout in seconds: larger numbers in `timeout` are milliseconds.
const MAX_SECONDS: f64 = 3_600.0;

/// The servers of a configuration file, by name. The form is the one MCP clients share:
/// `{"mcpServers": {"NAME": {...}}}`, or VS Code's `{"servers": {...}}`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Servers {
    /// By name.
    pub servers: BTreeMap<String, ServerConfig>,
    /// Fields that have no effect here, for the operator to read.
    pub warnings: Vec<String>,
}

/// One server.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerConfig {
    /// Its transport.
    pub transport: Transport,
    /// Whether it is disabled.
    pub disabled: bool,
    /// Which calls need the user's approval.
    pub ask: Ask,
    /// The timeout of a call, and of the handshake.
    pub timeout: Duration,
    /// The allowed tools; `None` for all.
    pub include_tools: Option<BTreeSet<String>>,
    /// The excluded tools.
    pub exclude_tools: BTreeSet<String>,
}

impl ServerConfig {
    /// An enabled server with the defaults of the file.
    pub fn new(transport: Transport) -> Self {
        Self {
            transport,
            disabled: false,
            ask: Ask::Always,
            timeout: DEFAULT_TIMEOUT,
            include_tools: None,
            exclude_tools: BTreeSet::new(),
        }
    }

    /// Whether the tool `name` is enabled.
    pub(crate) fn wants(&self, name: &str) -> bool {
        self.include_tools.as_ref().is_none_or(|tools| tools.contains(name))
            && !self.exclude_tools.contains(name)
    }
}

/// Which calls of a server need the user's approval.
#[derive(Debug, Clone, PartialEq)]
pub enum Ask {
    /// All.
    Always,
    /// All but those of these tools.
    Except(BTreeSet<String>),
    /// None.
    Never,
}

impl Ask {
    /// Whether a call of the tool `name` needs approval.
    pub(crate) fn applies_to(&self, name: &str) -> bool {
        match self {
            Self::Always => true,
            Self::Except(tools) => !tools.contains(name),
            Self::Never => false,
        }
    }
}

/// The transport of a server. `${NAME}` in its texts is expanded from our environment.
#[derive(Debug, Clone, PartialEq)]
pub enum Transport {
    /// A child process over stdin and stdout; it is stopped with this program.
    Process {
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Its environment variables, besides the base of every process.
        env: BTreeMap<String, String>,
        /// Its working directory; ours if `None`.
        cwd: Option<PathBuf>,
    },
    /// Streamable HTTP.
    Http {
        /// The address.
        url: String,
        /// Headers of every request, e.g. `Authorization`.
        headers: BTreeMap<String, String>,
    },
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

/// Known fields.
const KNOWN: &[&str] = &[
    "type",
    "transport",
    "command",
    "args",
    "env",
    "cwd",
    "url",
    "httpUrl",
    "serverUrl",
    "headers",
    "ask",
    "autoApprove",
    "alwaysAllow",
    "trust",
    "timeout",
    "timeout_seconds",
    "disabled",
    "enabled",
    "includeTools",
    "excludeTools",
];
/// Fields of other clients that are ignored here.
const MEANINGLESS: &[&str] = &[
    "description",
    "name",
    "title",
    "icon",
    "gallery",
    "version",
    "tags",
    "dev",
    "note",
    "$schema",
];

/// Reads one entry, collecting its mistakes.
struct Entry<'a> {
    name: &'a str,
    mistakes: &'a mut Vec<String>,
    warnings: &'a mut Vec<String>,
}

impl Entry<'_> {
    fn mistake(&mut self, what: impl std::fmt::Display) {
        self.mistakes.push(format!("server '{}': {what}", self.name));
    }

    fn read(&mut self, entry: &Value) -> Option<ServerConfig> {
        let Some(entry) = entry.as_object() else {
            self.mistake("its entry must be an object");
            return None;
        };
        let before = self.mistakes.len();
        self.note_unknown(entry);
        let transport = self.transport(entry);
        let flag = |this: &mut Self, name| this.typed(entry, name, "true or false", Value::as_bool);
        let (disabled, enabled) = (flag(self, "disabled"), flag(self, "enabled"));
        let (ask, trust) = (flag(self, "ask"), flag(self, "trust"));
        let approved = ["autoApprove", "alwaysAllow"].map(|name| self.texts(entry, name));
        let approved: BTreeSet<String> = approved.into_iter().flatten().flatten().collect();
        let ask = match ask.or(trust.map(|trusted| !trusted)) {
            Some(false) => Ask::Never,
            _ if approved.is_empty() => Ask::Always,
            _ => Ask::Except(approved),
        };
        let config = ServerConfig {
            disabled: disabled.unwrap_or(false) || enabled == Some(false),
            ask,
            timeout: self.timeout(entry),
            include_tools: self.texts(entry, "includeTools").map(BTreeSet::from_iter),
            exclude_tools: self.texts(entry, "excludeTools").into_iter().flatten().collect(),
            ..ServerConfig::new(transport?)
        };
        (self.mistakes.len() == before).then_some(config)
    }

    /// Warns about unknown fields, and suggests similar ones.
    fn note_unknown(&mut self, entry: &Map<String, Value>) {
        for field in entry.keys().map(String::as_str) {
            if KNOWN.contains(&field) || MEANINGLESS.contains(&field) {
                continue;
            }
            let near = KNOWN.iter().find(|known| strsim::damerau_levenshtein(known, field) <= 2);
            match near {
                Some(known) => {
                    self.mistake(format!("unknown field '{field}': is '{known}' meant?"))
                }
                None => self
                    .warnings
                    .push(format!("server '{}': the field '{field}' has no effect", self.name)),
            }
        }
    }

    fn transport(&mut self, entry: &Map<String, Value>) -> Option<Transport> {
        let text = |this: &mut Self, name| {
            this.typed(entry, name, "a text", |value| value.as_str().map(str::to_owned))
        };
        let kind = text(self, "type").or_else(|| text(self, "transport"));
        let command = text(self, "command");
        let url = ["httpUrl", "url", "serverUrl"].into_iter().find_map(|name| text(self, name));
        let cwd = text(self, "cwd");
        let args = self.texts(entry, "args").unwrap_or_default();
        let (env, headers) = (self.map(entry, "env"), self.map(entry, "headers"));
        let is_process = match kind.as_deref() {
            Some("stdio" | "local") => true,
            Some("http" | "streamable-http" | "streamableHttp" | "streamable_http" | "remote") => {
                false
            }
            Some("sse" | "ws" | "websocket") => {
                self.mistake("only the types 'stdio' and 'http' (streamable HTTP) are supported");
                return None;
            }
            Some(other) => {
                self.mistake(format!("unknown type '{other}': 'stdio' or 'http' is expected"));
                return None;
            }
            None => command.is_some(),
        };
        match (is_process, command, url) {
            (true, Some(command), _) if !command.trim().is_empty() => {
                Some(Transport::Process { command, args, env, cwd: cwd.map(PathBuf::from) })
            }
            (false, _, Some(url)) if url.starts_with("http://") || url.starts_with("https://") => {
                Some(Transport::Http { url, headers })
            }
            (false, _, Some(url)) if url.starts_with("${") => {
                Some(Transport::Http { url, headers })
            }
            (false, _, Some(_)) => {
                self.mistake("'url' must begin with http:// or https://");
                None
            }
            _ => {
                self.mistake("it needs 'command' (a program) or 'url' (streamable HTTP)");
                None
            }
        }
    }

    /// Seconds, as most clients write; numbers that are too large for that are milliseconds, as
    /// the others do.
    fn timeout(&mut self, entry: &Map<String, Value>) -> Duration {
        let number = |this: &mut Self, name| {
            let number = |value: &Value| value.as_f64().filter(|number| *number > 0.0);
            this.typed(entry, name, "a number greater than 0", number)
        };
        if let Some(seconds) = number(self, "timeout_seconds") {
            return Duration::from_secs_f64(seconds.min(24.0 * MAX_SECONDS));
        }
        match number(self, "timeout") {
            Some(seconds) if seconds <= MAX_SECONDS => Duration::from_secs_f64(seconds),
            Some(milliseconds) => {
                Duration::from_secs_f64((milliseconds / 1_000.0).min(24.0 * MAX_SECONDS))
            }
            None => DEFAULT_TIMEOUT,
        }
    }

    fn typed<T>(
        &mut self,
        entry: &Map<String, Value>,
        name: &str,
        expected: &str,
        read: impl Fn(&Value) -> Option<T>,
    ) -> Option<T> {
        let value = entry.get(name).filter(|value| !value.is_null())?;
        let read = read(value);
        if read.is_none() {
            self.mistake(format!("'{name}' must be {expected}"));
        }
        read
    }

    fn texts(&mut self, entry: &Map<String, Value>, name: &str) -> Option<Vec<String>> {
        self.typed(entry, name, "a list of texts", |value| {
            value.as_array()?.iter().map(text_of).collect()
        })
    }

    fn map(&mut self, entry: &Map<String, Value>, name: &str) -> BTreeMap<String, String> {
        let map = self.typed(entry, name, "an object of texts", |value| {
            let pair = |(name, value): (&String, &Value)| Some((name.clone(), text_of(value)?));
            value.as_object()?.iter().filter(|(_, value)| !value.is_null()).map(pair).collect()
        });
        map.unwrap_or_default()
    }
}

/// A string, or a number or boolean that is meant as one.
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
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
