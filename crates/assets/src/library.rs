//! All assets of a server.

use std::collections::BTreeMap;
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
use crate::media_type::{MediaType, Reading};

/// Vertices of one mesh: reading the worst file of so many takes some hundred megabytes.
pub const MAX_VERTICES: usize = 1 << 21;
/// Triangles of one mesh.
pub const MAX_TRIANGLES: usize = 1 << 21;

const LIMITS: mesh_files::Limits =
    mesh_files::Limits { vertices: MAX_VERTICES, triangles: MAX_TRIANGLES };

/// Why a file is not kept. Nothing of it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LibraryError {
    /// It is not good.
    #[error(transparent)]
    Check(#[from] CheckError),
    /// The assets would take more room than they may.
    #[error(
        "the assets of this server may take {most} bytes, and {used} are taken; delete what is not needed"
    )]
    NoRoom {
        /// What is taken.
        used: u64,
        /// What may be.
        most: u64,
    },
    /// What is known of it could not be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Its content could not be written.
    #[error(transparent)]
    Blob(#[from] BlobError),
    /// The check itself failed.
    #[error("the file could not be checked; please report it")]
    Internal,
}

/// An asset that is kept now.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredAsset {
    /// What is known of it.
    pub asset: Arc<Asset>,
    /// Whether its content was not kept before.
    pub is_new: bool,
}

/// All assets of a server. What is known of them is at hand, their content is not.
pub struct Library {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) blobs: Blobs,
    /// The most bytes all contents may take.
    most_bytes: u64,
    /// By hash; held to look up and insert, never across an await.
    index: RwLock<BTreeMap<String, Entry>>,
    /// One file is read at a time, since reading takes much memory.
    reading: Arc<Semaphore>,
    /// Keeping and forgetting take turns: what is on its way in is not taken for left over.
    pub(crate) turn: Semaphore,
    /// Owns the work of keeping, which goes on when nobody waits for it any more.
    tracker: TaskTracker,
}

struct Entry {
    asset: Arc<Asset>,
    /// When somebody last asked for it, to use it, in milliseconds since 1970.
    asked_ms: AtomicU64,
}

impl std::fmt::Debug for Library {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Library").finish_non_exhaustive()
    }
}

impl Library {
    /// The assets that `store` knows and whose content is in `blobs`, up to `most_bytes` of it.
    pub async fn open(
        store: Arc<dyn Store>,
        blobs: Blobs,
        most_bytes: u64,
        tracker: TaskTracker,
    ) -> Result<Self, LibraryError> {
        let there: std::collections::BTreeSet<AssetHash> =
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
            reading: Arc::new(Semaphore::new(1)),
            turn: Semaphore::new(1),
            tracker,
        })
    }

    /// Reads a file through; nothing of it is kept. Without a `media_type` its name or its content
    /// says what it is.
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

    /// Keeps a file that was found good; it is on disk when this returns. The same content is kept
    /// once, under the name it first came with.
    pub async fn add(
        self: &Arc<Self>,
        checked: Checked,
        now_ms: u64,
    ) -> Result<StoredAsset, LibraryError> {
        let library = Arc::clone(self);
        // A task of its own: nothing is kept by half because a client went away.
        let kept = self.tracker.spawn(async move { library.add_now(checked, now_ms).await });
        kept.await.unwrap_or(Err(LibraryError::Internal))
    }

    async fn add_now(&self, checked: Checked, now_ms: u64) -> Result<StoredAsset, LibraryError> {
        let Checked { hash, name, media_type, facts, bytes } = checked;
        let size = bytes.len() as u64;
        // Never closed.
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

    /// What is known of an asset.
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

    /// The content of an asset, piece by piece.
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

    /// Bytes of all contents.
    pub fn bytes(&self) -> u64 {
        self.index().values().map(|entry| entry.asset.bytes).sum()
    }

    /// The box around the mesh `hash`. Whoever asks is about to use it, so it is not collected for now.
    pub(crate) fn bounds(&self, hash: &str) -> Option<Aabb> {
        let index = self.index();
        let entry = index.get(hash)?;
        entry.asked_ms.fetch_max(now_ms(), Ordering::Relaxed);
        entry.asset.bounds()
    }

    /// Whether there is an image `hash`. Whoever asks is about to use it, as with
    /// [`bounds`](Self::bounds).
    pub(crate) fn has_image(&self, hash: &str) -> bool {
        let index = self.index();
        let Some(entry) = index.get(hash) else { return false };
        entry.asked_ms.fetch_max(now_ms(), Ordering::Relaxed);
        matches!(entry.asset.facts, Facts::Image { .. })
    }

    /// Takes an asset out that nobody asked for since `before_ms`.
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
        // Inserting and removing leave a whole map.
        self.index.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs work that reads a file, away from the threads that serve everyone; `None` when it
    /// panicked.
    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let turn = Arc::clone(&self.reading).acquire_owned().await.ok()?;
        let done = tokio::task::spawn_blocking(move || {
            // Held until the work is done, also when nobody waits for it any more.
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
        let missing = |reason: String| AssetError { name: name.to_owned(), reason };
        let (asset, reading) = self.readable(name)?;
        let Reading::Mesh(format) = reading else { return Err(missing("it is no mesh".into())) };
        let bytes =
            self.blobs.get(&asset.hash).await.map_err(|error| missing(error.to_string()))?;
        let read = self.read(move || mesh_files::read_within(&bytes, format, &LIMITS)).await;
        let read = read.ok_or_else(|| missing("reading it failed".into()))?;
        read.map_err(|error| missing(error.to_string()))
    }

    async fn image(&self, name: &str) -> Result<Image, AssetError> {
        let missing = |reason: String| AssetError { name: name.to_owned(), reason };
        let (asset, reading) = self.readable(name)?;
        let Reading::Image(format) = reading else { return Err(missing("it is no image".into())) };
        let bytes =
            self.blobs.get(&asset.hash).await.map_err(|error| missing(error.to_string()))?;
        let limits = image_files::Limits::default();
        let read = self.read(move || image_files::read(&bytes, format, &limits)).await;
        let read = read.ok_or_else(|| missing("reading it failed".into()))?;
        read.map_err(|error| missing(error.to_string()))
    }
}

impl Library {
    /// An asset, and how its content is read.
    fn readable(&self, name: &str) -> Result<(Arc<Asset>, Reading), AssetError> {
        let missing = |reason: &str| AssetError { name: name.to_owned(), reason: reason.into() };
        let asset = self.asset(name).ok_or_else(|| missing("it was not uploaded"))?;
        let reading = MediaType::named(&asset.media_type).map(MediaType::reading);
        Ok((asset, reading.ok_or_else(|| missing("its kind is not known here"))?))
    }
}
