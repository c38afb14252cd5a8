//! Contents of assets, in an object store.

use std::error::Error;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, TryStreamExt};
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::{ObjectStore, ObjectStoreExt, PutPayload};

use sha2::{Digest, Sha256};

use crate::hash::AssetHash;

/// The longest time a write may take: an older temporary file was left by a crash.
const WRITING: Duration = Duration::from_secs(3_600);

/// The object store of asset contents.
#[derive(Debug, Clone)]
pub struct Blobs {
    store: Arc<dyn ObjectStore>,
    /// Where they are on disk.
    directory: Option<PathBuf>,
}

/// An error of reading or writing contents. No file is half-written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BlobError {
    /// The content is missing.
    #[error("the content of asset '{0}' is gone; upload it again")]
    Missing(AssetHash),
    /// The content does not match its hash.
    #[error("the content of asset '{0}' is damaged; upload it again")]
    Damaged(AssetHash),
    /// The disk is full.
    #[error("the disk is full; free some space, then go on")]
    Full,
    /// The directory is read-only.
    #[error("the directory of assets is read-only; make it writable, then go on")]
    ReadOnly,
    /// The directory was there at the start.
    #[error("the directory of assets is gone; bring it back (is it mounted?), then go on")]
    Gone,
    /// Any other error.
    #[error("the directory of assets failed: {0}")]
    Failed(String),
}

impl Blobs {
    /// Contents in memory.
    pub fn in_memory() -> Self {
        Self { store: Arc::new(InMemory::new()), directory: None }
    }

    /// Contents below `directory`, which is created if missing. Files are written atomically; partial
    /// files of a crash are removed.
    pub fn in_directory(directory: &Path) -> Result<Self, BlobError> {
        std::fs::create_dir_all(directory).map_err(|error| failed(&error))?;
        let before = SystemTime::now().checked_sub(WRITING);
        remove_unfinished(directory, before.unwrap_or(SystemTime::UNIX_EPOCH))
            .map_err(|error| failed(&error))?;
        let disk = LocalFileSystem::new_with_prefix(directory).map_err(|error| failed(&error))?;
        Ok(Self { store: Arc::new(disk.with_fsync(true)), directory: Some(directory.to_owned()) })
    }

    /// Writes a file; it is on disk when this returns.
    pub(crate) async fn put(&self, hash: &AssetHash, bytes: Bytes) -> Result<(), BlobError> {
        // The store would make it anew, and what is written then lies under what is mounted there later.
        if let Some(directory) = &self.directory
            && !tokio::fs::try_exists(directory).await.map_err(|error| failed(&error))?
        {
            return Err(BlobError::Gone);
        }
        let put = self.store.put(&path(hash), PutPayload::from_bytes(bytes)).await;
        put.map(drop).map_err(|error| failed(&error))
    }

