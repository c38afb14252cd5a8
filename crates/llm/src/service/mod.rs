//! What all services over HTTP share: connections and the key, event streams, errors, retries.
//! What differs stands behind [`Provider`], one folder each.

mod answer;
pub(crate) mod call_ids;
mod client;
pub(crate) mod errors;
mod lines;
mod repair;
mod sse;

use std::time::Duration;

use reqwest::Url;
use reqwest::header::HeaderMap;
use secrecy::SecretString;
use serde_json::Value;

use crate::model::{Chunk, ModelError, Request};
use crate::registry::{Learned, ModelFacts, facts};
use crate::retry::{Failure, RetryPolicy};

pub(crate) use answer::stream;
pub(crate) use client::{Client, as_error};
pub(crate) use errors::ServiceError;
pub(crate) use repair::{Rejection, plain_name};

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
    /// How long the service may say nothing, before and within an answer.
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
        let model = model.into();
        Self {
            base_url: base_url.into(),
            api_key,
            facts: facts(&model),
            headers: Vec::new(),
            learned: Learned::default(),
            model,
            connect_timeout: Duration::from_secs(10),
            idle_timeout: Duration::from_secs(120),
            retry: RetryPolicy::default(),
            service_name: None,
            key_name: None,
            known_models: Vec::new(),
        }
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
