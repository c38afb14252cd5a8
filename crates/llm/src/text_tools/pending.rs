//! An incomplete call.

use serde_json::{Map, Value};

use super::items::Call;
use super::shapes::{no_arguments, unwrapped};
use super::{lines, marks, tools};
use crate::model::ToolDeclaration;

/// The most arguments in separate elements.
const MAX_ARGUMENTS: usize = 200;

/// The raw form of an argument.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum RawArgument {
    /// Without quotation marks: the tool's schema determines its type.
    Text(String),
    /// As a typed value.
    Value(Value),
}

/// The collected pieces of a call.
#[derive(Debug, Default)]
pub(super) struct Pending<'t> {
    pub(super) tool: Option<&'t ToolDeclaration>,
    /// All arguments as one object.
    args: Option<Map<String, Value>>,
    /// Arguments in separate elements.
    written: Option<Vec<(String, RawArgument)>>,
    /// Arguments as lines.
    pub(super) lines: Option<String>,
    /// A label announced arguments.
    pub(super) expects_arguments: bool,
    /// The name of the argument whose value follows.
    pub(super) key: Option<String>,
}

impl<'t> Pending<'t> {
    /// Whether there are any arguments.
    pub(super) fn has_arguments(&self) -> bool {
        self.args.is_some() || self.written.is_some() || self.lines.is_some()
    }

    /// Whether any piece was collected.
    pub(super) fn is_begun(&self) -> bool {
        self.tool.is_some() || self.has_arguments()
    }

    pub(super) fn is_named(&self) -> bool {
        self.tool.is_some()
    }

    /// The tool's name, for error messages.
    pub(super) fn name(&self) -> &str {
        self.tool.map_or("", |tool| tool.name.as_str())
    }

    /// Whether the tool is known and arguments are missing.
    pub(super) fn waits_for_arguments(&self) -> bool {
        self.tool.is_some() && self.args.is_none() && self.lines.is_none()
    }

    /// Whether the tool and its arguments are known.
    pub(super) fn is_complete(&self) -> bool {
        self.tool.is_some()
            && (self.has_arguments() || self.tool.is_some_and(|tool| !tools::needs_arguments(tool)))
    }

    /// Whether the arguments came in separate elements, so that more may follow.
    pub(super) fn has_loose_arguments(&self) -> bool {
        self.written.is_some()
    }

    pub(super) fn set_args(&mut self, args: Map<String, Value>) -> Result<(), String> {
        if self.has_arguments() {
            return Err(format!("{} has arguments twice", self.name()));
        }
        self.args = Some(args);
        Ok(())
    }

    pub(super) fn set_written(&mut self, written: Vec<(String, RawArgument)>) {
        self.written.get_or_insert_default().extend(written);
    }

    pub(super) fn add(&mut self, key: String, written: RawArgument) -> Result<(), String> {
        let all = self.written.get_or_insert_default();
        if all.len() == MAX_ARGUMENTS {
            return Err(format!("a call may have {MAX_ARGUMENTS} arguments at most"));
        }
        if all.iter().any(|(same, _)| *same == key) {
            return Err(format!("{key:?} stands twice"));
        }
        all.push((key, written));
        Ok(())
    }

    /// The finished call; `None` if nothing was collected.
    pub(super) fn call(self) -> Result<Option<Call>, String> {
        let has_arguments = self.has_arguments();
        let Some(tool) = self.tool else {
            return if has_arguments {
                Err("a call has no name: <name>..</name> is missing".into())
            } else {
                Ok(None)
            };
        };
        if !has_arguments && tools::needs_arguments(tool) {
            return Err(no_arguments(&tool.name));
        }
        let mut args = self.args.unwrap_or_default();
        if let Some(text) = self.lines.filter(|text| !text.trim().is_empty()) {
            let read = lines::arguments(&text, tool);
            let read = read.map_err(|why| {
                format!("the arguments of {} must be one JSON object: {why}", tool.name)
            })?;
            args.extend(read);
        }
        for (key, written) in self.written.into_iter().flatten() {
            let value = match written {
                RawArgument::Text(text) => tools::typed(tool, &key, &marks::unescaped(&text))?,
                RawArgument::Value(value) => value,
            };
            if args.get(&key).is_some_and(|before| *before != value) {
                return Err(format!("{key:?} stands twice"));
            }
            args.insert(key, value);
        }
        Ok(Some(Call::new(tool, unwrapped(tool, args))))
    }
}
