//! The parser's steps: prose, thoughts, code, or the beginning of a call.

use super::super::cursor::Cursor;
use super::super::label::label;
use super::super::marks::{self, Mark, Role};
use super::super::region::{self, Failure};
use super::super::words::{self, plain};
use super::super::{expression, literal};
use super::{Mode, Reader, Step};

/// The number of characters to search for evidence that unparsable text was meant as a call.
const MEANT_CHARS: usize = 200;

/// The number of characters of a fence to search for calls in code.
const MAX_CODE_CHARS: usize = 4000;

impl Reader {
    pub(super) fn step(&mut self, cursor: &mut Cursor<'_>) -> Step {
        match self.mode {
            Mode::Prose if self.is_line_start => self.line_start(cursor),
            Mode::Prose => match cursor.peek() {
                Some('\n') => {
                    cursor.next();
                    self.is_line_start = true;
                    Step::Text
                }
                Some('`') => self.ticks(cursor),
                Some('<' | '[') => self.mark(cursor),
                _ => self.value(cursor),
            },
            Mode::Thoughts => self.thoughts(cursor),
            Mode::Code(ticks) => {
                if cursor.take_while(|next| next == '`').len() >= ticks {
                    self.mode = Mode::Prose;
                }
                Step::Text
            }
            Mode::Citation => {
                self.mode = Mode::Prose;
                Step::Text
            }
        }
    }

    /// Parses what only the beginning of a line can be: a quotation, a label, or a call in
    /// parentheses.
    fn line_start(&mut self, cursor: &mut Cursor<'_>) -> Step {
        self.is_line_start = false;
        let start = cursor.at();
        cursor.skip_spaces();
        if cursor.peek() == Some('>') && !cursor.sees(">>>") {
            self.mode = Mode::Citation;
            cursor.jump(start);
            return Step::Text;
        }
        if self.tools.is_empty() {
            cursor.jump(start);
            return Step::Text;
        }
        let begin = cursor.at();
        let label = label(cursor);
        if self.calls > 0 && label.as_deref().is_some_and(words::are_results) {
            return Step::End;
        }
        let mut may_be_call =
            cursor.sees(">>>") || label.is_some_and(|label| words::is_name(&label));
        cursor.jump(begin);
        if !may_be_call && cursor.peek().is_some_and(char::is_alphabetic) {
            let path = expression::path(cursor);
            let is_tool = self.tools.exact(path).is_some();
            may_be_call = cursor.peek() == Some('(')
                || path == "await"
                || (is_tool && {
                    cursor.skip_blank();
                    cursor.sees("{") || cursor.sees("[ARGS]") || cursor.sees("```")
                });
            cursor.jump(begin);
        }
        if may_be_call && let Some(step) = self.calls(cursor, false) {
            return step;
        }
        cursor.jump(start);
        Step::Text
    }

    /// Parses calls; `None` if there is none, with the cursor at an arbitrary position.
    fn calls(&mut self, cursor: &mut Cursor<'_>, is_certain: bool) -> Option<Step> {
        let start = cursor.at();
        if self.tools.is_empty() {
            return None;
        }
        match region::read(cursor, &self.tools) {
            Ok(items) => {
                let end = cursor.at();
                if self.is_quoted(cursor) {
                    return Some(Step::Text);
                }
                cursor.jump(end);
                Some(Step::Items(items))
            }
            Err(Failure { why, is_meant, is_other }) => {
                let is_meant =
                    is_meant || is_certain || (!is_other && self.names_a_call(cursor, start));
                is_meant.then_some(Step::Malformed(why))
            }
        }
    }

    /// Whether the parsed text is in quotation marks, or in an open tag with quoted text.
    fn is_quoted(&mut self, cursor: &mut Cursor<'_>) -> bool {
        if let Some(name) = &self.quote
            && cursor.take_until(&format!("</{name}>")).is_some()
        {
            self.quote = None;
            return true;
        }
        const QUOTES: [(char, char); 5] = [
            ('"', '"'),
            ('\'', '\''),
            ('\u{201c}', '\u{201d}'),
            ('\u{2018}', '\u{2019}'),
            ('\u{ab}', '\u{bb}'),
        ];
        let before = self.line.chars().next_back();
        QUOTES.iter().any(|(open, close)| before == Some(*open) && cursor.peek() == Some(*close))
    }

