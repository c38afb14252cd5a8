//! Long-running exports and imports. They share one memory budget and a few slots; others queue in
//! order of arrival.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::http::StatusCode;
use bytes::Bytes;
use studio::Bound;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::problem::Problem;
use crate::shares::SharedLimits;

/// Bytes per permit.
const UNIT: u64 = 1 << 16;
/// Bytes of a body that are on their way to a client at once.
const PIECE: usize = 1 << 16;
/// How long a client may take for a chunk before the rest of its file is dropped.
const STALLED: Duration = Duration::from_secs(30);

/// The queue of exports and imports.
#[derive(Debug, Clone)]
pub(crate) struct Jobs {
    limits: SharedLimits,
    /// Slots for running and queued jobs.
    places: Arc<Semaphore>,
    /// Slots for running jobs. Tokio semaphores are fair (first in, first out).
    turns: Arc<Semaphore>,
    memory: Arc<Semaphore>,
    /// Cancelled when the server stops.
    stop: CancellationToken,
}

/// What a job holds of its client's share, for as long as it or its file is there.
type Own = Arc<dyn Any + Send + Sync>;

/// A slot of a running job. Dropping it cancels the job.
#[derive(Debug)]
pub(super) struct Turn {
    jobs: Jobs,
    own: Own,
    has_left: Arc<AtomicBool>,
    /// Also held by the job itself, which may run for a moment after its client has left.
    held: Arc<Held>,
}

#[derive(Debug)]
struct Held {
    _place: OwnedSemaphorePermit,
    _turn: OwnedSemaphorePermit,
}

/// Memory reserved for a job's results; freed on drop.
#[derive(Debug)]
pub(super) struct Memory(
    OwnedSemaphorePermit,
    #[expect(dead_code, reason = "held for its drop")] Own,
);

/// The result of a job, and its memory.
#[derive(Debug)]
pub(super) struct Done<T> {
    pub(super) value: T,
    pub(super) memory: Memory,
}

impl Jobs {
    /// An empty queue within these limits; `stop` cancels all jobs.
    pub(crate) fn new(limits: SharedLimits, stop: CancellationToken) -> Self {
        let semaphore = |permits| Arc::new(Semaphore::new(permits));
        Self {
            limits,
            places: semaphore(limits.jobs + limits.jobs_waiting),
            turns: semaphore(limits.jobs),
            memory: semaphore((limits.job_bytes / UNIT) as usize),
            stop,
        }
    }

    /// The limits that all clients share.
    pub(crate) fn bounds(&self) -> [Bound; 3] {
        let SharedLimits { jobs, jobs_waiting, job_bytes, .. } = self.limits;
        let (at_work, waiting) = (jobs as u64, jobs_waiting as u64);
        let running = Bound::of_permits("jobs", &self.turns, at_work, 1);
        let places = Bound::of_permits("jobs_waiting", &self.places, at_work + waiting, 1);
        let used = places.used.saturating_sub(running.used);
        let memory = Bound::of_permits("job_bytes", &self.memory, job_bytes, UNIT);
        [running, Bound { used, limit: waiting, ..places }, memory]
    }

    /// Waits for a slot, first in, first out. `own` is given back when the job has ended and its file is sent.
    pub(super) async fn enter(&self, own: impl Any + Send + Sync) -> Result<Turn, Problem> {
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| {
            let waiting = self.limits.jobs_waiting;
            let detail =
                format!("{waiting} exports and imports wait already; try again in a few seconds");
            Problem::new(StatusCode::TOO_MANY_REQUESTS, detail)
        })?;
        let turn = self.waited(Arc::clone(&self.turns).acquire_owned()).await?;
        Ok(Turn {
            jobs: self.clone(),
            own: Arc::new(own),
            has_left: Arc::default(),
            held: Arc::new(Held { _place: place, _turn: turn }),
        })
    }

    async fn waited<E>(
        &self,
        permit: impl Future<Output = Result<OwnedSemaphorePermit, E>>,
    ) -> Result<OwnedSemaphorePermit, Problem> {
        // The semaphores are never closed.
        match self.stop.run_until_cancelled(permit).await {
            Some(Ok(permit)) => Ok(permit),
            _ => Err(Problem::stopping()),
        }
    }
}

