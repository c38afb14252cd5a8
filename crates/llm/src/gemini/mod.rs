//! Google's Gemini API: `streamGenerateContent` over server-sent events.

mod answer;
mod client;
mod errors;
mod events;
mod models;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use secrecy::SecretString;
use serde_json::Value;

use crate::model::{ChunkStream, LanguageModel, ModelError, Request};
use crate::retry::RetryPolicy;
use client::Client;

/// Google's own service.
pub const DEFAULT_BASE_URL: &str = "https://generativelanguage.googleapis.com";

/// Where and how the Gemini API is asked.
#[derive(Debug, Clone)]
pub struct GeminiConfig {
    /// The service without `/v1beta/...`, e.g. [`DEFAULT_BASE_URL`].
    pub base_url: String,
    /// The key, sent as `x-goog-api-key` and written nowhere else.
    pub api_key: SecretString,
    /// The model's name, e.g. `gemini-3.8-flash`.
    pub model: String,
    /// How long a connection may take to open.
    pub connect_timeout: Duration,
    /// How long the service may say nothing, before and within an answer.
    pub idle_timeout: Duration,
    /// When the service is asked again.
    pub retry: RetryPolicy,
}

impl GeminiConfig {
    /// The usual timeouts and retries.
    pub fn new(
        base_url: impl Into<String>,
        api_key: SecretString,
        model: impl Into<String>,
    ) -> Self {
        Self {
            base_url: base_url.into(),
            api_key,
            model: model.into(),
            connect_timeout: Duration::from_secs(10),
            idle_timeout: Duration::from_secs(120),
            retry: RetryPolicy::default(),
        }
    }
}

/// A Gemini model. Cheap to clone; clones share their connections.
#[derive(Debug, Clone)]
pub struct Gemini {
    client: Arc<Client>,
}

impl Gemini {
    /// Reads the configuration; asks nothing yet. Errors say which setting cannot be used.
    pub fn new(config: GeminiConfig) -> Result<Self, ModelError> {
        Ok(Self { client: Arc::new(Client::new(config)?) })
    }

    /// The names of all models that the key may use and that generate content, as the API lists
    /// them.
    pub async fn list_models(&self) -> Result<Vec<String>, ModelError> {
        models::list(&self.client).await
    }

    /// The body that is sent for `request`.
    pub fn request_body(&self, request: &Request) -> Value {
        wire::body(self.client.model(), request)
    }
}

impl LanguageModel for Gemini {
    fn name(&self) -> &str {
        self.client.model()
    }

    fn stream(&self, request: Request) -> ChunkStream {
        let body = self.request_body(&request);
        Box::pin(answer::stream(Arc::clone(&self.client), &body))
    }
}