    /// Whether unparsable text was meant as a call: it names a tool, or a key for calls.
    fn names_a_call(&self, cursor: &mut Cursor<'_>, start: usize) -> bool {
        for _ in 0..MEANT_CHARS {
            if cursor.next().is_none_or(|next| matches!(next, '\n' | '`')) {
                break;
            }
        }
        let text = cursor.since(start);
        let is_code = text.contains(['{', '[', '"', '\'', '=', '<']);
        is_code
            && (self.tools.are_named_in(text)
                || ["\"tool_calls\"", "\"function_call\"", "\"tool_call\""]
                    .iter()
                    .any(|key| text.contains(key))
                || (self.tools.speak_plans()
                    && text.contains("\"status\"")
                    && text.contains("\"tools\"")))
    }

    /// Parses backticks: inline code, a code block, or fenced calls.
    fn ticks(&mut self, cursor: &mut Cursor<'_>) -> Step {
        let start = cursor.at();
        let ticks = cursor.take_while(|next| next == '`');
        let end = cursor.at();
        if ticks.len() >= 3 {
            let info =
                cursor.take_while(|next| next.is_ascii_alphanumeric() || next == '_').to_owned();
            let is_certain = marks::is_of_calls(&info);
            cursor.jump(start);
            if !self.shows_an_example()
                && let Some(step) = self.calls(cursor, is_certain)
            {
                return step;
            }
            cursor.jump(end);
            if !self.tools.is_empty() && !self.shows_an_example() && self.calls_in_code(cursor) {
                return Step::Malformed(
                    "only calls with plain values can be run, no other code".into(),
                );
            }
            self.mode = Mode::Code(ticks.len());
            cursor.jump(end);
            return Step::Text;
        }
        let mut before = '`';
        while let Some(next) = cursor.peek() {
            if next == '`' && cursor.take_while(|next| next == '`') == ticks {
                return Step::Text;
            }
            if next == '\n' && before == '\n' {
                break;
            }
            if next != '`' {
                cursor.next();
            }
            before = next;
        }
        cursor.jump(end);
        Step::Text
    }

    /// Whether the code in a fence calls a tool.
    fn calls_in_code(&self, cursor: &mut Cursor<'_>) -> bool {
        let start = cursor.at();
        for _ in 0..MAX_CODE_CHARS {
            if cursor.sees("```") || cursor.next().is_none() {
                break;
            }
        }
        let code = cursor.since(start);
        code.match_indices('(').any(|(at, _)| {
            let before = code[..at].trim_end();
            let name = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next();
            name.is_some_and(|name| name.contains('_') && self.tools.exact(name).is_some())
        })
    }

    /// Whether the text before a fence announces an example.
    fn shows_an_example(&self) -> bool {
        let line = if self.line.trim().is_empty() { &self.line_before } else { &self.line };
        let line = line.to_lowercase();
        ["example", "e.g.", "for instance"].iter().any(|word| line.contains(word))
    }

    fn mark(&mut self, cursor: &mut Cursor<'_>) -> Step {
        let start = cursor.at();
        let Some(mark) = marks::mark(cursor, &self.tools, false) else {
            cursor.jump(start);
            if cursor.peek() == Some('[') {
                return self.value(cursor);
            }
            cursor.next();
            return Step::Text;
        };
        let end = cursor.at();
        match mark.role {
            Role::Thoughts if mark.closes => Step::EndDrafts,
            Role::Thoughts => {
                // Within a line, the tag may only be mentioned.
                let is_named_only = !self.line.trim().is_empty() && {
                    let close = format!("</{}", mark.name);
                    let is_closed = mark.is_token || cursor.take_until(&close).is_some();
                    cursor.jump(end);
                    !is_closed
                };
                if is_named_only {
                    return Step::Text;
                }
                self.mode = Mode::Thoughts;
                Step::Skip
            }
            Role::Results if self.calls > 0 => Step::End,
            Role::Results | Role::Quote => {
                self.quote = (!mark.closes).then_some(mark.name);
                Step::Text
            }
            Role::Answer => Step::Skip,
            Role::Message => self.message(cursor, start),
            Role::Other => Step::Text,
            _ if mark.closes => {
                if self.calls > 0 {
                    Step::Skip
                } else {
                    Step::Text
                }
            }
            _ => {
                cursor.jump(start);
                let is_certain =
                    mark.role == Role::Calls && self.is_more_than_mention(cursor, &mark);
                cursor.jump(start);
                match self.calls(cursor, is_certain) {
                    Some(step) => step,
                    None => {
                        cursor.jump(end);
                        Step::Text
                    }
                }
            }
        }
    }

