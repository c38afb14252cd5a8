//! Spending limits: concurrent model requests, and tokens per session and per day. Without them, others
//! who reach the server could spend without bound.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_stream::stream;
use futures_util::StreamExt;
use llm::{
    AnswerEstimate, Chunk, ChunkStream, LanguageModel, ModelError, ModelFacts, Request, Usage,
    estimate_request,
};

use session::now_ms;
use studio::Bound;

use crate::queue::Queue;
use crate::shares::Asker;

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
    /// Tokens of the sessions that asked a model since the start, where there is a limit for one. It knows what the
    /// sessions themselves do not: estimates, and what is in progress. Locked only for a lookup or an insert.
    sessions: Mutex<HashMap<Arc<str>, Arc<AtomicU64>>>,
}

/// So many sessions are remembered before those that ask nothing at the moment are forgotten.
const MOST_SESSIONS: usize = 65_536;

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
            sessions: Mutex::default(),
        })
    }

    /// `model` within the limits, for one run of a session that has used `session_tokens` before.
    pub(crate) fn metered(
        self: &Arc<Self>,
        model: Arc<dyn LanguageModel>,
        asker: Asker,
        session_tokens: u64,
    ) -> Arc<dyn LanguageModel> {
        let used = self.used_by(&asker.session);
        used.fetch_max(session_tokens, Ordering::Relaxed);
        Arc::new(Metered { model, spending: Arc::clone(self), asker, used })
    }

    /// The tokens of a session, shared by all that it asks.
    fn used_by(&self, session: &Arc<str>) -> Arc<AtomicU64> {
        if self.limits.session_tokens.is_none() {
            return Arc::default();
        }
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        if sessions.len() >= MOST_SESSIONS {
            // Of the others the sessions themselves know all but the estimates.
            sessions.retain(|_, used| Arc::strong_count(used) > 1);
        }
        Arc::clone(sessions.entry(Arc::clone(session)).or_default())
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

    fn count(&self, tokens: u64) {
        let mut day = self.day.lock().unwrap_or_else(PoisonError::into_inner);
        *day = day.at(Moment::now());
        day.tokens = day.tokens.saturating_add(tokens);
    }
}

/// A model within the limits.
struct Metered {
    model: Arc<dyn LanguageModel>,
    spending: Arc<Spending>,
    asker: Asker,
    /// Tokens of the session.
    used: Arc<AtomicU64>,
}

/// Counts what a request costs, also if its stream is dropped early: as the provider tells, or by estimate where it
/// did not tell or not yet all.
struct Bill {
    spending: Arc<Spending>,
    used: Arc<AtomicU64>,
    /// The newest that the provider told.
    told: Option<Usage>,
    /// Tokens of the request, by estimate.
    request: u64,
    answer: AnswerEstimate,
    /// Tokens of attempts whose answers broke off.
    discarded: u64,
    state: State,
}

/// How far an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// It is awaited or streamed.
    Open,
    /// It came to its end.
    Whole,
    /// There was an error.
    Failed,
}

impl Bill {
    fn note(&mut self, chunk: &Result<Chunk, ModelError>) {
        match chunk {
            Ok(Chunk::Usage(newest)) => self.told = Some(*newest),
            Ok(Chunk::Part(part)) => self.answer.add(part),
            Ok(Chunk::LengthLimit) => {}
            Ok(Chunk::Retrying { .. }) => {
                self.state = State::Failed;
                self.discarded += self.of_attempt();
                (self.told, self.answer) = (None, AnswerEstimate::default());
                self.state = State::Open;
            }
            Err(_) => self.state = State::Failed,
        }
    }

    /// The tokens of the newest attempt.
    fn of_attempt(&self) -> u64 {
        let answer = self.answer.tokens();
        match (self.told, self.state) {
            (Some(told), State::Whole) => tokens_of(told),
            // A request that a provider refuses costs nothing.
            (None, State::Failed) if answer == 0 => 0,
            (None, _) => self.request + answer,
            // What was told first is of the beginning of the answer.
            (Some(told), _) => {
                let request = if told.input_tokens == 0 { self.request } else { told.input_tokens };
                request.saturating_add(told.output_tokens.max(answer))
            }
        }
    }
}

impl Drop for Bill {
    fn drop(&mut self) {
        let tokens = self.discarded.saturating_add(self.of_attempt());
        self.spending.count(tokens);
        self.used.fetch_add(tokens, Ordering::Relaxed);
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
        let asker = self.asker.clone();
        Box::pin(stream! {
            let exceeded = || spending.exceeded(used.load(Ordering::Relaxed)).map_or(Ok(()), Err);
            let entered = async {
                exceeded()?;
                let permit = spending.queue.enter(asker.address()).await?;
                // Others may have used the budget up meanwhile.
                exceeded()?;
                Ok::<_, ModelError>(permit)
            };
            let permit = match entered.await {
                Ok(permit) => permit,
                Err(error) => {
                    yield Err(error);
                    return;
                }
            };
            let mut bill = Bill {
                spending: Arc::clone(&spending),
                used: Arc::clone(&used),
                told: None,
                request: estimate_request(&request),
                answer: AnswerEstimate::default(),
                discarded: 0,
                state: State::Open,
            };
            let mut chunks = model.stream(request);
            while let Some(chunk) = chunks.next().await {
                bill.note(&chunk);
                yield chunk;
            }
            if bill.state == State::Open {
                bill.state = State::Whole;
            }
            drop(bill);
            drop(permit);
        })
    }
}

#[cfg(test)]
mod tests;
