//! Tool calls and changes of the scene in a few words.

use protocol::SceneChange;
use serde_json::Value;

/// The most letters of a summary.
const MAX_LETTERS: usize = 60;
/// The most objects of a change that are named.
const MAX_NAMES: usize = 4;

/// What a call is about: the object's id and kind, or the beginning of its arguments.
pub(crate) fn call(args: &Value) -> String {
    let text = |name: &str| args[name].as_str();
    let words: Vec<&str> =
        ["id", "name", "object", "group", "type"].iter().filter_map(|name| text(name)).collect();
    if !words.is_empty() {
        return shortened(&words.join(" "));
    }
    if let Some(calls) = args["calls"].as_array() {
        return shortened(&batch(calls));
    }
    match args {
        Value::Object(fields) if fields.is_empty() => String::new(),
        Value::Null => String::new(),
        args => shortened(&args.to_string()),
    }
}

/// What a batch calls, and how often.
fn batch(calls: &[Value]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for name in calls.iter().filter_map(|call| call["name"].as_str()) {
        match counts.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => counts.push((name, 1)),
        }
    }
    let told = counts.iter().map(|(name, count)| match count {
        1 => (*name).to_owned(),
        count => format!("{count} × {name}"),
    });
    told.collect::<Vec<_>>().join(", ")
}

/// Which objects changed.
pub(crate) fn changes(changes: &[SceneChange]) -> String {
    let name = |change: &SceneChange| match &change.id {
        Some(id) => id.clone(),
        None => format!("{:?}", change.kind).to_lowercase(),
    };
    let mut names: Vec<String> = changes.iter().take(MAX_NAMES).map(name).collect();
    if changes.len() > MAX_NAMES {
        names.push(format!("{} more", changes.len() - MAX_NAMES));
    }
    names.join(", ")
}

/// One line of at most `MAX_LETTERS`, without control characters.
fn shortened(text: &str) -> String {
    let text: String = text.chars().filter(|letter| !letter.is_control()).collect();
    match text.char_indices().nth(MAX_LETTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// A duration as people say it.
pub(crate) fn duration(milliseconds: f64) -> String {
    match milliseconds {
        ..1_000.0 => format!("{milliseconds:.0} ms"),
        ..60_000.0 => format!("{:.1} s", milliseconds / 1_000.0),
        _ => format!(
            "{:.0} min {:.0} s",
            (milliseconds / 60_000.0).floor(),
            milliseconds % 60_000.0 / 1_000.0
        ),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn calls_in_a_few_words() {
        assert_eq!(
            call(&json!({ "id": "ball", "type": "sphere", "properties": {} })),
            "ball sphere"
        );
        assert_eq!(call(&json!({})), "");
        let calls =
            ["create_shape", "set_camera", "create_shape"].map(|name| json!({ "name": name }));
        assert_eq!(call(&json!({ "calls": calls })), "2 × create_shape, set_camera");
        assert_eq!(call(&json!({ "text": "\u{1b}[31mred" })), r#"{"text":"\u001b[31mred"}"#);
        assert_eq!(call(&json!({ "id": "a\u{1b}[31m\nb" })), "a[31mb");
        assert_eq!(call(&json!({ "id": "é".repeat(70) })).chars().count(), 61);
    }

    #[test]
    fn durations() {
        assert_eq!([12.4, 1_234.0, 95_000.0].map(duration), ["12 ms", "1.2 s", "1 min 35 s"]);
    }
}
