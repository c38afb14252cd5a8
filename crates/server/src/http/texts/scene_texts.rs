//! Scenes and conversations as JSON text: serialised once per revision, on a blocking thread, and shared by all
//! requests and sockets.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use scene::Scene;
use serde::Serialize;
use session::ChatEntry;
use sha2::{Digest, Sha256};
use studio::Bound;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::super::etag::{client_has, is_for};
use super::super::problem::Problem;
use super::room::{MadeOf, Room};
use crate::wire;

/// The number of cached texts of scenes, and of conversations. One of a full scene has some megabytes.
const MAX_KEPT: usize = 16;
/// Concurrent serialisations; each keeps a core busy for some ten milliseconds.
const MAX_WRITING: usize = 2;

/// The text of a scene, and its ETag.
#[derive(Debug, Clone)]
pub(in crate::http) struct SceneText {
    pub(in crate::http) bytes: Bytes,
    tag: Arc<str>,
}

/// The cache of texts.
#[derive(Debug)]
pub(crate) struct SceneTexts {
    scenes: MadeOf<Scene, SceneText>,
    chats: MadeOf<Vec<ChatEntry>, Bytes>,
    room: Room,
    writing: Arc<Semaphore>,
    /// Answers that are made and not in the account yet: few, whatever waits for room.
    unaccounted: Semaphore,
}

impl SceneTexts {
    /// No texts yet, and room for so many bytes.
    pub(crate) fn within(bytes: u64) -> Self {
        Self {
            scenes: MadeOf::new(MAX_KEPT),
            chats: MadeOf::new(MAX_KEPT),
            room: Room::new(bytes),
            writing: Arc::new(Semaphore::new(MAX_WRITING)),
            unaccounted: Semaphore::new(MAX_WRITING),
        }
    }

    /// The limit that all clients share.
    pub(in crate::http) fn bound(&self) -> Bound {
        self.room.bound()
    }

    /// Drops texts of scenes and conversations that are gone.
    pub(crate) fn forget_unused(&self) {
        self.scenes.forget_unused();
        self.chats.forget_unused();
    }

    /// The text of a scene.
    pub(in crate::http) async fn of(&self, scene: &Arc<Scene>) -> Result<SceneText, Problem> {
        let cell = self.scenes.cell(scene);
        let text = cell.get_or_try_init(|| async {
            let scene = Arc::clone(scene);
            let make = move || serde_json::to_vec(&scene.to_json());
            let bytes = self.written(make).await?;
            let hashed = bytes.clone();
            let hash = self.apart(move || Sha256::digest(&hashed)).await?;
            let tag = hash.iter().take(16).map(|byte| format!("{byte:02x}"));
            // A weak ETag, since the body may be compressed in transit.
            let tag = format!("W/\"{}\"", tag.collect::<String>()).into();
            Ok(SceneText { bytes, tag })
        });
        text.await.cloned()
    }

    /// The text of a conversation.
    pub(in crate::http) async fn of_chat(
        &self,
        chat: &Arc<Vec<ChatEntry>>,
    ) -> Result<Bytes, Problem> {
        let cell = self.chats.cell(chat);
        let text = cell.get_or_try_init(|| async {
            let chat = Arc::clone(chat);
            self.written(move || serde_json::to_vec(&wire::SharedChat(&chat))).await
        });
        text.await.cloned()
    }

    /// A text that `write` makes on a blocking thread, once there is room for it.
    pub(in crate::http) async fn written(
        &self,
        write: impl FnOnce() -> serde_json::Result<Vec<u8>> + Send + 'static,
    ) -> Result<Bytes, Problem> {
        // Texts hold only texts, numbers and JSON, so serialising them cannot fail.
        self.made(move || Ok(write().unwrap_or_default())).await
    }

    /// An answer that `make` makes on a blocking thread, once there is room for it.
    pub(in crate::http) async fn made(
        &self,
        make: impl FnOnce() -> Result<Vec<u8>, Problem> + Send + 'static,
    ) -> Result<Bytes, Problem> {
        self.made_by(async { self.apart(make).await? }).await
    }

    /// An answer that `making` makes, once there is room for it.
    pub(in crate::http) async fn made_by(
        &self,
        making: impl Future<Output = Result<Vec<u8>, Problem>>,
    ) -> Result<Bytes, Problem> {
        // The semaphore is never closed.
        let _permit = self.unaccounted.acquire().await;
        let mut answer = making.await?;
        answer.shrink_to_fit();
        self.sent(answer).await
    }

    /// An answer that is made already, once there is room for it.
    pub(in crate::http) async fn sent(&self, answer: Vec<u8>) -> Result<Bytes, Problem> {
        self.room.of(answer, || self.make_room()).await
    }

