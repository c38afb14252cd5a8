//! A deterministic model: for mock responses (`DEBUG_MOCK_RESPONSES`) and for tests.

mod answer;
mod gate;
mod mock;
mod step;

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_stream::stream;
use parking::Shared;

pub use gate::Gate;
pub use mock::ScriptError;
pub use step::Step;

use self::answer::Answer;
use crate::check::history_errors;
use crate::content::{Part, Role};
use crate::model::{ChunkStream, LanguageModel, ModelError, Request};

/// A model that answers from a list, one answer for each request.
#[derive(Debug)]
pub struct Scripted {
    name: String,
    /// For tests: requests are stored, and a history that the Gemini API would refuse panics
    /// instead of returning an error.
    for_test: bool,
    answers: Shared<VecDeque<Answer>>,
    requests: Shared<Vec<Request>>,
    /// Counts the answers that were dropped before their end. The streams share it, since they
    /// outlive the model.
    cut_off: Arc<AtomicUsize>,
}

impl Scripted {
    /// A model for tests, with its answers in order. A request after the last answer, or with a
    /// history that the Gemini API would refuse, panics.
    pub fn new(answers: impl IntoIterator<Item = Vec<Step>>) -> Self {
        Self::with(answers.into_iter().map(Answer::from).collect(), true)
    }

    /// A model for `DEBUG_MOCK_RESPONSES`: a JSON array, one item per request. An item is a text,
    /// `{"tool_calls": [{"name", "arguments"}], "text"?}` or `{"parts": [..]}`, as an object or as
    /// JSON in a string. An object may have `when`: it answers only requests whose last message of the user has
    /// this text in it, and others are answered by the next item that may. After the last item, a text says
    /// that the list is used up.
    pub fn from_json(json: &str) -> Result<Self, ScriptError> {
        Ok(Self::with(mock::answers(json)?, false))
    }

    fn with(answers: VecDeque<Answer>, for_test: bool) -> Self {
        Self {
            name: "mock".into(),
            for_test,
            answers: Shared::new(answers),
            requests: Shared::default(),
            cut_off: Arc::default(),
        }
    }

    /// The same model with another name.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Appends an answer.
    pub fn push(&self, answer: Vec<Step>) {
        self.answers.with(|answers| answers.push_back(answer.into()));
    }

    /// The requests so far.
    pub fn requests(&self) -> Vec<Request> {
        self.requests.with(|requests| requests.clone())
    }

    /// The number of remaining answers.
    pub fn remaining(&self) -> usize {
        self.answers.with(|answers| answers.len())
    }

    /// The number of answers that were dropped before their end.
    pub fn cut_off(&self) -> usize {
        self.cut_off.load(Ordering::SeqCst)
    }

    fn next_answer(&self, request: &Request) -> Vec<Step> {
        let errors = history_errors(&request.contents);
        if !errors.is_empty() {
            let text = format!("The Gemini API would refuse this history: {}", errors.join("; "));
            assert!(!self.for_test, "{text}\n{:#?}", request.contents);
            return vec![Step::Error(ModelError::Rejected(text))];
        }
        let last = request.contents.iter().rev().find(|content| content.role == Role::User);
        let asked: String =
            last.into_iter().flat_map(|content| &content.parts).filter_map(Part::as_text).collect();
        let next = self.answers.with(|answers| {
            let fits = |answer: &Answer| {
                answer.when.as_ref().is_none_or(|when| asked.contains(when.as_str()))
            };
            let at = answers.iter().position(fits)?;
            answers.remove(at)
        });
        match next {
            Some(answer) => answer.steps,
            None => {
                assert!(!self.for_test, "no scripted answer is left for {:#?}", request.contents);
                mock::exhausted()
            }
        }
    }
}

impl LanguageModel for Scripted {
    fn name(&self) -> &str {
        &self.name
    }

    fn stream(&self, request: Request) -> ChunkStream {
        let steps = self.next_answer(&request);
        // Only tests read them; in a server they would fill the memory.
        if self.for_test {
            self.requests.with(|requests| requests.push(request));
        }
        let guard = CutOffGuard { count: Arc::clone(&self.cut_off), ended: false };
        Box::pin(stream! {
            // Moves the whole guard into the stream, which would otherwise only copy its field.
            let mut guard = guard;
            for step in steps {
                match step {
                    Step::Chunk(chunk) => yield Ok(chunk),
                    Step::Gate(gate) => gate.pass().await,
                    Step::Error(error) => {
                        guard.ended = true;
                        yield Err(error);
                        return;
                    }
                }
            }
            guard.ended = true;
        })
    }
}

/// Counts its drop unless the answer has ended.
struct CutOffGuard {
    count: Arc<AtomicUsize>,
    ended: bool,
}

impl Drop for CutOffGuard {
    fn drop(&mut self) {
        if !self.ended {
            self.count.fetch_add(1, Ordering::SeqCst);
        }
    }
}

mod parking {
    //! A mutex that outlives a panic of its holder, since the script panics on purpose.

    use std::sync::{Mutex, PoisonError};

    /// Held briefly, never across an await.
    #[derive(Debug, Default)]
    pub(super) struct Shared<T>(Mutex<T>);

    impl<T> Shared<T> {
        pub(super) fn new(value: T) -> Self {
            Self(Mutex::new(value))
        }

        pub(super) fn with<R>(&self, act: impl FnOnce(&mut T) -> R) -> R {
            act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
        }
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
