//! The bytes of assets, in an object store.

use std::error::Error;
use std::io::ErrorKind;
use std::path::Path;
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

/// How long a file that is being written may take: what is older was left behind by a crash.
const WRITING: Duration = Duration::from_secs(3_600);

/// Where the bytes of assets are.
#[derive(Debug, Clone)]
pub struct Blobs(Arc<dyn ObjectStore>);

/// The bytes could not be written or read. Nothing is half-written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BlobError {
    /// It is not there.
    #[error("the content of asset '{0}' is gone; upload it again")]
    Missing(AssetHash),
    /// It is there, and is not what was kept.
    #[error("the content of asset '{0}' is damaged; upload it again")]
    Damaged(AssetHash),
    /// No room is left.
    #[error("the disk is full; free some space, then go on")]
    Full,
    /// The directory may not be written.
    #[error("the directory of assets is read-only; make it writable, then go on")]
    ReadOnly,
    /// Anything else.
    #[error("the directory of assets failed: {0}")]
    Failed(String),
}

impl Blobs {
    /// Kept in memory.
    pub fn in_memory() -> Self {
        Self(Arc::new(InMemory::new()))
    }

    /// Kept below `directory`, which is made when it is not there. A file is there whole and on disk, or
    /// not at all; what a crash left of others is removed.
    pub fn in_directory(directory: &Path) -> Result<Self, BlobError> {
        std::fs::create_dir_all(directory).map_err(|error| failed(&error))?;
        let before = SystemTime::now().checked_sub(WRITING);
        remove_unfinished(directory, before.unwrap_or(SystemTime::UNIX_EPOCH))
            .map_err(|error| failed(&error))?;
        let disk = LocalFileSystem::new_with_prefix(directory).map_err(|error| failed(&error))?;
        Ok(Self(Arc::new(disk.with_fsync(true))))
    }

    /// Writes a file; it is on disk when this returns.
    pub(crate) async fn put(&self, hash: &AssetHash, bytes: Bytes) -> Result<(), BlobError> {
        let put = self.0.put(&path(hash), PutPayload::from_bytes(bytes)).await;
        put.map(drop).map_err(|error| failed(&error))
    }

    /// Whether it is there, and is what was kept.
    pub(crate) async fn has(&self, hash: &AssetHash) -> Result<bool, BlobError> {
        match self.check(hash).await {
            Ok(()) => Ok(true),
            Err(BlobError::Missing(_) | BlobError::Damaged(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// A file, piece by piece; it is read through first, so that nobody gets half of one that is damaged.
    pub(crate) async fn stream(
        &self,
        hash: &AssetHash,
    ) -> Result<BoxStream<'static, Result<Bytes, BlobError>>, BlobError> {
        self.check(hash).await?;
        self.pieces(hash).await
    }

    /// A whole file, which has its hash.
    pub(crate) async fn get(&self, hash: &AssetHash) -> Result<Bytes, BlobError> {
        let got = self.0.get(&path(hash)).await.map_err(|error| read_failed(hash, &error))?;
        let bytes = got.bytes().await.map_err(|error| failed(&error))?;
        let (counted, expected) = (bytes.clone(), hash.clone());
        let is_whole = tokio::task::spawn_blocking(move || AssetHash::of(&counted) == expected);
        match is_whole.await {
            Ok(true) => Ok(bytes),
            Ok(false) => Err(BlobError::Damaged(hash.clone())),
            Err(error) => Err(BlobError::Failed(error.to_string())),
        }
    }

    /// Reads a file through: whether it still has its hash.
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
        let got = self.0.get(&path(hash)).await.map_err(|error| read_failed(hash, &error))?;
        Ok(got.into_stream().map_err(|error| failed(&error)).boxed())
    }

    /// Takes a file away, if it is there.
    pub(crate) async fn delete(&self, hash: &AssetHash) -> Result<(), BlobError> {
        match self.0.delete(&path(hash)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(failed(&error)),
        }
    }

    /// All files with the time they were written, in milliseconds since 1970.
    pub(crate) async fn list(&self) -> Result<Vec<(AssetHash, u64)>, BlobError> {
        let listed = self.0.list(None).map_ok(|meta| {
            let hash = AssetHash::parse(meta.location.filename()?)?;
            Some((hash, u64::try_from(meta.last_modified.timestamp_millis()).unwrap_or(0)))
        });
        let listed: Vec<_> = listed.try_collect().await.map_err(|error| failed(&error))?;
        Ok(listed.into_iter().flatten().collect())
    }
}

/// Directories of some hundred files each, however many there are.
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

/// Looks for what the system said below what the libraries say.
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

/// The object store writes to `NAME#NUMBER` and then gives the file its name.
fn remove_unfinished(directory: &Path, before: SystemTime) -> std::io::Result<()> {
    for folder in std::fs::read_dir(directory)? {
        let folder = folder?;
        if !folder.file_type()?.is_dir() {
            continue;
        }
        for file in std::fs::read_dir(folder.path())? {
            let file = file?;
            let is_unfinished = file.file_name().to_string_lossy().contains('#');
            // Another server may give it its name just now.
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
