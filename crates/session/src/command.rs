//! The commands of a session, and the handle that sends them.

use std::collections::BTreeMap;
use std::sync::Arc;

use agent::{Access, Action, Tool, ToolOutput, Toolbox};
use assets::SessionAssets;
use goals::{Budget, Goal, GoalEdit};
use llm::{Content, Effort};
use scene::{HistoryError, Revision, Scene, Violations};
use serde_json::Value;
use store::{Store, StoreError};
use studio::{EditError, Previews, SharedScene};
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::conversation::BranchSummary;
use crate::event::{ApprovalRequest, ChatEntry, SessionEvent, Usage};
use crate::in_use::InUse;
use crate::presence::Presence;
use crate::tail::LoggedEvent;

/// The model of the next run and its settings; `None` means the provider's default.
#[derive(Debug, Clone)]
pub struct ModelChoice {
    /// Its id.
    pub model: String,
    /// Its reasoning effort.
    pub effort: Option<Effort>,
    /// Its sampling temperature.
    pub temperature: Option<f64>,
}

/// A message of the user.
#[derive(Debug, Clone, Default)]
pub struct UserMessage {
    /// What it says.
    pub text: String,
    /// Ids of the selected objects.
    pub selection: Vec<String>,
    /// Pictures for the model.
    pub images: Vec<ImageAttachment>,
    /// The earlier message that it replaces.
    pub replaces: Option<String>,
}

/// A picture for the model.
#[derive(Debug, Clone, PartialEq)]
pub struct ImageAttachment {
    /// `image/png`, `image/jpeg` or `image/webp`.
    pub mime_type: String,
    /// The file in base64.
    pub data: String,
}

/// How long an approval is valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remember {
    /// In this session.
    Session,
    /// In all sessions, until it is revoked.
    Always,
}

/// One call of an edit.
#[derive(Debug, Clone, PartialEq)]
pub struct EditCall {
    /// A tool that changes the scene.
    pub name: String,
    /// Its arguments.
    pub args: Value,
}

/// The user's answer to a call that waits for approval.
#[derive(Debug, Clone)]
pub struct Answer {
    /// Which call.
    pub call_id: String,
    /// Whether it may run.
    pub allow: bool,
    /// How long the answer is valid for the tool.
    pub remember: Option<Remember>,
}

/// A goal as the user sets it.
#[derive(Debug, Clone, Default)]
pub struct StartGoal {
    /// What the user wants; may be empty with a workflow.
    pub objective: String,
    /// What has to hold at the end.
    pub criteria: Vec<String>,
    /// The workflow to follow.
    pub workflow: Option<String>,
    /// Values of its parameters.
    pub parameters: BTreeMap<String, String>,
    /// How much it may use; the usual budget without it.
    pub budget: Option<Budget>,
    /// Whether the user may be asked.
    pub may_ask: bool,
}

/// What the user does to the goal.
#[derive(Debug, Clone)]
pub enum GoalCommand {
    /// Sets it; the one before ends. Boxed: it is by far the largest.
    Start(Box<StartGoal>),
    /// Pauses it.
    Pause,
    /// Goes on with it.
    Resume,
    /// Changes it.
    Edit(Box<GoalEdit>),
    /// Ends it.
    Cancel,
}

