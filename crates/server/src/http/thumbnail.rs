//! Small pictures of sessions, for lists of them.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use scene::Scene;
use studio::{Denoise, Format, Integrator, Job};
use tokio::sync::Semaphore;

use crate::session::{Permission, SessionHandle};

use super::App;
use super::problem::Problem;
use super::sessions::find;

/// Pixels.
const WIDTH: u32 = 192;
/// Pixels.
const HEIGHT: u32 = 144;
/// Enough for the denoiser to make sense of.
const SAMPLES: u32 = 8;
/// Pictures that are kept, of about 5 KB each.
const KEPT: usize = 1_000;

/// The pictures that were asked for last.
pub(crate) struct Thumbnails {
    /// By session, the one asked for last at the end. Held only to look up and put in.
    kept: Mutex<VecDeque<Kept>>,
    /// One at a time: a list asks for many at once, and previews are more urgent.
    turn: Semaphore,
}

struct Kept {
    session: Arc<str>,
    revision: u64,
    picture: Bytes,
}

impl Default for Thumbnails {
    fn default() -> Self {
        Self { kept: Mutex::default(), turn: Semaphore::new(1) }
    }
}

impl Thumbnails {
    fn find(&self, session: &str, revision: u64) -> Option<Bytes> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let index = kept.iter().position(|each| &*each.session == session)?;
        let found = kept.remove(index).filter(|each| each.revision == revision)?;
        let picture = found.picture.clone();
        kept.push_back(found);
        Some(picture)
    }

    fn keep(&self, session: &str, revision: u64, picture: Bytes) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|each| &*each.session != session);
        if kept.len() >= KEPT {
            kept.pop_front();
        }
        kept.push_back(Kept { session: session.into(), revision, picture });
    }
}

/// `GET /api/sessions/{id}/thumbnail`: the scene as it is, as a small JPEG; made when it is first asked
/// for after a change.
pub(super) async fn of_session(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let session = find(&app, &id, Permission::View).await?;
    let current = session.scene().current();
    let revision = current.number;
    let tag = format!("\"{revision}\"");
    let common = [
        (header::ETAG, tag.clone()),
        // Asked again each time, sent again only when the scene has changed.
        (header::CACHE_CONTROL, "private, no-cache".to_owned()),
    ];
    let asked = headers.get(header::IF_NONE_MATCH).and_then(|tags| tags.to_str().ok());
    if asked.is_some_and(|tags| tags.split(',').any(|one| one.trim() == tag)) {
        return Ok((StatusCode::NOT_MODIFIED, common).into_response());
    }
    let picture = match app.thumbnails.find(session.id(), revision) {
        Some(picture) => picture,
        None => {
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
    // Somebody may have waited for the same one.
    if let Some(picture) = app.thumbnails.find(session.id(), revision) {
        return Ok(picture);
    }
    let job = Job {
        width: WIDTH,
        height: HEIGHT,
        samples: SAMPLES,
        denoise: Denoise::Builtin,
        // A trial of both would cost more than it saves.
        integrator: Some(Integrator::Path),
        ..Job::of(scene)
    };
    let client = session.scene().render_client();
    let picture = Bytes::from(app.renderer.render(client, job, Format::Jpeg).await?);
    app.thumbnails.keep(session.id(), revision, picture.clone());
    Ok(picture)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_found_for_its_revision_only() {
        let thumbnails = Thumbnails::default();
        let picture = Bytes::from_static(b"picture");
        thumbnails.keep("a", 1, picture.clone());
        assert_eq!(thumbnails.find("b", 1), None);
        assert_eq!(thumbnails.find("a", 1), Some(picture));
        assert_eq!(thumbnails.find("a", 2), None);
        assert_eq!(thumbnails.find("a", 1), None, "an old one is not kept");
    }

    #[test]
    fn the_ones_asked_for_longest_ago_go_first() {
        let thumbnails = Thumbnails::default();
        let picture = Bytes::from_static(b"picture");
        for number in 0..KEPT {
            thumbnails.keep(&number.to_string(), 1, picture.clone());
        }
        assert!(thumbnails.find("0", 1).is_some());
        thumbnails.keep("another", 1, picture);
        assert!(thumbnails.find("0", 1).is_some());
        assert!(thumbnails.find("1", 1).is_none());
    }
}
