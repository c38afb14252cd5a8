//! The agent loop: send the history to the model, append its answer, run its calls, append the results,
//! and repeat until an answer has no call.

use std::sync::{Arc, OnceLock};

use futures_util::StreamExt;
use llm::{Chunk, Content, LanguageModel, ModelError, Part, Request, Usage, estimate_request};
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;
use tracing::Instrument;

use crate::compaction;
use crate::context::ContextSource;
use crate::event::Event;
use crate::guard::{Repeats, Verdict};
use crate::inbox::{Inbox, Message};
use crate::options::RunOptions;
use crate::outcome::{Outcome, Reason};
use crate::tool::{ToolOutput, Toolbox};
use crate::wave::{Call, Wave};

/// The default turn limit.
pub const DEFAULT_MAX_TURNS: u32 = 10;

/// How many times a run reports a malformed call back to the model.
const MAX_MALFORMED_CALLS: u32 = 3;

/// Marks an answer in the history that the user stopped.
const INTERRUPTED_NOTE: &str = "[The user interrupted this answer.]";

/// The inputs of a run.
pub struct Run {
    /// The history so far; its last content is what the model is to answer.
    pub history: Vec<Content>,
    /// The model.
    pub model: Arc<dyn LanguageModel>,
    /// Its tools.
    pub tools: Toolbox,
    /// The system instruction, constant for the conversation.
    pub instruction: Arc<str>,
    /// The source of context.
    pub context: Arc<dyn ContextSource>,
    /// The turn limit.
    pub max_turns: u32,
    /// Messages that arrive during the run.
    pub inbox: Inbox,
    /// The channel for events. It is bounded: a slow receiver slows the run and loses no event.
    pub events: mpsc::Sender<Event>,
    /// Stops the run.
    pub cancel: CancellationToken,
    /// Its options.
    pub options: RunOptions,
}

/// Counters of a run.
pub(crate) struct Counts {
    pub(crate) usage: Usage,
    turns: u32,
    malformed: u32,
    repeats: Option<Repeats>,
    /// The ratio of counted to estimated tokens.
    pub(crate) calibration: f64,
    /// Consecutive requests that failed because they exceed the context window.
    pub(crate) overflows: u32,
}

/// How one answer of the model ended.
enum Ending {
    Whole,
    LengthLimit,
    Cancelled,
    Failed(ModelError),
}

/// The outcome of the calls of an answer.
enum Acted {
    /// The answer had no calls.
    NoCalls,
    /// They ran, and their results go to the model.
    GoOn,
    /// They ran, and the run ends.
    Over(Reason),
}

/// Runs the loop to its end. Every content it adds to the history is reported
/// ([`Event::content`]). Afterwards every call has a response, so model APIs accept the history.
pub async fn run(mut run: Run) -> Outcome {
    let started = Instant::now();
    let cancelled_at = Arc::new(OnceLock::new());
    let watcher = {
        let (cancel, cancelled_at) = (run.cancel.clone(), Arc::clone(&cancelled_at));
        AbortOnDropHandle::new(tokio::spawn(async move {
            cancel.cancelled().await;
            let _ = cancelled_at.set(Instant::now());
        }))
    };
    let mut counts = Counts {
        usage: Usage::default(),
        turns: 0,
        malformed: 0,
        repeats: run.options.guard.map(Repeats::new),
        calibration: 1.0,
        overflows: 0,
    };
    let reason = loop {
        let span = tracing::info_span!("turn", number = counts.turns + 1);
        if let Some(reason) = run.turn(&mut counts).instrument(span).await {
            break reason;
        }
    };
    // Messages that were too late for a stopped run stay in the history for the next run.
    if reason == Reason::Cancelled {
        for message in run.inbox.drain() {
            run.read(message).await;
        }
    }
    drop(watcher);
    Outcome {
        reason,
        turns: counts.turns,
        usage: counts.usage,
        duration: started.elapsed(),
        cancel_latency: cancelled_at.get().map(Instant::elapsed),
    }
}

/// Whether the parts contain text for the user.
fn says_something(parts: &[Part]) -> bool {
    parts
        .iter()
        .filter(|part| !part.is_thought())
        .filter_map(Part::as_text)
        .any(|text| !text.trim().is_empty())
}

impl Run {
    /// One turn: a model call and its tool calls. Returns why the run ends, if it does.
    async fn turn(&mut self, counts: &mut Counts) -> Option<Reason> {
        if self.cancel.is_cancelled() {
            return Some(Reason::Cancelled);
        }
        if counts.turns == self.max_turns {
            return Some(Reason::TurnLimit(self.options.limit_words));
        }
        self.take_messages().await;
        counts.turns += 1;
        self.emit(Event::TurnStarted { turn: counts.turns, max_turns: self.max_turns }).await;
        let mut request = self.request(counts).await;
        let (message_id, parts, ending) = loop {
            let message_id = format!("m{}", self.history.len());
            let (parts, ending) = self.ask(request, &message_id, counts).await;
            let Ending::Failed(ModelError::ContextOverflow(said)) = &ending else {
                counts.overflows = 0;
                break (message_id, parts, ending);
            };
            match self.shorter_request(said, counts).await {
                Some(shorter) => request = shorter,
                None => break (message_id, parts, ending),
            }
        };
        match ending {
            Ending::Whole | Ending::LengthLimit => {
                let says_something = says_something(&parts);
                match self.act(parts, &message_id, counts).await {
                    Acted::Over(reason) => return Some(reason),
                    Acted::GoOn => return None,
                    Acted::NoCalls if !self.inbox.is_empty() => return None,
                    Acted::NoCalls => {}
                }
                Some(match ending {
                    Ending::LengthLimit => Reason::LengthLimit,
                    _ if says_something => Reason::Completed,
                    _ => Reason::EmptyAnswer,
                })
            }
            Ending::Cancelled => {
                self.close(parts, INTERRUPTED_NOTE, &message_id).await;
                Some(Reason::Cancelled)
            }
            Ending::Failed(ModelError::MalformedCall(what))
                if counts.malformed < MAX_MALFORMED_CALLS =>
            {
                counts.malformed += 1;
                self.close(parts, "[This answer held a call that could not be read.]", &message_id)
                    .await;
                let note = format!("[Note from the system: {what}. Please call the tool again.]");
                self.append(Content::user(note)).await;
                None
            }
            Ending::Failed(error) => {
                if !parts.is_empty() {
                    self.close(parts, "[This answer broke off.]", &message_id).await;
                }
                Some(Reason::Failed(error))
            }
        }
    }

