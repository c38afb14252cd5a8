//! The trait of all language models, with its requests and chunks.

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
    /// The name calls use.
    pub name: String,
    /// What it does and when to use it.
    pub description: String,
    /// JSON Schema of its arguments.
    pub parameters: Value,
}

/// Request settings of a session. `None` means the provider's default.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RequestSettings {
    /// How hard to think.
    pub effort: Option<Effort>,
    /// Sampling temperature, 0 to 2; many providers refuse it for models that think.
    pub temperature: Option<f64>,
    /// A prompt cache key: constant for a conversation, so that a provider can route its requests to the
    /// same cache. It reveals nothing about the user.
    pub cache_key: Option<String>,
}

/// A request to a model. Within a conversation, the system instruction and the tools stay the same, and
/// contents are only appended until a compaction: prompt caches and signed thoughts depend on it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Request {
    /// Who the model is and how it works.
    pub system_instruction: String,
    /// The history, already in a form the API accepts (see [`crate::normalise`]).
    pub contents: Vec<Content>,
    /// The tools it may call.
    pub tools: Vec<ToolDeclaration>,
    /// How it is to be answered.
    pub settings: RequestSettings,
}

/// A chunk of a streamed answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Chunk {
    /// A part of the answer, exactly as it came. Text arrives in many small parts.
    Part(Part),
    /// The newest token counts.
    Usage(Usage),
    /// The answer ends here because it reached the model's length limit.
    LengthLimit,
    /// The request is retried after `delay`: the provider is busy or the connection broke, or the provider
    /// refused something, which is left out now (then `delay` is zero, and `reason` says what). If
    /// `discard_text` is true, the parts streamed so far are discarded: the answer starts again.
    Retrying {
        /// Which retry this is, from 1.
        attempt: u32,
        /// How long until the next try.
        delay: Duration,
        /// Why, for the user to read.
        reason: String,
        /// Whether parts already streamed are void.
        discard_text: bool,
    },
}

/// An error of a model. The messages are for the user.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ModelError {
    /// The key was refused.
    #[error("{0}")]
    Unauthorized(String),
    /// The provider rejected the request; a retry will not help.
    #[error("{0}")]
    Rejected(String),
    /// The provider refuses to talk about this (a prompt block or a safety stop).
    #[error("{0}")]
    Blocked(String),
    /// The model produced a malformed call (`MALFORMED_FUNCTION_CALL`,
    /// `UNEXPECTED_TOOL_CALL`). The loop feeds this text back to the model.
    #[error("{0}")]
    MalformedCall(String),
    /// The request is longer than the model's context window. The loop compacts the conversation and
    /// asks again.
    #[error("{0}")]
    ContextOverflow(String),
    /// The provider is out of quota, overloaded or unreachable, also after the retries.
    #[error("{0}")]
    Unavailable(String),
}

impl ModelError {
    /// The same with another text.
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

/// The stream of one answer. Dropping it cuts the answer off at once.
pub type ChunkStream = BoxStream<'static, Result<Chunk, ModelError>>;

/// A language model. The stream ends with the complete answer or with an error.
pub trait LanguageModel: Send + Sync {
    /// The name users select it by, e.g. `gemini-3.8-flash` or `offline`.
    fn name(&self) -> &str;

    /// The known facts about the model.
    fn facts(&self) -> ModelFacts {
        facts(self.name())
    }

    /// Sends a request. Connecting, retries and errors all happen inside the stream, so that dropping the
    /// stream cancels everything.
    fn stream(&self, request: Request) -> ChunkStream;
}