    /// Whether a mark for calls is more than a mention in prose.
    fn is_more_than_mention(&self, cursor: &mut Cursor<'_>, mark: &Mark) -> bool {
        let begins_line = self.line.trim().is_empty();
        if begins_line || mark.value.is_some() || !mark.attributes.is_empty() {
            return true;
        }
        let _ = marks::mark(cursor, &self.tools, true);
        cursor.skip_blank();
        cursor.peek().is_some_and(|next| matches!(next, '{' | '[' | '<' | '"' | '('))
    }

    /// Parses a message header of the Harmony format or of Functionary: to a tool, a thought, or to
    /// the user.
    fn message(&mut self, cursor: &mut Cursor<'_>, start: usize) -> Step {
        let from = cursor.at();
        let mut end = from;
        for _ in 0..MEANT_CHARS {
            let place = cursor.at();
            if let Some(mark) = (cursor.peek() == Some('<'))
                .then(|| marks::mark(cursor, &self.tools, true))
                .flatten()
            {
                end = cursor.at();
                if matches!(mark.name.as_str(), "message" | "content") {
                    break;
                }
                continue;
            }
            cursor.jump(place);
            if cursor.next().is_none() {
                break;
            }
        }
        let header = cursor.since(from).to_owned();
        let recipient = header.lines().next().unwrap_or_default().trim();
        if header.contains("to=") || self.tools.resolve(recipient).is_some() {
            cursor.jump(start);
            if let Some(step) = self.calls(cursor, true) {
                return step;
            }
        }
        cursor.jump(end);
        if header.contains("analysis") {
            self.mode = Mode::Thoughts;
        }
        Step::Skip
    }

    fn thoughts(&mut self, cursor: &mut Cursor<'_>) -> Step {
        let start = cursor.at();
        match marks::mark(cursor, &self.tools, true) {
            Some(mark) if mark.role == Role::Thoughts => {
                if mark.closes {
                    self.mode = Mode::Prose;
                    self.is_line_start = true;
                    self.line.clear();
                }
                Step::Skip
            }
            // In the Harmony format, the next message ends a thought.
            Some(mark) if mark.role == Role::Message => {
                self.mode = Mode::Prose;
                cursor.jump(start);
                Step::Skip
            }
            Some(mark) if mark.is_token && mark.name == "end" => {
                self.mode = Mode::Prose;
                Step::Skip
            }
            Some(_) => Step::Thought,
            None => {
                cursor.jump(start);
                cursor.next();
                Step::Thought
            }
        }
    }

    /// Parses an object, a list, or at the beginning of the answer a JSON string, which may contain
    /// calls.
    fn value(&mut self, cursor: &mut Cursor<'_>) -> Step {
        let start = cursor.at();
        let open = cursor.next();
        let first = cursor.at();
        if self.calls > 0 && open == Some('{') {
            // A result invented by the model.
            cursor.skip_blank();
            let is_result = cursor.eat("\"") && {
                let key = cursor.take_while(|next| next.is_alphanumeric() || next == '_');
                words::are_results(&plain(key)) && cursor.sees("\"")
            };
            if is_result {
                return Step::End;
            }
            cursor.jump(first);
        }
        cursor.skip_blank();
        let may_be_call = match (open, cursor.peek()) {
            (Some('{'), Some(next)) => {
                next.is_alphabetic() || matches!(next, '_' | '/' | '#') || literal::begins(cursor)
            }
            (Some('['), Some(next)) => next.is_alphabetic() || next == '{' || next == '"',
            (Some('"'), Some(next)) => matches!(next, '{' | '['),
            _ => false,
        };
        cursor.jump(start);
        if may_be_call && let Some(step) = self.calls(cursor, false) {
            return step;
        }
        cursor.jump(first);
        Step::Text
    }
}
