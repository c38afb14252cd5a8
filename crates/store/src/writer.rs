//! The queue of a store's writer. Operations that come while others are written are written together, so
//! that they share one transaction and one sync to disk (group commit).

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use tokio::sync::{mpsc, oneshot};
use tokio_util::task::TaskTracker;

use crate::error::StoreError;
use crate::record::{Append, Newest, Session};
use crate::write_op::WriteOp;

/// Capacity of the queue. Each sender waits for its answer, so this bounds concurrent senders; others
/// wait to send.
const WAITING: usize = 1024;
/// The most operations of one transaction: bounds how long the first of them waits.
const MAX_BATCH: usize = 256;

/// Whether the operation changed something.
pub(crate) type Answer = Result<bool, StoreError>;

/// A task for the writer.
pub(crate) enum Task {
    Append(Append),
    Write(WriteOp),
    /// Stops the writer.
    Close,
}

/// A task, and where its answer goes.
struct Request {
    task: Task,
    answer: oneshot::Sender<Answer>,
}

/// The connection that the writer owns.
pub(crate) trait Transactions: Send + 'static {
    /// Carries out tasks in one transaction. An inner error is a rejected task that changed nothing; the outer error
    /// undid everything.
    fn run(
        &mut self,
        tasks: &[&Task],
    ) -> impl Future<Output = Result<Vec<Answer>, StoreError>> + Send;

    /// Closes the connection.
    fn close(self) -> impl Future<Output = ()> + Send;
}

/// A handle to the task that owns the connection.
pub(crate) struct Writer {
    requests: mpsc::Sender<Request>,
    tracker: TaskTracker,
}

impl Writer {
    /// Starts the task that writes what is queued, until the queue is closed.
    pub(crate) fn start(transactions: impl Transactions) -> Self {
        let (requests, received) = mpsc::channel(WAITING);
        let tracker = TaskTracker::new();
        tracker.spawn(write_all(transactions, Batches(received)));
        tracker.close();
        Self { requests, tracker }
    }

    /// Runs `task`; it is on disk when this returns `Ok`.
    pub(crate) async fn write(&self, task: Task) -> Answer {
        let closed = || StoreError::Failed("the store is closed".into());
        let (answer, answered) = oneshot::channel();
        self.requests.send(Request { task, answer }).await.map_err(|_| closed())?;
        answered.await.map_err(|_| closed())?
    }

    /// How many operations wait, and the most that do before others wait to send.
    pub(crate) fn waiting(&self) -> (usize, usize) {
        let most = self.requests.max_capacity();
        (most - self.requests.capacity(), most)
    }

    /// Waits until everything queued is written, and closes the queue.
    pub(crate) async fn close(&self) {
        let (answer, _) = oneshot::channel();
        // A task that has ended has nothing left to write.
        let _ = self.requests.send(Request { task: Task::Close, answer }).await;
        self.tracker.wait().await;
    }
}

async fn write_all(mut transactions: impl Transactions, mut batches: Batches) {
    while let Some(batch) = batches.next().await {
        write(&mut transactions, batch).await;
    }
    transactions.close().await;
}