impl Turn {
    /// Runs work once `bytes` of memory are free. The work polls whether it is cancelled.
    pub(super) async fn work<T: Send + 'static>(
        &self,
        bytes: u64,
        work: impl FnOnce(&dyn Fn() -> bool) -> T + Send + 'static,
    ) -> Result<Done<T>, Problem> {
        let units = u32::try_from(bytes.min(self.jobs.limits.job_bytes).div_ceil(UNIT).max(1))
            .unwrap_or(u32::MAX);
        let memory = Arc::clone(&self.jobs.memory).acquire_many_owned(units);
        let memory = self.jobs.waited(memory).await?;
        let (held, has_left, stop) =
            (Arc::clone(&self.held), Arc::clone(&self.has_left), self.jobs.stop.clone());
        let own = Arc::clone(&self.own);
        let done = tokio::task::spawn_blocking(move || {
            let _held = held;
            let value = work(&|| has_left.load(Ordering::Relaxed) || stop.is_cancelled());
            Done { value, memory: Memory(memory, own) }
        });
        done.await.map_err(|error| {
            // It ends early only by a panic: a stopping runtime does not wait for blocking work.
            Problem::new(StatusCode::INTERNAL_SERVER_ERROR, format!("the work failed: {error}"))
        })
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.has_left.store(true, Ordering::Relaxed);
    }
}

impl Memory {
    /// Frees all but `bytes`.
    fn keep(&mut self, bytes: u64) {
        let kept = usize::try_from(bytes.div_ceil(UNIT)).unwrap_or(usize::MAX);
        let more = self.0.num_permits().saturating_sub(kept);
        drop(self.0.split(more));
    }
}

