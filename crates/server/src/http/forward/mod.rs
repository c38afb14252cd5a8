//! Requests about a session that another server owns: they are sent to its owner, and the answer comes back. So
//! clients may use any server, for WebSockets as for everything else.

mod exchange;
mod nodes;

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use session::OpenError;
use store::StoreError;
use tokio::time::{Instant, sleep};

use super::app::App;
use super::problem::Problem;

pub(crate) use self::nodes::Nodes;

use self::exchange::{ExchangeError, connect, exchange};

/// The header of a request that comes from another server: it is not sent on.
const FORWARDED: HeaderName = HeaderName::from_static("x-scene-llm-forwarded");

/// How long a request waits for a server that died to lose its lease, and for one that stops to let go of the session.
const PATIENCE: Duration = Duration::from_secs(20);
/// The pause before the owner is looked for again.
const PAUSE: Duration = Duration::from_millis(50);

/// Answers a request about a session where its owner is. If nobody owns the session, this server takes it.
pub(super) async fn to_owner(
    State(app): State<Arc<App>>,
    request: Request,
    next: Next,
) -> Response {
    let is_forwarded = request.headers().contains_key(&FORWARDED);
    let Some(nodes) = app.nodes.as_ref().filter(|_| !is_forwarded) else {
        return next.run(request).await;
    };
    let Some(key) = session_of(request.uri()) else { return next.run(request).await };
    let deadline = Instant::now() + PATIENCE;
    let (parts, body) = request.into_parts();
    let body = if has_no_body(&parts) { Body::empty() } else { body };
    let may_repeat = matches!(parts.method, Method::GET | Method::HEAD) && has_no_body(&parts);
    let mut body = Some(body);
    loop {
        let (node, address) = match app.sessions.get(&key).await {
            Err(OpenError::Store(StoreError::Elsewhere { node, address })) => (node, address),
            opened => {
                let request = Request::from_parts(parts, body.unwrap_or_default());
                let answer = next.run(request).await;
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
                let request = outgoing(&parts, body.take().unwrap_or_default());
                match exchange(&app, stream, request, &parts, node).await {
                    Ok(answer) => {
                        app.runs.metrics.forwarded();
                        return answer;
                    }
                    Err(error) if may_repeat => error,
                    Err(error) => return refusal(&address, &error),
                }
            }
        };
        if Instant::now() >= deadline || app.cancel.is_cancelled() {
            return refusal(&address, &error);
        }
        sleep(PAUSE).await;
    }
}

fn refusal(address: &str, error: &ExchangeError) -> Response {
    let detail = match error {
        ExchangeError::Unreachable(error) => format!(
            "the session is open on the server at {address}, which cannot be reached ({error}); \
             its --cluster-address has to be one that the other servers reach"
        ),
        ExchangeError::NotThere => format!(
            "the session is moving from the server at {address} to another one; try again soon. If this \
             goes on, that server's --cluster-address leads elsewhere"
        ),
        ExchangeError::Lost => format!(
            "the server at {address}, which had the session, was lost before it answered; whether it \
             did what was asked is not known: look at the session, then try again"
        ),
    };
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail).into_response()
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

/// The request as it is sent on. The host and the origin stay those that the client named, so that the owner checks
/// them as this server did.
fn outgoing(parts: &Parts, body: Body) -> Request {
    let mut request = Request::new(body);
    *request.method_mut() = parts.method.clone();
    let path = parts.uri.path_and_query();
    *request.uri_mut() = path.map(|path| Uri::from(path.clone())).unwrap_or_default();
    *request.headers_mut() = parts.headers.clone();
    exchange::drop_connection_headers(request.headers_mut());
    request.headers_mut().insert(FORWARDED, HeaderValue::from_static("1"));
    request
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
