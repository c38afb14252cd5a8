//! Storage of sessions: an append-only log of records per session, snapshots that shorten reading it,
//! and metadata. One trait with three implementations: SQLite, PostgreSQL, and
//! memory for tests. The content of records is opaque to a store.

mod error;
mod memory;
mod numbers;
mod postgres;
mod record;
mod sqlite;
mod tenure;
mod write_op;
mod writer;

use async_trait::async_trait;

pub use error::StoreError;
pub use memory::MemoryStore;
pub use postgres::{DatabaseUrl, PostgresStore};
pub use record::{
    Access, Append, Asset, Capability, EventPage, Listed, Listing, NewSession, Newest, Passage,
    Record, RecordKind, Session, Snapshot, Stored,
};
pub use sqlite::{SqliteOptions, SqliteStore, check_store, copy_store};
pub use tenure::{NodeState, Tenure};

/// Storage of sessions. When a writing method returns `Ok`, its data survives a crash of the process and
/// of the machine (if the implementation is on disk); after an error, nothing was written.
#[async_trait]
pub trait Store: Send + Sync + 'static {
    /// Makes a session.
    async fn create(&self, session: NewSession) -> Result<(), StoreError>;

    /// Makes the caller the owner of a session until it releases it or another one takes it over. Appends of
    /// whoever owned it before are refused.
    async fn own(&self, id: &str) -> Result<Tenure, StoreError>;

    /// Whether `term` is still that of the session's owner. Only another process can have taken it over unnoticed.
    async fn holds(&self, _id: &str, _term: u64) -> Result<bool, StoreError> {
        Ok(true)
    }

    /// Leaves a session without an owner, if `term` is still that of its owner.
    async fn release(&self, id: &str, term: u64) -> Result<(), StoreError>;

    /// Whether another server, which [`StoreError::Elsewhere`] named, may still act for its sessions. A store that
    /// one process has for itself knows no others.
    async fn state_of(&self, _node: &str) -> Result<NodeState, StoreError> {
        Ok(NodeState::Over)
    }

    /// This server among those on the same store, as [`StoreError::Elsewhere`] names it to others; `None` for a store
    /// that one process has for itself.
    fn node(&self) -> Option<String> {
        None
    }

    /// Where another server listens that may still act for its sessions.
    async fn address_of(&self, _node: &str) -> Result<Option<String>, StoreError> {
        Ok(None)
    }

    /// What all servers on the same store know, and nobody else; `None` for a store that one process has for itself.
    fn secret(&self) -> Option<&str> {
        None
    }

    /// Sessions whose server died while it owned them, at most `limit`.
    async fn orphans(&self, _limit: u32) -> Result<Vec<String>, StoreError> {
        Ok(Vec::new())
    }

    /// How many writes wait, and the most that do; `None` for a store that writes at once.
    fn writes_waiting(&self) -> Option<(usize, usize)> {
        None
    }

    /// Appends records, all or none, if `append.term` is that of the owner and `append.after` is still the newest
    /// position.
    async fn append(&self, append: Append) -> Result<(), StoreError>;

    /// The metadata of a session; `None` when there is none.
    async fn session(&self, id: &str) -> Result<Option<Session>, StoreError>;

    /// The newest snapshot and all records after it, read consistently; `None` when there is no session.
    async fn load(&self, id: &str) -> Result<Option<Stored>, StoreError>;

    /// The records up to position `until` that are not events, in order.
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

    /// Replaces the snapshot of a session. Snapshots are not needed for durability.
    async fn save_snapshot(&self, id: &str, snapshot: Snapshot) -> Result<(), StoreError>;

    /// Deletes a session and everything that belongs to it; returns whether it existed.
    async fn delete(&self, id: &str) -> Result<bool, StoreError>;

    /// Copies a session with its whole log under a new id and epoch.
    async fn duplicate(&self, id: &str, copy: NewSession) -> Result<(), StoreError>;

    /// Sessions that are not empty, newest first.
    async fn list(&self, listing: Listing) -> Result<Vec<Listed>, StoreError>;

    /// Passages of conversations that contain all words of `query`, best matches first.
    async fn search(&self, query: &str, limit: usize) -> Result<Vec<Passage>, StoreError>;

    /// Adds a capability: its token grants access to its session.
    async fn grant(&self, capability: Capability) -> Result<(), StoreError>;

    /// The capability of a token.
    async fn capability(&self, token: &str) -> Result<Option<Capability>, StoreError>;

    /// The capabilities of a session, oldest first.
    async fn capabilities(&self, id: &str) -> Result<Vec<Capability>, StoreError>;

    /// Revokes a capability; returns whether it existed.
    async fn revoke(&self, id: &str, token: &str) -> Result<bool, StoreError>;

    /// Adds an asset; returns whether it is new. For a known asset only the upload time is updated.
    async fn add_asset(&self, asset: Asset) -> Result<bool, StoreError>;

    /// Adds a reference from a session to an asset, as an append that refers to it does.
    async fn use_asset(&self, id: &str, hash: &str) -> Result<(), StoreError>;

    /// The metadata of an asset.
    async fn asset(&self, hash: &str) -> Result<Option<Asset>, StoreError>;

    /// All assets, ordered by hash; with `id` only those the session refers to or ever did.
    async fn assets(&self, id: Option<&str>) -> Result<Vec<Asset>, StoreError>;

    /// The hashes of assets that no session refers to and that were uploaded before `before_ms`.
    async fn unused_assets(&self, before_ms: u64) -> Result<Vec<String>, StoreError>;

    /// Deletes the metadata of an asset if it is still one of the
    /// [`unused_assets`](Self::unused_assets); returns whether it was.
    async fn forget_asset(&self, hash: &str, before_ms: u64) -> Result<bool, StoreError>;

    /// Deletes empty sessions that were created before `before_ms`; returns their number.
    async fn delete_unused(&self, before_ms: u64) -> Result<u64, StoreError>;

    /// Whether the store can be reached.
    async fn check(&self) -> Result<(), StoreError>;

    /// Finishes pending writes and closes the store.
    async fn close(&self);
}
