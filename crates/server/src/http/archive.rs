//! Managing sessions: list, rename, copy, share, export, import, delete.

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::{Extension, Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use serde::Deserialize;
use serde_json::{Value, json};
use store::{Access, Capability, Listing};

use session::{
    ImportedSession, Permission, SessionError, export_lines, exported_size, now_ms, random_id,
};

use crate::shares::Share;

use super::app::App;
use super::intake::whole_body;
use super::jobs::Done;
use super::problem::{JsonBody, NoBody, Problem};
use super::query::QueryOf;
use super::sessions::{count_new, find};

type Shared = State<Arc<App>>;

/// The largest session file in bytes, assets included. It also limits exports, so that each export can
/// be imported.
const MAX_FILE: usize = 256 * 1024 * 1024;
/// Bytes of a session's file that are in memory while it is sent: what is read from the store, what is
/// written of it, and what the client is being sent.
const EXPORTING: u64 = 16 * 1024 * 1024;
/// The least memory for an import: what is known of the session while its log is checked.
const MIN_IMPORT_BYTES: u64 = 16 * 1024 * 1024;
/// Memory per byte of an imported file: the file, its assets, its log as values and as it is stored.
const IMPORT_FACTOR: u64 = 4;
/// The most sessions in one response.
const MAX_LISTED: usize = 200;
/// The most share tokens of one session.
const MAX_SHARES: usize = 100;

#[derive(Deserialize)]
pub(super) struct ListQuery {
    q: Option<String>,
    limit: Option<usize>,
    #[serde(default)]
    offset: usize,
}

pub(super) async fn list(
    State(app): Shared,
    QueryOf(query): QueryOf<ListQuery>,
) -> Result<impl IntoResponse, Problem> {
    app.may_list("sessions")?;
    let listing = Listing {
        words: query.q.filter(|words| !words.trim().is_empty()),
        limit: query.limit.unwrap_or(50).min(MAX_LISTED),
        offset: query.offset,
    };
    let listed = app.sessions.store().list(listing).await?;
    let sessions: Vec<Value> = listed
        .into_iter()
        .map(|listed| {
            let session = listed.session;
            let mut entry = json!({
                "session_id": session.id,
                "name": session.name,
                "created_ms": session.created_ms,
                "updated_ms": session.updated_ms,
                "messages": session.messages,
            });
            if let Some(excerpt) = listed.excerpt {
                entry["excerpt"] = excerpt.into();
            }
            entry
        })
        .collect();
    Ok(Json(json!({ "sessions": sessions })))
}

#[derive(Deserialize)]
pub(super) struct Name {
    name: String,
}

pub(super) async fn rename(
    State(app): Shared,
    Path(id): Path<String>,
    JsonBody(Name { name }): JsonBody<Name>,
) -> Result<impl IntoResponse, Problem> {
    let session = find(&app, &id, Permission::Edit).await?;
    session.rename(name).await.map_err(|error| match error {
        SessionError::BadMessage(why) => Problem::new(StatusCode::UNPROCESSABLE_ENTITY, why),
        error => error.into(),
    })?;
    Ok(Json(json!({ "session_id": id, "name": session.snapshot().await?.name })))
}

pub(super) async fn delete(
    State(app): Shared,
    Path(id): Path<String>,
) -> Result<impl IntoResponse, Problem> {
    let session = find(&app, &id, Permission::Own).await?;
    match app.sessions.delete(session.id()).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(Problem::unknown_session(&id)),
    }
}

/// A copy takes its turn among exports and imports: the store writes as much as for an import.
pub(super) async fn duplicate(
    State(app): Shared,
    Path(id): Path<String>,
    Extension(share): Extension<Share>,
    _: NoBody,
) -> Result<impl IntoResponse, Problem> {
    let session = find(&app, &id, Permission::View).await?;
    share.may_begin_session()?;
    let _turn = app.jobs.enter(share.job()?).await?;
    let copy = app.sessions.duplicate(&session).await?;
    count_new(&app, &share, copy.id())?;
    Ok((StatusCode::CREATED, Json(json!({ "session_id": copy.id() }))))
}

