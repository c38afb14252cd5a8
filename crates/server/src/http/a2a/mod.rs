//! `/a2a` and the agent card: the A2A server over HTTP.

use std::convert::Infallible;
use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Extension, State};
use axum::http::{HeaderMap, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};

use super::address_share::AddressShare;
use super::app::App;
use crate::shares::Share;

const VERSION: &str = "a2a-version";

/// The address under which the client has called the server.
fn base(headers: &HeaderMap) -> String {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let scheme = if text("x-forwarded-proto") == Some("https") { "https" } else { "http" };
    format!("{scheme}://{}", text(header::HOST.as_str()).unwrap_or_default())
}

/// `GET /.well-known/agent-card.json`.
pub(super) async fn card(State(app): State<Arc<App>>, headers: HeaderMap) -> impl IntoResponse {
    let fresh = (header::CACHE_CONTROL, "max-age=300");
    ([fresh], Json(a2a_server::agent_card(&base(&headers), app.token.is_some())))
}

/// What the A2A server works with, for a request of this address.
fn host(app: &Arc<App>, share: Share) -> a2a_server::Host {
    a2a_server::Host {
        sessions: Arc::clone(&app.sessions),
        lists_sessions: app.lists_sessions,
        client: Arc::new(AddressShare::new(Arc::clone(app), share)),
    }
}

/// `POST /a2a`.
pub(super) async fn call(
    State(app): State<Arc<App>>,
    Extension(share): Extension<Share>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let version = headers.get(VERSION).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let call = a2a_server::Call { version, body: &body, base: base(&headers) };
    match a2a_server::answer(&host(&app, share), call).await {
        a2a_server::Answer::One(response) => Json(response).into_response(),
        a2a_server::Answer::Stream(responses) => {
            let events = futures_util::stream::unfold(responses, |mut responses| async {
                let response = responses.recv().await?;
                let event = Event::default().data(response.to_string());
                Some((Ok::<_, Infallible>(event), responses))
            });
            Sse::new(events).keep_alive(KeepAlive::default()).into_response()
        }
    }
}
