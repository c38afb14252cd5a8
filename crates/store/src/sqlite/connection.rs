//! Options of the connection to the database file.

use std::path::Path;
use std::time::Duration;

use sqlx::ConnectOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};

use crate::error::StoreError;

pub(super) fn connect_options(file: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(file)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(BUSY_TIMEOUT)
        // The statement journal stays in memory.
        .pragma("temp_store", "MEMORY")
        .pragma("wal_autocheckpoint", CHECKPOINT_PAGES)
        .disable_statement_logging()
}

pub(super) async fn check_version(
    connection: &mut sqlx::SqliteConnection,
) -> Result<(), StoreError> {
    let (text,): (String,) =
        sqlx::query_as("SELECT sqlite_version()").fetch_one(connection).await?;
    let mut numbers = text.split('.').map(|number| number.parse().unwrap_or(0));
    let mut next = || numbers.next().unwrap_or(0);
    if (next(), next(), next()) < OLDEST_SQLITE {
        let (major, minor, patch) = OLDEST_SQLITE;
        return Err(StoreError::Failed(format!(
            "SQLite {text} can corrupt WAL files; {major}.{minor}.{patch} or newer is needed"
        )));
    }
    Ok(())
}

pub(super) async fn limit_size(
    connection: &mut sqlx::SqliteConnection,
    max_bytes: u64,
) -> Result<(), StoreError> {
    let (page,): (i64,) = sqlx::query_as("PRAGMA page_size").fetch_one(&mut *connection).await?;
    let pages = max_bytes / u64::try_from(page.max(1)).unwrap_or(1);
    let pragma = format!("PRAGMA max_page_count = {pages}");
    sqlx::query(sqlx::AssertSqlSafe(pragma)).execute(connection).await?;
    Ok(())
}

/// WAL mode had a data race that could corrupt the file before this version.
const OLDEST_SQLITE: (u32, u32, u32) = (3, 51, 3);

/// How long to wait for a lock of another process.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Pages of the WAL (4 KiB each) after which it is checkpointed. A session's newest page is written to
/// the WAL with each commit, but to the file only once per checkpoint.
const CHECKPOINT_PAGES: &str = "4000";