    /// Whether the content exists and matches its hash.
    pub(crate) async fn has(&self, hash: &AssetHash) -> Result<bool, BlobError> {
        match self.check(hash).await {
            Ok(()) => Ok(true),
            Err(BlobError::Missing(_) | BlobError::Damaged(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// A file as a stream of chunks. Its hash is verified first, so that no damaged file is sent.
    pub(crate) async fn stream(
        &self,
        hash: &AssetHash,
    ) -> Result<BoxStream<'static, Result<Bytes, BlobError>>, BlobError> {
        self.check(hash).await?;
        self.pieces(hash).await
    }

    /// A whole file, with its hash verified.
    pub(crate) async fn get(&self, hash: &AssetHash) -> Result<Bytes, BlobError> {
        let got = self.store.get(&path(hash)).await.map_err(|error| read_failed(hash, &error))?;
        let bytes = got.bytes().await.map_err(|error| failed(&error))?;
        let (counted, expected) = (bytes.clone(), hash.clone());
        let is_whole = tokio::task::spawn_blocking(move || AssetHash::of(&counted) == expected);
        match is_whole.await {
            Ok(true) => Ok(bytes),
            Ok(false) => Err(BlobError::Damaged(hash.clone())),
            Err(error) => Err(BlobError::Failed(error.to_string())),
        }
    }

    /// Verifies the hash of a file.
    pub(crate) async fn check(&self, hash: &AssetHash) -> Result<(), BlobError> {
        let mut pieces = self.pieces(hash).await?;
        let mut counted = Sha256::new();
        while let Some(piece) = pieces.next().await {
            counted.update(piece?);
        }
        let is_whole = AssetHash::of_counted(counted) == *hash;
        if is_whole { Ok(()) } else { Err(BlobError::Damaged(hash.clone())) }
    }

    async fn pieces(
        &self,
        hash: &AssetHash,
    ) -> Result<BoxStream<'static, Result<Bytes, BlobError>>, BlobError> {
        let got = self.store.get(&path(hash)).await.map_err(|error| read_failed(hash, &error))?;
        Ok(got.into_stream().map_err(|error| failed(&error)).boxed())
    }

    /// Deletes a file, if it exists.
    pub(crate) async fn delete(&self, hash: &AssetHash) -> Result<(), BlobError> {
        match self.store.delete(&path(hash)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(failed(&error)),
        }
    }

    /// All files with the time they were written, in milliseconds since 1970.
    pub(crate) async fn list(&self) -> Result<Vec<(AssetHash, u64)>, BlobError> {
        let listed = self.store.list(None).map_ok(|meta| {
            let hash = AssetHash::parse(meta.location.filename()?)?;
            Some((hash, u64::try_from(meta.last_modified.timestamp_millis()).unwrap_or(0)))
        });
        let listed: Vec<_> = listed.try_collect().await.map_err(|error| failed(&error))?;
        Ok(listed.into_iter().flatten().collect())
    }
}

/// Spreads files over subdirectories of some hundred files each.
fn path(hash: &AssetHash) -> object_store::path::Path {
    let hash = hash.as_str();
    object_store::path::Path::from_iter([&hash[..2], hash])
}

fn read_failed(hash: &AssetHash, error: &object_store::Error) -> BlobError {
    match error {
        object_store::Error::NotFound { .. } => BlobError::Missing(hash.clone()),
        other => failed(other),
    }
}

/// Finds the I/O error below the errors of libraries.
fn failed(error: &(dyn Error + 'static)) -> BlobError {
    let mut cause = Some(error);
    while let Some(current) = cause {
        if let Some(system) = current.downcast_ref::<std::io::Error>() {
            match system.kind() {
                ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
                    return BlobError::Full;
                }
                ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied => {
                    return BlobError::ReadOnly;
                }
                _ => {}
            }
        }
        cause = current.source();
    }
    BlobError::Failed(error.to_string())
}

/// Temporary files of the object store are named `NAME#NUMBER` and renamed when complete.
fn remove_unfinished(directory: &Path, before: SystemTime) -> std::io::Result<()> {
    for folder in std::fs::read_dir(directory)? {
        let folder = folder?;
        if !folder.file_type()?.is_dir() {
            continue;
        }
        for file in std::fs::read_dir(folder.path())? {
            let file = file?;
            let is_unfinished = file.file_name().to_string_lossy().contains('#');
            // Another server may rename it at this moment.
            let written = file.metadata().and_then(|facts| facts.modified());
            if is_unfinished && written.is_ok_and(|written| written < before) {
                std::fs::remove_file(file.path())?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn contents(blobs: &Blobs) -> Vec<AssetHash> {
        let mut listed: Vec<_> =
            blobs.list().await.unwrap().into_iter().map(|(hash, _)| hash).collect();
        listed.sort();
        listed
    }

    async fn keeps_and_forgets(blobs: Blobs) {
        let (hash, other) = (AssetHash::of(b"abc"), AssetHash::of(b"other"));
        assert_eq!(blobs.get(&hash).await, Err(BlobError::Missing(hash.clone())));
        assert!(!blobs.has(&hash).await.unwrap());
        blobs.put(&hash, Bytes::from_static(b"abc")).await.unwrap();
        blobs.put(&hash, Bytes::from_static(b"abc")).await.unwrap();
        assert!(blobs.has(&hash).await.unwrap() && !blobs.has(&other).await.unwrap());
        assert_eq!(blobs.get(&hash).await.unwrap(), "abc");
        let pieces: Vec<Bytes> = blobs.stream(&hash).await.unwrap().try_collect().await.unwrap();
        assert_eq!(pieces.concat(), b"abc");
        assert_eq!(contents(&blobs).await, std::slice::from_ref(&hash));
        blobs.delete(&hash).await.unwrap();
        blobs.delete(&hash).await.unwrap();
        assert!(contents(&blobs).await.is_empty());
    }

    #[tokio::test]
    async fn files_are_kept_and_forgotten_in_memory_and_on_disk() {
        keeps_and_forgets(Blobs::in_memory()).await;
        let directory = tempfile::tempdir().unwrap();
        keeps_and_forgets(Blobs::in_directory(&directory.path().join("new")).unwrap()).await;
    }

    #[tokio::test]
    async fn nothing_is_written_where_the_directory_was() {
        let directory = tempfile::tempdir().unwrap();
        let (here, away) = (directory.path().join("here"), directory.path().join("away"));
        let blobs = Blobs::in_directory(&here).unwrap();
        let (hash, bytes) = (AssetHash::of(b"abc"), Bytes::from_static(b"abc"));
        std::fs::rename(&here, &away).unwrap();
        assert_eq!(blobs.put(&hash, bytes.clone()).await, Err(BlobError::Gone));
        assert!(!here.exists());
        std::fs::rename(&away, &here).unwrap();
        blobs.put(&hash, bytes).await.unwrap();
        assert_eq!(blobs.get(&hash).await.unwrap(), "abc");
    }

    #[tokio::test]
    async fn what_is_damaged_is_told_and_healed_by_the_same_content() {
        let directory = tempfile::tempdir().unwrap();
        let blobs = Blobs::in_directory(directory.path()).unwrap();
        let hash = AssetHash::of(b"abc");
        blobs.put(&hash, Bytes::from_static(b"abc")).await.unwrap();
        let file = directory.path().join(&hash.as_str()[..2]).join(hash.as_str());
        for damaged in ["abd", "ab", "", "abcd"] {
            std::fs::write(&file, damaged).unwrap();
            assert_eq!(blobs.get(&hash).await, Err(BlobError::Damaged(hash.clone())));
            let streamed = blobs.stream(&hash).await.map(drop);
            assert_eq!(streamed, Err(BlobError::Damaged(hash.clone())));
            assert!(!blobs.has(&hash).await.unwrap(), "so that it is written again");
        }
        blobs.put(&hash, Bytes::from_static(b"abc")).await.unwrap();
        assert_eq!(blobs.get(&hash).await.unwrap(), "abc");
    }

    #[tokio::test]
    async fn what_a_crash_left_half_written_is_no_asset_and_goes() {
        let directory = tempfile::tempdir().unwrap();
        let hash = AssetHash::of(b"abc");
        let folder = directory.path().join(&hash.as_str()[..2]);
        std::fs::create_dir(&folder).unwrap();
        let unfinished = folder.join(format!("{hash}#1"));
        std::fs::write(&unfinished, "a").unwrap();
        let blobs = Blobs::in_directory(directory.path()).unwrap();
        assert!(unfinished.exists(), "another server may be writing it");
        assert!(contents(&blobs).await.is_empty() && !blobs.has(&hash).await.unwrap());
        blobs.put(&hash, Bytes::from_static(b"abc")).await.unwrap();
        remove_unfinished(directory.path(), SystemTime::now() + WRITING).unwrap();
        assert!(!unfinished.exists());
        assert_eq!(contents(&blobs).await, [hash]);
    }

    #[test]
    fn faults_are_told_by_what_the_system_said() {
        let of = |kind: ErrorKind| failed(&std::io::Error::from(kind));
        assert_eq!(of(ErrorKind::StorageFull), BlobError::Full);
        assert_eq!(of(ErrorKind::PermissionDenied), BlobError::ReadOnly);
        assert!(matches!(of(ErrorKind::TimedOut), BlobError::Failed(_)));
    }
}
