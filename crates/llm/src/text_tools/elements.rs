//! Parsing of the contents of tags: values, raw text, nested elements, lines.

use serde_json::{Map, Value};

use super::cursor::{Cursor, End};
use super::literal::{self, MAX_DEPTH};
use super::marks::{self, Mark, Role};
use super::pending::RawArgument;
use super::tools::Tools;

/// The search distance for a closing tag after the next tag, in bytes.
const MAX_UNCLOSED_BYTES: usize = 1 << 16;

/// Parses a value; within tags, its quotation marks may be XML entities.
pub(super) fn value(cursor: &mut Cursor<'_>, is_in_tags: bool) -> Result<Value, String> {
    let start = cursor.at();
    let read = literal::value(cursor);
    let (Err(_), true) = (&read, is_in_tags) else {
        return read;
    };
    let failed_at = cursor.at();
    cursor.jump(start);
    if let Some(raw) = cursor.take_until("</") {
        let unescaped = marks::unescaped(raw);
        if unescaped != raw
            && let Ok(value) = literal::whole(unescaped.trim())
        {
            cursor.jump(start + raw.len());
            return Ok(value);
        }
    }
    cursor.jump(failed_at);
    read
}

/// Parses raw text up to the closing tag of `mark`, and consumes that tag.
pub(super) fn raw(
    cursor: &mut Cursor<'_>,
    mark: &Mark,
    tools: &Tools,
) -> Result<RawArgument, String> {
    if mark.is_empty {
        return Ok(RawArgument::Text(String::new()));
    }
    let start = cursor.at();
    cursor.skip_blank();
    if cursor.eat("<![CDATA[") {
        let text = cursor.take_until("]]>").ok_or("<![CDATA[ is not closed")?;
        cursor.skip_blank();
        closing(cursor, mark, tools);
        return Ok(RawArgument::Text(text.to_owned()));
    }
    // A string within the value may contain the closing tag.
    if literal::begins(cursor) && literal::value(cursor).is_ok() {
        let end = cursor.at();
        cursor.skip_blank();
        if closing(cursor, mark, tools) {
            let whole = cursor.since(start);
            return Ok(RawArgument::Text(whole[..end - start].to_owned()));
        }
    }
    cursor.jump(start);
    let mut first_other = None;
    while first_other.is_none_or(|other| cursor.at() - other < MAX_UNCLOSED_BYTES) {
        cursor.take_while(|next| next != '<');
        let end = cursor.at();
        if cursor.peek().is_none() {
            break;
        }
        if closing(cursor, mark, tools) {
            let whole = cursor.since(start);
            return Ok(RawArgument::Text(whole[..end - start].to_owned()));
        }
        match marks::mark(cursor, tools, true) {
            Some(other) if is_sibling(&other, mark) => {
                first_other = Some(end);
                break;
            }
            Some(other) if other.role != Role::Other && first_other.is_none() => {
                first_other = Some(end);
            }
            Some(_) => {}
            None => {
                cursor.next();
            }
        }
    }
    // There is no closing tag: the next tag ends the text.
    if first_other.is_none() && cursor.is_cut() {
        return Err(format!("</{}> is missing", mark.name));
    }
    if let Some(end) = first_other {
        cursor.jump(end);
    }
    Ok(RawArgument::Text(cursor.since(start).to_owned()))
}

/// Whether `other` opens the argument after that of `mark`.
fn is_sibling(other: &Mark, mark: &Mark) -> bool {
    !other.closes
        && other.role == mark.role
        && match mark.role {
            Role::Argument => other.value.is_some() == mark.value.is_some(),
            Role::ArgumentValue => true,
            _ => false,
        }
}

/// Consumes the closing tag of `mark`.
fn closing(cursor: &mut Cursor<'_>, mark: &Mark, tools: &Tools) -> bool {
    if !cursor.sees("</") && !cursor.sees("<|") && !cursor.sees("<\u{ff5c}") {
        return false;
    }
    let start = cursor.at();
    let closes = marks::mark(cursor, tools, true)
        .is_some_and(|close| close.closes && close.name.eq_ignore_ascii_case(&mark.name));
    if !closes {
        cursor.jump(start);
    }
    closes
}

/// Parses `text` as a list of named elements.
pub(super) fn read(text: &str, tools: &Tools) -> Result<Vec<(String, RawArgument)>, String> {
    nested(text, tools, 0)
}

fn nested(text: &str, tools: &Tools, depth: usize) -> Result<Vec<(String, RawArgument)>, String> {
    let mut cursor = Cursor::new(text, End::Cut);
    let mut elements: Vec<(String, RawArgument)> = Vec::new();
    loop {
        cursor.skip_blank();
        if cursor.peek().is_none() {
            return Ok(elements);
        }
        let mark = marks::mark(&mut cursor, tools, true).filter(|mark| !mark.closes);
        let mark = mark.ok_or("the arguments are neither a JSON object nor elements")?;
        let written = match raw(&mut cursor, &mark, tools)? {
            RawArgument::Text(text) if text.trim_start().starts_with('<') => {
                if depth == MAX_DEPTH {
                    return Err(format!("the elements are nested more than {MAX_DEPTH} deep"));
                }
                nested(&text, tools, depth + 1).map_or(RawArgument::Text(text), object)
            }
            other => other,
        };
        elements.push((mark.name, written));
    }
}

/// Converts elements to one value: an array of items, or an object.
fn object(elements: Vec<(String, RawArgument)>) -> RawArgument {
    let value = |written: RawArgument| match written {
        RawArgument::Value(value) => value,
        RawArgument::Text(text) => {
            literal::whole(text.trim()).unwrap_or_else(|_| marks::unescaped(text.trim()).into())
        }
    };
    let is_list =
        elements.iter().all(|(name, _)| ["item", "element", "li"].contains(&name.as_str()));
    if is_list && !elements.is_empty() {
        return RawArgument::Value(elements.into_iter().map(|(_, item)| value(item)).collect());
    }
    let members = elements.into_iter().map(|(name, member)| (name, value(member)));
    RawArgument::Value(Value::Object(members.collect::<Map<_, _>>()))
}

/// Consumes arguments without brackets: up to the next tag, fence or label, or, if nothing encloses
/// them, up to the next empty line.
pub(super) fn lines<'a>(cursor: &mut Cursor<'a>, is_enclosed: bool) -> &'a str {
    let start = cursor.at();
    let mut before = '\n';
    loop {
        if before == '\n' && cursor.at() > start {
            let line = cursor.at();
            cursor.skip_spaces();
            let is_over = !is_enclosed && cursor.peek().is_none_or(|next| next == '\n');
            let is_label = super::label::label(cursor).is_some_and(|label| {
                super::words::are_results(&label)
                    || super::words::are_thoughts(&label)
                    || label == "action"
            });
            cursor.jump(line);
            if is_over || is_label {
                break;
            }
        }
        let Some(next) = cursor.peek() else { break };
        if next == '<' || cursor.sees("```") {
            break;
        }
        let at = cursor.at();
        let begins_value = matches!(before, ' ' | ':' | '=' | '(' | '[' | '{' | ',');
        if begins_value && matches!(next, '"' | '\'') && literal::value(cursor).is_ok() {
            before = next;
            continue;
        }
        cursor.jump(at);
        cursor.next();
        before = next;
    }
    cursor.since(start)
}
