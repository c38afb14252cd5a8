//! Where a server keeps its sessions and their files.

use std::sync::Arc;
use std::time::Duration;

use assets::{Blobs, Library, LibraryError};
use session::now_ms;
use store::{MemoryStore, PostgresStore, SqliteOptions, SqliteStore, Store};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::backup::{ASSETS, SESSIONS};
use crate::config::Storage;
use crate::start_error::StartError;

/// The interval of the garbage collection of assets.
const SWEEP_EVERY: Duration = Duration::from_secs(3_600);
/// How long an empty session is kept.
const UNUSED_FOR_MS: u64 = 24 * 3_600 * 1_000;

/// Opens the store of sessions, and deletes those of pages that were opened and left.
/// `address` is where other servers on the same database reach this one.
pub(crate) async fn open_store(
    storage: &Storage,
    address: String,
) -> Result<Arc<dyn Store>, StartError> {
    let Some(path) = storage.directory() else {
        return Ok(Arc::new(MemoryStore::default()));
    };
    let directory = path.display().to_string();
    let failed = |reason: String| StartError::Store { directory: directory.clone(), reason };
    tokio::fs::create_dir_all(path).await.map_err(|error| failed(error.to_string()))?;
    let store: Arc<dyn Store> = match storage {
        Storage::InMemory => Arc::new(MemoryStore::default()),
        Storage::InDirectory { max_bytes, .. } => {
            let options = SqliteOptions { file: path.join(SESSIONS), max_bytes: *max_bytes };
            let opened = SqliteStore::open(options).await;
            Arc::new(opened.map_err(|error| failed(error.to_string()))?)
        }
        Storage::InDatabase { url, .. } => {
            let failed = |reason| StartError::Database { url: url.clone(), reason };
            Arc::new(PostgresStore::open(url, &address).await.map_err(failed)?)
        }
    };
    // If this fails now, it is retried later.
    if let Err(error) = store.delete_unused(now_ms().saturating_sub(UNUSED_FOR_MS)).await {
        tracing::warn!(%error, "unused sessions could not be swept away");
    }
    Ok(store)
}

/// Opens the library of uploaded files, beside the sessions' file.
pub(crate) async fn open_library(
    storage: &Storage,
    store: &Arc<dyn Store>,
    most_bytes: u64,
    tracker: &TaskTracker,
) -> Result<Arc<Library>, StartError> {
    let (blobs, directory) = match storage.directory() {
        None => (Ok(Blobs::in_memory()), String::new()),
        Some(path) => {
            let path = path.join(ASSETS);
            (Blobs::in_directory(&path), path.display().to_string())
        }
    };
    let failed = |reason: LibraryError| StartError::Store { directory, reason: reason.to_string() };
    let opened =
        async { Library::open(Arc::clone(store), blobs?, most_bytes, tracker.clone()).await };
    opened.await.map(Arc::new).map_err(failed)
}

/// Collects assets that were unused for `keep_unused`. What cannot be collected now is collected another
/// time.
pub(crate) async fn sweep(library: &Library, keep_unused: Duration) {
    let unused_ms = u64::try_from(keep_unused.as_millis()).unwrap_or(u64::MAX);
    match library.sweep(now_ms().saturating_sub(unused_ms)).await {
        Ok(0) => {}
        Ok(count) => tracing::info!(count, "assets that nobody needs were collected"),
        Err(error) => tracing::warn!(%error, "assets that nobody needs could not be collected"),
    }
}

/// Collects them from time to time.
pub(crate) async fn keep_sweeping(
    library: Arc<Library>,
    keep_unused: Duration,
    cancel: CancellationToken,
) {
    while cancel.run_until_cancelled(tokio::time::sleep(SWEEP_EVERY)).await.is_some() {
        sweep(&library, keep_unused).await;
    }
}
