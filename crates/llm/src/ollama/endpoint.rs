//! The connection to Ollama.

use std::sync::atomic::{AtomicU64, Ordering};

use reqwest::Url;
use reqwest::header::HeaderMap;
use serde_json::Value;

use super::events::Events;
use super::{errors, wire};
use crate::estimate::estimate_request;
use crate::http::{ApiError, Client, Provider};
use crate::model::Request;

/// Settings of Ollama.
#[derive(Debug, Clone, PartialEq)]
pub struct OllamaOptions {
    /// The largest context to load a model with, in tokens.
    pub max_context: u64,
    /// How long a model stays loaded after an answer, in Ollama's syntax, e.g. `15m`.
    pub keep_alive: String,
}

impl Default for OllamaOptions {
    fn default() -> Self {
        Self { max_context: MAX_CONTEXT, keep_alive: "15m".into() }
    }
}

/// The default of [`OllamaOptions::max_context`]. A context of this size takes about 4 GiB of
/// memory for a model with eight billion parameters.
pub const MAX_CONTEXT: u64 = 32_768;

/// The smallest context: instruction and tools take about ten thousand tokens.
pub(super) const MIN_CONTEXT: u64 = 16_384;

/// Tokens reserved for an answer with its thoughts.
const ANSWER_TOKENS: u64 = 4_096;

#[derive(Debug)]
pub(super) struct Endpoint {
    pub(super) client: Client,
    pub(super) options: OllamaOptions,
    /// The context that the model was last loaded with. It only grows, since Ollama reloads the
    /// model at each change.
    pub(super) loaded_context: AtomicU64,
}

/// The context for a request of `needed` tokens. It doubles from [`MIN_CONTEXT`], so that a growing
/// conversation rarely reloads the model.
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
