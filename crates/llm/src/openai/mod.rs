//! OpenAI's form: OpenAI itself by its responses API or by chat completions, and whatever speaks the
//! latter, such as OpenRouter, Mistral, Ollama, llama.cpp or vLLM.
//!
//! | module | what it knows |
//! |---|---|
//! | `profile` | how each provider wants its requests: one table, a row each |
//! | `effort` | how each says how hard to think |
//! | `chat` | chat completions, there and back |
//! | `responses` | the responses API, there and back |
//! | `errors` | error objects |
//! | `llama_cpp` | what llama.cpp says of its model |
//! | `written_calls` | calls a model wrote as text |

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

/// OpenAI's own provider.
pub const OPENAI_BASE_URL: &str = OPENAI.base_url;

/// A model behind OpenAI's form of API. Cheap to clone; clones share their connections.
#[derive(Debug, Clone)]
pub struct OpenAi {
    endpoint: Arc<Endpoint>,
}

impl OpenAi {
    /// Reads the configuration; asks nothing yet. A base address without a path gets `/v1`. The key
    /// may be empty for a provider other than OpenAI's own, as local ones want none.
    pub fn new(config: ClientConfig) -> Result<Self, ModelError> {
        let address = config.base_url.clone();
        Self::proxy_of(&address, config)
    }

    /// The same for a proxy: requests go to the address of `config` and are made as the provider at
    /// `origin`, e.g. `https://api.mistral.ai/v1`, wants them.
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

    /// The names of all models the provider lists, sorted.
    pub async fn list_models(&self) -> Result<Vec<String>, ModelError> {
        Ok(self.models().await?.into_iter().map(|model| model.id).collect())
    }

    /// All models the provider lists, by name, with what the list says of them.
    pub async fn models(&self) -> Result<Vec<Listed>, ModelError> {
        let list = self.endpoint.document(self.endpoint.url(&["models"])).await?;
        let mut models = listing::read(&list).ok_or_else(|| {
            let provider = self.endpoint.client.provider();
            ModelError::Unavailable(format!("{provider}'s list is unreadable."))
        })?;
        // One that serves several says nothing of each.
        if let ([model], Some("llamacpp")) = (&mut models[..], owner_of(&list))
            && let Ok(props) = self.endpoint.document(self.endpoint.root_url("props")).await
        {
            read_props(model, &props);
        }
        models.sort_by(|one, other| one.id.cmp(&other.id));
        Ok(models)
    }

    /// The address where the program behind this one, as its list names it, is known to listen: for
    /// [`OpenAi::proxy_of`]. `None` where the list names none that is known.
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

/// Whom a list names as the owner of its first model.
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

    /// The address of `name` beside the API.
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

    fn http_error(&self, status: u16, headers: &HeaderMap, body: &[u8]) -> ApiError {
        ApiError::from_http(status, headers, body, errors::from_error_object)
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

/// Whose profile the provider at `base_url` has; empty where nothing is known of it.
#[cfg(test)]
pub(crate) fn vendor_of(base_url: &str) -> &'static str {
    Target::new(base_url, "any", ModelFacts::UNKNOWN).profile.vendor()
}

#[cfg(test)]
mod append_only_tests;
