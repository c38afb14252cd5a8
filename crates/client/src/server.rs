//! The server over HTTP: what is asked once.

use std::time::Duration;

use bytes::Bytes;
use protocol::{Access, ModelInfo};
use reqwest::{Method, RequestBuilder, Response, StatusCode, header};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::address::ServerAddress;
use crate::error::ClientError;

/// Everything but pictures is answered in a moment.
const TIMEOUT: Duration = Duration::from_secs(30);
/// The time of a TCP connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// A server. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Server {
    http: reqwest::Client,
    address: ServerAddress,
    token: Option<header::HeaderValue>,
}

/// The models of a server.
#[derive(Debug, Clone, serde::Deserialize)]
pub struct Models {
    /// All of them.
    pub models: Vec<ModelInfo>,
    /// The id of the one that new sessions begin with.
    pub default: String,
}

impl Server {
    /// The server at `address` (see [`ServerAddress::parse`]); `token` is the operator's, where it has one.
    /// Connects to nothing yet.
    pub fn new(address: &str, token: Option<&str>) -> Result<Self, ClientError> {
        let address = ServerAddress::parse(address)?;
        let token = token.map(|token| header::HeaderValue::from_str(&format!("Bearer {token}")));
        let mut token = token.transpose().map_err(|_| ClientError::Token)?;
        if let Some(token) = &mut token {
            token.set_sensitive(true);
        }
        let mut http = builder().connect_timeout(CONNECT_TIMEOUT);
        if address.is_of_this_machine() {
            http = http.no_proxy();
        }
        let http = http.build().map_err(|error| ClientError::Unreachable {
            address: address.to_string(),
            reason: reason(&error),
        })?;
        Ok(Self { http, address, token })
    }

    /// Its address, and the session that was named with it.
    pub fn address(&self) -> &ServerAddress {
        &self.address
    }

    /// The address of a session's page.
    pub fn page(&self, session: &str) -> String {
        let mut page = self.address.base.clone();
        page.set_fragment(Some(&format!("session={session}")));
        page.into()
    }

    /// Makes a session and returns its id.
    pub async fn create_session(&self) -> Result<String, ClientError> {
        let created: Value = self.json(Method::POST, &["api", "sessions"], Some(json!({}))).await?;
        let id = created["session_id"].as_str().map(str::to_owned);
        id.ok_or_else(|| self.unexpected("it has no session_id"))
    }

    /// The models to choose from.
    pub async fn models(&self) -> Result<Models, ClientError> {
        self.json(Method::GET, &["api", "models"], None).await
    }

    /// The scene file of a session.
    pub async fn scene(&self, session: &str) -> Result<Value, ClientError> {
        self.json(Method::GET, &["api", "sessions", session, "scene"], None).await
    }

    /// Replaces the scene of a session: one step that can be undone.
    pub async fn put_scene(&self, session: &str, scene: &Value) -> Result<(), ClientError> {
        let path = ["api", "sessions", session, "scene"];
        self.answer(self.request(Method::PUT, &path, &[]).timeout(TIMEOUT).json(scene)).await?;
        Ok(())
    }

    /// Renders a session's scene; `options` are those of the render route (`width`, `samples`, ...), `mime_type`
    /// is `image/png`, `image/jpeg`, `image/webp` or `image/x-exr`. Takes as long as the picture takes.
    pub async fn render(
        &self,
        session: &str,
        mime_type: &str,
        options: &[(&str, String)],
    ) -> Result<Bytes, ClientError> {
        let path = ["api", "sessions", session, "render"];
        let request = self.request(Method::GET, &path, options).header(header::ACCEPT, mime_type);
        let answer = self.answer(request).await?;
        answer.bytes().await.map_err(|error| self.lost(&error))
    }

    /// Makes a link to a session and returns its address.
    pub async fn share(&self, session: &str, access: Access) -> Result<String, ClientError> {
        let path = ["api", "sessions", session, "shares"];
        let shared: Value =
            self.json(Method::POST, &path, Some(json!({ "access": access }))).await?;
        let token = shared["token"].as_str();
        token.map(|token| self.page(token)).ok_or_else(|| self.unexpected("it has no token"))
    }

    /// A request below the server's address.
    pub(crate) fn request(
        &self,
        method: Method,
        path: &[&str],
        query: &[(&str, String)],
    ) -> RequestBuilder {
        let mut url = self.address.base.clone();
        // An http address can always be a base.
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(path);
        }
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        let request = self.http.request(method, url);
        match &self.token {
            Some(token) => request.header(header::AUTHORIZATION, token.clone()),
            None => request,
        }
    }

    async fn json<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &[&str],
        body: Option<Value>,
    ) -> Result<T, ClientError> {
        let mut request = self.request(method, path, &[]).timeout(TIMEOUT);
        if let Some(body) = body {
            request = request.json(&body);
        }
        let answer = self.answer(request).await?;
        let body = answer.bytes().await.map_err(|error| self.lost(&error))?;
        serde_json::from_slice(&body).map_err(|error| self.unexpected(&error.to_string()))
    }

    /// The answer to a request, or what its problem details say.
    pub(crate) async fn answer(&self, request: RequestBuilder) -> Result<Response, ClientError> {
        let answer = request.send().await.map_err(|error| self.lost(&error))?;
        let status = answer.status();
        if status.is_success() || status == StatusCode::SWITCHING_PROTOCOLS {
            return Ok(answer);
        }
        let body = answer.bytes().await.unwrap_or_default();
        let problem: Value = serde_json::from_slice(&body).unwrap_or_default();
        let detail = match problem["detail"].as_str() {
            Some(detail) => detail.to_owned(),
            None => format!("{} answered {status}", self.address),
        };
        let detail = match status {
            StatusCode::UNAUTHORIZED => format!("{detail} (--token or SCENE_LLM_TOKEN)"),
            _ => detail,
        };
        Err(ClientError::Refused { status: status.as_u16(), detail })
    }

    pub(crate) fn lost(&self, error: &reqwest::Error) -> ClientError {
        ClientError::Unreachable { address: self.address.to_string(), reason: reason(error) }
    }

    pub(crate) fn unexpected(&self, reason: &str) -> ClientError {
        ClientError::Unexpected { address: self.address.to_string(), reason: reason.to_owned() }
    }
}

/// The beginning of an HTTP client.
#[expect(clippy::disallowed_methods, reason = "the provider of cryptography is installed here")]
fn builder() -> reqwest::ClientBuilder {
    // Refused when it is installed already, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
}

/// The innermost cause, which is the one that tells something.
fn reason(error: &reqwest::Error) -> String {
    let mut innermost: &dyn std::error::Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}
