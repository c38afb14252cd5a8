//! The lease of this server: as long as it renews it, it may own sessions.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sqlx::Row;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use supervision::supervised;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout, timeout_at};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::error::StoreError;
use crate::tenure::Tenure;

use super::connection::{PATIENCE, PAUSE, connect};
use super::owners::owned;

/// How often the lease is renewed.
const RENEW_EVERY: Duration = Duration::from_secs(1);
/// A server that could not renew its lease for this long, by its own clock, stops acting for its sessions.
const STOP_AFTER: Duration = Duration::from_secs(3);
/// How long a lease runs, by the clock of the database: long enough for whoever lost it to have stopped.
const LEASE_SECONDS: f64 = 5.0;
/// The first number of the advisory locks of servers; the second one is the server's.
const LOCKS: i32 = 380_062;

/// One life of this server: from when it got a lease to when that was over.
#[derive(Debug, Clone)]
pub(super) struct Life {
    /// Its id in the table of nodes.
    pub(super) id: String,
    lock: i32,
    /// Cancelled when it is over.
    pub(super) lost: CancellationToken,
    /// What it owns.
    pub(super) tenures: Arc<Tenures>,
}

/// The tenures of one life. While its lock is away, others may take its sessions one by one.
#[derive(Debug, Default)]
pub(super) struct Tenures(Mutex<HashMap<String, Tenure>>);

impl Tenures {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Tenure>> {
        // A panic cannot leave the map inconsistent, so a poisoned lock is safe to use.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A tenure, which is lost at the latest with the life.
    pub(super) fn begin(&self, id: &str, term: u64, life: &CancellationToken) -> Tenure {
        let tenure = Tenure { term, lost: life.child_token() };
        self.lock().insert(id.to_owned(), tenure.clone());
        tenure
    }

    fn forget(&self, id: &str, term: u64) {
        let mut tenures = self.lock();
        if tenures.get(id).is_some_and(|tenure| tenure.term == term) {
            tenures.remove(id);
        }
    }

    /// Tells the owners of all sessions that are not among these, which have other owners by now.
    fn keep(&self, owned: &HashMap<String, u64>) {
        self.lock().retain(|id, tenure| {
            // One that has just begun may be newer than what was read.
            let is_kept = owned.get(id).is_some_and(|term| tenure.term >= *term);
            if !is_kept {
                tenure.lost.cancel();
            }
            is_kept
        });
    }
}

/// The lease of this server.
pub(super) struct Lease {
    lives: watch::Receiver<Option<Life>>,
    stop: CancellationToken,
    tracker: TaskTracker,
}

impl Lease {
    /// Starts the task that holds the lease. `address` is where the server listens.
    pub(super) fn start(options: PgConnectOptions, address: String) -> Self {
        let (lives, life) = watch::channel(None);
        let (stop, tracker) = (CancellationToken::new(), TaskTracker::new());
        let holder = Arc::new(Holder { options, address, lives, stop: stop.clone() });
        tracker.spawn(supervised("holding the lease", move || Arc::clone(&holder).run()));
        tracker.close();
        Self { lives: life, stop, tracker }
    }

    /// The present life; waits for one that is just beginning.
    pub(super) async fn life(&self) -> Result<Life, StoreError> {
        let mut lives = self.lives.clone();
        let alive = timeout(PATIENCE, lives.wait_for(Option::is_some)).await;
        let life = alive.ok().and_then(Result::ok).and_then(|life| life.clone());
        life.ok_or_else(|| StoreError::Unreachable("this server has no lease".into()))
    }

    /// The id of the present life, if there is one.
    pub(super) fn present_id(&self) -> Option<String> {
        self.lives.borrow().as_ref().map(|life| life.id.clone())
    }

    /// The owner of this term has let go of the session.
    pub(super) fn forget(&self, id: &str, term: u64) {
        if let Some(life) = &*self.lives.borrow() {
            life.tenures.forget(id, term);
        }
    }

    /// Gives the lease up, and with it all sessions.
    pub(super) async fn close(&self) {
        self.stop.cancel();
        self.tracker.wait().await;
    }
}

struct Holder {
    options: PgConnectOptions,
    address: String,
    lives: watch::Sender<Option<Life>>,
    stop: CancellationToken,
}

impl Holder {
    async fn run(self: Arc<Self>) {
        // After a panic: its connection ended with it, and others may have its sessions.
        if let Some(life) = self.lives.send_replace(None) {
            life.lost.cancel();
        }
        loop {
            match self.stop.run_until_cancelled(self.begin()).await {
                None => return,
                Some(Ok((connection, life, renewed))) => {
                    self.lives.send_replace(Some(life.clone()));
                    self.hold(connection, &life, renewed).await;
                    life.lost.cancel();
                    self.lives.send_replace(None);
                }
                Some(Err(error)) => {
                    tracing::warn!(%error, "this server gets no lease");
                    sleep(PAUSE).await;
                }
            }
            if self.stop.is_cancelled() {
                return;
            }
        }
    }

