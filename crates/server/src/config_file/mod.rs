//! The configuration file: settings of the command line, providers of models, MCP servers.

mod entries;
mod errors;

use std::path::{Path, PathBuf};

use a2a_client::RemoteAgent;
use mcp_client::Servers;
use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, Deserializer, ValueDeserializer};

use self::entries::{Agent, Provider, WrittenTier, provider, remote_agent, tier};
pub use self::errors::ConfigFileError;
use self::errors::{ErrorAt, line_of, wrong};
use crate::config::{ModelsConfig, Tier};
use crate::model_table::read_table;

/// A configuration file that was read: its form is right, and no key is unknown.
#[derive(Debug)]
pub struct ConfigFile {
    path: PathBuf,
    text: String,
    settings: Vec<FileSetting>,
    file: File,
    mcp: Servers,
}

/// A setting of the command line that the file gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileSetting {
    /// Its key.
    pub name: String,
    /// Its value, or those of its list, as the command line would have them.
    pub values: Vec<String>,
    /// The line, from 1.
    pub line: usize,
}

/// The content of a configuration file, but for settings of the command line.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// The model of new sessions.
    model: Option<String>,
    /// A table of models that overrides the built-in one.
    model_table: Option<Spanned<PathBuf>>,
    #[serde(default)]
    providers: Vec<Spanned<Provider>>,
    /// MCP servers, by name, in the form of `mcpServers` of other clients.
    mcp_servers: Option<Spanned<toml::Table>>,
    #[serde(default)]
    agents: Vec<Agent>,
    #[serde(default)]
    tiers: Vec<WrittenTier>,
}

/// The path where the file is looked for; `None` if the system has no such directory.
pub fn default_path() -> Option<PathBuf> {
    let directories = directories::ProjectDirs::from("", "", "scene-llm")?;
    Some(directories.config_dir().join("config.toml"))
}

impl ConfigFile {
    /// Reads the file at `path`. `settings` are the keys that the command line has values for.
    pub fn read(path: &Path, settings: &[String]) -> Result<Self, ConfigFileError> {
        let text = std::fs::read_to_string(path).map_err(|reason| ConfigFileError::Unreadable {
            path: path.display().to_string(),
            reason,
        })?;
        Self::parse(path, text, settings)
    }

    fn parse(path: &Path, text: String, settings: &[String]) -> Result<Self, ConfigFileError> {
        let read = content(&text, settings);
        let (settings, file, mcp) = read.map_err(|error| wrong(path, &text, error))?;
        Ok(Self { path: path.to_owned(), text, settings, file, mcp })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its directory, to which the paths in it are relative.
    pub fn directory(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("."))
    }

    /// The settings of the command line that it gives.
    pub fn settings(&self) -> &[FileSetting] {
        &self.settings
    }

