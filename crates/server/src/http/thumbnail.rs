//! Thumbnails of sessions.

use std::sync::Arc;

use axum::extract::{Extension, Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use scene::Scene;
use studio::{Format, Job};

use session::{Permission, SessionHandle};

use super::app::App;
use super::etag::client_has;
use super::problem::Problem;
use super::sessions::find;
use crate::shares::Share;

/// Pixels.
const WIDTH: u32 = 192;
/// Pixels.
const HEIGHT: u32 = 144;
/// Samples per pixel: enough for the denoiser.
const SAMPLES: u32 = 8;

/// `GET /api/sessions/{id}/thumbnail`: the current scene as a small JPEG, rendered at the first request
/// after a change.
pub(super) async fn of_session(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Extension(share): Extension<Share>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let session = find(&app, &id, Permission::View).await?;
    let current = session.scene().current();
    let revision = current.number;
    let tag = format!("\"{revision}\"");
    let common = [
        (header::ETAG, tag.clone()),
        // Revalidated each time, sent again only if the scene has changed.
        (header::CACHE_CONTROL, "private, no-cache".to_owned()),
    ];
    if client_has(&headers, &tag) {
        return Ok((StatusCode::NOT_MODIFIED, common).into_response());
    }
    let picture = match app.thumbnails.find(session.id(), revision) {
        Some(picture) => picture,
        None => {
            let _place = share.picture()?;
            let made = make(&app, &session, revision, current.scene);
            let made = app.cancel.run_until_cancelled(made);
            made.await.ok_or_else(Problem::stopping)??
        }
    };
    let own = [(header::CONTENT_TYPE, Format::Jpeg.mime_type())];
    Ok((common, own, picture).into_response())
}

async fn make(
    app: &App,
    session: &SessionHandle,
    revision: u64,
    scene: Arc<Scene>,
) -> Result<Bytes, Problem> {
    // The semaphore lives as long as the server and is never closed.
    let _turn = app.thumbnails.turn.acquire().await.map_err(|_| Problem::stopping())?;
    // Another request may have rendered the same thumbnail.
    if let Some(picture) = app.thumbnails.find(session.id(), revision) {
        return Ok(picture);
    }
    let job = Job::thumbnail(scene, [WIDTH, HEIGHT], SAMPLES);
    let client = session.scene().render_client();
    let picture = Bytes::from(app.renderer.render(client, job, Format::Jpeg).await?);
    app.thumbnails.keep(session.id(), revision, picture.clone());
    Ok(picture)
}
