//! How Ollama is asked.

use std::sync::atomic::{AtomicU64, Ordering};

use reqwest::Url;
use reqwest::header::HeaderMap;
use serde_json::Value;

use super::events::Events;
use super::{errors, wire};
use crate::estimate::estimate_request;
use crate::http::{ApiError, Client, Provider};
use crate::model::Request;

/// What is particular to Ollama.
#[derive(Debug, Clone, PartialEq)]
pub struct OllamaOptions {
    /// The most context a model is loaded with, in tokens, whatever it could take.
    pub max_context: u64,
    /// How long a model stays in memory after an answer, in Ollama's form, e.g. `15m`.
    pub keep_alive: String,
}

impl Default for OllamaOptions {
    fn default() -> Self {
        Self { max_context: MAX_CONTEXT, keep_alive: "15m".into() }
    }
}

/// The most context a model is loaded with where nobody says otherwise: it costs memory, about 4 GiB
/// for a model of eight billion parameters.
pub const MAX_CONTEXT: u64 = 32_768;

/// The least context: instruction and tools take some ten thousand tokens.
pub(super) const MIN_CONTEXT: u64 = 16_384;

/// Tokens kept for an answer and its thoughts.
const ANSWER_TOKENS: u64 = 4_096;

#[derive(Debug)]
pub(super) struct Endpoint {
    pub(super) client: Client,
    pub(super) options: OllamaOptions,
    /// What the model was last loaded with. Never made smaller: Ollama loads the model anew whenever
    /// it changes.
    pub(super) loaded_context: AtomicU64,
}

/// The context to load a model with for a request that needs `needed` tokens. It doubles from
/// [`MIN_CONTEXT`], so that a growing conversation seldom loads the model anew.
pub(super) fn context_for(needed: u64, window: u64) -> u64 {
    let mut context = MIN_CONTEXT;
    while context < needed && context < window {
        context = context.saturating_mul(2);
    }
    context.min(window)
}

impl Provider for Endpoint {
    type Events = Events;

    fn client(&self) -> &Client {
        &self.client
    }

    fn answer_url(&self) -> Url {
        self.client.url(&["api", "chat"])
    }

    fn answers_in_lines(&self) -> bool {
        true
    }

    fn body(&self, request: &Request) -> Value {
        let facts = self.client.facts();
        let needed = estimate_request(request) + ANSWER_TOKENS;
        let context = context_for(needed, facts.context_window);
        let context = self.loaded_context.fetch_max(context, Ordering::Relaxed).max(context);
        let context = context.min(facts.context_window);
        wire::body(self.client.model(), &facts, request, context, &self.options.keep_alive)
    }

    fn events(&self) -> Events {
        Events { model: self.client.model().to_owned() }
    }

    fn http_error(&self, status: u16, headers: &HeaderMap, body: &[u8]) -> ApiError {
        ApiError::from_http(status, headers, body, errors::from_error_object)
    }
}
