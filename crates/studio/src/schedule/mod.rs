//! A scheduler for a rayon pool. Work queues here, not in the pool: a thread that waits for its own
//! tasks would otherwise run other queued work inside that wait, recursively until its stack overflows.
//! Also, rayon knows neither priorities nor clients.
//!
//! Order: higher [`Priority`] first, then the client that has used the pool least, then the smaller
//! work. Waiting lower priorities get a third of the time of higher ones. A turn is asked to end early
//! when work of a higher priority arrives, and after [`SLICE`] when another client waits with the same
//! priority. The work itself releases the permit of its turn, so abandoned work counts until it stops.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use crate::client::RenderClient;
use crate::error::RenderError;

/// The duration of a turn while other clients wait with the same priority.
const SLICE: Duration = Duration::from_millis(400);
/// The owed time from which a lower priority gets the next turn, and the minimum length of that
/// turn.
const OWED_TURN: Duration = Duration::from_millis(100);
/// Of this many parts of time for higher priorities, one part is owed to lower ones.
const PARTS_TO_ONE_OWED: u32 = 3;
/// The additional time that a client with a running turn counts as having used.
const TURN_UNDER_WAY: Duration = Duration::from_millis(100);

/// The priority of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Priority {
    /// Short interactive work: drafts, picks, checks, meshes.
    Now,
    /// The first traced pass of a revision, small pictures.
    Soon,
    /// Further passes, large pictures.
    Later,
}

/// The description of queued work.
#[derive(Debug, Clone)]
pub(crate) struct Order {
    pub(crate) client: RenderClient,
    pub(crate) priority: Priority,
    /// Its size, in camera samples or a similar unit.
    pub(crate) size: u64,
    /// Whether it takes much memory while it runs: of such work, one turn runs at a time.
    pub(crate) is_large: bool,
}

/// A rayon pool with its queue. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Scheduler(Arc<Inner>);

struct Inner {
    pool: rayon::ThreadPool,
    /// The index in [`RenderClient::used`].
    number: usize,
    /// Concurrent turns. Each uses all threads; a second one fills the gaps of the first. This also bounds
    /// how many tasks nest on a thread's stack.
    slots: usize,
    /// Locked only to add, choose and remove, never during work.
    queue: Mutex<Queue>,
}

#[derive(Default)]
struct Queue {
    waiting: Vec<Waiting>,
    running: Vec<Running>,
    next_ticket: u64,
    /// The used time of the client whose turn began last, which is the minimum for new clients.
    now: u64,
    owed: Duration,
}

type Work = Box<dyn FnOnce(&Turn) + Send>;

struct Waiting {
    ticket: u64,
    order: Order,
    turn: Arc<Turn>,
    work: Work,
}

struct Running {
    ticket: u64,
    order: Order,
    turn: Arc<Turn>,
}

/// The handle of a turn for its work.
pub(crate) struct Turn {
    cancelled: AtomicBool,
    /// Microseconds from its start after which it should end for others; `u64::MAX` for never.
    end_after: AtomicU64,
    /// The time it began, and how long higher priorities wait for it.
    begun: OnceLock<(Instant, Duration)>,
}

impl Turn {
    fn new() -> Self {
        let (cancelled, end_after) = (AtomicBool::new(false), AtomicU64::new(u64::MAX));
        Self { cancelled, end_after, begun: OnceLock::new() }
    }

    /// Whether the work was cancelled.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Whether the work should stop: it was cancelled, or should continue in another turn.
    pub(crate) fn should_end(&self) -> bool {
        let after = self.end_after.load(Ordering::Relaxed);
        let is_over =
            || self.begun.get().is_some_and(|(begun, _)| microseconds(begun.elapsed()) >= after);
        self.is_cancelled() || (after != u64::MAX && is_over())
    }

    fn end_after(&self, time: Duration) {
        let at_least = self.begun.get().map_or(Duration::ZERO, |(_, protected)| *protected);
        self.end_after.fetch_min(microseconds(time.max(at_least)), Ordering::Relaxed);
    }
}

fn microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

impl Scheduler {
    /// A pool of `threads` threads named `name`, 0 for one per core; `number` is the index in
    /// [`RenderClient::used`].
    pub(crate) fn new(
        name: &'static str,
        number: usize,
        threads: usize,
    ) -> Result<Self, rayon::ThreadPoolBuildError> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(move |index| format!("{name}-{index}"))
            .build()?;
        let slots = (pool.current_num_threads() / 4).max(2);
        Ok(Self::with_slots(pool, number, slots))
    }

    fn with_slots(pool: rayon::ThreadPool, number: usize, slots: usize) -> Self {
        Self(Arc::new(Inner { pool, number, slots, queue: Mutex::default() }))
    }

    /// Runs `work` on the pool when it is its turn. Dropping the future removes queued work, and cancels
    /// running work through its [`Turn`].
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        order: Order,
        work: impl FnOnce(&Turn) -> T + Send + 'static,
    ) -> Result<T, RenderError> {
        let (done, result) = oneshot::channel();
        let guard = self.enqueue(
            order,
            Box::new(move |turn| {
                // A panic must not abort the pool; the caller sees a dropped sender.
                if let Ok(value) = catch_unwind(AssertUnwindSafe(|| work(turn))) {
                    // The caller may be gone; then the value is dropped.
                    let _ = done.send(value);
                }
            }),
        );
        let value = result.await.map_err(|_| RenderError::Internal);
        drop(guard);
        value
    }

    fn enqueue(&self, order: Order, work: Work) -> QueueGuard<'_> {
        let turn = Arc::new(Turn::new());
        let mut queue = self.0.lock();
        let ticket = queue.next_ticket;
        queue.next_ticket += 1;
        // An idle client accumulates no credit.
        order.client.used(self.0.number).fetch_max(queue.now, Ordering::Relaxed);
        for running in &queue.running {
            running.make_room_for(&order);
        }
        queue.waiting.push(Waiting { ticket, order, turn: Arc::clone(&turn), work });
        self.0.begin_turns(queue);
        QueueGuard { scheduler: self, ticket, turn }
    }

    #[cfg(test)]
    fn counts(&self) -> (usize, usize) {
        let queue = self.0.lock();
        (queue.waiting.len(), queue.running.len())
    }
}

