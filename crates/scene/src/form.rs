//! Reading JSON into types, with errors that name the place and say what is expected there, in the words of
//! JSON and not of Rust.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// What has no name.
const WHOLE: &str = "the whole";

/// Why a text could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormError {
    /// It is not JSON.
    #[error("{0}")]
    Syntax(String),
    /// It is JSON of another form than expected.
    #[error("{0}")]
    Form(String),
}

/// Reads a text. A whole number may be written as `3.0`.
pub fn from_text<T: DeserializeOwned>(text: &str) -> Result<T, FormError> {
    if text.trim().is_empty() {
        return Err(FormError::Syntax("it is empty".into()));
    }
    let syntax = |error: serde_json::Error| FormError::Syntax(error.to_string());
    let mut reader = serde_json::Deserializer::from_str(text);
    let error = match Deserialize::deserialize(&mut reader) {
        Ok(read) => return reader.end().map(|()| read).map_err(syntax),
        Err(error) if error.is_data() => error.to_string(),
        Err(error) => return Err(syntax(error)),
    };
    // A value has each of its members once.
    if error.starts_with("duplicate field") {
        return Err(FormError::Form(words("", &error)));
    }
    let value: Value = serde_json::from_str(text).map_err(syntax)?;
    from_value(&value).map_err(FormError::Form)
}

/// Reads a value. A whole number may be written as `3.0`.
pub fn from_value<T: DeserializeOwned>(value: &Value) -> Result<T, String> {
    let error = match serde_path_to_error::deserialize(value) {
        Ok(read) => return Ok(read),
        Err(error) => error,
    };
    if !error.inner().to_string().contains("floating point `") {
        return Err(told::<T>(value, &error));
    }
    let mut whole = value.clone();
    make_whole(&mut whole);
    serde_path_to_error::deserialize(&whole).map_err(|error| told::<T>(&whole, &error))
}

/// An error about a value in plain words.
fn told<T: DeserializeOwned>(
    value: &Value,
    error: &serde_path_to_error::Error<serde_json::Error>,
) -> String {
    let (path, said) = (error.path().to_string(), error.inner().to_string());
    let object = value.as_object().filter(|_| path == ".");
    let Some((name, member)) = object.and_then(|object| culprit::<T>(object, &said)) else {
        return words(&path, &said);
    };
    let is_missing = said.starts_with("missing field ");
    let empty = match member {
        Value::Object(_) => Value::Object(Map::new()),
        Value::Array(_) => Value::Array(Vec::new()),
        // Nothing is missing in it.
        _ if is_missing => return words("", &said),
        _ => return words(name, &said),
    };
    if let (true, Some(object)) = (is_missing, object) {
        let mut without = object.clone();
        without.insert(name.clone(), empty);
        if comes::<T>(&without, &said) {
            return words("", &said);
        }
    }
    // Which of its parts is not known.
    let said = words("", &said);
    match said.strip_prefix(WHOLE) {
        Some(rest) => format!("something in '{name}'{rest}"),
        None => format!("in '{name}', {said}"),
    }
}

/// The member with which, and without which not, an error comes. Tagged alternatives and flattened structures are
/// read from a copy, which has lost the place.
fn culprit<'a, T: DeserializeOwned>(
    object: &'a Map<String, Value>,
    error: &str,
) -> Option<(&'a String, &'a Value)> {
    let mut read = Map::new();
    read.extend(object.get_key_value("type").map(|(name, kind)| (name.clone(), kind.clone())));
    // What is missing may be missing in a part, although there is one of that name.
    let is_there = quoted(error, "missing field `").is_some_and(|name| object.contains_key(name));
    if !is_there && comes::<T>(&read, error) {
        return None;
    }
    object.iter().find(|(name, value)| {
        read.insert((*name).clone(), (*value).clone());
        comes::<T>(&read, error)
    })
}

/// Whether this error comes when an object is read.
fn comes<T: DeserializeOwned>(object: &Map<String, Value>, error: &str) -> bool {
    let value = Value::Object(object.clone());
    let said = <T as Deserialize>::deserialize(&value).err();
    said.is_some_and(|said| said.to_string() == error)
}

/// Writes whole numbers without a point: in JSON Schema `3.0` is an integer, and some languages write them so.
fn make_whole(value: &mut Value) {
    /// Larger ones are not exact.
    const MAX: f64 = 9_007_199_254_740_992.0;
    match value {
        Value::Number(number) => {
            let float = number.as_f64().filter(|float| float.fract() == 0.0 && float.abs() <= MAX);
            if let (true, Some(float)) = (number.is_f64(), float) {
                // It is exact.
                *number = (float as i64).into();
            }
        }
        Value::Array(items) => items.iter_mut().for_each(make_whole),
        Value::Object(members) => members.values_mut().for_each(make_whole),
        _ => {}
    }
}

