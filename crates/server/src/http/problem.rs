//! Errors as RFC 9457 problem details, whose `detail` says what to change.

use std::panic::AssertUnwindSafe;

use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderName, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::FutureExt;
use scene::form::FormError;
use scene::{Violations, visible};
use serde::de::DeserializeOwned;
use serde_json::json;
use store::StoreError;
use studio::{OidnError, RenderError};
use tokio::sync::Semaphore;

use session::{ImportError, OpenError, SessionError};

use crate::shares::ShareError;

/// The largest request body in bytes: several times the largest scene.
pub(super) const MAX_BODY: usize = 16 * 1024 * 1024;

/// The header of a response of a server that is stopping or does not have the session, for the server that sent the
/// request on.
pub(super) const NOT_HERE: HeaderName = HeaderName::from_static("x-scene-llm-not-here");

/// An error response.
#[derive(Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    detail: String,
    /// All violations of a scene.
    violations: Vec<String>,
    /// Whether nothing was done, and another server can do it.
    is_for_another: bool,
}

impl Problem {
    /// A problem whose `detail` says what to change.
    pub(crate) fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Self { status, detail: detail.into(), violations: Vec::new(), is_for_another: false }
    }

    /// The status it answers with.
    #[cfg(test)]
    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }

    /// What to change.
    pub(crate) fn detail(&self) -> &str {
        &self.detail
    }

    /// The server is stopping.
    pub(crate) fn stopping() -> Self {
        let detail = "the server is stopping; try again soon";
        Self { is_for_another: true, ..Self::new(StatusCode::SERVICE_UNAVAILABLE, detail) }
    }

    /// `what` must not be listed.
    pub(crate) fn not_listed(what: &str) -> Self {
        let detail = format!(
            "this server does not list its {what}; start it with --list-sessions always where \
             everyone who reaches it may see them"
        );
        Self::new(StatusCode::FORBIDDEN, detail)
    }

    /// There is no such session.
    pub(crate) fn unknown_session(id: &str) -> Self {
        let id: String = scene::shown(id).chars().take(64).collect();
        Self::new(
            StatusCode::NOT_FOUND,
            format!("there is no session '{id}'; make one with POST /api/sessions"),
        )
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let title = self.status.canonical_reason().unwrap_or("Error");
        let mut body = json!({
            "type": "about:blank",
            "title": title,
            "status": self.status.as_u16(),
            "detail": visible(self.detail),
        });
        if !self.violations.is_empty() {
            body["violations"] = self.violations.into_iter().map(visible).collect();
        }
        let content_type = [(header::CONTENT_TYPE, "application/problem+json")];
        let mut response = (self.status, content_type, body.to_string()).into_response();
        let later = [StatusCode::TOO_MANY_REQUESTS, StatusCode::SERVICE_UNAVAILABLE];
        if later.contains(&self.status) {
            let seconds = header::HeaderValue::from_static("5");
            response.headers_mut().insert(header::RETRY_AFTER, seconds);
        }
        if self.is_for_another {
            response.headers_mut().insert(NOT_HERE, header::HeaderValue::from_static("1"));
        }
        if self.status == StatusCode::PAYLOAD_TOO_LARGE {
            // The rest of the body is not read, so the connection cannot be reused.
            let close = header::HeaderValue::from_static("close");
            response.headers_mut().insert(header::CONNECTION, close);
        }
        response
    }
}

/// Answers a request also if its handler panics, which would otherwise break off its connection without a word.
pub(super) async fn instead_of_panic(request: Request, next: Next) -> Response {
    let method = request.method().clone();
    AssertUnwindSafe(next.run(request)).catch_unwind().await.unwrap_or_else(|_| {
        tracing::error!(%method, "a request panicked");
        let detail = "the server has made a mistake with this request; its log says more";
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, detail).into_response()
    })
}

