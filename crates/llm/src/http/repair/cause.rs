//! Causes of refusals.

/// The part of a request that a provider refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Cause {
    /// Pictures: the model has no vision.
    NoPictures,
    /// One of the pictures.
    Picture,
    /// The number of pictures, or their size.
    TooLarge,
    /// Thoughts whose signatures do not match the conversation.
    Thoughts,
    /// Any thoughts of earlier answers.
    NoThoughts,
    /// The thinking settings.
    Thinking,
    /// The setting of this name.
    Setting(&'static str),
    /// The limit of the answer.
    OutputLimit,
    /// A name of a tool in the history.
    ToolName,
    /// An id of a call.
    CallId,
    /// The order of roles.
    RoleOrder,
    /// A message of the role system.
    SystemRole,
    /// A schema of a tool.
    ToolSchema,
    /// Tools: the model has no function calling. Repaired by [`crate::AdaptiveTools`] with a text protocol.
    NoTools,
    /// A request longer than the context window. Repaired by the loop, which shortens the conversation.
    Overflow,
}
