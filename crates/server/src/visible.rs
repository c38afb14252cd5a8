//! Text of others in errors.

/// `text` with characters that are invisible or turn the direction of text written as their numbers: errors repeat
/// what was wrong, and must not look like something else.
pub(crate) fn visible(text: String) -> String {
    // Some scripts and emoji need these.
    let joins = |letter: char| matches!(letter, '\u{200c}' | '\u{200d}');
    let hides = |letter: char| scene::is_hidden(letter) && !joins(letter);
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

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn what_hides_is_written_as_its_number() {
        assert_eq!(visible("as it is\n\u{200d}".into()), "as it is\n\u{200d}");
        assert_eq!(visible("a\u{202e}b\u{2066}".into()), "aU+202EbU+2066");
    }
}
