//! The scene-llm server: sessions as actors, WebSocket, HTTP, and the command line.

mod choices;
pub mod cli;
mod config;
mod http;
mod models;
mod serve;
mod session;

pub use config::{Config, DEFAULT_GEMINI_MODEL, GeminiAccess, Keep, ModelsConfig};
pub use models::ModelsError;
pub use serve::{Server, StartError};
