//! Pictures that came with messages, as the chat shows them.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use session::Permission;

use super::app::App;
use super::problem::Problem;
use super::sessions::find;

/// `GET /api/sessions/{id}/messages/{message_id}/images/{index}`: the file as it was sent, `index` from 0.
pub(super) async fn image(
    State(app): State<Arc<App>>,
    Path((id, message_id, index)): Path<(String, String, String)>,
) -> Result<Response, Problem> {
    let session = find(&app, &id, Permission::View).await?;
    let detail = format!("message '{message_id}' has no picture {index}; they count from 0");
    let unknown = move || Problem::new(StatusCode::NOT_FOUND, detail.clone());
    let message = session.message(message_id).await?.ok_or_else(&unknown)?;
    let index: usize = index.parse().map_err(|_| unknown())?;
    let data = message.parts.iter().filter_map(|part| part.raw().get("inlineData")).nth(index);
    let (mime_type, encoded) = data.and_then(picture).ok_or_else(&unknown)?;
    let decode = move || STANDARD.decode(encoded).map_err(|_| unknown());
    let bytes = app.scene_texts.made(decode).await?;
    let headers = [
        (header::CONTENT_TYPE, mime_type),
        // A message never changes, and only clients of the session know the address.
        (header::CACHE_CONTROL, "private, max-age=31536000, immutable".to_owned()),
        // Browsers must treat the file as data, whatever it contains.
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox".to_owned()),
    ];
    Ok((headers, bytes).into_response())
}

/// The media type and the file, in base64, of the data of a part.
fn picture(data: &Value) -> Option<(String, String)> {
    let mime_type = data.get("mimeType").and_then(Value::as_str)?;
    let encoded = data.get("data").and_then(Value::as_str)?;
    // An imported session may contain anything.
    let is_picture = ["image/png", "image/jpeg", "image/webp"].contains(&mime_type);
    is_picture.then(|| (mime_type.to_owned(), encoded.to_owned()))
}
