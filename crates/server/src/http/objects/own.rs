//! Objects of the user's own: saved from a scene, renamed, deleted, exported and imported.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use catalogue::{About, OptionInfo};
use own_objects::{Entry, MAX_FILE_BYTES, OwnObjectError};
use scene::{Id, Violations};
use serde::{Deserialize, Serialize};
use session::Permission;
use spatial::{Space, front_of, own_object};

use super::super::app::App;
use super::super::archive::file_name;
use super::super::intake::whole_body;
use super::super::problem::{JsonBody, Problem};
use super::super::sessions::find;
use crate::own_objects::ObjectsError;
use crate::shares::Share;

type Shared = State<Arc<App>>;

/// The most things that are saved as one object.
const MAX_IDS: usize = 2_000;

/// An object of the user's own, as lists show it.
#[derive(Serialize)]
pub(super) struct OwnInfo {
    name: String,
    names: Vec<String>,
    categories: Vec<String>,
    size: [f64; 3],
    shapes: usize,
    options: Vec<OptionInfo<'static>>,
    roles: [&'static str; 1],
    parts: Vec<String>,
    /// Whose it is.
    own: bool,
    note: String,
    /// Bytes of its file.
    bytes: u64,
    /// Another one for every other content of its file.
    version: String,
}

impl OwnInfo {
    pub(super) fn of(entry: &Entry) -> Self {
        let object = &entry.object;
        let About { name, category, note, .. } = object.about().clone();
        Self {
            name,
            names: object.names().to_vec(),
            categories: category.into_iter().collect(),
            size: object.size().map(|side| (side * 1e3).round() / 1e3),
            shapes: object.shapes(),
            options: object.option_infos(),
            roles: ["body"],
            parts: object.part_names().into_iter().skip(1).map(str::to_owned).collect(),
            own: true,
            note,
            bytes: entry.bytes,
            version: entry.version.clone(),
        }
    }
}

#[derive(Deserialize)]
pub(in super::super) struct SaveRequest {
    session: String,
    ids: Vec<String>,
    name: String,
    #[serde(default)]
    words: Vec<String>,
    category: Option<String>,
    #[serde(default)]
    note: String,
    /// Degrees about y; where a group was turned as a whole, its own front by default.
    front: Option<f64>,
}

/// `POST /api/objects`: what a session's scene has under these ids becomes an object.
pub(in super::super) async fn save(
    State(app): Shared,
    JsonBody(request): JsonBody<SaveRequest>,
) -> Result<impl IntoResponse, Problem> {
    app.may_list("objects")?;
    let session = find(&app, &request.session, Permission::View).await?;
    let SaveRequest { ids, name, words, category, note, front, .. } = request;
    let about = About { name, words, category, note };
    let ids = read_ids(&ids)?;
    if front.is_some_and(|degrees| !(-360.0..=360.0).contains(&degrees)) {
        return Err(Violations::one("'front' must be degrees from -360 to 360").into());
    }
    let scene = session.snapshot().await?.revision.scene;
    let assets = Arc::clone(&session.assets);
    let made = app.scene_texts.apart(move || {
        let space = Space::of(&scene, &*assets);
        let front = front.unwrap_or_else(|| front_of(&space, &ids));
        own_object(&space, &ids, front, about)
    });
    let entry = app.own_objects.save(made.await??).await?;
    Ok((StatusCode::CREATED, location(&entry), Json(OwnInfo::of(&entry))))
}

fn read_ids(ids: &[String]) -> Result<Vec<Id>, Problem> {
    if ids.is_empty() || ids.len() > MAX_IDS {
        let rule = format!("'ids' must name 1 to {MAX_IDS} shapes, lights or groups");
        return Err(Violations::one(rule).into());
    }
    let read = ids.iter().map(|id| Id::new(id)).collect::<Option<Vec<Id>>>();
    read.ok_or_else(|| Violations::one("'ids' must be names of shapes, lights or groups").into())
}

/// `POST /api/objects/import`: the body is an exported object.
pub(in super::super) async fn import(
    State(app): Shared,
    Extension(share): Extension<Share>,
    headers: HeaderMap,
    body: Body,
) -> Result<impl IntoResponse, Problem> {
    app.may_list("objects")?;
    let most = usize::try_from(MAX_FILE_BYTES).unwrap_or(usize::MAX);
    let file = whole_body(&headers, body, most, "an object").await?;
    let _turn = app.jobs.enter(share.job()?).await?;
    let entry = app.own_objects.import(file).await?;
    Ok((StatusCode::CREATED, location(&entry), Json(OwnInfo::of(&entry))))
}

/// `GET /api/objects/{name}/export`: the object as one file, with its meshes and pictures.
pub(in super::super) async fn export(
    State(app): Shared,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    app.may_see_own_objects(&headers)?;
    let entry = app.own_objects.entry(&name)?;
    let content = async { Ok(app.own_objects.export(entry.object.name()).await?) };
    let content = app.scene_texts.made_by(content).await?;
    let name = file_name(entry.object.name());
    let headers = [
        (header::CONTENT_TYPE, "application/json".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.object.json\"")),
    ];
    Ok((headers, content).into_response())
}

