//! The JSON form of mock responses.

use std::collections::VecDeque;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::answer::Answer;
use super::step::Step;
use crate::content::Part;

/// The error of an invalid list of mock responses.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScriptError {
    /// Not JSON.
    #[error("the mock responses are not JSON: {0}")]
    NotJson(String),
    /// JSON other than an array.
    #[error("the mock responses must be a JSON array, one item for each answer of the model")]
    NotAnArray,
    /// An invalid item.
    #[error(
        "mock response {index}: {problem}; accepted are a text, \
         {{\"tool_calls\": [{{\"name\", \"arguments\"}}], \"text\"?}} or {{\"parts\": [..]}}, with \"when\"?"
    )]
    Item {
        /// Its index.
        index: usize,
        /// The problem.
        problem: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Item {
    when: Option<String>,
    text: Option<String>,
    tool_calls: Option<Vec<ToolCall>>,
    parts: Option<Vec<Map<String, Value>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ToolCall {
    id: Option<String>,
    name: String,
    #[serde(alias = "args", default)]
    arguments: Value,
}

/// Parses the JSON array to one answer per item.
pub(super) fn answers(json: &str) -> Result<VecDeque<Answer>, ScriptError> {
    let list: Value =
        serde_json::from_str(json).map_err(|error| ScriptError::NotJson(error.to_string()))?;
    let Value::Array(items) = list else {
        return Err(ScriptError::NotAnArray);
    };
    items
        .into_iter()
        .enumerate()
        .map(|(index, item)| answer(item).map_err(|problem| ScriptError::Item { index, problem }))
        .collect()
}

/// The answer after the end of the list.
pub(super) fn exhausted() -> Vec<Step> {
    words("The list of mock responses (DEBUG_MOCK_RESPONSES) is used up.").collect()
}

fn answer(item: Value) -> Result<Answer, String> {
    let object = match item {
        Value::String(text) => match serde_json::from_str(&text) {
            Ok(Value::Object(object))
                if object.contains_key("tool_calls") || object.contains_key("parts") =>
            {
                object
            }
            _ => return Ok(words(&text).collect::<Vec<_>>().into()),
        },
        Value::Object(object) => object,
        _ => return Err("it is neither a text nor an object".into()),
    };
    let item: Item =
        serde_json::from_value(Value::Object(object)).map_err(|error| error.to_string())?;
    if item.text.is_none() && item.tool_calls.is_none() && item.parts.is_none() {
        return Err("it says nothing".into());
    }
    let mut steps: Vec<Step> = words(item.text.as_deref().unwrap_or_default()).collect();
    for call in item.tool_calls.unwrap_or_default() {
        let arguments = arguments(&call.name, call.arguments)?;
        steps.push(Step::part(Part::call(call.id.as_deref(), &call.name, arguments)));
    }
    for part in item.parts.unwrap_or_default() {
        steps.push(Step::part(Part::from_value(Value::Object(part))));
    }
    Ok(Answer { when: item.when, steps })
}

/// Arguments as an object, or as JSON in a string.
fn arguments(name: &str, arguments: Value) -> Result<Value, String> {
    let parsed = match &arguments {
        Value::String(text) => serde_json::from_str(text).map_err(|error| {
            format!("the arguments of {name} are a string, but not of JSON: {error}")
        })?,
        Value::Null => Value::Object(Map::new()),
        _ => arguments,
    };
    if parsed.is_object() {
        Ok(parsed)
    } else {
        Err(format!("the arguments of {name} are not an object: {parsed}"))
    }
}

/// The text as one part per word, like a stream.
fn words(text: &str) -> impl Iterator<Item = Step> {
    text.split_inclusive(char::is_whitespace).map(Step::text)
}
