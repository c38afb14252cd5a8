//! Anthropic's Messages API.

mod errors;
mod events;
mod names;
mod prefix;
mod settings;
mod wire;

use std::sync::Arc;

use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde::Deserialize;
use serde_json::Value;

use crate::http::{self, ApiError, Client, ClientConfig, Provider, as_error};
use crate::model::{ChunkStream, LanguageModel, ModelError, Request};
use crate::providers::ANTHROPIC;
use crate::registry::{Listed, ModelFacts, PictureLimits, listing};
use events::Events;
pub(crate) use names::FIELD;
use names::NAMES;
use prefix::Prefix;

/// The base URL of Anthropic's API.
pub const ANTHROPIC_BASE_URL: &str = ANTHROPIC.base_url;

/// The API version, sent as the header `anthropic-version`.
const VERSION: &str = "2023-06-01";

/// The limits of pictures: 100 a request, 5 MB each as base64, and 2,000 pixels in requests with
/// more than twenty (platform.claude.com/docs, vision).
const PICTURES: PictureLimits =
    PictureLimits { max_count: Some(100), max_side: Some(2_000), max_bytes: Some(3_900_000) };

/// The page limit of the model list, so that a list without an end stops.
const MAX_PAGES: usize = 20;

/// A Claude model. Cheap to clone; clones share their connections.
#[derive(Debug, Clone)]
pub struct Anthropic {
    endpoint: Arc<Endpoint>,
}

impl Anthropic {
    /// Creates a client without sending anything. `base_url` may end with `/v1` or not.
    pub fn new(mut config: ClientConfig) -> Result<Self, ModelError> {
        config.facts = config.facts.with_picture_limits(PICTURES);
        let version = HeaderName::from_static("anthropic-version");
        let headers = HeaderMap::from_iter([(version, HeaderValue::from_static(VERSION))]);
        let client = Client::new(NAMES, config, ("x-api-key", ""), headers)?;
        Ok(Self { endpoint: Arc::new(Endpoint(client)) })
    }

    /// The names of all models that the key may use, the newest first, as the API lists them.
    pub async fn list_models(&self) -> Result<Vec<String>, ModelError> {
        Ok(self.models().await?.into_iter().map(|model| model.id).collect())
    }

    /// The same models with their listed facts.
    pub async fn models(&self) -> Result<Vec<Listed>, ModelError> {
        let mut models = Vec::new();
        let mut after: Option<String> = None;
        for _ in 0..MAX_PAGES {
            let mut url = self.endpoint.url("models");
            url.query_pairs_mut().append_pair("limit", "1000");
            if let Some(after) = &after {
                url.query_pairs_mut().append_pair("after_id", after);
            }
            let bytes = self.endpoint.0.get(&*self.endpoint, url).await.map_err(as_error)?;
            let page: Page = serde_json::from_slice(&bytes).map_err(|error| {
                ModelError::Unavailable(format!(
                    "The Anthropic API's list is unreadable ({error})."
                ))
            })?;
            models.extend(page.data.iter().filter_map(listing::entry));
            after = page.last_id.filter(|_| page.has_more);
            if after.is_none() {
                break;
            }
        }
        Ok(models)
    }

    /// The body that is sent for `request`.
    pub fn request_body(&self, request: &Request) -> Value {
        self.endpoint.body(request)
    }
}

#[derive(Deserialize)]
struct Page {
    data: Vec<Value>,
    #[serde(default)]
    has_more: bool,
    last_id: Option<String>,
}

impl LanguageModel for Anthropic {
    fn name(&self) -> &str {
        self.endpoint.0.model()
    }

    fn facts(&self) -> ModelFacts {
        self.endpoint.0.facts()
    }

    fn stream(&self, request: Request) -> ChunkStream {
        Box::pin(http::stream(Arc::clone(&self.endpoint), request))
    }
}

#[derive(Debug)]
struct Endpoint(Client);

impl Endpoint {
    fn url(&self, resource: &str) -> Url {
        match self.0.base_path_end() {
            Some("v1") => self.0.url(&[resource]),
            _ => self.0.url(&["v1", resource]),
        }
    }
}

impl Provider for Endpoint {
    type Events = Events;

    fn client(&self) -> &Client {
        &self.0
    }

    fn answer_url(&self) -> Url {
        self.url("messages")
    }

    fn body(&self, request: &Request) -> Value {
        wire::body(self.0.model(), &self.0.facts(), request)
    }

    fn events(&self) -> Events {
        Events::new(self.0.model(), None)
    }

    fn events_for(&self, body: &Value) -> Events {
        Events::new(self.0.model(), Some(Prefix::of_body(body)))
    }

    fn http_error(&self, status: u16, headers: &HeaderMap, body: &[u8]) -> ApiError {
        ApiError::from_http(status, headers, body, errors::from_error_object)
    }
}
