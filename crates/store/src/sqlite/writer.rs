//! The one writer: whatever waits is written in one transaction, so that many share one sync to disk.

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, SqliteConnection};
use tokio::sync::{mpsc, oneshot};
use tokio_util::task::TaskTracker;

use crate::error::StoreError;

use super::change::{Change, apply};

/// Changes that may wait. Each waiter is a session or a request, which wait for their answer, so
/// this bounds how many do at once; beyond it they wait to hand in.
const WAITING: usize = 1024;
/// The most changes of one transaction: bounds how long the first of them waits.
const MAX_BATCH: usize = 256;

type Answer = Result<bool, StoreError>;

struct Request {
    change: Change,
    answer: oneshot::Sender<Answer>,
}

/// Hands changes to the writing task.
pub(super) struct Writer {
    requests: mpsc::Sender<Request>,
    tracker: TaskTracker,
}

impl Writer {
    /// Starts the task that owns the connection.
    pub(super) fn start(connect: SqliteConnectOptions, max_bytes: Option<u64>) -> Self {
        let (requests, received) = mpsc::channel(WAITING);
        let tracker = TaskTracker::new();
        tracker.spawn(Task { connect, max_bytes, connection: None }.run(received));
        tracker.close();
        Self { requests, tracker }
    }

    /// Writes `change`; when this returns `Ok` it is on disk.
    pub(super) async fn write(&self, change: Change) -> Answer {
        let closed = || StoreError::Failed("the store is closed".into());
        let (answer, answered) = oneshot::channel();
        self.requests.send(Request { change, answer }).await.map_err(|_| closed())?;
        answered.await.map_err(|_| closed())?
    }

    /// Waits until everything handed in is written and nobody can hand in more.
    pub(super) async fn close(&self) {
        let (answer, _) = oneshot::channel();
        // A task that is gone already has nothing left to write.
        let _ = self.requests.send(Request { change: Change::Close, answer }).await;
        self.tracker.wait().await;
    }
}

struct Task {
    connect: SqliteConnectOptions,
    max_bytes: Option<u64>,
    /// Made anew after a fault that left it in doubt.
    connection: Option<SqliteConnection>,
}

impl Task {
    async fn run(mut self, mut requests: mpsc::Receiver<Request>) {
        while let Some(first) = requests.recv().await {
            let mut batch = vec![first];
            while batch.len() < MAX_BATCH
                && let Ok(next) = requests.try_recv()
            {
                batch.push(next);
            }
            let is_last = batch.iter().any(|request| matches!(request.change, Change::Close));
            batch.retain(|request| !matches!(request.change, Change::Close));
            self.write(batch).await;
            if is_last {
                requests.close();
            }
        }
    }

    /// Writes a batch and answers each. A fault of one must not be the fault of all: then each is
    /// tried alone.
    async fn write(&mut self, batch: Vec<Request>) {
        let changes: Vec<&Change> = batch.iter().map(|request| &request.change).collect();
        let answers = match self.transaction(&changes).await {
            Ok(answers) => answers,
            Err(error) if changes.len() == 1 => vec![Err(error)],
            Err(_) => {
                let mut answers = Vec::with_capacity(changes.len());
                for change in changes {
                    let alone = self.transaction(&[change]).await;
                    // One change has one answer.
                    answers.push(alone.and_then(|mut answers| answers.remove(0)));
                }
                answers
            }
        };
        for (request, answer) in batch.into_iter().zip(answers) {
            // Who gave up waiting finds out by reading.
            let _ = request.answer.send(answer);
        }
    }

    /// One transaction. An inner error is a refusal that changed nothing; an outer one took all back.
    async fn transaction(&mut self, changes: &[&Change]) -> Result<Vec<Answer>, StoreError> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.connect().await?,
        };
        let outcome = transact(&mut connection, changes).await;
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
            super::limit_size(&mut connection, max_bytes).await?;
        }
        Ok(connection)
    }
}

async fn transact(
    connection: &mut SqliteConnection,
    changes: &[&Change],
) -> Result<Vec<Answer>, StoreError> {
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await?;
    let mut answers = Vec::with_capacity(changes.len());
    for change in changes {
        match apply(connection, change).await {
            Err(fault @ (StoreError::UnknownSession(_) | StoreError::Exists(_))) => {
                answers.push(Err(fault));
            }
            Err(fault @ StoreError::Conflict { .. }) => answers.push(Err(fault)),
            Err(fault) => return Err(fault),
            Ok(answer) => answers.push(Ok(answer)),
        }
    }
    sqlx::query("COMMIT").execute(connection).await?;
    Ok(answers)
}
