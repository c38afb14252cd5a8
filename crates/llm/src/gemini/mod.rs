//! Google's Gemini API: `streamGenerateContent` over server-sent events.

mod errors;
mod events;
mod models;
mod wire;

use std::sync::Arc;

use reqwest::Url;
use reqwest::header::HeaderMap;
use serde_json::Value;

use crate::model::{ChunkStream, LanguageModel, ModelError, Request};
use crate::registry::{Listed, ModelFacts};
use crate::service::{self, Client, Names, Provider, ServiceConfig, ServiceError};
use events::Events;

/// Google's own service.
pub const GEMINI_BASE_URL: &str = "https://generativelanguage.googleapis.com";

const NAMES: Names =
    Names { service: "The Gemini API", key: "GEMINI_API_KEY", base_url: "GEMINI_BASE_URL" };

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
        Box::pin(service::stream(Arc::clone(&self.service), request))
    }
}

#[derive(Debug)]
struct Service(Client);

impl Provider for Service {
    type Events = Events;

    fn client(&self) -> &Client {
        &self.0
    }

    fn answer_url(&self) -> Url {
        let action = format!("{}:streamGenerateContent", self.0.model());
        let mut url = self.0.url(&["v1beta", "models", &action]);
        url.set_query(Some("alt=sse"));
        url
    }

    fn body(&self, request: &Request) -> Value {
        wire::body(self.0.model(), &self.0.facts(), request)
    }

    fn events(&self) -> Events {
        Events { model: self.0.model().to_owned() }
    }

    fn http_error(&self, status: u16, headers: &HeaderMap, body: &[u8]) -> ServiceError {
        errors::from_http(status, headers, body)
    }
}
