//! Why a store could not do what was asked, in words for the user who waits.

/// The fault of a store. Nothing of what was to be written is there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// There is no such session.
    #[error("there is no session '{0}' in the store")]
    UnknownSession(String),
    /// The id or token is taken.
    #[error("'{0}' exists already")]
    Exists(String),
    /// A session may only refer to what was uploaded and is still kept.
    #[error("asset '{0}' is not kept here; upload it again")]
    UnknownAsset(String),
    /// Somebody else wrote to the session.
    #[error(
        "the session was changed by another process: expected position {expected}, found {found}"
    )]
    Conflict {
        /// What the writer knew of.
        expected: u64,
        /// What there is.
        found: u64,
    },
    /// No room is left.
    #[error("the disk is full; free some space, then go on")]
    Full,
    /// The file may not be written.
    #[error("the store is read-only; make its file and directory writable, then go on")]
    ReadOnly,
    /// Another process holds the file.
    #[error("the store is locked by another process; try again")]
    Locked,
    /// The file is broken.
    #[error("the store's file is damaged ({0}); restore it from a backup")]
    Corrupt(String),
    /// Anything else.
    #[error("the store failed: {0}")]
    Failed(String),
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        let sqlx::Error::Database(database) = &error else {
            return match error {
                sqlx::Error::PoolTimedOut => Self::Locked,
                other => Self::Failed(other.to_string()),
            };
        };
        // The lower byte of SQLite's extended result codes is the kind of fault.
        let code = database.code().and_then(|code| code.parse::<i64>().ok()).unwrap_or(0);
        match code & 0xff {
            5 | 6 => Self::Locked,
            8 => Self::ReadOnly,
            // A write that fails or comes short is a full disk or a quota far more often than not.
            10 if matches!(code, 778 | 1034 | 1290 | 1546 | 4874) => {
                Self::Failed(format!("{} while writing; is the disk full?", database.message()))
            }
            11 | 26 => Self::Corrupt(database.message().to_owned()),
            13 => Self::Full,
            _ => Self::Failed(error.to_string()),
        }
    }
}
