//! Sessions over HTTP.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::{Extension, Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use protocol::{ImageAttachment, SceneChange, ServerMessage};
use scene::{Assets, Scene, Violations};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use session::{PageSize, Permission, SceneCommand, SessionError, SessionHandle, UserMessage};

use crate::shares::{Share, ShareError};
use crate::wire;

use super::app::App;
use super::problem::{JsonBody, NoBody, Problem};
use super::query::QueryOf;
use super::texts::object_response;

type Shared = State<Arc<App>>;

/// How long a session that has just begun counts for its address: it is in memory for as long, unused.
const STAYS: Duration = Duration::from_secs(50);

/// The most events in one response; `more` says whether there are others.
const MAX_EVENTS: usize = 10_000;

/// The session of an id or token, if it grants the permission.
pub(super) async fn find(
    app: &App,
    key: &str,
    needed: Permission,
) -> Result<SessionHandle, Problem> {
    let found = app.sessions.get(key).await?;
    let (session, permission) = found.ok_or_else(|| Problem::unknown_session(key))?;
    if permission < needed {
        let detail = match needed {
            Permission::Own => "only the session's own id allows this, not a share token",
            _ => "this token is for looking only; ask its owner for one to edit with",
        };
        return Err(Problem::new(StatusCode::FORBIDDEN, detail));
    }
    Ok(session)
}

pub(super) async fn create(
    State(app): Shared,
    Extension(share): Extension<Share>,
    headers: HeaderMap,
    _: NoBody,
) -> Result<impl IntoResponse, Problem> {
    share.may_begin_session()?;
    let tier = app.tiers.of(&headers);
    let session = app.sessions.create_in_tier(tier.as_deref()).await?;
    count_new(&app, &share, session.id())?;
    Ok((StatusCode::CREATED, Json(json!({ "session_id": session.id() }))))
}

/// Counts a session that has just begun for the address that began it.
pub(super) fn count_new(app: &App, share: &Share, id: &str) -> Result<(), ShareError> {
    let (counted, cancel) = (share.session(id)?, app.cancel.clone());
    app.tracker.spawn(async move {
        cancel.run_until_cancelled(tokio::time::sleep(STAYS)).await;
        drop(counted);
    });
    Ok(())
}

pub(super) async fn snapshot(
    State(app): Shared,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let snapshot = find(&app, &id, Permission::View).await?.snapshot().await?;
    let text = app.scene_texts.of(&snapshot.revision.scene).await?;
    let chat = app.scene_texts.of_chat(&snapshot.chat).await?;
    let mut others = Map::new();
    others.insert("session_id".into(), id.into());
    others.insert("name".into(), snapshot.name.into());
    others.insert("revision".into(), snapshot.revision.number.into());
    others.insert("running".into(), snapshot.running.into());
    Ok(object_response(&others, [("chat", chat), ("scene", text.bytes)]))
}

pub(super) async fn history(
    State(app): Shared,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let contents = find(&app, &id, Permission::View).await?.history().await?;
    app.scene_texts.json(move || json!({ "contents": contents })).await
}

#[derive(Deserialize)]
pub(super) struct After {
    #[serde(default)]
    after: u64,
}

pub(super) async fn events(
    State(app): Shared,
    Path(id): Path<String>,
    QueryOf(After { after }): QueryOf<After>,
) -> Result<Response, Problem> {
    let session = find(&app, &id, Permission::View).await?;
    let page = session.events(after, PageSize::of_events(MAX_EVENTS)).await?.ok_or_else(|| {
        let detail = format!("event {after} is not kept; read the session anew");
        Problem::new(StatusCode::GONE, detail)
    })?;
    let written = app.scene_texts.json(move || {
        let events = page.events.into_iter().map(wire::event_message).collect();
        EventsPage { events, more: page.more }
    });
    written.await
}

#[derive(Serialize)]
struct EventsPage {
    events: Vec<ServerMessage>,
    more: bool,
}