    /// Its agents of others, with tokens that `variable` reads.
    pub fn agents(
        &self,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Vec<RemoteAgent>, ConfigFileError> {
        let mut agents: Vec<RemoteAgent> = Vec::new();
        for written in &self.file.agents {
            let read = remote_agent(written, &variable);
            let read = read.map_err(|error| wrong(&self.path, &self.text, error))?;
            if agents.iter().any(|other| other.name == read.name) {
                let what =
                    format!("there are two agents '{}': name one of them otherwise", read.name);
                return Err(wrong(&self.path, &self.text, ErrorAt::at(&written.name, what)));
            }
            agents.push(read);
        }
        Ok(agents)
    }

    /// Its tiers, with tokens that `variable` reads.
    pub fn tiers(
        &self,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Vec<Tier>, ConfigFileError> {
        let mut tiers: Vec<Tier> = Vec::new();
        for written in &self.file.tiers {
            let read = tier(written, &variable);
            let read = read.map_err(|error| wrong(&self.path, &self.text, error))?;
            if tiers.iter().any(|other| other.name == read.name) {
                let what =
                    format!("there are two tiers '{}': name one of them otherwise", read.name);
                return Err(wrong(&self.path, &self.text, ErrorAt::at(&written.name, what)));
            }
            tiers.push(read);
        }
        Ok(tiers)
    }

    /// Its MCP servers.
    pub fn mcp_servers(&self) -> &Servers {
        &self.mcp
    }
}

/// Reads the text of a file.
fn content(text: &str, settings: &[String]) -> Result<(Vec<FileSetting>, File, Servers), ErrorAt> {
    // The parser's own message would quote the line, which may contain a key.
    let failed = |error: toml::de::Error| ErrorAt {
        at: error.span().map_or(0, |span| span.start),
        what: with_nearest(error.message(), settings),
    };
    let mut table = DeTable::parse(text).map_err(failed)?;
    let mut found = Vec::new();
    for name in settings {
        let Some((key, value)) = table.get_mut().remove_entry(name.as_str()) else { continue };
        let at = key.span().start;
        let value = toml::Value::deserialize(ValueDeserializer::from(value)).map_err(failed)?;
        let Some(values) = texts(&value) else {
            let what = format!("'{name}' must be a text, a number, true, false or a list of texts");
            return Err(ErrorAt { at, what });
        };
        found.push(FileSetting { name: name.clone(), values, line: line_of(text, at) });
    }
    let file = File::deserialize(Deserializer::from(table)).map_err(failed)?;
    let mcp = match &file.mcp_servers {
        None => Servers::default(),
        Some(servers) => {
            let json = serde_json::json!({ "mcpServers": servers.get_ref() });
            Servers::parse(&json.to_string()).map_err(|what| ErrorAt::at(servers, what))?
        }
    };
    Ok((found, file, mcp))
}

/// A value as the command line would have it.
fn texts(value: &toml::Value) -> Option<Vec<String>> {
    let one = |value: &toml::Value| match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Float(number) => Some(number.to_string()),
        toml::Value::Boolean(yes) => Some(yes.to_string()),
        _ => None,
    };
    match value {
        toml::Value::Array(items) => items.iter().map(one).collect(),
        single => Some(vec![one(single)?]),
    }
}

/// The parser's message about an unknown key, with the key that may be meant. Other messages stay.
fn with_nearest(message: &str, settings: &[String]) -> String {
    let mut quoted = message.split('`').skip(1).step_by(2);
    let Some(unknown) = quoted.next().filter(|_| message.starts_with("unknown field")) else {
        return message.to_owned();
    };
    let known: Vec<&str> = quoted.collect();
    // The settings stand at the top, beside the tables.
    let is_top = known.contains(&"providers");
    let settings = settings.iter().map(String::as_str).filter(|_| is_top);
    let distance = |known: &&str| strsim::damerau_levenshtein(unknown, known);
    match known.iter().copied().chain(settings).min_by_key(distance) {
        Some(nearest) => format!("there is no key '{unknown}'; the nearest is '{nearest}'"),
        None => format!("there is no key '{unknown}'"),
    }
}

impl ModelsConfig {
    /// Adds the models of `file`. The environment, which `variable` reads, has precedence.
    pub fn with_file(
        self,
        file: &ConfigFile,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, ConfigFileError> {
        self.with_models(&file.file, file.directory(), variable)
            .map_err(|error| wrong(&file.path, &file.text, error))
    }

    fn with_models(
        mut self,
        file: &File,
        directory: &Path,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, ErrorAt> {
        for spanned in &file.providers {
            let provider = provider(spanned.get_ref(), &variable)?;
            if self.providers.iter().any(|other| other.name == provider.name) {
                let what = format!(
                    "there are two providers '{}': name one of them otherwise",
                    provider.name
                );
                return Err(ErrorAt::at(&spanned.get_ref().name, what));
            }
            self.providers.push(provider);
        }
        // The environment's table counts.
        if let Some(path) = file.model_table.as_ref().filter(|_| self.model_table.is_none()) {
            let path_of_table = directory.join(path.get_ref());
            let fault = |reason: String| {
                let what = format!("the table of models '{}': {reason}", path_of_table.display());
                ErrorAt::at(path, what)
            };
            self.model_table = Some(read_table(&path_of_table).map_err(fault)?);
        }
        self.model = self.model.or_else(|| file.model.clone());
        Ok(self)
    }
}

#[cfg(test)]
mod tests;
