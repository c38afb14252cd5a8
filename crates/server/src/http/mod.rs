//! The HTTP surface: routes, what may call them, and how errors look.

mod archive;
mod attachments;
mod client;
mod files;
mod guard;
mod intake;
mod log;
mod problem;
mod render;
mod requests;
mod sessions;
mod shapes;
mod socket;
mod thumbnail;
mod uploads;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use assets::Library;
use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::json;
use studio::Renderer;
use tokio::sync::OwnedSemaphorePermit;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;

use crate::agent_settings::AgentSettings;
use crate::models::Models;
use crate::session::Sessions;

pub(crate) use self::intake::Intake;
pub(crate) use self::problem::Problem;
pub(crate) use self::socket::MAX_MESSAGE;
pub(crate) use self::thumbnail::Thumbnails;

/// Bytes of a request body: a scene of the most shapes fits several times over.
pub(crate) const MAX_BODY: usize = 16 * 1024 * 1024;
/// How long a client may leave a body standing before the next piece of it.
const BODY_TIMEOUT: Duration = Duration::from_secs(20);

/// A place among the connections of the server; given back when all clones are gone.
#[derive(Clone)]
pub(crate) struct ConnectionPermit(
    #[expect(dead_code, reason = "held for its drop")] pub(crate) Arc<OwnedSemaphorePermit>,
);

/// What every route works with.
pub(crate) struct App {
    /// The sessions.
    pub(crate) sessions: Sessions,
    /// The models.
    pub(crate) models: Arc<Models>,
    /// What all runs share.
    pub(crate) agent: Arc<AgentSettings>,
    /// The renderer.
    pub(crate) renderer: Renderer,
    /// Small pictures of sessions.
    pub(crate) thumbnails: Thumbnails,
    /// Uploaded files.
    pub(crate) library: Arc<Library>,
    /// Where large bodies wait.
    pub(crate) intake: Intake,
    /// Bytes of one uploaded file.
    pub(crate) most_asset_bytes: usize,
    /// Whether sessions and assets may be listed.
    pub(crate) lists_sessions: bool,
    /// Host names browsers may use, besides IP addresses and localhost.
    pub(crate) allowed_hosts: Vec<String>,
    /// Owns the sockets' tasks.
    pub(crate) tracker: TaskTracker,
    /// Turns when the server stops.
    pub(crate) cancel: CancellationToken,
    /// True while the server drains.
    pub(crate) draining: AtomicBool,
}

impl App {
    /// Refuses where `what` there is must not be listed.
    fn may_list(&self, what: &str) -> Result<(), Problem> {
        if self.lists_sessions {
            return Ok(());
        }
        let detail = format!(
            "this server does not list its {what}; start it with --list-sessions always where \
             everyone who reaches it may see them"
        );
        Err(Problem::new(StatusCode::FORBIDDEN, detail))
    }
}

/// All routes.
pub(crate) fn router(app: Arc<App>) -> Router {
    let header = |name: &'static str, value: &'static str| {
        let value = HeaderValue::from_static(value);
        SetResponseHeaderLayer::if_not_present(HeaderName::from_static(name), value)
    };
    // Pictures are compressed already.
    let compression = DefaultPredicate::new().and(NotForContentType::IMAGES);
    Router::new()
        .route("/ws", get(socket::upgrade))
        .route("/api/sessions", post(sessions::create).get(archive::list))
        .route("/api/sessions/import", post(archive::import))
        .route(
            "/api/sessions/{id}",
            get(sessions::snapshot).patch(archive::rename).delete(archive::delete),
        )
        .route("/api/sessions/{id}/assets", get(uploads::of_session))
        .route("/api/sessions/{id}/duplicate", post(archive::duplicate))
        .route("/api/sessions/{id}/export", get(archive::export))
        .route("/api/sessions/{id}/shares", get(archive::shares).post(archive::share))
        .route("/api/sessions/{id}/shares/{token}", axum::routing::delete(archive::unshare))
        .route("/api/sessions/{id}/branches", get(sessions::branches))
        .route("/api/sessions/{id}/diff", get(sessions::difference))
        .route("/api/sessions/{id}/history", get(sessions::history))
        .route("/api/sessions/{id}/events", get(sessions::events))
        .route("/api/sessions/{id}/scene", get(sessions::scene).put(sessions::replace_scene))
        .route("/api/sessions/{id}/scene/export", get(files::export_scene))
        .route("/api/sessions/{id}/scene/import", post(files::import_scene))
        .route("/api/sessions/{id}/messages", post(sessions::say))
        .route("/api/sessions/{id}/messages/{message_id}/images/{index}", get(attachments::image))
        .route("/api/sessions/{id}/cancel", post(sessions::cancel))
        .route("/api/sessions/{id}/render", get(render::of_session))
        .route("/api/sessions/{id}/shapes/{shape}/mesh", get(shapes::mesh))
        .route("/api/sessions/{id}/thumbnail", get(thumbnail::of_session))
        .route("/api/render", post(render::of_scene))
        .route("/api/assets", post(uploads::upload).get(uploads::list))
        .route("/api/assets/{hash}", get(uploads::content))
        .route("/api/models", get(models))
        .route("/api/sessions/{id}/log", get(log::of_session))
        .route("/metrics", get(metrics))
        .route("/healthz", get(|| async { "ok" }))
        .route("/readyz", get(ready))
        .fallback(client::serve)
        .method_not_allowed_fallback(|| async {
            Problem::new(StatusCode::METHOD_NOT_ALLOWED, "this path does not take this method")
        })
        .layer(axum::middleware::from_fn_with_state(Arc::clone(&app), guard::check))
        .layer(axum::extract::DefaultBodyLimit::max(MAX_BODY))
        .layer(RequestBodyTimeoutLayer::new(BODY_TIMEOUT))
        .layer(CompressionLayer::new().compress_when(compression))
        .layer(header("x-content-type-options", "nosniff"))
        .layer(header("referrer-policy", "no-referrer"))
        .layer(header("cross-origin-opener-policy", "same-origin"))
        .with_state(app)
}

async fn models(State(app): State<Arc<App>>) -> impl IntoResponse {
    Json(json!({ "models": &*app.models.list(), "default": app.models.default_id() }))
}

async fn metrics(State(app): State<Arc<App>>) -> impl IntoResponse {
    let text = app.agent.metrics.text(app.models.cache_counts());
    ([(axum::http::header::CONTENT_TYPE, crate::metrics::CONTENT_TYPE)], text)
}

async fn ready(State(app): State<Arc<App>>) -> Response {
    if app.draining.load(Ordering::Relaxed) {
        return Problem::stopping().into_response();
    }
    "ready".into_response()
}