    pub(crate) async fn emit(&self, event: Event) {
        // Without a receiver nobody listens; the run continues.
        let _ = self.events.send(event).await;
    }

    pub(crate) async fn append(&mut self, content: Content) {
        self.history.push(content.clone());
        self.emit(Event::Appended(content)).await;
    }

    async fn read(&mut self, Message { id, content }: Message) {
        self.history.push(content.clone());
        self.emit(Event::MessageRead { id, content }).await;
    }

    /// Takes the messages of the inbox, and adds the context to the last of them.
    async fn take_messages(&mut self) {
        let mut messages = self.inbox.drain();
        if let Some(mut last) = messages.pop() {
            for message in messages {
                self.read(message).await;
            }
            last.content.parts.extend(self.context.untold(&compaction::view(&self.history)));
            self.read(last).await;
        }
    }

    /// Streams one answer. The partial answer is returned also after a cancel or an error.
    async fn ask(
        &self,
        request: Request,
        message_id: &str,
        counts: &mut Counts,
    ) -> (Vec<Part>, Ending) {
        let started = Instant::now();
        let estimated = estimate_request(&request);
        let mut stream = self.model.stream(request);
        let mut parts = Vec::new();
        let mut counted = Usage::default();
        let mut whole = Ending::Whole;
        let mut first_text = None;
        let ending = loop {
            let next = tokio::select! {
                biased;
                () = self.cancel.cancelled() => break Ending::Cancelled,
                next = stream.next() => next,
            };
            match next {
                None => break whole,
                Some(Err(error)) => break Ending::Failed(error),
                Some(Ok(Chunk::Usage(newest))) => counted = newest,
                Some(Ok(Chunk::LengthLimit)) => whole = Ending::LengthLimit,
                Some(Ok(Chunk::Part(part))) => {
                    if let Some(text) = part.as_text().filter(|text| !text.is_empty()) {
                        if !part.is_thought() {
                            first_text.get_or_insert_with(|| started.elapsed());
                        }
                        self.emit(Event::TextDelta {
                            message_id: message_id.to_owned(),
                            text: text.to_owned(),
                            thought: part.is_thought(),
                        })
                        .await;
                    }
                    parts.push(part);
                }
                Some(Ok(Chunk::Retrying { attempt, delay, reason, discard_text })) => {
                    if discard_text {
                        parts.clear();
                        let message_id = message_id.to_owned();
                        self.emit(Event::TextDiscarded { message_id }).await;
                    }
                    self.emit(Event::Retrying { attempt, delay, reason }).await;
                }
            }
        };
        // Close the connection first.
        drop(stream);
        counts.usage += counted;
        if counted.input_tokens > 0 && estimated > 0 {
            let factor = counted.input_tokens as f64 / estimated as f64;
            counts.calibration = factor.clamp(0.5, 3.0);
        }
        let success = !matches!(ending, Ending::Failed(_));
        self.emit(Event::TurnFinished {
            turn: counts.turns,
            usage: counted,
            duration: started.elapsed(),
            first_text,
            success,
        })
        .await;
        (parts, ending)
    }

    /// Appends a complete answer and runs its calls.
    async fn act(&mut self, parts: Vec<Part>, message_id: &str, counts: &mut Counts) -> Acted {
        if parts.is_empty() {
            return Acted::NoCalls;
        }
        let answer = Content::model(parts);
        let calls = Call::all_of(&answer, message_id, &self.history);
        self.append(answer).await;
        if calls.is_empty() {
            return Acted::NoCalls;
        }
        let wave = Wave {
            tools: &self.tools,
            events: &self.events,
            cancel: &self.cancel,
            approvals: &self.options.approvals,
            step: counts.turns,
        };
        let responses = wave.run(&calls).await;
        let verdict = counts.repeats.as_mut().map(|repeats| repeats.check(&calls, &responses));
        self.append(Content::function(responses)).await;
        if !self.options.feedback && !self.cancel.is_cancelled() {
            return Acted::Over(Reason::SingleWave);
        }
        match verdict {
            Some(Verdict::Pause(tool)) => return Acted::Over(Reason::Looping(tool)),
            Some(Verdict::Note(note)) => self.append(Content::user(note)).await,
            Some(Verdict::Fine) | None => {}
        }
        Acted::GoOn
    }

    /// Appends a partial answer. Its calls get a response that they did not run; without calls, a note
    /// says that the answer is incomplete.
    async fn close(&mut self, mut parts: Vec<Part>, note: &str, message_id: &str) {
        if parts.iter().all(|part| part.as_call().is_none()) {
            parts.push(Part::text(note));
        }
        let answer = Content::model(parts);
        let calls = Call::all_of(&answer, message_id, &self.history);
        self.append(answer).await;
        if !calls.is_empty() {
            let not_run = "not run: the answer this call belongs to was cut off";
            let responses =
                calls.iter().map(|call| call.answer(ToolOutput::failure(not_run))).collect();
            self.append(Content::function(responses)).await;
        }
    }
}
