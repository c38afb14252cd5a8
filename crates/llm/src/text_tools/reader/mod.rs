//! A streaming parser for the calls in an answer, in any notation.
//!
//! At each position that may begin a call, [`super::region`] tries to parse one. If that needs text
//! that has not arrived, the attempt is discarded and repeated later. So the result never depends
//! on the sizes of the stream's chunks.

use super::protocol::TextProtocol;
mod steps;

use super::cursor::{Cursor, End};
use super::items::{Call, Item};
use super::output::{Output, malformed};
use super::region::MAX_CALLS;
use super::tools::Tools;
use crate::content::Part;

/// The longest answer, in bytes.
const MAX_ANSWER_BYTES: usize = 8 << 20;

/// The longest call, and the most buffered text, in bytes.
const MAX_CALL_BYTES: usize = 1 << 20;

/// The reparsed bytes allowed per received byte.
const MAX_REREADS: usize = 4;

/// The inspected bytes allowed per received byte; more is an error.
const MAX_LOOKS: usize = 16;

/// The inspected bytes that are always allowed.
const FREE_LOOKS: usize = 1 << 20;

/// The stored part of the line before a call, in bytes.
const MAX_LINE_BYTES: usize = 256;

/// The parser; its input may arrive in chunks of any size.
pub(super) struct Reader {
    tools: Tools,
    protocol: TextProtocol,
    /// Text that is still needed.
    buffer: String,
    /// The processed part of `buffer`.
    at: usize,
    received: usize,
    done: usize,
    rereads: usize,
    looks: usize,
    mode: Mode,
    /// The end of the current line so far.
    line: String,
    /// The previous non-empty line.
    line_before: String,
    is_line_start: bool,
    /// Whether there was text, a thought or a call.
    has_begun: bool,
    /// The name of an open tag with quoted text, opened before any call: `<observation>`.
    quote: Option<String>,
    calls: usize,
    /// The output from the first call on. It is held back because a late `</think>` turns it into
    /// thoughts.
    held: Vec<Output>,
    is_over: bool,
}

/// The kind of text at the current position.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Mode {
    Prose,
    Thoughts,
    /// Within a fence of this many backticks that holds other code.
    Code(usize),
    /// A quoted line.
    Citation,
}

/// The result of parsing at a position.
enum Step {
    /// Text for the user.
    Text,
    /// Text of thoughts.
    Thought,
    /// A mark that is not shown.
    Skip,
    Items(Vec<Item>),
    Malformed(String),
    /// Everything so far was a thought.
    EndDrafts,
    End,
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

    /// Parses the next chunk.
    pub(super) fn push(&mut self, piece: &str) -> Vec<Output> {
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

    /// Ends the answer. `is_cut`: it was truncated at a limit.
    pub(super) fn finish(&mut self, is_cut: bool) -> Vec<Output> {
        let mut found = Vec::new();
        if !self.is_over {
            self.advance(if is_cut { End::Cut } else { End::Whole }, &mut found);
            self.release(&mut found);
            self.is_over = true;
        }
        found
    }

    fn advance(&mut self, end: End, found: &mut Vec<Output>) {
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

    /// The length of the text that cannot begin anything special.
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

    /// Emits plain text.
    fn take(&mut self, length: usize, found: &mut Vec<Output>) {
        let step = if self.mode == Mode::Thoughts { Step::Thought } else { Step::Text };
        self.apply(step, length, found);
    }

    fn apply(&mut self, step: Step, read: usize, found: &mut Vec<Output>) {
        let text = self.buffer[self.at..self.at + read].to_owned();
        self.at += read;
        self.done += read;
        match step {
            Step::Text => self.emit_text(text, found),
            Step::Thought => self.emit(Output::Thought(text), found),
            Step::Skip => {}
            Step::Items(items) => {
                self.line.clear();
                self.line.extend(text.chars().next_back().filter(char::is_ascii));
                self.items(items, &text, found);
            }
            Step::EndDrafts => self.end_drafts(found),
            Step::Malformed(why) => self.fail(&why, &text, found),
            Step::End => {
                self.release(found);
                found.push(Output::End);
                self.is_over = true;
            }
        }
    }

    fn emit_text(&mut self, text: String, found: &mut Vec<Output>) {
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
        self.emit(Output::Text(text), found);
    }

    /// Emits output, or holds it back once there was a call.
    fn emit(&mut self, next: Output, found: &mut Vec<Output>) {
        let to = if self.calls > 0 { &mut self.held } else { found };
        match (to.last_mut(), next) {
            (_, Output::Text(text) | Output::Thought(text)) if text.is_empty() => {}
            (Some(Output::Text(text)), Output::Text(more))
            | (Some(Output::Thought(text)), Output::Thought(more)) => text.push_str(&more),
            (_, next) => to.push(next),
        }
    }

    fn items(&mut self, items: Vec<Item>, text: &str, found: &mut Vec<Output>) {
        self.has_begun = true;
        let mut has_calls = false;
        for item in items {
            match item {
                Item::Text(text) => self.emit(Output::Text(text), found),
                Item::Thought(text) => self.emit(Output::Thought(text), found),
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
                    self.emit(
                        Output::Call(match order {
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
            // ReAct allows one action per answer.
            self.release(found);
            found.push(Output::End);
            self.is_over = true;
        }
    }

    /// Emits the held output, without white space between and after calls.
    fn release(&mut self, found: &mut Vec<Output>) {
        let mut held = std::mem::take(&mut self.held).into_iter().peekable();
        while let Some(next) = held.next() {
            let is_between_calls = matches!(held.peek(), None | Some(Output::Call(_)));
            match next {
                Output::Text(text) if is_between_calls && text.trim().is_empty() => {}
                next => found.push(next),
            }
        }
    }

    fn fail(&mut self, why: &str, text: &str, found: &mut Vec<Output>) {
        self.release(found);
        found.push(malformed(why, text, self.protocol.form()));
        self.is_over = true;
    }

    /// A closing tag of thoughts that were not opened: the held output becomes thoughts, without
    /// its calls.
    fn end_drafts(&mut self, found: &mut Vec<Output>) {
        self.calls = 0;
        for held in std::mem::take(&mut self.held) {
            if let Output::Text(text) | Output::Thought(text) = held {
                self.emit(Output::Thought(text), found);
            }
        }
    }
}
