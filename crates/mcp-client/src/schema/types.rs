//! The types of a node.

use serde_json::{Map, Value};

/// The declared types of a node in JSON Schema's terms, without `null`.
pub(super) fn types(flat: &Map<String, Value>) -> Vec<&'static str> {
    let named: Vec<&Value> = match flat.get("type") {
        Some(Value::Array(types)) => types.iter().collect(),
        Some(kind) => vec![kind],
        None => Vec::new(),
    };
    let mut types = Vec::new();
    for kind in named.into_iter().filter_map(Value::as_str) {
        let kind = match kind.to_ascii_lowercase().as_str() {
            "object" | "dict" | "map" => "object",
            "array" | "list" | "tuple" => "array",
            "string" | "str" | "text" | "date" | "file" => "string",
            "number" | "float" | "double" => "number",
            "integer" | "int" | "long" => "integer",
            "boolean" | "bool" => "boolean",
            _ => continue,
        };
        if !types.contains(&kind) {
            types.push(kind);
        }
    }
    types
}

/// The inferred type of a node without one.
pub(super) fn inferred(flat: &Map<String, Value>) -> Option<&'static str> {
    let has = |names: &[&str]| names.iter().any(|name| flat.contains_key(*name));
    if has(&["properties", "additionalProperties", "required"]) {
        return Some("object");
    }
    if has(&["items", "prefixItems", "minItems", "maxItems"]) {
        return Some("array");
    }
    if let Some(values) = flat.get("enum").and_then(Value::as_array) {
        let all = |kind: fn(&Value) -> bool| {
            let mut values = values.iter().filter(|value| !value.is_null()).peekable();
            values.peek().is_some() && values.all(kind)
        };
        return match () {
            () if all(Value::is_string) => Some("string"),
            () if all(|value| value.is_i64() || value.is_u64()) => Some("integer"),
            () if all(Value::is_number) => Some("number"),
            () if all(Value::is_boolean) => Some("boolean"),
            () => None,
        };
    }
    if has(&["pattern", "minLength", "maxLength", "format"]) {
        return Some("string");
    }
    has(&["minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"])
        .then_some("number")
}
