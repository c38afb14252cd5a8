//! A call whose pieces are still being collected.

use serde_json::{Map, Value};

use super::items::Call;
use super::shapes::{no_arguments, unwrapped};
use super::{lines, marks, tools};
use crate::model::ToolDeclaration;

/// The most arguments that may be written one by one.
const MAX_ARGUMENTS: usize = 200;

/// One argument as it was written.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Written {
    /// Without quotation marks: the tool's schema says what it is.
    Text(String),
    /// As a value.
    Value(Value),
}

/// The pieces of a call.
#[derive(Debug, Default)]
pub(super) struct Pending<'t> {
    pub(super) tool: Option<&'t ToolDeclaration>,
    /// All arguments at once.
    args: Option<Map<String, Value>>,
    /// Arguments one by one.
    written: Option<Vec<(String, Written)>>,
    /// Arguments as lines.
    pub(super) lines: Option<String>,
    /// A label said that arguments follow.
    pub(super) expects_arguments: bool,
    /// The name of the argument whose value comes next.
    pub(super) key: Option<String>,
}

impl<'t> Pending<'t> {
    /// Whether any arguments came.
    pub(super) fn has_arguments(&self) -> bool {
        self.args.is_some() || self.written.is_some() || self.lines.is_some()
    }

    /// Whether there is anything of a call.
    pub(super) fn is_begun(&self) -> bool {
        self.tool.is_some() || self.has_arguments()
    }

    pub(super) fn is_named(&self) -> bool {
        self.tool.is_some()
    }

    /// The tool's name, for errors.
    pub(super) fn name(&self) -> &str {
        self.tool.map_or("", |tool| tool.name.as_str())
    }

    /// Whether its tool is known and its arguments are not all there.
    pub(super) fn waits_for_arguments(&self) -> bool {
        self.tool.is_some() && self.args.is_none() && self.lines.is_none()
    }

    /// Whether its tool and arguments are known.
    pub(super) fn is_complete(&self) -> bool {
        self.tool.is_some()
            && (self.has_arguments() || self.tool.is_some_and(|tool| !tools::needs_arguments(tool)))
    }

    /// Whether its arguments came one by one, so that there may be more.
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

    pub(super) fn set_written(&mut self, written: Vec<(String, Written)>) {
        self.written.get_or_insert_default().extend(written);
    }

    pub(super) fn add(&mut self, key: String, written: Written) -> Result<(), String> {
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

    /// The call, once nothing of it can follow; none when nothing of one came.
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
                Written::Text(text) => tools::typed(tool, &key, &marks::unescaped(&text))?,
                Written::Value(value) => value,
            };
            if args.get(&key).is_some_and(|before| *before != value) {
                return Err(format!("{key:?} stands twice"));
            }
            args.insert(key, value);
        }
        Ok(Some(Call::new(tool, unwrapped(tool, args))))
    }
}
