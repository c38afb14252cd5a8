//! The parser for a region of calls: marks, labels and fences may surround them, and the arguments
//! follow the name.

mod marked;
mod worded;

use serde_json::{Map, Value};

use super::cursor::Cursor;
use super::items::Item;
use super::label::label;
use super::marks;
use super::pending::Pending;
use super::shapes::{meaning, no_arguments};
use super::tools::Tools;
use super::words::{self, plain};

use super::{elements, expression, literal};

/// The most calls of one answer.
pub(super) const MAX_CALLS: usize = 1000;

/// The longest tool name, in bytes.
const MAX_NAME_BYTES: usize = 128;

/// Why a region could not be parsed as calls.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Failure {
    pub(super) why: String,
    /// Whether it was certainly meant as a call.
    pub(super) is_meant: bool,
    /// Whether it could be parsed as something else.
    pub(super) is_other: bool,
}

impl From<String> for Failure {
    fn from(why: String) -> Self {
        Self { why, is_meant: false, is_other: false }
    }
}

/// Words around a tool's name that are ignored.
const NOISE: [&str; 11] = [
    "function",
    "tool",
    "json",
    "assistant",
    "commentary",
    "code",
    "await",
    "return",
    "const",
    "let",
    "var",
];

/// The parser's state.
pub(super) struct Region<'c, 'a, 't> {
    cursor: &'c mut Cursor<'a>,
    tools: &'t Tools,
    items: Vec<Item>,
    pending: Pending<'t>,
    /// The names of the open marks.
    open: Vec<String>,
    /// The number of backticks of the open fence.
    fence: Option<usize>,
    /// Whether the position is within a list of calls that is not JSON.
    in_list: bool,
    /// Whether there was a label or a special token, e.g. `Action:`.
    is_labelled: bool,
    /// Whether something was opened; the region ends when it is closed.
    was_opened: bool,
}

/// Parses the calls that begin here and leaves the cursor at their end.
pub(super) fn read(cursor: &mut Cursor<'_>, tools: &Tools) -> Result<Vec<Item>, Failure> {
    let mut region = Region {
        cursor,
        tools,
        items: Vec::new(),
        pending: Pending::default(),
        open: Vec::new(),
        fence: None,
        in_list: false,
        is_labelled: false,
        was_opened: false,
    };
    region.run()?;
    Ok(region.items)
}

impl<'t> Region<'_, '_, 't> {
    fn run(&mut self) -> Result<(), Failure> {
        let mut good = self.cursor.at();
        loop {
            self.cursor.take_while(|next| next.is_whitespace() || matches!(next, ',' | ';'));
            if !self.token()? {
                break;
            }
            good = self.cursor.at();
            let calls = self.items.len();
            if calls > MAX_CALLS {
                return Err(meant(format!("an answer may hold {MAX_CALLS} calls at most")));
            }
            if self.was_opened && !self.is_enclosed() && !self.pending.waits_for_arguments() {
                break;
            }
        }
        self.end(good)
    }

    fn end(&mut self, good: usize) -> Result<(), Failure> {
        let is_at_end = self.cursor.peek().is_none();
        if is_at_end && self.cursor.is_cut() && self.is_enclosed() && self.pending.is_begun() {
            return Err(meant("the answer was cut off within the call".into()));
        }
        if !is_at_end && self.pending.has_loose_arguments() && !self.open.is_empty() {
            return Err(meant("text stands between the arguments".into()));
        }
        if !is_at_end && self.pending.waits_for_arguments() && !self.pending.has_arguments() {
            let start = self.cursor.at();
            if self.cursor.take_line_to(MAX_NAME_BYTES).contains(['{', '[', '(', '=', ':', '"']) {
                return Err(meant(no_arguments(self.pending.name())));
            }
            self.cursor.jump(start);
        }
        self.flush()?;
        if self.items.iter().all(|item| !matches!(item, Item::Call(_) | Item::Text(_))) {
            return Err("it names no tool".to_owned().into());
        }
        if self.fence.is_some() && !is_at_end {
            // The rest of the fence is not shown to the user.
            return self.skip_rest_of_fence();
        }
        self.cursor.jump(good);
        Ok(())
    }

    /// Whether a mark, a fence or a list is open.
    fn is_enclosed(&self) -> bool {
        !self.open.is_empty() || self.fence.is_some() || self.in_list
    }

    /// Consumes the rest of a fence; refuses it if it contains code that may call more tools.
    fn skip_rest_of_fence(&mut self) -> Result<(), Failure> {
        let start = self.cursor.at();
        let rest = match self.cursor.take_until("```") {
            Some(rest) => rest,
            None => {
                self.cursor.take_while(|_| true);
                self.cursor.since(start)
            }
        };
        if self.tools.are_named_in(rest) {
            return Err(meant("only calls with plain values can be run, no other code".into()));
        }
        Ok(())
    }

