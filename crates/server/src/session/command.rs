//! What a session can be asked, and the handle that asks it.

use std::sync::Arc;

use assets::Shelf;
use llm::Content;
use protocol::{ChatEntry, EditCall, Effort, ImageAttachment, Remember, SceneChange, Welcome};
use scene::{HistoryError, Revision, Scene, Violations};
use store::{EventPage, Store, StoreError};
use studio::{EditFault, Previews, SharedScene};
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::conversation::BranchSummary;
use super::tail::LoggedEvent;

/// The model of the next run, and how it is to answer; the provider's defaults where that is `None`.
#[derive(Debug, Clone)]
pub(crate) struct ModelChoice {
    /// Its id.
    pub(crate) model: String,
    /// How hard it is to think.
    pub(crate) effort: Option<Effort>,
    /// Its sampling temperature.
    pub(crate) temperature: Option<f64>,
}

/// A message of the person.
#[derive(Debug, Clone, Default)]
pub(crate) struct UserMessage {
    /// What is said.
    pub(crate) text: String,
    /// Ids of the selected objects.
    pub(crate) selection: Vec<String>,
    /// Pictures for the model.
    pub(crate) images: Vec<ImageAttachment>,
    /// The message it is said in place of.
    pub(crate) replaces: Option<String>,
}

/// The user's answer to a call that waits for approval.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    /// Which call.
    pub(crate) call_id: String,
    /// Whether it may run.
    pub(crate) allow: bool,
    /// How long that counts for its tool.
    pub(crate) remember: Option<Remember>,
}

/// A change of the scene by the person.
#[derive(Debug)]
pub(crate) enum Change {
    /// Calls of the scene's tools, all or nothing.
    Edit {
        /// The calls.
        calls: Vec<EditCall>,
        /// The revision they were made for, when they are not to touch what others changed since.
        base_revision: Option<u64>,
    },
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
    /// Somebody else changed the same things.
    #[error("{0}")]
    Stale(Violations),
    /// There is nothing to go back or forward to.
    #[error("{0}")]
    History(#[from] HistoryError),
    /// There is no such message.
    #[error("there is no message '{0}' in this branch of the conversation")]
    UnknownMessage(String),
    /// There is no such branch.
    #[error("there is no branch {asked}; there are {branches}, counted from 0")]
    UnknownBranch {
        /// What was asked for.
        asked: usize,
        /// How many there are.
        branches: usize,
    },
    /// The conversation cannot be changed while it goes on.
    #[error("the model is still working; press Stop first, or wait until it is done")]
    Running,
    /// It could not be saved, and nothing changed.
    #[error("it could not be saved, and nothing changed: {0}")]
    NotSaved(StoreError),
    /// What is in the store cannot be read.
    #[error("{0}")]
    Unreadable(String),
    /// There is no such model.
    #[error("there is no model '{asked}'; the models are: {known}")]
    UnknownModel {
        /// What was asked for.
        asked: String,
        /// What there is.
        known: String,
    },
    /// No such call waits for the user's approval.
    #[error("no call '{0}' waits for approval: it was answered before, or its run has ended")]
    NothingToApprove(String),
    /// Approvals for all sessions are for servers of one user.
    #[error(
        "this server does not keep approvals for all sessions, since others may use it, too; \
         approve the tool for this session"
    )]
    NoStandingApprovals,
    /// The approval could not be written.
    #[error("the approval could not be saved, and the call still waits: {0}")]
    ApprovalNotSaved(String),
    /// Too many messages wait already.
    #[error("{0} messages wait for the model already; wait until it has read them, or press Stop")]
    TooManyWaiting(usize),
    /// The session is going away.
    #[error("the session has ended")]
    Gone,
}

impl Refusal {
    /// The refusal for a fault of the store.
    pub(crate) fn not_saved(error: &StoreError) -> Self {
        Self::NotSaved(error.clone())
    }
}

impl From<EditFault> for Refusal {
    fn from(fault: EditFault) -> Self {
        match fault {
            EditFault::Invalid(violations) => Self::Invalid(violations),
            EditFault::Stale(violations) => Self::Stale(violations),
        }
    }
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
    /// What people call the session.
    pub(crate) name: String,
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
        access: protocol::Access,
        reply: Reply<Attachment>,
    },
    Say {
        message: UserMessage,
        reply: Reply<Result<String, Refusal>>,
    },
    Cancel,
    Approve {
        answer: Answer,
        reply: Reply<Result<(), Refusal>>,
    },
    Change {
        change: Change,
        reply: Reply<Result<Changed, Refusal>>,
    },
    SelectModel {
        choice: ModelChoice,
        reply: Reply<Result<(), Refusal>>,
    },
    SelectBranch {
        branch: usize,
        reply: Reply<Result<(), Refusal>>,
    },
    Rename {
        name: String,
        reply: Reply<Result<(), Refusal>>,
    },
    Snapshot {
        reply: Reply<Snapshot>,
    },
    History {
        reply: Reply<Vec<Content>>,
    },
    /// One message of the person, in any branch.
    Message {
        message_id: String,
        reply: Reply<Option<Content>>,
    },
    Branches {
        reply: Reply<Vec<BranchSummary>>,
    },
    Difference {
        from: u64,
        to: u64,
        reply: Reply<Result<Vec<SceneChange>, Refusal>>,
    },
    /// Ends the actor if nobody is attached and nothing is under way.
    EndIfIdle,
}