pub(super) async fn branches(
    State(app): Shared,
    Path(id): Path<String>,
) -> Result<impl IntoResponse, Problem> {
    let branches = find(&app, &id, Permission::View).await?.branches().await?;
    Ok(Json(json!({ "branches": branches })))
}

#[derive(Deserialize)]
pub(super) struct Between {
    from: u64,
    to: u64,
}

pub(super) async fn difference(
    State(app): Shared,
    Path(id): Path<String>,
    QueryOf(Between { from, to }): QueryOf<Between>,
) -> Result<Response, Problem> {
    let changes = find(&app, &id, Permission::View).await?.difference(from, to).await?;
    let written = app.scene_texts.json(move || {
        let changes: Vec<SceneChange> = changes.into_iter().map(wire::scene_change).collect();
        json!({ "from": from, "to": to, "changes": changes })
    });
    written.await
}

pub(super) async fn scene(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let snapshot = find(&app, &id, Permission::View).await?.snapshot().await?;
    Ok(app.scene_texts.of(&snapshot.revision.scene).await?.respond(&headers))
}

pub(super) async fn replace_scene(
    State(app): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    JsonBody(file): JsonBody<Value>,
) -> Result<Response, Problem> {
    let session = find(&app, &id, Permission::Edit).await?;
    let scene = Box::new(read_scene(file, Arc::clone(&session.assets) as _).await?);
    let changed = if headers.contains_key(header::IF_MATCH) {
        let current = session.scene().current();
        if !app.scene_texts.of(&current.scene).await?.is_wanted(&headers) {
            return Err(not_that_version());
        }
        let command = SceneCommand::ReplaceRevision(scene, current.number);
        match session.change(command).await {
            Err(SessionError::Stale(_)) => return Err(not_that_version()),
            changed => changed?,
        }
    } else {
        session.change(SceneCommand::Replace(scene)).await?
    };
    let revision = changed.revision;
    let text = app.scene_texts.of(&revision.scene).await?;
    let mut others = Map::new();
    others.insert("revision".into(), revision.number.into());
    Ok(object_response(&others, [("scene", text.bytes)]))
}

fn not_that_version() -> Problem {
    let detail = "the scene is not the one that If-Match names: GET it again, and send its ETag";
    Problem::new(StatusCode::PRECONDITION_FAILED, detail)
}

/// Parses a scene file that may use `assets`, on a blocking thread: a large one takes a while.
pub(super) async fn read_scene(file: Value, assets: Arc<dyn Assets>) -> Result<Scene, Problem> {
    let read = move || {
        let scene = Scene::from_json(&file)?;
        scene.check_assets(&*assets)?;
        Ok::<_, Violations>(scene)
    };
    match tokio::task::spawn_blocking(read).await {
        Ok(read) => Ok(read?),
        Err(error) => Err(Problem::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())),
    }
}

#[derive(Deserialize)]
pub(super) struct Message {
    text: String,
    #[serde(default)]
    selection: Vec<String>,
    #[serde(default)]
    images: Vec<ImageAttachment>,
}

pub(super) async fn say(
    State(app): Shared,
    Path(id): Path<String>,
    Extension(share): Extension<Share>,
    JsonBody(message): JsonBody<Message>,
) -> Result<impl IntoResponse, Problem> {
    let Message { text, selection, images } = message;
    let images = images.into_iter().map(wire::attachment).collect();
    let message = UserMessage { text, selection, images, replaces: None };
    let session = find(&app, &id, Permission::Edit).await?;
    share.talks_to(session.id());
    let message_id = session.say(message).await?;
    Ok((StatusCode::ACCEPTED, Json(json!({ "message_id": message_id }))))
}

pub(super) async fn cancel(
    State(app): Shared,
    Path(id): Path<String>,
    _: NoBody,
) -> Result<impl IntoResponse, Problem> {
    find(&app, &id, Permission::Edit).await?.cancel().await?;
    Ok((StatusCode::ACCEPTED, Json(json!({}))))
}
