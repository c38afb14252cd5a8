//! What is refused.

/// What of a request a provider refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Cause {
    /// Pictures: the model sees none.
    NoPictures,
    /// One of the pictures.
    Picture,
    /// So many pictures, or so many bytes.
    TooLarge,
    /// Thoughts that do not belong to this conversation as it is now.
    Thoughts,
    /// Thoughts of earlier answers as such.
    NoThoughts,
    /// Being told how to think.
    Thinking,
    /// The setting of this name.
    Setting(&'static str),
    /// So long an answer.
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
    /// Tools: the model takes none. Repaired by [`crate::AdaptiveTools`], which writes them in words.
    NoTools,
    /// A request longer than the context window. Repaired by the loop, which shortens the conversation.
    Overflow,
}
