//! The output of the parser.

use crate::content::Part;

/// A piece of an answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Output {
    /// Text for the user.
    Text(String),
    /// A thought.
    Thought(String),
    /// A call.
    Call(Part),
    /// An unreadable call, with an error for the model. It ends the answer.
    Malformed(String),
    /// The end of the answer; the text after it is ignored.
    End,
}

/// The most characters of unreadable text to quote to the model.
const EXCERPT_CHARS: usize = 300;

/// The error for the model about the unreadable text `written`.
pub(super) fn malformed(why: &str, written: &str, form: &str) -> Output {
    let mut excerpt: String = written.trim().chars().take(EXCERPT_CHARS).collect();
    if excerpt.len() < written.trim().len() {
        excerpt.push('\u{2026}');
    }
    Output::Malformed(format!(
        "A tool call could not be read: {why}. You wrote: {excerpt}\nThe form is: {form}"
    ))
}
