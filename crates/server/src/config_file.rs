//! The configuration file: settings of the command line, providers of models, MCP servers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use a2a_client::RemoteAgent;
use llm::ProviderKind;
use mcp_client::Servers;
use secrecy::SecretString;
use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, Deserializer, ValueDeserializer};

use crate::config::{ModelsConfig, ProviderConfig};
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
}

/// An agent of others.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Agent {
    name: Spanned<String>,
    url: Spanned<String>,
    token_env: Option<Spanned<String>>,
    /// Seconds.
    time_limit: Option<Spanned<u64>>,
    ask: Option<bool>,
}

/// The longest time limit of an agent: a day.
const MAX_TIME_LIMIT: u64 = 24 * 3_600;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Provider {
    name: Spanned<String>,
    kind: Spanned<String>,
    base_url: Option<Spanned<String>>,
    api_key: Option<SecretString>,
    api_key_env: Option<Spanned<String>>,
    #[serde(default)]
    models: Vec<String>,
    #[serde(default)]
    headers: BTreeMap<String, SecretString>,
    #[serde(default)]
    default: bool,
    max_context: Option<Spanned<u64>>,
}

/// An error in a configuration file.
#[derive(Debug, thiserror::Error)]
pub enum ConfigFileError {
    /// It cannot be read.
    #[error("the configuration file '{path}' cannot be read: {reason}")]
    Unreadable {
        /// Which.
        path: String,
        /// Why not.
        reason: std::io::Error,
    },
    /// Its content is invalid.
    #[error("the configuration file '{path}', line {line}: {what}")]
    Wrong {
        /// Which.
        path: String,
        /// The line, from 1.
        line: usize,
        /// The error, and what to do.
        what: String,
    },
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

    /// Its MCP servers.
    pub fn mcp_servers(&self) -> &Servers {
        &self.mcp
    }
}