/// What is changed of an object; what is not named stays.
#[derive(Deserialize)]
pub(in super::super) struct ChangeRequest {
    name: Option<String>,
    words: Option<Vec<String>>,
    /// `""` for none.
    category: Option<String>,
    note: Option<String>,
}

/// `PATCH /api/objects/{name}`: other names, another category or note.
pub(in super::super) async fn change(
    State(app): Shared,
    Path(name): Path<String>,
    JsonBody(request): JsonBody<ChangeRequest>,
) -> Result<impl IntoResponse, Problem> {
    app.may_list("objects")?;
    let changed = app.own_objects.change(&name, move |about| {
        about.name = request.name.unwrap_or_else(|| about.name.clone());
        about.words = request.words.unwrap_or_else(|| about.words.clone());
        about.category = request.category.or_else(|| about.category.clone());
        about.note = request.note.unwrap_or_else(|| about.note.clone());
    });
    Ok(Json(OwnInfo::of(&changed.await?)))
}

/// `DELETE /api/objects/{name}`: scenes keep what they have of it.
pub(in super::super) async fn delete(
    State(app): Shared,
    Path(name): Path<String>,
) -> Result<StatusCode, Problem> {
    app.may_list("objects")?;
    app.own_objects.delete(&name).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn location(entry: &Entry) -> [(header::HeaderName, String); 1] {
    let name = percent_encoding::utf8_percent_encode(
        entry.object.name(),
        percent_encoding::NON_ALPHANUMERIC,
    );
    [(header::LOCATION, format!("/api/objects/{name}"))]
}

impl From<ObjectsError> for Problem {
    fn from(error: ObjectsError) -> Self {
        let error = match error {
            ObjectsError::Asset(error) => return error.into(),
            ObjectsError::Object(OwnObjectError::Invalid(violations)) => return violations.into(),
            ObjectsError::Object(error) => error,
            ObjectsError::Internal => {
                return Self::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string());
            }
        };
        let status = match &error {
            OwnObjectError::Invalid(_) | OwnObjectError::Malformed(_) => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
            OwnObjectError::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            OwnObjectError::Taken(_)
            | OwnObjectError::BuiltInName(_)
            | OwnObjectError::BuiltIn(_)
            | OwnObjectError::TooMany(_) => StatusCode::CONFLICT,
            OwnObjectError::Unknown { .. } => StatusCode::NOT_FOUND,
            OwnObjectError::NoRoom { .. } => StatusCode::INSUFFICIENT_STORAGE,
            OwnObjectError::Disk { .. } => StatusCode::SERVICE_UNAVAILABLE,
        };
        Self::new(status, error.to_string())
    }
}
