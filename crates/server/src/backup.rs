//! Copies of a data directory: backups of one that may be in use, and their restoration.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use assets::AssetHash;
use store::{SqliteOptions, SqliteStore, Store, StoreError, check_store, copy_store};

/// The file of the sessions.
pub(crate) const SESSIONS: &str = "sessions.sqlite";
/// The directory of uploaded files.
pub(crate) const ASSETS: &str = "assets";
/// Other files of a server, which are replaced whole when they change.
const OWN_FILES: [&str; 3] = ["approvals.json", "keys.json", "mcp-session"];
/// Directories of such files: objects and workflows of the user's own, goals that go on after a restart.
const OWN_DIRECTORIES: [&str; 3] = ["objects", "workflows", "working-goals"];

/// What a copy holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopyReport {
    /// Uploaded files.
    pub assets: usize,
    /// Those of them that are named by sessions and missing or damaged, in the directory that was copied as
    /// well.
    pub damaged: Vec<String>,
}

/// Why there is no copy. Nothing was left of it.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// There are no sessions to copy.
    #[error("there are no sessions in '{}': it has no {SESSIONS}", .0.display())]
    NoSessions(PathBuf),
    /// Something is where the copy is to be.
    #[error("'{}' exists: name a new directory, or move that one away", .0.display())]
    Exists(PathBuf),
    /// The store.
    #[error("the sessions in '{}' cannot be copied: {reason}", path.display())]
    Store {
        /// Where.
        path: PathBuf,
        /// Why.
        reason: StoreError,
    },
    /// A file.
    #[error("'{}' cannot be copied: {reason}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        reason: io::Error,
    },
}

/// Copies the data directory `data`, which a server may be using, to the new directory `to`. Every change
/// that was acknowledged before is in the copy.
pub async fn back_up(data: &Path, to: &Path) -> Result<CopyReport, BackupError> {
    copied(data, to, Source::InUse).await
}

/// Makes the new data directory `data` of a backup, after checking it.
pub async fn restore(backup: &Path, data: &Path) -> Result<CopyReport, BackupError> {
    copied(backup, data, Source::AtRest).await
}

/// What is copied.
#[derive(Clone, Copy)]
enum Source {
    /// A server may be using it.
    InUse,
    /// Nobody changes it, and it may be on a medium that cannot be written.
    AtRest,
}

async fn copied(from: &Path, to: &Path, source: Source) -> Result<CopyReport, BackupError> {
    if !from.join(SESSIONS).is_file() {
        return Err(BackupError::NoSessions(from.to_owned()));
    }
    if is_taken(to) {
        return Err(BackupError::Exists(to.to_owned()));
    }
    let mut unfinished = to.as_os_str().to_owned();
    unfinished.push(".unfinished");
    let unfinished = PathBuf::from(unfinished);
    let made = fill(from, &unfinished, source).await;
    let finished = made.and_then(|report| {
        // An empty directory gives way.
        let _ = std::fs::remove_dir(to);
        std::fs::rename(&unfinished, to).and_then(|()| sync_parent(to)).map_err(file(to))?;
        Ok(report)
    });
    if finished.is_err() {
        // What is left is told apart by its name.
        let _ = std::fs::remove_dir_all(&unfinished);
    }
    finished
}

fn is_taken(path: &Path) -> bool {
    match std::fs::read_dir(path) {
        Ok(mut entries) => entries.next().is_some(),
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    }
}

