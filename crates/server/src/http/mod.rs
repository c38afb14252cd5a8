//! The HTTP API: routes, access control and errors.

mod app;
mod archive;
mod attachments;
mod client;
mod etag;
mod files;
mod guard;
mod intake;
mod jobs;
mod keys;
mod log;
mod mcp;
mod objects;
mod problem;
mod render;
mod requests;
mod scene_text;
mod sessions;
mod shapes;
mod socket;
mod thumbnail;
mod thumbnails;
mod token;
mod uploads;

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::extract::{Query, State};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::json;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;

use self::problem::MAX_BODY;

pub(crate) use self::app::{App, Peer};
pub(crate) use self::intake::Intake;
pub(crate) use self::jobs::Jobs;
pub(crate) use self::problem::Problem;
pub(crate) use self::scene_text::SceneTexts;
pub(crate) use self::socket::MAX_MESSAGE;
pub(crate) use self::thumbnails::Thumbnails;
pub(crate) use self::token::OperatorToken;

/// The time limit between two chunks of a request body.
const BODY_TIMEOUT: Duration = Duration::from_secs(20);

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
        .route("/api/objects", get(objects::list))
        .route("/api/objects/{name}", get(objects::one))
        .route("/api/objects/{name}/picture", get(objects::picture))
        .route("/api/models", get(models))
        .route("/api/keys", get(keys::list))
        .route("/api/keys/{provider}", axum::routing::put(keys::set).delete(keys::remove))
        .route("/api/mcp", get(mcp::servers))
        .route("/api/approvals", get(mcp::approvals).delete(mcp::revoke))
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
        .layer(axum::middleware::map_response(problem::uniform))
        .layer(CompressionLayer::new().compress_when(compression))
        .layer(header("x-content-type-options", "nosniff"))
        .layer(header("referrer-policy", "no-referrer"))
        .layer(header("cross-origin-opener-policy", "same-origin"))
        .with_state(app)
}

/// The query of the list of models.
#[derive(serde::Deserialize)]
struct ModelsQuery {
    /// Whether to look for local models first.
    #[serde(default)]
    refresh: bool,
}

async fn models(
    State(app): State<Arc<App>>,
    Query(query): Query<ModelsQuery>,
) -> impl IntoResponse {
    if query.refresh {
        app.models.look_around().await;
    }
    Json(json!({ "models": &*app.models.list(), "default": app.models.default_id() }))
}

async fn metrics(State(app): State<Arc<App>>) -> impl IntoResponse {
    let metrics = &app.runs.metrics;
    metrics.connections(app.admission.open());
    metrics.model_requests_waiting(app.metered.waiting());
    let text = metrics.text(app.models.cache_counts());
    ([(axum::http::header::CONTENT_TYPE, crate::metrics::CONTENT_TYPE)], text)
}

async fn ready(State(app): State<Arc<App>>) -> Response {
    if app.draining.load(Ordering::Relaxed) {
        return Problem::stopping().into_response();
    }
    let Some(directory) = app.data_dir.clone() else { return "ready".into_response() };
    let written = tokio::task::spawn_blocking(move || try_to_write(&directory)).await;
    match written {
        Ok(Err(error)) => {
            let detail = format!("sessions cannot be saved: {error}; free space on the disk");
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail).into_response()
        }
        _ => "ready".into_response(),
    }
}

/// Checks that the data directory is writable, by writing as much as a small change of a session.
fn try_to_write(directory: &Path) -> std::io::Result<()> {
    let mut file = tempfile::Builder::new().prefix(".ready-").tempfile_in(directory)?;
    file.write_all(&[0; 64 * 1024])?;
    file.as_file().sync_data()
}