/// An error of serde about the value at `path`, as `a.b[0]`, in plain words.
pub fn words(path: &str, error: &str) -> String {
    let error = error.rsplit_once(" at line ").map_or(error, |(error, _)| error);
    // The root, and what is inside a value that was read twice, have no path.
    let path = path.trim_end_matches(['.', '?']);
    let named = |name: &str| match path {
        "" => format!("'{name}'"),
        // Of a field that is not known, or is there twice, the path leads to itself.
        path if path == name || path.ends_with(&format!(".{name}")) => format!("'{path}'"),
        path => format!("'{path}.{name}'"),
    };
    let here = match path {
        "" => WHOLE.to_owned(),
        path => format!("'{path}'"),
    };
    if let Some(name) = quoted(error, "missing field `") {
        return format!("{} is missing", named(name));
    }
    if let Some(name) = quoted(error, "duplicate field `") {
        return format!("{} is there twice", named(name));
    }
    if let Some(name) = quoted(error, "unknown field `") {
        let known = listed(error.split_once("expected ").map_or("", |(_, known)| known));
        return format!("there is no {}; there is {known}", named(name));
    }
    if let Some(name) = quoted(error, "unknown variant `") {
        let known = error.split_once("expected ").map_or("", |(_, known)| known);
        let known = listed(known.trim_start_matches("one of "));
        return format!("{here} must be {known}, got '{name}'");
    }
    for kind in ["invalid type: ", "invalid value: ", "invalid length "] {
        let Some((got, expected)) =
            error.strip_prefix(kind).and_then(|rest| rest.split_once(", expected "))
        else {
            continue;
        };
        let got = if kind == "invalid length " { "a list".to_owned() } else { got_words(got) };
        // Of a number that is whole and not negative only its size can be wrong.
        let expected = expected_words(expected);
        let is_large = expected.starts_with("a whole number")
            && kind == "invalid value: "
            && !got.starts_with('-');
        let large = if is_large { " that is not as large" } else { "" };
        return format!("{here} must be {expected}{large}, got {got}");
    }
    if path.is_empty() { error.to_owned() } else { format!("{here}: {error}") }
}

/// What stands in back quotes after `begin`.
fn quoted<'a>(error: &'a str, begin: &str) -> Option<&'a str> {
    error.strip_prefix(begin)?.split_once('`').map(|(name, _)| name)
}

/// "`a`, `b` or `c`" of what serde lists.
fn listed(names: &str) -> String {
    let names = names.trim_start_matches("one of ").replace('`', "'");
    match names.rsplit_once(", ") {
        Some((first, last)) => format!("{first} or {last}"),
        None => names,
    }
}

fn expected_words(expected: &str) -> &str {
    match expected {
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number from 0 on",
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        "a string" | "a borrowed string" | "string or map" => "a text",
        "a boolean" => "true or false",
        "a sequence" => "a list",
        "a map" => "an object",
        "unit" => "null",
        other if other.starts_with("struct ") || other.starts_with("internally tagged enum ") => {
            "an object"
        }
        other => other,
    }
}