/// Copies everything. Files of assets are copied before and after the sessions: one that the sessions name
/// was there at one of the two times, whatever is uploaded or collected meanwhile.
async fn fill(from: &Path, to: &Path, source: Source) -> Result<CopyReport, BackupError> {
    let _ = std::fs::remove_dir_all(to);
    let assets = to.join(ASSETS);
    std::fs::create_dir_all(&assets).map_err(file(to))?;
    copy_assets(from, to).await?;
    let sessions = to.join(SESSIONS);
    let stored = |reason| BackupError::Store { path: from.to_owned(), reason };
    match source {
        Source::InUse => copy_store(&from.join(SESSIONS), &sessions).await.map_err(stored)?,
        Source::AtRest => {
            for name in [SESSIONS, "sessions.sqlite-wal"] {
                copy_file(&from.join(name), &to.join(name)).map_err(file(&from.join(name)))?;
            }
        }
    }
    copy_assets(from, to).await?;
    check_store(&sessions).await.map_err(stored)?;
    // Refuses what a newer version wrote.
    let store = SqliteStore::open(SqliteOptions { file: sessions, max_bytes: None }).await;
    let store = store.map_err(stored)?;
    let named = store.assets(None).await;
    store.close().await;
    let named = named.map_err(stored)?;
    for name in OWN_FILES {
        copy_file(&from.join(name), &to.join(name)).map_err(file(&from.join(name)))?;
    }
    for name in OWN_DIRECTORIES {
        copy_directory(&from.join(name), &to.join(name)).map_err(file(&from.join(name)))?;
    }
    let names: Vec<String> = named.into_iter().map(|asset| asset.hash).collect();
    let damaged = blocking(move || damaged(&assets, &names)).await;
    let (assets, damaged) = damaged.map_err(file(to))?;
    Ok(CopyReport { assets, damaged })
}

/// Copies the files of assets that are not in the copy yet.
async fn copy_assets(from: &Path, to: &Path) -> Result<(), BackupError> {
    let (from, to) = (from.join(ASSETS), to.join(ASSETS));
    let place = from.clone();
    let copied = blocking(move || {
        for path in asset_files(&from)? {
            let Ok(inner) = path.strip_prefix(&from) else { continue };
            let target = to.join(inner);
            if target.exists() {
                continue;
            }
            if let Some(folder) = target.parent() {
                std::fs::create_dir_all(folder)?;
            }
            copy_file(&path, &target)?;
        }
        Ok(())
    });
    copied.await.map_err(file(&place))
}

/// The finished files of assets below `directory`.
fn asset_files(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![directory.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = match std::fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if hash_of(&path).is_some() {
                files.push(path);
            }
        }
    }
    Ok(files)
}

/// The hash that a file of an asset is named by.
fn hash_of(path: &Path) -> Option<AssetHash> {
    AssetHash::parse(path.file_name()?.to_str()?)
}

/// The number of files of assets, and the hashes of `names` that are missing or damaged.
fn damaged(directory: &Path, names: &[String]) -> io::Result<(usize, Vec<String>)> {
    let files = asset_files(directory)?;
    let mut damaged = Vec::new();
    for name in names {
        let path = files.iter().find(|path| path.file_name().is_some_and(|it| it == name.as_str()));
        let is_whole = match path {
            Some(path) => Some(AssetHash::of(&std::fs::read(path)?)) == hash_of(path),
            None => false,
        };
        if !is_whole {
            damaged.push(name.clone());
        }
    }
    Ok((files.len(), damaged))
}

/// Copies a file with its mode, to disk; one that is gone is no error.
fn copy_file(from: &Path, to: &Path) -> io::Result<()> {
    match std::fs::copy(from, to) {
        Ok(_) => File::open(to)?.sync_all(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// Copies the files of a directory but those that are being written, whose names begin with a dot; one that is
/// not there is no error.
fn copy_directory(from: &Path, to: &Path) -> io::Result<()> {
    let entries = match std::fs::read_dir(from) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    std::fs::create_dir_all(to)?;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        if entry.file_type()?.is_file() && !name.as_encoded_bytes().starts_with(b".") {
            copy_file(&entry.path(), &to.join(name))?;
        }
    }
    Ok(())
}

/// Puts the entry of a directory on disk.
fn sync_parent(path: &Path) -> io::Result<()> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    #[cfg(unix)]
    File::open(parent.unwrap_or(Path::new(".")))?.sync_all()?;
    Ok(())
}

fn file(path: &Path) -> impl FnOnce(io::Error) -> BackupError {
    let path = path.to_owned();
    move |reason| BackupError::File { path, reason }
}

/// Runs work on the disk where it holds up nobody.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(io::Error::other(error)))
}
