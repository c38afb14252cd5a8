//! Finds the calls of an answer while it streams, in whatever form the model writes them.
//!
//! At every place that may begin a call the text is read as one by [`super::region`]. A reading that
//! looked past the end of what has come is thrown away and done again when there is more: so the
//! result never depends on how the answer was cut into pieces.

use super::protocol::TextProtocol;
mod steps;

use super::cursor::{Cursor, End};
use super::found::{Found, malformed};
use super::items::{Call, Item};
use super::region::MAX_CALLS;
use super::tools::Tools;
use crate::content::Part;

/// The longest answer, in bytes.
const MAX_ANSWER_BYTES: usize = 8 << 20;

/// The longest call, and the most text that is held back because it may be one, in bytes.
const MAX_CALL_BYTES: usize = 1 << 20;

/// Bytes that may be read again for each byte that came, because a reading needed more.
const MAX_REREADS: usize = 4;

/// Bytes that may be looked at for each byte of the answer before it counts as too tangled.
const MAX_LOOKS: usize = 16;

/// Bytes that may always be looked at.
const FREE_LOOKS: usize = 1 << 20;

/// How much of the line is remembered that comes before a call, in bytes.
const MAX_LINE_BYTES: usize = 256;

/// Finds calls in text that arrives in pieces of any size.
pub(super) struct Reader {
    tools: Tools,
    protocol: TextProtocol,
    /// What has come and is still needed.
    buffer: String,
    /// How much of `buffer` is done with.
    at: usize,
    received: usize,
    done: usize,
    rereads: usize,
    looks: usize,
    mode: Mode,
    /// The line so far, the last of it.
    line: String,
    /// The line before it that was not empty.
    line_before: String,
    is_line_start: bool,
    /// Something was said or thought, or a call was found.
    has_begun: bool,
    /// Words of others that were opened before any call: `<observation>`.
    quote: Option<String>,
    calls: usize,
    /// What was found from the first call on: thoughts that end later would make drafts of the calls.
    held: Vec<Found>,
    is_over: bool,
}

/// What the text is at the present place.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Mode {
    Prose,
    Thoughts,
    /// A fence of so many backticks around something else than calls.
    Code(usize),
    /// A line that cites somebody.
    Citation,
}

/// What a place turned out to be.
enum Step {
    /// So much text for the user.
    Say,
    /// So much text of thoughts.
    Think,
    /// A mark that is not shown.
    Skip,
    Items(Vec<Item>),
    Wrong(String),
    /// What came so far were thoughts.
    EndDrafts,
    Over,
}

impl Reader {
    pub(super) fn new(protocol: TextProtocol, tools: Tools) -> Self {
        Self {
            tools,
            protocol,
            buffer: String::new(),
            at: 0,
            received: 0,
            done: 0,
            rereads: 0,
            looks: 0,
            mode: Mode::Prose,
            line: String::new(),
            line_before: String::new(),
            is_line_start: true,
            has_begun: false,
            quote: None,
            calls: 0,
            held: Vec::new(),
            is_over: false,
        }
    }

    /// Takes the next piece.
    pub(super) fn push(&mut self, piece: &str) -> Vec<Found> {
        let mut found = Vec::new();
        if self.is_over {
            return found;
        }
        let room = MAX_ANSWER_BYTES - self.received;
        let length = (0..=room.min(piece.len())).rfind(|at| piece.is_char_boundary(*at));
        let taken = &piece[..length.unwrap_or(0)];
        self.buffer.push_str(taken);
        self.received += taken.len();
        self.advance(End::Open, &mut found);
        if taken.len() < piece.len() && !self.is_over {
            self.fail(&format!("an answer may be {MAX_ANSWER_BYTES} bytes long"), "", &mut found);
        }
        self.buffer.drain(..self.at);
        self.at = 0;
        found
    }

    /// Takes the end of the answer. `is_cut`: it reached a limit and was to go on.
    pub(super) fn finish(&mut self, is_cut: bool) -> Vec<Found> {
        let mut found = Vec::new();
        if !self.is_over {
            self.advance(if is_cut { End::Cut } else { End::Whole }, &mut found);
            self.release(&mut found);
            self.is_over = true;
        }
        found
    }

    fn advance(&mut self, end: End, found: &mut Vec<Found>) {
        while !self.is_over && self.at < self.buffer.len() {
            let plain = self.plain_length();
            if plain > 0 {
                self.take(plain, found);
                continue;
            }
            let held = (self.buffer.len() - self.at).min(MAX_CALL_BYTES);
            if end == End::Open && self.rereads + held > FREE_LOOKS + MAX_REREADS * self.received {
                return;
            }
            let limit = (self.at + MAX_CALL_BYTES).min(self.buffer.len());
            let limit =
                (self.at..=limit).rfind(|at| self.buffer.is_char_boundary(*at)).unwrap_or(self.at);
            let is_whole = limit == self.buffer.len();
            let buffer = std::mem::take(&mut self.buffer);
            let mut cursor =
                Cursor::new(&buffer[self.at..limit], if is_whole { end } else { End::Open });
            let before = (self.mode.clone(), self.is_line_start, self.quote.clone());
            let step = self.step(&mut cursor);
            let (starved, read, seen) = (cursor.is_starved(), cursor.at(), cursor.seen());
            self.buffer = buffer;
            if starved {
                (self.mode, self.is_line_start, self.quote) = before;
                if is_whole {
                    self.rereads += held;
                    return;
                }
                let text = self.buffer[self.at..limit].to_owned();
                self.fail(&format!("it is longer than {MAX_CALL_BYTES} bytes"), &text, found);
                return;
            }
            self.looks += seen;
            if self.looks > FREE_LOOKS + MAX_LOOKS * (self.done + seen) {
                let text = self.buffer[self.at..limit].to_owned();
                self.fail("it is too tangled", &text, found);
                return;
            }
            self.apply(step, read, found);
        }
    }

