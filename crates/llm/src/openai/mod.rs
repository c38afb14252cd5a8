//! OpenAI's APIs: responses and chat completions, and the providers compatible with the latter,
//! such as OpenRouter, Mistral, Ollama, llama.cpp and vLLM.
//!
//! | module | contents |
//! |---|---|
//! | `profile` | the differences between providers: one table, a row each |
//! | `effort` | levels of effort |
//! | `chat` | the chat completions API |
//! | `responses` | the responses API |
//! | `errors` | error objects |
//! | `llama_cpp` | facts from llama.cpp's `/props` |
//! | `written_calls` | calls written as text |

mod chat;
mod effort;
mod errors;
mod fields;
mod llama_cpp;
mod profile;
mod responses;
mod written_calls;

use std::sync::Arc;

use reqwest::Url;
use reqwest::header::HeaderMap;
use serde_json::Value;

use crate::http::{
    self, AnswerEvent, ApiError, Client, ClientConfig, EventReader, Held, Provider, as_error,
};
use crate::model::{ChunkStream, LanguageModel, ModelError, Request, ToolDeclaration};
use crate::providers::{KnownProvider, OPENAI};
use crate::registry::{Listed, ModelFacts, listing};
use crate::retry::Failure;
pub(crate) use fields::FIELD;
use fields::NAMES;
pub(crate) use llama_cpp::read_props;
use profile::{Api, Target};

/// The base URL of OpenAI's API.
pub const OPENAI_BASE_URL: &str = OPENAI.base_url;

/// A model behind an OpenAI-compatible API. Cheap to clone; clones share their connections.
#[derive(Debug, Clone)]
pub struct OpenAi {
    endpoint: Arc<Endpoint>,
}

impl OpenAi {
    /// Creates a client without sending anything. A base URL without a path gets `/v1`. The key may
    /// be empty except for OpenAI itself, since local servers need none.
    pub fn new(config: ClientConfig) -> Result<Self, ModelError> {
        let address = config.base_url.clone();
        Self::proxy_of(&address, config)
    }

    /// A client for a proxy: requests go to the address of `config`, in the form of the provider at
    /// `origin`, e.g. `https://api.mistral.ai/v1`.
    pub fn proxy_of(origin: &str, mut config: ClientConfig) -> Result<Self, ModelError> {
        if config.base_url.trim() != OPENAI_BASE_URL {
            config = config.with_any_key();
        }
        let mut target = Target::new(origin, &config.model, config.facts);
        config.facts = target.facts;
        let client = Client::new(NAMES, config, ("authorization", "Bearer "), HeaderMap::new())?;
        target.names = client.names().clone();
        Ok(Self { endpoint: Arc::new(Endpoint { client, target }) })
    }

    /// The names of all listed models, sorted.
    pub async fn list_models(&self) -> Result<Vec<String>, ModelError> {
        Ok(self.models().await?.into_iter().map(|model| model.id).collect())
    }

    /// All listed models with their facts, by name.
    pub async fn models(&self) -> Result<Vec<Listed>, ModelError> {
        let list = self.endpoint.document(self.endpoint.url(&["models"])).await?;
        let mut models = listing::read(&list).ok_or_else(|| {
            let provider = self.endpoint.client.provider();
            ModelError::Unavailable(format!("{provider}'s list is unreadable."))
        })?;
        // A server with several models has no facts of each.
        if let ([model], Some("llamacpp")) = (&mut models[..], owner_of(&list))
            && let Ok(props) = self.endpoint.document(self.endpoint.root_url("props")).await
        {
            read_props(model, &props);
        }
        models.sort_by(|one, other| one.id.cmp(&other.id));
        Ok(models)
    }

    /// The usual address of the server program that the model list names, for [`OpenAi::proxy_of`].
    /// `None` if the list names no known program.
    pub async fn usual_address(&self) -> Option<&'static str> {
        let list = self.endpoint.document(self.endpoint.url(&["models"])).await.ok()?;
        let owner = owner_of(&list)?;
        let program = KnownProvider::named(owner).filter(|known| known.port.is_some())?;
        Some(program.base_url)
    }

    /// The body that is sent for `request`.
    pub fn request_body(&self, request: &Request) -> Value {
        self.endpoint.body(request)
    }
}

/// The owner of the first model of a list.
fn owner_of(list: &Value) -> Option<&str> {
    list["data"][0]["owned_by"].as_str()
}

impl LanguageModel for OpenAi {
    fn name(&self) -> &str {
        self.endpoint.client.model()
    }

    fn facts(&self) -> ModelFacts {
        self.endpoint.client.facts()
    }

    fn stream(&self, request: Request) -> ChunkStream {
        Box::pin(http::stream(Arc::clone(&self.endpoint), request))
    }
}

#[derive(Debug)]
struct Endpoint {
    client: Client,
    target: Target,
}

impl Endpoint {
    fn url(&self, segments: &[&str]) -> Url {
        let version: &[&str] = if self.client.base_path_end().is_none() { &["v1"] } else { &[] };
        self.client.url(&[version, segments].concat())
    }

    /// The URL of `name` at the root of the server, outside `/v1`.
    fn root_url(&self, name: &str) -> Url {
        let mut url = self.url(&[]);
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().pop().push(name);
        }
        url
    }

    async fn document(&self, url: Url) -> Result<Value, ModelError> {
        let bytes = self.client.get(self, url).await.map_err(as_error)?;
        Ok(serde_json::from_slice(&bytes).unwrap_or_default())
    }
}

impl Provider for Endpoint {
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
        // Without the features that the provider has refused so far.
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

    fn http_error(&self, status: u16, headers: &HeaderMap, body: &[u8]) -> ApiError {
        ApiError::from_http(status, headers, body, errors::from_error_object)
    }
}

/// The tools declared in `body`.
fn tools_of(body: &Value) -> Vec<ToolDeclaration> {
    let tools = body["tools"].as_array().into_iter().flatten().map(|tool| &tool["function"]);
    let text = |tool: &Value, field: &str| tool[field].as_str().map(str::to_owned);
    let tool = |tool: &Value| {
        Some(ToolDeclaration {
            name: text(tool, "name")?,
            description: text(tool, "description").unwrap_or_default(),
            parameters: tool["parameters"].clone().into(),
        })
    };
    tools.filter_map(tool).collect()
}

/// The reader of one answer's events, for either API.
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

/// The vendor of the profile for `base_url`; empty if unknown.
#[cfg(test)]
pub(crate) fn vendor_of(base_url: &str) -> &'static str {
    Target::new(base_url, "any", ModelFacts::UNKNOWN).profile.vendor()
}

#[cfg(test)]
mod append_only_tests;
