//! Google's Gemini API: `streamGenerateContent` over server-sent events.

mod endpoint;
mod errors;
mod events;
mod models;
mod names;
mod wire;

use std::sync::Arc;

use reqwest::header::HeaderMap;
use serde_json::Value;

use crate::http::{Client, ClientConfig, Provider, stream};
use crate::model::{ChunkStream, LanguageModel, ModelError, Request};
use crate::providers::GEMINI;
use crate::registry::{Listed, ModelFacts};
use endpoint::Endpoint;
use names::NAMES;

/// The base URL of Google's API.
pub const GEMINI_BASE_URL: &str = GEMINI.base_url;

/// A Gemini model. Cheap to clone; clones share their connections.
#[derive(Debug, Clone)]
pub struct Gemini {
    endpoint: Arc<Endpoint>,
}

impl Gemini {
    /// Creates a client without sending anything. The error names the invalid setting.
    pub fn new(mut config: ClientConfig) -> Result<Self, ModelError> {
        if let Some(name) = config.model.strip_prefix("models/") {
            config.model = name.to_owned();
        }
        let client = Client::new(NAMES, config, ("x-goog-api-key", ""), HeaderMap::new())?;
        Ok(Self { endpoint: Arc::new(Endpoint(client)) })
    }

    /// The names of all models that the key may use and that generate content, as the API lists
    /// them.
    pub async fn list_models(&self) -> Result<Vec<String>, ModelError> {
        Ok(self.models().await?.into_iter().map(|model| model.id).collect())
    }

    /// The same models with their listed facts.
    pub async fn models(&self) -> Result<Vec<Listed>, ModelError> {
        models::list(&self.endpoint).await
    }

    /// The body that is sent for `request`.
    pub fn request_body(&self, request: &Request) -> Value {
        self.endpoint.body(request)
    }
}

impl LanguageModel for Gemini {
    fn name(&self) -> &str {
        self.endpoint.0.model()
    }

    fn facts(&self) -> ModelFacts {
        self.endpoint.0.facts()
    }

    fn stream(&self, request: Request) -> ChunkStream {
        Box::pin(stream(Arc::clone(&self.endpoint), request))
    }
}