    /// A text that `write` makes on a blocking thread, with room for so many copies of it.
    pub(in crate::http) async fn written_apart(
        &self,
        write: impl FnOnce() -> String + Send + 'static,
        copies: u64,
    ) -> Result<(String, OwnedSemaphorePermit), Problem> {
        // The semaphore is never closed.
        let _permit = self.unaccounted.acquire().await;
        let text = self.apart(write).await?;
        let room = self.take_room(copies * text.len() as u64).await?;
        Ok((text, room))
    }

    /// Room for an answer of so many bytes, once there is some.
    pub(in crate::http) async fn take_room(
        &self,
        bytes: u64,
    ) -> Result<OwnedSemaphorePermit, Problem> {
        self.room.take(bytes, || self.make_room()).await
    }

    fn make_room(&self) {
        self.scenes.clear();
        self.chats.clear();
    }

    /// Runs CPU-bound work on a blocking thread.
    pub(in crate::http) async fn apart<T: Send + 'static>(
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
    pub(in crate::http) async fn json<T: Serialize>(
        &self,
        make: impl FnOnce() -> T + Send + 'static,
    ) -> Result<Response, Problem> {
        let bytes = self.written(move || serde_json::to_vec(&make())).await?;
        Ok(([(header::CONTENT_TYPE, "application/json")], bytes).into_response())
    }
}

impl SceneText {
    /// Whether a change with these headers is for this version.
    pub(in crate::http) fn is_wanted(&self, headers: &HeaderMap) -> bool {
        is_for(headers, &self.tag)
    }

    /// The text, or 304 if `headers` say that the client has it.
    pub(in crate::http) fn respond(&self, headers: &HeaderMap) -> Response {
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
}

/// A response with a JSON object: `others`, and then members that are texts already.
pub(in crate::http) fn object_response<const N: usize>(
    others: &serde_json::Map<String, serde_json::Value>,
    members: [(&str, Bytes); N],
) -> Response {
    let pieces = object_with(others, members);
    let length = pieces.iter().map(Bytes::len).sum::<usize>().to_string();
    let headers =
        [(header::CONTENT_TYPE, "application/json".to_owned()), (header::CONTENT_LENGTH, length)];
    let pieces = pieces.into_iter().map(Ok::<_, std::convert::Infallible>);
    (headers, Body::from_stream(futures_util::stream::iter(pieces))).into_response()
}

/// A JSON object in pieces: `others`, and then members that are texts already.
pub(in crate::http) fn object_with<const N: usize>(
    others: &serde_json::Map<String, serde_json::Value>,
    members: [(&str, Bytes); N],
) -> Vec<Bytes> {
    let mut head = serde_json::to_string(others).unwrap_or_default();
    head.pop();
    let mut pieces = Vec::with_capacity(2 * N + 1);
    for (name, text) in members {
        let comma = if head.is_empty() || !others.is_empty() { "," } else { "" };
        head.push_str(&format!("{comma}\"{name}\":"));
        pieces.extend([Bytes::from(std::mem::take(&mut head)), text]);
    }
    pieces.push(Bytes::from_static(b"}"));
    pieces
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[tokio::test]
    async fn a_revision_is_written_once_and_let_go_of_with_it() {
        let texts = SceneTexts::within(1 << 20);
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
        assert_eq!(texts.scenes.len(), 1, "what nobody can ask for any more is gone");
    }

    #[tokio::test]
    async fn a_client_that_has_it_is_sent_nothing() {
        let text = SceneTexts::within(1 << 20).of(&Arc::new(Scene::default())).await.unwrap();
        let mut headers = HeaderMap::new();
        assert_eq!(text.respond(&headers).status(), StatusCode::OK);
        headers.insert(header::IF_NONE_MATCH, text.tag.parse().unwrap());
        assert_eq!(text.respond(&headers).status(), StatusCode::NOT_MODIFIED);
    }

    #[tokio::test]
    async fn a_text_within_an_object_is_json() {
        let text = SceneTexts::within(1 << 20).of(&Arc::new(Scene::default())).await.unwrap();
        for others in [json!({}), json!({ "revision": 3, "name": "}" })] {
            let members = [("chat", Bytes::from_static(b"[]")), ("scene", text.bytes.clone())];
            let body = object_response(others.as_object().unwrap(), members).into_body();
            let bytes = axum::body::to_bytes(body, usize::MAX).await.unwrap();
            let mut read: Value = serde_json::from_slice(&bytes).unwrap();
            let [chat, scene] =
                ["chat", "scene"].map(|name| read.as_object_mut().unwrap().remove(name));
            assert_eq!((chat, scene), (Some(json!([])), Some(Scene::default().to_json())));
            assert_eq!(read, others);
        }
    }
}
