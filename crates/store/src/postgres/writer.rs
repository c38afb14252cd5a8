//! The writer task: all queued operations are written in one transaction, so that they share one commit.
//! What fails because the connection is lost is tried again, and whether a commit that was not answered took
//! place is asked of the database.

use std::time::Duration;

use sqlx::Connection;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use tokio::time::{Instant, sleep, timeout};

use crate::error::StoreError;
use crate::writer::{Answer, Task, Transactions, Writer, leading_appends, refused_or_done};

use super::appends::append_all;
use super::apply::apply;
use super::connection::{PATIENCE, PAUSE, connect, set_up};

/// The longest time of one transaction: a database that is silent for longer counts as lost.
const MAX_TRANSACTION: Duration = Duration::from_secs(30);
/// How long the outcome of a commit is asked for. Until it is known, nobody can be told anything.
const MAX_DOUBT: Duration = Duration::from_secs(60);

/// Starts the task that owns the connection. `id` is the writer's own, in the table of writers.
pub(super) fn start(options: PgConnectOptions, id: String) -> Writer {
    Writer::start(Writing { options, id, batch: 0, connection: None })
}

struct Writing {
    options: PgConnectOptions,
    id: String,
    /// The number of the newest transaction.
    batch: i64,
    /// Made anew after an error that left its state unknown.
    connection: Option<PgConnection>,
}

/// How a transaction ended that did not succeed.
enum Failure {
    /// Nothing of it was written.
    Undone(StoreError),
    /// Its commit was sent and not answered: these are the answers if it took place.
    InDoubt(Vec<Answer>, StoreError),
}

impl Transactions for Writing {
    /// Tries again while the database cannot be reached.
    async fn run(&mut self, tasks: &[&Task]) -> Result<Vec<Answer>, StoreError> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let error = match self.transaction(tasks, deadline).await {
                Ok(answers) => return Ok(answers),
                Err(Failure::Undone(error)) => error,
                Err(Failure::InDoubt(answers, error)) => match self.is_committed().await? {
                    true => return Ok(answers),
                    false => error,
                },
            };
            if !matches!(error, StoreError::Unreachable(_)) || Instant::now() >= deadline {
                return Err(error);
            }
            sleep(PAUSE).await;
        }
    }

    async fn close(self) {
        let Some(mut connection) = self.connection else { return };
        let forget = sqlx::query("DELETE FROM writer WHERE id = $1").bind(&self.id);
        if let Err(error) = forget.execute(&mut connection).await {
            tracing::warn!(%error, "the store's connection was not closed in order");
        }
        // The database ends its side when this one is gone.
        let _ = connection.close().await;
    }
}

impl Writing {
    /// Runs one transaction.
    async fn transaction(
        &mut self,
        tasks: &[&Task],
        deadline: Instant,
    ) -> Result<Vec<Answer>, Failure> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.connect(deadline).await.map_err(Failure::Undone)?,
        };
        self.batch += 1;
        let mark = (&*self.id, self.batch);
        let written = within(MAX_TRANSACTION, write_all(&mut connection, tasks, mark)).await;
        let answers = match written {
            Ok(answers) => answers,
            Err(error) => {
                // Dropped where it is lost: the database undoes what was begun.
                if !matches!(error, StoreError::Unreachable(_)) {
                    let undo =
                        async { Ok(sqlx::raw_sql("ROLLBACK").execute(&mut connection).await?) };
                    let is_sound = within(MAX_TRANSACTION, undo).await.is_ok();
                    self.connection = is_sound.then_some(connection);
                }
                return Err(Failure::Undone(error));
            }
        };
        let commit = async { Ok(sqlx::raw_sql("COMMIT").execute(&mut connection).await?) };
        match within(MAX_TRANSACTION, commit).await {
            Ok(_) => {
                self.connection = Some(connection);
                Ok(answers)
            }
            Err(error) => Err(Failure::InDoubt(answers, error)),
        }
    }

    /// Whether the newest transaction, whose connection is lost, was committed.
    async fn is_committed(&mut self) -> Result<bool, StoreError> {
        let deadline = Instant::now() + MAX_DOUBT;
        loop {
            let asked = async {
                let mut connection = self.connect(deadline).await?;
                // Waits for the lost transaction, which holds this row, to end.
                let ask = "SELECT batch FROM writer WHERE id = $1 FOR UPDATE";
                let ask = sqlx::query_scalar(ask).bind(&self.id).fetch_optional(&mut connection);
                let newest: Option<i64> = within(MAX_TRANSACTION, async { Ok(ask.await?) }).await?;
                Ok::<_, StoreError>((newest == Some(self.batch), connection))
            };
            match asked.await {
                Ok((is_committed, connection)) => {
                    self.connection = Some(connection);
                    return Ok(is_committed);
                }
                Err(StoreError::Unreachable(_) | StoreError::Locked)
                    if Instant::now() < deadline =>
                {
                    sleep(PAUSE).await;
                }
                Err(error) => {
                    return Err(StoreError::Failed(format!(
                        "the connection to the database was lost while saving, and whether it was \
                         saved is not known ({error}); reload the page to see"
                    )));
                }
            }
        }
    }

    async fn connect(&self, deadline: Instant) -> Result<PgConnection, StoreError> {
        let mut connection = connect(&self.options, deadline).await?;
        within(MAX_TRANSACTION, async { Ok(set_up(&mut connection).await?) }).await?;
        Ok(connection)
    }
}

/// The outcome of `work`; a database that does not answer in time cannot be reached.
async fn within<T>(
    time: Duration,
    work: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    match timeout(time, work).await {
        Ok(outcome) => outcome,
        Err(_) => Err(StoreError::Unreachable("no answer in time".into())),
    }
}

/// Everything of a transaction but its commit. `mark` is the writer and the number of the transaction.
async fn write_all(
    connection: &mut PgConnection,
    tasks: &[&Task],
    mark: (&str, i64),
) -> Result<Vec<Answer>, StoreError> {
    sqlx::raw_sql("BEGIN").execute(&mut *connection).await?;
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
    sqlx::query(
        "INSERT INTO writer (id, batch, written_at) VALUES ($1, $2, now())
         ON CONFLICT (id) DO UPDATE SET batch = excluded.batch, written_at = excluded.written_at",
    )
    .bind(mark.0)
    .bind(mark.1)
    .execute(connection)
    .await?;
    Ok(answers)
}
