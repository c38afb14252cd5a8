//! Spending limits: concurrent model requests, and tokens per session and per day. Without them, others
//! who reach the server could spend without bound.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_stream::stream;
use futures_util::StreamExt;
use llm::{Chunk, ChunkStream, LanguageModel, ModelError, ModelFacts, Request, Usage};

use session::now_ms;
use studio::Bound;

use crate::queue::Queue;

/// Limits of model requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpendingLimits {
    /// Concurrent requests over all sessions; others queue.
    pub requests: usize,
    /// Queued requests; beyond it, requests are refused.
    pub waiting: usize,
    /// Tokens per session, requests and answers together.
    pub session_tokens: Option<u64>,
    /// Tokens of all sessions per day (UTC).
    pub day_tokens: Option<u64>,
}

impl Default for SpendingLimits {
    fn default() -> Self {
        Self { requests: 32, waiting: 1_024, session_tokens: None, day_tokens: None }
    }
}

/// Counts requests and tokens.
#[derive(Debug)]
pub(crate) struct Spending {
    limits: SpendingLimits,
    queue: Queue,
    /// Locked only to count; never across an await.
    day: Mutex<Day>,
}

const DAY: Duration = Duration::from_secs(86_400);

/// A moment by both clocks.
#[derive(Debug, Clone, Copy)]
struct Moment {
    /// Days since 1970, by the clock of the system, which an operator or a time server may set.
    date: u64,
    /// By the clock that only runs.
    instant: Instant,
}

impl Moment {
    fn now() -> Self {
        Self { date: now_ms() / 86_400_000, instant: Instant::now() }
    }
}

/// Tokens of a day.
#[derive(Debug, Clone, Copy)]
struct Day {
    began: Moment,
    tokens: u64,
}

impl Day {
    fn beginning(now: Moment) -> Self {
        Self { began: now, tokens: 0 }
    }

    /// The day that it is now. Each date has its budget once, so a clock that jumps back and forth grants no more; one that
    /// was once far ahead holds up the next day for 24 hours at most.
    fn at(self, now: Moment) -> Self {
        let is_over = now.date > self.began.date
            || now.instant.saturating_duration_since(self.began.instant) >= DAY;
        if is_over { Self::beginning(now) } else { self }
    }
}

fn tokens_of(usage: Usage) -> u64 {
    usage.input_tokens.saturating_add(usage.output_tokens)
}

impl Spending {
    pub(crate) fn new(limits: SpendingLimits) -> Arc<Self> {
        Arc::new(Self {
            limits,
            queue: Queue::new(
                ["model_requests", "model_requests_waiting"],
                limits.requests,
                limits.waiting,
            ),
            day: Mutex::new(Day::beginning(Moment::now())),
        })
    }

    /// `model` within the limits, for one run of a session that has used `session_tokens` before.
    pub(crate) fn metered(
        self: &Arc<Self>,
        model: Arc<dyn LanguageModel>,
        session_tokens: u64,
    ) -> Arc<dyn LanguageModel> {
        let used = Arc::new(AtomicU64::new(session_tokens));
        Arc::new(Metered { model, spending: Arc::clone(self), used })
    }

    /// The limits that all clients share.
    pub(crate) fn bounds(&self) -> [Bound; 2] {
        self.queue.bounds()
    }

    /// The error if a limit is reached.
    fn exceeded(&self, session_tokens: u64) -> Option<ModelError> {
        if let Some(limit) = self.limits.session_tokens.filter(|limit| session_tokens >= *limit) {
            return Some(ModelError::Rejected(format!(
                "This session has used its budget of {limit} tokens. Begin a new session, or start \
                 the server with a larger --max-session-tokens."
            )));
        }
        let day = *self.day.lock().unwrap_or_else(PoisonError::into_inner);
        let tokens = day.at(Moment::now()).tokens;
        let limit = self.limits.day_tokens.filter(|limit| tokens >= *limit)?;
        Some(ModelError::Rejected(format!(
            "This server has used its budget of {limit} tokens for today. Try again tomorrow (UTC), \
             or start the server with a larger --max-day-tokens."
        )))
    }

    fn count(&self, usage: Usage) {
        let mut day = self.day.lock().unwrap_or_else(PoisonError::into_inner);
        *day = day.at(Moment::now());
        day.tokens = day.tokens.saturating_add(tokens_of(usage));
    }
}

/// A model within the limits.
struct Metered {
    model: Arc<dyn LanguageModel>,
    spending: Arc<Spending>,
    /// Tokens of the session.
    used: Arc<AtomicU64>,
}

/// Counts the usage of a request, also if its stream is dropped early.
struct Bill {
    spending: Arc<Spending>,
    used: Arc<AtomicU64>,
    usage: Usage,
}

impl Drop for Bill {
    fn drop(&mut self) {
        self.spending.count(self.usage);
        self.used.fetch_add(tokens_of(self.usage), Ordering::Relaxed);
    }
}

impl LanguageModel for Metered {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn facts(&self) -> ModelFacts {
        self.model.facts()
    }

