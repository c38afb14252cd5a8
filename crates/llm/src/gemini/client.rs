//! The HTTP client: one connection pool, one key, one model.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::redirect;
use reqwest::{Response, Url};
use secrecy::ExposeSecret;
use tokio::time::timeout;

use super::GeminiConfig;
use super::errors::{self, ServiceError};
use crate::model::ModelError;
use crate::retry::{Failure, RetryPolicy};

/// Longest error body worth reading.
const MAX_ERROR_BYTES: usize = 64 * 1024;

pub(super) struct Client {
    http: reqwest::Client,
    config: GeminiConfig,
    base_url: Url,
}

impl fmt::Debug for Client {
    // `http` would print its default headers.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Client").field("config", &self.config).finish_non_exhaustive()
    }
}

impl Client {
    pub(super) fn new(mut config: GeminiConfig) -> Result<Self, ModelError> {
        if let Some(name) = config.model.strip_prefix("models/") {
            config.model = name.to_owned();
        }
        let base_url = Url::parse(config.base_url.trim())
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
            .ok_or_else(|| {
                ModelError::Rejected(format!(
                    "GEMINI_BASE_URL is no http(s) address: {:?}",
                    config.base_url
                ))
            })?;
        let mut key = HeaderValue::from_str(config.api_key.expose_secret().trim())
            .ok()
            .filter(|key| !key.is_empty())
            .ok_or_else(|| {
                ModelError::Unauthorized(
                    "GEMINI_API_KEY is empty or holds characters that no key has: set a valid key \
                     and try again."
                        .into(),
                )
            })?;
        key.set_sensitive(true);
        let headers = HeaderMap::from_iter([(
            reqwest::header::HeaderName::from_static("x-goog-api-key"),
            key,
        )]);
        let mut builder = reqwest::Client::builder()
            .default_headers(headers)
            .connect_timeout(config.connect_timeout)
            // A redirect would hand the key to another host.
            .redirect(redirect::Policy::none());
        if matches!(base_url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]")) {
            builder = builder.no_proxy();
        }
        let http = builder.build().map_err(|error| {
            ModelError::Unavailable(format!("No HTTP client could be made: {error}"))
        })?;
        Ok(Self { http, config, base_url })
    }

    pub(super) fn model(&self) -> &str {
        &self.config.model
    }

    pub(super) fn retry_policy(&self) -> RetryPolicy {
        self.config.retry
    }

    pub(super) fn idle_timeout(&self) -> Duration {
        self.config.idle_timeout
    }

    /// Asks for an answer; returns once its headers are there.
    pub(super) async fn generate(&self, body: Bytes) -> Result<Response, Failure> {
        let action = format!("{}:streamGenerateContent", self.config.model);
        let mut url = self.url(&["models", &action]);
        url.set_query(Some("alt=sse"));
        let request = self.http.post(url).header(CONTENT_TYPE, "application/json").body(body);
        self.send(request).await
    }

    /// One page of the list of models.
    pub(super) async fn models_page(&self, page_token: &str) -> Result<Bytes, Failure> {
        let mut url = self.url(&["models"]);
        url.query_pairs_mut().append_pair("pageSize", "1000");
        if !page_token.is_empty() {
            url.query_pairs_mut().append_pair("pageToken", page_token);
        }
        let response = self.send(self.http.get(url)).await?;
        match timeout(self.config.idle_timeout, response.bytes()).await {
            Ok(Ok(bytes)) => Ok(bytes),
            Ok(Err(error)) => Err(unreachable_service(error)),
            Err(_) => Err(self.idle()),
        }
    }

    /// The failure of a service that says nothing.
    pub(super) fn idle(&self) -> Failure {
        Failure::passing(format!(
            "The Gemini API said nothing for {} s.",
            self.config.idle_timeout.as_secs_f64()
        ))
    }

    /// What `error` means, with the key kept out of its text.
    pub(super) fn failure(&self, mut error: ServiceError) -> Failure {
        let key = self.config.api_key.expose_secret().trim();
        error.message = error.message.replace(key, "[key]");
        errors::failure(&error, &self.config.model)
    }

    async fn send(&self, request: reqwest::RequestBuilder) -> Result<Response, Failure> {
        let response = match timeout(self.config.idle_timeout, request.send()).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => return Err(unreachable_service(error)),
            Err(_) => return Err(self.idle()),
        };
        if response.status().is_success() {
            return Ok(response);
        }
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let body = timeout(self.config.idle_timeout, error_body(response)).await;
        Err(self.failure(ServiceError::from_http(status, &headers, &body.unwrap_or_default())))
    }

    fn url(&self, segments: &[&str]) -> Url {
        let mut url = self.base_url.clone();
        // Only addresses without a host have no segments, and `new` refuses those.
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().push("v1beta").extend(segments);
        }
        url
    }
}

/// As much of an error's body as comes.
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

/// A connection that could not be opened, or broke.
pub(super) fn unreachable_service(error: reqwest::Error) -> Failure {
    let error = error.without_url();
    let mut cause: &dyn Error = &error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    let what = if error.is_connect() { "could not be reached" } else { "broke off" };
    Failure::passing(format!("The Gemini API {what} ({cause})."))
}
