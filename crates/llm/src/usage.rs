//! Token counts of a request and its answer.

use serde::{Deserialize, Serialize};

/// Tokens counted by the model's provider. Cumulative within one answer: the last one counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the request, including those read from and written to the prompt cache.
    pub input_tokens: u64,
    /// Tokens of the answer, including thoughts.
    pub output_tokens: u64,
    /// Tokens of the request that the provider read from its prompt cache.
    #[serde(default)]
    pub cached_tokens: u64,
    /// Tokens of the request that the provider wrote to its prompt cache.
    #[serde(default)]
    pub cache_write_tokens: u64,
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, more: Self) {
        self.input_tokens += more.input_tokens;
        self.output_tokens += more.output_tokens;
        self.cached_tokens += more.cached_tokens;
        self.cache_write_tokens += more.cache_write_tokens;
    }
}