    /// A new life, the connection that holds its lock, and when its lease began at the latest.
    async fn begin(&self) -> Result<(PgConnection, Life, Instant), StoreError> {
        let mut connection = connect(&self.options, Instant::now() + PATIENCE).await?;
        let renewed = Instant::now();
        // Of servers that died long ago.
        sqlx::query("DELETE FROM node WHERE lease_until < clock_timestamp() - interval '1 hour'")
            .execute(&mut connection)
            .await?;
        // In one transaction: nobody sees a node before it holds its lock.
        sqlx::raw_sql("BEGIN").execute(&mut connection).await?;
        let row = sqlx::query(
            "INSERT INTO node (id, address, lease_until)
             VALUES (gen_random_uuid()::text, $1, clock_timestamp() + make_interval(secs => $2))
             RETURNING id, life",
        )
        .bind(&self.address)
        .bind(LEASE_SECONDS)
        .fetch_one(&mut connection)
        .await?;
        let (id, lock) = (row.try_get("id")?, row.try_get("life")?);
        hold_lock(&mut connection, lock).await?;
        sqlx::raw_sql("COMMIT").execute(&mut connection).await?;
        let (lost, tenures) = (CancellationToken::new(), Arc::default());
        Ok((connection, Life { id, lock, lost, tenures }, renewed))
    }

    /// Renews the lease until it is lost, or given up.
    async fn hold(&self, connection: PgConnection, life: &Life, mut renewed: Instant) {
        let mut connection = Some(connection);
        let mut pause = RENEW_EVERY;
        loop {
            if self.stop.run_until_cancelled(sleep(pause)).await.is_none() {
                give_up(connection, life).await;
                return;
            }
            let (now, until) = (Instant::now(), renewed + STOP_AFTER);
            if now >= until {
                tracing::error!(
                    "this server could not renew its lease, and lets go of its sessions"
                );
                return;
            }
            pause = PAUSE;
            let renewal = timeout_at(until, self.renew(&mut connection, life)).await;
            match renewal {
                Ok(Ok(true)) => (renewed, pause) = (now, RENEW_EVERY),
                Ok(Ok(false)) => {
                    tracing::error!(
                        "the lease of this server was over; it lets go of its sessions"
                    );
                    return;
                }
                Ok(Err(error)) => {
                    tracing::warn!(%error, "this server could not renew its lease; it tries again");
                    connection = None;
                }
                // In the middle of an answer: it cannot be used again.
                Err(_) => connection = None,
            }
        }
    }

    /// Renews the lease, on a new connection if the last one was lost; false if it was over.
    async fn renew(
        &self,
        connection: &mut Option<PgConnection>,
        life: &Life,
    ) -> Result<bool, StoreError> {
        let connection = match connection {
            Some(connection) => connection,
            None => {
                let mut new = connect(&self.options, Instant::now() + PATIENCE).await?;
                hold_lock(&mut new, life.lock).await?;
                // While it was not held, others could take what they were asked for.
                life.tenures.keep(&owned(&mut new, &life.id).await?);
                connection.insert(new)
            }
        };
        let renewed = sqlx::query(
            "UPDATE node SET lease_until = clock_timestamp() + make_interval(secs => $2)
             WHERE id = $1 AND lease_until > clock_timestamp()",
        )
        .bind(&life.id)
        .bind(LEASE_SECONDS)
        .execute(connection)
        .await?;
        Ok(renewed.rows_affected() > 0)
    }
}

/// Holds the lock that tells others that the process lives, as long as the connection does.
async fn hold_lock(connection: &mut PgConnection, lock: i32) -> Result<(), StoreError> {
    // Shared, so that it is not waited for when a lost connection still holds it.
    let statement = sqlx::query("SELECT pg_advisory_lock_shared($1, $2)").bind(LOCKS).bind(lock);
    statement.execute(connection).await?;
    Ok(())
}

async fn give_up(connection: Option<PgConnection>, life: &Life) {
    let Some(mut connection) = connection else { return };
    let delete = sqlx::query("DELETE FROM node WHERE id = $1").bind(&life.id);
    match timeout(PATIENCE, delete.execute(&mut connection)).await {
        Ok(Ok(_)) => {}
        // Others wait for its end instead.
        Ok(Err(error)) => tracing::warn!(%error, "the lease of this server was not given up"),
        Err(_) => tracing::warn!("the lease of this server was not given up in time"),
    }
}
