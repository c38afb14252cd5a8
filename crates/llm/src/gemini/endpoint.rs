//! The connection to the Gemini API.

use reqwest::Url;
use reqwest::header::HeaderMap;
use serde_json::Value;

use super::events::Events;
use super::{errors, wire};
use crate::http::{ApiError, Client, Provider};
use crate::model::Request;

#[derive(Debug)]
pub(super) struct Endpoint(pub(super) Client);

impl Provider for Endpoint {
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

    fn http_error(&self, status: u16, headers: &HeaderMap, body: &[u8]) -> ApiError {
        errors::from_http(status, headers, body)
    }
}
