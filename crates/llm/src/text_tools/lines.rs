//! Arguments in lines: `id="a", radius=1`, or an unambiguous subset of YAML.

use serde_json::{Map, Value};

use super::cursor::{Cursor, End};
use super::literal::{self, MAX_DEPTH};
use super::tools::typed;
use crate::model::ToolDeclaration;

/// Parses all of `text` as arguments.
pub(super) fn arguments(text: &str, tool: &ToolDeclaration) -> Result<Map<String, Value>, String> {
    let text = text.trim_end();
    if let Some(args) = assignments(text.trim()) {
        return Ok(args);
    }
    let lines: Vec<Line<'_>> = text.lines().filter_map(Line::of).collect();
    let mut block = Block { lines: &lines, at: 0, tool: Some(tool) };
    let indent = lines.first().ok_or("they are empty")?.indent;
    match block.node(indent, 0)? {
        Value::Object(args) if block.at == lines.len() => Ok(args),
        _ => Err("they are neither a JSON object nor lines of \"argument: value\"".into()),
    }
}

/// Parses `id="a", radius=1`; line breaks may replace the commas.
fn assignments(text: &str) -> Option<Map<String, Value>> {
    let closed = format!("{text})");
    let mut cursor = Cursor::new(&closed, End::Cut);
    let read = literal::members(&mut cursor, ')', &["="], 0).ok()?;
    (cursor.peek().is_none() && !read.is_empty()).then_some(read)
}

#[derive(Debug)]
struct Line<'a> {
    indent: usize,
    text: &'a str,
}

impl<'a> Line<'a> {
    fn of(line: &'a str) -> Option<Self> {
        let text = line.trim_start();
        let is_empty = text.is_empty() || text.starts_with('#') || text.starts_with("```");
        (!is_empty).then(|| Self { indent: line.len() - text.len(), text: text.trim_end() })
    }
}

struct Block<'a> {
    lines: &'a [Line<'a>],
    at: usize,
    /// At the top level, the tool whose arguments these are.
    tool: Option<&'a ToolDeclaration>,
}

impl Block<'_> {
    /// Parses the lines of one indentation as members or items.
    fn node(&mut self, indent: usize, depth: usize) -> Result<Value, String> {
        if depth > MAX_DEPTH {
            return Err(format!("they are nested more than {MAX_DEPTH} deep"));
        }
        let tool = self.tool.take();
        let mut members = Map::new();
        let mut items = Vec::new();
        while let Some(line) = self.lines.get(self.at).filter(|line| line.indent >= indent) {
            let text = line.text;
            if line.indent > indent {
                return Err(format!("{text:?} stands too far right"));
            }
            self.at += 1;
            if let Some(item) = text.strip_prefix("- ").or((text == "-").then_some("")) {
                if key(item).is_some() {
                    return Err(format!("{text:?} is not clear: write a JSON object"));
                }
                items.push(self.value(item.trim(), indent, depth, plain)?);
                continue;
            }
            let (key, rest) = key(text).ok_or_else(|| format!("{text:?} is no argument"))?;
            let scalar = |raw: &str| tool.map_or_else(|| plain(raw), |tool| typed(tool, key, raw));
            let value = self.value(rest, indent, depth, scalar)?;
            if members.insert(key.to_owned(), value).is_some() {
                return Err(format!("{key:?} stands twice"));
            }
        }
        match (members.is_empty(), items.is_empty()) {
            (false, true) => Ok(Value::Object(members)),
            (true, false) => Ok(Value::Array(items)),
            _ => Err("lines of a list and of \"argument: value\" are mixed".into()),
        }
    }

    /// Parses the value after a colon or a dash, or in the lines below it.
    fn value(
        &mut self,
        rest: &str,
        indent: usize,
        depth: usize,
        scalar: impl Fn(&str) -> Result<Value, String>,
    ) -> Result<Value, String> {
        let below = self.lines.get(self.at).filter(|next| {
            next.indent > indent || (next.indent == indent && next.text.starts_with("- "))
        });
        match (rest, below) {
            ("", Some(next)) => {
                let indent = next.indent;
                self.node(indent, depth + 1)
            }
            ("", None) => Err("a value is missing".into()),
            ("|" | "|-" | ">" | ">-" | "|+" | ">+", _) => {
                Err("a block of text is not clear: write it in quotation marks".into())
            }
            (_, Some(next)) if next.indent > indent => {
                Err(format!("{:?} stands too far right", next.text))
            }
            _ => scalar(rest),
        }
    }
}

/// Splits `key: value`.
fn key(line: &str) -> Option<(&str, &str)> {
    let (key, rest) = line.split_once(':')?;
    let key = key.trim_matches(|next| matches!(next, '"' | '\'' | '*' | '`'));
    let is_word = !key.is_empty()
        && key.chars().all(|next| next.is_alphanumeric() || matches!(next, '_' | '-'));
    (is_word && (rest.is_empty() || rest.starts_with(' '))).then(|| (key, rest.trim()))
}

/// Parses a value without a declared type.
fn plain(raw: &str) -> Result<Value, String> {
    let begins_like_more =
        raw.starts_with(['{', '[', '"', '\'', '&', '*', '!', '|', '>', '%', '@', '`']);
    literal::whole(raw).or_else(|why| {
        if begins_like_more || raw.contains(": ") || raw.contains(" #") {
            return Err(format!("{raw:?} cannot be read: {why}"));
        }
        Ok(Value::String(raw.to_owned()))
    })
}