fn got_words(got: &str) -> String {
    const MAX_LETTERS: usize = 60;
    let got = match got {
        "map" => "an object".to_owned(),
        "sequence" => "a list".to_owned(),
        "unit" => "null".to_owned(),
        other => {
            let plain = ["integer `", "floating point `", "boolean `", "character `"];
            let plain = plain.iter().find_map(|kind| other.strip_prefix(kind));
            let text = || other.strip_prefix("string ");
            plain.map(|value| value.trim_end_matches('`')).or_else(text).unwrap_or(other).to_owned()
        }
    };
    match got.char_indices().nth(MAX_LETTERS) {
        Some((end, _)) => format!("{}…", &got[..end]),
        None => got,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "errors are looked at, and one field")]
    struct Request {
        width: u32,
        share: Option<f64>,
        #[serde(default)]
        names: Vec<String>,
        #[serde(default)]
        parts: Vec<Part>,
        kind: Option<Kind>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only errors are looked at")]
    struct Part {
        id: String,
        on: bool,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Kind {
        Draft,
        Preview,
        Final,
    }

    #[track_caller]
    fn check(text: &str, said: &str) {
        let error = from_text::<Request>(text).unwrap_err();
        assert_eq!(error.to_string(), said);
        if let FormError::Form(_) = error {
            let value = serde_json::from_str(text).unwrap();
            assert_eq!(from_value::<Request>(&value).unwrap_err(), said, "of a value");
        }
    }

    #[test]
    fn the_place_and_what_is_expected_are_named() {
        check(r#"{"width": "8"}"#, r#"'width' must be a whole number from 0 on, got "8""#);
        check(r#"{"width": -1}"#, "'width' must be a whole number from 0 on, got -1");
        check(r#"{"width": 1e99}"#, "'width' must be a whole number from 0 on, got 1e+99");
        check(
            r#"{"width": 5000000000}"#,
            "'width' must be a whole number from 0 on that is not as large, got 5000000000",
        );
        check(r#"{"width": null}"#, "'width' must be a whole number from 0 on, got null");
        check(r#"{"width": 1, "share": []}"#, "'share' must be a number, got a list");
        check(r#"{"width": 1, "names": "a"}"#, r#"'names' must be a list, got "a""#);
        check(r#"{"width": 1, "names": ["a", {}]}"#, "'names[1]' must be a text, got an object");
        check(r#"{"width": 1, "parts": [{"on": true}]}"#, "'parts[0].id' is missing");
        check(
            r#"{"width": 1, "parts": [{"id": "a", "on": 1}]}"#,
            "'parts[0].on' must be true or false, got 1",
        );
        check(
            r#"{"width": 1, "parts": [{"id": "a", "off": 1}]}"#,
            "there is no 'parts[0].off'; there is 'id' or 'on'",
        );
        check(
            r#"{"width": 1, "kind": "best"}"#,
            "'kind' must be 'draft', 'preview' or 'final', got 'best'",
        );
        check("{}", "'width' is missing");
        check("[1]", "the whole must be an object, got a list");
        check("5", "the whole must be an object, got 5");
    }

    #[test]
    fn a_whole_number_may_have_a_point() {
        let text = r#"{"width": 512.0, "share": 0.5, "parts": []}"#;
        assert_eq!(from_text::<Request>(text).unwrap().width, 512);
        let value: Value = serde_json::from_str(text).unwrap();
        assert_eq!(from_value::<Request>(&value).unwrap().width, 512);
        check(r#"{"width": 512.5}"#, "'width' must be a whole number from 0 on, got 512.5");
        check(r#"{"width": -3.0}"#, "'width' must be a whole number from 0 on, got -3");
    }

    #[test]
    fn what_is_no_json_is_told() {
        check("", "it is empty");
        check(" \n", "it is empty");
        check("{", "EOF while parsing an object at line 1 column 1");
        check(r#"{"width": 1} x"#, "trailing characters at line 1 column 14");
    }

    #[derive(Debug, Deserialize)]
    #[serde(tag = "type", rename_all = "snake_case")]
    enum Message {
        Restore {
            revision: u64,
            #[serde(default)]
            parts: Vec<Part>,
        },
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "the number is only read")]
    struct Numbered {
        id: u8,
        #[serde(flatten)]
        message: Message,
    }

    #[test]
    fn the_place_is_found_where_the_reader_has_lost_it() {
        let said = |text: &str| from_text::<Numbered>(text).unwrap_err().to_string();
        assert_eq!(
            said(r#"{"id": 1, "revision": "x", "type": "restore"}"#),
            r#"'revision' must be a whole number from 0 on, got "x""#
        );
        assert_eq!(said(r#"{"id": 1, "type": "restore"}"#), "'revision' is missing");
        assert_eq!(
            said(r#"{"type": "restore", "parts": [], "id": 1, "x": {}}"#),
            "'revision' is missing"
        );
        assert_eq!(
            said(r#"{"id": 1, "type": "restore", "revision": 1, "parts": [{"id": 5}]}"#),
            "something in 'parts' must be a text, got 5"
        );
        assert_eq!(
            said(r#"{"id": 1, "type": "restore", "revision": 1, "parts": [{"on": true}]}"#),
            "in 'parts', 'id' is missing"
        );
        let read =
            from_text::<Numbered>(r#"{"id": 1, "type": "restore", "revision": 3.0}"#).unwrap();
        let Message::Restore { revision, parts } = read.message;
        assert_eq!((revision, parts.len()), (3, 0));
    }

    #[test]
    fn a_field_that_is_there_twice_is_named() {
        let error = from_text::<Request>(r#"{"width": 1, "width": 2}"#).unwrap_err();
        assert!(error.to_string().contains("'width' is there twice"), "{error}");
    }

    #[test]
    fn long_values_are_cut() {
        let long = json!({ "width": "x".repeat(9_999) });
        assert!(from_value::<Request>(&long).unwrap_err().len() < 200);
    }
}
