//! Sessions on disk: an append-only log of records for each session, snapshots that shorten reading
//! it, and what there is to know about sessions without opening them. One trait, SQLite behind it by
//! default, memory for tests. What a record says is not known here.

mod error;
mod memory;
mod record;
mod sqlite;

use async_trait::async_trait;

pub use error::StoreError;
pub use memory::MemoryStore;
pub use record::{
    Access, Append, Asset, Capability, EventPage, Listed, Listing, NewSession, Passage, Record,
    RecordKind, Session, Snapshot, Stored,
};
pub use sqlite::{SqliteOptions, SqliteStore};

/// Where sessions are kept. When a method that writes returns `Ok`, what it wrote survives a crash of
/// the process and of the machine (in so far as the implementation is on disk); after an error nothing
/// of it is there.
#[async_trait]
pub trait Store: Send + Sync + 'static {
    /// Makes a session.
    async fn create(&self, session: NewSession) -> Result<(), StoreError>;

    /// Appends records, all or none, if `append.after` is still the newest position.
    async fn append(&self, append: Append) -> Result<(), StoreError>;

    /// What is known of a session; `None` when there is none.
    async fn session(&self, id: &str) -> Result<Option<Session>, StoreError>;

    /// The newest snapshot and all records after it, of one moment; `None` when there is no session.
    async fn load(&self, id: &str) -> Result<Option<Stored>, StoreError>;

    /// The records up to position `until` that are no events, in order.
    async fn records(&self, id: &str, until: u64) -> Result<Vec<(u64, Record)>, StoreError>;

    /// All records after position `after`, in order, at most `limit` and about `max_bytes`.
    async fn log(
        &self,
        id: &str,
        after: u64,
        limit: usize,
        max_bytes: usize,
    ) -> Result<Vec<(u64, Record)>, StoreError>;

    /// The events after number `after`, in order, at most `limit` and about `max_bytes`.
    async fn events(
        &self,
        id: &str,
        after: u64,
        limit: usize,
        max_bytes: usize,
    ) -> Result<EventPage, StoreError>;

    /// Keeps a snapshot in place of the one before. What it holds is not needed for durability.
    async fn save_snapshot(&self, id: &str, snapshot: Snapshot) -> Result<(), StoreError>;

    /// Takes a session and all that belongs to it away; whether there was one.
    async fn delete(&self, id: &str) -> Result<bool, StoreError>;

    /// Copies a session with its whole log under a new id and epoch.
    async fn duplicate(&self, id: &str, copy: NewSession) -> Result<(), StoreError>;

    /// Sessions in which something happened, the newest first.
    async fn list(&self, listing: Listing) -> Result<Vec<Listed>, StoreError>;

    /// Passages of what was said that hold all words of `query`, the best first.
    async fn search(&self, query: &str, limit: usize) -> Result<Vec<Passage>, StoreError>;

    /// Lets whoever knows `capability.token` use its session.
    async fn grant(&self, capability: Capability) -> Result<(), StoreError>;

    /// The capability of a token.
    async fn capability(&self, token: &str) -> Result<Option<Capability>, StoreError>;

    /// The capabilities of a session, oldest first.
    async fn capabilities(&self, id: &str) -> Result<Vec<Capability>, StoreError>;

    /// Takes a capability back; whether there was one.
    async fn revoke(&self, id: &str, token: &str) -> Result<bool, StoreError>;

    /// Makes an asset known; whether it was not. One that is known stays as it is, but for the time
    /// of its upload.
    async fn add_asset(&self, asset: Asset) -> Result<bool, StoreError>;

    /// Keeps an asset for as long as the session is there, as an append that refers to it does.
    async fn use_asset(&self, id: &str, hash: &str) -> Result<(), StoreError>;

    /// What is known of an asset.
    async fn asset(&self, hash: &str) -> Result<Option<Asset>, StoreError>;

    /// The assets that are known, in the order of their hashes; with `id` only those the session
    /// refers to or ever did.
    async fn assets(&self, id: Option<&str>) -> Result<Vec<Asset>, StoreError>;

    /// The hashes of assets that no session refers to and that were uploaded before `before_ms`.
    async fn unused_assets(&self, before_ms: u64) -> Result<Vec<String>, StoreError>;

    /// Forgets an asset if it is still one of the [`unused_assets`](Self::unused_assets); whether it
    /// was.
    async fn forget_asset(&self, hash: &str, before_ms: u64) -> Result<bool, StoreError>;

    /// Deletes sessions in which nothing ever happened and that were made before `before_ms`; how many.
    async fn delete_unused(&self, before_ms: u64) -> Result<u64, StoreError>;

    /// Finishes what is being written.
    async fn close(&self);
}