    /// How many bytes come first that cannot begin anything.
    fn plain_length(&self) -> usize {
        let rest = &self.buffer[self.at..];
        let begins = |next: char| match self.mode {
            Mode::Prose => matches!(next, '<' | '{' | '[' | '`' | '\n'),
            Mode::Thoughts => matches!(next, '<' | '['),
            Mode::Code(_) => next == '`',
            Mode::Citation => next == '\n',
        };
        if self.mode == Mode::Prose
            && (self.is_line_start || (!self.has_begun && rest.starts_with('"')))
        {
            return 0;
        }
        rest.find(begins).unwrap_or(rest.len())
    }

    /// Takes plain text.
    fn take(&mut self, length: usize, found: &mut Vec<Found>) {
        let step = if self.mode == Mode::Thoughts { Step::Think } else { Step::Say };
        self.apply(step, length, found);
    }

    fn apply(&mut self, step: Step, read: usize, found: &mut Vec<Found>) {
        let text = self.buffer[self.at..self.at + read].to_owned();
        self.at += read;
        self.done += read;
        match step {
            Step::Say => self.say(text, found),
            Step::Think => self.give(Found::Thought(text), found),
            Step::Skip => {}
            Step::Items(items) => {
                self.line.clear();
                self.line.extend(text.chars().next_back().filter(char::is_ascii));
                self.items(items, &text, found);
            }
            Step::EndDrafts => self.end_drafts(found),
            Step::Wrong(why) => self.fail(&why, &text, found),
            Step::Over => {
                self.release(found);
                found.push(Found::End);
                self.is_over = true;
            }
        }
    }

    fn say(&mut self, text: String, found: &mut Vec<Found>) {
        if text == "\n" && !self.line.trim().is_empty() {
            self.line_before = std::mem::take(&mut self.line);
        }
        match text.rfind('\n') {
            Some(end) => self.line = text[end + 1..].to_owned(),
            None => self.line.push_str(&text),
        }
        if self.line.len() > 2 * MAX_LINE_BYTES {
            let from = (self.line.len() - MAX_LINE_BYTES..self.line.len())
                .find(|at| self.line.is_char_boundary(*at));
            self.line.drain(..from.unwrap_or(0));
        }
        self.has_begun |= !text.trim().is_empty();
        self.give(Found::Text(text), found);
    }

    /// Gives something out, or holds it back behind calls.
    fn give(&mut self, next: Found, found: &mut Vec<Found>) {
        let to = if self.calls > 0 { &mut self.held } else { found };
        match (to.last_mut(), next) {
            (_, Found::Text(text) | Found::Thought(text)) if text.is_empty() => {}
            (Some(Found::Text(text)), Found::Text(more))
            | (Some(Found::Thought(text)), Found::Thought(more)) => text.push_str(&more),
            (_, next) => to.push(next),
        }
    }

    fn items(&mut self, items: Vec<Item>, text: &str, found: &mut Vec<Found>) {
        self.has_begun = true;
        let mut has_calls = false;
        for item in items {
            match item {
                Item::Text(text) => self.give(Found::Text(text), found),
                Item::Thought(text) => self.give(Found::Thought(text), found),
                Item::Call(Call { name, args, order }) => {
                    self.calls += 1;
                    if self.calls > MAX_CALLS {
                        return self.fail(
                            &format!("an answer may hold {MAX_CALLS} calls at most"),
                            text,
                            found,
                        );
                    }
                    has_calls = true;
                    self.give(
                        Found::Call(match order {
                            Some(order) => {
                                Part::ordered_call(&order.id, &name, args.into(), &order.needs)
                            }
                            None => Part::call(None, &name, args.into()),
                        }),
                        found,
                    );
                }
            }
        }
        if has_calls && self.protocol == TextProtocol::React {
            // One action, and then its result.
            self.release(found);
            found.push(Found::End);
            self.is_over = true;
        }
    }

    /// Gives out what was held back; blanks between calls and after them are left out.
    fn release(&mut self, found: &mut Vec<Found>) {
        let mut held = std::mem::take(&mut self.held).into_iter().peekable();
        while let Some(next) = held.next() {
            let is_between_calls = matches!(held.peek(), None | Some(Found::Call(_)));
            match next {
                Found::Text(text) if is_between_calls && text.trim().is_empty() => {}
                next => found.push(next),
            }
        }
    }

    fn fail(&mut self, why: &str, text: &str, found: &mut Vec<Found>) {
        self.release(found);
        found.push(malformed(why, text, self.protocol.form()));
        self.is_over = true;
    }

    /// A stray end of thoughts: what was held back before it was a draft.
    fn end_drafts(&mut self, found: &mut Vec<Found>) {
        self.calls = 0;
        for held in std::mem::take(&mut self.held) {
            if let Found::Text(text) | Found::Thought(text) = held {
                self.give(Found::Thought(text), found);
            }
        }
    }
}
