//! The library: all assets of a server.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::stream::BoxStream;
use media::{Image, MeshData};
use scene::Aabb;
use store::{Store, StoreError};
use studio::{AssetError, AssetSource};
use tokio::sync::Semaphore;
use tokio_util::task::TaskTracker;

use crate::blobs::{BlobError, Blobs};
use crate::check::{CheckError, Checked, check};
use crate::facts::{Asset, Facts};
use crate::hash::AssetHash;
use crate::media_type::MediaType;
use crate::read::{LIMITS, read_image, read_mesh};

/// An error of the library. Nothing was stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LibraryError {
    /// The file is not valid.
    #[error(transparent)]
    Check(#[from] CheckError),
    /// The assets would exceed their limit.
    #[error(
        "the assets of this server may take {most} bytes, and {used} are in use; delete assets that are not needed"
    )]
    NoRoom {
        /// Bytes in use.
        used: u64,
        /// The limit in bytes.
        most: u64,
    },
    /// Its metadata could not be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Its content could not be written.
    #[error(transparent)]
    Blob(#[from] BlobError),
    /// The check itself failed.
    #[error("checking the file failed; please report it")]
    Internal,
}

/// The result of adding an asset.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredAsset {
    /// Its metadata.
    pub asset: Arc<Asset>,
    /// Whether its content is new to the library.
    pub is_new: bool,
}

/// All assets of a server. Metadata is in memory, contents are not.
pub struct Library {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) blobs: Blobs,
    /// The limit for all contents in bytes.
    most_bytes: u64,
    /// By hash; locked only for a lookup or an insert, never across an await.
    index: RwLock<BTreeMap<String, Entry>>,
    /// Hashes that are never collected, though no session refers to them. Locked only for a lookup or a swap.
    kept: RwLock<BTreeSet<String>>,
    /// Limits parsing to one file at a time, since it needs much memory.
    reading: Arc<Semaphore>,
    /// Serialises adding and deleting, so that an asset that is being added is not collected.
    pub(crate) turn: Semaphore,
    /// Owns the tasks that add assets: they finish even if the client disconnects.
    tracker: TaskTracker,
}

struct Entry {
    asset: Arc<Asset>,
    /// The time of the last request, in milliseconds since 1970.
    asked_ms: AtomicU64,
}

impl std::fmt::Debug for Library {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Library").finish_non_exhaustive()
    }
}

impl Library {
    /// Loads the assets of `store` whose contents are in `blobs`; `most_bytes` limits all contents.
    pub async fn open(
        store: Arc<dyn Store>,
        blobs: Blobs,
        most_bytes: u64,
        tracker: TaskTracker,
    ) -> Result<Self, LibraryError> {
        let there: BTreeSet<AssetHash> =
            blobs.list().await?.into_iter().map(|(hash, _)| hash).collect();
        let known = store.assets(None).await?.into_iter().filter_map(Asset::from_record);
        let index = known.filter_map(|asset| {
            if !there.contains(&asset.hash) {
                tracing::warn!(asset = %asset.hash, "the content of an asset is gone");
                return None;
            }
            Some((asset.hash.to_string(), Entry::new(Arc::new(asset))))
        });
        Ok(Self {
            index: RwLock::new(index.collect()),
            store,
            blobs,
            most_bytes,
            kept: RwLock::default(),
            reading: Arc::new(Semaphore::new(1)),
            turn: Semaphore::new(1),
            tracker,
        })
    }

    /// Validates a file without storing it. Without a `media_type`, its name or content determines the
    /// type.
    pub async fn check(
        &self,
        bytes: Bytes,
        name: &str,
        media_type: Option<MediaType>,
    ) -> Result<Checked, LibraryError> {
        let name = name.to_owned();
        let checked = self.read(move || check(bytes, &name, media_type, &LIMITS)).await;
        Ok(checked.ok_or(LibraryError::Internal)??)
    }

