//! The trait of all language models, with its requests and chunks.

use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::BoxStream;
use serde_json::Value;

use crate::content::{Content, Part};
use crate::effort::Effort;
use crate::registry::{ModelFacts, facts};
use crate::usage::Usage;

/// The declaration of a tool for a model.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolDeclaration {
    /// Its name in calls.
    pub name: String,
    /// Its description: what it does and when to use it.
    pub description: String,
    /// The JSON Schema of its arguments.
    pub parameters: Arc<Value>,
}

/// Request settings of a session. `None` means the provider's default.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RequestSettings {
    /// The reasoning effort.
    pub effort: Option<Effort>,
    /// The sampling temperature, 0 to 2; many providers refuse it for reasoning models.
    pub temperature: Option<f64>,
    /// A prompt cache key: constant for a conversation, so that a provider can route its requests to the
    /// same cache. It reveals nothing about the user.
    pub cache_key: Option<String>,
}

/// A request to a model. Within a conversation, the system instruction and the tools stay the same,
/// and contents are only appended until a compaction, since prompt caches and signed thoughts
/// depend on it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Request {
    /// The system instruction.
    pub system_instruction: String,
    /// The history, already normalised (see [`crate::normalise`]).
    pub contents: Vec<Content>,
    /// The declared tools, shared by the requests of a conversation.
    pub tools: Arc<[ToolDeclaration]>,
    /// The settings.
    pub settings: RequestSettings,
}

/// A chunk of a streamed answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Chunk {
    /// A part of the answer, verbatim. Text is streamed in many small parts.
    Part(Part),
    /// The newest token counts.
    Usage(Usage),
    /// The answer was truncated at the model's length limit.
    LengthLimit,
    /// The request is retried after `delay`, since the provider is busy or the connection broke, or
    /// since the provider refused a feature, which is left out now (then `delay` is zero and
    /// `reason` names the feature). If `discard_text` is true, the parts streamed so far are
    /// discarded: the answer starts again.
    Retrying {
        /// The number of the retry, from 1.
        attempt: u32,
        /// The delay before the retry.
        delay: Duration,
        /// The reason, for the user.
        reason: String,
        /// Whether the parts streamed so far are discarded.
        discard_text: bool,
    },
}

/// An error of a model. The messages are for the user.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ModelError {
    /// The key is invalid.
    #[error("{0}")]
    Unauthorized(String),
    /// The provider rejected the request; a retry will not help.
    #[error("{0}")]
    Rejected(String),
    /// The provider refuses the topic (a prompt block or a safety stop).
    #[error("{0}")]
    Blocked(String),
    /// The model produced a malformed call (`MALFORMED_FUNCTION_CALL`, `UNEXPECTED_TOOL_CALL`). The
    /// loop feeds this text back to the model.
    #[error("{0}")]
    MalformedCall(String),
    /// The request exceeds the model's context window. The loop compacts the conversation and tries
    /// again.
    #[error("{0}")]
    ContextOverflow(String),
    /// The provider is out of quota, overloaded or unreachable, even after retries.
    #[error("{0}")]
    Unavailable(String),
}

impl ModelError {
    /// The same error with a changed text.
    pub(crate) fn map_text(self, change: impl FnOnce(String) -> String) -> Self {
        match self {
            Self::Unauthorized(text) => Self::Unauthorized(change(text)),
            Self::Rejected(text) => Self::Rejected(change(text)),
            Self::Blocked(text) => Self::Blocked(change(text)),
            Self::MalformedCall(text) => Self::MalformedCall(change(text)),
            Self::ContextOverflow(text) => Self::ContextOverflow(change(text)),
            Self::Unavailable(text) => Self::Unavailable(change(text)),
        }
    }
}

/// The stream of one answer. Dropping it cancels the request at once.
pub type ChunkStream = BoxStream<'static, Result<Chunk, ModelError>>;

/// A language model. The stream ends with the complete answer or with an error.
pub trait LanguageModel: Send + Sync {
    /// The name by which users select it, e.g. `gemini-3.8-flash` or `offline`.
    fn name(&self) -> &str;

    /// The known facts about the model.
    fn facts(&self) -> ModelFacts {
        facts(self.name())
    }

    /// Sends a request. Connecting, retries and errors all happen inside the stream, so that dropping the
    /// stream cancels everything.
    fn stream(&self, request: Request) -> ChunkStream;
}
