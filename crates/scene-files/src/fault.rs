//! Why a file did not become a scene, or a scene a file.

use mesh_files::FileFault;
use scene::Violations;

/// Why a file did not become a scene, or a scene a file.
#[derive(Debug, thiserror::Error)]
pub enum SceneFileFault {
    /// The file, or one it names, cannot be read.
    #[error(transparent)]
    File(#[from] FileFault),
    /// It was read, and means what a scene cannot hold.
    #[error("{0}")]
    Scene(#[from] Violations),
    /// The text breaks the rules of its format.
    #[error("line {line}: {fault}")]
    Syntax {
        /// From 1.
        line: usize,
        /// What is wrong there.
        fault: String,
    },
    /// There is nothing in it that could be shown.
    #[error("the file has nothing that can be shown{0}")]
    Empty(String),
    /// The format cannot hold it.
    #[error("{0}")]
    Unsupported(String),
    /// It is more than is written.
    #[error("{0}")]
    TooLarge(String),
    /// Nobody waits for it any more.
    #[error("the work was cancelled")]
    Cancelled,
}
