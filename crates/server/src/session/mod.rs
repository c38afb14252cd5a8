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
use self::log::EventLog;

pub(crate) use self::command::{Attachment, Change, Refusal, SessionHandle, UserMessage};
pub(crate) use self::log::LoggedEvent;

/// Commands on their way to a session: a handful for each client.
const COMMANDS: usize = 64;
/// Events a client may lag behind before it has to read the log again.
const LIVE_EVENTS: usize = 1024;
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
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
    }

    /// Starts a session with an empty scene.
    pub(crate) fn create(&self) -> Result<SessionHandle, TooManySessions> {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
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
