//! What all services over HTTP share: connections and the key, event streams, errors, retries.
//! What differs stands behind [`Provider`], one folder each.

mod answer;
pub(crate) mod call_ids;
mod client;
pub(crate) mod errors;
mod lines;
mod sse;

use std::time::Duration;

use reqwest::Url;
use reqwest::header::HeaderMap;
use secrecy::SecretString;

use crate::model::{Chunk, ModelError};
use crate::registry::{Learned, ModelFacts, facts};
use crate::retry::{Failure, RetryPolicy};

pub(crate) use answer::stream;
pub(crate) use client::{Client, as_error};
pub(crate) use errors::ServiceError;

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

    /// A reader for a new answer.
    fn events(&self) -> Self::Events;

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
