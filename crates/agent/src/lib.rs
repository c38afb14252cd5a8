//! The agent loop: tools, waves, limits, cancellation, events. It knows nothing of 3D scenes and opens
//! no socket.

mod approvals;
mod compaction;
mod context;
mod event;
mod guard;
mod inbox;
mod options;
mod outcome;
mod preferences;
mod prompt;
mod run;
mod tool;
pub mod untrusted;
mod wave;

pub use approvals::{Approvals, StandingApproval};
pub use compaction::Compaction;
pub use context::ContextSource;
pub use event::{Action, Event, ToolNote};
pub use inbox::{Inbox, Message};
pub use options::{LimitWords, LoopGuard, RunOptions, in_share};
pub use outcome::{Outcome, Reason};
pub use run::{DEFAULT_MAX_TURNS, Run, run};
pub use tool::{Access, Notes, Tool, ToolIdentity, ToolOutput, Toolbox};
