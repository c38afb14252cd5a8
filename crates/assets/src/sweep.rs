//! Collecting what nobody needs.

use crate::hash::AssetHash;
use crate::library::{Library, LibraryError};

impl Library {
    /// Forgets the assets that no session refers to and that were neither uploaded nor asked for since
    /// `before_ms`, and contents that a crash left without a word about them; how many.
    ///
    /// An edit that is on its way to the store is safe: whoever may name an asset has asked for it
    /// before, and a store never takes in a reference to what it has forgotten.
    pub async fn sweep(&self, before_ms: u64) -> Result<usize, LibraryError> {
        let mut count = 0;
        for hash in self.store.unused_assets(before_ms).await? {
            // Never closed.
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
        // Known to the store alone: its content is gone, or another server keeps it.
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
