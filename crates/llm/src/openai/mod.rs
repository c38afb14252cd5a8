//! OpenAI's form: OpenAI itself by its responses API or by chat completions, and whatever speaks the
//! latter, such as OpenRouter, Mistral, Ollama, llama.cpp or vLLM.
//!
//! | module | what it knows |
//! |---|---|
//! | `profile` | how each service wants its requests: one table, a row each |
//! | `effort` | how each says how hard to think |
//! | `chat` | chat completions, there and back |
//! | `responses` | the responses API, there and back |
//! | `errors` | error objects |
//! | `written_calls` | calls a model wrote as text |

mod chat;
mod effort;
mod errors;
mod pictures;
mod profile;
mod responses;
mod written_calls;

use std::sync::Arc;

use reqwest::Url;
use reqwest::header::HeaderMap;
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

use crate::model::{ChunkStream, LanguageModel, ModelError, Request, ToolDeclaration};
use crate::registry::{Listed, ModelFacts, listing};
use crate::retry::Failure;
use crate::service::{
    self, AnswerEvent, Client, EventReader, Held, Names, Provider, ServiceConfig, ServiceError,
    as_error,
};
use profile::{Api, Target};

/// OpenAI's own service.
pub const OPENAI_BASE_URL: &str = "https://api.openai.com/v1";

const NAMES: Names =
    Names { service: "The OpenAI API", key: "OPENAI_API_KEY", base_url: "OPENAI_BASE_URL" };

/// The field of a [`crate::Part`] that keeps what only this API has a place for.
pub(crate) const FIELD: &str = "openai";

/// A model behind OpenAI's form of API. Cheap to clone; clones share their connections.
#[derive(Debug, Clone)]
pub struct OpenAi {
    service: Arc<Service>,
}

impl OpenAi {
    /// Reads the configuration; asks nothing yet. A base address without a path gets `/v1`. The key
    /// may be empty for a service other than OpenAI's own, as local ones want none.
    pub fn new(config: ServiceConfig) -> Result<Self, ModelError> {
        let address = config.base_url.clone();
        Self::proxy_of(&address, config)
    }

    /// The same for a proxy: requests go to the address of `config` and are made as the service at
    /// `origin`, e.g. `https://api.mistral.ai/v1`, wants them.
    pub fn proxy_of(origin: &str, mut config: ServiceConfig) -> Result<Self, ModelError> {
        let is_local = config.base_url.trim() != OPENAI_BASE_URL;
        if is_local && config.api_key.expose_secret().trim().is_empty() {
            config.api_key = SecretString::from("none");
        }
        let target = Target::new(origin, &config.model, config.facts);
        let client = Client::new(NAMES, config, ("authorization", "Bearer "), HeaderMap::new())?;
        Ok(Self { service: Arc::new(Service { client, target }) })
    }

    /// The names of all models the service lists, sorted.
    pub async fn list_models(&self) -> Result<Vec<String>, ModelError> {
        Ok(self.models().await?.into_iter().map(|model| model.id).collect())
    }

    /// All models the service lists, by name, with what the list says of them.
    pub async fn models(&self) -> Result<Vec<Listed>, ModelError> {
        let client = &self.service.client;
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
    target: Target,
}

impl Service {
    fn url(&self, segments: &[&str]) -> Url {
        let version: &[&str] = if self.client.base_path_end().is_none() { &["v1"] } else { &[] };
        self.client.url(&[version, segments].concat())
    }
}

impl Provider for Service {
    type Events = Events;

    fn client(&self) -> &Client {
        &self.client
    }

    fn answer_url(&self) -> Url {
        match self.target.profile.api {
            Api::Chat => self.url(&["chat", "completions"]),
            Api::Responses => self.url(&["responses"]),
        }
    }

    fn body(&self, request: &Request) -> Value {
        // Less what the provider has refused so far.
        let target = Target { facts: self.client.facts(), ..self.target.clone() };
        match target.profile.api {
            Api::Chat => chat::body(&target, request),
            Api::Responses => responses::body(&target, request),
        }
    }

    fn events(&self) -> Events {
        self.events_for(&Value::Null)
    }

    fn events_for(&self, body: &Value) -> Events {
        match self.target.profile.api {
            Api::Chat => Events::Chat(chat::Events::new(&self.target, &tools_of(body))),
            Api::Responses => Events::Responses(responses::Events::new(&self.target)),
        }
    }

    fn http_error(&self, status: u16, headers: &HeaderMap, body: &[u8]) -> ServiceError {
        ServiceError::from_http(status, headers, body, errors::from_error_object)
    }
}

/// The tools that `body` offers.
fn tools_of(body: &Value) -> Vec<ToolDeclaration> {
    let tools = body["tools"].as_array().into_iter().flatten().map(|tool| &tool["function"]);
    let text = |tool: &Value, field: &str| tool[field].as_str().map(str::to_owned);
    let tool = |tool: &Value| {
        Some(ToolDeclaration {
            name: text(tool, "name")?,
            description: text(tool, "description").unwrap_or_default(),
            parameters: tool["parameters"].clone(),
        })
    };
    tools.filter_map(tool).collect()
}

/// Reads the events of one answer of either API.
enum Events {
    Chat(chat::Events),
    Responses(responses::Events),
}

impl EventReader for Events {
    fn read(&mut self, data: &str) -> Result<AnswerEvent, Failure> {
        match self {
            Self::Chat(events) => events.read(data),
            Self::Responses(events) => events.read(data),
        }
    }

    fn held(&self) -> Held {
        match self {
            Self::Chat(events) => events.held(),
            Self::Responses(events) => events.held(),
        }
    }
}

/// The value of the field `name`, taken out; null where there is none.
fn take(value: &mut Value, name: &str) -> Value {
    value.get_mut(name).map(Value::take).unwrap_or_default()
}

#[cfg(test)]
mod append_only_tests;
