//! The present state of the work, told at the end of the conversation.

use llm::{Content, Part};

/// Tells the model the present state of what it works on. What a model was sent once is never changed,
/// so that prompt caches and signed thoughts stay valid: the state is appended where it is new.
pub trait ContextSource: Send + Sync {
    /// What to tell with the next request, as [`Part::context`]; `told` is what the model is shown
    /// without it. `None` when `told` says everything already.
    fn untold(&self, told: &[Content]) -> Option<Part>;
}

/// Nothing to tell.
impl ContextSource for () {
    fn untold(&self, _: &[Content]) -> Option<Part> {
        None
    }
}
