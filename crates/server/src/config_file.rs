//! The configuration file, which lists providers of models.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use llm::ProviderKind;
use secrecy::SecretString;
use serde::Deserialize;
use toml::Spanned;

use crate::config::{ModelsConfig, ProviderConfig};
use crate::model_table::read_table;

/// The content of a configuration file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// The model of new sessions.
    model: Option<String>,
    /// A table of models that overrides the built-in one.
    model_table: Option<Spanned<PathBuf>>,
    /// Whether to search for local models.
    local_models: Option<bool>,
    #[serde(default)]
    providers: Vec<Spanned<Provider>>,
}

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

/// The default path of the file; `None` if the system has no such directory.
pub fn default_path() -> Option<PathBuf> {
    let directories = directories::ProjectDirs::from("", "", "scene-llm")?;
    Some(directories.config_dir().join("config.toml")).filter(|path| path.is_file())
}

impl ModelsConfig {
    /// Adds the content of the file at `path`. The environment, which `variable` reads, has precedence.
    pub fn with_file(
        self,
        path: &Path,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, ConfigFileError> {
        let named = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|reason| ConfigFileError::Unreadable { path: named.clone(), reason })?;
        let directory = path.parent().unwrap_or(Path::new("."));
        self.with_text(&text, directory, variable).map_err(|error| ConfigFileError::Wrong {
            path: named,
            line: line_of(&text, error.at),
            what: error.what,
        })
    }

    fn with_text(
        mut self,
        text: &str,
        directory: &Path,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, ErrorAt> {
        // The parser's own message would quote the line, which may contain a key.
        let file: File = toml::from_str(text).map_err(|error| ErrorAt {
            at: error.span().map_or(0, |span| span.start),
            what: error.message().to_owned(),
        })?;
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
        if let Some(path) = file.model_table {
            let path_of_table = directory.join(path.get_ref());
            let fault = |reason: String| {
                let what = format!("the table of models '{}': {reason}", path_of_table.display());
                ErrorAt::at(&path, what)
            };
            self.model_table = Some(read_table(&path_of_table).map_err(fault)?);
        }
        self.model = self.model.or(file.model);
        self.local_models = file.local_models.unwrap_or(self.local_models);
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

    fn read(text: &str) -> Result<ModelsConfig, (usize, String)> {
        let variable = |name: &str| (name == "WORK_KEY").then(|| "sk-work".to_owned());
        let read = ModelsConfig::default().with_text(text, Path::new("."), variable);
        read.map_err(|error| (line_of(text, error.at), error.what))
    }

    #[test]
    fn several_providers_of_one_kind_are_read() {
        let config = read(
            r#"
model = "work/gpt-5.5"
local_models = false

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
        assert!(!config.local_models);
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
            line == 4 && what.contains("api_kay") && what.contains("api_key_env"),
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
        std::fs::write(&path, "model_table = \"mine.txt\"\n").unwrap();
        let config = ModelsConfig::default().with_file(&path, |_| None).unwrap();
        let facts = config.model_table.unwrap().get("my-model").unwrap();
        assert!(facts.images && facts.context_window == 9_000);
        std::fs::write(&path, "\nmodel_table = \"none.txt\"\n").unwrap();
        let error = ModelsConfig::default().with_file(&path, |_| None).unwrap_err().to_string();
        assert!(error.contains("line 2") && error.contains("none.txt"), "{error}");
        let error =
            ModelsConfig::default().with_file(Path::new("/none.toml"), |_| None).unwrap_err();
        assert!(error.to_string().contains("cannot be read"), "{error}");
    }
}
