//! The HTTP API: routes, access control and errors.

mod a2a;
mod address_share;
mod app;
mod archive;
mod arriving;
mod attachments;
mod client;
mod etag;
mod files;
mod forward;
mod goals;
mod guard;
mod intake;
mod jobs;
mod keys;
mod log;
mod mcp;
mod objects;
mod openapi;
mod paced;
mod problem;
mod query;
mod render;
mod requests;
mod sessions;
mod shapes;
mod socket;
mod texts;
mod thumbnail;
mod thumbnails;
mod token;
mod uploads;
mod workers;

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use axum::{Json, Router};
use serde_json::json;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;

use self::problem::MAX_BODY;

pub(crate) use self::app::{App, Peer};
pub(crate) use self::arriving::{Arriving, CountedStream};
pub(crate) use self::forward::Nodes;
pub(crate) use self::jobs::Jobs;
pub(crate) use self::paced::PacedStream;
pub(crate) use self::problem::Problem;
use self::query::QueryOf;
pub(crate) use self::socket::MAX_MESSAGE;
pub(crate) use self::texts::{MissedEvents, SceneTexts};
pub(crate) use self::thumbnails::Thumbnails;
use self::token::{A2A_PATH, MCP_PATH, WORKERS_PATH};
pub(crate) use self::token::{OperatorToken, TierTokens, WorkerToken};

/// The time limit between two chunks of a request body.
const BODY_TIMEOUT: Duration = Duration::from_secs(20);

/// The routes, documented one by one in `openapi/openapi.json`.
fn routes() -> Vec<(&'static str, MethodRouter<Arc<App>>)> {
    vec![
        ("/ws", get(socket::upgrade)),
        ("/api/sessions", post(sessions::create).get(archive::list)),
        ("/api/sessions/import", post(archive::import)),
        (
            "/api/sessions/{id}",
            get(sessions::snapshot).patch(archive::rename).delete(archive::delete),
        ),
        ("/api/sessions/{id}/assets", get(uploads::of_session)),
        ("/api/sessions/{id}/duplicate", post(archive::duplicate)),
        ("/api/sessions/{id}/export", get(archive::export)),
        ("/api/sessions/{id}/shares", get(archive::shares).post(archive::share)),
        ("/api/sessions/{id}/shares/{token}", axum::routing::delete(archive::unshare)),
        ("/api/sessions/{id}/branches", get(sessions::branches)),
        ("/api/sessions/{id}/diff", get(sessions::difference)),
        ("/api/sessions/{id}/history", get(sessions::history)),
        ("/api/sessions/{id}/events", get(sessions::events)),
        ("/api/sessions/{id}/scene", get(sessions::scene).put(sessions::replace_scene)),
        ("/api/sessions/{id}/scene/export", get(files::export_scene)),
        ("/api/sessions/{id}/scene/import", post(files::import_scene)),
        ("/api/sessions/{id}/messages", post(sessions::say)),
        ("/api/sessions/{id}/messages/{message_id}/images/{index}", get(attachments::image)),
        ("/api/sessions/{id}/cancel", post(sessions::cancel)),
        ("/api/sessions/{id}/goal", get(goals::show).post(goals::start).patch(goals::edit)),
        ("/api/sessions/{id}/goal/pause", post(goals::pause)),
        ("/api/sessions/{id}/goal/resume", post(goals::resume)),
        ("/api/sessions/{id}/goal/cancel", post(goals::cancel)),
        ("/api/sessions/{id}/goal/choose", post(goals::choose)),
        ("/api/sessions/{id}/goal/variants/{number}/picture", get(goals::of_variant)),
        ("/api/workflows", get(goals::workflows)),
        ("/api/sessions/{id}/render", get(render::of_session).post(render::of_session_as_seen)),
        ("/api/sessions/{id}/animation", get(render::animation::of_session)),
        ("/api/sessions/{id}/animation/poses", get(render::poses::of_session)),
        ("/api/sessions/{id}/shapes/{shape}/mesh", get(shapes::mesh)),
        ("/api/sessions/{id}/thumbnail", get(thumbnail::of_session)),
        ("/api/render", post(render::of_scene)),
        (WORKERS_PATH, get(workers::upgrade)),
        ("/api/assets", post(uploads::upload).get(uploads::list)),
        ("/api/assets/{hash}", get(uploads::content)),
        ("/api/objects", get(objects::list).post(objects::save)),
        ("/api/objects/import", post(objects::import)),
        ("/api/objects/{name}", get(objects::one).patch(objects::change).delete(objects::delete)),
        ("/api/objects/{name}/export", get(objects::export)),
        ("/api/objects/{name}/picture", get(objects::picture)),
        ("/api/models", get(models)),
        ("/api/keys", get(keys::list)),
        ("/api/keys/{provider}", axum::routing::put(keys::set).delete(keys::remove)),
        ("/api/mcp", get(mcp::servers)),
        ("/api/agents", get(mcp::agents)),
        ("/api/approvals", get(mcp::approvals).delete(mcp::revoke)),
        ("/api/sessions/{id}/log", get(log::of_session)),
        (A2A_PATH, post(a2a::call)),
        ("/.well-known/agent-card.json", get(a2a::card)),
        ("/metrics", get(metrics)),
        ("/healthz", get(|| async { "ok" })),
        ("/readyz", get(ready)),
        ("/api/openapi.json", get(openapi::document)),
        ("/api/docs", get(openapi::page)),
    ]
}

