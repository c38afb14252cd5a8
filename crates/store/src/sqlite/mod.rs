//! Sessions in one SQLite file: WAL mode, synchronous FULL, one writer with group commit, separate
//! readers.

mod appends;
mod apply;
mod assets;
mod connection;
mod copy;
mod numbers;
mod read;
mod writer;

use std::path::PathBuf;

use async_trait::async_trait;
use sqlx::SqlStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::sqlite::{SqlitePool, SqlitePoolOptions};
use sqlx::{ConnectOptions, Connection};

use crate::Store;
use crate::error::StoreError;
use crate::record::{
    Append, Asset, Capability, EventPage, Listed, Listing, NewSession, Passage, Record, Session,
    Snapshot, Stored,
};
use crate::tenure::{LocalOwners, Tenure};
use crate::write_op::WriteOp;
use crate::writer::{Task, Writer};

pub use self::copy::{check_store, copy_store};

use self::connection::{BUSY_TIMEOUT, check_version, connect_options, limit_size};

/// The changes of the file's form, each once and in order. Listed here rather than by `migrate!`, whose
/// crate compiles SQLite a second time for the compiler.
fn migrations() -> Migrator {
    let migration = |version, description: &'static str, sql: &'static str| {
        let sql = SqlStr::from_static(sql);
        Migration::new(version, description.into(), MigrationType::Simple, sql, false)
    };
    Migrator::with_migrations(vec![
        migration(1, "sessions", include_str!("../../migrations/sqlite/0001_sessions.sql")),
        migration(2, "fewer pages", include_str!("../../migrations/sqlite/0002_fewer_pages.sql")),
        migration(3, "asset", include_str!("../../migrations/sqlite/0003_asset.sql")),
    ])
}

/// The number of reader connections.
const READERS: u32 = 4;

/// Options of a store.
#[derive(Debug, Clone)]
pub struct SqliteOptions {
    /// The file, created if missing.
    pub file: PathBuf,
    /// The maximum size in bytes; beyond it, appends fail as on a full disk.
    pub max_bytes: Option<u64>,
}

/// Sessions in an SQLite file.
pub struct SqliteStore {
    writer: Writer,
    readers: SqlitePool,
    /// One process writes to the file, so that the owners are known to it alone.
    owners: LocalOwners,
}

impl SqliteStore {
    /// Opens or creates the file, and migrates it to the newest schema.
    pub async fn open(options: SqliteOptions) -> Result<Self, StoreError> {
        let connect = connect_options(&options.file);
        let mut connection = connect.clone().create_if_missing(true).connect().await?;
        check_version(&mut connection).await?;
        migrations().run(&mut connection).await.map_err(|error| match error {
            sqlx::migrate::MigrateError::Execute(error) => StoreError::from(error),
            sqlx::migrate::MigrateError::VersionMissing(version) => StoreError::Failed(format!(
                "the file was written by a newer version (form {version}); update scene-llm"
            )),
            other => StoreError::Failed(other.to_string()),
        })?;
        if let Some(max_bytes) = options.max_bytes {
            limit_size(&mut connection, max_bytes).await?;
        }
        // Detects a read-only file now instead of at the first edit: SQLite lets even a write
        // transaction begin on it.
        sqlx::query("UPDATE session SET seq = seq WHERE 0").execute(&mut connection).await?;
        connection.close().await?;
        let readers = SqlitePoolOptions::new()
            .max_connections(READERS)
            .min_connections(0)
            .acquire_timeout(BUSY_TIMEOUT)
            .connect_lazy_with(connect.clone());
        let writer = writer::start(connect, options.max_bytes);
        Ok(Self { writer, readers, owners: LocalOwners::default() })
    }

    async fn write(&self, op: WriteOp) -> Result<bool, StoreError> {
        self.writer.write(Task::Write(op)).await
    }
}

#[async_trait]
impl Store for SqliteStore {
    async fn create(&self, session: NewSession) -> Result<(), StoreError> {
        self.write(WriteOp::Create(session)).await.map(drop)
    }

    async fn own(&self, id: &str) -> Result<Tenure, StoreError> {
        if self.session(id).await?.is_none() {
            return Err(StoreError::UnknownSession(id.to_owned()));
        }
        let (tenure, ends_another) = self.owners.take(id);
        if ends_another {
            // What its owner has queued is written before the session is read.
            self.write(WriteOp::Wait).await?;
        }
        Ok(tenure)
    }

    async fn release(&self, id: &str, term: u64) -> Result<(), StoreError> {
        self.owners.release(id, term);
        Ok(())
    }

    fn writes_waiting(&self) -> Option<(usize, usize)> {
        Some(self.writer.waiting())
    }

    async fn append(&self, append: Append) -> Result<(), StoreError> {
        self.owners.check(&append)?;
        self.writer.write(Task::Append(append)).await.map(drop)
    }

    async fn session(&self, id: &str) -> Result<Option<Session>, StoreError> {
        let mut connection = self.readers.acquire().await?;
        Ok(read::session(&mut connection, id).await?.map(|(_, session)| session))
    }

