//! Why a session does not do what it is asked.

use scene::{HistoryError, Violations};
use store::StoreError;

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
