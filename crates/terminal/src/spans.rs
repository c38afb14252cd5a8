//! Styled text: colours of the chat, and lines broken at a width.

use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthChar as _;

pub(crate) const USER: Style = Style::new().fg(Color::Cyan).add_modifier(Modifier::BOLD);
pub(crate) const DIM: Style = Style::new().add_modifier(Modifier::DIM);
pub(crate) const ERROR: Style = Style::new().fg(Color::Red);
pub(crate) const NOTICE: Style = Style::new().fg(Color::Yellow);
pub(crate) const CODE: Style = Style::new().fg(Color::Green);
pub(crate) const BOLD: Style = Style::new().add_modifier(Modifier::BOLD);

/// Text without control characters and those that turn the direction of text: what models and files say must not
/// steer the terminal, or look like something else.
pub(crate) fn clean(text: &str) -> String {
    let turns = |letter: char| matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let shown = |letter: &char| !letter.is_control() && !turns(*letter);
    text.replace('\t', "    ").chars().filter(shown).collect()
}

/// A line broken at spaces so that no part is wider than `width`; the parts after the first begin with
/// `indent`.
pub(crate) fn wrapped(line: &[Span<'_>], width: usize, indent: &str) -> Vec<Line<'static>> {
    let width = width.max(indent.len() + 1).max(2);
    let letters: Vec<(char, Style)> =
        line.iter().flat_map(|span| span.content.chars().map(|c| (c, span.style))).collect();
    let mut lines = Vec::new();
    let mut rest = &letters[..];
    loop {
        let room = if lines.is_empty() { width } else { width - indent.len() };
        let (taken, skipped) = fitting(rest, room);
        let indent = if lines.is_empty() { "" } else { indent };
        lines.push(joined(indent, &rest[..taken]));
        rest = &rest[taken + skipped..];
        if rest.is_empty() {
            return lines;
        }
    }
}

/// How many letters go on the line, and how many spaces after them are dropped.
fn fitting(letters: &[(char, Style)], room: usize) -> (usize, usize) {
    let (mut used, mut space) = (0, None);
    for (index, (letter, _)) in letters.iter().enumerate() {
        if *letter == ' ' {
            space = Some(index);
        }
        used += letter.width().unwrap_or(0);
        if used > room {
            return match space {
                Some(0) | None => (index.max(1), 0),
                Some(space) => (space, 1),
            };
        }
    }
    (letters.len(), 0)
}

/// Letters of the same style together.
fn joined(indent: &str, letters: &[(char, Style)]) -> Line<'static> {
    let mut spans = Vec::new();
    if !indent.is_empty() {
        spans.push(Span::raw(indent.to_owned()));
    }
    for part in letters.chunk_by(|a, b| a.1 == b.1) {
        let text: String = part.iter().map(|(letter, _)| letter).collect();
        spans.push(Span::styled(text, part[0].1));
    }
    Line::from(spans)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, width: usize, expected: &[&str]) {
        let lines = wrapped(&[Span::raw(text)], width, "  ");
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        assert_eq!(lines, expected, "{text:?} at {width}");
    }

    #[test]
    fn lines_break_at_spaces_and_never_grow_too_wide() {
        check("", 10, &[""]);
        check("a red ball", 10, &["a red ball"]);
        check("a red ball on a table", 10, &["a red ball", "  on a", "  table"]);
        check("unbelievable", 6, &["unbeli", "  evab", "  le"]);
        check("日本語です", 6, &["日本語", "  です"]);
        check("abc", 0, &["abc"]);
    }

    #[test]
    fn nothing_steers_the_terminal() {
        assert_eq!(clean("a\u{1b}[2Jb\u{7}\tc\u{202e}d"), "a[2Jb    cd");
    }
}
