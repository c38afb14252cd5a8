//! Requests to an agent, within limits of time and size.

use std::time::Duration;

use agent::untrusted::clean;
use eventsource_stream::Eventsource as _;
use futures_util::stream::{self, BoxStream};
use futures_util::{StreamExt as _, TryStreamExt as _};
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{RequestBuilder, Response, Url};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Value, json};

use crate::card::Card;

/// The most bytes of a card.
const MAX_CARD: usize = 256 * 1024;
/// The most bytes of an answer, or of all answers of a stream.
const MAX_ANSWER: usize = 4 * 1024 * 1024;
/// The time limit for a card, and for calls that an agent answers at once.
pub(crate) const AT_ONCE: Duration = Duration::from_secs(10);

/// An HTTP client for one agent.
#[derive(Clone)]
pub(crate) struct Connection {
    http: reqwest::Client,
    token: Option<SecretString>,
}

impl Connection {
    pub(crate) fn new(token: Option<SecretString>) -> Result<Self, String> {
        let policy = llm::redirects_within_a_server();
        let http = llm::http_client_builder().redirect(policy).build();
        Ok(Self { http: http.map_err(|error| with_sources(&error))?, token })
    }

    /// Reads the card at `url`.
    pub(crate) async fn card(&self, url: &Url) -> Result<Card, String> {
        let asked = self.http.get(url.clone()).header(ACCEPT, "application/json");
        let read = async {
            let response = self.answer(asked).await?;
            let text = bytes(response, MAX_CARD).await?;
            let card: Value = serde_json::from_slice(&text)
                .map_err(|error| format!("its card is not JSON: {error}"))?;
            Card::read(&card, url)
        };
        let late = || Err(format!("its card did not come within {} s", AT_ONCE.as_secs()));
        tokio::time::timeout(AT_ONCE, read).await.unwrap_or_else(|_| late())
    }

    /// Calls a method that has one answer.
    pub(crate) async fn call(
        &self,
        url: &Url,
        method: &str,
        params: &Value,
    ) -> Result<Value, String> {
        let response = self.answer(self.request(url, method, params)).await?;
        result_of(&bytes(response, MAX_ANSWER).await?)
    }

    /// Calls a method that has many answers. Dropping the stream closes the connection.
    pub(crate) async fn stream(
        &self,
        url: &Url,
        method: &str,
        params: &Value,
    ) -> Result<BoxStream<'static, Result<Value, String>>, String> {
        let response = self.answer(self.request(url, method, params)).await?;
        let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        if !kind.unwrap_or_default().starts_with("text/event-stream") {
            let answer = result_of(&bytes(response, MAX_ANSWER).await?);
            return Ok(stream::once(std::future::ready(answer)).boxed());
        }
        let mut left = MAX_ANSWER;
        let pieces = response.bytes_stream().map_err(|error| with_sources(&error));
        let bounded = pieces.and_then(move |piece| {
            let fits = left.checked_sub(piece.len());
            left = fits.unwrap_or_default();
            std::future::ready(fits.map(|_| piece).ok_or_else(too_much))
        });
        let answers = bounded.eventsource().map(|event| match event {
            Ok(event) => result_of(event.data.as_bytes()),
            Err(error) => Err(format!("its stream broke: {error}")),
        });
        Ok(answers.boxed())
    }

    fn request(&self, url: &Url, method: &str, params: &Value) -> RequestBuilder {
        self.http
            .post(url.clone())
            .header("A2A-Version", "1.0")
            .header(ACCEPT, "application/json, text/event-stream")
            .json(&json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }))
    }

    /// Sends a request; an answer is one with a status of success.
    async fn answer(&self, request: RequestBuilder) -> Result<Response, String> {
        let request = match &self.token {
            Some(token) => request.bearer_auth(token.expose_secret()),
            None => request,
        };
        let response = request.send().await.map_err(|error| with_sources(&error))?;
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        let said = bytes(response, MAX_CARD).await.unwrap_or_default();
        Err(format!("it answered {status}: {}", clean(&String::from_utf8_lossy(&said), 300)))
    }
}

fn too_much() -> String {
    format!("it sent more than {} MiB", MAX_ANSWER / 1024 / 1024)
}

/// A body of at most `max` bytes.
async fn bytes(mut response: Response, max: usize) -> Result<Vec<u8>, String> {
    let mut all = Vec::new();
    while let Some(piece) = response.chunk().await.map_err(|error| with_sources(&error))? {
        if all.len() + piece.len() > max {
            return Err(format!("it sent more than {} KiB", max / 1024));
        }
        all.extend_from_slice(&piece);
    }
    Ok(all)
}

/// The result in a JSON-RPC response.
fn result_of(text: &[u8]) -> Result<Value, String> {
    let mut response: Value = serde_json::from_slice(text)
        .map_err(|error| format!("it sent something that is not JSON: {error}"))?;
    if let Some(error) = response.get("error").filter(|error| !error.is_null()) {
        let said = clean(error["message"].as_str().unwrap_or("without a message"), 500);
        return Err(format!("it refused: {said} (code {})", error["code"]));
    }
    match response.get_mut("result") {
        Some(result) => Ok(result.take()),
        None => Err("it sent a response without a result".into()),
    }
}

/// An error with its causes, without the address, which may have secrets.
fn with_sources(error: &reqwest::Error) -> String {
    let mut text = match error {
        error if error.is_connect() => "it cannot be reached".to_owned(),
        error if error.is_redirect() => "its redirect was not followed".to_owned(),
        error if error.is_timeout() => "it did not answer in time".to_owned(),
        _ => "the request failed".to_owned(),
    };
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        text = format!("{text}: {}", clean(&cause.to_string(), 200));
        source = cause.source();
    }
    text
}
