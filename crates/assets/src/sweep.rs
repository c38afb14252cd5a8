//! Garbage collection of unused assets.

use crate::hash::AssetHash;
use crate::library::{Library, LibraryError};

impl Library {
    /// Deletes assets that no session refers to, that are not to be [kept](Self::keep), and that were neither uploaded nor requested since
    /// `before_ms`, and contents without metadata, which a crash left behind; returns their number.
    ///
    /// An edit that is being saved is safe: using an asset requests it first, and a store rejects a
    /// reference to a deleted asset.
    pub async fn sweep(&self, before_ms: u64) -> Result<usize, LibraryError> {
        let mut count = 0;
        for hash in self.store.unused_assets(before_ms).await? {
            if self.is_kept(&hash) {
                continue;
            }
            // The semaphore is never closed.
            let _turn = self.turn.acquire().await;
            if self.forget(&hash, before_ms).await? {
                count += 1;
            }
        }
        for (hash, written_ms) in self.blobs.list().await? {
            if written_ms >= before_ms {
                continue;
            }
            let _turn = self.turn.acquire().await;
            if self.store.asset(hash.as_str()).await?.is_none() {
                self.blobs.delete(&hash).await?;
                count += 1;
            }
        }
        Ok(count)
    }

    async fn forget(&self, hash: &str, before_ms: u64) -> Result<bool, LibraryError> {
        let asset = self.take_out_of_index(hash, before_ms);
        // Only the store has it: its content is lost, or on another server.
        if asset.is_none() && self.asset(hash).is_some() {
            return Ok(false);
        }
        match self.store.forget_asset(hash, before_ms).await {
            Ok(true) => {
                if let Some(hash) = AssetHash::parse(hash) {
                    self.blobs.delete(&hash).await?;
                }
                Ok(true)
            }
            outcome => {
                if let Some(asset) = asset {
                    self.put_into_index(asset);
                }
                Ok(outcome?)
            }
        }
    }
}
