//! Errors of a store, worded for the user.

/// An error of a store. Nothing was written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// There is no such session.
    #[error("there is no session '{0}' in the store")]
    UnknownSession(String),
    /// The id or token is taken.
    #[error("'{0}' already exists")]
    Exists(String),
    /// A session may refer only to existing assets.
    #[error("asset '{0}' is not on this server; upload it again")]
    UnknownAsset(String),
    /// Another process wrote to the session.
    #[error(
        "the session was changed by another process: expected position {expected}, found {found}"
    )]
    Conflict {
        /// The position the writer expected.
        expected: u64,
        /// The newest position.
        found: u64,
    },
    /// The disk is full.
    #[error("the disk is full; free some space, then go on")]
    Full,
    /// The file is read-only.
    #[error("the store is read-only; make its file and directory writable, then go on")]
    ReadOnly,
    /// Another process has locked the file.
    #[error("the store is locked by another process; try again")]
    Locked,
    /// The file is damaged.
    #[error("the store's file is damaged ({0}); restore it from a backup")]
    Corrupt(String),
    /// Any other error.
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
        // The lower byte of SQLite's extended result code is the primary code.
        let code = database.code().and_then(|code| code.parse::<i64>().ok()).unwrap_or(0);
        match code & 0xff {
            5 | 6 => Self::Locked,
            8 => Self::ReadOnly,
            // A failed or short write is almost always a full disk or a quota.
            10 if matches!(code, 778 | 1034 | 1290 | 1546 | 4874) => {
                Self::Failed(format!("{} while writing; is the disk full?", database.message()))
            }
            11 | 26 => Self::Corrupt(database.message().to_owned()),
            13 => Self::Full,
            _ => Self::Failed(error.to_string()),
        }
    }
}