    async fn load(&self, id: &str) -> Result<Option<Stored>, StoreError> {
        let mut connection = self.readers.acquire().await?;
        read::load(&mut connection, id).await
    }

    async fn records(&self, id: &str, until: u64) -> Result<Vec<(u64, Record)>, StoreError> {
        let mut connection = self.readers.acquire().await?;
        read::records(&mut connection, id, until).await
    }

    async fn log(
        &self,
        id: &str,
        after: u64,
        limit: usize,
        max_bytes: usize,
    ) -> Result<Vec<(u64, Record)>, StoreError> {
        let mut connection = self.readers.acquire().await?;
        read::log(&mut connection, id, after, limit, max_bytes).await
    }

    async fn events(
        &self,
        id: &str,
        after: u64,
        limit: usize,
        max_bytes: usize,
    ) -> Result<EventPage, StoreError> {
        let mut connection = self.readers.acquire().await?;
        read::events(&mut connection, id, after, limit, max_bytes).await
    }

    async fn save_snapshot(&self, id: &str, snapshot: Snapshot) -> Result<(), StoreError> {
        self.write(WriteOp::Snapshot { id: id.to_owned(), snapshot }).await.map(drop)
    }

    async fn delete(&self, id: &str) -> Result<bool, StoreError> {
        self.write(WriteOp::Delete { id: id.to_owned() }).await
    }

    async fn duplicate(&self, id: &str, copy: NewSession) -> Result<(), StoreError> {
        self.write(WriteOp::Duplicate { id: id.to_owned(), copy }).await.map(drop)
    }

    async fn list(&self, listing: Listing) -> Result<Vec<Listed>, StoreError> {
        let mut connection = self.readers.acquire().await?;
        read::list(&mut connection, &listing).await
    }

    async fn search(&self, query: &str, limit: usize) -> Result<Vec<Passage>, StoreError> {
        let mut connection = self.readers.acquire().await?;
        read::search(&mut connection, query, limit).await
    }

    async fn grant(&self, capability: Capability) -> Result<(), StoreError> {
        self.write(WriteOp::Grant(capability)).await.map(drop)
    }

    async fn capability(&self, token: &str) -> Result<Option<Capability>, StoreError> {
        let mut connection = self.readers.acquire().await?;
        read::capability(&mut connection, token).await
    }

    async fn capabilities(&self, id: &str) -> Result<Vec<Capability>, StoreError> {
        let mut connection = self.readers.acquire().await?;
        read::capabilities(&mut connection, id).await
    }

    async fn revoke(&self, id: &str, token: &str) -> Result<bool, StoreError> {
        self.write(WriteOp::Revoke { id: id.to_owned(), token: token.to_owned() }).await
    }

    async fn add_asset(&self, asset: Asset) -> Result<bool, StoreError> {
        self.write(WriteOp::AddAsset(asset)).await
    }

    async fn use_asset(&self, id: &str, hash: &str) -> Result<(), StoreError> {
        let (id, hash) = (id.to_owned(), hash.to_owned());
        self.write(WriteOp::UseAsset { id, hash }).await.map(drop)
    }

    async fn asset(&self, hash: &str) -> Result<Option<Asset>, StoreError> {
        let mut connection = self.readers.acquire().await?;
        assets::one(&mut connection, hash).await
    }

    async fn assets(&self, id: Option<&str>) -> Result<Vec<Asset>, StoreError> {
        let mut connection = self.readers.acquire().await?;
        assets::all(&mut connection, id).await
    }

    async fn unused_assets(&self, before_ms: u64) -> Result<Vec<String>, StoreError> {
        let mut connection = self.readers.acquire().await?;
        assets::unused(&mut connection, before_ms).await
    }

    async fn forget_asset(&self, hash: &str, before_ms: u64) -> Result<bool, StoreError> {
        self.write(WriteOp::ForgetAsset { hash: hash.to_owned(), before_ms }).await
    }

    async fn delete_unused(&self, before_ms: u64) -> Result<u64, StoreError> {
        let mut connection = self.readers.acquire().await?;
        let ids = read::unused(&mut connection, before_ms).await?;
        drop(connection);
        let mut deleted = 0;
        for id in ids {
            deleted += u64::from(self.write(WriteOp::DeleteUnused { id }).await?);
        }
        Ok(deleted)
    }

    async fn check(&self) -> Result<(), StoreError> {
        // Its file is beside the server: there is nothing to reach.
        Ok(())
    }

    async fn close(&self) {
        self.writer.close().await;
        self.readers.close().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_migration_file_is_listed() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/migrations/sqlite");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap())
            .collect();
        for migration in migrations().iter() {
            let before = files.len();
            files.retain(|file| file != migration.sql.as_str());
            assert_eq!(
                files.len(),
                before - 1,
                "'{}' is no file of its own",
                migration.description
            );
        }
        assert!(files.is_empty(), "not listed in `migrations`: {files:?}");
    }
}
