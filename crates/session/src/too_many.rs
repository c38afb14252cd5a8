//! How many sessions a server takes.

/// The most sessions in memory.
pub(crate) const MAX_LOADED: usize = 10_000;

/// There are too many sessions.
#[derive(Debug, thiserror::Error)]
#[error("the server has {MAX_LOADED} sessions in use and takes no more; try again later")]
pub struct TooManySessions;