fn wrong(path: &Path, text: &str, error: ErrorAt) -> ConfigFileError {
    ConfigFileError::Wrong {
        path: path.display().to_string(),
        line: line_of(text, error.at),
        what: error.what,
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

/// An error at a byte offset.
struct ErrorAt {
    at: usize,
    what: String,
}

impl ErrorAt {
    fn at<T>(place: &Spanned<T>, what: impl Into<String>) -> Self {
        Self { at: place.span().start, what: what.into() }
    }
}

fn line_of(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|byte| *byte == b'\n').count()
}

fn remote_agent(
    written: &Agent,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<RemoteAgent, ErrorAt> {
    let Agent { name, url, token_env, time_limit, ask } = written;
    let mut agent = RemoteAgent::new(name.get_ref(), url.get_ref())
        .map_err(|what| ErrorAt::at(if what.starts_with("'name'") { name } else { url }, what))?;
    if let Some(place) = token_env {
        let token = variable(place.get_ref()).filter(|token| !token.trim().is_empty());
        let token = token.ok_or_else(|| {
            let what = format!(
                "'token_env' names the variable {}, which is not set: set it to the token of agent '{}', \
                 or take the agent out",
                place.get_ref(),
                agent.name
            );
            ErrorAt::at(place, what)
        })?;
        agent.token = Some(SecretString::from(token.trim().to_owned()));
    }
    if let Some(seconds) = time_limit {
        if !(1..=MAX_TIME_LIMIT).contains(seconds.get_ref()) {
            let what = format!("'time_limit' must be 1 to {MAX_TIME_LIMIT} seconds");
            return Err(ErrorAt::at(seconds, what));
        }
        agent.time_limit = Duration::from_secs(*seconds.get_ref());
    }
    agent.ask = ask.unwrap_or(agent.ask);
    Ok(agent)
}

fn provider(
    written: &Provider,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<ProviderConfig, ErrorAt> {
    let name = written.name.get_ref();
    let fits = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
    if name.is_empty() || !name.chars().all(fits) {
        let what =
            "'name' must be of letters, digits, '-', '_' and '.': it begins the ids of its models";
        return Err(ErrorAt::at(&written.name, what));
    }
    let kind = ProviderKind::named(written.kind.get_ref()).ok_or_else(|| {
        let what = format!(
            "'kind' is '{}'; it must be one of {}",
            written.kind.get_ref(),
            ProviderKind::NAMES.join(", ")
        );
        ErrorAt::at(&written.kind, what)
    })?;
    let base_url = match &written.base_url {
        None => kind.maker().base_url.to_owned(),
        Some(url)
            if url.get_ref().starts_with("http://") || url.get_ref().starts_with("https://") =>
        {
            url.get_ref().clone()
        }
        Some(url) => {
            let what = format!(
                "'base_url' is '{}'; it must begin with http:// or https://",
                url.get_ref()
            );
            return Err(ErrorAt::at(url, what));
        }
    };
    let api_key = match (&written.api_key, &written.api_key_env) {
        (Some(_), Some(place)) => {
            let what =
                format!("provider '{name}' has both 'api_key' and 'api_key_env': leave one out");
            return Err(ErrorAt::at(place, what));
        }
        (Some(key), None) => key.clone(),
        (None, Some(place)) => {
            let key = variable(place.get_ref()).filter(|key| !key.trim().is_empty());
            SecretString::from(key.ok_or_else(|| {
                let what = format!(
                    "'api_key_env' names the variable {}, which is not set: set it to the key of \
                     provider '{name}', or take the provider out",
                    place.get_ref()
                );
                ErrorAt::at(place, what)
            })?)
        }
        (None, None) if written.base_url.is_some() || kind == ProviderKind::Ollama => {
            SecretString::from("")
        }
        (None, None) => {
            let what = format!(
                "provider '{name}' needs 'api_key_env' (the name of a variable) or 'api_key'"
            );
            return Err(ErrorAt::at(&written.name, what));
        }
    };
    if let Some(max_context) = &written.max_context
        && (kind != ProviderKind::Ollama || *max_context.get_ref() < 4_096)
    {
        let what = "'max_context' is for kind 'ollama', and at least 4096 tokens";
        return Err(ErrorAt::at(max_context, what));
    }
    Ok(ProviderConfig {
        name: name.clone(),
        kind,
        base_url,
        api_key,
        models: written.models.clone(),
        headers: written.headers.clone().into_iter().collect(),
        is_default: written.default,
        max_context: written.max_context.as_ref().map(|tokens| *tokens.get_ref()),
    })
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret;

    use super::*;

    fn parse(text: &str) -> Result<ConfigFile, ConfigFileError> {
        let settings = ["addr", "max_turns", "stage", "allow_host"].map(str::to_owned);
        ConfigFile::parse(Path::new("config.toml"), text.to_owned(), &settings)
    }

    fn read(text: &str) -> Result<ModelsConfig, (usize, String)> {
        let variable = |name: &str| (name == "WORK_KEY").then(|| "sk-work".to_owned());
        let read = parse(text);
        read.and_then(|file| ModelsConfig::default().with_file(&file, variable)).map_err(|error| {
            let ConfigFileError::Wrong { line, what, .. } = error else { panic!("{error}") };
            (line, what)
        })
    }

    #[test]
    fn settings_of_the_command_line_are_read_as_it_has_them() {
        let file = parse(
            r#"
addr = "127.0.0.1:9000"
max_turns = 20
stage = false
allow_host = ["a.example", "b.example"]

[mcp_servers.files]
command = "mcp-files"
args = ["/data"]
"#,
        )
        .unwrap();
        let settings: Vec<(&str, Vec<&str>, usize)> = file
            .settings()
            .iter()
            .map(|it| (it.name.as_str(), it.values.iter().map(String::as_str).collect(), it.line))
            .collect();
        assert_eq!(
            settings,
            [
                ("addr", vec!["127.0.0.1:9000"], 2),
                ("max_turns", vec!["20"], 3),
                ("stage", vec!["false"], 4),
                ("allow_host", vec!["a.example", "b.example"], 5),
            ]
        );
        assert!(file.mcp_servers().servers.contains_key("files"));
    }

    #[test]
    fn agents_are_read_with_their_tokens() {
        let agents = |text: &str| {
            let token = |name: &str| (name == "PAINTER").then(|| " a-token ".to_owned());
            parse(text).and_then(|file| file.agents(token)).map_err(|error| error.to_string())
        };
        let one = "[[agents]]\nname = \"painter\"\nurl = \"https://a.example\"\n";
        let read =
            agents(&format!("{one}token_env = \"PAINTER\"\ntime_limit = 20\nask = false")).unwrap();
        assert_eq!((read[0].time_limit, read[0].ask), (Duration::from_secs(20), false));
        assert_eq!(read[0].token.as_ref().unwrap().expose_secret(), "a-token");
        assert!(agents(one).unwrap()[0].ask);
        let wrong = |rest: &str, line: &str, said: &str| {
            let error = agents(&format!("{one}{rest}")).unwrap_err();
            assert!(error.contains(line) && error.contains(said), "{error}");
        };
        wrong("token_env = \"NONE\"", "line 4", "NONE, which is not set");
        wrong("time_limit = 0", "line 4", "1 to 86400 seconds");
        wrong("tokn_env = \"x\"", "line 4", "the nearest is 'token_env'");
        wrong(one, "line 5", "two agents 'painter'");
        let error = agents("[[agents]]\nname = \"a b\"\nurl = \"https://a.example\"").unwrap_err();
        assert!(error.contains("line 2") && error.contains("letters"), "{error}");
    }

    #[test]
    fn an_unknown_key_is_named_with_the_nearest() {
        let wrong = |text: &str| read(text).expect_err("an error");
        let nearest =
            |unknown, nearest| format!("there is no key '{unknown}'; the nearest is '{nearest}'");
        assert_eq!(wrong("\nmax_turn = 3"), (2, nearest("max_turn", "max_turns")));
        assert_eq!(wrong("[provider]\nname = \"a\""), (1, nearest("provider", "providers")));
        assert_eq!(wrong("[mcp_server.a]"), (1, nearest("mcp_server", "mcp_servers")));
        let (line, what) = wrong("max_turns = { a = 1 }");
        assert!(line == 1 && what.contains("'max_turns' must be"), "{what}");
        let (line, what) = wrong("\n[mcp_servers.a]\ncommandd = \"x\"");
        assert!(line == 2 && what.contains("is 'command' meant"), "{line} {what}");
    }

    #[test]
    fn several_providers_of_one_kind_are_read() {
        let config = read(
            r#"
model = "work/gpt-5.5"

[[providers]]
name = "work"
kind = "openai"
base_url = "https://llm.example/v1"
api_key_env = "WORK_KEY"
models = ["gpt-5.5"]
headers = { "X-Team" = "scenes" }

[[providers]]
name = "home"
kind = "openai"
base_url = "http://192.168.0.4:8000/v1"

[[providers]]
name = "big-box"
kind = "ollama"
base_url = "http://10.0.0.2:11434"
max_context = 65536
default = true
"#,
        )
        .unwrap();
        assert_eq!(config.model.as_deref(), Some("work/gpt-5.5"));
        let names: Vec<&str> = config.providers.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["work", "home", "big-box"]);
        assert_eq!(config.providers[0].api_key.expose_secret(), "sk-work");
        assert_eq!(config.providers[0].headers[0].0, "X-Team");
        assert_eq!(config.providers[2].max_context, Some(65_536));
        assert!(!format!("{config:?}").contains("sk-work"));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line_and_what_to_do() {
        let wrong = |text: &str| read(text).expect_err("an error");
        let one = |rest: &str| format!("[[providers]]\nname = \"a\"\nkind = \"openai\"\n{rest}");
        assert_eq!(
            wrong("[[providers]]\nname = \"a\"\nkind = \"opnai\"\n"),
            (3, "'kind' is 'opnai'; it must be one of openai, openai-responses, anthropic, gemini, ollama".into())
        );
        let (line, what) = wrong(&one("api_kay = \"x\"\n"));
        assert!(
            line == 4 && what.contains("api_kay") && what.contains("'api_key'"),
            "{line} {what}"
        );
        let (line, what) = wrong(&one("api_key_env = \"NOT_SET\""));
        assert!(line == 4 && what.contains("NOT_SET"), "{line} {what}");
        let (line, what) = wrong(&one(""));
        assert!(line == 2 && what.contains("needs 'api_key_env'"), "{line} {what}");
        let (line, what) = wrong(&one("base_url = \"llm.example\""));
        assert!(line == 4 && what.contains("http://"), "{line} {what}");
        let (line, what) = wrong(&one("api_key = \"k\"\napi_key_env = \"WORK_KEY\""));
        assert!(line == 5 && what.contains("leave one out"), "{line} {what}");
        let (line, what) = wrong(&one("api_key = \"k\"\nmax_context = 9000"));
        assert!(line == 5 && what.contains("'ollama'"), "{line} {what}");
        let twice = format!("{0}\n\n{0}", one("api_key = \"k\""));
        let (line, what) = wrong(&twice);
        assert!(line == 7 && what.contains("two providers 'a'"), "{line} {what}");
        assert!(
            wrong("[[providers]]\nname = \"a/b\"\nkind = \"openai\"").1.contains("'name' must be")
        );
        // The line with a key in it is not quoted.
        let (line, what) = wrong(&one("api_key = \"sk-secret"));
        assert!(line >= 4 && !what.contains("sk-secret"), "{line} {what}");
    }

    #[test]
    fn a_table_of_models_is_read_beside_the_file() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("mine.txt"), "my-model 9000 900 tv - -\n").unwrap();
        let path = directory.path().join("config.toml");
        let read = || {
            let file = ConfigFile::read(&path, &[])?;
            ModelsConfig::default().with_file(&file, |_| None)
        };
        std::fs::write(&path, "model_table = \"mine.txt\"\n").unwrap();
        let facts = read().unwrap().model_table.unwrap().get("my-model").unwrap();
        assert!(facts.images && facts.context_window == 9_000);
        std::fs::write(&path, "\nmodel_table = \"none.txt\"\n").unwrap();
        let error = read().unwrap_err().to_string();
        assert!(error.contains("line 2") && error.contains("none.txt"), "{error}");
        let error = ConfigFile::read(Path::new("/none.toml"), &[]).unwrap_err();
        assert!(error.to_string().contains("cannot be read"), "{error}");
    }
}
