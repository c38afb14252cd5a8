//! The writer task: all queued operations are written in one transaction, so that they share one sync
//! to disk (group commit).

use crate::error::StoreError;
use crate::writer::{Answer, Task, Transactions, Writer, leading_appends, refused_or_done};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, SqliteConnection};

use super::appends::append_all;
use super::apply::apply;
use super::connection::limit_size;

/// Starts the task that owns the connection.
pub(super) fn start(connect: SqliteConnectOptions, max_bytes: Option<u64>) -> Writer {
    Writer::start(Writing { connect, max_bytes, connection: None })
}

struct Writing {
    connect: SqliteConnectOptions,
    max_bytes: Option<u64>,
    /// Reopened after an error that left its state unknown.
    connection: Option<SqliteConnection>,
}

impl Transactions for Writing {
    async fn run(&mut self, tasks: &[&Task]) -> Result<Vec<Answer>, StoreError> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.connect().await?,
        };
        let outcome = transact(&mut connection, tasks).await;
        let is_sound =
            outcome.is_ok() || sqlx::query("ROLLBACK").execute(&mut connection).await.is_ok();
        if is_sound {
            self.connection = Some(connection);
        }
        outcome
    }

    async fn close(self) {
        // Closed explicitly: the caller may copy the file afterwards.
        if let Some(connection) = self.connection
            && let Err(error) = connection.close().await
        {
            tracing::warn!(%error, "the store's file was not closed in order");
        }
    }
}

impl Writing {
    async fn connect(&self) -> Result<SqliteConnection, StoreError> {
        let mut connection = self.connect.connect().await?;
        if let Some(max_bytes) = self.max_bytes {
            limit_size(&mut connection, max_bytes).await?;
        }
        Ok(connection)
    }
}

async fn transact(
    connection: &mut SqliteConnection,
    tasks: &[&Task],
) -> Result<Vec<Answer>, StoreError> {
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await?;
    let mut answers = Vec::with_capacity(tasks.len());
    let mut rest = tasks;
    while let [first, after_first @ ..] = rest {
        let appends = leading_appends(rest);
        rest = match first {
            Task::Append(_) => {
                let done = append_all(connection, &appends).await?;
                answers.extend(done.into_iter().map(|answer| answer.map(|()| true)));
                &rest[appends.len()..]
            }
            Task::Write(op) => {
                answers.push(refused_or_done(apply(connection, op).await)?);
                after_first
            }
            Task::Close => after_first,
        };
    }
    sqlx::query("COMMIT").execute(connection).await?;
    Ok(answers)
}