/// The whole API, and the page.
pub(crate) fn router(app: Arc<App>) -> Router {
    let header = |name: &'static str, value: &'static str| {
        let value = HeaderValue::from_static(value);
        SetResponseHeaderLayer::if_not_present(HeaderName::from_static(name), value)
    };
    // Pictures are compressed already.
    let compression = DefaultPredicate::new().and(NotForContentType::IMAGES);
    let mut router = Router::new();
    for (path, methods) in routes() {
        router = router.route(path, methods);
    }
    let (mcp, connections) = mcp_server::http_service(Arc::new(app.mcp_host()), app.cancel.clone());
    let connections = mcp::CountedConnections::new(Arc::clone(&app), connections);
    let mcp = Router::new()
        .route_service(MCP_PATH, mcp)
        .layer(axum::middleware::from_fn_with_state(connections, mcp::within_share))
        .layer(axum::middleware::map_response(mcp::in_plain_words));
    router
        .merge(mcp)
        .fallback(client::serve)
        .layer(axum::middleware::from_fn_with_state(Arc::clone(&app), forward::to_owner))
        .layer(axum::middleware::from_fn_with_state(Arc::clone(&app), guard::check))
        .layer(axum::middleware::from_fn(guard::end_after_chunks))
        .layer(axum::extract::DefaultBodyLimit::max(MAX_BODY))
        .layer(axum::middleware::from_fn_with_state(app.cancel.clone(), intake::count_bodies))
        .layer(axum::middleware::from_fn_with_state(Arc::clone(&app), forward::know_members))
        .layer(RequestBodyTimeoutLayer::new(BODY_TIMEOUT))
        .layer(axum::middleware::from_fn(problem::instead_of_panic))
        .layer(axum::middleware::map_response(problem::uniform))
        .layer(axum::middleware::map_response_with_state(Arc::clone(&app), count_errors))
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
    QueryOf(query): QueryOf<ModelsQuery>,
) -> impl IntoResponse {
    if query.refresh {
        app.models.look_around().await;
    }
    Json(json!({ "models": &*app.models.list(), "default": app.models.default_id() }))
}

/// Counts responses by which operators see that the server is not well.
async fn count_errors(State(app): State<Arc<App>>, response: Response) -> Response {
    app.runs.metrics.response(response.status().as_u16());
    response
}

async fn metrics(State(app): State<Arc<App>>) -> impl IntoResponse {
    let metrics = &app.runs.metrics;
    metrics.bounds(&app.bounds());
    metrics.workers(app.renderer.workers().connected());
    let text = metrics.text(app.models.cache_counts());
    ([(axum::http::header::CONTENT_TYPE, crate::metrics::CONTENT_TYPE)], text)
}

async fn ready(State(app): State<Arc<App>>) -> Response {
    if app.draining.load(Ordering::Relaxed) {
        return Problem::stopping().into_response();
    }
    let Some(directory) = app.data_dir.clone() else { return "ready".into_response() };
    let written = tokio::task::spawn_blocking(move || try_to_write(&directory)).await;
    if let Ok(Err(error)) = written {
        let detail = format!("sessions cannot be saved: {error}; free space on the disk");
        return Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail).into_response();
    }
    match app.sessions.store().check().await {
        Ok(()) => "ready".into_response(),
        Err(error) => Problem::from(error).into_response(),
    }
}

/// Checks that the data directory is writable, by writing as much as a small change of a session.
fn try_to_write(directory: &Path) -> std::io::Result<()> {
    let mut file = tempfile::Builder::new().prefix(".ready-").tempfile_in(directory)?;
    file.write_all(&[0; 64 * 1024])?;
    file.as_file().sync_data()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use axum::body::Body;
    use axum::extract::Request;
    use axum::http::header;
    use serde_json::Value;
    use tower::Service;

    use super::*;

    #[test]
    fn the_document_has_the_routers_paths() {
        let document: Value = serde_json::from_str(openapi::DOCUMENT).unwrap();
        let documented: BTreeSet<&str> =
            document["paths"].as_object().unwrap().keys().map(String::as_str).collect();
        let mut routed: BTreeSet<&str> = routes().iter().map(|(path, _)| *path).collect();
        routed.insert(MCP_PATH);
        assert_eq!(documented, routed);
    }

    #[tokio::test]
    async fn a_request_that_panics_is_answered_and_others_are_served() {
        async fn panics() -> &'static str {
            panic!("on purpose")
        }
        let router = Router::new()
            .route("/panics", get(panics))
            .route("/works", get(|| async { "as before" }))
            .layer(axum::middleware::from_fn(problem::instead_of_panic));
        for (path, status) in [("/panics", 500), ("/works", 200), ("/panics", 500)] {
            let request = Request::get(path).body(Body::empty()).unwrap();
            let answer = router.clone().call(request).await.unwrap();
            assert_eq!(answer.status(), status, "{path}");
            let kind = answer.headers()[header::CONTENT_TYPE].to_str().unwrap();
            assert_eq!(kind == "application/problem+json", status == 500, "{kind}");
        }
    }
}
