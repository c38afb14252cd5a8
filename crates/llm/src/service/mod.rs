//! What all services over HTTP share: connections and the key, event streams, errors, retries.
//! What differs stands behind [`Provider`], one folder each.

mod answer;
mod bounds;
pub(crate) mod call_ids;
mod client;
pub(crate) mod errors;
mod lines;
mod repair;
mod sse;

use std::net::IpAddr;
use std::time::Duration;

use reqwest::Url;
use reqwest::header::HeaderMap;
use secrecy::SecretString;
use serde_json::Value;

use crate::model::{Chunk, ModelError, Request};
use crate::registry::{Learned, ModelFacts, facts};
use crate::retry::{Failure, RetryPolicy};

pub(crate) use answer::stream;
pub(crate) use bounds::Held;
pub(crate) use client::{Client, as_error};
pub(crate) use errors::ServiceError;
pub(crate) use repair::{Rejection, plain_name};

/// How long a service may say nothing.
const IDLE_TIMEOUT: Duration = Duration::from_secs(120);

/// How long a service on the user's own machine or network may say nothing.
const LOCAL_IDLE_TIMEOUT: Duration = Duration::from_secs(600);

/// Where and how a model's service is asked.
#[derive(Debug, Clone)]
pub struct ServiceConfig {
    /// The service's address, e.g. [`crate::GEMINI_BASE_URL`]; the path of the API is appended.
    pub base_url: String,
    /// The key, sent in the service's own header and written nowhere else.
    pub api_key: SecretString,
    /// The model's name, e.g. `gemini-3.8-flash`.
    pub model: String,
    /// What the model can do.
    pub facts: ModelFacts,
    /// Headers that its provider wants beside the key, by name.
    pub headers: Vec<(String, SecretString)>,
    /// What its provider refused so far; shared with other clients of the same model.
    pub learned: Learned,
    /// How long a connection may take to open.
    pub connect_timeout: Duration,
    /// How long the service may say nothing, before and within an answer. A local model reads a long
    /// request for minutes before it says anything.
    pub idle_timeout: Duration,
    /// When the service is asked again.
    pub retry: RetryPolicy,
    /// What the provider is called in texts for the user, where that is not the usual one of its API,
    /// e.g. `OpenRouter`.
    pub service_name: Option<String>,
    /// Where the key comes from, in texts for the user, where that is not the usual variable, e.g.
    /// `the key entered in the page`.
    pub key_name: Option<String>,
    /// Models the provider is known to serve: the nearest are named where this one is not known there.
    pub known_models: Vec<String>,
}

impl ServiceConfig {
    /// The usual timeouts and retries, and what the model's name tells of it.
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
            service_name: None,
            key_name: None,
            known_models: Vec::new(),
        }
    }
}

/// Whether the service at `base_url` runs on the user's own machine or network.
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
        // A name without a dot is one of the network, e.g. of a container.
        Err(_) => !host.contains('.') || host.ends_with(".local") || host.ends_with(".internal"),
    }
}

/// What a service and its settings are called in texts for the user.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Names {
    /// E.g. `The Gemini API`.
    pub(crate) service: &'static str,
    /// The variable of the key.
    pub(crate) key: &'static str,
    /// The variable of the address.
    pub(crate) base_url: &'static str,
}

/// [`Names`] as a configuration may change them, and what else helps a user along.
#[derive(Debug, Clone)]
pub(crate) struct ServiceNames {
    pub(crate) service: String,
    pub(crate) key: String,
    pub(crate) base_url: &'static str,
    pub(crate) known_models: Vec<String>,
}

impl From<Names> for ServiceNames {
    fn from(names: Names) -> Self {
        Self {
            service: names.service.to_owned(),
            key: names.key.to_owned(),
            base_url: names.base_url,
            known_models: Vec::new(),
        }
    }
}

impl ServiceNames {
    fn of(names: Names, config: &ServiceConfig) -> Self {
        let usual = Self::from(names);
        Self {
            service: config.service_name.clone().unwrap_or(usual.service),
            key: config.key_name.clone().unwrap_or(usual.key),
            base_url: usual.base_url,
            known_models: config.known_models.clone(),
        }
    }
}

/// One service and the model asked there.
pub(crate) trait Provider: Send + Sync + 'static {
    /// Reads the events of one answer.
    type Events: EventReader;

    /// Its connections.
    fn client(&self) -> &Client;

    /// Where an answer is asked for.
    fn answer_url(&self) -> Url;

    /// Whether an answer is one JSON value a line instead of server-sent events.
    fn answers_in_lines(&self) -> bool {
        false
    }

    /// The body that asks for the answer to `request`.
    fn body(&self, request: &Request) -> Value;

    /// A reader for a new answer.
    fn events(&self) -> Self::Events;

    /// A reader for the answer to `body`, where that makes a difference.
    fn events_for(&self, _body: &Value) -> Self::Events {
        self.events()
    }

    /// An HTTP error as this service tells it.
    fn http_error(&self, status: u16, headers: &HeaderMap, body: &[u8]) -> ServiceError;
}

/// From the events of one answer to chunks.
pub(crate) trait EventReader: Send {
    /// Reads the data of one event.
    fn read(&mut self, data: &str) -> Result<AnswerEvent, Failure>;

    /// What has come of the answer and was not given out yet.
    fn held(&self) -> Held {
        Held::default()
    }
}

/// What one event says.
#[derive(Debug, Default)]
pub(crate) struct AnswerEvent {
    pub(crate) chunks: Vec<Chunk>,
    pub(crate) end: Option<End>,
}

/// How far an answer has come.
#[derive(Debug)]
pub(crate) enum End {
    /// The answer is whole; token counts may still follow.
    Whole,
    /// Nothing more follows.
    Closed,
    /// It ended before it was whole.
    Failed(Failure),
}

impl From<ModelError> for End {
    fn from(error: ModelError) -> Self {
        Self::Failed(Failure::Final(error))
    }
}

#[cfg(test)]
#[path = "http_tests.rs"]
mod http_tests;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_local_service_may_be_silent_for_ten_minutes() {
        let patience = |url: &str| {
            ServiceConfig::new(url, SecretString::from(""), "any").idle_timeout.as_secs()
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
            assert_eq!(patience(remote), 120, "{remote}");
        }
    }
}
