//! The values of keys.

use serde::Serialize;
use serde_json::Value;

use crate::read::{PropertyPath, Read};
use crate::violations::ReadErrors;

/// The most numbers of one value.
const MAX_NUMBERS: usize = 64;

/// The value of a key. Numbers are mixed on the way to the next key; the others change at once.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum KeyValue {
    /// A number.
    Number(f64),
    /// A point, a colour, or another list of numbers.
    Numbers(Vec<f64>),
    /// Whether it is so.
    Flag(bool),
    /// A word, or the id of an object.
    Text(String),
}

impl KeyValue {
    /// The value in the format of files.
    pub fn to_json(&self) -> Value {
        // It contains only finite numbers, booleans and texts, so this cannot fail.
        serde_json::to_value(self).unwrap_or(Value::Null)
    }

    /// The sum of the values, each times its weight; `None` if they are not numbers of the same
    /// count.
    pub(super) fn weighted(values: &[(&Self, f64)]) -> Option<Self> {
        if values.iter().all(|(value, _)| matches!(value, Self::Number(_))) {
            let products = values.iter().map(|(value, weight)| match value {
                Self::Number(number) => number * weight,
                _ => 0.0,
            });
            return Some(Self::Number(products.sum()));
        }
        let mut sums: Vec<f64> = Vec::new();
        for (at, (value, weight)) in values.iter().enumerate() {
            let Self::Numbers(numbers) = value else { return None };
            if at == 0 {
                sums = vec![0.0; numbers.len()];
            }
            if sums.len() != numbers.len() {
                return None;
            }
            sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number * weight);
        }
        Some(Self::Numbers(sums))
    }
}

impl Read for KeyValue {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        let finite = |value: &Value| value.as_f64().filter(|number| number.is_finite());
        let read = match value {
            Value::Number(_) => finite(value).map(Self::Number),
            Value::Bool(flag) => Some(Self::Flag(*flag)),
            Value::String(text) => Some(Self::Text(text.clone())),
            Value::Array(items) if (1..=MAX_NUMBERS).contains(&items.len()) => {
                items.iter().map(finite).collect::<Option<_>>().map(Self::Numbers)
            }
            _ => None,
        };
        if read.is_none() {
            at.must_be(&Self::expected(), value, errors);
        }
        read
    }

    fn expected() -> String {
        "a number, a list of numbers, true, false, or a text".into()
    }
}

impl schemars::JsonSchema for KeyValue {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "KeyValue".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": ["number", "array", "boolean", "string"] })
    }
}
