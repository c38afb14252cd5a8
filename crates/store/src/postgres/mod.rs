//! Sessions in a PostgreSQL database: one writer with group commit, separate readers. Several servers may
//! use one database.

mod appends;
mod apply;
mod assets;
mod connection;
mod lease;
mod owners;
mod read;
mod search;
mod text;
mod url;
mod writer;

use async_trait::async_trait;
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnection, PgPool, PgPoolOptions, Postgres};
use sqlx::{Connection, SqlStr};
use tokio::time::{Instant, sleep};

use crate::Store;
use crate::error::StoreError;
use crate::record::{
    Append, Asset, Capability, EventPage, Listed, Listing, NewSession, Passage, Record, Session,
    Snapshot, Stored,
};
use crate::tenure::{NodeState, Tenure};
use crate::write_op::WriteOp;
use crate::writer::{Task, Writer};

pub use self::url::DatabaseUrl;

use self::connection::{PATIENCE, PAUSE, check_database, connect, connect_options, set_up};
use self::lease::Lease;
use self::read::Lock;

/// The changes of the database's form, each once and in order.
fn migrations() -> Migrator {
    let migration = |version, description: &'static str, sql: &'static str| {
        let sql = SqlStr::from_static(sql);
        Migration::new(version, description.into(), MigrationType::Simple, sql, false)
    };
    Migrator::with_migrations(vec![
        migration(1, "sessions", include_str!("../../migrations/postgres/0001_sessions.sql")),
        migration(2, "owners", include_str!("../../migrations/postgres/0002_owners.sql")),
        migration(3, "secret", include_str!("../../migrations/postgres/0003_secret.sql")),
    ])
}

/// The number of reader connections.
const READERS: u32 = 4;

/// Sessions in a PostgreSQL database.
pub struct PostgresStore {
    writer: Writer,
    readers: PgPool,
    lease: Lease,
    secret: String,
}

impl PostgresStore {
    /// Opens the database, and migrates it to the newest schema. Servers that do so at the same time wait for
    /// each other. `address` is where this server listens, for the others.
    pub async fn open(url: &DatabaseUrl, address: &str) -> Result<Self, StoreError> {
        let options = connect_options(url)?;
        let mut connection = connect(&options, Instant::now() + PATIENCE).await?;
        check_database(&mut connection).await?;
        migrate(&mut connection).await?;
        let writer_id = new_writer(&mut connection).await?;
        let secret =
            sqlx::query_scalar("SELECT secret FROM cluster").fetch_one(&mut connection).await?;
        connection.close().await?;
        let readers = PgPoolOptions::new()
            .max_connections(READERS)
            .min_connections(0)
            .acquire_timeout(PATIENCE)
            .after_connect(|connection, _| Box::pin(set_up(connection)))
            .connect_lazy_with(options.clone());
        let lease = Lease::start(options.clone(), address.to_owned());
        lease.life().await?;
        Ok(Self { writer: writer::start(options, writer_id), readers, lease, secret })
    }

    async fn reader(&self) -> Result<PoolConnection<Postgres>, StoreError> {
        self.readers.acquire().await.map_err(|error| match error {
            sqlx::Error::PoolTimedOut => StoreError::Unreachable("no answer in time".into()),
            other => other.into(),
        })
    }

    async fn write(&self, op: WriteOp) -> Result<bool, StoreError> {
        self.writer.write(Task::Write(op)).await
    }
}

async fn migrate(connection: &mut PgConnection) -> Result<(), StoreError> {
    migrations().run(connection).await.map_err(|error| match error {
        MigrateError::Execute(error) => StoreError::from(error),
        MigrateError::VersionMissing(version) => StoreError::Failed(format!(
            "the database was written by a newer version (form {version}); update scene-llm"
        )),
        other => StoreError::Failed(other.to_string()),
    })
}

/// A new id in the table of writers; those of servers that were killed long ago are taken out of it. Finds
/// out, too, whether the database can be written.
async fn new_writer(connection: &mut PgConnection) -> Result<String, StoreError> {
    sqlx::query("DELETE FROM writer WHERE written_at < now() - interval '7 days'")
        .execute(&mut *connection)
        .await?;
    let id = sqlx::query_scalar(
        "INSERT INTO writer (id, batch, written_at) VALUES (gen_random_uuid()::text, 0, now())
         RETURNING id",
    );
    Ok(id.fetch_one(connection).await?)
}

#[async_trait]
impl Store for PostgresStore {
    async fn create(&self, session: NewSession) -> Result<(), StoreError> {
        self.write(WriteOp::Create(session)).await.map(drop)
    }

