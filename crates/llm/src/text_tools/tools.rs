//! The declared tools: lookup by name, and types of arguments.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::literal;
use super::words::plain;
use crate::model::ToolDeclaration;

/// The tools of a request.
#[derive(Debug, Clone, Default)]
pub(super) struct Tools {
    tools: Vec<ToolDeclaration>,
    /// Indices by exact name, and by normalised name; `None` if that is ambiguous.
    places: HashMap<String, Option<usize>>,
    /// Whether the protocol is that of plans.
    plans: bool,
}

impl Tools {
    pub(super) fn new(tools: &[ToolDeclaration], plans: bool) -> Self {
        let mut places = HashMap::new();
        for (place, tool) in tools.iter().enumerate() {
            places.entry(plain(&tool.name)).and_modify(|same| *same = None).or_insert(Some(place));
        }
        for (place, tool) in tools.iter().enumerate() {
            places.insert(tool.name.clone(), Some(place));
        }
        Self { tools: tools.to_vec(), places, plans }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    /// Whether the protocol is that of plans.
    pub(super) fn speak_plans(&self) -> bool {
        self.plans
    }

    /// The tool with exactly this name.
    pub(super) fn exact(&self, name: &str) -> Option<&ToolDeclaration> {
        self.tools.get((*self.places.get(name)?)?).filter(|tool| tool.name == name)
    }

    /// The tool that `written` means: `create_shape`, `functions.create_shape:0`, `Create Shape`.
    pub(super) fn resolve(&self, written: &str) -> Option<&ToolDeclaration> {
        let written = written.trim_matches(|c: char| c.is_whitespace() || "\"'`*".contains(c));
        let numbered = written.rsplit_once(':').filter(|(_, number)| {
            !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
        });
        let written = numbered.map_or(written, |(name, _)| name);
        let last = written.rsplit(['.', ':', '/']).next().unwrap_or_default();
        [written, last].into_iter().find_map(|name| self.exact(name)).or_else(|| {
            [plain(written), plain(last)]
                .iter()
                .find_map(|name| self.tools.get((*self.places.get(name)?)?))
        })
    }

    /// Whether `text` names a tool: by a name that is not a common word, or in quotation marks.
    pub(super) fn are_named_in(&self, text: &str) -> bool {
        let is_quoted = |word: &str| {
            let before = word.as_ptr() as usize - text.as_ptr() as usize;
            text[..before].ends_with(['"', '\'', '\u{201c}'])
        };
        text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-'))
            .any(|word| self.exact(word).is_some() && (word.contains('_') || is_quoted(word)))
    }

    /// The error for the model about an unknown tool.
    pub(super) fn unknown(&self, name: &str) -> String {
        let names: Vec<&str> = self.tools.iter().map(|tool| tool.name.as_str()).collect();
        format!("there is no tool {name:?}; the tools are {}", names.join(", "))
    }
}

/// The schema of an argument.
fn schema<'a>(tool: &'a ToolDeclaration, argument: &str) -> Option<&'a Value> {
    tool.parameters.get("properties")?.get(argument)
}

/// Whether the tool's schema declares `argument`.
pub(super) fn declares(tool: &ToolDeclaration, argument: &str) -> bool {
    schema(tool, argument).is_some()
}

/// Whether the tool's schema declares any arguments.
pub(super) fn knows_arguments(tool: &ToolDeclaration) -> bool {
    tool.parameters.get("properties").and_then(Value::as_object).is_some_and(|it| !it.is_empty())
}

/// Whether the tool has required arguments.
pub(super) fn needs_arguments(tool: &ToolDeclaration) -> bool {
    tool.parameters.get("required").and_then(Value::as_array).is_some_and(|it| !it.is_empty())
}

/// Whether `args` can be arguments of the tool.
pub(super) fn fits(tool: &ToolDeclaration, args: &Map<String, Value>) -> bool {
    let required = tool.parameters.get("required").and_then(Value::as_array);
    let has = |name: &Value| name.as_str().is_none_or(|name| args.contains_key(name));
    required.into_iter().flatten().all(has)
        && (!knows_arguments(tool) || args.keys().all(|name| declares(tool, name)))
}

/// Whether values of this schema are always strings (`Some(true)`), never, or sometimes (`None`).
fn takes_text(schema: &Value) -> Option<bool> {
    let of_type = |name: &Value| name.as_str().map(|name| name == "string");
    let all_same = |kinds: Vec<Option<bool>>| {
        let first = kinds.first().copied().flatten()?;
        kinds.iter().all(|kind| *kind == Some(first)).then_some(first)
    };
    match schema.get("type") {
        Some(Value::Array(types)) => all_same(types.iter().map(of_type).collect()),
        Some(name) => of_type(name),
        None if schema.get("enum").is_some() => {
            let values = schema["enum"].as_array()?;
            all_same(values.iter().map(|value| Some(value.is_string())).collect())
        }
        None => {
            let kinds = ["anyOf", "oneOf"].iter().find_map(|any| schema.get(*any)?.as_array())?;
            all_same(kinds.iter().map(takes_text).collect())
        }
    }
}

/// Parses an argument without quotation marks by its type.
pub(super) fn typed(tool: &ToolDeclaration, argument: &str, raw: &str) -> Result<Value, String> {
    let trimmed = raw.trim();
    let takes_text = schema(tool, argument).and_then(takes_text);
    let read = literal::whole(trimmed);
    match (takes_text, read) {
        // The text has its own quotation marks.
        (_, Ok(Value::String(text))) => Ok(Value::String(text)),
        (Some(true), _) => Ok(Value::String(unlined(raw).to_owned())),
        (_, Ok(value)) => Ok(value),
        (takes_text, Err(why)) => {
            if takes_text == Some(false)
                && schema(tool, argument).is_some_and(|it| it.get("type").is_some())
                || trimmed.starts_with(['{', '['])
            {
                return Err(format!("{argument:?} cannot be read: {why}"));
            }
            Ok(Value::String(unlined(raw).to_owned()))
        }
    }
}

/// `raw` without the line breaks next to its tags.
fn unlined(raw: &str) -> &str {
    let raw = raw.strip_prefix("\r\n").or_else(|| raw.strip_prefix('\n')).unwrap_or(raw);
    raw.strip_suffix("\r\n").or_else(|| raw.strip_suffix('\n')).unwrap_or(raw)
}