/// Converts errors of libraries, such as invalid paths and queries, to the form of
/// all others.
pub(super) async fn uniform(response: Response) -> Response {
    /// The longest message of a library in bytes.
    const MAX_TEXT: usize = 4096;
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let is_worded = kind.is_none_or(|kind| kind.starts_with("text/plain"));
    if !(status.is_client_error() || status.is_server_error()) || !is_worded {
        return response;
    }
    let (parts, body) = response.into_parts();
    let text = axum::body::to_bytes(body, MAX_TEXT).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let title = status.canonical_reason().unwrap_or("Error");
    let detail = match (status, text.trim()) {
        (StatusCode::METHOD_NOT_ALLOWED, _) => {
            // It is not known here yet which.
            "this path does not take this method; the header Allow lists those that it takes".into()
        }
        (StatusCode::PAYLOAD_TOO_LARGE, text) if text.starts_with("Failed to buffer") => {
            format!("the body may have at most {MAX_BODY} bytes")
        }
        (_, "") => title.to_owned(),
        (_, text) => text.to_owned(),
    };
    let mut made = Problem::new(status, detail).into_response();
    for name in [header::ALLOW, header::RETRY_AFTER, header::CONNECTION] {
        if let Some(value) = parts.headers.get(&name) {
            made.headers_mut().insert(name, value.clone());
        }
    }
    made
}

impl From<Violations> for Problem {
    fn from(violations: Violations) -> Self {
        Self {
            status: StatusCode::UNPROCESSABLE_ENTITY,
            detail: violations.to_string(),
            violations: violations.messages().to_vec(),
            is_for_another: false,
        }
    }
}

impl From<SessionError> for Problem {
    fn from(refusal: SessionError) -> Self {
        let status = match refusal {
            SessionError::Invalid(violations) => return violations.into(),
            SessionError::BadMessage(_) => StatusCode::BAD_REQUEST,
            SessionError::BadGoal(_) => StatusCode::UNPROCESSABLE_ENTITY,
            SessionError::UnknownMessage(_)
            | SessionError::UnknownBranch { .. }
            | SessionError::NoGoal => StatusCode::NOT_FOUND,
            SessionError::History(_)
            | SessionError::Stale(_)
            | SessionError::Running
            | SessionError::NothingToApprove(_)
            | SessionError::NoStandingApprovals
            | SessionError::UnknownModel { .. } => StatusCode::CONFLICT,
            SessionError::TooManyWaiting(_) => StatusCode::TOO_MANY_REQUESTS,
            SessionError::NotSaved(StoreError::Full | StoreError::DatabaseFull) => {
                StatusCode::INSUFFICIENT_STORAGE
            }
            SessionError::NotSaved(_) | SessionError::ApprovalNotSaved(_) | SessionError::Gone => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            SessionError::Unreadable(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self::new(status, refusal.to_string())
    }
}

impl From<OpenError> for Problem {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Store(error) => error.into(),
            OpenError::Unreadable(_) => {
                tracing::error!(%error, "a session is damaged");
                Self::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
            }
            OpenError::TooMany(_) => Self::new(StatusCode::TOO_MANY_REQUESTS, error.to_string()),
        }
    }
}

impl From<ImportError> for Problem {
    fn from(error: ImportError) -> Self {
        match error {
            ImportError::Invalid(error) => Self::new(StatusCode::UNPROCESSABLE_ENTITY, error),
            ImportError::Cancelled => Self::stopping(),
            ImportError::Asset(error) => error.into(),
            ImportError::Open(error) => error.into(),
        }
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        let status = match &error {
            StoreError::UnknownSession(id) => return Self::unknown_session(id),
            StoreError::Exists(_) | StoreError::Conflict { .. } | StoreError::UnknownAsset(_) => {
                StatusCode::CONFLICT
            }
            StoreError::Full | StoreError::DatabaseFull => StatusCode::INSUFFICIENT_STORAGE,
            StoreError::ReadOnly
            | StoreError::Locked
            | StoreError::Unreachable(_)
            | StoreError::Fenced(_)
            | StoreError::Elsewhere { .. } => StatusCode::SERVICE_UNAVAILABLE,
            StoreError::Corrupt(_) | StoreError::Failed(_) => {
                tracing::error!(%error, "the store failed");
                StatusCode::INTERNAL_SERVER_ERROR
            }
        };
        let is_for_another = matches!(error, StoreError::Fenced(_) | StoreError::Elsewhere { .. });
        Self { is_for_another, ..Self::new(status, error.to_string()) }
    }
}

