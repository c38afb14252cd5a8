//! Ollama's native API. Its OpenAI-compatible API cannot set the context size, and the default of
//! 4,096 tokens on small machines silently truncates the instruction and the tools.

mod endpoint;
mod errors;
mod events;
mod models;
mod names;
mod wire;

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use reqwest::header::HeaderMap;
use serde_json::Value;

use crate::http::{Client, ClientConfig, Provider, stream};
use crate::model::{ChunkStream, LanguageModel, ModelError, Request};
use crate::registry::{Listed, ModelFacts};
use endpoint::{Endpoint, MIN_CONTEXT};
pub use endpoint::{MAX_CONTEXT, OllamaOptions};
pub(crate) use names::FIELD;
use names::NAMES;

/// A model served by Ollama. Cheap to clone; clones share their connections.
#[derive(Debug, Clone)]
pub struct Ollama {
    endpoint: Arc<Endpoint>,
}

impl Ollama {
    /// Creates a client without sending anything. `base_url` may end with `/v1`, like that of the
    /// OpenAI-compatible API. The key may be empty.
    pub fn new(config: ClientConfig, options: OllamaOptions) -> Result<Self, ModelError> {
        let mut config = config.with_any_key();
        let address = config.base_url.trim().trim_end_matches('/');
        config.base_url = address.strip_suffix("/v1").unwrap_or(address).to_owned();
        config.facts.context_window = config.facts.context_window.min(options.max_context);
        // Loading a large model and processing a long request can take minutes.
        config.idle_timeout = config.idle_timeout.max(LOCAL_IDLE_TIMEOUT);
        let client = Client::new(NAMES, config, ("authorization", "Bearer "), HeaderMap::new())?;
        let loaded_context = AtomicU64::new(MIN_CONTEXT);
        Ok(Self { endpoint: Arc::new(Endpoint { client, options, loaded_context }) })
    }

    /// Whether an Ollama server answers at the address.
    pub async fn answers(&self) -> bool {
        models::version(&self.endpoint).await.is_some()
    }

    /// The installed chat models with their facts.
    pub async fn models(&self) -> Result<Vec<Listed>, ModelError> {
        models::list(&self.endpoint, &self.endpoint.options).await
    }

    /// The body that is sent for `request`.
    pub fn request_body(&self, request: &Request) -> Value {
        self.endpoint.body(request)
    }
}

/// The idle timeout of a local model.
const LOCAL_IDLE_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(600);

impl LanguageModel for Ollama {
    fn name(&self) -> &str {
        self.endpoint.client.model()
    }

    fn facts(&self) -> ModelFacts {
        self.endpoint.client.facts()
    }

    fn stream(&self, request: Request) -> ChunkStream {
        Box::pin(stream(Arc::clone(&self.endpoint), request))
    }
}

#[cfg(test)]
mod tests {
    use secrecy::SecretString;

    use super::endpoint::context_for;
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
            ClientConfig::new("http://localhost:11434/v1/", SecretString::from(""), "qwen3:8b");
        config.facts.context_window = 131_072;
        let options = OllamaOptions { max_context: 65_536, ..OllamaOptions::default() };
        let model = Ollama::new(config, options).unwrap();
        assert_eq!(model.facts().context_window, 65_536);
        assert_eq!(model.endpoint.answer_url().as_str(), "http://localhost:11434/api/chat");
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
