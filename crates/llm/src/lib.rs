//! The conversation history, and a streaming trait for language models with its providers.
//!
//! This crate knows neither scenes nor the effects of tools.

mod adaptive_tools;
mod anthropic;
mod cached;
mod check;
mod content;
mod digest;
mod effort;
mod estimate;
mod gemini;
#[cfg(test)]
mod growing;
mod http;
mod local;
mod model;
mod normalise;
mod ollama;
mod openai;
mod pictures;
mod providers;
mod registry;
mod retry;
mod scripted;
mod size;
mod text_tools;
mod usage;

pub use adaptive_tools::AdaptiveTools;
pub use anthropic::{ANTHROPIC_BASE_URL, Anthropic};
pub use cached::{CacheCounts, Cached};
pub use check::history_errors;
pub use content::{Content, FunctionCall, FunctionResponse, Part, Role};
pub use effort::Effort;
pub use estimate::{AnswerEstimate, estimate_content, estimate_request};
pub use gemini::{GEMINI_BASE_URL, Gemini};
pub use http::{ClientConfig, Learned, http_client_builder, redirects_within_a_server};
pub use local::{LocalServer, find_local};
pub use model::{
    Chunk, ChunkStream, LanguageModel, ModelError, Request, RequestSettings, ToolDeclaration,
};
pub use normalise::normalise;
pub use ollama::{MAX_CONTEXT, Ollama, OllamaOptions};
pub use openai::{OPENAI_BASE_URL, OpenAi};
pub use pictures::{FittedPicture, fit_picture, picture_bytes, shed_pictures};
pub use providers::{KnownProvider, PROVIDERS, ProviderKind};
pub use registry::{
    EffortLevels, Listed, ModelFacts, PictureLimits, Source, Table, TableError, Thinking,
    TokenPrices, ToolUse, facts as facts_of,
};
pub use retry::RetryPolicy;
pub use scripted::{Gate, ScriptError, Scripted, Step};
pub use text_tools::{TextProtocol, TextTools};
pub use usage::Usage;
