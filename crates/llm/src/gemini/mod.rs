//! Google's Gemini API: `streamGenerateContent` over server-sent events.

mod errors;
mod events;
mod models;
mod names;
mod service;
mod wire;

use std::sync::Arc;

use reqwest::header::HeaderMap;
use serde_json::Value;

use crate::model::{ChunkStream, LanguageModel, ModelError, Request};
use crate::providers::GEMINI;
use crate::registry::{Listed, ModelFacts};
use crate::service::{Client, Provider, ServiceConfig, stream};
use names::NAMES;
use service::Service;

/// Google's own service.
pub const GEMINI_BASE_URL: &str = GEMINI.base_url;

/// A Gemini model. Cheap to clone; clones share their connections.
#[derive(Debug, Clone)]
pub struct Gemini {
    service: Arc<Service>,
}

impl Gemini {
    /// Reads the configuration; asks nothing yet. Errors say which setting cannot be used.
    pub fn new(mut config: ServiceConfig) -> Result<Self, ModelError> {
        if let Some(name) = config.model.strip_prefix("models/") {
            config.model = name.to_owned();
        }
        let client = Client::new(NAMES, config, ("x-goog-api-key", ""), HeaderMap::new())?;
        Ok(Self { service: Arc::new(Service(client)) })
    }

    /// The names of all models that the key may use and that generate content, as the API lists
    /// them.
    pub async fn list_models(&self) -> Result<Vec<String>, ModelError> {
        Ok(self.models().await?.into_iter().map(|model| model.id).collect())
    }

    /// The same models with what the list says of them.
    pub async fn models(&self) -> Result<Vec<Listed>, ModelError> {
        models::list(&self.service).await
    }

    /// The body that is sent for `request`.
    pub fn request_body(&self, request: &Request) -> Value {
        self.service.body(request)
    }
}

impl LanguageModel for Gemini {
    fn name(&self) -> &str {
        self.service.0.model()
    }

    fn facts(&self) -> ModelFacts {
        self.service.0.facts()
    }

    fn stream(&self, request: Request) -> ChunkStream {
        Box::pin(stream(Arc::clone(&self.service), request))
    }
}
