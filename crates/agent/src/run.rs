//! The loop: ask the model with the full history, append its answer, run its calls, append the
//! results, and again, until an answer has no call.

use std::sync::Arc;

use futures_util::StreamExt;
use llm::{Chunk, Content, LanguageModel, ModelError, Part, Request, Usage};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::event::Event;
use crate::inbox::Inbox;
use crate::tool::{ToolOutput, Toolbox};
use crate::wave::{Call, run_calls};

/// The turn limit where none is configured.
pub const DEFAULT_MAX_TURNS: u32 = 10;

/// How often a call that the model's own service could not read is fed back in one run.
const MAX_MALFORMED_CALLS: u32 = 3;

/// The most picture data of one request, in bytes of base64: well below what services accept.
const MAX_PICTURE_BYTES: usize = 8 * 1024 * 1024;

/// What stands in the history where the user cut an answer off.
const INTERRUPTED_NOTE: &str = "[The user interrupted this answer.]";

/// What a run works with.
pub struct Run {
    /// The history so far; its last content is what the model is to answer.
    pub history: Vec<Content>,
    /// The model.
    pub model: Arc<dyn LanguageModel>,
    /// What it may call.
    pub tools: Toolbox,
    /// Makes the system instruction anew before each turn, so that it tells the present state.
    pub instruction: Arc<dyn Fn() -> String + Send + Sync>,
    /// The most model calls.
    pub max_turns: u32,
    /// Messages that arrive while the run goes.
    pub inbox: Inbox,
    /// Where events go. Bounded by its maker: a slow owner slows the run, never loses an event.
    pub events: mpsc::Sender<Event>,
    /// Stops the run.
    pub cancel: CancellationToken,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Why it ended.
    pub reason: Reason,
    /// Model calls made.
    pub turns: u32,
    /// Tokens of all of them.
    pub usage: Usage,
}

/// Why a run ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Reason {
    /// An answer had no tool call.
    Completed,
    /// An answer without a tool call reached the model's length limit.
    LengthLimit,
    /// An answer had neither text for the user nor a call.
    EmptyAnswer,
    /// The limit on model calls was reached.
    TurnLimit,
    /// The user stopped it.
    Cancelled,
    /// The model gave no answer.
    Failed(ModelError),
}

impl Outcome {
    /// What the user reads at the end, where the answer itself does not say it.
    pub fn message(&self) -> Option<String> {
        match &self.reason {
            Reason::Completed | Reason::Cancelled => None,
            Reason::LengthLimit => Some(
                "The answer reached the model's length limit. Send a message to continue.".into(),
            ),
            Reason::EmptyAnswer => {
                Some("The model gave an empty answer. Send a message to continue.".into())
            }
            Reason::TurnLimit => Some(format!(
                "Reached maximum turn limit ({} turns). Send a message to continue.",
                self.turns
            )),
            Reason::Failed(error) => Some(error.to_string()),
        }
    }
}

/// How one answer of the model ended.
enum Ending {
    Whole,
    LengthLimit,
    Cancelled,
    Failed(ModelError),
}

/// Runs the loop to its end. Every content it adds to the history is reported as
/// [`Event::Appended`]; afterwards the history is one a model's API accepts: every call is answered.
pub async fn run(mut run: Run) -> Outcome {
    let mut usage = Usage::default();
    let mut malformed = 0;
    let mut turns = 0;
    let reason = loop {
        if run.cancel.is_cancelled() {
            break Reason::Cancelled;
        }
        if turns == run.max_turns {
            break Reason::TurnLimit;
        }
        run.take_messages().await;
        turns += 1;
        run.emit(Event::TurnStarted { turn: turns, max_turns: run.max_turns }).await;
        let message_id = format!("m{}", run.history.len());
        let (parts, ending) = run.ask(&message_id, &mut usage).await;
        match ending {
            Ending::Whole | Ending::LengthLimit => {
                let says_something = says_something(&parts);
                if run.act(parts, &message_id).await || !run.inbox.is_empty() {
                    continue;
                }
                break match ending {
                    Ending::LengthLimit => Reason::LengthLimit,
                    _ if says_something => Reason::Completed,
                    _ => Reason::EmptyAnswer,
                };
            }
            Ending::Cancelled => {
                run.close(parts, INTERRUPTED_NOTE, &message_id).await;
                break Reason::Cancelled;
            }
            Ending::Failed(ModelError::MalformedCall(what)) if malformed < MAX_MALFORMED_CALLS => {
                malformed += 1;
                run.close(parts, "[This answer held a call that could not be read.]", &message_id)
                    .await;
                let note = format!("[Note from the system: {what}. Please call the tool again.]");
                run.append(Content::user(note)).await;
            }
            Ending::Failed(error) => {
                if !parts.is_empty() {
                    run.close(parts, "[This answer broke off.]", &message_id).await;
                }
                break Reason::Failed(error);
            }
        }
    };
    // Messages that came in too late for a stopped run stay in the history for the next one.
    if reason == Reason::Cancelled {
        run.take_messages().await;
    }
    Outcome { reason, turns, usage }
}

/// Whether there is text for the user among the parts.
fn says_something(parts: &[Part]) -> bool {
    parts
        .iter()
        .filter(|part| !part.is_thought())
        .filter_map(Part::as_text)
        .any(|text| !text.trim().is_empty())
}

impl Run {
    async fn emit(&self, event: Event) {
        // A receiver that is gone means nobody listens; the run goes on all the same.
        let _ = self.events.send(event).await;
    }

    async fn append(&mut self, content: Content) {
        self.history.push(content.clone());
        self.emit(Event::Appended(content)).await;
    }

    async fn take_messages(&mut self) {
        for message in self.inbox.drain() {
            self.append(message).await;
        }
    }

    /// Streams one answer. What came is returned also after a cancel or an error.
    async fn ask(&self, message_id: &str, usage: &mut Usage) -> (Vec<Part>, Ending) {
        let contents = llm::shed_pictures(llm::normalise(&self.history), MAX_PICTURE_BYTES);
        let mut stream = self.model.stream(Request {
            system_instruction: (self.instruction)(),
            contents,
            tools: self.tools.declarations(),
        });
        let mut parts = Vec::new();
        let mut counted = Usage::default();
        let mut whole = Ending::Whole;
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
        usage.input_tokens += counted.input_tokens;
        usage.output_tokens += counted.output_tokens;
        (parts, ending)
    }

    /// Appends a whole answer and runs its calls; whether it had any.
    async fn act(&mut self, parts: Vec<Part>, message_id: &str) -> bool {
        if parts.is_empty() {
            return false;
        }
        let answer = Content::model(parts);
        let calls = Call::all_of(&answer, message_id, &self.history);
        self.append(answer).await;
        if calls.is_empty() {
            return false;
        }
        let responses = run_calls(&calls, &self.tools, &self.events, &self.cancel).await;
        self.append(Content::function(responses)).await;
        true
    }

    /// Keeps what came of an answer that was cut off. Calls in it are answered as not run; without
    /// any, a note says that it was cut off.
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
