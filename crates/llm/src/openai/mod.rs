//! Chat completions in OpenAI's form: OpenAI itself, and whatever speaks the same, such as
//! OpenRouter, Ollama, llama.cpp or vLLM.

mod errors;
mod events;
mod wire;

use std::sync::Arc;

use reqwest::Url;
use reqwest::header::HeaderMap;
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

use crate::model::{ChunkStream, LanguageModel, ModelError, Request};
use crate::registry::{Listed, ModelFacts, listing};
use crate::service::{self, Client, Names, Provider, ServiceConfig, ServiceError, as_error};
use events::Events;

/// OpenAI's own service.
pub const OPENAI_BASE_URL: &str = "https://api.openai.com/v1";

const NAMES: Names =
    Names { service: "The OpenAI API", key: "OPENAI_API_KEY", base_url: "OPENAI_BASE_URL" };

/// The field of a [`crate::Part`] that keeps what only this API has a place for.
pub(crate) const FIELD: &str = "openai";

/// A model behind chat completions. Cheap to clone; clones share their connections.
#[derive(Debug, Clone)]
pub struct OpenAi {
    service: Arc<Service>,
}

impl OpenAi {
    /// Reads the configuration; asks nothing yet. A base address without a path gets `/v1`. The key
    /// may be empty for a service other than OpenAI's own, as local ones want none.
    pub fn new(mut config: ServiceConfig) -> Result<Self, ModelError> {
        let is_local = config.base_url.trim() != OPENAI_BASE_URL;
        if is_local && config.api_key.expose_secret().trim().is_empty() {
            config.api_key = SecretString::from("none");
        }
        let client = Client::new(NAMES, config, ("authorization", "Bearer "), HeaderMap::new())?;
        Ok(Self { service: Arc::new(Service(client)) })
    }

    /// The names of all models the service lists, sorted.
    pub async fn list_models(&self) -> Result<Vec<String>, ModelError> {
        Ok(self.models().await?.into_iter().map(|model| model.id).collect())
    }

    /// All models the service lists, by name, with what the list says of them.
    pub async fn models(&self) -> Result<Vec<Listed>, ModelError> {
        let client = &self.service.0;
        let bytes = client.get(&*self.service, self.service.url(&["models"])).await;
        let list = serde_json::from_slice(&bytes.map_err(as_error)?).ok();
        let mut models = list.as_ref().and_then(listing::read).ok_or_else(|| {
            ModelError::Unavailable("The OpenAI API's list is unreadable.".into())
        })?;
        models.sort_by(|one, other| one.id.cmp(&other.id));
        Ok(models)
    }

    /// The body that is sent for `request`.
    pub fn request_body(&self, request: &Request) -> Value {
        self.service.body(request)
    }
}

impl LanguageModel for OpenAi {
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

impl Service {
    fn url(&self, segments: &[&str]) -> Url {
        let version: &[&str] = if self.0.base_path_end().is_none() { &["v1"] } else { &[] };
        self.0.url(&[version, segments].concat())
    }
}

impl Provider for Service {
    type Events = Events;

    fn client(&self) -> &Client {
        &self.0
    }

    fn answer_url(&self) -> Url {
        self.url(&["chat", "completions"])
    }

    fn body(&self, request: &Request) -> Value {
        wire::body(self.0.model(), request)
    }

    fn events(&self) -> Events {
        Events::new(self.0.model())
    }

    fn http_error(&self, status: u16, headers: &HeaderMap, body: &[u8]) -> ServiceError {
        ServiceError::from_http(status, headers, body, errors::from_error_object)
    }
}