/// What the user does to the scene.
#[derive(Debug)]
pub enum SceneCommand {
    /// Calls of the scene's tools, all or nothing.
    Edit {
        /// The calls.
        calls: Vec<EditCall>,
        /// The revision the calls were made for. With it, an edit of something that others changed since
        /// is refused.
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

/// An error of a session; the session is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The message is empty or has a picture that cannot be used.
    #[error("{0}")]
    BadMessage(String),
    /// The edit breaks the scene's rules.
    #[error("{0}")]
    Invalid(#[from] Violations),
    /// Someone else changed the same objects.
    #[error("{0}")]
    Stale(Violations),
    /// There is nothing to undo or redo.
    #[error("{0}")]
    History(#[from] HistoryError),
    /// There is no such message.
    #[error("there is no message '{0}' in this branch of the conversation")]
    UnknownMessage(String),
    /// There is no such branch.
    #[error("there is no branch {asked}; there are {branches}, counted from 0")]
    UnknownBranch {
        /// The requested one.
        asked: usize,
        /// The number of branches.
        branches: usize,
    },
    /// The branch cannot change during a run.
    #[error("the model is still working; press Stop first, or wait until it is done")]
    Running,
    /// The change could not be saved, so nothing changed.
    #[error("the change could not be saved, so nothing changed: {0}")]
    NotSaved(StoreError),
    /// The stored session cannot be read.
    #[error("{0}")]
    Unreadable(String),
    /// There is no such model.
    #[error("there is no model '{asked}'; the models are: {known}")]
    UnknownModel {
        /// The requested one.
        asked: String,
        /// The available ones.
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
    /// Too many messages already wait for the model.
    #[error("{0} messages already wait for the model; wait until it has read them, or press Stop")]
    TooManyWaiting(usize),
    /// The goal cannot be set or changed so.
    #[error("{0}")]
    BadGoal(String),
    /// The session has no goal.
    #[error("the session has no goal; set one first")]
    NoGoal,
    /// The session is closing.
    #[error("the session has ended")]
    Gone,
}

impl SessionError {
    /// The error for a failure of the store.
    pub fn not_saved(error: &StoreError) -> Self {
        Self::NotSaved(error.clone())
    }
}

impl From<EditError> for SessionError {
    fn from(error: EditError) -> Self {
        match error {
            EditError::Invalid(violations) => Self::Invalid(violations),
            EditError::Stale(violations) => Self::Stale(violations),
        }
    }
}

/// The result of a change of the scene.
#[derive(Debug, Clone)]
pub struct Changed {
    /// The revision, and whether it is a new one.
    pub revision: Revision,
    /// False when the change changed nothing.
    pub is_new: bool,
}

/// The state of a session.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// The title of the session.
    pub name: String,
    /// The scene and its revision.
    pub revision: Revision,
    /// The chat so far.
    pub chat: Vec<ChatEntry>,
    /// Whether a run is in progress.
    pub running: bool,
}

/// The complete state of a session, as stored.
#[derive(Debug, Clone)]
pub struct SessionView {
    /// The session's id.
    pub id: Arc<str>,
    /// Its name; empty until its first message.
    pub name: String,
    /// The index of the active branch, from 0.
    pub branch: usize,
    /// The number of branches.
    pub branches: usize,
    /// The epoch of the event numbers.
    pub epoch: String,
    /// The number of the newest event that the view includes.
    pub seq: u64,
    /// The scene and its revision.
    pub revision: Revision,
    /// Whether there is something to undo.
    pub can_undo: bool,
    /// Whether there is something to redo.
    pub can_redo: bool,
    /// The chat so far.
    pub chat: Vec<ChatEntry>,
    /// Whether a run is in progress.
    pub running: bool,
    /// The model of the next run.
    pub model: String,
    /// Its reasoning effort; the provider's default when `None`.
    pub effort: Option<Effort>,
    /// Its sampling temperature; the provider's default when `None`.
    pub temperature: Option<f64>,
    /// The token usage of the session so far, in all branches.
    pub usage: Usage,
    /// Tool calls that wait for the user's approval.
    pub approvals: Vec<ApprovalRequest>,
    /// The newest goal, if one was ever set.
    pub goal: Option<Goal>,
}

/// What a client gets when it attaches.
pub struct Attachment {
    /// The session.
    pub view: Box<SessionView>,
    /// The events since the client was last attached; `None` when it has to load the view instead,
    /// because it was never attached or missed too many.
    pub missed: Option<Vec<LoggedEvent>>,
    /// The updates from now on.
    pub live: broadcast::Receiver<Update>,
}

/// A message to all attached clients.
#[derive(Debug, Clone)]
pub enum Update {
    /// An event, which is already in the store.
    Event(LoggedEvent),
    /// A short progress note about the next step of a run; the full event follows.
    Progress {
        /// The turn of the run, from 1.
        step: u32,
        /// What kind of step.
        action: Action,
        /// The tool.
        target: Arc<str>,
    },
    /// The store failed to save a change.
    NotSaved {
        /// What the user reads.
        message: Arc<str>,
    },
}

/// Some events of the log.
#[derive(Debug)]
pub struct EventPage {
    /// The events, in order.
    pub events: Vec<SessionEvent>,
    /// Whether there are more.
    pub more: bool,
}

pub(crate) type Reply<T> = oneshot::Sender<T>;

pub(crate) enum Command {
    Attach {
        after: Option<(String, u64)>,
        reply: Reply<Attachment>,
    },
    Say {
        message: UserMessage,
        reply: Reply<Result<String, SessionError>>,
    },
    Cancel,
    Approve {
        answer: Answer,
        reply: Reply<Result<(), SessionError>>,
    },
    Goal {
        command: GoalCommand,
        reply: Reply<Result<Goal, SessionError>>,
    },
    ReadGoal {
        reply: Reply<Option<Goal>>,
    },
    ChangeScene {
        command: SceneCommand,
        reply: Reply<Result<Changed, SessionError>>,
    },
    /// Calls a tool that changes the scene, for an agent that acts for the user.
    CallTool {
        tool: Arc<dyn Tool>,
        args: Value,
        reply: Reply<Result<ToolOutput, SessionError>>,
    },
    SelectModel {
        choice: ModelChoice,
        reply: Reply<Result<(), SessionError>>,
    },
    SelectBranch {
        branch: usize,
        reply: Reply<Result<(), SessionError>>,
    },
    Rename {
        name: String,
        reply: Reply<Result<(), SessionError>>,
    },
    Snapshot {
        reply: Reply<Snapshot>,
    },
    History {
        reply: Reply<Vec<Content>>,
    },
    /// Asks for one user message of any branch.
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
        reply: Reply<Result<Vec<scene::Change>, SessionError>>,
    },
    /// Stops the actor if nobody has a handle and no work is in progress.
    EndIfIdle,
}

/// A handle to a session, for sockets and routes. Cheap to clone. While one lives, the session stays in
/// memory.
#[derive(Clone)]
pub struct SessionHandle {
    pub(crate) id: Arc<str>,
    /// Bounded: a sender waits when the session is slower than its commands.
    pub(crate) commands: mpsc::Sender<Command>,
    pub(crate) scene: Arc<SharedScene>,
    /// The assets it may show.
    pub assets: Arc<SessionAssets>,
    pub(crate) previews: Arc<Previews>,
    pub(crate) presence: Arc<Presence>,
    /// The scene's tools for agents that act for the user.
    pub(crate) tools: Toolbox,
    pub(crate) store: Arc<dyn Store>,
    /// Cancelled to stop the session's actor and its clients.
    pub cancel: CancellationToken,
    /// Cancelled when the actor has stopped and everything it did is in the store.
    pub(crate) ended: CancellationToken,
    /// Keeps the session in memory; `None` in the list of sessions itself.
    #[expect(dead_code, reason = "held for its drop")]
    pub(crate) in_use: Option<InUse>,
}

impl SessionHandle {
    /// The session's id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The live scene, read-only: changes go through [`SessionHandle::change`].
    pub fn scene(&self) -> &SharedScene {
        &self.scene
    }

    /// The pictures of the scene.
    pub fn previews(&self) -> &Previews {
        &self.previews
    }

    /// Who looks at the session.
    pub fn presence(&self) -> &Arc<Presence> {
        &self.presence
    }

    /// Attaches a client that has seen everything up to `after` = (epoch, seq).
    pub async fn attach(&self, after: Option<(String, u64)>) -> Result<Attachment, SessionError> {
        self.ask(|reply| Command::Attach { after, reply }).await
    }

    /// Sends a message to the model; returns its id once it is in the store.
    pub async fn say(&self, message: UserMessage) -> Result<String, SessionError> {
        self.ask(|reply| Command::Say { message, reply }).await?
    }

    /// Stops the run, if there is one.
    pub async fn cancel(&self) -> Result<(), SessionError> {
        self.commands.send(Command::Cancel).await.map_err(|_| SessionError::Gone)
    }

    /// Approves or refuses a tool call that waits for approval.
    pub async fn approve(&self, answer: Answer) -> Result<(), SessionError> {
        self.ask(|reply| Command::Approve { answer, reply }).await?
    }

    /// Changes the scene on behalf of the user; returns once the change is in the store.
    pub async fn change(&self, command: SceneCommand) -> Result<Changed, SessionError> {
        self.ask(|reply| Command::ChangeScene { command, reply }).await?
    }

    /// The scene's tools for agents that act for the user, called by [`SessionHandle::call_tool`].
    pub fn tools(&self) -> &Toolbox {
        &self.tools
    }

    /// Calls one of [`SessionHandle::tools`] on behalf of the user. A change is in the store when this returns;
    /// it is a step of its own for undo.
    pub async fn call_tool(
        &self,
        tool: &Arc<dyn Tool>,
        args: Value,
    ) -> Result<ToolOutput, SessionError> {
        match tool.access() {
            Access::Reads => Ok(tool.call(args).await),
            Access::Changes => {
                let tool = Arc::clone(tool);
                self.ask(|reply| Command::CallTool { tool, args, reply }).await?
            }
        }
    }

    /// Sets the goal, or does something to it; returns it once the change is in the store.
    pub async fn goal_command(&self, command: GoalCommand) -> Result<Goal, SessionError> {
        self.ask(|reply| Command::Goal { command, reply }).await?
    }

    /// The newest goal of the session, as stored; `None` when none was ever set.
    pub async fn goal(&self) -> Result<Option<Goal>, SessionError> {
        self.ask(|reply| Command::ReadGoal { reply }).await
    }

    /// Chooses the model of the next run.
    pub async fn select_model(&self, choice: ModelChoice) -> Result<(), SessionError> {
        self.ask(|reply| Command::SelectModel { choice, reply }).await?
    }

    /// Switches to another branch of the conversation.
    pub async fn select_branch(&self, branch: usize) -> Result<(), SessionError> {
        self.ask(|reply| Command::SelectBranch { branch, reply }).await?
    }

    /// Renames the session.
    pub async fn rename(&self, name: String) -> Result<(), SessionError> {
        self.ask(|reply| Command::Rename { name, reply }).await?
    }

    /// The stored state.
    pub async fn snapshot(&self) -> Result<Snapshot, SessionError> {
        self.ask(|reply| Command::Snapshot { reply }).await
    }

    /// The stored history.
    pub async fn history(&self) -> Result<Vec<Content>, SessionError> {
        self.ask(|reply| Command::History { reply }).await
    }

    /// A user message of any branch; `None` when there is no such message.
    pub async fn message(&self, message_id: String) -> Result<Option<Content>, SessionError> {
        self.ask(|reply| Command::Message { message_id, reply }).await
    }

    /// The branches of the conversation.
    pub async fn branches(&self) -> Result<Vec<BranchSummary>, SessionError> {
        self.ask(|reply| Command::Branches { reply }).await
    }

    /// The differences between two revisions.
    pub async fn difference(&self, from: u64, to: u64) -> Result<Vec<scene::Change>, SessionError> {
        self.ask(|reply| Command::Difference { from, to, reply }).await?
    }

    /// At most `limit` events after number `after`; `None` when there is no event of that number.
    pub async fn events(
        &self,
        after: u64,
        limit: usize,
    ) -> Result<Option<EventPage>, SessionError> {
        /// Bytes of one answer.
        const MAX_BYTES: usize = 32 * 1024 * 1024;
        let unreadable = |error: StoreError| SessionError::Unreadable(error.to_string());
        let session = self.store.session(&self.id).await.map_err(unreadable)?;
        if session.is_none_or(|session| session.seq < after) {
            return Ok(None);
        }
        let page =
            self.store.events(&self.id, after, limit, MAX_BYTES).await.map_err(unreadable)?;
        let more = page.more;
        let read = tokio::task::spawn_blocking(move || parse_events(&page.events)).await;
        let read = read.unwrap_or_else(|panic| Err(panic.to_string()));
        let events = read.map_err(SessionError::Unreadable)?;
        Ok(Some(EventPage { events, more }))
    }

    async fn ask<T>(&self, command: impl FnOnce(Reply<T>) -> Command) -> Result<T, SessionError> {
        let (reply, answer) = oneshot::channel();
        self.commands.send(command(reply)).await.map_err(|_| SessionError::Gone)?;
        answer.await.map_err(|_| SessionError::Gone)
    }
}

/// The events of records.
pub(crate) fn parse_events(records: &[(u64, String)]) -> Result<Vec<SessionEvent>, String> {
    let parse = |(seq, text): &(u64, String)| {
        serde_json::from_str(text).map_err(|error| format!("event {seq} cannot be read: {error}"))
    };
    records.iter().map(parse).collect()
}
