//! Sessions: a conversation and a scene, stored as a log, and the events that clients get.
//!
//! Each session in use is an actor. It handles commands, writes entries to the log, and sends clients
//! only what is in the store. It knows no wire protocol: it emits [`SessionEvent`]s, which the server
//! translates.

mod actor;
mod chat;
mod command;
mod conversation;
mod convert;
mod entry;
mod error;
mod event;
mod goal;
mod handle;
mod host;
mod ids;
mod in_use;
mod interrupted;
mod loaded;
mod memory;
mod pending;
mod presence;
mod sessions;
mod standing_approvals;
mod state;
mod tail;
mod too_many;
mod transfer;
mod weight;

pub use actor::{Environment, MAX_IMAGES, TurnLimits};
pub use command::{
    Answer, Attachment, Changed, EditCall, EventPage, GoalCommand, ImageAttachment, Missed,
    ModelChoice, PageSize, Remember, SceneCommand, SessionView, Snapshot, StartGoal, Update,
    UserMessage,
};
pub use conversation::BranchSummary;
pub use entry::Unreadable;
pub use error::SessionError;
pub use event::{
    ApprovalRequest, Bookmark, ChatEntry, HistoryStep, ImageInfo, RunEnd, SessionEvent,
    ToolResponse, Usage,
};
pub use goal::built_in_workflows;
pub use goals::{Budget, Goal, GoalChange, GoalEdit, GoalStatus, Verify};
pub use handle::SessionHandle;
pub use host::{ClientShare, Models, RunHost, SharedClient};
pub use ids::{now_ms, random_id};
pub use memory::SearchMemory;
pub use presence::{People, Person, Presence, Present};
pub use sessions::{Permission, Sessions};
pub use standing_approvals::StandingApprovals;
pub use state::OpenError;
pub use tail::LoggedEvent;
pub use too_many::TooManySessions;
pub use transfer::{FileSize, ImportError, ImportedSession, export_lines, exported_size};
