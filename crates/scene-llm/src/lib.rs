//! The program `scene-llm`: its command line, and goals held against a model.

mod cli;
mod evaluate;

pub use cli::run;
pub use evaluate::{Evaluation, TranscriptError};