    fn stream(&self, request: Request) -> ChunkStream {
        let (model, spending, used) =
            (Arc::clone(&self.model), Arc::clone(&self.spending), Arc::clone(&self.used));
        Box::pin(stream! {
            if let Some(error) = spending.exceeded(used.load(Ordering::Relaxed)) {
                yield Err(error);
                return;
            }
            let permit = match spending.queue.enter().await {
                Ok(permit) => permit,
                Err(error) => {
                    yield Err(error);
                    return;
                }
            };
            let mut bill =
                Bill { spending: Arc::clone(&spending), used, usage: Usage::default() };
            let mut chunks = model.stream(request);
            while let Some(chunk) = chunks.next().await {
                if let Ok(Chunk::Usage(newest)) = &chunk {
                    bill.usage = *newest;
                }
                yield chunk;
            }
            drop(permit);
        })
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use llm::{Part, Scripted, Step};

    use super::*;

    fn answer(tokens: u64) -> Vec<Step> {
        let usage = Usage { input_tokens: tokens, ..Usage::default() };
        vec![Step::Chunk(Chunk::Usage(usage)), Step::text("ok")]
    }

    async fn ask(model: &Arc<dyn LanguageModel>) -> Result<(), ModelError> {
        let chunks: Vec<_> = model.stream(Request::default()).collect().await;
        chunks.into_iter().find_map(Result::err).map_or(Ok(()), Err)
    }

    #[tokio::test]
    async fn a_session_and_a_day_stay_within_their_budgets() {
        let limits = SpendingLimits {
            session_tokens: Some(100),
            day_tokens: Some(250),
            ..SpendingLimits::default()
        };
        let spending = Spending::new(limits);
        let script = Arc::new(Scripted::new((0..9).map(|_| answer(60)).collect::<Vec<_>>()));
        let session = spending.metered(Arc::clone(&script) as _, 0);
        assert_eq!(ask(&session).await, Ok(()));
        assert_eq!(ask(&session).await, Ok(()));
        let refused = ask(&session).await.unwrap_err().to_string();
        assert!(refused.contains("its budget of 100 tokens"), "{refused}");
        // What a session used before counts.
        let later = spending.metered(Arc::clone(&script) as _, 100);
        assert!(ask(&later).await.is_err());
        let other = spending.metered(Arc::clone(&script) as _, 0);
        assert_eq!((ask(&other).await, ask(&other).await), (Ok(()), Ok(())));
        let third = spending.metered(Arc::clone(&script) as _, 0);
        assert_eq!(ask(&third).await, Ok(()));
        let refused = ask(&third).await.unwrap_err().to_string();
        assert!(refused.contains("250 tokens for today"), "{refused}");
        assert_eq!(script.requests().len(), 5, "a refused request never reaches the model");
    }

    #[test]
    fn a_clock_that_jumps_grants_each_date_its_budget_once() {
        let start = Moment { date: 20_000, instant: Instant::now() };
        let at = |date, hours| Moment { date, instant: start.instant + DAY * hours / 24 };
        let spend = |day: Day, now| Day { tokens: day.at(now).tokens + 60, ..day.at(now) };
        let day = spend(Day::beginning(start), start);
        // Back by a year, and to the same date again.
        let day = spend(spend(day, at(19_635, 1)), at(20_000, 2));
        assert_eq!(day.tokens, 180);
        // Ahead by a day, back, and ahead again.
        let day = spend(spend(spend(day, at(20_001, 3)), at(20_000, 4)), at(20_001, 5));
        assert_eq!(day.tokens, 180);
        // Far ahead for a moment: a day later there is a budget again.
        let day = spend(spend(day, at(90_000, 6)), at(20_001, 7));
        assert_eq!(day.tokens, 120);
        assert_eq!(day.at(at(20_002, 29)).tokens, 120);
        assert_eq!(day.at(at(20_002, 30)).tokens, 0);
    }

    #[tokio::test]
    async fn requests_wait_in_order_and_too_many_are_refused() {
        let limits = SpendingLimits { requests: 1, waiting: 1, ..SpendingLimits::default() };
        let spending = Spending::new(limits);
        let gate = llm::Gate::new();
        let script =
            Arc::new(Scripted::new([vec![Step::Gate(gate.clone()), Step::text("a")], answer(1)]));
        let model = spending.metered(Arc::clone(&script) as _, 0);
        let mut first = model.stream(Request::default());
        assert!(first.next().now_or_never().is_none(), "it waits at the gate");
        let mut second = model.stream(Request::default());
        assert!(second.next().now_or_never().is_none());
        assert_eq!((spending.queue.waiting(), script.requests().len()), (1, 1));
        assert!(ask(&model).await.unwrap_err().to_string().contains("which is the limit"));
        gate.open();
        assert_eq!(first.next().await, Some(Ok(Chunk::Part(Part::text("a")))));
        drop(first);
        assert!(second.next().await.is_some());
        assert_eq!((spending.queue.waiting(), script.requests().len()), (0, 2));
    }
}
