//! How well a model builds scenes: goals are dialogues, each message is followed by expectations,
//! and expectations are computed from the scenes before and after the message.
//!
//! ```text
//! evals/*.toml ─ goals ─▶ Goal { dialogue: [Message { say, expect: [Expectation] }] }
//! Moment { scene before, scene after, answer } ─ Expectation::check ─▶ Ok, or what was found instead
//! GoalResult ... ─▶ Report ─▶ table, JSON
//! ```
//!
//! Pure but for the reading of goal files: whoever has a model talks to it and hands the scenes in.
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
mod work;

pub use expectation::{Expectation, ExpectationError};
pub use goal::{Goal, GoalError, Message, goals};
pub use moment::Moment;
pub use report::{Failure, GoalResult, MessageResult, Report, Share};
pub use work::{Work, WorkReport, WorkResult, works};
