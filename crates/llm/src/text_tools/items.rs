//! Parsed calls, with the texts and thoughts beside them.

use serde_json::{Map, Value};

use super::tools;
use super::words::{self, plain};
use crate::model::ToolDeclaration;

/// An item of a parsed region.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Item {
    /// A call.
    Call(Call),
    /// Text for the user beside calls.
    Text(String),
    /// A thought beside calls.
    Thought(String),
}

/// A call of a declared tool.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Call {
    pub(super) name: String,
    pub(super) args: Map<String, Value>,
    pub(super) order: Option<Order>,
}

impl Call {
    pub(super) fn new(tool: &ToolDeclaration, args: Map<String, Value>) -> Self {
        Self { name: tool.name.clone(), args, order: None }
    }
}

/// The result of interpreting a value: `None` if it is unrelated to calls, an error if it is an
/// invalid call.
pub(super) type Interpretation = Option<Result<Vec<Item>, String>>;

/// The id of a plan's call, and the ids of the calls it depends on.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Order {
    pub(super) id: String,
    pub(super) needs: Vec<String>,
}

/// The thoughts in a call's object.
pub(super) fn thoughts(object: &Map<String, Value>, tool: Option<&ToolDeclaration>) -> Vec<Item> {
    let is_thought = |key: &String| {
        words::are_thoughts(&plain(key)) && !tool.is_some_and(|tool| tools::declares(tool, key))
    };
    object
        .iter()
        .filter(|(key, _)| is_thought(key))
        .filter_map(|(_, value)| value.as_str())
        .filter(|text| !text.trim().is_empty())
        .map(|text| Item::Thought(text.to_owned()))
        .collect()
}
