//! What a session can be asked, and the handle that asks it.

use std::sync::Arc;

use llm::Content;
use protocol::{ChatEntry, EditCall, ImageAttachment, Welcome};
use scene::{HistoryError, Revision, Scene, Violations};
use studio::{Previews, SharedScene};
use tokio::sync::{broadcast, mpsc, oneshot};

use super::log::LoggedEvent;

/// A message of the person.
#[derive(Debug, Clone, Default)]
pub(crate) struct UserMessage {
    /// What is said.
    pub(crate) text: String,
    /// Ids of the selected objects.
    pub(crate) selection: Vec<String>,
    /// Pictures for the model.
    pub(crate) images: Vec<ImageAttachment>,
}

/// A change of the scene by the person.
#[derive(Debug)]
pub(crate) enum Change {
    /// Calls of the scene's tools, all or nothing.
    Edit(Vec<EditCall>),
    /// A whole scene.
    Replace(Box<Scene>),
    /// Takes the last change back.
    Undo,
    /// Makes it again.
    Redo,
    /// Goes back to a revision.
    Restore(u64),
}

/// Why a request was refused; the session is as before.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    /// The message is empty or has a picture that cannot be used.
    #[error("{0}")]
    BadMessage(String),
    /// The edit breaks the scene's rules.
    #[error("{0}")]
    Invalid(#[from] Violations),
    /// There is nothing to go back or forward to.
    #[error("{0}")]
    History(#[from] HistoryError),
    /// There is no such model.
    #[error("there is no model '{asked}'; the models are: {known}")]
    UnknownModel {
        /// What was asked for.
        asked: String,
        /// What there is.
        known: String,
    },
    /// Too many messages wait already.
    #[error("{0} messages wait for the model already; wait until it has read them, or press Stop")]
    TooManyWaiting(usize),
    /// The session is going away.
    #[error("the session has ended")]
    Gone,
}

/// What a change of the scene led to.
#[derive(Debug, Clone)]
pub(crate) struct Changed {
    /// The revision, and whether it is a new one.
    pub(crate) revision: Revision,
    /// False when everything was so already.
    pub(crate) is_new: bool,
}

/// The state of a session.
#[derive(Debug, Clone)]
pub(crate) struct Snapshot {
    /// The scene and its revision.
    pub(crate) revision: Revision,
    /// The chat so far.
    pub(crate) chat: Vec<ChatEntry>,
    /// Whether a run is going.
    pub(crate) running: bool,
}

/// What a client gets when it attaches.
pub(crate) struct Attachment {
    /// The first message.
    pub(crate) welcome: Box<Welcome>,
    /// What it missed.
    pub(crate) missed: Vec<LoggedEvent>,
    /// What happens from now on.
    pub(crate) live: broadcast::Receiver<LoggedEvent>,
}

pub(crate) type Reply<T> = oneshot::Sender<T>;

pub(crate) enum Command {
    Attach {
        after: Option<(String, u64)>,
        reply: Reply<Attachment>,
    },
    Say {
        message: UserMessage,
        reply: Reply<Result<String, Refusal>>,
    },
    Cancel,
    Change {
        change: Change,
        reply: Reply<Result<Changed, Refusal>>,
    },
    SelectModel {
        model: String,
        reply: Reply<Result<(), Refusal>>,
    },
    Snapshot {
        reply: Reply<Snapshot>,
    },
    History {
        reply: Reply<Vec<Content>>,
    },
    Events {
        after: u64,
        reply: Reply<Option<Vec<LoggedEvent>>>,
    },
    /// Ends the session if nothing ever happened in it and nobody is attached.
    EndIfUnused,
}

/// A session as sockets and routes see it. Cheap to clone.
#[derive(Clone)]
pub(crate) struct SessionHandle {
    pub(crate) id: Arc<str>,
    /// Bounded: one who asks faster than the session answers has to wait.
    pub(crate) commands: mpsc::Sender<Command>,
    pub(crate) scene: Arc<SharedScene>,
    pub(crate) previews: Arc<Previews>,
}

impl SessionHandle {
    /// The session's id.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// The live scene, for looking only: changes go through [`SessionHandle::change`].
    pub(crate) fn scene(&self) -> &SharedScene {
        &self.scene
    }

    /// The pictures of the scene.
    pub(crate) fn previews(&self) -> &Previews {
        &self.previews
    }

    /// Attaches a client that has seen everything up to `after` = (epoch, seq).
    pub(crate) async fn attach(&self, after: Option<(String, u64)>) -> Result<Attachment, Refusal> {
        self.ask(|reply| Command::Attach { after, reply }).await
    }

    /// Says something to the model; the id of the message.
    pub(crate) async fn say(&self, message: UserMessage) -> Result<String, Refusal> {
        self.ask(|reply| Command::Say { message, reply }).await?
    }

    /// Stops the run, if one is going.
    pub(crate) async fn cancel(&self) -> Result<(), Refusal> {
        self.commands.send(Command::Cancel).await.map_err(|_| Refusal::Gone)
    }

    /// Changes the scene by the person's hand.
    pub(crate) async fn change(&self, change: Change) -> Result<Changed, Refusal> {
        self.ask(|reply| Command::Change { change, reply }).await?
    }

    /// Chooses the model of the next run.
    pub(crate) async fn select_model(&self, model: String) -> Result<(), Refusal> {
        self.ask(|reply| Command::SelectModel { model, reply }).await?
    }

    /// The state as it is.
    pub(crate) async fn snapshot(&self) -> Result<Snapshot, Refusal> {
        self.ask(|reply| Command::Snapshot { reply }).await
    }

    /// The history as it is.
    pub(crate) async fn history(&self) -> Result<Vec<Content>, Refusal> {
        self.ask(|reply| Command::History { reply }).await
    }

    /// The events after a number; `None` when they are no longer kept.
    pub(crate) async fn events(&self, after: u64) -> Result<Option<Vec<LoggedEvent>>, Refusal> {
        self.ask(|reply| Command::Events { after, reply }).await
    }

    async fn ask<T>(&self, command: impl FnOnce(Reply<T>) -> Command) -> Result<T, Refusal> {
        let (reply, answer) = oneshot::channel();
        self.commands.send(command(reply)).await.map_err(|_| Refusal::Gone)?;
        answer.await.map_err(|_| Refusal::Gone)
    }
}
