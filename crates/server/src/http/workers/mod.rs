//! Render workers: processes on other machines that connect over a WebSocket, get parts of pictures and bring them
//! back rendered.

mod attend;

use std::sync::Arc;

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{Extension, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use studio::MAX_WORKER_FRAME;

use super::app::App;
use super::problem::Problem;
use super::query::QueryOf;
use crate::admission::ConnectionPermit;

use self::attend::attend;

/// The version that a worker has to have.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// More threads than any machine has.
const MAX_THREADS: usize = 1024;

/// What a worker says of itself.
#[derive(Deserialize)]
pub(super) struct Arrival {
    version: String,
    /// See [`Renderer::fingerprint`](studio::Renderer::fingerprint).
    fingerprint: String,
    threads: usize,
}

pub(super) async fn upgrade(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    arrival: Result<QueryOf<Arrival>, Problem>,
    Extension(permit): Extension<ConnectionPermit>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Problem> {
    let refused = |detail: &str| Problem::new(StatusCode::FORBIDDEN, detail);
    let Some(token) = &app.worker_token else {
        return Err(refused("this server takes no workers: start it with --worker-token TOKEN"));
    };
    if !token.is_borne_by(&headers) {
        return Err(refused(
            "the worker's token is not this server's: give the worker the --worker-token of the server",
        ));
    }
    let QueryOf(arrival) = arrival?;
    let differs = |detail: String| Err(Problem::new(StatusCode::CONFLICT, detail));
    if arrival.version != VERSION {
        let theirs = scene::shown(&arrival.version);
        return differs(format!(
            "the worker has version {theirs} and this server {VERSION}: install the same on both"
        ));
    }
    if arrival.fingerprint != app.renderer.fingerprint().await? {
        return differs(
            "the worker renders other bits than this server: install the same build on both, on \
             processors with the same vector instructions"
                .to_owned(),
        );
    }
    let upgrade = upgrade.map_err(|error| {
        Problem::new(StatusCode::BAD_REQUEST, format!("this path is a WebSocket: {error}"))
    })?;
    let threads = arrival.threads.clamp(1, MAX_THREADS);
    let upgrade = upgrade.max_message_size(MAX_WORKER_FRAME).max_frame_size(MAX_WORKER_FRAME);
    let response = upgrade.on_upgrade(move |socket| async move {
        let tracker = app.tracker.clone();
        // The tracker owns the task, so that a stopping server can wait for its close frame.
        tracker.spawn(async move {
            attend(&app, threads, socket).await;
            // A worker counts as a connection for its lifetime.
            drop(permit);
        });
    });
    Ok(response.into_response())
}
