//! What a server gave out, for its rules to know again.

use serde_json::Value;

/// A thought with its signature.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Thought {
    pub(super) model: String,
    pub(super) text: String,
    pub(super) signature: String,
    /// What stood before it: system, tools and messages, as `rules::bound_prefix` writes them.
    pub(super) prefix: Vec<String>,
}

/// A call.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Call {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) args: Value,
    /// The id of the reasoning item before it (responses).
    pub(super) reasoning: Option<String>,
    /// Whether its answer began with a thought (chat completions).
    pub(super) thought: bool,
}

/// All that was given out.
#[derive(Debug, Clone, Default)]
pub(super) struct Issued {
    pub(super) thoughts: Vec<Thought>,
    pub(super) calls: Vec<Call>,
    /// Reasoning items (responses): id and encrypted content.
    pub(super) reasoning: Vec<(String, String)>,
    /// Counts items, for their ids.
    pub(super) items: usize,
}

impl Issued {
    pub(super) fn call(&self, id: &str) -> Option<&Call> {
        self.calls.iter().find(|call| call.id == id)
    }

    pub(super) fn thoughts(&self, signature: &str) -> impl Iterator<Item = &Thought> {
        self.thoughts.iter().filter(move |thought| thought.signature == signature)
    }
}