    /// Adds a validated file; it is on disk when this returns. Equal contents are stored once, under the
    /// name of the first upload.
    pub async fn add(
        self: &Arc<Self>,
        checked: Checked,
        now_ms: u64,
    ) -> Result<StoredAsset, LibraryError> {
        let library = Arc::clone(self);
        // A separate task, so that a disconnect cannot leave a half-stored asset.
        let kept = self.tracker.spawn(async move { library.add_now(checked, now_ms).await });
        kept.await.unwrap_or(Err(LibraryError::Internal))
    }

    async fn add_now(&self, checked: Checked, now_ms: u64) -> Result<StoredAsset, LibraryError> {
        let Checked { hash, name, media_type, facts, bytes } = checked;
        let size = bytes.len() as u64;
        // The semaphore is never closed.
        let _turn = self.turn.acquire().await;
        let was_there = self.blobs.has(&hash).await?;
        if !was_there {
            let used = self.bytes();
            if used + size > self.most_bytes {
                return Err(LibraryError::NoRoom { used, most: self.most_bytes });
            }
            self.blobs.put(&hash, bytes).await?;
        }
        let media_type = media_type.name().to_owned();
        let asset =
            Asset { hash: hash.clone(), name, media_type, bytes: size, facts, uploaded_ms: now_ms };
        let is_new = match self.store.add_asset(asset.to_record()).await {
            Ok(is_new) => is_new,
            Err(error) => {
                if !was_there && let Err(error) = self.blobs.delete(&hash).await {
                    tracing::warn!(%error, asset = %hash, "what is left over goes another time");
                }
                return Err(error.into());
            }
        };
        let known = match is_new {
            true => None,
            false => self.store.asset(hash.as_str()).await?.and_then(Asset::from_record),
        };
        let asset = Arc::new(known.unwrap_or(asset));
        self.put_into_index(Arc::clone(&asset));
        Ok(StoredAsset { asset, is_new })
    }

    /// Learns of assets that another server has added to the same store.
    pub async fn learn(&self, records: Vec<store::Asset>) {
        for record in records {
            if self.asset(&record.hash).is_none()
                && let Some(asset) = Asset::from_record(record)
                && matches!(self.blobs.has(&asset.hash).await, Ok(true))
            {
                self.put_into_index(Arc::new(asset));
            }
        }
    }

    /// The metadata of an asset, also of one that another server has added to the same store.
    pub async fn find(&self, hash: &str) -> Result<Option<Arc<Asset>>, LibraryError> {
        if self.asset(hash).is_none() {
            let record = self.store.asset(hash).await?;
            self.learn(record.into_iter().collect()).await;
        }
        Ok(self.asset(hash))
    }

    /// The metadata of an asset that this server knows.
    pub fn asset(&self, hash: &str) -> Option<Arc<Asset>> {
        self.index().get(hash).map(|entry| Arc::clone(&entry.asset))
    }

    /// All assets, the newest first.
    pub fn assets(&self) -> Vec<Arc<Asset>> {
        let mut assets: Vec<_> =
            self.index().values().map(|entry| Arc::clone(&entry.asset)).collect();
        assets.sort_by_key(|asset| std::cmp::Reverse(asset.uploaded_ms));
        assets
    }

