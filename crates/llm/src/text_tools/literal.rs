//! A parser for values in the notations of models: JSON, JSON5, Python and JavaScript literals,
//! smart quotes.
//!
//! Crates that repair JSON guess what is missing, and a wrong guess loses an argument. This parser
//! refuses ambiguous text, finds the end of a value while the text streams, and limits the nesting
//! depth.

use serde_json::{Map, Number, Value};

use super::cursor::Cursor;

/// The maximum nesting depth.
pub(super) const MAX_DEPTH: usize = 64;

/// The maximum nesting of JSON texts in JSON strings.
const MAX_STRING_LEVELS: usize = 3;

/// Opening and closing quotation marks, longer ones first. The last two belong to the Gemma models.
const QUOTES: [(&str, &[&str]); 10] = [
    ("\"\"\"", &["\"\"\""]),
    ("'''", &["'''"]),
    ("\"", &["\""]),
    ("'", &["'"]),
    ("\u{201c}", &["\u{201d}", "\u{201c}"]),
    ("\u{201d}", &["\u{201d}", "\u{201c}"]),
    ("\u{201e}", &["\u{201c}", "\u{201d}"]),
    ("\u{2018}", &["\u{2019}"]),
    ("<|\"|>", &["<|\"|>"]),
    ("<escape>", &["<escape>"]),
];

/// Text that can only follow a value whose last closing brackets are missing.
const ENDS: [&str; 5] = ["```", "</", "<|", "<\u{ff5c}", "[/"];

/// Parses one value; the error says why there is none.
pub(super) fn value(cursor: &mut Cursor<'_>) -> Result<Value, String> {
    nested(cursor, 0)
}

/// Parses all of `text` as one value.
pub(super) fn whole(text: &str) -> Result<Value, String> {
    let mut cursor = Cursor::new(text, super::cursor::End::Cut);
    skip(&mut cursor)?;
    let value = value(&mut cursor)?;
    skip(&mut cursor)?;
    match cursor.peek() {
        None => Ok(value),
        Some(next) => Err(format!("{next:?} stands after the value")),
    }
}

/// The object in `value`, which may be JSON in a string, also nested.
pub(super) fn object(value: &Value) -> Option<Map<String, Value>> {
    let mut value = value.clone();
    for _ in 0..MAX_STRING_LEVELS {
        value = match value {
            Value::Object(object) => return Some(object),
            Value::Null => return Some(Map::new()),
            Value::String(text) if text.trim().is_empty() => return Some(Map::new()),
            Value::String(text) => whole(&text).ok()?,
            Value::Array(mut items) if items.len() == 1 => items.pop()?,
            Value::Array(items) if items.is_empty() => return Some(Map::new()),
            _ => return None,
        };
    }
    None
}

/// Whether a delimited value begins here.
pub(super) fn begins(cursor: &mut Cursor<'_>) -> bool {
    matches!(cursor.peek(), Some('{' | '[')) || quote(cursor).is_some()
}

fn nested(cursor: &mut Cursor<'_>, depth: usize) -> Result<Value, String> {
    if depth > MAX_DEPTH {
        return Err(format!("it is nested more than {MAX_DEPTH} deep"));
    }
    if let Some(text) = string(cursor)? {
        return Ok(Value::String(text));
    }
    match cursor.peek() {
        Some('{') => {
            cursor.next();
            members(cursor, '}', &[":"], depth).map(Value::Object)
        }
        Some(open @ ('[' | '(')) => {
            cursor.next();
            items(cursor, if open == '[' { ']' } else { ')' }, depth).map(Value::Array)
        }
        Some('0'..='9' | '+' | '-' | '.') => number(cursor),
        Some(next) if next.is_alphabetic() || next == '_' => word(cursor, depth),
        Some(next) => Err(format!("a value was expected, not {next:?}")),
        None => Err("it ends where a value was expected".into()),
    }
}

/// Parses members up to `close`. `colons`: the separators after a key.
pub(super) fn members(
    cursor: &mut Cursor<'_>,
    close: char,
    colons: &[&str],
    depth: usize,
) -> Result<Map<String, Value>, String> {
    let mut members = Map::new();
    loop {
        skip(cursor)?;
        if cursor.peek() == Some(close) {
            cursor.next();
            return Ok(members);
        }
        if close == ')' {
            cursor.eat("**");
            if cursor.peek() == Some('{') && members.is_empty() {
                // All arguments in one object: `f({..})`.
                members = object(&nested(cursor, depth + 1)?).unwrap_or_default();
                separate(cursor, close)?;
                continue;
            }
        }
        let key = key(cursor)?;
        skip(cursor)?;
        if !colons.iter().any(|colon| cursor.eat(colon)) {
            return Err(format!("{:?} must stand after {key:?}", colons.join(" or ")));
        }
        skip(cursor)?;
        let value = nested(cursor, depth + 1)?;
        if members.get(&key).is_some_and(|before| *before != value) {
            return Err(format!("{key:?} stands twice, with different values"));
        }
        members.insert(key, value);
        if separate(cursor, close)? {
            return Ok(members);
        }
    }
}

fn items(cursor: &mut Cursor<'_>, close: char, depth: usize) -> Result<Vec<Value>, String> {
    let mut items = Vec::new();
    loop {
        skip(cursor)?;
        if cursor.peek() == Some(close) {
            cursor.next();
            return Ok(items);
        }
        items.push(nested(cursor, depth + 1)?);
        if separate(cursor, close)? {
            return Ok(items);
        }
    }
}

