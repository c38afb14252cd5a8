//! What the server is told at start: flags over environment over defaults.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use agent::{LimitWords, LoopGuard};
use llm::{ServiceConfig, TextProtocol};
use outside::Servers;
use secrecy::{ExposeSecret, SecretString};

use crate::admission::ConnectionLimits;
use crate::models::Prices;
use crate::spending::SpendingLimits;

/// Everything a server needs to know.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where to listen; port 0 takes a free one.
    pub addr: SocketAddr,
    /// The most model calls of one run.
    pub max_turns: u32,
    /// Threads of the path tracer; 0 takes one for each core.
    pub render_threads: usize,
    /// Host names, besides IP addresses and localhost, under which browsers may reach the server.
    pub allowed_hosts: Vec<String>,
    /// Where sessions are kept.
    pub keep: Keep,
    /// Whether whoever reaches the server may list its sessions. Knowing a session's id is what allows
    /// to use it, so this is for servers of one person.
    pub lists_sessions: bool,
    /// Which models there are.
    pub models: ModelsConfig,
    /// How the loop behaves.
    pub agent: AgentConfig,
    /// Uploaded files.
    pub assets: AssetsConfig,
    /// Open connections.
    pub connections: ConnectionLimits,
    /// What models may cost.
    pub spending: SpendingLimits,
    /// What whoever begins sessions, uploads, renders or lists has to know; nothing when `None`.
    pub token: Option<SecretString>,
    /// Whether a server that others reach may spend the keys it has without asking for a token.
    pub open: bool,
}

/// Uploaded files.
#[derive(Debug, Clone)]
pub struct AssetsConfig {
    /// The most bytes of one.
    pub most_bytes_each: usize,
    /// The most bytes of all.
    pub most_bytes: u64,
    /// How long one is kept that no session refers to.
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

/// How the loop behaves.
#[derive(Debug, Clone)]
pub struct AgentConfig {
    /// The share of sessions, from 0 to 1, in which results go back to the model. In the others one
    /// wave of calls ends the run.
    pub loop_share: f64,
    /// When a model that repeats itself is stopped; never when `None`.
    pub guard: Option<LoopGuard>,
    /// What the limit on model calls is called.
    pub limit_words: LimitWords,
    /// Outside MCP servers whose tools the model may call.
    pub mcp: Option<Servers>,
}

impl Default for AgentConfig {
    fn default() -> Self {
        Self {
            loop_share: 1.0,
            guard: Some(LoopGuard::default()),
            limit_words: LimitWords::default(),
            mcp: None,
        }
    }
}

/// Where sessions are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Keep {
    /// In memory: they end with the server.
    InMemory,
    /// In this directory, which is made when it is not there.
    InDirectory {
        /// The directory.
        path: PathBuf,
        /// The most bytes the sessions may take there.
        max_bytes: Option<u64>,
    },
}

/// Which models there are.
#[derive(Debug, Clone, Default)]
pub struct ModelsConfig {
    /// The model of new sessions, where the default is not wanted.
    pub model: Option<String>,
    /// Set when a Gemini key is there.
    pub gemini: Option<ServiceAccess>,
    /// Set when there is an OpenAI key, or the address of a service that speaks like OpenAI's.
    pub openai: Option<ServiceAccess>,
    /// Set when an Anthropic key is there.
    pub anthropic: Option<ServiceAccess>,
    /// How models take tools whose name does not say it; chosen by what is known of them when
    /// `None`.
    pub tool_use: Option<ToolSetting>,
    /// How many plans are kept for requests that come again; 0 keeps none.
    pub plan_cache: usize,
    /// What models cost.
    pub prices: Prices,
    /// The text of `DEBUG_MOCK_RESPONSES`: replaces every other model.
    pub mock_responses: Option<String>,
}

/// How a model's service is reached.
#[derive(Debug, Clone)]
pub struct ServiceAccess {
    /// The key; never logged. Empty for a local service that wants none.
    pub api_key: SecretString,
    /// Where the API is; its path is appended.
    pub base_url: String,
}

/// How models take tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolSetting {
    /// By function calling of their own.
    Native,
    /// By a protocol in their text.
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
    /// Whether there is a key that somebody pays for.
    pub(crate) fn has_keys(&self) -> bool {
        let services = [&self.gemini, &self.openai, &self.anthropic];
        let mut keys = services.into_iter().flatten().map(|access| access.api_key.expose_secret());
        self.mock_responses.is_none() && keys.any(|key| !key.trim().is_empty())
    }

    /// Reads the variables through `variable`, e.g. `|name| std::env::var(name).ok()`. Empty ones
    /// count as unset.
    pub fn from_environment(variable: impl Fn(&str) -> Option<String>) -> Self {
        let variable = |name: &str| variable(name).filter(|value| !value.trim().is_empty());
        // What cannot be read is told, and counts as unset.
        fn parsed<T>(name: &str, text: &str, parse: impl Fn(&str) -> Option<T>) -> Option<T> {
            let value = parse(text.trim());
            if value.is_none() {
                tracing::warn!("{name} is '{text}', which it cannot be: it has no effect");
            }
            value
        }
        let access = |key: Option<String>, base_url: &str, default: &str| ServiceAccess {
            api_key: SecretString::from(key.unwrap_or_default().trim().to_owned()),
            base_url: variable(base_url).unwrap_or_else(|| default.to_owned()),
        };
        let gemini = variable("GEMINI_API_KEY").or_else(|| variable("GOOGLE_API_KEY"));
        let openai = variable("OPENAI_API_KEY");
        let anthropic = variable("ANTHROPIC_API_KEY");
        Self {
            model: variable("SCENE_LLM_MODEL"),
            gemini: gemini.map(|key| access(Some(key), "GEMINI_BASE_URL", llm::GEMINI_BASE_URL)),
            openai: (openai.is_some() || variable("OPENAI_BASE_URL").is_some())
                .then(|| access(openai, "OPENAI_BASE_URL", llm::OPENAI_BASE_URL)),
            anthropic: anthropic
                .map(|key| access(Some(key), "ANTHROPIC_BASE_URL", llm::ANTHROPIC_BASE_URL)),
            tool_use: variable("SCENE_LLM_TOOLS")
                .and_then(|text| parsed("SCENE_LLM_TOOLS", &text, ToolSetting::named)),
            plan_cache: variable("SCENE_LLM_PLAN_CACHE")
                .and_then(|text| parsed("SCENE_LLM_PLAN_CACHE", &text, |count| count.parse().ok()))
                .unwrap_or(0),
            prices: variable("SCENE_LLM_PRICES")
                .and_then(|text| parsed("SCENE_LLM_PRICES", &text, Prices::parse))
                .unwrap_or_default(),
            mock_responses: variable("DEBUG_MOCK_RESPONSES"),
        }
    }
}

impl ServiceAccess {
    /// The client's configuration for `model`.
    pub(crate) fn config(&self, model: &str) -> ServiceConfig {
        ServiceConfig::new(self.base_url.clone(), self.api_key.clone(), model)
    }
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
    fn a_local_service_needs_an_address_and_no_key() {
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