/// A session as sockets and routes see it. Cheap to clone.
#[derive(Clone)]
pub(crate) struct SessionHandle {
    pub(crate) id: Arc<str>,
    /// Bounded: one who asks faster than the session answers has to wait.
    pub(crate) commands: mpsc::Sender<Command>,
    pub(crate) scene: Arc<SharedScene>,
    /// The meshes it may show.
    pub(crate) assets: Arc<Shelf>,
    pub(crate) previews: Arc<Previews>,
    pub(crate) store: Arc<dyn Store>,
    /// Turned to end the session's actor and its clients.
    pub(crate) cancel: CancellationToken,
    /// Turns when the actor has ended and all it did is in the store.
    pub(crate) ended: CancellationToken,
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
    pub(crate) async fn attach(
        &self,
        after: Option<(String, u64)>,
        access: protocol::Access,
    ) -> Result<Attachment, Refusal> {
        self.ask(|reply| Command::Attach { after, access, reply }).await
    }

    /// Says something to the model; the id of the message, once it is in the store.
    pub(crate) async fn say(&self, message: UserMessage) -> Result<String, Refusal> {
        self.ask(|reply| Command::Say { message, reply }).await?
    }

    /// Stops the run, if one is going.
    pub(crate) async fn cancel(&self) -> Result<(), Refusal> {
        self.commands.send(Command::Cancel).await.map_err(|_| Refusal::Gone)
    }

    /// Allows a tool call that waits for it, or refuses it.
    pub(crate) async fn approve(&self, answer: Answer) -> Result<(), Refusal> {
        self.ask(|reply| Command::Approve { answer, reply }).await?
    }

    /// Changes the scene by the person's hand; returns when the change is in the store.
    pub(crate) async fn change(&self, change: Change) -> Result<Changed, Refusal> {
        self.ask(|reply| Command::Change { change, reply }).await?
    }

    /// Chooses the model of the next run.
    pub(crate) async fn select_model(&self, choice: ModelChoice) -> Result<(), Refusal> {
        self.ask(|reply| Command::SelectModel { choice, reply }).await?
    }

    /// Goes on in another branch of the conversation.
    pub(crate) async fn select_branch(&self, branch: usize) -> Result<(), Refusal> {
        self.ask(|reply| Command::SelectBranch { branch, reply }).await?
    }

    /// Gives the session a name.
    pub(crate) async fn rename(&self, name: String) -> Result<(), Refusal> {
        self.ask(|reply| Command::Rename { name, reply }).await?
    }

    /// The state as it is in the store.
    pub(crate) async fn snapshot(&self) -> Result<Snapshot, Refusal> {
        self.ask(|reply| Command::Snapshot { reply }).await
    }

    /// The history as it is in the store.
    pub(crate) async fn history(&self) -> Result<Vec<Content>, Refusal> {
        self.ask(|reply| Command::History { reply }).await
    }

    /// What the person said in a message of any branch; `None` when there is no such message.
    pub(crate) async fn message(&self, message_id: String) -> Result<Option<Content>, Refusal> {
        self.ask(|reply| Command::Message { message_id, reply }).await
    }

    /// The branches of the conversation.
    pub(crate) async fn branches(&self) -> Result<Vec<BranchSummary>, Refusal> {
        self.ask(|reply| Command::Branches { reply }).await
    }

    /// What differs between two revisions.
    pub(crate) async fn difference(&self, from: u64, to: u64) -> Result<Vec<SceneChange>, Refusal> {
        self.ask(|reply| Command::Difference { from, to, reply }).await?
    }

    /// The events after a number, at most `limit`; `None` when there is no event of that number.
    pub(crate) async fn events(
        &self,
        after: u64,
        limit: usize,
    ) -> Result<Option<EventPage>, Refusal> {
        /// Bytes of one answer.
        const MAX_BYTES: usize = 32 * 1024 * 1024;
        let unreadable = |error: StoreError| Refusal::Unreadable(error.to_string());
        let session = self.store.session(&self.id).await.map_err(unreadable)?;
        if session.is_none_or(|session| session.seq < after) {
            return Ok(None);
        }
        let page = self.store.events(&self.id, after, limit, MAX_BYTES).await;
        page.map(Some).map_err(unreadable)
    }

    async fn ask<T>(&self, command: impl FnOnce(Reply<T>) -> Command) -> Result<T, Refusal> {
        let (reply, answer) = oneshot::channel();
        self.commands.send(command(reply)).await.map_err(|_| Refusal::Gone)?;
        answer.await.map_err(|_| Refusal::Gone)
    }
}
