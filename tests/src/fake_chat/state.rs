//! What a running server knows.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use serde_json::Value;
use tokio::sync::watch;

use super::denied::Denied;
use super::issued::{Call, Issued, Thought};
use super::options::Options;
use super::providers::Form;
use super::reply::{Reply, Step};
use super::rules::bound_prefix;

/// A request for an answer.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// The form of its body.
    pub form: Form,
    /// Its body.
    pub body: Value,
    /// Its bytes, as they came.
    pub bytes: Bytes,
    /// Whether it asked for features in beta (`anthropic-beta`).
    pub has_betas: bool,
    /// Why it was refused by the rules, if it was.
    pub refusal: Option<String>,
    /// Whether an answer was begun.
    pub answered: bool,
    /// How many messages did not fit into the context and were left out without a word (Ollama).
    pub lost: usize,
}

#[derive(Debug)]
pub(super) struct Shared {
    pub(super) options: Options,
    /// Short, never held across an await.
    inner: Mutex<Inner>,
    /// Counts requests; `watch`, as only the newest matters.
    pub(super) asked: watch::Sender<usize>,
}

#[derive(Debug, Default)]
pub(super) struct Inner {
    pub(super) script: VecDeque<Reply>,
    pub(super) requests: Vec<Recorded>,
    pub(super) issued: Issued,
    /// What requests that offer no tools are answered by, out of the script.
    pub(super) summary: Option<String>,
    /// What is refused beside what the rules refuse.
    pub(super) denied: Option<Denied>,
}

impl Shared {
    pub(super) fn new(options: Options, script: VecDeque<Reply>) -> Self {
        let inner = Mutex::new(Inner { script, ..Inner::default() });
        Self { options, inner, asked: watch::Sender::new(0) }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Notes what an answer gives out while it is written.
pub(super) struct Answering {
    body: Value,
    reasoning: Option<String>,
    thought: bool,
    /// Number of the next item.
    item: usize,
}

impl Answering {
    /// Of an answer to `body` whose items are counted from `first_item`.
    pub(super) fn new(body: Value, first_item: usize) -> Self {
        Self { body, reasoning: None, thought: false, item: first_item }
    }

    pub(super) fn give(&mut self, step: &Step, issued: &mut Issued) {
        match step {
            Step::Thought(text, signature) => {
                let id = format!("rs_{}", self.item);
                issued.reasoning.push((id.clone(), signature.clone()));
                (self.reasoning, self.thought) = (Some(id), true);
                let model = self.body["model"].as_str().unwrap_or_default().to_owned();
                let prefix = bound_prefix(&self.body, usize::MAX, &model, issued);
                let (text, signature) = (text.clone(), signature.clone());
                issued.thoughts.push(Thought { model, text, signature, prefix });
                self.item += 1;
            }
            Step::Call(id, name, args) => {
                issued.calls.push(Call {
                    id: id.clone(),
                    name: name.clone(),
                    args: args.clone(),
                    reasoning: self.reasoning.clone(),
                    thought: self.thought,
                });
                self.item += 1;
            }
            Step::Text(_) => self.item += 1,
            Step::Error(..) | Step::Raw(_) | Step::Gate(_) | Step::Within(_) | Step::Break => {}
        }
    }
}