    /// Parses the next token; false if no token of a call follows.
    fn token(&mut self) -> Result<bool, Failure> {
        let Some(next) = self.cursor.peek() else {
            return Ok(false);
        };
        match next {
            '`' => Ok(self.ticks()),
            '<' => {
                if literal::begins(self.cursor) {
                    return self.value();
                }
                let start = self.cursor.at();
                match marks::mark(self.cursor, self.tools, true) {
                    Some(mark) => self.mark(mark, start),
                    None => Ok(false),
                }
            }
            '[' => {
                let start = self.cursor.at();
                if let Some(mark) = marks::mark(self.cursor, self.tools, false) {
                    return self.mark(mark, start);
                }
                if self.is_list_of_calls() {
                    self.in_list = true;
                    self.was_opened = true;
                    return Ok(true);
                }
                self.value()
            }
            '(' if self.pending.waits_for_arguments() => {
                self.cursor.next();
                let args = literal::members(self.cursor, ')', &["=", ":"], 0).map_err(meant)?;
                self.pending.set_args(args).map_err(meant)?;
                Ok(true)
            }
            ']' if self.in_list => {
                self.cursor.next();
                self.in_list = false;
                Ok(true)
            }
            '}' | ']' | ')' if !self.items.is_empty() || self.pending.is_complete() => {
                // A surplus bracket.
                self.cursor.next();
                Ok(true)
            }
            '#' if self.fence.is_some() => {
                self.cursor.take_line();
                Ok(true)
            }
            '*' | '#' if label(&mut self.cursor.clone()).is_some() => self.word(),
            '*' if self.items.is_empty() => {
                self.cursor.next();
                Ok(true)
            }
            ':' if self.pending.waits_for_arguments() => {
                self.cursor.next();
                Ok(true)
            }
            '>' if self.cursor.eat(">>>") => Ok(true),
            _ if literal::begins(self.cursor) => self.value(),
            _ if next.is_alphabetic() || next == '_' => self.word(),
            _ => Ok(false),
        }
    }

    /// Parses an opening or closing fence, or backticks around a name.
    fn ticks(&mut self) -> bool {
        let count = self.cursor.take_while(|next| next == '`').len();
        match self.fence {
            _ if count < 3 => {}
            Some(open) if count >= open => self.fence = None,
            Some(_) => {}
            None => {
                self.fence = Some(count);
                self.was_opened = true;
                self.info();
            }
        }
        true
    }

    /// Parses the info string of a fence: a language, or the name of a tool.
    fn info(&mut self) {
        let start = self.cursor.at();
        let info = self.cursor.take_while(|next| {
            next.is_ascii_alphanumeric() || matches!(next, '_' | '-' | '+' | '.')
        });
        if self.tools.exact(info).is_some()
            || self.cursor.peek().is_some_and(|next| matches!(next, '(' | ':' | '='))
        {
            self.cursor.jump(start);
        }
    }

    /// Consumes the opening bracket of a list of calls in parentheses; false if there is none.
    fn is_list_of_calls(&mut self) -> bool {
        let start = self.cursor.at();
        self.cursor.next();
        self.cursor.skip_blank();
        let inside = self.cursor.at();
        let path = expression::path(self.cursor);
        let is_list = path.starts_with(char::is_alphabetic) && self.cursor.sees("(");
        self.cursor.jump(if is_list { inside } else { start });
        is_list
    }

    /// Parses a value: arguments if a name came before, otherwise a whole call.
    fn value(&mut self) -> Result<bool, Failure> {
        let start = self.cursor.at();
        let value = elements::value(self.cursor, !self.open.is_empty())?;
        let is_complete = !self.cursor.is_completed();
        if self.pending.waits_for_arguments() {
            let is_whole_call = value.as_object().is_some_and(|object| self.is_whole_call(object));
            if !is_whole_call {
                let args = literal::object(&value).ok_or_else(|| {
                    meant(format!("the arguments of {} must be a JSON object", self.pending.name()))
                })?;
                self.pending.set_args(args).map_err(meant)?;
                return Ok(true);
            }
            self.pending = Pending::default();
        }
        if let Some(tool) = value.as_str().and_then(|name| self.tools.resolve(name)) {
            self.name(tool)?;
            return Ok(true);
        }
        match meaning(&value, self.tools) {
            Some(read) => {
                self.flush()?;
                let read = read.map_err(meant)?;
                let is_bare =
                    |item: &Item| matches!(item, Item::Call(call) if call.args.is_empty());
                if !is_complete
                    && read.iter().any(is_bare)
                    && !self.cursor.since(start).contains("{}")
                {
                    return Err(meant("it ends before its arguments".into()));
                }
                self.items.extend(read);
                Ok(true)
            }
            None if self.items.is_empty() => {
                let why = "it is no call of a tool".to_owned();
                Err(Failure { why, is_meant: false, is_other: true })
            }
            None => {
                self.cursor.jump(start);
                Ok(false)
            }
        }
    }

    /// Whether the object repeats the tool's name beside its arguments.
    fn is_whole_call(&self, object: &Map<String, Value>) -> bool {
        let names = |(key, value): (&String, &Value)| {
            words::is_name(&plain(key)) && value.as_str() == Some(self.pending.name())
        };
        object.iter().any(names) && object.keys().any(|key| words::are_arguments(&plain(key)))
    }

    fn name(&mut self, tool: &'t crate::model::ToolDeclaration) -> Result<(), Failure> {
        if self.pending.is_named() {
            self.flush()?;
        }
        self.pending.tool = Some(tool);
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Failure> {
        let call = std::mem::take(&mut self.pending).call().map_err(meant)?;
        self.items.extend(call.map(Item::Call));
        Ok(())
    }
}

fn meant(why: String) -> Failure {
    Failure { why, is_meant: true, is_other: false }
}
