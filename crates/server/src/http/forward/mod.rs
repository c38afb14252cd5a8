//! Requests about a session that another server owns: they are sent to its owner, and the answer comes back. So
//! clients may use any server, for WebSockets as for everything else.

mod exchange;
mod mcp;
mod members;
mod nodes;

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{Method, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use session::OpenError;
use store::StoreError;
use tokio::time::{Instant, sleep};

use super::app::App;
use super::intake::whole_body;
use super::problem::MAX_BODY;
use super::token::{A2A_PATH, MCP_PATH};

pub(super) use self::members::know_members;
pub(crate) use self::nodes::Nodes;

use self::exchange::{ExchangeError, connect, exchange, outgoing, refusal};
use self::members::SentOn;

/// How long a request waits for a server that died to lose its lease, and for one that stops to let go of the session.
const PATIENCE: Duration = Duration::from_secs(20);
/// The pause before the owner is looked for again.
const PAUSE: Duration = Duration::from_millis(50);

/// The body of a request that is sent on.
enum Content {
    /// It comes as it is sent.
    Streamed(Option<Body>),
    /// All of it is here, for as many times as it has to be sent.
    Whole(Bytes),
}

impl Content {
    fn take(&mut self) -> Body {
        match self {
            Self::Streamed(body) => body.take().unwrap_or_default(),
            Self::Whole(bytes) => Body::from(bytes.clone()),
        }
    }
}

/// Answers a request about a session where its owner is. If nobody owns the session, this server takes it.
pub(super) async fn to_owner(
    State(app): State<Arc<App>>,
    request: Request,
    next: Next,
) -> Response {
    let Some(nodes) = app.nodes.as_ref() else { return next.run(request).await };
    if request.uri().path() == MCP_PATH {
        return mcp::to_connection(&app, nodes, request, next).await;
    }
    if request.extensions().get::<SentOn>().is_some() {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    let (key, mut content) = if parts.uri.path() == A2A_PATH && parts.method == Method::POST {
        // The session is named within the call.
        let body = match whole_body(&parts.headers, body, MAX_BODY, "a request").await {
            Ok(body) => body,
            Err(problem) => return problem.into_response(),
        };
        (a2a_server::context_of(&body), Content::Whole(body))
    } else if has_no_body(&parts) {
        (session_of(&parts.uri), Content::Whole(Bytes::new()))
    } else {
        (session_of(&parts.uri), Content::Streamed(Some(body)))
    };
    let Some(key) = key else {
        return next.run(Request::from_parts(parts, content.take())).await;
    };
    let deadline = Instant::now() + PATIENCE;
    let only_looks = matches!(parts.method, Method::GET | Method::HEAD) && has_no_body(&parts);
    loop {
        let (node, address) = match app.sessions.get(&key).await {
            Err(OpenError::Store(StoreError::Elsewhere { node, address })) => (node, address),
            opened => {
                let answer = next.run(Request::from_parts(parts, content.take())).await;
                // In use until now, so that the handler finds it here.
                drop(opened);
                return answer;
            }
        };
        let node = nodes.watch(&node);
        let error = match connect(&address).await {
            // Nothing was sent.
            Err(error) => ExchangeError::Unreachable(error),
            Ok(stream) => {
                let request = outgoing(&app, &parts, content.take());
                match exchange(&app, stream, request, &parts.extensions, node).await {
                    Ok(answer) => {
                        app.runs.metrics.forwarded();
                        return answer;
                    }
                    Err(error) => {
                        let did_nothing = matches!(error, ExchangeError::NotThere);
                        let is_whole = matches!(content, Content::Whole(_));
                        if !(only_looks || did_nothing && is_whole) {
                            return refusal(&address, &error);
                        }
                        error
                    }
                }
            }
        };
        if Instant::now() >= deadline || app.cancel.is_cancelled() {
            return refusal(&address, &error);
        }
        sleep(PAUSE).await;
    }
}

/// The id or share token of the session that a request is about.
fn session_of(uri: &Uri) -> Option<String> {
    let path = uri.path();
    let key = match path.strip_prefix("/api/sessions/") {
        Some(rest) => rest.split('/').next().filter(|key| *key != "import"),
        None if matches!(path, "/ws" | "/api/assets") => {
            let pairs = uri.query()?.split('&');
            pairs.filter_map(|pair| pair.strip_prefix("session=")).next()
        }
        None => None,
    };
    let key = key.filter(|key| !key.is_empty())?;
    percent_encoding::percent_decode_str(key).decode_utf8().ok().map(Into::into)
}

/// Whether a request has no body (RFC 9112, section 6.3): there is always another copy of it.
fn has_no_body(parts: &Parts) -> bool {
    let length = parts.headers.get(header::CONTENT_LENGTH);
    length.is_none_or(|length| length == "0")
        && !parts.headers.contains_key(header::TRANSFER_ENCODING)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(uri: &str) -> Option<String> {
        session_of(&uri.parse().unwrap())
    }

    #[test]
    fn requests_about_a_session_name_it_in_the_path_or_the_query() {
        for uri in [
            "/api/sessions/abc",
            "/api/sessions/abc/scene?x=y",
            "/ws?session=abc",
            "/ws?after=1&session=abc&epoch=x",
            "/ws?session=%61bc",
            "/api/assets?name=a&session=abc",
        ] {
            assert_eq!(key(uri).as_deref(), Some("abc"), "{uri}");
        }
        for uri in [
            "/",
            "/ws",
            "/ws?session=",
            "/api/sessions",
            "/api/sessions/",
            "/api/sessions/import",
            "/api/assets/abc?session=abc",
            "/api/render",
            "/healthz",
            "/ws?session=%ff",
        ] {
            assert_eq!(key(uri), None, "{uri}");
        }
    }
}