/// Exports the session as one file: a header line, its assets, then one line per record.
pub(super) async fn export(
    State(app): Shared,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let session = find(&app, &id, Permission::View).await?;
    let name = file_name(&session.snapshot().await?.name);
    let (store, library) = (Arc::clone(app.sessions.store()), Arc::clone(&app.library));
    let size = exported_size(&*store, &library, session.id()).await?;
    if size.total() > MAX_FILE as u64 {
        let detail = format!(
            "the session's file would have {} bytes, {} of them for its meshes and pictures, and no \
             server reads one of more than {MAX_FILE} back; export its scene alone with \
             .../scene/export?format=glb, or go on in a new session with fewer meshes and pictures",
            size.total(),
            size.assets
        );
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail));
    }
    let room = app.scene_texts.take_room(size.total().min(EXPORTING)).await?;
    let lines = export_lines(store, library, session.id().to_owned());
    let lines = lines.map(move |line| {
        let _held_until_all_is_sent = &room;
        line
    });
    let headers = [
        (header::CONTENT_TYPE, "application/x-ndjson".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.scene-llm\"")),
    ];
    Ok((headers, Body::from_stream(lines)).into_response())
}

/// A file name that is valid in every file system and header.
pub(super) fn file_name(name: &str) -> String {
    let clean: String = name
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' })
        .take(60)
        .collect();
    let clean = clean.trim_matches('-');
    if clean.is_empty() { "session".into() } else { clean.into() }
}

pub(super) async fn import(
    State(app): Shared,
    Extension(share): Extension<Share>,
    headers: HeaderMap,
    body: Body,
) -> Result<impl IntoResponse, Problem> {
    share.may_begin_session()?;
    let file = whole_body(&headers, body, MAX_FILE, "a session").await?;
    let turn = app.jobs.enter(share.job()?).await?;
    let memory = MIN_IMPORT_BYTES + IMPORT_FACTOR * file.len() as u64;
    let most_asset_bytes = app.most_asset_bytes;
    let read = turn
        .work(memory, move |cancelled| ImportedSession::read(&file, most_asset_bytes, cancelled));
    let Done { value, memory } = read.await?;
    let (imported, storing) = (value?, Arc::clone(&app));
    // It goes on if the client leaves: a session is stored whole or not at all.
    let stored = app.tracker.spawn(async move {
        let _held = (turn, memory);
        storing.sessions.import(imported).await
    });
    let session = stored.await.map_err(|panic| {
        let detail = format!("the session could not be stored: {panic}");
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, detail)
    })??;
    count_new(&app, &share, session.id())?;
    Ok((StatusCode::CREATED, Json(json!({ "session_id": session.id() }))))
}

#[derive(Deserialize)]
pub(super) struct ShareRequest {
    access: String,
}

pub(super) async fn share(
    State(app): Shared,
    Path(id): Path<String>,
    JsonBody(ShareRequest { access }): JsonBody<ShareRequest>,
) -> Result<impl IntoResponse, Problem> {
    let session = find(&app, &id, Permission::Own).await?;
    let access = Access::from_name(&access).ok_or_else(|| {
        let detail = format!("'access' must be \"view\" or \"edit\", got \"{access}\"");
        Problem::new(StatusCode::BAD_REQUEST, detail)
    })?;
    let store = app.sessions.store();
    if store.capabilities(session.id()).await?.len() >= MAX_SHARES {
        let detail =
            format!("a session has at most {MAX_SHARES} share tokens; take one back first");
        return Err(Problem::new(StatusCode::CONFLICT, detail));
    }
    let token = random_id();
    let capability = Capability {
        token: token.clone(),
        session: session.id().to_owned(),
        access,
        created_ms: now_ms(),
    };
    store.grant(capability).await?;
    Ok((StatusCode::CREATED, Json(json!({ "token": token, "access": access.name() }))))
}

pub(super) async fn shares(
    State(app): Shared,
    Path(id): Path<String>,
) -> Result<impl IntoResponse, Problem> {
    let session = find(&app, &id, Permission::Own).await?;
    let capabilities = app.sessions.store().capabilities(session.id()).await?;
    let shares: Vec<Value> = capabilities
        .into_iter()
        .map(|one| {
            json!({ "token": one.token, "access": one.access.name(), "created_ms": one.created_ms })
        })
        .collect();
    Ok(Json(json!({ "shares": shares })))
}

pub(super) async fn unshare(
    State(app): Shared,
    Path((id, token)): Path<(String, String)>,
) -> Result<impl IntoResponse, Problem> {
    let session = find(&app, &id, Permission::Own).await?;
    match app.sessions.revoke(session.id(), &token).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(Problem::new(StatusCode::NOT_FOUND, "the session has no such share token")),
    }
}
