//! Conversation history and language models behind one streaming trait.
//!
//! Knows nothing of scenes and nothing of what tools mean.

mod check;
mod content;
mod gemini;
mod model;
mod normalise;
mod pictures;
mod retry;
mod scripted;

pub use check::faults;
pub use content::{Content, FunctionCall, FunctionResponse, Part, Role};
pub use gemini::{DEFAULT_BASE_URL, Gemini, GeminiConfig};
pub use model::{Chunk, ChunkStream, LanguageModel, ModelError, Request, ToolDeclaration, Usage};
pub use normalise::normalise;
pub use pictures::shed_pictures;
pub use retry::RetryPolicy;
pub use scripted::{Gate, ScriptError, Scripted, Step};