/// Parses the separator after a value; true if the closing bracket is missing and nothing else can
/// follow.
fn separate(cursor: &mut Cursor<'_>, close: char) -> Result<bool, String> {
    let start = cursor.at();
    skip(cursor)?;
    if cursor.eat(",") || cursor.peek() == Some(close) {
        return Ok(false);
    }
    let next = cursor.peek();
    if next.is_none() && !cursor.is_at_whole_end() {
        return Err(format!("it ends where {close:?} was expected"));
    }
    if next.is_none() || (close != ')' && ENDS.iter().any(|end| cursor.sees(end))) {
        if close == ')' {
            return Err("')' is missing".into());
        }
        cursor.complete();
        return Ok(true);
    }
    if close == '}' && cursor.since(start).contains('\n') {
        // A missing comma at the end of a line: a key must follow.
        return Ok(false);
    }
    Err(format!("',' or {close:?} was expected, not {:?}", next.unwrap_or_default()))
}

/// Consumes white space and comments.
pub(super) fn skip(cursor: &mut Cursor<'_>) -> Result<(), String> {
    loop {
        cursor.skip_blank();
        if cursor.eat("/*") {
            cursor.take_until("*/").ok_or("a comment is not closed")?;
        } else if cursor.sees("//") || cursor.sees("#") {
            cursor.take_line();
        } else {
            return Ok(());
        }
    }
}

fn key(cursor: &mut Cursor<'_>) -> Result<String, String> {
    if let Some(text) = string(cursor)? {
        return Ok(text);
    }
    let word = cursor.take_while(|next| next.is_alphanumeric() || matches!(next, '_' | '$' | '-'));
    if word.is_empty() {
        return Err(match cursor.peek() {
            Some(next) => format!("a key was expected, not {next:?}"),
            None => "it ends where a key was expected".into(),
        });
    }
    Ok(word.to_owned())
}

fn quote(cursor: &mut Cursor<'_>) -> Option<(&'static str, &'static [&'static str])> {
    QUOTES.into_iter().find(|(open, _)| cursor.sees(open))
}

/// Parses a string, if one begins here.
fn string(cursor: &mut Cursor<'_>) -> Result<Option<String>, String> {
    let Some((open, closes)) = quote(cursor) else {
        return Ok(None);
    };
    cursor.eat(open);
    let mut text = String::new();
    loop {
        if closes.iter().any(|close| cursor.eat(close)) {
            return Ok(Some(text));
        }
        match cursor.next() {
            None => return Err("a string is not closed".into()),
            Some('\\') => escape(cursor, &mut text)?,
            Some(next) => text.push(next),
        }
    }
}

fn escape(cursor: &mut Cursor<'_>, text: &mut String) -> Result<(), String> {
    let escaped = cursor.next().ok_or("a string is not closed")?;
    text.push(match escaped {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'v' => '\u{b}',
        '0' => '\0',
        '\n' => return Ok(()),
        'x' => char::from_u32(hex(cursor, 2)?).ok_or("\\x must be a character")?,
        'U' => char::from_u32(hex(cursor, 8)?).ok_or("\\U must be a character")?,
        'u' => {
            let high = hex(cursor, 4)?;
            let unit = match high {
                0xd800..=0xdbff if cursor.eat("\\u") => {
                    let low = hex(cursor, 4)?.checked_sub(0xdc00).filter(|low| *low < 0x400);
                    0x1_0000 + ((high - 0xd800) << 10) + low.ok_or("\\u is half a character")?
                }
                _ => high,
            };
            char::from_u32(unit).ok_or("\\u is half a character")?
        }
        other => other,
    });
    Ok(())
}

fn hex(cursor: &mut Cursor<'_>, digits: usize) -> Result<u32, String> {
    (0..digits).try_fold(0, |number, _| {
        let digit = cursor.next().and_then(|next| next.to_digit(16));
        Ok(number << 4 | digit.ok_or("\\u and \\x need hexadecimal digits")?)
    })
}

fn number(cursor: &mut Cursor<'_>) -> Result<Value, String> {
    let written = cursor
        .take_while(|next| next.is_ascii_alphanumeric() || matches!(next, '+' | '-' | '.' | '_'));
    let plain = written.replace('_', "");
    let digits = plain.trim_start_matches('+');
    if let Ok(number) = digits.parse::<Number>() {
        return Ok(Value::Number(number));
    }
    // `.5`, `5.`, `1e5` with a sign before it.
    let is_decimal =
        digits.chars().all(|next| matches!(next, '0'..='9' | '.' | 'e' | 'E' | '+' | '-'));
    let number = digits.parse::<f64>().ok().filter(|_| is_decimal).and_then(Number::from_f64);
    number.map(Value::Number).ok_or_else(|| format!("{written:?} is no JSON number"))
}

fn word(cursor: &mut Cursor<'_>, depth: usize) -> Result<Value, String> {
    let word = cursor.take_while(|next| next.is_alphanumeric() || next == '_');
    match word.to_ascii_lowercase().as_str() {
        "true" => Ok(Value::Bool(true)),
        "false" => Ok(Value::Bool(false)),
        "null" | "none" => Ok(Value::Null),
        "nan" | "inf" | "infinity" => Err(format!("{word} is no JSON number")),
        "dict" if cursor.eat("(") => members(cursor, ')', &["="], depth).map(Value::Object),
        _ => Err(format!("{word:?} is no value: text needs quotation marks")),
    }
}
