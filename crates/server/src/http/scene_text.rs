//! A cache of scenes as JSON text: serialised once per revision, on a blocking thread, and shared by all
//! requests.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use scene::Scene;
use serde::Serialize;
use sha2::{Digest, Sha256};
use tokio::sync::{OnceCell, Semaphore};

use super::etag::{client_has, is_for};
use super::problem::Problem;

/// The number of cached texts. One of a full scene has some megabytes.
const MAX_KEPT: usize = 16;
/// Concurrent serialisations; each keeps a core busy for some ten milliseconds.
const MAX_WRITING: usize = 2;

/// The text of a scene, and its ETag.
#[derive(Debug, Clone)]
pub(super) struct SceneText {
    pub(super) bytes: Bytes,
    tag: Arc<str>,
}

type Cell = Arc<OnceCell<SceneText>>;

/// The cache of texts.
#[derive(Debug)]
pub(crate) struct SceneTexts {
    /// Ordered by last use. A scene that is held never changes, so its address identifies it. Locked only for
    /// a lookup or an insert.
    kept: Mutex<VecDeque<(Weak<Scene>, Cell)>>,
    writing: Arc<Semaphore>,
}

impl Default for SceneTexts {
    fn default() -> Self {
        Self { kept: Mutex::default(), writing: Arc::new(Semaphore::new(MAX_WRITING)) }
    }
}

impl SceneTexts {
    /// The text of a scene.
    pub(super) async fn of(&self, scene: &Arc<Scene>) -> Result<SceneText, Problem> {
        let cell = self.cell(scene);
        let text = cell.get_or_try_init(|| async {
            let scene = Arc::clone(scene);
            self.apart(move || {
                // It holds only texts and numbers, so serialising it cannot fail.
                let bytes = serde_json::to_vec(&scene.to_json()).unwrap_or_default();
                let hash = Sha256::digest(&bytes);
                let tag = hash.iter().take(16).map(|byte| format!("{byte:02x}"));
                // A weak ETag, since the body may be compressed in transit.
                let tag = format!("W/\"{}\"", tag.collect::<String>()).into();
                SceneText { bytes: bytes.into(), tag }
            })
            .await
        });
        text.await.cloned()
    }

    /// Runs CPU-bound work on a blocking thread.
    pub(super) async fn apart<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        // The semaphore is never closed. The permit is held by the work, which continues even if its caller is gone.
        let permit = Arc::clone(&self.writing).acquire_owned().await;
        let done = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        done.await
            .map_err(|error| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))
    }

    /// A response with possibly large JSON, built by `make`.
    pub(super) async fn json<T: Serialize>(
        &self,
        make: impl FnOnce() -> T + Send + 'static,
    ) -> Result<Response, Problem> {
        // It holds only texts, numbers and JSON, so serialising it cannot fail.
        let bytes = self.apart(move || serde_json::to_vec(&make()).unwrap_or_default()).await?;
        Ok(([(header::CONTENT_TYPE, "application/json")], bytes).into_response())
    }

    fn cell(&self, scene: &Arc<Scene>) -> Cell {
        // A panic cannot leave the list inconsistent, so a poisoned lock is safe to use.
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(known, _)| known.strong_count() > 0);
        let address = Arc::as_ptr(scene);
        let found = kept.iter().position(|(known, _)| std::ptr::eq(known.as_ptr(), address));
        let entry = found
            .and_then(|at| kept.remove(at))
            .unwrap_or_else(|| (Arc::downgrade(scene), Cell::default()));
        let cell = Arc::clone(&entry.1);
        kept.push_back(entry);
        if kept.len() > MAX_KEPT {
            kept.pop_front();
        }
        cell
    }
}

impl SceneText {
    /// Whether a change with these headers is for this version.
    pub(super) fn is_wanted(&self, headers: &HeaderMap) -> bool {
        is_for(headers, &self.tag)
    }

    /// The text, or 304 if `headers` say that the client has it.
    pub(super) fn respond(&self, headers: &HeaderMap) -> Response {
        let common = [
            (header::ETAG, self.tag.to_string()),
            // Revalidated each time, but sent only if it has changed.
            (header::CACHE_CONTROL, "private, no-cache".to_owned()),
        ];
        if client_has(headers, &self.tag) {
            return (StatusCode::NOT_MODIFIED, common).into_response();
        }
        let kind = [(header::CONTENT_TYPE, "application/json")];
        (common, kind, self.bytes.clone()).into_response()
    }

    /// A JSON object with the text as its last member, `scene`; `others` is an object without it.
    pub(super) fn within(&self, others: &serde_json::Map<String, serde_json::Value>) -> Response {
        let mut head = serde_json::to_string(others).unwrap_or_default();
        head.pop();
        if !others.is_empty() {
            head.push(',');
        }
        head.push_str("\"scene\":");
        let pieces = [Bytes::from(head), self.bytes.clone(), Bytes::from_static(b"}")];
        let length = pieces.iter().map(Bytes::len).sum::<usize>().to_string();
        let headers = [
            (header::CONTENT_TYPE, "application/json".to_owned()),
            (header::CONTENT_LENGTH, length),
        ];
        let pieces = pieces.map(Ok::<_, std::convert::Infallible>);
        (headers, Body::from_stream(futures_util::stream::iter(pieces))).into_response()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[tokio::test]
    async fn a_revision_is_written_once_and_let_go_of_with_it() {
        let texts = SceneTexts::default();
        let scene = Arc::new(Scene::default());
        let one = texts.of(&scene).await.unwrap();
        let again = texts.of(&scene).await.unwrap();
        assert_eq!(one.bytes.as_ptr(), again.bytes.as_ptr());
        let written: Value = serde_json::from_slice(&one.bytes).unwrap();
        assert_eq!(written, scene.to_json());
        drop(scene);
        let other = Arc::new(Scene { description: Some("other".into()), ..Scene::default() });
        let other_text = texts.of(&other).await.unwrap();
        assert_ne!(other_text.tag, one.tag);
        assert_eq!(texts.kept.lock().unwrap().len(), 1, "what nobody can ask for any more is gone");
    }

    #[tokio::test]
    async fn a_client_that_has_it_is_sent_nothing() {
        let text = SceneTexts::default().of(&Arc::new(Scene::default())).await.unwrap();
        let mut headers = HeaderMap::new();
        assert_eq!(text.respond(&headers).status(), StatusCode::OK);
        headers.insert(header::IF_NONE_MATCH, text.tag.parse().unwrap());
        assert_eq!(text.respond(&headers).status(), StatusCode::NOT_MODIFIED);
    }

    #[tokio::test]
    async fn a_text_within_an_object_is_json() {
        let text = SceneTexts::default().of(&Arc::new(Scene::default())).await.unwrap();
        for others in [json!({}), json!({ "revision": 3, "name": "}" })] {
            let body = text.within(others.as_object().unwrap()).into_body();
            let bytes = axum::body::to_bytes(body, usize::MAX).await.unwrap();
            let mut read: Value = serde_json::from_slice(&bytes).unwrap();
            let scene = read.as_object_mut().unwrap().remove("scene");
            assert_eq!((read, scene), (others, Some(Scene::default().to_json())));
        }
    }
}
