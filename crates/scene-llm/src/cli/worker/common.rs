//! What all lines of a worker share.

use std::sync::Arc;

use studio::TaskRenderer;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

/// What all lines of a worker share.
#[derive(Clone)]
pub(super) struct Common {
    pub(super) renderer: TaskRenderer,
    pub(super) fingerprint: String,
    /// A permit for each task that is rendered.
    pub(super) running: Arc<Semaphore>,
    /// Cancelled when the worker is to end.
    pub(super) cancel: CancellationToken,
}
