//! What reading and writing are given from outside.

use mesh_files::FileFault;

use crate::fault::SceneFileFault;

/// Gets a file that a file names, by its path relative to it.
pub type Beside<'a> = &'a mut dyn FnMut(&str) -> Result<Vec<u8>, FileFault>;

/// Whether nobody waits for the result of some work any more.
pub type Cancelled<'a> = &'a dyn Fn() -> bool;

/// Ends the work when nobody waits for it any more.
pub(crate) fn go_on(cancelled: Cancelled<'_>) -> Result<(), SceneFileFault> {
    if cancelled() { Err(SceneFileFault::Cancelled) } else { Ok(()) }
}
