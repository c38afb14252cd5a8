//! Cancellation of long imports and exports.

use crate::error::SceneFileError;

/// Tells whether an import or export was cancelled.
pub type Cancelled<'a> = &'a dyn Fn() -> bool;

/// Fails once the import or export is cancelled.
pub(crate) fn check_cancelled(cancelled: Cancelled<'_>) -> Result<(), SceneFileError> {
    if cancelled() { Err(SceneFileError::Cancelled) } else { Ok(()) }
}
