//! Uploaded meshes and pictures. Knowing the hash of an asset grants access to it: scenes refer to it so.

use std::sync::Arc;

use assets::{Asset, AssetHash, BlobError, CheckError, LibraryError, MediaType, StoredAsset};
use axum::Json;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use session::{Permission, now_ms};

use super::app::App;
use super::etag::client_has;
use super::intake::whole_body;
use super::problem::Problem;
use super::query::QueryOf;
use super::sessions::find;

type Shared = State<Arc<App>>;

/// The most assets in one response.
const MAX_LISTED: usize = 200;

#[derive(Deserialize)]
pub(super) struct Described {
    /// The file's name.
    #[serde(default)]
    name: String,
    /// The session that will use it.
    session: Option<String>,
}

/// `POST /api/assets`: the body is the file.
pub(super) async fn upload(
    State(app): Shared,
    QueryOf(Described { name, session }): QueryOf<Described>,
    headers: HeaderMap,
    body: Body,
) -> Result<impl IntoResponse, Problem> {
    // Check the permission before reading the body.
    let session = match session {
        Some(key) => Some(find(&app, &key, Permission::Edit).await?),
        None => None,
    };
    let file = whole_body(&headers, body, app.most_asset_bytes, "an asset").await?;
    let told = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let media_type = told.and_then(MediaType::named);
    let checked = app.library.check(file, &name, media_type).await?;
    let StoredAsset { asset, is_new } = app.library.add(checked, now_ms()).await?;
    if let Some(session) = session {
        app.sessions.store().use_asset(session.id(), asset.hash.as_str()).await?;
        session.assets.add(asset.hash.as_str());
    }
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    let location = [(header::LOCATION, format!("/api/assets/{}", asset.hash))];
    Ok((status, location, Json(asset.to_json())))
}

#[derive(Deserialize)]
pub(super) struct Page {
    limit: Option<usize>,
    #[serde(default)]
    offset: usize,
}

/// `GET /api/assets`: all assets, newest first.
pub(super) async fn list(
    State(app): Shared,
    QueryOf(Page { limit, offset }): QueryOf<Page>,
) -> Result<impl IntoResponse, Problem> {
    app.may_list("assets")?;
    let limit = limit.unwrap_or(50).min(MAX_LISTED);
    let assets = app.library.assets().into_iter().skip(offset).take(limit);
    let assets: Vec<Value> = assets.map(|asset| asset.to_json()).collect();
    Ok(Json(json!({ "assets": assets })))
}

/// `GET /api/sessions/{id}/assets`: assets uploaded for a session or ever shown in it.
pub(super) async fn of_session(
    State(app): Shared,
    Path(id): Path<String>,
) -> Result<impl IntoResponse, Problem> {
    let session = find(&app, &id, Permission::View).await?;
    let known = app.sessions.store().assets(Some(session.id())).await?;
    let assets = known.iter().filter_map(|known| app.library.asset(&known.hash));
    let assets: Vec<Value> = assets.map(|asset| asset.to_json()).collect();
    Ok(Json(json!({ "assets": assets })))
}

/// `GET /api/assets/{hash}`: the file as it was uploaded.
pub(super) async fn content(
    State(app): Shared,
    Path(hash): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let asset = app.library.find(&hash).await?.ok_or_else(|| unknown(&hash))?;
    let tag = format!("\"{}\"", asset.hash);
    let common = [
        (header::ETAG, tag.clone()),
        // A hash always has the same content, so a cached copy stays valid.
        (header::CACHE_CONTROL, "private, max-age=31536000, immutable".to_owned()),
        // Browsers must treat the file as data, whatever it contains.
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox".to_owned()),
    ];
    if client_has(&headers, &tag) {
        return Ok((StatusCode::NOT_MODIFIED, common).into_response());
    }
    let content = app.library.content(&asset.hash).await?;
    let own = [
        (header::CONTENT_TYPE, asset.media_type.clone()),
        (header::CONTENT_LENGTH, asset.bytes.to_string()),
        (header::CONTENT_DISPOSITION, disposition(&asset)),
    ];
    Ok((common, own, Body::from_stream(content)).into_response())
}

/// A `Content-Disposition` with a file name that is valid in every file system and header.
fn disposition(asset: &Asset) -> String {
    let letters = asset.name.chars().map(|letter| match letter {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '.' | '_' => letter,
        _ => '-',
    });
    let name: String = letters.collect();
    let name = name.trim_matches(['-', '.']);
    let name = if name.is_empty() { asset.hash.as_str() } else { name };
    format!("attachment; filename=\"{name}\"")
}

fn unknown(hash: &str) -> Problem {
    let what = match AssetHash::parse(hash) {
        Some(hash) => format!("there is no asset '{hash}'; upload it with POST /api/assets"),
        None => "an asset is named by the 64 hexadecimal digits of its hash".to_owned(),
    };
    Problem::new(StatusCode::NOT_FOUND, what)
}

impl From<LibraryError> for Problem {
    fn from(error: LibraryError) -> Self {
        let status = match error {
            LibraryError::Store(error) => return error.into(),
            LibraryError::Blob(error) => return error.into(),
            LibraryError::Check(CheckError::UnknownKind) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            LibraryError::Check(CheckError::Bad { .. }) => StatusCode::UNPROCESSABLE_ENTITY,
            LibraryError::NoRoom { .. } => StatusCode::INSUFFICIENT_STORAGE,
            LibraryError::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self::new(status, error.to_string())
    }
}

impl From<BlobError> for Problem {
    fn from(error: BlobError) -> Self {
        let status = match error {
            BlobError::Missing(_) => StatusCode::NOT_FOUND,
            BlobError::Full => StatusCode::INSUFFICIENT_STORAGE,
            BlobError::ReadOnly | BlobError::Gone => StatusCode::SERVICE_UNAVAILABLE,
            BlobError::Damaged(_) | BlobError::Failed(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self::new(status, error.to_string())
    }
}
