//! Texts as PostgreSQL takes them, and words to search for.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The most bytes of a passage that can be searched: the words of a longer one are too much for one row.
const MAX_SEARCHED: usize = 256 * 1024;

/// A text without the character of number 0, which PostgreSQL refuses.
pub(super) fn text(text: &str) -> Cow<'_, str> {
    if text.contains('\0') {
        Cow::Owned(text.replace('\0', "\u{fffd}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// The words of a text, without accents and with spaces between, so that nothing but letters and digits
/// decides where a word ends.
pub(super) fn words(text: &str) -> String {
    let mut end = text.len().min(MAX_SEARCHED);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let letters = text[..end].nfd().filter(|letter| !is_combining_mark(*letter));
    letters.map(|letter| if letter.is_alphanumeric() { letter } else { ' ' }).collect()
}

/// A query for all words of a search. The last one is a prefix, since users search while they type.
/// `None` when there are no words.
pub(super) fn query(search: &str) -> Option<String> {
    let words = words(search);
    let quoted: Vec<String> = words.split_whitespace().map(|word| format!("'{word}'")).collect();
    (!quoted.is_empty()).then(|| format!("{}:*", quoted.join(" & ")))
}

/// A pattern of LIKE for what holds `part`.
pub(super) fn holds(part: &str) -> String {
    let part = text(part.trim()).replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{part}%")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_no_accents_and_no_marks_between() {
        assert_eq!(words("Le café/bar, 3×4"), "Le cafe bar  3 4");
        assert_eq!(query("red sph").as_deref(), Some("'red' & 'sph':*"));
        assert_eq!(query("it's \"* OR"), Some("'it' & 's' & 'OR':*".into()));
        assert_eq!(query(" ?! "), None);
        assert!(words(&"ö".repeat(MAX_SEARCHED)).len() <= MAX_SEARCHED);
    }

    #[test]
    fn texts_are_taken() {
        assert_eq!(text("a\0b"), "a\u{fffd}b");
        assert_eq!(holds(" 100%_\\ "), "%100\\%\\_\\\\%");
    }
}
