//! The HTTP client: one connection pool, one key, one model; and the trait that each provider implements.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect;
use reqwest::{Response, Url};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use tokio::time::timeout;

use super::builder::http_client_builder;
use super::config::ClientConfig;
use super::errors::ApiError;
use super::names::{Names, ProviderNames};
use super::reader::EventReader;
use super::repair::Learned;
use crate::model::{ModelError, Request};
use crate::pictures::PictureFitter;
use crate::registry::ModelFacts;
use crate::retry::{Failure, RetryPolicy};

/// The most bytes read of an error body.
const MAX_ERROR_BYTES: usize = 64 * 1024;

/// The largest document in bytes: the longest known one, OpenRouter's list of models, has a megabyte.
const MAX_DOCUMENT_BYTES: usize = 16 * 1024 * 1024;

/// Shorter keys are placeholders for providers that need none; such words may occur in
/// any text.
const MIN_KEY_CHARS: usize = 8;

/// A provider's API, with the model to use.
pub(crate) trait Provider: Send + Sync + 'static {
    /// Reads the events of one answer.
    type Events: EventReader;

    /// Its connections.
    fn client(&self) -> &Client;

    /// The URL of answers.
    fn answer_url(&self) -> Url;

    /// Whether answers are one JSON value per line instead of server-sent events.
    fn answers_in_lines(&self) -> bool {
        false
    }

    /// The request body.
    fn body(&self, request: &Request) -> Value;

    /// A reader for a new answer.
    fn events(&self) -> Self::Events;

    /// A reader for the answer to `body`, if it depends on the body.
    fn events_for(&self, _body: &Value) -> Self::Events {
        self.events()
    }

    /// Parses an HTTP error of this provider.
    fn http_error(&self, status: u16, headers: &HeaderMap, body: &[u8]) -> ApiError;
}

pub(crate) struct Client {
    http: reqwest::Client,
    config: ClientConfig,
    base_url: Url,
    names: ProviderNames,
    pictures: PictureFitter,
}

impl fmt::Debug for Client {
    // `http` would print its default headers.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Client").field("config", &self.config).finish_non_exhaustive()
    }
}

impl Client {
    /// Validates the configuration. The key goes into the header `key_header`, after `key_prefix`; only a
    /// provider at a `base_url` chosen by the user may have no key.
    pub(crate) fn new(
        names: Names,
        config: ClientConfig,
        (key_header, key_prefix): (&'static str, &str),
        mut headers: HeaderMap,
    ) -> Result<Self, ModelError> {
        let names = ProviderNames::of(names, &config);
        let base_url = Url::parse(config.base_url.trim())
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
            .ok_or_else(|| {
                ModelError::Rejected(format!(
                    "{} is not an http(s) address: {:?}",
                    names.base_url, config.base_url
                ))
            })?;
        let key = config.api_key.expose_secret().trim();
        let mut value = HeaderValue::from_str(&format!("{key_prefix}{key}"))
            .ok()
            .filter(|_| !key.is_empty())
            .ok_or_else(|| {
                ModelError::Unauthorized(format!(
                    "{} is empty or holds characters that no key has: set a valid key and try \
                     again.",
                    names.key
                ))
            })?;
        value.set_sensitive(true);
        headers.insert(HeaderName::from_static(key_header), value);
        for (name, value) in &config.headers {
            let (name, value) = header(name, value)?;
            headers.insert(name, value);
        }
        let mut builder = http_client_builder()
            .default_headers(headers)
            .connect_timeout(config.connect_timeout)
            // A redirect would send the key to another host.
            .redirect(redirect::Policy::none());
        if matches!(base_url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]")) {
            builder = builder.no_proxy();
        }
        let http = builder.build().map_err(|error| {
            ModelError::Unavailable(format!("No HTTP client could be made: {error}"))
        })?;
        Ok(Self { http, config, base_url, names, pictures: PictureFitter::default() })
    }

    pub(crate) fn model(&self) -> &str {
        &self.config.model
    }

    /// The display names of the provider and its settings.
    pub(crate) fn names(&self) -> &ProviderNames {
        &self.names
    }

    /// The display name of the provider.
    pub(crate) fn provider(&self) -> &str {
        &self.names.provider
    }

    /// The facts about the model, without what its provider has refused so far.
    pub(crate) fn facts(&self) -> ModelFacts {
        self.learned().applied_to(self.config.facts)
    }

    /// What its provider has refused so far.
    pub(super) fn learned(&self) -> &Learned {
        &self.config.learned
    }

    /// `request` with its pictures scaled to the model's limits.
    pub(super) async fn fit_pictures(&self, mut request: Request) -> Request {
        let facts = self.facts();
        if facts.images {
            request.contents = self.pictures.fit(request.contents, facts.picture_limits).await;
        }
        request
    }

    pub(crate) fn retry_policy(&self) -> RetryPolicy {
        self.config.retry
    }

    pub(crate) fn idle_timeout(&self) -> Duration {
        self.config.idle_timeout
    }

