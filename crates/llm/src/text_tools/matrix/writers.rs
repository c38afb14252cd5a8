//! Writers for values in the notations of other languages, independent of the parser.

use serde_json::{Map, Value};

/// The differences from JSON.
#[derive(Clone, Copy)]
pub(super) struct Style {
    pub(super) quotes: (&'static str, &'static str),
    pub(super) words: [&'static str; 3],
    pub(super) bare_keys: bool,
    pub(super) trailing: bool,
    pub(super) comments: bool,
}

pub(super) const JSON5: Style = Style {
    quotes: ("'", "'"),
    words: ["true", "false", "null"],
    bare_keys: true,
    trailing: true,
    comments: false,
};
pub(super) const PYTHON: Style =
    Style { words: ["True", "False", "None"], bare_keys: false, trailing: false, ..JSON5 };
pub(super) const SMART: Style =
    Style { quotes: ("\u{201c}", "\u{201d}"), bare_keys: false, trailing: false, ..JSON5 };
pub(super) const JS: Style = Style { quotes: ("\"", "\""), trailing: false, ..JSON5 };
pub(super) const COMMENTED: Style =
    Style { quotes: ("\"", "\""), bare_keys: false, comments: true, ..JSON5 };
pub(super) const GEMMA: Style = Style { quotes: ("<|\"|>", "<|\"|>"), trailing: false, ..JSON5 };

impl Style {
    pub(super) fn text(&self, text: &str) -> String {
        let (open, close) = self.quotes;
        let mut written = String::from(open);
        for letter in text.chars() {
            match letter {
                '\\' => written.push_str("\\\\"),
                '\n' => written.push_str("\\n"),
                '\t' => written.push_str("\\t"),
                _ if open.contains(letter) && open.chars().count() == 1
                    || close.contains(letter) && close.chars().count() == 1 =>
                {
                    written.push('\\');
                    written.push(letter);
                }
                _ => written.push(letter),
            }
        }
        written + close
    }

    pub(super) fn value(&self, value: &Value) -> String {
        match value {
            Value::Null => self.words[2].into(),
            Value::Bool(true) => self.words[0].into(),
            Value::Bool(false) => self.words[1].into(),
            Value::Number(number) => number.to_string(),
            Value::String(text) => self.text(text),
            Value::Array(items) => {
                let mut items: Vec<String> = items.iter().map(|item| self.value(item)).collect();
                if self.trailing && !items.is_empty() {
                    items.push(String::new());
                }
                format!("[{}]", items.join(", "))
            }
            Value::Object(members) => {
                let mut members: Vec<String> = members
                    .iter()
                    .map(|(key, value)| {
                        let key = if self.bare_keys { key.clone() } else { self.text(key) };
                        format!("{key}: {}", self.value(value))
                    })
                    .collect();
                if self.trailing && !members.is_empty() {
                    members.push(String::new());
                }
                let comment = if self.comments { " // as asked {\n" } else { "" };
                format!("{{{comment}{}}}", members.join(", "))
            }
        }
    }

    /// `id='a', radius=1`
    pub(super) fn keywords(&self, args: &Value) -> String {
        let words = members(args).iter().map(|(key, value)| format!("{key}={}", self.value(value)));
        words.collect::<Vec<_>>().join(", ")
    }
}

pub(super) fn members(args: &Value) -> &Map<String, Value> {
    args.as_object().unwrap()
}

/// A string without quotes, or the JSON of another value.
pub(super) fn raw(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Writes each argument with `one`.
pub(super) fn each(args: &Value, one: impl Fn(&str, &Value) -> String) -> String {
    members(args).iter().map(|(key, value)| one(key, value)).collect()
}

/// Block YAML; strings that would be ambiguous are quoted.
pub(super) fn yaml(value: &Value, indent: usize) -> String {
    let pad = " ".repeat(indent);
    let scalar = |value: &Value| match value {
        Value::String(text) => {
            let plain = text.starts_with(char::is_alphabetic)
                && text.chars().all(|next| next.is_alphanumeric() || matches!(next, '_' | ' '))
                && !["true", "false", "null"].contains(&text.as_str());
            if plain { text.clone() } else { value.to_string() }
        }
        Value::Array(items) if items.is_empty() => "[]".into(),
        Value::Object(members) if members.is_empty() => "{}".into(),
        Value::Array(items)
            if items.iter().any(Value::is_object) || items.iter().any(Value::is_array) =>
        {
            value.to_string()
        }
        _ => value.to_string(),
    };
    let is_nested = |value: &Value| match value {
        Value::Array(items) => {
            !items.is_empty() && items.iter().all(|item| !item.is_array() && !item.is_object())
        }
        Value::Object(members) => !members.is_empty(),
        _ => false,
    };
    match value {
        Value::Object(members) => members
            .iter()
            .map(|(key, value)| {
                if is_nested(value) {
                    format!("{pad}{key}:\n{}", yaml(value, indent + 2))
                } else {
                    format!("{pad}{key}: {}\n", scalar(value))
                }
            })
            .collect(),
        Value::Array(items) => {
            items.iter().map(|item| format!("{pad}- {}\n", scalar(item))).collect()
        }
        other => scalar(other),
    }
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
