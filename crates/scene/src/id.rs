//! Ids of objects.

use serde::Serialize;
use serde_json::Value;

use crate::read::{PropertyPath, Read};
use crate::violations::ReadErrors;

/// The longest id, in characters.
pub const MAX_ID_LENGTH: usize = 128;

/// The name of a shape, light or group: non-empty, at most [`MAX_ID_LENGTH`] characters, no control
/// characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct Id(String);

impl Id {
    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// An id from a text that keeps the rules.
    pub fn new(text: &str) -> Option<Self> {
        let good = !text.trim().is_empty()
            && text.chars().count() <= MAX_ID_LENGTH
            && !text.chars().any(char::is_control);
        good.then(|| Self(text.to_owned()))
    }
}

/// The id without the number of a copy: `pine` for `pine_7`.
pub fn stem(id: &str) -> &str {
    let stem = id.trim_end_matches(|end: char| end.is_ascii_digit());
    stem.strip_suffix('_').filter(|stem| !stem.is_empty()).unwrap_or(id)
}

/// Whether a character is invisible or changes how those around it look, so that different texts
/// may look the same. Unicode Technical Report 36, sections 2 and 3.
pub fn is_hidden(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}')
}

/// Joiners that some scripts and emoji need.
fn joins(letter: char) -> bool {
    matches!(letter, '\u{200c}' | '\u{200d}')
}

/// A text for display without such characters. Joiners that some scripts and emoji need are kept.
pub fn shown(text: &str) -> String {
    let is_shown = |letter: &char| !letter.is_control() && (!is_hidden(*letter) || joins(*letter));
    text.chars().filter(is_shown).collect()
}

/// A text with such characters, and with control characters but line breaks and tabs, written as their numbers: errors
/// repeat what was wrong, and must neither look like something else nor steer a terminal.
pub fn visible(text: String) -> String {
    let is_line = |letter: char| matches!(letter, '\n' | '\t');
    let hides = |letter: char| {
        (is_hidden(letter) && !joins(letter)) || (letter.is_control() && !is_line(letter))
    };
    if !text.contains(hides) {
        return text;
    }
    let mut visible = String::with_capacity(text.len());
    for letter in text.chars() {
        match hides(letter) {
            true => visible += &format!("U+{:04X}", u32::from(letter)),
            false => visible.push(letter),
        }
    }
    visible
}

/// Rejects a new id with hidden characters. Existing ones in files and sessions are accepted.
pub(crate) fn check_new(id: &Id, at: &PropertyPath<'_>, errors: &mut ReadErrors) {
    if let Some(hidden) = id.as_str().chars().find(|letter| is_hidden(*letter)) {
        let visible: String = id.as_str().chars().filter(|letter| !is_hidden(*letter)).collect();
        errors.add(format!(
            "{} must not have invisible characters or ones that turn the direction of text, got U+{:04X}; \
             call it '{visible}'",
            at.subject(),
            u32::from(hidden)
        ));
    }
}

impl std::fmt::Display for Id {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl Read for Id {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        let id = value.as_str().and_then(Self::new);
        if id.is_none() {
            at.must_be(&Self::expected(), value, errors);
        }
        id
    }

    fn expected() -> String {
        format!("a non-empty text of at most {MAX_ID_LENGTH} characters")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hides_is_written_as_its_number() {
        assert_eq!(visible("as it is\n\t\u{200d}".into()), "as it is\n\t\u{200d}");
        assert_eq!(
            visible("a\u{202e}b\u{2066}\u{1b}[2J\r".into()),
            "aU+202EbU+2066U+001B[2JU+000D"
        );
    }
}
