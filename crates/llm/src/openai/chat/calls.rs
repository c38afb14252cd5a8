//! Assembly of tool calls from their stream deltas.

use serde_json::{Map, Value};

use crate::model::ModelError;
use crate::openai::fields::take;

/// A partially streamed call.
#[derive(Debug, Default)]
pub(super) struct PartialCall {
    index: Option<u64>,
    pub(super) id: String,
    pub(super) name: String,
    arguments: String,
    /// Other fields of the call, e.g. a signature under `extra_content`.
    pub(super) extra: Map<String, Value>,
}

/// The partially streamed calls of one answer.
///
/// Providers split calls differently: see the table in the tests of `events`.
#[derive(Debug, Default)]
pub(super) struct PartialCalls {
    calls: Vec<PartialCall>,
    bytes: usize,
}

impl PartialCalls {
    /// The number of calls and their size in bytes.
    pub(super) fn held(&self) -> (usize, usize) {
        (self.calls.len(), self.bytes)
    }

    /// Adds an item of `tool_calls`.
    pub(super) fn add(&mut self, mut delta: Value) {
        let index = delta["index"].as_u64();
        let id = text_of(take(&mut delta, "id"));
        let mut function = take(&mut delta, "function");
        let name = text_of(take(&mut function, "name"));
        let (piece, is_whole) = match take(&mut function, "arguments") {
            Value::String(piece) => (piece, false),
            Value::Null => (String::new(), false),
            // Some providers send the object instead of its JSON text.
            whole => (whole.to_string(), true),
        };
        self.bytes += piece.len() + name.len() + id.len();
        let place = self.place(index, &id, &name, &piece);
        if place.is_none() && id.is_empty() && name.is_empty() && piece.is_empty() {
            return;
        }
        let at = place.unwrap_or_else(|| {
            self.calls.push(PartialCall { index, ..PartialCall::default() });
            self.calls.len() - 1
        });
        let call = &mut self.calls[at];
        if call.id.is_empty() {
            call.id = id;
        }
        // The name may come once, in each delta, or in fragments.
        if name.len() > call.name.len() && name.starts_with(&call.name) {
            call.name = name;
        } else if name != call.name {
            call.name.push_str(&name);
        }
        if is_whole {
            call.arguments = piece;
        } else {
            call.arguments.push_str(&piece);
        }
        if let Value::Object(fields) = delta {
            let said = ["index", "id", "type", "function"];
            let extra = fields
                .into_iter()
                .filter(|(field, value)| !said.contains(&field.as_str()) && !value.is_null());
            call.extra.extend(extra);
        }
    }

    /// The index of the call that a delta belongs to; `None` for a new call.
    fn place(&self, index: Option<u64>, id: &str, name: &str, piece: &str) -> Option<usize> {
        let at = match index {
            Some(index) => self.calls.iter().rposition(|call| call.index == Some(index))?,
            None => self.calls.len().checked_sub(1)?,
        };
        let call = &self.calls[at];
        // Some providers give every call the index 0. Then a new id with a name begins a new call;
        // without ids, a new name or complete arguments do.
        let begins = if id.is_empty() || call.id.is_empty() {
            index.is_none()
                && !name.is_empty()
                && !call.arguments.is_empty()
                && (name != call.name || (piece != call.arguments && is_object(piece)))
        } else {
            id != call.id && !name.is_empty()
        };
        (!begins).then_some(at)
    }

    /// Takes all calls.
    pub(super) fn take(&mut self) -> Vec<PartialCall> {
        self.bytes = 0;
        std::mem::take(&mut self.calls)
    }
}

impl PartialCall {
    /// The arguments, or an error for the model. `cut`: the answer reached its length limit.
    pub(super) fn arguments(&self, cut: bool) -> Result<Map<String, Value>, ModelError> {
        read_arguments(&self.arguments).map_err(|why| {
            let why = if cut { "it reached the length limit" } else { &why };
            malformed(&self.name, why)
        })
    }
}

/// The error for the model about unreadable arguments.
pub(in crate::openai) fn malformed(name: &str, why: &str) -> ModelError {
    ModelError::MalformedCall(format!(
        "The arguments of the call to {name:?} were no JSON object ({why}). Call the tool again: a \
         JSON object of arguments that fits its schema, nothing else."
    ))
}

/// Parses arguments in all forms of providers: an object, empty text, `null`, an object in a JSON
/// string, or the same object twice.
pub(in crate::openai) fn read_arguments(text: &str) -> Result<Map<String, Value>, String> {
    let mut found = Map::new();
    for value in serde_json::Deserializer::from_str(text).into_iter::<Value>() {
        let object = match value.map_err(|error| error.to_string())? {
            Value::Object(object) => object,
            Value::Null => continue,
            Value::String(inner) if inner.trim().is_empty() => continue,
            Value::String(inner) => {
                serde_json::from_str(&inner).map_err(|error| error.to_string())?
            }
            other => return Err(format!("they are {other}")),
        };
        if !found.is_empty() && !object.is_empty() && found != object {
            return Err("they are several objects".into());
        }
        if !object.is_empty() {
            found = object;
        }
    }
    Ok(found)
}

fn is_object(text: &str) -> bool {
    text.trim_start().starts_with('{') && serde_json::from_str::<Map<String, Value>>(text).is_ok()
}

fn text_of(value: Value) -> String {
    match value {
        Value::String(text) => text,
        _ => String::new(),
    }
}
