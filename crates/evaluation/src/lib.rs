//! Evaluation of models: goals are dialogues with expectations after each message, which are
//! computed from the scenes before and after the message.
//!
//! ```text
//! evals/*.toml ─ goals ─▶ Goal { dialogue: [Message { say, expect: [Expectation] }] }
//! Moment { scene before, scene after, answer } ─ Expectation::check ─▶ Ok, or what was found instead
//! GoalResult ... ─▶ Report ─▶ table, JSON
//! ```
//!
//! Pure except for reading goal files: the caller talks to the model and passes the scenes in.
//! The language of expectations is described in `docs/evaluation.md`.

mod colour;
mod expectation;
mod goal;
mod moment;
mod name;
mod range;
mod report;
mod selector;
mod substance;
mod thing;
mod transcript;
mod work;

pub use expectation::{Expectation, ExpectationError};
pub use goal::{Goal, GoalError, Message, goals};
pub use moment::Moment;
pub use report::{Failure, GoalResult, MessageResult, Report, Share};
pub use transcript::{
    GivenAnswer, GivenCall, Transcript, TranscriptCost, TranscriptReport, transcripts,
};
pub use work::{Work, WorkReport, WorkResult, works};
