//! Parsing of one entry of a configuration file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Map, Value};

use super::server::{Ask, DEFAULT_TIMEOUT, ServerConfig, Transport};

/// The longest timeout in seconds: larger numbers in `timeout` are milliseconds.
const MAX_SECONDS: f64 = 3_600.0;

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
const IGNORED: &[&str] = &[
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
pub(super) struct Entry<'a> {
    pub(super) name: &'a str,
    pub(super) mistakes: &'a mut Vec<String>,
    pub(super) warnings: &'a mut Vec<String>,
}

impl Entry<'_> {
    fn mistake(&mut self, what: impl std::fmt::Display) {
        self.mistakes.push(format!("server '{}': {what}", self.name));
    }

    pub(super) fn read(&mut self, entry: &Value) -> Option<ServerConfig> {
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
            if KNOWN.contains(&field) || IGNORED.contains(&field) {
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

    /// Parses the timeout. Most clients write seconds; numbers above [`MAX_SECONDS`] are
    /// milliseconds, as other clients write them.
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

/// A string; numbers and booleans are converted.
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}
