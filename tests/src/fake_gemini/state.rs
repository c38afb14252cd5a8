//! What the server has still to say, what it said, and what it was asked.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::watch;
use tokio::time::timeout;

use super::options::Options;
use super::script::Answer;
use super::validate::Issued;

/// How long a test waits for a request before it fails; far more than any needs.
const PATIENCE: Duration = Duration::from_secs(30);

/// A request for an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedRequest {
    /// The model's name in the path.
    pub model: String,
    /// The body; `null` when it was not JSON.
    pub body: Value,
    /// What became of it.
    pub outcome: Outcome,
}

/// What became of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It got an error, as what the real API would refuse or by script.
    Error(u16),
    /// Its answer is being written.
    Streaming,
    /// Its answer was written to its scripted end.
    Written,
    /// The client hung up before the end.
    CutOff,
}

/// The server's state, shared by its requests and the test.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) options: Options,
    /// Short, never held across an await.
    inner: Mutex<Inner>,
    /// Counts changes of `requests`; `watch`, as only the newest matters.
    changes: watch::Sender<u64>,
}

#[derive(Debug)]
struct Inner {
    script: VecDeque<Answer>,
    requests: Vec<RecordedRequest>,
    refusals: Vec<String>,
    issued: Vec<Issued>,
    /// What requests that offer no tools are answered by, out of the script.
    summary: Option<String>,
}

impl Shared {
    pub(super) fn new(options: Options, script: impl IntoIterator<Item = Answer>) -> Self {
        let inner = Inner {
            script: script.into_iter().collect(),
            requests: Vec::new(),
            refusals: Vec::new(),
            issued: Vec::new(),
            summary: None,
        };
        Self { options, inner: Mutex::new(inner), changes: watch::Sender::new(0) }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn changed(&self) {
        self.changes.send_modify(|changes| *changes += 1);
    }

    pub(super) fn push(&self, answer: Answer) {
        self.lock().script.push_back(answer);
    }

    pub(super) fn requests(&self) -> Vec<RecordedRequest> {
        self.lock().requests.clone()
    }

    pub(super) fn refusals(&self) -> Vec<String> {
        self.lock().refusals.clone()
    }

    pub(super) fn remaining(&self) -> usize {
        self.lock().script.len()
    }

    pub(super) fn issued(&self) -> Vec<Issued> {
        self.lock().issued.clone()
    }

    /// The answer to `body`.
    pub(super) fn next_answer(&self, body: &Value) -> Option<Answer> {
        let mut inner = self.lock();
        let summary = inner.summary.clone().filter(|_| body.get("tools").is_none());
        summary.map(|text| Answer::new().text(&text)).or_else(|| inner.script.pop_front())
    }

    pub(super) fn summarise_by(&self, text: &str) {
        self.lock().summary = Some(text.to_owned());
    }

    pub(super) fn clear(&self) {
        self.lock().script.clear();
    }

    pub(super) fn refuse(&self, model: &str, body: Value, code: u16, why: &str) {
        self.lock().refusals.push(why.to_owned());
        self.record(model, body, Outcome::Error(code));
    }

    pub(super) fn record(&self, model: &str, body: Value, outcome: Outcome) -> usize {
        let mut inner = self.lock();
        inner.requests.push(RecordedRequest { model: model.to_owned(), body, outcome });
        let index = inner.requests.len() - 1;
        drop(inner);
        self.changed();
        index
    }

    /// Opens the record of an answer; its parts are added as they are written.
    pub(super) fn issue(&self) -> usize {
        let mut inner = self.lock();
        let reader_may_have_died = self.options.readers_may_die;
        inner.issued.push(Issued { reader_may_have_died, ..Issued::default() });
        inner.issued.len() - 1
    }

    pub(super) fn issue_parts(&self, answer: usize, parts: &[Value]) {
        self.lock().issued[answer].parts.extend_from_slice(parts);
    }

    /// Closes the record of an answer. `whole` when the model ended it by itself.
    pub(super) fn end(&self, request: usize, answer: usize, outcome: Outcome, whole: bool) {
        let mut inner = self.lock();
        inner.requests[request].outcome = outcome;
        inner.issued[answer].whole = whole;
        drop(inner);
        self.changed();
    }

    pub(super) async fn wait_until(
        &self,
        mut condition: impl FnMut(&[RecordedRequest]) -> bool,
    ) -> Vec<RecordedRequest> {
        let mut changes = self.changes.subscribe();
        loop {
            let requests = self.requests();
            if condition(&requests) {
                return requests;
            }
            let change = timeout(PATIENCE, changes.changed()).await;
            assert!(change.is_ok(), "waited in vain; the requests so far: {requests:#?}");
        }
    }
}