/// A body in chunks, whose memory is freed as they are sent. A client that takes none for [`STALLED`]
/// is cut off.
pub(super) fn body(pieces: Vec<Vec<u8>>, mut memory: Memory, tracker: &TaskTracker) -> Body {
    let mut left: u64 = pieces.iter().map(|piece| piece.len() as u64).sum();
    memory.keep(left);
    // One chunk is being sent while the next is prepared.
    let (sender, mut receiver) = mpsc::channel::<Bytes>(1);
    tracker.spawn(async move {
        for mut piece in pieces.into_iter().map(Bytes::from) {
            while !piece.is_empty() {
                let next = piece.split_to(piece.len().min(PIECE));
                left -= next.len() as u64;
                match tokio::time::timeout(STALLED, sender.send(next)).await {
                    Ok(Ok(())) => {}
                    // The client has left, or stalls.
                    Ok(Err(_)) | Err(_) => return,
                }
            }
            memory.keep(left);
        }
    });
    Body::from_stream(async_stream::stream! {
        while let Some(piece) = receiver.recv().await {
            yield Ok::<_, std::convert::Infallible>(piece);
        }
    })
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;

    use super::*;

    const MAX_AT_WORK: usize = 2;
    const MAX_WAITING: usize = 16;
    const MEMORY: u64 = 1 << 30;

    fn jobs() -> (Jobs, CancellationToken) {
        let stop = CancellationToken::new();
        (Jobs::new(SharedLimits::default(), stop.clone()), stop)
    }

    /// Work that tells when it has begun, and goes on until nobody waits for it.
    async fn endless(
        turn: &Turn,
        bytes: u64,
        began: oneshot::Sender<()>,
    ) -> Result<Done<()>, Problem> {
        let work = move |cancelled: &dyn Fn() -> bool| {
            let _ = began.send(());
            while !cancelled() {
                std::thread::yield_now();
            }
        };
        turn.work(bytes, work).await
    }

    #[tokio::test]
    async fn work_ends_when_its_client_leaves_and_gives_all_back() {
        let (jobs, _stop) = jobs();
        let turn = jobs.enter(()).await.unwrap();
        let (began, has_begun) = oneshot::channel();
        let client = tokio::spawn(async move { endless(&turn, 1 << 20, began).await.map(drop) });
        has_begun.await.unwrap();
        client.abort();
        // All of it is there again as soon as the work has seen it.
        let all = Arc::clone(&jobs.memory).acquire_many_owned((MEMORY / UNIT) as u32);
        drop(all.await.unwrap());
        let turns = Arc::clone(&jobs.turns).acquire_many_owned(MAX_AT_WORK as u32);
        drop(turns.await.unwrap());
        let places = (MAX_AT_WORK + MAX_WAITING) as u32;
        drop(Arc::clone(&jobs.places).acquire_many_owned(places).await.unwrap());
    }

    #[tokio::test]
    async fn a_panic_is_an_error_of_its_job_and_gives_all_back() {
        let (jobs, _stop) = jobs();
        let turn = jobs.enter(()).await.unwrap();
        let failed =
            turn.work(1 << 20, |_| panic!("on purpose")).await.map(|done: Done<()>| drop(done));
        assert_eq!(failed.unwrap_err().status(), StatusCode::INTERNAL_SERVER_ERROR);
        drop(turn);
        assert!(jobs.bounds().iter().all(|bound| bound.used == 0), "{:?}", jobs.bounds());
    }

    #[tokio::test]
    async fn work_ends_when_the_server_stops() {
        let (jobs, stop) = jobs();
        let turn = jobs.enter(()).await.unwrap();
        let (began, has_begun) = oneshot::channel();
        let client = tokio::spawn(async move { endless(&turn, 1, began).await.map(drop) });
        has_begun.await.unwrap();
        stop.cancel();
        client.await.unwrap().unwrap();
        assert_eq!(
            jobs.enter(()).await.map(drop).unwrap_err().status(),
            StatusCode::SERVICE_UNAVAILABLE
        );
    }

    #[tokio::test]
    async fn those_who_wait_are_served_in_order_and_no_more_than_a_few_wait() {
        let (jobs, _stop) = jobs();
        let mut at_work = Vec::new();
        for _ in 0..MAX_AT_WORK {
            at_work.push(jobs.enter(()).await.unwrap());
        }
        let (report, mut order) = mpsc::unbounded_channel();
        for number in 0..MAX_WAITING {
            let (jobs, report) = (jobs.clone(), report.clone());
            let before = jobs.places.available_permits();
            let waiting = jobs.places.clone();
            tokio::spawn(async move {
                let _turn = jobs.enter(()).await.unwrap();
                report.send(number).unwrap();
            });
            while waiting.available_permits() == before {
                tokio::task::yield_now().await;
            }
        }
        let refused = jobs.enter(()).await.map(drop).unwrap_err();
        assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
        drop(at_work);
        for number in 0..MAX_WAITING {
            assert_eq!(order.recv().await, Some(number));
        }
        assert!(jobs.enter(()).await.is_ok());
    }

    #[tokio::test]
    async fn memory_is_shared_by_all_and_kept_until_the_file_is_sent() {
        let (jobs, _stop) = jobs();
        let tracker = TaskTracker::new();
        let turn = jobs.enter(()).await.unwrap();
        let done = turn.work(MEMORY, |_| vec![vec![7; 3 * PIECE], vec![8; 10]]).await.unwrap();
        assert_eq!(jobs.memory.available_permits(), 0);
        let body = body(done.value, done.memory, &tracker);
        let left = (MEMORY / UNIT) as usize - jobs.memory.available_permits();
        assert_eq!(left, 4, "what is made counts, not what making it took");
        let bytes = axum::body::to_bytes(body, usize::MAX).await.unwrap();
        assert_eq!(bytes.len(), 3 * PIECE + 10);
        tracker.close();
        tracker.wait().await;
        assert_eq!(jobs.memory.available_permits(), (MEMORY / UNIT) as usize);
    }

    #[tokio::test]
    async fn what_a_client_has_of_its_share_is_held_until_the_file_is_sent() {
        let (jobs, _stop) = jobs();
        let (tracker, own) = (TaskTracker::new(), Arc::new(()));
        let turn = jobs.enter(Arc::clone(&own)).await.unwrap();
        let done = turn.work(1, |_| vec![vec![7; 3 * PIECE]]).await.unwrap();
        drop(turn);
        let body = body(done.value, done.memory, &tracker);
        assert_eq!(Arc::strong_count(&own), 2, "the file is not sent yet");
        axum::body::to_bytes(body, usize::MAX).await.unwrap();
        tracker.close();
        tracker.wait().await;
        assert_eq!(Arc::strong_count(&own), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_stands_still_keeps_no_memory() {
        let (jobs, _stop) = jobs();
        let tracker = TaskTracker::new();
        let turn = jobs.enter(()).await.unwrap();
        let done = turn.work(MEMORY, |_| vec![vec![7; 100 * PIECE]]).await.unwrap();
        let _never_read = body(done.value, done.memory, &tracker);
        tracker.close();
        // The clock goes on by itself when nothing else can happen.
        tracker.wait().await;
        assert_eq!(jobs.memory.available_permits(), (MEMORY / UNIT) as usize);
    }
}