/// Removes work from the queue when its caller no longer waits for it.
struct QueueGuard<'a> {
    scheduler: &'a Scheduler,
    ticket: u64,
    turn: Arc<Turn>,
}

impl Drop for QueueGuard<'_> {
    fn drop(&mut self) {
        self.turn.cancelled.store(true, Ordering::Relaxed);
        let inner = &self.scheduler.0;
        let mut queue = inner.lock();
        let place = queue.waiting.iter().position(|waiting| waiting.ticket == self.ticket);
        let removed = place.map(|place| queue.waiting.swap_remove(place));
        // Others may have waited for its turn.
        inner.begin_turns(queue);
        drop(removed);
    }
}

impl Running {
    /// Asks it to end early if `order` should run first.
    fn make_room_for(&self, order: &Order) {
        if order.priority < self.order.priority {
            self.turn.end_after(Duration::ZERO);
        } else if order.priority == self.order.priority && !order.client.is(&self.order.client) {
            self.turn.end_after(SLICE);
        }
    }
}

impl Inner {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        // A panic cannot leave the queue inconsistent, so a poisoned lock is safe to use.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts the next turns.
    fn begin_turns(self: &Arc<Self>, mut queue: MutexGuard<'_, Queue>) {
        while let Some(next) = queue.next(self.slots, self.number) {
            let this = Arc::clone(self);
            self.pool.spawn(move || {
                let Waiting { ticket, turn, work, .. } = next;
                let begun = Instant::now();
                work(&turn);
                this.end_turn(ticket, begun.elapsed());
            });
        }
    }

    fn end_turn(self: &Arc<Self>, ticket: u64, time: Duration) {
        let mut queue = self.lock();
        let place = queue.running.iter().position(|running| running.ticket == ticket);
        if let Some(Running { order, .. }) = place.map(|place| queue.running.swap_remove(place)) {
            order.client.used(self.number).fetch_add(microseconds(time), Ordering::Relaxed);
            let others_wait =
                queue.waiting.iter().any(|waiting| waiting.order.priority > order.priority);
            queue.owed = match others_wait {
                true => queue.owed + time / PARTS_TO_ONE_OWED,
                false => Duration::ZERO,
            };
        }
        self.begin_turns(queue);
    }
}

impl Queue {
    /// Takes the next work from the queue, if a turn is free, and counts it as running.
    fn next(&mut self, slots: usize, number: usize) -> Option<Waiting> {
        if self.running.len() >= slots {
            return None;
        }
        let large_runs = self.running.iter().any(|running| running.order.is_large);
        let may_run = |waiting: &&Waiting| !(large_runs && waiting.order.is_large);
        let of_these = || self.waiting.iter().filter(may_run).map(|waiting| waiting.order.priority);
        let highest = of_these().min()?;
        let lower = of_these().filter(|priority| *priority > highest).min();
        let owed = lower.filter(|_| self.owed >= OWED_TURN);
        let priority = owed.unwrap_or(highest);
        // A thread that waits for its part of a draft could begin a long pass inside that wait.
        if self.running.iter().any(|running| running.order.priority < priority) {
            return None;
        }
        let of_priority = |waiting: &&Waiting| waiting.order.priority == priority;
        let first = self.waiting.iter().filter(may_run).filter(of_priority);
        let ticket = first.min_by_key(|waiting| self.rank(waiting, number))?.ticket;
        let place = self.waiting.iter().position(|waiting| waiting.ticket == ticket)?;
        let next = self.waiting.swap_remove(place);
        self.now = self.now.max(next.order.client.used(number).load(Ordering::Relaxed));
        let protected = if owed.is_some() { OWED_TURN } else { Duration::ZERO };
        if owed.is_some() {
            self.owed = Duration::ZERO;
        }
        // Only this code sets it.
        let _ = next.turn.begun.set((Instant::now(), protected));
        let running = Running { ticket, order: next.order.clone(), turn: Arc::clone(&next.turn) };
        for waiting in &self.waiting {
            running.make_room_for(&waiting.order);
        }
        self.running.push(running);
        Some(next)
    }

    /// The sort key: smaller runs first.
    fn rank(&self, waiting: &Waiting, number: usize) -> (u64, u64, u64) {
        let client = &waiting.order.client;
        let under_way =
            self.running.iter().filter(|running| running.order.client.is(client)).count();
        let used = client.used(number).load(Ordering::Relaxed)
            + under_way as u64 * microseconds(TURN_UNDER_WAY);
        (used, waiting.order.size, waiting.ticket)
    }
}

#[cfg(test)]
mod tests;
