//! Errors of a store, worded for the user.

use sqlx::error::DatabaseError;
use sqlx::postgres::PgDatabaseError;

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
    /// The session has another owner now.
    #[error("session '{0}' was taken over by another server; open it again")]
    Fenced(String),
    /// Another server owns the session.
    #[error(
        "the session is open on another server ({address}); use that one, or try again when it is closed there"
    )]
    Elsewhere {
        /// The present life of that server, for [`Store::state_of`](crate::Store::state_of).
        node: String,
        /// Where other servers reach it.
        address: String,
    },
    /// The disk is full.
    #[error("the disk is full; free some space, then go on")]
    Full,
    /// The disk of the database is full.
    #[error("the disk of the database is full; free some space there, then go on")]
    DatabaseFull,
    /// The file is read-only.
    #[error("the store is read-only; make its file and directory writable, then go on")]
    ReadOnly,
    /// Another process has locked the file.
    #[error("the store is locked by another process; try again")]
    Locked,
    /// The database does not answer.
    #[error("the database cannot be reached ({0}); start it, or wait until it runs again")]
    Unreachable(String),
    /// The file is damaged.
    #[error("the store's file is damaged ({0}); restore it from a backup")]
    Corrupt(String),
    /// Any other error.
    #[error("the store failed: {0}")]
    Failed(String),
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        match &error {
            sqlx::Error::Database(database) => {
                match database.try_downcast_ref::<PgDatabaseError>() {
                    Some(database) => of_postgres(database),
                    None => of_sqlite(&error, &**database),
                }
            }
            sqlx::Error::PoolTimedOut => Self::Locked,
            sqlx::Error::Io(_) | sqlx::Error::Tls(_) | sqlx::Error::Protocol(_) => {
                Self::Unreachable(error.to_string())
            }
            _ => Self::Failed(error.to_string()),
        }
    }
}

fn of_sqlite(error: &sqlx::Error, database: &dyn DatabaseError) -> StoreError {
    // The lower byte of SQLite's extended result code is the primary code.
    let code = database.code().and_then(|code| code.parse::<i64>().ok()).unwrap_or(0);
    match code & 0xff {
        5 | 6 => StoreError::Locked,
        8 => StoreError::ReadOnly,
        // A failed or short write is almost always a full disk or a quota.
        10 if matches!(code, 778 | 1034 | 1290 | 1546 | 4874) => {
            let message = database.message();
            StoreError::Failed(format!("{message} while writing; is the disk full?"))
        }
        11 | 26 => StoreError::Corrupt(database.message().to_owned()),
        13 => StoreError::Full,
        _ => StoreError::Failed(error.to_string()),
    }
}

fn of_postgres(error: &PgDatabaseError) -> StoreError {
    let message = error.message();
    let failed = |fix: &str| StoreError::Failed(format!("{message}; {fix}"));
    match error.code() {
        // Deadlocks, and locks that were waited for too long.
        "40001" | "40P01" | "55P03" => StoreError::Locked,
        "53100" => StoreError::DatabaseFull,
        "XX001" | "XX002" => StoreError::Corrupt(message.to_owned()),
        // It starts, stops, ended this connection, or has no room for one more.
        "53300" | "57P01" | "57P02" | "57P03" | "57P05" | "25P03" => {
            StoreError::Unreachable(message.to_owned())
        }
        code if code.starts_with("08") => StoreError::Unreachable(message.to_owned()),
        "25006" => failed("name the primary, or make the database writable"),
        "28000" | "28P01" => failed("give the user and the password of the database"),
        "3D000" => failed("make it with createdb"),
        "42501" => failed("make the user of the server the owner of the database"),
        _ => StoreError::Failed(message.to_owned()),
    }
}
