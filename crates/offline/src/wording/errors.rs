//! Errors of tools in plain words.

use super::names::{capital, the};

/// An error of a tool as a sentence: without the name of the tool, and with things called by their names.
pub(crate) fn in_plain_words(error: &str) -> String {
    let is_tool = |name: &&str| {
        !name.is_empty() && name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_')
    };
    let told = match error.split_once(": ") {
        Some((name, told)) if is_tool(&name) => told,
        _ => error,
    };
    let mut named = String::with_capacity(told.len());
    for (at, piece) in told.split('\'').enumerate() {
        let is_id =
            at % 2 == 1 && piece.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
        match is_id {
            true => named.push_str(&the(piece)),
            false if at % 2 == 1 => named.push_str(&format!("'{piece}'")),
            false => named.push_str(piece),
        }
    }
    let sentence = capital(&named);
    if sentence.ends_with(['.', '!', '?']) { sentence } else { sentence + "." }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_sentences_without_ids() {
        let error = "place: the gap between 'platform' and 'platform_2' is 0 m; move them apart";
        let told = "The gap between the platform and platform 2 is 0 m; move them apart.";
        assert_eq!(in_plain_words(error), told);
        assert_eq!(in_plain_words("a size is more than nothing."), "A size is more than nothing.");
    }
}
