//! Protobuf's JSON form: known names, right types, one field of a `oneof`.

use serde_json::Value;

/// The type of a field.
pub(super) enum Kind {
    Text,
    Bool,
    Number,
    Integer,
    /// Base64, standard or for URLs.
    Bytes,
    /// A JSON object of any content.
    Struct,
    /// Any JSON.
    Any,
    Enum(&'static [&'static str]),
    Message(&'static Message),
    List(&'static Kind),
    Map(&'static Kind),
}

/// A message: its fields by their JSON names.
pub(super) struct Message {
    pub(super) fields: &'static [(&'static str, Kind)],
    pub(super) required: &'static [&'static str],
    /// The fields of which exactly one must be set; empty when there is no such rule.
    pub(super) one_of: &'static [&'static str],
}

/// Adds what is wrong with `value` at `path`.
pub(super) fn check(value: &Value, kind: &Kind, path: &str, errors: &mut Vec<String>) {
    let wrong = |what: &str, errors: &mut Vec<String>| {
        errors.push(format!("Invalid value at '{path}' ({what}), {value}"));
    };
    match (kind, value) {
        // Protobuf reads null as unset.
        (_, Value::Null) if !path.is_empty() => {}
        (Kind::Any, _)
        | (Kind::Text, Value::String(_))
        | (Kind::Bool, Value::Bool(_))
        | (Kind::Number, Value::Number(_))
        | (Kind::Struct, Value::Object(_)) => {}
        (Kind::Integer, Value::Number(number)) if number.is_i64() => {}
        (Kind::Bytes, Value::String(text)) if is_base64(text) => {}
        (Kind::Enum(names), Value::String(name)) if names.contains(&name.as_str()) => {}
        (Kind::List(kind), Value::Array(items)) => {
            for (index, item) in items.iter().enumerate() {
                check(item, kind, &format!("{path}[{index}]"), errors);
            }
        }
        (Kind::Map(kind), Value::Object(entries)) => {
            for (name, entry) in entries {
                check(entry, kind, &join(path, name), errors);
            }
        }
        (Kind::Message(message), Value::Object(object)) => {
            for (name, field) in object {
                match message.fields.iter().find(|(known, _)| known == name) {
                    Some((_, kind)) => check(field, kind, &join(path, name), errors),
                    None => errors.push(format!(
                        "Invalid JSON payload received. Unknown name \"{name}\" at '{path}': \
                         Cannot find field."
                    )),
                }
            }
            let is_set = |name: &&&str| object.get(**name).is_some_and(|field| !field.is_null());
            for name in message.required.iter().filter(|name| !is_set(name)) {
                errors.push(format!("* {}: must be set", join(path, name)));
            }
            let data: Vec<_> = message.one_of.iter().filter(is_set).collect();
            match data.len() {
                0 if !message.one_of.is_empty() => errors.push(format!(
                    "* {path}.data: required oneof field 'data' must have one initialized field"
                )),
                0 | 1 => {}
                _ => {
                    errors.push(format!("oneof field 'data' at '{path}' is already set: {data:?}"))
                }
            }
        }
        (Kind::Text, _) => wrong("TYPE_STRING", errors),
        (Kind::Bool, _) => wrong("TYPE_BOOL", errors),
        (Kind::Number | Kind::Integer, _) => wrong("a number", errors),
        (Kind::Bytes, _) => wrong("Base64", errors),
        (Kind::Enum(names), _) => wrong(&format!("one of {names:?}"), errors),
        (Kind::List(_), _) => wrong("a list", errors),
        (Kind::Struct | Kind::Map(_) | Kind::Message(_), _) => wrong("an object", errors),
    }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

fn is_base64(text: &str) -> bool {
    let digits = text.trim_end_matches('=');
    digits.len() % 4 != 1
        && text.len() - digits.len() <= 2
        && digits.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/-_".contains(&byte))
}
