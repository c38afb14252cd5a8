//! How the fake behaves.

use super::providers::Dialect;

/// The only key that is accepted.
pub const KEY: &str = "sk-test-5309";

/// How the fake behaves beside its script.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Whose API it speaks.
    pub dialect: Dialect,
    /// Tokens of request and answer, in place of what the model takes; what is longer is refused.
    pub context_window: Option<u64>,
    /// Whether Anthropic's account is a newer one, for which thoughts are bound to what stood before
    /// them.
    pub binds_thoughts: bool,
}

impl From<Dialect> for Options {
    fn from(dialect: Dialect) -> Self {
        Self { dialect, context_window: None, binds_thoughts: false }
    }
}
