//! The configuration of a server.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use a2a_client::RemoteAgent;
use agent::{LimitWords, LoopGuard};
use llm::{KnownProvider, PROVIDERS, ProviderKind, Table, TextProtocol};
use mcp_client::Servers;
use secrecy::{ExposeSecret, SecretString};
use store::DatabaseUrl;

use crate::admission::ConnectionLimits;
use crate::model_table::read_table;
use crate::models::Prices;
use crate::shares::SharedLimits;
use crate::spending::SpendingLimits;

/// The configuration of a server.
#[derive(Debug, Clone)]
pub struct Config {
    /// The address to listen on; port 0 takes a free one.
    pub addr: SocketAddr,
    /// The most model calls of one run.
    pub max_turns: u32,
    /// Threads of the path tracer; 0 takes one for each core.
    pub render_threads: usize,
    /// Host names, besides IP addresses and localhost, under which browsers may reach the server.
    pub allowed_hosts: Vec<String>,
    /// Where other servers on the same database reach this one; without it, where it listens.
    pub cluster_address: Option<String>,
    /// Where sessions are stored.
    pub storage: Storage,
    /// Whether clients may list sessions. A session's id grants access to it, so this is for servers of one
    /// user.
    pub lists_sessions: bool,
    /// Whether the first object that a model puts into an empty scene gets a stage: ground, light, camera.
    pub sets_stage: bool,
    /// The models.
    pub models: ModelsConfig,
    /// The agent loop.
    pub agent: AgentConfig,
    /// Uploaded files.
    pub assets: AssetsConfig,
    /// Open connections.
    pub connections: ConnectionLimits,
    /// What all clients share.
    pub limits: SharedLimits,
    /// The spending limits.
    pub spending: SpendingLimits,
    /// The token that is required to create sessions, upload, render and list; `None` for no token.
    pub token: Option<SecretString>,
    /// The token of render workers; `None` lets none in.
    pub worker_token: Option<SecretString>,
    /// Whether a server that others reach may use its keys without a token.
    pub open: bool,
}

/// Uploaded files.
#[derive(Debug, Clone)]
pub struct AssetsConfig {
    /// The most bytes of one.
    pub most_bytes_each: usize,
    /// The most bytes of all.
    pub most_bytes: u64,
    /// How long an unused asset is kept.
    pub keep_unused: Duration,
}

impl Default for AssetsConfig {
    fn default() -> Self {
        Self {
            most_bytes_each: 64 * 1024 * 1024,
            most_bytes: 4 * 1024 * 1024 * 1024,
            keep_unused: Duration::from_secs(24 * 3_600),
        }
    }
}

/// The agent loop.
#[derive(Debug, Clone)]
pub struct AgentConfig {
    /// The share of sessions, from 0 to 1, in which results go back to the model. In the others one
    /// wave of calls ends the run.
    pub loop_share: f64,
    /// The loop guard; `None` switches it off.
    pub guard: Option<LoopGuard>,
    /// The wording of the message at the turn limit.
    pub limit_words: LimitWords,
    /// MCP servers of others, whose tools the model may call.
    pub mcp: Servers,
    /// Agents of others, to which the model may hand tasks.
    pub agents: Vec<RemoteAgent>,
    /// Classes of sessions with limits of their own.
    pub tiers: Vec<Tier>,
}

/// A class of sessions: those that were begun with its token.
#[derive(Debug, Clone)]
pub struct Tier {
    /// Its name, which is kept with the session.
    pub name: String,
    /// The token.
    pub token: SecretString,
    /// The most model calls of one run.
    pub max_turns: u32,
}

impl Default for AgentConfig {
    fn default() -> Self {
        Self {
            loop_share: 1.0,
            guard: Some(LoopGuard::default()),
            limit_words: LimitWords::default(),
            mcp: Servers::default(),
            agents: Vec::new(),
            tiers: Vec::new(),
        }
    }
}

/// Where sessions are stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Storage {
    /// In memory: they are lost when the server stops.
    InMemory,
    /// In this directory, which is created if missing.
    InDirectory {
        /// The directory.
        path: PathBuf,
        /// The size limit of all sessions in bytes.
        max_bytes: Option<u64>,
    },
    /// In a PostgreSQL database. Uploaded files and the server's own files are in a directory.
    InDatabase {
        /// The database.
        url: DatabaseUrl,
        /// The directory.
        path: PathBuf,
    },
}

impl Storage {
    /// The directory of files; `None` when everything is in memory.
    pub fn directory(&self) -> Option<&Path> {
        match self {
            Self::InMemory => None,
            Self::InDirectory { path, .. } | Self::InDatabase { path, .. } => Some(path),
        }
    }
}

