//! Sanitising texts of MCP servers for a model: invisible characters are removed, and length is limited.

/// The shortest run of base64 that is removed: 384 bytes, longer than a hash, a key or a token.
const MIN_BASE64: usize = 512;

/// `text` without control and invisible characters, which can hide instructions from the user,
/// truncated to `max` bytes.
pub(crate) fn clean(text: &str, max: usize) -> String {
    let visible = |letter: &char| !is_hidden(*letter);
    // A character has at most four bytes, so this many characters can fill `max`.
    let cleaned: String = text.chars().filter(visible).take(max + 1).collect();
    let cleaned = cleaned.trim();
    match cut(cleaned, max) {
        whole if whole.len() == cleaned.len() => whole.to_owned(),
        _ => format!("{}…", cut(cleaned, max.saturating_sub('…'.len_utf8())).trim_end()),
    }
}

/// Control characters except line breaks and tabs; bidirectional controls, joiners, tags and
/// variation selectors except those within letters.
fn is_hidden(letter: char) -> bool {
    (letter.is_control() && !matches!(letter, '\n' | '\t'))
        || matches!(letter,
            '\u{00AD}' | '\u{061C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}'
            | '\u{E0000}'..='\u{E0FFF}')
}

/// The first `max` bytes of `text`, up to a character boundary.
pub(crate) fn cut(text: &str, max: usize) -> &str {
    &text[..text.floor_char_boundary(max)]
}

/// `text` with a note in place of each long run of base64, including `data:` URIs, since base64
/// costs tokens and means nothing to a model.
pub(crate) fn without_base64(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((start, end)) = base64_run(rest) {
        let before = &rest[..start];
        // Include a preceding `data:image/png;base64,`.
        let head = before.rfind("data:").filter(|at| {
            before.len() - at < 200 && before.ends_with(";base64,") && !before[*at..].contains(' ')
        });
        let media_type =
            head.map(|at| &before[at + "data:".len()..before.len() - ";base64,".len()]);
        kept.push_str(&before[..head.unwrap_or(before.len())]);
        let bytes = (end - start) / 4 * 3;
        match media_type {
            Some(media_type) => kept.push_str(&note(Some(media_type), bytes)),
            None => kept.push_str(&note(None, bytes)),
        }
        rest = &rest[end..];
    }
    if kept.is_empty() && rest.len() == text.len() {
        return text.to_owned();
    }
    kept.push_str(rest);
    kept
}

/// The note in place of binary data.
pub(crate) fn note(media_type: Option<&str>, bytes: usize) -> String {
    let media_type = media_type.map(|kind| clean(kind, 100)).filter(|kind| !kind.is_empty());
    format!("[{} left out: {bytes} bytes]", media_type.as_deref().unwrap_or("base64 data"))
}

/// The range of the first long run of base64: with letters of both cases and digits, as in encoded
/// data.
fn base64_run(text: &str) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let is_base64 =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_' | b'=');
    let mut start = 0;
    while start + MIN_BASE64 <= bytes.len() {
        let length = bytes[start..].iter().take_while(|byte| is_base64(**byte)).count();
        let run = &bytes[start..start + length];
        let sample = &run[..length.min(MIN_BASE64)];
        let has = |kind: fn(&u8) -> bool| sample.iter().any(kind);
        if length >= MIN_BASE64
            && has(u8::is_ascii_uppercase)
            && has(u8::is_ascii_lowercase)
            && has(u8::is_ascii_digit)
        {
            return Some((start, start + length));
        }
        start += length + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_go_and_long_texts_are_cut() {
        assert_eq!(clean("a\u{0}b\u{1b}[31m\u{202e}c\n\td", 100), "ab[31mc\n\td");
        assert_eq!(clean("\u{e0041}\u{200b} x \u{feff}", 100), "x");
        assert_eq!(clean("äöü", 6), "äöü");
        assert_eq!(clean("äöüä", 7), "äö…");
        assert!(clean(&"ä".repeat(5_000), 1_000).len() <= 1_000);
    }

    #[test]
    fn base64_becomes_a_note_and_prose_stays() {
        let data = "aB3d".repeat(300);
        let note = "[base64 data left out: 900 bytes]";
        assert_eq!(without_base64(&data), note);
        assert_eq!(
            without_base64(&format!("see {data} and {data}.")),
            format!("see {note} and {note}.")
        );
        assert_eq!(
            without_base64(&format!("<img src=\"data:image/png;base64,{data}\">")),
            "<img src=\"[image/png left out: 900 bytes]\">"
        );
        for text in
            ["x".repeat(5_000), "ACGT".repeat(500), "some words ".repeat(200), "ä".repeat(999)]
        {
            assert_eq!(without_base64(&text), text);
        }
    }
}
