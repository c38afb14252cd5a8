//! Sessions over HTTP.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::IntoResponse;
use scene::Scene;
use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};

use crate::session::{Change, Changed, SessionHandle, UserMessage};

use super::App;
use super::problem::{JsonBody, Problem};

type Shared = State<Arc<App>>;

pub(super) fn find(app: &App, id: &str) -> Result<SessionHandle, Problem> {
    app.sessions.get(id).ok_or_else(|| Problem::unknown_session(id))
}

pub(super) async fn create(State(app): Shared) -> Result<impl IntoResponse, Problem> {
    let session = app
        .sessions
        .create()
        .map_err(|full| Problem::new(StatusCode::TOO_MANY_REQUESTS, full.to_string()))?;
    Ok((StatusCode::CREATED, Json(json!({ "session_id": session.id() }))))
}

pub(super) async fn snapshot(
    State(app): Shared,
    Path(id): Path<String>,
) -> Result<impl IntoResponse, Problem> {
    let snapshot = find(&app, &id)?.snapshot().await?;
    Ok(Json(json!({
        "session_id": id,
        "revision": snapshot.revision.number,
        "scene": snapshot.revision.scene.to_json(),
        "chat": snapshot.chat,
        "running": snapshot.running,
    })))
}

pub(super) async fn history(
    State(app): Shared,
    Path(id): Path<String>,
) -> Result<impl IntoResponse, Problem> {
    let contents = find(&app, &id)?.history().await?;
    Ok(Json(json!({ "contents": contents })))
}

#[derive(Deserialize)]
pub(super) struct After {
    #[serde(default)]
    after: u64,
}

pub(super) async fn events(
    State(app): Shared,
    Path(id): Path<String>,
    after: Result<Query<After>, axum::extract::rejection::QueryRejection>,
) -> Result<impl IntoResponse, Problem> {
    let Query(After { after }) = after.map_err(|error| {
        Problem::new(StatusCode::BAD_REQUEST, format!("'after' must be an event's seq: {error}"))
    })?;
    let events = find(&app, &id)?.events(after).await?.ok_or_else(|| {
        let detail = format!("the events after {after} are not kept; read the session anew");
        Problem::new(StatusCode::GONE, detail)
    })?;
    let events: Vec<Box<RawValue>> = events
        .iter()
        .filter_map(|event| RawValue::from_string(event.text.to_string()).ok())
        .collect();
    Ok(Json(json!({ "events": events })))
}

pub(super) async fn scene(
    State(app): Shared,
    Path(id): Path<String>,
) -> Result<impl IntoResponse, Problem> {
    Ok(Json(find(&app, &id)?.scene().current().scene.to_json()))
}

pub(super) async fn replace_scene(
    State(app): Shared,
    Path(id): Path<String>,
    JsonBody(file): JsonBody<Value>,
) -> Result<impl IntoResponse, Problem> {
    let session = find(&app, &id)?;
    let scene = read_scene(file).await?;
    let Changed { revision, .. } = session.change(Change::Replace(Box::new(scene))).await?;
    Ok(Json(json!({ "revision": revision.number, "scene": revision.scene.to_json() })))
}

/// Reads a scene file away from the threads that serve everyone: a large one takes a while.
pub(super) async fn read_scene(file: Value) -> Result<Scene, Problem> {
    match tokio::task::spawn_blocking(move || Scene::from_json(&file)).await {
        Ok(read) => Ok(read?),
        Err(error) => Err(Problem::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())),
    }
}

#[derive(Deserialize)]
pub(super) struct Message {
    text: String,
}

pub(super) async fn say(
    State(app): Shared,
    Path(id): Path<String>,
    JsonBody(message): JsonBody<Message>,
) -> Result<impl IntoResponse, Problem> {
    let message = UserMessage { text: message.text, ..UserMessage::default() };
    let message_id = find(&app, &id)?.say(message).await?;
    Ok((StatusCode::ACCEPTED, Json(json!({ "message_id": message_id }))))
}

pub(super) async fn cancel(
    State(app): Shared,
    Path(id): Path<String>,
) -> Result<impl IntoResponse, Problem> {
    find(&app, &id)?.cancel().await?;
    Ok((StatusCode::ACCEPTED, Json(json!({}))))
}
