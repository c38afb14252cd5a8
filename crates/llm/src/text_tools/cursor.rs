//! Reading in text that may go on: whoever looks past its end is told so.

/// A place in text. What is read without [`Self::is_starved`] does not depend on what comes next,
/// and so not on how a stream was cut.
#[derive(Debug, Clone)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
    end: End,
    starved: bool,
    /// The furthest place that was looked at.
    seen: usize,
    /// Brackets were missing at the end of a value.
    completed: bool,
}

/// What comes after the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// More may come.
    Open,
    /// Nothing: the answer is whole.
    Whole,
    /// Nothing, although the answer was to go on: it reached a limit.
    Cut,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str, end: End) -> Self {
        Self { text, at: 0, end, starved: false, seen: 0, completed: false }
    }

    /// Whether something was looked for past the end of text that may go on.
    pub(super) fn is_starved(&self) -> bool {
        self.starved
    }

    /// How far it was looked at, in bytes.
    pub(super) fn seen(&self) -> usize {
        self.seen.max(self.at)
    }

    /// How far it was read, in bytes.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Goes to a place that was read before, or found.
    pub(super) fn jump(&mut self, at: usize) {
        self.seen = self.seen();
        self.at = at;
    }

    /// What was read since `start`.
    pub(super) fn since(&self, start: usize) -> &'a str {
        &self.text[start..self.at]
    }

    /// Goes back to the beginning of the line, where only blanks stand before this place.
    pub(super) fn back_to_indent(&mut self) {
        let before = &self.text[..self.at];
        let line = before.trim_end_matches([' ', '\t']);
        if line.is_empty() || line.ends_with('\n') {
            self.at = line.len();
        }
    }

    /// Whether the answer ends here and is whole.
    pub(super) fn is_at_whole_end(&mut self) -> bool {
        self.peek().is_none() && self.end == End::Whole
    }

    /// Notes that brackets are missing at the end of a value.
    pub(super) fn complete(&mut self) {
        self.completed = true;
    }

    /// Whether a value was read whose last brackets are missing.
    pub(super) fn is_completed(&self) -> bool {
        self.completed
    }

    /// Whether the answer reached a limit before its end.
    pub(super) fn is_cut(&self) -> bool {
        self.end == End::Cut
    }

    /// The next character.
    pub(super) fn peek(&mut self) -> Option<char> {
        let next = self.text[self.at..].chars().next();
        self.starved |= next.is_none() && self.end == End::Open;
        next
    }

    /// Takes the next character.
    pub(super) fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Whether `text` comes next.
    pub(super) fn sees(&mut self, text: &str) -> bool {
        let rest = &self.text[self.at..];
        let sees = rest.starts_with(text);
        self.starved |= !sees && self.end == End::Open && text.starts_with(rest);
        sees
    }

    /// Takes `text` if it comes next.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        let sees = self.sees(text);
        if sees {
            self.at += text.len();
        }
        sees
    }

    /// Takes what `belongs`.
    pub(super) fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let start = self.at;
        while self.peek().is_some_and(&belongs) {
            self.next();
        }
        self.since(start)
    }

    /// Takes blanks and line breaks.
    pub(super) fn skip_blank(&mut self) {
        self.take_while(char::is_whitespace);
    }

    /// Takes blanks of this line.
    pub(super) fn skip_spaces(&mut self) {
        self.take_while(|next| next != '\n' && next.is_whitespace());
    }

    /// Takes what stands before `mark`, and the mark; nothing when it does not come.
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

    /// Takes the rest of the line, without its end.
    pub(super) fn take_line(&mut self) -> &'a str {
        self.take_while(|next| next != '\n')
    }

    /// Takes the rest of the line, at most `limit` bytes of it.
    pub(super) fn take_line_to(&mut self, limit: usize) -> &'a str {
        let start = self.at;
        while self.at - start < limit && self.peek().is_some_and(|next| next != '\n') {
            self.next();
        }
        self.since(start)
    }
}
