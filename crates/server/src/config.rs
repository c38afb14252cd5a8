//! What the server is told at start: flags over environment over defaults.

use std::net::SocketAddr;
use std::path::PathBuf;

use llm::ServiceConfig;
use secrecy::SecretString;

/// The Gemini model where none is named.
pub const DEFAULT_GEMINI_MODEL: &str = "gemini-3.8-flash";

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
    pub gemini: Option<GeminiAccess>,
    /// The text of `DEBUG_MOCK_RESPONSES`: replaces every other model.
    pub mock_responses: Option<String>,
}

/// How Gemini is reached.
#[derive(Debug, Clone)]
pub struct GeminiAccess {
    /// The key; never logged.
    pub api_key: SecretString,
    /// Where the API is; the path `/v1beta/...` is appended.
    pub base_url: String,
}

impl ModelsConfig {
    /// Reads the variables through `variable`, e.g. `|name| std::env::var(name).ok()`. Empty ones
    /// count as unset.
    pub fn from_environment(variable: impl Fn(&str) -> Option<String>) -> Self {
        let variable = |name: &str| variable(name).filter(|value| !value.trim().is_empty());
        let gemini = variable("GEMINI_API_KEY").or_else(|| variable("GOOGLE_API_KEY")).map(|key| {
            GeminiAccess {
                api_key: SecretString::from(key.trim().to_owned()),
                base_url: variable("GEMINI_BASE_URL")
                    .unwrap_or_else(|| llm::GEMINI_BASE_URL.to_owned()),
            }
        });
        Self {
            model: variable("SCENE_LLM_MODEL"),
            gemini,
            mock_responses: variable("DEBUG_MOCK_RESPONSES"),
        }
    }
}

impl GeminiAccess {
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
}
