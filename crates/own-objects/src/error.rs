//! The error of the crate.

use std::path::{Path, PathBuf};

use scene::Violations;

use crate::limits::MAX_FILE_BYTES;

/// Why an object was not kept, found or changed. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum OwnObjectError {
    /// It breaks the rules of an object.
    #[error("{0}")]
    Invalid(#[from] Violations),
    /// The text is no file of an object.
    #[error("{0}")]
    Malformed(String),
    /// The file is too large.
    #[error(
        "an object file may have at most {MAX_FILE_BYTES} bytes, and this has {0}; use smaller meshes and \
         pictures"
    )]
    TooLarge(u64),
    /// Another object of the user's own has the name.
    #[error(
        "there is an object '{0}' already; choose another name, or delete or rename that one first"
    )]
    Taken(String),
    /// A built-in object or scene has the name.
    #[error("'{0}' is the name of a built-in object; choose another, e.g. 'my {0}'")]
    BuiltInName(String),
    /// A built-in object cannot be changed.
    #[error("'{0}' is a built-in object, which cannot be changed, deleted or exported")]
    BuiltIn(String),
    /// There is no such object.
    #[error("there is no object of your own called '{name}'{known}")]
    Unknown {
        /// The name.
        name: String,
        /// What there is, as the end of a sentence.
        known: String,
    },
    /// There are too many.
    #[error("there are {0} objects of your own already, and more are not kept; delete some first")]
    TooMany(usize),
    /// They take too much room.
    #[error(
        "objects of your own may take {most} bytes, and {used} are in use; delete some that you do not need"
    )]
    NoRoom {
        /// Bytes in use.
        used: u64,
        /// The limit in bytes.
        most: u64,
    },
    /// The disk failed.
    #[error("'{}': {reason}; check the disk and the directory's permissions", path.display())]
    Disk {
        /// The file or directory.
        path: PathBuf,
        /// The error of the system.
        reason: std::io::Error,
    },
}

impl OwnObjectError {
    pub(crate) fn disk(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        |reason| Self::Disk { path: path.to_owned(), reason }
    }
}