/// The models.
#[derive(Debug, Clone, Default)]
pub struct ModelsConfig {
    /// The model of new sessions, in place of the default.
    pub model: Option<String>,
    /// Set when a Gemini key is there.
    pub gemini: Option<ProviderAccess>,
    /// Set when there is an OpenAI key, or the address of a provider that speaks like OpenAI's.
    pub openai: Option<ProviderAccess>,
    /// Set when an Anthropic key is there.
    pub anthropic: Option<ProviderAccess>,
    /// Other providers of the table with a key or an address, by name.
    pub others: BTreeMap<String, ProviderAccess>,
    /// How models without a suffix call tools; `None` chooses by their facts.
    pub tool_use: Option<ToolSetting>,
    /// The capacity of the plan cache; 0 disables it.
    pub plan_cache: usize,
    /// Prices that override lists and the table.
    pub prices: Prices,
    /// Further providers of the configuration file.
    pub providers: Vec<ProviderConfig>,
    /// A table of models that overrides the built-in one.
    pub model_table: Option<Arc<Table>>,
    /// Whether to search for local models.
    pub local_models: bool,
    /// The most context, in tokens, that Ollama loads a model with.
    pub max_local_context: Option<u64>,
    /// Keys that are entered in the page.
    pub keys: KeysConfig,
    /// The text of `DEBUG_MOCK_RESPONSES`: replaces every other model.
    pub mock_responses: Option<String>,
}

/// Settings for keys that are entered in the page. By default they are not accepted.
#[derive(Debug, Clone, Default)]
pub struct KeysConfig {
    /// Whether clients may enter keys.
    pub allowed: bool,
    /// The file for saved keys; `None` if keys cannot be saved.
    pub file: Option<PathBuf>,
    /// Addresses that replace those of providers, e.g. of a proxy, by provider.
    pub addresses: BTreeMap<String, String>,
}

/// A provider of the configuration file.
#[derive(Debug, Clone)]
pub struct ProviderConfig {
    /// The prefix of its model ids, before a `/`.
    pub name: String,
    /// Its API.
    pub kind: ProviderKind,
    /// Its address.
    pub base_url: String,
    /// The key; empty if none is needed.
    pub api_key: SecretString,
    /// The models to offer; if empty, those it lists.
    pub models: Vec<String>,
    /// Additional headers.
    pub headers: Vec<(String, SecretString)>,
    /// Whether its first model is that of new sessions.
    pub is_default: bool,
    /// The most context that Ollama loads a model with, in tokens.
    pub max_context: Option<u64>,
}

/// The access to a provider: key and address.
#[derive(Debug, Clone)]
pub struct ProviderAccess {
    /// The key; never logged. Empty for a local provider that needs none.
    pub api_key: SecretString,
    /// The base address; the path of the API is appended.
    pub base_url: String,
}

/// How models call tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolSetting {
    /// By native function calling.
    Native,
    /// By a text protocol.
    Text(TextProtocol),
}

impl ToolSetting {
    /// The setting called `native`, `react`, `json` or `plan`.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "native" => Some(Self::Native),
            _ => TextProtocol::named(name).map(Self::Text),
        }
    }
}

impl ModelsConfig {
    /// Whether there is a key that costs money.
    pub(crate) fn has_keys(&self) -> bool {
        let named = PROVIDERS.iter().filter_map(|known| self.access(known));
        let named = named.map(|access| &access.api_key);
        let mut keys = named.chain(self.providers.iter().map(|provider| &provider.api_key));
        self.mock_responses.is_none() && keys.any(|key| !key.expose_secret().trim().is_empty())
    }

    /// The access to the provider `known` by the environment.
    pub(crate) fn access(&self, known: &KnownProvider) -> Option<&ProviderAccess> {
        match known.name {
            "gemini" => self.gemini.as_ref(),
            "openai" => self.openai.as_ref(),
            "anthropic" => self.anthropic.as_ref(),
            other => self.others.get(other),
        }
    }