impl From<ShareError> for Problem {
    fn from(error: ShareError) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, error.to_string())
    }
}

impl From<RenderError> for Problem {
    fn from(error: RenderError) -> Self {
        let status = match error {
            RenderError::OutOfRange(_) => StatusCode::BAD_REQUEST,
            RenderError::NotAnimated => StatusCode::CONFLICT,
            RenderError::Busy(_) | RenderError::ClientBusy | RenderError::MoviesBusy(_) => {
                StatusCode::TOO_MANY_REQUESTS
            }
            RenderError::Movie(_) => StatusCode::UNPROCESSABLE_ENTITY,
            RenderError::Cancelled => StatusCode::SERVICE_UNAVAILABLE,
            RenderError::Oidn(OidnError::Absent { .. }) => StatusCode::UNPROCESSABLE_ENTITY,
            RenderError::Internal | RenderError::Encode(_) | RenderError::Oidn(_) => {
                StatusCode::INTERNAL_SERVER_ERROR
            }
        };
        Self::new(status, error.to_string())
    }
}

/// A JSON body of any content type. Errors are returned as a [`Problem`].
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<T: DeserializeOwned + Send + 'static, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let bytes = Bytes::from_request(request, state).await.map_err(|rejection| {
            let status = rejection.status();
            match rejection {
                BytesRejection::FailedToBufferBody(_)
                    if status == StatusCode::PAYLOAD_TOO_LARGE =>
                {
                    let detail = format!("the body may have at most {MAX_BODY} bytes");
                    Problem::new(status, detail)
                }
                other => Problem::new(status, other.body_text()),
            }
        })?;
        if bytes.len() <= LARGE {
            return parsed(&bytes).map(JsonBody);
        }
        // On a blocking thread, and few at a time: a parsed body takes several times as much memory. The
        // semaphore is never closed.
        let permit = PARSING.acquire().await;
        let read = tokio::task::spawn_blocking(move || {
            // Held until the work is done, even if its caller is gone.
            let _permit = permit;
            parsed(&bytes)
        });
        match read.await {
            Ok(parsed) => parsed.map(JsonBody),
            Err(error) => Err(Problem::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())),
        }
    }
}

/// The body of a request that needs none: read and dropped, so that a malformed one is an error.
pub(crate) struct NoBody;

impl<S: Send + Sync> FromRequest<S> for NoBody {
    type Rejection = Problem;

    async fn from_request(request: Request, _state: &S) -> Result<Self, Problem> {
        /// Some clients send `{}`.
        const MAX: usize = 1 << 16;
        match axum::body::to_bytes(request.into_body(), MAX).await {
            Ok(_) => Ok(Self),
            Err(error) => {
                let detail = format!("this request needs no body, and its body is wrong: {error}");
                Err(Problem::new(StatusCode::BAD_REQUEST, detail))
            }
        }
    }
}

/// Bytes of a body that takes a while to parse.
const LARGE: usize = 1 << 16;
/// Concurrent parses of large bodies and messages.
pub(super) static PARSING: Semaphore = Semaphore::const_new(2);
/// An upper bound of the number of JSON values in a body; each takes up to a hundred bytes of memory.
const MAX_VALUES: usize = 1 << 21;

fn parsed<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        Problem::new(StatusCode::BAD_REQUEST, format!("the body is not UTF-8: {error}"))
    })?;
    // Each value except the first of a list or object follows a comma.
    let values = bytes.iter().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count();
    if values > MAX_VALUES {
        let detail = format!("the body has about {values} values; at most {MAX_VALUES} are read");
        return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail));
    }
    scene::form::from_text(text).map_err(|error| {
        let what = match error {
            FormError::Form(_) => "the body has not the expected form",
            FormError::Syntax(_) => "the body is not valid JSON",
        };
        Problem::new(StatusCode::BAD_REQUEST, format!("{what}: {error}"))
    })
}
