//! Kinds of objects.

/// Whether an object is a shape or a light.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectKind {
    /// A shape of the document.
    Shape,
    /// The visible body of a light of the document.
    Light,
}
