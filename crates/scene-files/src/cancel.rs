//! Cancellation of long imports and exports.

use crate::error::SceneFileFault;

/// Tells whether an import or export was cancelled.
pub type Cancelled<'a> = &'a dyn Fn() -> bool;

/// Fails once the import or export is cancelled.
pub(crate) fn check_cancelled(cancelled: Cancelled<'_>) -> Result<(), SceneFileFault> {
    if cancelled() { Err(SceneFileFault::Cancelled) } else { Ok(()) }
}