    /// Reads the variables through `variable`, e.g. `|name| std::env::var(name).ok()`. Empty ones
    /// count as unset.
    pub fn from_environment(variable: impl Fn(&str) -> Option<String>) -> Self {
        let variable = &|name: &str| variable(name).filter(|value| !value.trim().is_empty());
        // An invalid value is logged, and counts as unset.
        fn parsed<T>(name: &str, text: &str, parse: impl Fn(&str) -> Option<T>) -> Option<T> {
            let value = parse(text.trim());
            if value.is_none() {
                tracing::warn!("{name} is '{text}', which it cannot be: it has no effect");
            }
            value
        }
        let mut found: BTreeMap<String, ProviderAccess> = PROVIDERS
            .iter()
            .filter_map(|known| Some((known.name.to_owned(), access(known, variable)?)))
            .collect();
        Self {
            model: variable("SCENE_LLM_MODEL"),
            gemini: found.remove("gemini"),
            openai: found.remove("openai"),
            anthropic: found.remove("anthropic"),
            others: found,
            tool_use: variable("SCENE_LLM_TOOLS")
                .and_then(|text| parsed("SCENE_LLM_TOOLS", &text, ToolSetting::named)),
            plan_cache: variable("SCENE_LLM_PLAN_CACHE")
                .and_then(|text| parsed("SCENE_LLM_PLAN_CACHE", &text, |count| count.parse().ok()))
                .unwrap_or(0),
            prices: variable("SCENE_LLM_PRICES")
                .and_then(|text| parsed("SCENE_LLM_PRICES", &text, Prices::parse))
                .unwrap_or_default(),
            providers: Vec::new(),
            model_table: variable("SCENE_LLM_MODEL_TABLE").and_then(|path| {
                let table = read_table(Path::new(path.trim()));
                let error = |reason| tracing::warn!("SCENE_LLM_MODEL_TABLE, '{path}': {reason}");
                table.map_err(error).ok()
            }),
            local_models: true,
            max_local_context: variable("SCENE_LLM_LOCAL_CONTEXT").and_then(|text| {
                let tokens = |text: &str| text.parse().ok().filter(|tokens| *tokens >= 4_096);
                parsed("SCENE_LLM_LOCAL_CONTEXT", &text, tokens)
            }),
            keys: KeysConfig {
                addresses: PROVIDERS
                    .iter()
                    .filter_map(|known| {
                        Some((known.name.to_owned(), variable(known.address_variable?)?))
                    })
                    .collect(),
                ..KeysConfig::default()
            },
            mock_responses: variable("DEBUG_MOCK_RESPONSES"),
        }
    }
}

/// The access to `known` by `variable`: a key, or an address that needs none.
fn access(
    known: &KnownProvider,
    variable: &impl Fn(&str) -> Option<String>,
) -> Option<ProviderAccess> {
    let key = known.key_variables.iter().find_map(|name| variable(name));
    let address = known.address_variable.and_then(variable);
    if key.is_none() && !(known.may_be_keyless() && address.is_some()) {
        return None;
    }
    Some(ProviderAccess {
        api_key: SecretString::from(key.unwrap_or_default().trim().to_owned()),
        base_url: address.unwrap_or_else(|| known.base_url.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn either_key_is_found_and_empty_ones_are_not() {
        let with = |pairs: &'static [(&str, &str)]| {
            ModelsConfig::from_environment(|name| {
                pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
            })
        };
        assert!(with(&[]).gemini.is_none());
        assert!(with(&[("GEMINI_API_KEY", " ")]).gemini.is_none());
        assert!(with(&[("GOOGLE_API_KEY", "k")]).gemini.is_some());
        let both = with(&[("GEMINI_API_KEY", "k"), ("GEMINI_BASE_URL", "http://x")]);
        assert_eq!(both.gemini.map(|access| access.base_url).as_deref(), Some("http://x"));
    }

    #[test]
    fn every_provider_of_the_table_has_its_key_from_the_environment() {
        for known in PROVIDERS {
            for name in known.key_variables {
                let config = ModelsConfig::from_environment(|asked| {
                    (asked == *name).then(|| " a-key ".to_owned())
                });
                let access = config.access(known).expect(name);
                assert_eq!(
                    (access.api_key.expose_secret(), &*access.base_url),
                    ("a-key", known.base_url)
                );
                assert!(config.has_keys());
                let others = PROVIDERS.iter().filter(|other| other.name != known.name);
                assert!(others.into_iter().all(|other| config.access(other).is_none()), "{name}");
            }
        }
    }

    #[test]
    fn the_guide_names_every_variable_of_the_table() {
        let guide = include_str!("../../../docs/models.md");
        for known in PROVIDERS {
            for variable in known.key_variables.iter().chain(&known.address_variable) {
                assert!(guide.contains(&format!("`{variable}`")), "{variable}");
            }
            assert!(guide.contains(known.label), "{}", known.label);
        }
    }

    #[test]
    fn a_local_provider_needs_an_address_and_no_key() {
        let with = |pairs: &'static [(&str, &str)]| {
            ModelsConfig::from_environment(|name| {
                pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
            })
        };
        let ollama = with(&[("OPENAI_BASE_URL", "http://localhost:11434/v1")]);
        assert!(ollama.openai.is_some() && ollama.anthropic.is_none());
        let claude = with(&[("ANTHROPIC_API_KEY", "k"), ("SCENE_LLM_TOOLS", "react")]);
        assert!(claude.anthropic.is_some() && claude.openai.is_none());
        assert_eq!(claude.tool_use, Some(ToolSetting::Text(TextProtocol::React)));
    }
}
