//! Configuration of a provider's client.

use std::net::IpAddr;
use std::time::Duration;

use reqwest::Url;
use secrecy::{ExposeSecret, SecretString};

use super::repair::Learned;
use crate::registry::{ModelFacts, facts};
use crate::retry::RetryPolicy;

/// The idle timeout: with high effort, some models think for minutes before the first token.
const IDLE_TIMEOUT: Duration = Duration::from_secs(300);

/// The idle timeout of a local provider.
const LOCAL_IDLE_TIMEOUT: Duration = Duration::from_secs(600);

/// Configuration of a client for one model.
#[derive(Debug, Clone)]
pub struct ClientConfig {
    /// The provider's address, e.g. [`crate::GEMINI_BASE_URL`]; the path of the API is appended.
    pub base_url: String,
    /// The key, sent in the provider's own header and written nowhere else.
    pub api_key: SecretString,
    /// The model's name, e.g. `gemini-3.8-flash`.
    pub model: String,
    /// The facts about the model.
    pub facts: ModelFacts,
    /// Additional headers, by name.
    pub headers: Vec<(String, SecretString)>,
    /// What its provider refused so far; shared with other clients of the same model.
    pub learned: Learned,
    /// The timeout of opening a connection.
    pub connect_timeout: Duration,
    /// The idle timeout, before and within an answer. A local model may process a long request for minutes
    /// before the first token.
    pub idle_timeout: Duration,
    /// The retry policy.
    pub retry: RetryPolicy,
    /// The provider's display name, if it differs from the usual one of its API, e.g. `OpenRouter`.
    pub provider_name: Option<String>,
    /// The source of the key in messages, if it is not the usual variable, e.g. `the key entered in the
    /// page`.
    pub key_name: Option<String>,
    /// The source of the address in messages, if it is not the usual variable.
    pub address_name: Option<String>,
    /// Known models of the provider: similar names are suggested if this model is unknown.
    pub known_models: Vec<String>,
}

impl ClientConfig {
    /// A configuration with default timeouts and retries, and facts by the model's name.
    pub fn new(
        base_url: impl Into<String>,
        api_key: SecretString,
        model: impl Into<String>,
    ) -> Self {
        let (base_url, model) = (base_url.into(), model.into());
        let patience = if is_local(&base_url) { LOCAL_IDLE_TIMEOUT } else { IDLE_TIMEOUT };
        Self {
            base_url,
            api_key,
            facts: facts(&model),
            headers: Vec::new(),
            learned: Learned::default(),
            model,
            connect_timeout: Duration::from_secs(10),
            idle_timeout: patience,
            retry: RetryPolicy::default(),
            provider_name: None,
            key_name: None,
            address_name: None,
            known_models: Vec::new(),
        }
    }
}

impl ClientConfig {
    /// The configuration with a placeholder for a missing key, for a provider that may need none.
    pub(crate) fn with_any_key(mut self) -> Self {
        if self.api_key.expose_secret().trim().is_empty() {
            self.api_key = SecretString::from("none");
        }
        self
    }
}

/// Whether `base_url` is on the local machine or network.
fn is_local(base_url: &str) -> bool {
    let Some(host) =
        Url::parse(base_url.trim()).ok().and_then(|url| url.host_str().map(str::to_owned))
    else {
        return false;
    };
    let address = host.trim_matches(['[', ']']);
    match address.parse() {
        Ok(IpAddr::V4(ip)) => ip.is_loopback() || ip.is_private() || ip.is_unspecified(),
        Ok(IpAddr::V6(ip)) => ip.is_loopback() || ip.is_unique_local() || ip.is_unspecified(),
        // A name without a dot is local, e.g. of a container.
        Err(_) => !host.contains('.') || host.ends_with(".local") || host.ends_with(".internal"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_local_provider_may_be_silent_for_ten_minutes() {
        let patience = |url: &str| {
            ClientConfig::new(url, SecretString::from(""), "any").idle_timeout.as_secs()
        };
        for local in [
            "http://localhost:11434/v1",
            "http://127.0.0.1:1234",
            "http://[::1]:8080",
            "http://192.168.1.7:8000/v1",
            "http://ollama:11434",
            "http://host.docker.internal:1234/v1",
            "http://studio.local:1234",
        ] {
            assert_eq!(patience(local), 600, "{local}");
        }
        for remote in ["https://api.openai.com/v1", "http://8.8.8.8", "nonsense"] {
            assert_eq!(patience(remote), 300, "{remote}");
        }
    }
}
