//! Scripted answers.

use bytes::Bytes;
use llm::Gate;
use serde_json::{Value, json};

use super::google_error;

/// What one request gets: events in order, or an HTTP error.
#[derive(Debug, Clone)]
pub struct Answer {
    pub(super) steps: Vec<Step>,
    pub(super) error: Option<HttpError>,
    /// The `finishReason` of a last event; none is sent when `None`.
    pub(super) finish: Option<String>,
    pub(super) line_end: &'static str,
    pub(super) piece_bytes: usize,
}

#[derive(Debug, Clone)]
pub(super) enum Step {
    /// One event with these parts.
    Parts(Vec<Value>),
    /// One event with this data.
    Event(Value),
    Raw(Bytes),
    Gate(Gate),
    /// The connection breaks.
    Break,
}

#[derive(Debug, Clone)]
pub(super) struct HttpError {
    pub(super) code: u16,
    pub(super) message: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) details: Vec<Value>,
}

impl Default for Answer {
    fn default() -> Self {
        Self::new()
    }
}

impl Answer {
    /// An answer without parts that ends with `STOP`, in LF lines, each event in one write.
    pub fn new() -> Self {
        Self {
            steps: Vec::new(),
            error: None,
            finish: Some("STOP".into()),
            line_end: "\n",
            piece_bytes: usize::MAX,
        }
    }

    /// An HTTP error in Google's format.
    pub fn error(code: u16, message: &str) -> Self {
        let error =
            HttpError { code, message: message.into(), headers: Vec::new(), details: Vec::new() };
        Self { error: Some(error), ..Self::new() }
    }

    /// 429 that asks for a delay like `0.01s`, for a quota that counts per minute.
    pub fn too_many_requests(delay: &str) -> Self {
        Self::error(429, "You exceeded your current quota.")
            .detail(google_error::quota_failure("GenerateRequestsPerMinutePerProjectPerModel"))
            .detail(google_error::retry_info(delay))
    }

    /// 429 for a quota that counts per day.
    pub fn daily_quota_used_up() -> Self {
        Self::error(429, "You exceeded your current quota.")
            .detail(google_error::quota_failure("GenerateRequestsPerDayPerProjectPerModel"))
            .detail(google_error::retry_info("1s"))
    }

    /// Adds a header to an HTTP error.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.http_error().headers.push((name.into(), value.into()));
        self
    }

    /// Adds an entry to `details` of an HTTP error.
    pub fn detail(mut self, detail: Value) -> Self {
        self.http_error().details.push(detail);
        self
    }

    fn http_error(&mut self) -> &mut HttpError {
        self.error.as_mut().expect("only an HTTP error has headers and details")
    }

    /// An event with a text part.
    pub fn text(self, text: &str) -> Self {
        self.part(json!({ "text": text }))
    }

    /// An event with a thought.
    pub fn thought(self, text: &str) -> Self {
        self.part(json!({ "text": text, "thought": true }))
    }

    /// An event with a function call.
    pub fn call(self, id: Option<&str>, name: &str, args: Value) -> Self {
        let mut call = json!({ "name": name, "args": args });
        if let Some(id) = id {
            call["id"] = id.into();
        }
        self.part(json!({ "functionCall": call }))
    }

    /// An event with this part.
    pub fn part(self, part: Value) -> Self {
        self.parts(vec![part])
    }

    /// An event with these parts.
    pub fn parts(mut self, parts: Vec<Value>) -> Self {
        self.steps.push(Step::Parts(parts));
        self
    }

    /// Signs the last part. `signature` must be base64.
    ///
    /// # Panics
    /// When there is no part yet.
    pub fn signed(mut self, signature: &str) -> Self {
        let last = self.steps.iter_mut().rev().find_map(|step| match step {
            Step::Parts(parts) => parts.last_mut(),
            _ => None,
        });
        last.expect("a part to sign")["thoughtSignature"] = signature.into();
        self
    }

    /// An event with an empty text that only carries a signature, as Gemini ends some answers.
    pub fn signed_end(self, signature: &str) -> Self {
        self.part(json!({ "text": "" })).signed(signature)
    }

    /// An event with this data, as it is.
    pub fn event(mut self, data: Value) -> Self {
        self.steps.push(Step::Event(data));
        self
    }

    /// These bytes, as they are.
    pub fn raw(mut self, bytes: impl Into<Bytes>) -> Self {
        self.steps.push(Step::Raw(bytes.into()));
        self
    }

    /// Waits at the gate.
    pub fn gate(mut self, gate: &Gate) -> Self {
        self.steps.push(Step::Gate(gate.clone()));
        self
    }

    /// The connection breaks here.
    pub fn broken(mut self) -> Self {
        self.steps.push(Step::Break);
        self
    }

    /// Ends with this `finishReason` instead of `STOP`.
    pub fn finish(mut self, reason: &str) -> Self {
        self.finish = Some(reason.into());
        self
    }

    /// Ends without a `finishReason`.
    pub fn unfinished(mut self) -> Self {
        self.finish = None;
        self
    }

    /// Ends lines with CRLF.
    pub fn crlf(mut self) -> Self {
        self.line_end = "\r\n";
        self
    }

    /// Writes in pieces of so many bytes, which may split characters.
    pub fn in_pieces(mut self, bytes: usize) -> Self {
        self.piece_bytes = bytes.max(1);
        self
    }
}

/// The parts of an event's first candidate.
pub(super) fn parts_of(event: &Value) -> &[Value] {
    event["candidates"][0]["content"]["parts"].as_array().map(Vec::as_slice).unwrap_or_default()
}