    /// The content of an asset as a stream of chunks.
    pub async fn content(
        &self,
        hash: &AssetHash,
    ) -> Result<BoxStream<'static, Result<Bytes, BlobError>>, BlobError> {
        self.blobs.stream(hash).await
    }

    /// The whole content of an asset.
    pub async fn bytes_of(&self, hash: &AssetHash) -> Result<Bytes, BlobError> {
        self.blobs.get(hash).await
    }

    /// The size of all contents in bytes.
    pub fn bytes(&self) -> u64 {
        self.index().values().map(|entry| entry.asset.bytes).sum()
    }

    /// The bounding box of the mesh `hash`. Counts as a request, so it is not collected for now.
    pub(crate) fn bounds(&self, hash: &str) -> Option<Aabb> {
        let index = self.index();
        let entry = index.get(hash)?;
        entry.asked_ms.fetch_max(now_ms(), Ordering::Relaxed);
        entry.asset.bounds()
    }

    /// Whether there is an image `hash`. Counts as a request, like [`bounds`](Self::bounds).
    pub(crate) fn has_image(&self, hash: &str) -> bool {
        let index = self.index();
        let Some(entry) = index.get(hash) else { return false };
        entry.asked_ms.fetch_max(now_ms(), Ordering::Relaxed);
        matches!(entry.asset.facts, Facts::Image { .. })
    }

    /// Keeps the assets of these hashes and no others, whether a session refers to them or not.
    pub fn keep(&self, hashes: impl IntoIterator<Item = String>) {
        let kept = hashes.into_iter().collect();
        *self.kept.write().unwrap_or_else(PoisonError::into_inner) = kept;
    }

    /// Whether an asset is kept without a session that refers to it.
    pub(crate) fn is_kept(&self, hash: &str) -> bool {
        self.kept.read().unwrap_or_else(PoisonError::into_inner).contains(hash)
    }

    /// Removes an asset that was not requested since `before_ms`.
    pub(crate) fn take_out_of_index(&self, hash: &str, before_ms: u64) -> Option<Arc<Asset>> {
        let mut index = self.index.write().unwrap_or_else(PoisonError::into_inner);
        let entry = index.get(hash)?;
        let is_idle = entry.asked_ms.load(Ordering::Relaxed) < before_ms;
        if is_idle { index.remove(hash).map(|entry| entry.asset) } else { None }
    }

    pub(crate) fn put_into_index(&self, asset: Arc<Asset>) {
        let mut index = self.index.write().unwrap_or_else(PoisonError::into_inner);
        index.insert(asset.hash.to_string(), Entry::new(asset));
    }

    fn index(&self) -> std::sync::RwLockReadGuard<'_, BTreeMap<String, Entry>> {
        // A panic cannot leave the map inconsistent, so a poisoned lock is safe to use.
        self.index.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs file parsing on a blocking thread; `None` if it panicked.
    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let turn = Arc::clone(&self.reading).acquire_owned().await.ok()?;
        let done = tokio::task::spawn_blocking(move || {
            // Held until the work is done, even if its caller is gone.
            let _turn = turn;
            work()
        });
        done.await.ok()
    }
}

impl Entry {
    fn new(asset: Arc<Asset>) -> Self {
        Self { asset, asked_ms: AtomicU64::new(0) }
    }
}

fn now_ms() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    u64::try_from(since.unwrap_or_default().as_millis()).unwrap_or(u64::MAX)
}

#[async_trait]
impl AssetSource for Library {
    async fn mesh_data(&self, name: &str) -> Result<MeshData, AssetError> {
        self.read_with(name, read_mesh).await
    }

    async fn image(&self, name: &str) -> Result<Image, AssetError> {
        self.read_with(name, read_image).await
    }
}

impl Library {
    /// What `read` makes of the content of an asset.
    async fn read_with<T: Send + 'static>(
        &self,
        name: &str,
        read: fn(&[u8], MediaType) -> Result<T, String>,
    ) -> Result<T, AssetError> {
        let missing = |reason: String| AssetError { name: name.to_owned(), reason };
        let asset = self.asset(name).ok_or_else(|| missing("it was not uploaded".into()))?;
        let kind = MediaType::named(&asset.media_type);
        let kind = kind.ok_or_else(|| missing("its kind is not known here".into()))?;
        let bytes =
            self.blobs.get(&asset.hash).await.map_err(|error| missing(error.to_string()))?;
        let read = self.read(move || read(&bytes, kind)).await;
        read.ok_or_else(|| missing("reading it failed".into()))?.map_err(missing)
    }
}
