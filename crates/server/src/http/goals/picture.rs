//! Pictures of the variants of a goal.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use session::Permission;
use studio::{Format, Job};

use crate::http::app::App;
use crate::http::etag::client_has;
use crate::http::problem::Problem;
use crate::http::sessions::find;

/// Pixels: enough to compare several side by side.
const WIDTH: u32 = 320;
/// Pixels.
const HEIGHT: u32 = 240;
/// Samples per pixel: enough for the denoiser.
const SAMPLES: u32 = 16;

/// `GET /api/sessions/{id}/goal/variants/{number}/picture`: the scene at the end of a variant, as a JPEG.
pub(in crate::http) async fn of_variant(
    State(app): State<Arc<App>>,
    Path((id, number)): Path<(String, u32)>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let session = find(&app, &id, Permission::View).await?;
    let variants = session.goal().await?.and_then(|goal| goal.variants);
    let made = variants.into_iter().flat_map(|variants| variants.made);
    let variant = made.into_iter().find(|variant| variant.number == number).ok_or_else(|| {
        let detail = format!("the goal of this session has no variant {number} that has ended");
        Problem::new(StatusCode::NOT_FOUND, detail)
    })?;
    let tag = format!("\"{}\"", variant.revision);
    // A revision never changes, but another goal has other variants of the same numbers.
    let common =
        [(header::ETAG, tag.clone()), (header::CACHE_CONTROL, "private, no-cache".to_owned())];
    if client_has(&headers, &tag) {
        return Ok((StatusCode::NOT_MODIFIED, common).into_response());
    }
    let job = Job::thumbnail(session.scene_at(variant.revision).await?, [WIDTH, HEIGHT], SAMPLES);
    let rendered = app.renderer.render(session.scene().render_client(), job, Format::Jpeg);
    let picture =
        app.cancel.run_until_cancelled(rendered).await.ok_or_else(Problem::stopping)??;
    Ok((common, [(header::CONTENT_TYPE, Format::Jpeg.mime_type())], picture).into_response())
}
