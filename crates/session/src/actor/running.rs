//! The run that is going.

use agent::{Event, Outcome, RunOptions, Toolbox};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::event::ApprovalRequest;

/// The run that is going.
pub(super) struct Running {
    /// The number of the event before it, which names it in the log lines of its session.
    pub(super) number: u64,
    pub(super) events: mpsc::Receiver<Event>,
    pub(super) outcome: JoinHandle<Outcome>,
    pub(super) cancel: CancellationToken,
    /// Cancels it at the latest when nobody follows it any more.
    pub(super) _cancelled: DropGuard,
    /// How many of its calls have begun and not ended.
    pub(super) calls: usize,
    pub(super) options: RunOptions,
    /// The tools of the model, fixed for the whole run.
    pub(super) tools: Toolbox,
    /// The id of the model that answers.
    pub(super) model: String,
    /// Tokens of its last request and answer.
    pub(super) context_tokens: Option<u64>,
    /// Calls that wait for the approval of the user.
    pub(super) asked: Vec<ApprovalRequest>,
}

/// The next event of the run; `None` when it has ended; pending forever when there is no run.
pub(super) async fn next_event(running: &mut Option<Running>) -> Option<Event> {
    match running {
        Some(running) => running.events.recv().await,
        None => std::future::pending().await,
    }
}
