//! Scripted answers, the same for every dialect.

use llm::Gate;
use serde_json::{Value, json};

/// What one request gets.
#[derive(Debug, Clone)]
pub struct Reply {
    pub(super) steps: Vec<Step>,
    pub(super) error: Option<(u16, &'static str, String)>,
    pub(super) headers: Vec<(&'static str, &'static str)>,
    /// More fields of the error.
    pub(super) extra: Value,
    /// Ends because of the length limit.
    pub(super) cut: bool,
    pub(super) piece_bytes: usize,
}

#[derive(Debug, Clone)]
pub(super) enum Step {
    Thought(String, String),
    Text(String),
    Call(String, String, Value),
    /// An error within the stream.
    Error(&'static str, String),
    /// Bytes of the stream as they are.
    Raw(String),
    Gate(Gate),
    /// In the middle of the next step.
    Within(Gate),
    Break,
}

impl Default for Reply {
    fn default() -> Self {
        Self::new()
    }
}

impl Reply {
    /// An answer without parts.
    pub fn new() -> Self {
        let (steps, headers) = (Vec::new(), Vec::new());
        let extra = Value::Null;
        Self { steps, error: None, headers, extra, cut: false, piece_bytes: usize::MAX }
    }

    /// An HTTP error of this type, or `code` with OpenAI.
    pub fn error(status: u16, kind: &'static str, message: &str) -> Self {
        Self { error: Some((status, kind, message.into())), ..Self::new() }
    }

    /// Adds a header to an HTTP error.
    pub fn header(mut self, name: &'static str, value: &'static str) -> Self {
        self.headers.push((name, value));
        self
    }

    /// Groq's answer when it cannot read the call that the model wrote.
    pub fn tool_use_failed(generation: &str) -> Self {
        let message = "Failed to call a function. Please adjust your prompt. See 'failed_generation' for \
                       more details.";
        let extra = json!({ "failed_generation": generation });
        Self { extra, ..Self::error(400, "tool_use_failed", message) }
    }

    /// A thought with the signature it has to come back with: encrypted content with OpenAI's
    /// responses, nothing with chat completions and Ollama. Without one the thought was cut off.
    pub fn thought(self, text: &str, signature: &str) -> Self {
        self.step(Step::Thought(text.into(), signature.into()))
    }

    /// Text.
    pub fn text(self, text: &str) -> Self {
        self.step(Step::Text(text.into()))
    }

    /// A call.
    pub fn call(self, id: &str, name: &str, args: Value) -> Self {
        self.step(Step::Call(id.into(), name.into(), args))
    }

    /// An error within the stream.
    pub fn then_error(self, kind: &'static str, message: &str) -> Self {
        self.step(Step::Error(kind, message.into()))
    }

    /// These bytes, in the middle of the stream.
    pub fn raw(self, bytes: &str) -> Self {
        self.step(Step::Raw(bytes.into()))
    }

    /// Waits at the gate.
    pub fn gate(self, gate: &Gate) -> Self {
        self.step(Step::Gate(gate.clone()))
    }

    /// Waits at the gate in the middle of what is added next, such as a call's arguments.
    pub fn within(self, gate: &Gate) -> Self {
        self.step(Step::Within(gate.clone()))
    }

    /// The connection breaks here.
    pub fn broken(self) -> Self {
        self.step(Step::Break)
    }

    /// Ends because of the length limit.
    pub fn cut(mut self) -> Self {
        self.cut = true;
        self
    }

    /// Writes in pieces of so many bytes, which may split characters.
    pub fn in_pieces(mut self, bytes: usize) -> Self {
        self.piece_bytes = bytes.max(1);
        self
    }

    fn step(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }

    pub(super) fn has_calls(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Call(..)))
    }
}