    /// Sends a request for an answer; returns once the headers have arrived.
    pub(super) async fn post<P: Provider>(
        &self,
        provider: &P,
        body: Bytes,
    ) -> Result<Response, Failure> {
        let request = self.http.post(provider.answer_url());
        self.send(provider, request.header(CONTENT_TYPE, "application/json").body(body)).await
    }

    /// Requests a document by POST with `question` as the body.
    pub(crate) async fn ask<P: Provider>(
        &self,
        provider: &P,
        url: Url,
        question: &Value,
    ) -> Result<Bytes, Failure> {
        self.document(provider, self.http.post(url).json(question)).await
    }

    /// Requests a document, e.g. a list of models.
    pub(crate) async fn get<P: Provider>(&self, provider: &P, url: Url) -> Result<Bytes, Failure> {
        self.document(provider, self.http.get(url)).await
    }

    async fn document<P: Provider>(
        &self,
        provider: &P,
        request: reqwest::RequestBuilder,
    ) -> Result<Bytes, Failure> {
        let mut response = self.send(provider, request).await?;
        let read = async {
            let mut document = BytesMut::new();
            while let Some(chunk) =
                response.chunk().await.map_err(|error| self.unreachable(error))?
            {
                document.extend_from_slice(&chunk);
                if document.len() > MAX_DOCUMENT_BYTES {
                    return Err(self.broken("is longer than any list of models"));
                }
            }
            Ok(document.freeze())
        };
        timeout(self.config.idle_timeout, read).await.unwrap_or_else(|_| Err(self.idle()))
    }

    /// The failure for a provider that sends nothing.
    pub(super) fn idle(&self) -> Failure {
        let seconds = self.config.idle_timeout.as_secs_f64();
        Failure::Timeout {
            reason: format!("{} said nothing for {seconds} s.", self.names.provider),
        }
    }

    /// The failure for a broken answer; `how` says what happened.
    pub(super) fn broken(&self, how: &str) -> Failure {
        Failure::passing(format!("{}'s answer {how}.", self.names.provider))
    }

    /// The failure for a connection that could not be opened, or broke.
    pub(super) fn unreachable(&self, error: reqwest::Error) -> Failure {
        let error = error.without_url();
        let mut cause: &dyn Error = &error;
        while let Some(source) = cause.source() {
            cause = source;
        }
        let what = if error.is_connect() { "could not be reached" } else { "broke off" };
        Failure::passing(format!("{} {what} ({cause}).", self.names.provider))
    }

    /// `failure` with the key removed from its text.
    pub(crate) fn without_key(&self, failure: Failure) -> Failure {
        let key = self.config.api_key.expose_secret().trim();
        match key.len() < MIN_KEY_CHARS {
            true => failure,
            false => failure.map_text(|text| text.replace(key, "[key]")),
        }
    }

    async fn send<P: Provider>(
        &self,
        provider: &P,
        request: reqwest::RequestBuilder,
    ) -> Result<Response, Failure> {
        let response = match timeout(self.config.idle_timeout, request.send()).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => return Err(self.unreachable(error)),
            Err(_) => return Err(self.idle()),
        };
        if response.status().is_success() {
            return Ok(response);
        }
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let body = timeout(self.config.idle_timeout, error_body(response)).await;
        let error = provider.http_error(status, &headers, &body.unwrap_or_default());
        Err(self.without_key(error.into_failure(self.names.clone(), self.model())))
    }

    /// The URL of a path below the base URL.
    pub(crate) fn url(&self, segments: &[&str]) -> Url {
        let mut url = self.base_url.clone();
        // Only URLs without a host have no segments, and `new` rejects those.
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(segments);
        }
        url
    }

    /// The last segment of the base's path.
    pub(crate) fn base_path_end(&self) -> Option<&str> {
        self.base_url.path_segments()?.rfind(|segment| !segment.is_empty())
    }
}

/// A header that the user configured; its value is kept out of logs.
fn header(name: &str, value: &SecretString) -> Result<(HeaderName, HeaderValue), ModelError> {
    let unusable =
        || ModelError::Rejected(format!("{name:?} is not a header, or its value is not valid."));
    let header = HeaderName::from_bytes(name.as_bytes()).map_err(|_| unusable())?;
    let mut value = HeaderValue::from_str(value.expose_secret()).map_err(|_| unusable())?;
    value.set_sensitive(true);
    Ok((header, value))
}

/// The part of an error's body that can be read.
async fn error_body(mut response: Response) -> Vec<u8> {
    let mut body = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        body.extend_from_slice(&chunk);
        if body.len() > MAX_ERROR_BYTES {
            break;
        }
    }
    body
}

/// Converts a failure to an error without retries: lists can be requested again.
pub(crate) fn as_error(failure: Failure) -> ModelError {
    match failure {
        Failure::Final(error) | Failure::Refused { error, .. } => error,
        Failure::Passing { reason, .. } | Failure::Timeout { reason } => {
            ModelError::Unavailable(reason)
        }
    }
}