    async fn own(&self, id: &str) -> Result<Tenure, StoreError> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let life = self.lease.life().await?;
            let mut connection = self.reader().await?;
            if let Some(term) = owners::take(&mut connection, id, &life.id).await? {
                return Ok(life.tenures.begin(id, term, &life.lost));
            }
            drop(connection);
            if Instant::now() >= deadline {
                return Err(StoreError::Unreachable("this server has no lease".into()));
            }
            sleep(PAUSE).await;
        }
    }

    async fn holds(&self, id: &str, term: u64) -> Result<bool, StoreError> {
        let mut connection = self.reader().await?;
        owners::holds(&mut connection, id, term).await
    }

    async fn release(&self, id: &str, term: u64) -> Result<(), StoreError> {
        self.lease.forget(id, term);
        let mut connection = self.reader().await?;
        owners::release(&mut connection, id, term).await
    }

    async fn state_of(&self, node: &str) -> Result<NodeState, StoreError> {
        let mut connection = self.reader().await?;
        owners::state_of(&mut connection, node).await
    }

    fn node(&self) -> Option<String> {
        self.lease.present_id()
    }

    async fn address_of(&self, node: &str) -> Result<Option<String>, StoreError> {
        let mut connection = self.reader().await?;
        owners::address_of(&mut connection, node).await
    }

    fn secret(&self) -> Option<&str> {
        Some(&self.secret)
    }

    async fn orphans(&self, limit: u32) -> Result<Vec<String>, StoreError> {
        let mut connection = self.reader().await?;
        owners::orphans(&mut connection, limit).await
    }

    fn writes_waiting(&self) -> Option<(usize, usize)> {
        Some(self.writer.waiting())
    }

    async fn append(&self, append: Append) -> Result<(), StoreError> {
        self.writer.write(Task::Append(append)).await.map(drop)
    }

    async fn session(&self, id: &str) -> Result<Option<Session>, StoreError> {
        let mut connection = self.reader().await?;
        Ok(read::session(&mut connection, id, Lock::None).await?.map(|(_, session)| session))
    }

    async fn load(&self, id: &str) -> Result<Option<Stored>, StoreError> {
        let mut connection = self.reader().await?;
        read::load(&mut connection, id).await
    }

    async fn records(&self, id: &str, until: u64) -> Result<Vec<(u64, Record)>, StoreError> {
        let mut connection = self.reader().await?;
        read::records(&mut connection, id, until).await
    }

    async fn log(
        &self,
        id: &str,
        after: u64,
        limit: usize,
        max_bytes: usize,
    ) -> Result<Vec<(u64, Record)>, StoreError> {
        let mut connection = self.reader().await?;
        read::log(&mut connection, id, after, limit, max_bytes).await
    }

    async fn events(
        &self,
        id: &str,
        after: u64,
        limit: usize,
        max_bytes: usize,
    ) -> Result<EventPage, StoreError> {
        let mut connection = self.reader().await?;
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
        let mut connection = self.reader().await?;
        search::list(&mut connection, &listing).await
    }

    async fn search(&self, query: &str, limit: usize) -> Result<Vec<Passage>, StoreError> {
        let mut connection = self.reader().await?;
        search::search(&mut connection, query, limit).await
    }

    async fn grant(&self, capability: Capability) -> Result<(), StoreError> {
        self.write(WriteOp::Grant(capability)).await.map(drop)
    }

    async fn capability(&self, token: &str) -> Result<Option<Capability>, StoreError> {
        let mut connection = self.reader().await?;
        read::capability(&mut connection, token).await
    }

    async fn capabilities(&self, id: &str) -> Result<Vec<Capability>, StoreError> {
        let mut connection = self.reader().await?;
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
        let mut connection = self.reader().await?;
        assets::one(&mut connection, hash).await
    }

    async fn assets(&self, id: Option<&str>) -> Result<Vec<Asset>, StoreError> {
        let mut connection = self.reader().await?;
        assets::all(&mut connection, id).await
    }

    async fn unused_assets(&self, before_ms: u64) -> Result<Vec<String>, StoreError> {
        let mut connection = self.reader().await?;
        assets::unused(&mut connection, before_ms).await
    }

    async fn forget_asset(&self, hash: &str, before_ms: u64) -> Result<bool, StoreError> {
        self.write(WriteOp::ForgetAsset { hash: hash.to_owned(), before_ms }).await
    }

    async fn delete_unused(&self, before_ms: u64) -> Result<u64, StoreError> {
        let mut connection = self.reader().await?;
        let ids = read::unused(&mut connection, before_ms).await?;
        drop(connection);
        let mut deleted = 0;
        for id in ids {
            deleted += u64::from(self.write(WriteOp::DeleteUnused { id }).await?);
        }
        Ok(deleted)
    }

    async fn check(&self) -> Result<(), StoreError> {
        let mut connection = self.reader().await?;
        sqlx::query("SELECT 1").execute(&mut *connection).await?;
        Ok(())
    }

    async fn close(&self) {
        self.writer.close().await;
        self.lease.close().await;
        self.readers.close().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_migration_file_is_listed() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/migrations/postgres");
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
