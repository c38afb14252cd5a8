//! The writer task: all queued operations are written in one transaction, so that they share one sync
//! to disk (group commit).

use crate::error::StoreError;
use crate::writer::{Answer, Batches, Request, Task, Writer, leading_appends, refused_or_done};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, SqliteConnection};

use super::appends::append_all;
use super::apply::apply;
use super::connection::limit_size;

/// Starts the task that owns the connection.
pub(super) fn start(connect: SqliteConnectOptions, max_bytes: Option<u64>) -> Writer {
    Writer::start(|batches| Writing { connect, max_bytes, connection: None }.run(batches))
}

struct Writing {
    connect: SqliteConnectOptions,
    max_bytes: Option<u64>,
    /// Reopened after an error that left its state unknown.
    connection: Option<SqliteConnection>,
}

impl Writing {
    async fn run(mut self, mut batches: Batches) {
        while let Some(batch) = batches.next().await {
            self.write(batch).await;
        }
        // Closed explicitly: the caller may copy the file afterwards.
        if let Some(connection) = self.connection
            && let Err(error) = connection.close().await
        {
            tracing::warn!(%error, "the store's file was not closed in order");
        }
    }

    /// Writes a batch and answers each task. If the batch fails, each task is tried separately, so that
    /// one failure does not affect the others.
    async fn write(&mut self, batch: Vec<Request>) {
        let tasks: Vec<&Task> = batch.iter().map(|request| &request.task).collect();
        let answers = match self.transaction(&tasks).await {
            Ok(answers) => answers,
            Err(error) if tasks.len() == 1 => vec![Err(error)],
            Err(_) => {
                let mut answers = Vec::with_capacity(tasks.len());
                for task in tasks {
                    let alone = self.transaction(&[task]).await;
                    // One task has one answer.
                    answers.push(alone.and_then(|mut answers| answers.remove(0)));
                }
                answers
            }
        };
        for (request, answer) in batch.into_iter().zip(answers) {
            request.answer(answer);
        }
    }

    /// Runs one transaction. An inner error is a rejected task that changed nothing; the outer error rolled
    /// everything back.
    async fn transaction(&mut self, tasks: &[&Task]) -> Result<Vec<Answer>, StoreError> {
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
