//! Ollama's own API. Its imitation of OpenAI's cannot set how much context a model is loaded with, and
//! the default of a small machine, 4,096 tokens, silently cuts off the instruction and the tools.

mod errors;
mod events;
mod models;
mod wire;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use reqwest::Url;
use reqwest::header::HeaderMap;
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

use crate::estimate::estimate_request;
use crate::model::{ChunkStream, LanguageModel, ModelError, Request};
use crate::registry::{Listed, ModelFacts};
use crate::service::{self, Client, Names, Provider, ServiceConfig, ServiceError};
use events::Events;

const NAMES: Names =
    Names { service: "Ollama", key: "OLLAMA_API_KEY", base_url: "OLLAMA_BASE_URL" };

/// The field of a [`crate::Part`] that says which model of Ollama's thought it.
pub(crate) const FIELD: &str = "ollama";

/// The most context a model is loaded with where nobody says otherwise: it costs memory, about 4 GiB
/// for a model of eight billion parameters.
pub const MAX_CONTEXT: u64 = 32_768;

/// The least context: instruction and tools take some ten thousand tokens.
const MIN_CONTEXT: u64 = 16_384;

/// Tokens kept for an answer and its thoughts.
const ANSWER_TOKENS: u64 = 4_096;

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

/// A model that Ollama runs. Cheap to clone; clones share their connections.
#[derive(Debug, Clone)]
pub struct Ollama {
    service: Arc<Service>,
}

impl Ollama {
    /// Reads the configuration; asks nothing yet. The base address may end with `/v1`, as that of
    /// Ollama's imitation of OpenAI's API does. The key may be empty.
    pub fn new(mut config: ServiceConfig, options: OllamaOptions) -> Result<Self, ModelError> {
        if config.api_key.expose_secret().trim().is_empty() {
            config.api_key = SecretString::from("none");
        }
        let address = config.base_url.trim().trim_end_matches('/');
        config.base_url = address.strip_suffix("/v1").unwrap_or(address).to_owned();
        config.facts.context_window = config.facts.context_window.min(options.max_context);
        // A large model on a small machine takes minutes to load and to read.
        config.idle_timeout = config.idle_timeout.max(LOCAL_IDLE_TIMEOUT);
        let client = Client::new(NAMES, config, ("authorization", "Bearer "), HeaderMap::new())?;
        let loaded_context = AtomicU64::new(MIN_CONTEXT);
        Ok(Self { service: Arc::new(Service { client, options, loaded_context }) })
    }

    /// Whether Ollama is what answers at the address.
    pub async fn answers(&self) -> bool {
        models::version(&self.service).await.is_some()
    }

    /// The models that are there and can be talked to, with what each can do.
    pub async fn models(&self) -> Result<Vec<Listed>, ModelError> {
        models::list(&self.service, &self.service.options).await
    }

    /// The body that is sent for `request`.
    pub fn request_body(&self, request: &Request) -> Value {
        self.service.body(request)
    }
}

/// How long a model that runs on this machine may say nothing.
const LOCAL_IDLE_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(600);

/// The context to load a model with for a request that needs `needed` tokens. It doubles from
/// [`MIN_CONTEXT`], so that a growing conversation seldom loads the model anew.
fn context_for(needed: u64, window: u64) -> u64 {
    let mut context = MIN_CONTEXT;
    while context < needed && context < window {
        context = context.saturating_mul(2);
    }
    context.min(window)
}

impl LanguageModel for Ollama {
    fn name(&self) -> &str {
        self.service.client.model()
    }

    fn facts(&self) -> ModelFacts {
        self.service.client.facts()
    }

    fn stream(&self, request: Request) -> ChunkStream {
        Box::pin(service::stream(Arc::clone(&self.service), request))
    }
}

#[derive(Debug)]
struct Service {
    client: Client,
    options: OllamaOptions,
    /// What the model was last loaded with. Never made smaller: Ollama loads the model anew whenever
    /// it changes.
    loaded_context: AtomicU64,
}

impl Provider for Service {
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

    fn http_error(&self, status: u16, headers: &HeaderMap, body: &[u8]) -> ServiceError {
        let error = ServiceError::from_http(status, headers, body, errors::from_error_object);
        if let Some(refusal) = errors::refusal(&error.message) {
            self.client.learned().note(refusal);
        }
        error
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_context_doubles_until_it_is_enough() {
        assert_eq!(context_for(9_000, 131_072), 16_384);
        assert_eq!(context_for(17_000, 131_072), 32_768);
        assert_eq!(context_for(17_000, 32_768), 32_768);
        assert_eq!(context_for(900_000, 131_072), 131_072);
        assert_eq!(context_for(9_000, 8_192), 8_192);
        assert_eq!(context_for(u64::MAX, u64::MAX), u64::MAX);
    }

    #[test]
    fn a_model_is_not_loaded_with_less_than_before() {
        let mut config =
            ServiceConfig::new("http://localhost:11434/v1/", SecretString::from(""), "qwen3:8b");
        config.facts.context_window = 131_072;
        let options = OllamaOptions { max_context: 65_536, ..OllamaOptions::default() };
        let model = Ollama::new(config, options).unwrap();
        assert_eq!(model.facts().context_window, 65_536);
        assert_eq!(model.service.answer_url().as_str(), "http://localhost:11434/api/chat");
        let context = |text: &str| {
            let contents = vec![crate::Content::user(text)];
            model.request_body(&Request { contents, ..Request::default() })["options"]["num_ctx"]
                .take()
        };
        assert_eq!(context("hello"), 16_384);
        assert_eq!(context(&"x".repeat(80_000)), 32_768);
        assert_eq!(context("hello"), 32_768);
        assert_eq!(context(&"x".repeat(800_000)), 65_536);
    }
}
