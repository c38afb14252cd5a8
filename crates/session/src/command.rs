//! The commands of a session, and what it answers.

use std::collections::BTreeMap;
use std::sync::Arc;

use agent::{Action, Tool, ToolNote, ToolOutput};
use goals::{Budget, Goal, GoalEdit, Verify};
use llm::{Content, Effort};
use scene::{Revision, Scene};
use serde_json::Value;
use tokio::sync::{broadcast, oneshot};

use crate::conversation::BranchSummary;
use crate::error::SessionError;
use crate::event::{ApprovalRequest, Bookmark, ChatEntry, SessionEvent, Usage};
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
    /// How the work is verified.
    pub verify: Verify,
    /// How many variants are made; 0 or 1 for one way only.
    pub variants: u32,
    /// The models that make them, one after the other; that of the session if there are none.
    pub models: Vec<String>,
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
    /// Chooses the variant with this number: its branch becomes the active one.
    Choose(u32),
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
    /// The same, if this revision is still the newest.
    ReplaceRevision(Box<Scene>, u64),
    /// Takes the last change back.
    Undo,
    /// Makes it again.
    Redo,
    /// Goes back to a revision.
    Restore(u64),
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
    pub chat: Arc<Vec<ChatEntry>>,
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
    pub chat: Arc<Vec<ChatEntry>>,
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
    /// Its bookmarks, in order.
    pub bookmarks: Vec<Bookmark>,
}

/// The events since a client was last attached.
#[derive(Debug)]
pub enum Missed {
    /// All of them; the newest ones are at hand.
    AtHand(Vec<LoggedEvent>),
    /// They are in the log: [`SessionHandle::events`](crate::SessionHandle::events) reads them page by page, up to
    /// the number of the view.
    InLog,
}

/// What a client gets when it attaches.
pub struct Attachment {
    /// The session.
    pub view: Box<SessionView>,
    /// The events since the client was last attached; `None` when it has to load the view instead,
    /// because it was never attached or missed too many.
    pub missed: Option<Missed>,
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
        /// The tool; after a colon what a long call does meanwhile.
        target: Arc<str>,
        /// What a running call does meanwhile.
        note: Option<ToolNote>,
    },
    /// The store failed to save a change.
    NotSaved {
        /// What the user reads.
        message: Arc<str>,
    },
}

/// How much of the log is read at a time. A single larger event is still read.
#[derive(Debug, Clone, Copy)]
pub struct PageSize {
    /// Events at most.
    pub events: usize,
    /// Bytes of their records.
    pub bytes: usize,
}

impl PageSize {
    /// So many events, of 32 MiB at most.
    pub const fn of_events(events: usize) -> Self {
        Self { events, bytes: 32 * 1024 * 1024 }
    }
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
    SetBookmarks {
        bookmarks: Vec<Bookmark>,
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
    SceneAt {
        revision: u64,
        reply: Reply<Result<Arc<Scene>, SessionError>>,
    },
    Difference {
        from: u64,
        to: u64,
        reply: Reply<Result<Vec<scene::Change>, SessionError>>,
    },
    /// Stops the actor if nobody has a handle and no work is in progress.
    EndIfIdle,
}
