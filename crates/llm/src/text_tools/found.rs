//! What is found in an answer.

use crate::content::Part;

/// A piece of an answer, in order.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Found {
    /// Text for the user.
    Text(String),
    /// Text that only shows how the model thinks.
    Thought(String),
    /// A call.
    Call(Part),
    /// Something meant as a call; for the model to read. Nothing after it counts.
    Malformed(String),
    /// Nothing after this counts.
    End,
}

/// Longest part of what the model wrote that is shown to it again.
const EXCERPT_CHARS: usize = 300;

/// What the model is told of `written`, which could not be read because of `why`.
pub(super) fn malformed(why: &str, written: &str, form: &str) -> Found {
    let mut excerpt: String = written.trim().chars().take(EXCERPT_CHARS).collect();
    if excerpt.len() < written.trim().len() {
        excerpt.push('\u{2026}');
    }
    Found::Malformed(format!(
        "A tool call could not be read: {why}. You wrote: {excerpt}\nThe form is: {form}"
    ))
}
