//! Parsing of words within a region: labels, names, calls in parentheses, arguments without
//! brackets.

use serde_json::Map;

use super::super::items::Item;
use super::super::label::label;
use super::super::tools;
use super::super::words::{self, plain};
use super::super::{elements, expression, lines};
use super::{Failure, MAX_NAME_BYTES, NOISE, Region, meant};

impl Region<'_, '_, '_> {
    /// Parses a label, a name, a call in parentheses, or arguments without brackets.
    pub(super) fn word(&mut self) -> Result<bool, Failure> {
        let start = self.cursor.at();
        if let Some(label) = label(self.cursor) {
            if words::are_results(&label) {
                self.cursor.jump(start);
                return Ok(false);
            }
            if words::are_thoughts(&label) {
                let thought = self.cursor.take_line().trim().to_owned();
                self.items.push(Item::Thought(thought));
                return Ok(true);
            }
            let is_argument = self.pending.expects_arguments || self.is_argument(&label);
            if words::is_name(&label) && !is_argument {
                self.is_labelled = true;
                return self.labelled_name();
            }
            if words::are_arguments(&label) && !is_argument && self.pending.waits_for_arguments() {
                self.is_labelled = true;
                self.pending.expects_arguments = true;
                return self.no_arguments();
            }
            self.cursor.jump(start);
        }
        let word = self.cursor.take_while(|next| {
            next.is_alphanumeric() || matches!(next, '_' | '-' | '.' | ':' | '\\')
        });
        let word = word.trim_end_matches([':', '.']);
        self.cursor.jump(start + word.len());
        self.cursor.skip_spaces();
        let after = self.cursor.peek();
        let tool = self.tools.resolve(&word.replace('\\', ""));
        let is_noise = NOISE.contains(&word.to_ascii_lowercase().as_str())
            && (self.is_enclosed() || self.is_labelled)
            && !matches!(after, Some('=' | ':' | '('));
        if is_noise {
            return Ok(true);
        }
        if self.pending.waits_for_arguments()
            && (tool.is_none() || after == Some('=') || self.pending.expects_arguments)
        {
            self.cursor.jump(start);
            return self.loose_arguments();
        }
        if after == Some('(') {
            self.cursor.jump(start);
            return self.call_in_brackets();
        }
        if after == Some('=') {
            // `to=functions.create_shape`, `result = create_shape(..)`
            self.cursor.next();
            return Ok(true);
        }
        let Some(tool) = tool else {
            let is_marked = self.was_opened || self.is_labelled;
            if is_marked && self.items.is_empty() && word.contains('_') {
                return Err(meant(self.tools.unknown(word)));
            }
            return Ok(false);
        };
        let is_set_apart = self.is_enclosed() || self.is_labelled;
        if !is_set_apart && !matches!(after, Some('{' | '[' | '\n' | ':' | '`')) {
            self.cursor.jump(start);
            return Ok(false);
        }
        self.name(tool)?;
        Ok(true)
    }

    /// Whether the named tool has an argument with the name of this label.
    pub(super) fn is_argument(&self, label: &str) -> bool {
        self.pending.waits_for_arguments()
            && self.pending.tool.is_some_and(|tool| tools::declares(tool, label))
    }

    /// Parses the name after a label; an unknown tool is an error if arguments follow.
    fn labelled_name(&mut self) -> Result<bool, Failure> {
        let start = self.cursor.at();
        let line = self.cursor.take_line_to(MAX_NAME_BYTES).trim();
        if line.starts_with("```") {
            self.cursor.jump(start);
            return Ok(true);
        }
        let name = line.trim_matches(|next| "*`\"'".contains(next));
        let is_word = !name.is_empty()
            && name
                .chars()
                .all(|next| next.is_alphanumeric() || matches!(next, '_' | '-' | '.' | ':'));
        if is_word && self.tools.resolve(name).is_none() {
            self.cursor.skip_blank();
            let follows = label(self.cursor).is_some_and(|label| words::are_arguments(&label));
            if follows || !self.open.is_empty() {
                return Err(meant(self.tools.unknown(name)));
            }
            return Err("it names no tool".to_owned().into());
        }
        self.cursor.jump(start);
        Ok(true)
    }

    /// Parses `Action Input: None` for a tool without required arguments.
    fn no_arguments(&mut self) -> Result<bool, Failure> {
        let start = self.cursor.at();
        let line = plain(self.cursor.take_line_to(MAX_NAME_BYTES));
        if ["none", "null", "nil", "na", "empty", "noarguments"].contains(&line.as_str()) {
            self.pending.set_args(Map::new()).map_err(meant)?;
        } else {
            self.cursor.jump(start);
        }
        Ok(true)
    }

    fn call_in_brackets(&mut self) -> Result<bool, Failure> {
        self.flush()?;
        let start = self.cursor.at();
        let items = match expression::call(self.cursor, self.tools) {
            Ok(items) => items,
            Err(_) if !self.items.is_empty() && self.fence.is_some() => {
                // Other code, which is checked as a whole.
                self.cursor.jump(start);
                return Ok(false);
            }
            Err(why) => return Err(why.into()),
        };
        if !self.is_enclosed() && !self.is_labelled {
            // Prose follows: "create_shape() makes one".
            self.cursor.skip_spaces();
            self.cursor.eat(";");
            self.cursor.skip_spaces();
            if self.cursor.peek().is_some_and(|next| next != '\n' && next != '\r') {
                return Err("text follows in the same line".to_owned().into());
            }
        }
        self.items.extend(items);
        Ok(true)
    }

    /// Parses arguments without brackets, up to the next mark or an empty line.
    fn loose_arguments(&mut self) -> Result<bool, Failure> {
        let Some(tool) = self.pending.tool else {
            return Ok(false);
        };
        let start = self.cursor.at();
        self.cursor.back_to_indent();
        let text = elements::lines(self.cursor, self.fence.is_some() || !self.open.is_empty());
        let read = lines::arguments(text, tool);
        match read {
            Ok(args) => {
                let known = |name: &String| tools::declares(tool, name);
                if tools::knows_arguments(tool) && !args.keys().all(known) {
                    return Err(
                        format!("not all of {text:?} are arguments of {}", tool.name).into()
                    );
                }
                self.pending.set_args(args).map_err(meant)?;
                Ok(true)
            }
            // A call without arguments, with prose after it.
            Err(_)
                if !tools::needs_arguments(tool)
                    && !self.pending.expects_arguments
                    && self.open.is_empty() =>
            {
                self.cursor.jump(start);
                Ok(false)
            }
            Err(why) => Err(Failure {
                why: format!("the arguments of {} cannot be read: {why}", tool.name),
                is_meant: self.pending.expects_arguments,
                is_other: false,
            }),
        }
    }
}
