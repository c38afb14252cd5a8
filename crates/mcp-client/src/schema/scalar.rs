//! Strings, numbers and booleans, and the descriptions of all nodes.

use serde_json::{Map, Value, json};

use crate::text::{clean, cut};

/// The most values of one enumeration.
const MAX_VALUES: usize = 200;
/// The longest description in bytes.
pub(super) const MAX_DESCRIPTION: usize = 500;

/// Normalises a string, number or boolean.
pub(super) fn scalar(kind: &'static str, flat: &Map<String, Value>) -> Value {
    let mut schema = json!({ "type": kind });
    let mut notes = Vec::new();
    let fits = |value: &&Value| match kind {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        _ => false,
    };
    if let Some(values) = flat.get("enum").and_then(Value::as_array) {
        let mut of_kind: Vec<&Value> = Vec::new();
        for value in values.iter().filter(fits) {
            // Gemini refuses empty strings, others refuse duplicates.
            if value.as_str() != Some("") && !of_kind.contains(&value) {
                of_kind.push(value);
            }
        }
        if !of_kind.is_empty() && of_kind.len() <= MAX_VALUES {
            schema["enum"] = json!(of_kind);
        } else if !values.is_empty() {
            notes.push(format!("One of: {}.", cut(&flat["enum"].to_string(), 400)));
        }
    }
    if matches!(kind, "number" | "integer") {
        for bound in ["minimum", "maximum"] {
            if let Some(value) = flat.get(bound).filter(|value| value.is_number()) {
                schema[bound] = value.clone();
            }
        }
        for (bound, sign) in [("exclusiveMinimum", ">"), ("exclusiveMaximum", "<")] {
            if let Some(value) = flat.get(bound).filter(|value| value.is_number()) {
                notes.push(format!("{sign} {value}."));
            }
        }
    }
    if kind == "string" {
        for keyword in ["format", "pattern", "contentEncoding"] {
            if let Some(value) = flat.get(keyword).and_then(Value::as_str) {
                notes.push(format!("{keyword}: {}.", cut(value, 100)));
            }
        }
    }
    described(schema, flat, &notes)
}

/// Adds the node's description, `notes` and the default to `schema`.
pub(super) fn described(mut schema: Value, flat: &Map<String, Value>, notes: &[String]) -> Value {
    let text =
        |name: &str| flat.get(name).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    let described = text("description").or_else(|| text("title"));
    let own = schema.get("description").and_then(Value::as_str).map(str::to_owned);
    let mut parts: Vec<String> = Vec::new();
    parts.extend(described.map(str::to_owned).or(own));
    parts.extend_from_slice(notes);
    if let Some(default) = flat.get("default").filter(|default| !default.is_null()) {
        let default = default.to_string();
        if default.len() <= 100 {
            parts.push(format!("Default: {default}."));
        }
    }
    let description = clean(&parts.join(" "), MAX_DESCRIPTION);
    if !description.is_empty() {
        schema["description"] = description.into();
    }
    schema
}
