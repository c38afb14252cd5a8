//! The writer task: all queued operations are written in one transaction, so that they share one sync
//! to disk (group commit).

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, SqliteConnection};
use tokio::sync::{mpsc, oneshot};
use tokio_util::task::TaskTracker;

use crate::error::StoreError;
use crate::record::Append;

use super::appends::append_all;
use super::connection::limit_size;
use super::write_op::{WriteOp, apply};

/// Capacity of the queue. Each sender waits for its answer, so this bounds concurrent senders; others
/// wait to send.
const WAITING: usize = 1024;
/// The most operations of one transaction: bounds how long the first of them waits.
const MAX_BATCH: usize = 256;

type Answer = Result<bool, StoreError>;

/// A task for the writer.
pub(super) enum Task {
    Append(Append),
    Write(WriteOp),
    /// Stops the writer.
    Close,
}

struct Request {
    task: Task,
    answer: oneshot::Sender<Answer>,
}

/// A handle to the writer task.
pub(super) struct Writer {
    requests: mpsc::Sender<Request>,
    tracker: TaskTracker,
}

impl Writer {
    /// Starts the task that owns the connection.
    pub(super) fn start(connect: SqliteConnectOptions, max_bytes: Option<u64>) -> Self {
        let (requests, received) = mpsc::channel(WAITING);
        let tracker = TaskTracker::new();
        tracker.spawn(Writing { connect, max_bytes, connection: None }.run(received));
        tracker.close();
        Self { requests, tracker }
    }

    /// Runs `task`; it is on disk when this returns `Ok`.
    pub(super) async fn write(&self, task: Task) -> Answer {
        let closed = || StoreError::Failed("the store is closed".into());
        let (answer, answered) = oneshot::channel();
        self.requests.send(Request { task, answer }).await.map_err(|_| closed())?;
        answered.await.map_err(|_| closed())?
    }

    /// Waits until everything queued is written, and closes the queue.
    pub(super) async fn close(&self) {
        let (answer, _) = oneshot::channel();
        // A task that has ended has nothing left to write.
        let _ = self.requests.send(Request { task: Task::Close, answer }).await;
        self.tracker.wait().await;
    }
}

struct Writing {
    connect: SqliteConnectOptions,
    max_bytes: Option<u64>,
    /// Reopened after an error that left its state unknown.
    connection: Option<SqliteConnection>,
}

impl Writing {
    async fn run(mut self, mut requests: mpsc::Receiver<Request>) {
        while let Some(first) = requests.recv().await {
            let mut batch = vec![first];
            while batch.len() < MAX_BATCH
                && let Ok(next) = requests.try_recv()
            {
                batch.push(next);
            }
            let is_last = batch.iter().any(|request| matches!(request.task, Task::Close));
            batch.retain(|request| !matches!(request.task, Task::Close));
            self.write(batch).await;
            if is_last {
                requests.close();
            }
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
            // A sender that gave up can read the result.
            let _ = request.answer.send(answer);
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

/// Splits the appends from the other tasks: they are written together, first.
fn leading_appends<'a>(tasks: &[&'a Task]) -> Vec<&'a Append> {
    let appends = tasks.iter().map_while(|task| match task {
        Task::Append(append) => Some(append),
        Task::Write(_) | Task::Close => None,
    });
    appends.collect()
}

/// Separates a rejected task, which changed nothing, from a failure of the store.
fn refused_or_done(outcome: Answer) -> Result<Answer, StoreError> {
    match outcome {
        Err(
            refusal @ (StoreError::UnknownSession(_)
            | StoreError::UnknownAsset(_)
            | StoreError::Exists(_)
            | StoreError::Conflict { .. }),
        ) => Ok(Err(refusal)),
        Err(error) => Err(error),
        Ok(answer) => Ok(Ok(answer)),
    }
}
