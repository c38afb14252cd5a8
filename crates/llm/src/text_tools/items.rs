//! What a model wrote to call tools: calls, and the texts and thoughts beside them.

use serde_json::{Map, Value};

use super::tools;
use super::words::{self, plain};
use crate::model::ToolDeclaration;

/// A piece of what a model wrote to call tools.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Item {
    /// A call.
    Call(Call),
    /// What it says to the user beside its calls.
    Text(String),
    /// What it thinks of them.
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

/// `None`: it has nothing to do with calls. An error: it was meant as one and cannot be run.
pub(super) type Meaning = Option<Result<Vec<Item>, String>>;

/// What a call of a plan is called, and the calls it waits for.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Order {
    pub(super) id: String,
    pub(super) needs: Vec<String>,
}

/// The thoughts beside a call.
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
