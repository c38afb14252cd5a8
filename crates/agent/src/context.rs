//! The context: the current state of the document, sent at the end of the conversation.

use llm::{Content, Part};

/// Provides the current state of the document to the model. Contents that were sent never change, so
/// that prompt caches and signed thoughts stay valid; new state is appended.
pub trait ContextSource: Send + Sync {
    /// The context for the next request, as [`Part::context`]. `told` is what the model sees without
    /// it; `None` when `told` is up to date.
    fn untold(&self, told: &[Content]) -> Option<Part>;
}

/// No context.
impl ContextSource for () {
    fn untold(&self, _: &[Content]) -> Option<Part> {
        None
    }
}
