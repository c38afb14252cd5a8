//! A consistent copy of a store's file, made while the store is in use.

use std::path::Path;

use sqlx::{ConnectOptions, Connection};

use crate::error::StoreError;

use super::connection::{check_version, connect_options};

/// Writes a copy of the store in the file `from` to the new file `to`: everything that was on disk when
/// this began, and nothing half-written. `from` may be in use by another process, which is not held up.
pub async fn copy_store(from: &Path, to: &Path) -> Result<(), StoreError> {
    let Some(target) = to.to_str() else {
        return Err(StoreError::Failed(format!("the path '{}' is not UTF-8", to.display())));
    };
    let mut connection = connect_options(from).connect().await?;
    check_version(&mut connection).await?;
    // One read transaction over the file and its write-ahead log.
    let copied = sqlx::query("VACUUM INTO ?").bind(target).execute(&mut connection).await;
    connection.close().await?;
    copied?;
    tokio::fs::File::open(to)
        .await
        .map_err(|error| failed(&error))?
        .sync_all()
        .await
        .map_err(|error| failed(&error))
}

fn failed(error: &std::io::Error) -> StoreError {
    StoreError::Failed(format!("the copy cannot be synced to disk: {error}"))
}

/// Checks that the store in the file `file` is whole.
pub async fn check_store(file: &Path) -> Result<(), StoreError> {
    let mut connection = connect_options(file).connect().await?;
    check_version(&mut connection).await?;
    let said: (String,) =
        sqlx::query_as("PRAGMA integrity_check(1)").fetch_one(&mut connection).await?;
    connection.close().await?;
    if said.0 == "ok" { Ok(()) } else { Err(StoreError::Corrupt(said.0)) }
}