/// Writes a batch and answers each task. If the batch fails, each task is tried separately, so that one failure does
/// not affect the others.
async fn write(transactions: &mut impl Transactions, batch: Vec<Request>) {
    let tasks: Vec<&Task> = batch.iter().map(|request| &request.task).collect();
    let answers = match run(transactions, &tasks).await {
        Ok(answers) => answers,
        Err(error) if tasks.len() == 1 || matches!(error, StoreError::Unreachable(_)) => {
            tasks.iter().map(|_| Err(error.clone())).collect()
        }
        Err(_) => {
            let mut answers = Vec::with_capacity(tasks.len());
            for task in tasks {
                let alone = run(transactions, &[task]).await;
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

/// Runs a transaction. A panic is its error: without its writer the server would save nothing any more. The connection
/// is taken out while it is used, so that a panic closes it, which undoes what was not committed.
async fn run(
    transactions: &mut impl Transactions,
    tasks: &[&Task],
) -> Result<Vec<Answer>, StoreError> {
    let outcome = AssertUnwindSafe(transactions.run(tasks)).catch_unwind().await;
    outcome.unwrap_or_else(|_| {
        tracing::error!("a transaction of the store panicked");
        let why = "the store has made a mistake with this change; the log of the server says more";
        Err(StoreError::Failed(why.into()))
    })
}

/// What is queued, in batches.
struct Batches(mpsc::Receiver<Request>);

impl Batches {
    /// Everything that waits, at least one task and at most [`MAX_BATCH`]; `None` when the queue is closed.
    async fn next(&mut self) -> Option<Vec<Request>> {
        loop {
            let mut batch = vec![self.0.recv().await?];
            while batch.len() < MAX_BATCH
                && let Ok(next) = self.0.try_recv()
            {
                batch.push(next);
            }
            if batch.iter().any(|request| matches!(request.task, Task::Close)) {
                // What was sent before is still received.
                self.0.close();
                batch.retain(|request| !matches!(request.task, Task::Close));
            }
            if !batch.is_empty() {
                return Some(batch);
            }
        }
    }
}

/// The appends before the first other task: they are written together.
pub(crate) fn leading_appends<'a>(tasks: &[&'a Task]) -> Vec<&'a Append> {
    let appends = tasks.iter().map_while(|task| match task {
        Task::Append(append) => Some(append),
        Task::Write(_) | Task::Close => None,
    });
    appends.collect()
}

/// Separates a rejected task, which changed nothing, from a failure of the store.
pub(crate) fn refused_or_done(outcome: Answer) -> Result<Answer, StoreError> {
    match outcome {
        Err(
            refusal @ (StoreError::UnknownSession(_)
            | StoreError::UnknownAsset(_)
            | StoreError::Exists(_)
            | StoreError::Fenced(_)
            | StoreError::Conflict { .. }),
        ) => Ok(Err(refusal)),
        Err(error) => Err(error),
        Ok(answer) => Ok(Ok(answer)),
    }
}

/// The state of the session after `append`, or a conflict.
pub(crate) fn follow(session: &mut Session, append: &Append) -> Result<(), StoreError> {
    if session.head != append.after {
        return Err(StoreError::Conflict { expected: append.after, found: session.head });
    }
    session.head += append.records.len() as u64;
    session.messages += append.messages;
    session.updated_ms = append.now_ms;
    session.seq = match append.newest {
        Newest::OfRecords => {
            append.records.iter().rev().find_map(|record| record.seq).unwrap_or(session.seq)
        }
        Newest::Unchanged => session.seq,
        Newest::Is(seq) => seq,
    };
    if let Some(epoch) = &append.epoch {
        session.epoch.clone_from(epoch);
    }
    if let Some(name) = &append.name {
        session.name.clone_from(name);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use futures_util::future::join_all;

    use super::*;

    /// Writes nothing, and panics at the session `panics`. Keeps how many tasks each transaction had that ended.
    struct Panicking(Arc<Mutex<Vec<usize>>>);

    fn is_on_purpose(task: &Task) -> bool {
        matches!(task, Task::Append(Append { session, .. }) if session == "panics")
    }

    impl Transactions for Panicking {
        async fn run(&mut self, tasks: &[&Task]) -> Result<Vec<Answer>, StoreError> {
            tokio::task::yield_now().await;
            assert!(!tasks.iter().any(|task| is_on_purpose(task)), "on purpose");
            self.0.lock().unwrap().push(tasks.len());
            Ok(tasks.iter().map(|_| Ok(true)).collect())
        }

        async fn close(self) {}
    }

    #[tokio::test]
    async fn a_panic_is_the_error_of_its_task_and_the_writer_goes_on() {
        let done = Arc::default();
        let writer = Writer::start(Panicking(Arc::clone(&done)));
        let append = async |session: &str| {
            let append = Append { session: session.into(), ..Append::default() };
            writer.write(Task::Append(append)).await
        };
        // They are queued before the writer runs, so that it takes them together.
        let answers = join_all(["a", "panics", "b"].map(&append)).await;
        let [Ok(true), Err(StoreError::Failed(why)), Ok(true)] = &answers[..] else {
            panic!("{answers:?}")
        };
        assert!(why.contains("the log of the server says more"), "{why}");
        assert_eq!(append("later").await, Ok(true));
        assert_eq!(*done.lock().unwrap(), [1, 1, 1]);
        writer.close().await;
    }
}
