//! Sessions: one actor each, found by id.

mod actor;
mod command;
mod log;
mod wire;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use agent::Inbox;
use protocol::Limits;
use scene::SceneManager;
use studio::{Previews, Renderer, SharedScene, toolbox};
use tokio::sync::{broadcast, mpsc};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::models::Models;

use self::actor::Actor;
use self::command::Command;
use self::log::EventLog;

pub(crate) use self::command::{Attachment, Change, Changed, Refusal, SessionHandle, UserMessage};
pub(crate) use self::log::LoggedEvent;

/// Commands on their way to a session: a handful for each client.
const COMMANDS: usize = 64;
/// Events a client may lag behind before it has to read the log again.
const LIVE_EVENTS: usize = 256;
/// The most sessions in memory.
const MAX_SESSIONS: usize = 10_000;

/// All sessions of the server.
pub(crate) struct Sessions {
    /// Held only to look up and insert.
    sessions: Mutex<HashMap<Arc<str>, SessionHandle>>,
    models: Arc<Models>,
    renderer: Renderer,
    limits: Limits,
    tracker: TaskTracker,
    cancel: CancellationToken,
}

/// There are too many sessions.
#[derive(Debug, thiserror::Error)]
#[error("the server holds {MAX_SESSIONS} sessions already and takes no more; try again later")]
pub(crate) struct TooManySessions;

impl Sessions {
    /// No sessions yet. Their tasks belong to `tracker` and end with `cancel`.
    pub(crate) fn new(
        models: Arc<Models>,
        renderer: Renderer,
        limits: Limits,
        tracker: TaskTracker,
        cancel: CancellationToken,
    ) -> Self {
        Self { sessions: Mutex::default(), models, renderer, limits, tracker, cancel }
    }

    /// The session `id`.
    pub(crate) fn get(&self, id: &str) -> Option<SessionHandle> {
        let sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.get(id).filter(|session| !session.commands.is_closed()).cloned()
    }

    /// Starts a session with an empty scene.
    pub(crate) fn create(&self) -> Result<SessionHandle, TooManySessions> {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        if sessions.len() >= MAX_SESSIONS {
            sessions.retain(|_, session| !session.commands.is_closed());
            // Sessions that were made and never used make room for the next who asks.
            for session in sessions.values() {
                // A full queue means that the session is in use.
                let _ = session.commands.try_send(Command::EndIfUnused);
            }
        }
        if sessions.len() >= MAX_SESSIONS {
            return Err(TooManySessions);
        }
        // 128 random bits: ids cannot be guessed.
        let random = || format!("{:032x}", rand::random::<u128>());
        let id: Arc<str> = random().into();
        let scene = Arc::new(SharedScene::new(SceneManager::default()));
        let cancel = self.cancel.child_token();
        let (commands, received) = mpsc::channel(COMMANDS);
        let actor = Actor {
            id: Arc::clone(&id),
            commands: received,
            live: broadcast::Sender::new(LIVE_EVENTS),
            log: EventLog::new(random()),
            history: Vec::new(),
            scene: Arc::clone(&scene),
            tools: toolbox(&scene, &self.renderer),
            models: Arc::clone(&self.models),
            model: self.models.default_id().to_owned(),
            opened: HashMap::new(),
            limits: self.limits.clone(),
            inbox: Inbox::default(),
            running: None,
            messages: 0,
            cancel: cancel.clone(),
            tracker: self.tracker.clone(),
        };
        self.tracker.spawn(actor.serve());
        let previews =
            Previews::new(Arc::clone(&scene), self.renderer.clone(), self.tracker.clone(), cancel);
        let handle =
            SessionHandle { id: Arc::clone(&id), commands, scene, previews: Arc::new(previews) };
        sessions.insert(id, handle.clone());
        Ok(handle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ModelsConfig;

    #[tokio::test]
    async fn unused_sessions_make_room_and_used_ones_stay() {
        let models = Arc::new(Models::new(ModelsConfig::default()).unwrap());
        let limits = Limits {
            max_turns: 10,
            max_message_bytes: 0,
            max_image_side: 0,
            max_samples: 0,
            max_shapes: 0,
            max_lights: 0,
        };
        let tracker = TaskTracker::new();
        let sessions = Sessions::new(
            models,
            Renderer::new(1).unwrap(),
            limits,
            tracker.clone(),
            CancellationToken::new(),
        );
        let attached = sessions.create().unwrap();
        let _client = attached.attach(None).await.unwrap();
        let used = sessions.create().unwrap();
        used.select_model("offline".into()).await.unwrap();
        for _ in 2..MAX_SESSIONS {
            sessions.create().unwrap();
        }
        assert!(sessions.create().is_err());
        // The unused ones have ended when only the two others still run.
        while tracker.len() > 2 {
            tokio::task::yield_now().await;
        }
        sessions.create().unwrap();
        assert!(sessions.get(attached.id()).is_some());
        assert!(sessions.get(used.id()).is_some());
    }
}
