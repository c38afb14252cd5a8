//! Errors of imports and exports.

use mesh_files::MeshFileError;
use scene::Violations;

/// An import or export that failed.
#[derive(Debug, thiserror::Error)]
pub enum SceneFileError {
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] MeshFileError),
    /// The scene that was read is invalid.
    #[error("{0}")]
    Scene(#[from] Violations),
    /// A syntax error in a text file.
    #[error("line {line}: {message}")]
    Syntax {
        /// From 1.
        line: usize,
        /// What is wrong in this line.
        message: String,
    },
    /// The file has no shapes. Holds the notes of the import.
    #[error("the file has nothing that can be shown{0}")]
    Empty(String),
    /// The file uses an unsupported feature, or the format cannot represent the scene.
    #[error("{0}")]
    Unsupported(String),
    /// An export would exceed its bounds.
    #[error("{0}")]
    TooLarge(String),
    /// The import or export was cancelled.
    #[error("the work was cancelled")]
    Cancelled,
}
