//! The queue of a store's writer. Operations that come while others are written are written together, so
//! that they share one transaction and one sync to disk (group commit).

use tokio::sync::{mpsc, oneshot};
use tokio_util::task::TaskTracker;

use crate::error::StoreError;
use crate::record::{Append, Session};
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
pub(crate) struct Request {
    pub(crate) task: Task,
    answer: oneshot::Sender<Answer>,
}

impl Request {
    /// Answers it. A sender that gave up can read the result.
    pub(crate) fn answer(self, answer: Answer) {
        let _ = self.answer.send(answer);
    }
}

/// A handle to the task that owns the connection.
pub(crate) struct Writer {
    requests: mpsc::Sender<Request>,
    tracker: TaskTracker,
}

impl Writer {
    /// Starts the task that `run` makes: it takes batches until there are no more.
    pub(crate) fn start<F>(run: impl FnOnce(Batches) -> F) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let (requests, received) = mpsc::channel(WAITING);
        let tracker = TaskTracker::new();
        tracker.spawn(run(Batches(received)));
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

/// What is queued, in batches.
pub(crate) struct Batches(mpsc::Receiver<Request>);

impl Batches {
    /// Everything that waits, at least one task and at most [`MAX_BATCH`]; `None` when the queue is closed.
    pub(crate) async fn next(&mut self) -> Option<Vec<Request>> {
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
    if let Some(seq) = append.records.iter().rev().find_map(|record| record.seq) {
        session.seq = seq;
    }
    if let Some(epoch) = &append.epoch {
        session.epoch.clone_from(epoch);
    }
    if let Some(name) = &append.name {
        session.name.clone_from(name);
    }
    Ok(())
}
