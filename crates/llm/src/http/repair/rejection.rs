//! A refusal, and the cause it names.

use super::cause::Cause;
use super::wordings;
use crate::model::ModelError;

/// A refusal that names its cause.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rejection {
    pub(crate) cause: Cause,
    /// The provider's message, which may contain a limit.
    pub(crate) said: String,
}

impl Rejection {
    /// The refusal of an HTTP status, or of a code within a stream, if its text names something.
    /// A server that breaks on a request says so with 500, e.g. llama.cpp.
    pub(crate) fn of(code: u16, said: &str) -> Option<Self> {
        if !matches!(code, 400 | 404 | 413 | 415 | 422 | 429 | 500 | 501) {
            return None;
        }
        let cause = match wordings::cause(said) {
            // A busy provider may mention anything.
            Some(cause) if code != 429 || matches!(cause, Cause::Thoughts) => cause,
            None if code == 413 => Cause::TooLarge,
            _ => return None,
        };
        Some(Self { cause, said: said.to_owned() })
    }

    /// The error where it is not repaired here.
    pub(crate) fn as_error(&self, text: String) -> ModelError {
        match self.cause {
            // Without pictures it is the conversation that is too long.
            Cause::Overflow | Cause::TooLarge => ModelError::ContextOverflow(text),
            _ => ModelError::Rejected(text),
        }
    }
}
