//! A cursor over text that may be incomplete: it records whether a read needs text that has not
//! arrived.

/// A position in text. While [`Self::is_starved`] is false, the result of a parse does not depend
/// on the text that follows, and so not on the sizes of a stream's chunks.
#[derive(Debug, Clone)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
    end: End,
    starved: bool,
    /// The furthest position that was inspected.
    seen: usize,
    /// Whether closing brackets were missing at the end of a value.
    completed: bool,
}

/// What follows the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// Possibly more text.
    Open,
    /// Nothing: the answer is complete.
    Whole,
    /// Nothing: the answer was truncated at a limit.
    Cut,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str, end: End) -> Self {
        Self { text, at: 0, end, starved: false, seen: 0, completed: false }
    }

    /// Whether a read reached the end of incomplete text.
    pub(super) fn is_starved(&self) -> bool {
        self.starved
    }

    /// The furthest inspected position, in bytes.
    pub(super) fn seen(&self) -> usize {
        self.seen.max(self.at)
    }

    /// The current position, in bytes.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Moves to a position within the read text.
    pub(super) fn jump(&mut self, at: usize) {
        self.seen = self.seen();
        self.at = at;
    }

    /// The text between `start` and the current position.
    pub(super) fn since(&self, start: usize) -> &'a str {
        &self.text[start..self.at]
    }

    /// Moves to the beginning of the line if only white space precedes the current position.
    pub(super) fn back_to_indent(&mut self) {
        let before = &self.text[..self.at];
        let line = before.trim_end_matches([' ', '\t']);
        if line.is_empty() || line.ends_with('\n') {
            self.at = line.len();
        }
    }

    /// Whether the current position is the end of a complete answer.
    pub(super) fn is_at_whole_end(&mut self) -> bool {
        self.peek().is_none() && self.end == End::Whole
    }

    /// Records that closing brackets are missing at the end of a value.
    pub(super) fn complete(&mut self) {
        self.completed = true;
    }

    /// Whether a value without its last closing brackets was read.
    pub(super) fn is_completed(&self) -> bool {
        self.completed
    }

    /// Whether the answer was truncated.
    pub(super) fn is_cut(&self) -> bool {
        self.end == End::Cut
    }

    /// The next character.
    pub(super) fn peek(&mut self) -> Option<char> {
        let next = self.text[self.at..].chars().next();
        self.starved |= next.is_none() && self.end == End::Open;
        next
    }

    /// Consumes the next character.
    pub(super) fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Whether `text` follows.
    pub(super) fn sees(&mut self, text: &str) -> bool {
        let rest = &self.text[self.at..];
        let sees = rest.starts_with(text);
        self.starved |= !sees && self.end == End::Open && text.starts_with(rest);
        sees
    }

    /// Consumes `text` if it follows.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        let sees = self.sees(text);
        if sees {
            self.at += text.len();
        }
        sees
    }

    /// Consumes the characters for which `belongs` is true.
    pub(super) fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let start = self.at;
        while self.peek().is_some_and(&belongs) {
            self.next();
        }
        self.since(start)
    }

    /// Consumes white space.
    pub(super) fn skip_blank(&mut self) {
        self.take_while(char::is_whitespace);
    }

    /// Consumes white space up to the end of the line.
    pub(super) fn skip_spaces(&mut self) {
        self.take_while(|next| next != '\n' && next.is_whitespace());
    }

    /// Consumes the text up to and including `mark`, and returns the text before it; `None`,
    /// without a move, if `mark` does not follow.
    pub(super) fn take_until(&mut self, mark: &str) -> Option<&'a str> {
        let rest = &self.text[self.at..];
        let Some(length) = rest.find(mark) else {
            self.starved |= self.end == End::Open;
            self.seen = self.text.len();
            return None;
        };
        self.at += length + mark.len();
        Some(&rest[..length])
    }

    /// Consumes the rest of the line, without its line break.
    pub(super) fn take_line(&mut self) -> &'a str {
        self.take_while(|next| next != '\n')
    }

    /// Consumes the rest of the line, at most `limit` bytes.
    pub(super) fn take_line_to(&mut self, limit: usize) -> &'a str {
        let start = self.at;
        while self.at - start < limit && self.peek().is_some_and(|next| next != '\n') {
            self.next();
        }
        self.since(start)
    }
}
