//! Removing refused parts from a request. Each change depends only on its part and on earlier parts, so
//! that longer histories begin with the same bytes.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde_json::{Map, Value};

use super::cause::Cause;
use crate::content::{Content, Part, Role};
use crate::digest::digest;
use crate::model::Request;
use crate::pictures::PictureEdit;
use crate::{anthropic, openai, pictures};

/// The note in place of a picture that the model cannot see.
const UNSEEN: &str = "[A picture, left out: this model cannot see it.]";

/// The text of an answer that is inserted to alternate roles.
const ACKNOWLEDGED: &str = "Understood.";

/// The longest tool name that every provider accepts.
const MAX_NAME_CHARS: usize = 63;

/// Leaves out what `cause` names, everywhere.
pub(super) fn without(request: &mut Request, cause: Cause) {
    match cause {
        Cause::NoPictures => {
            let contents = std::mem::take(&mut request.contents);
            request.contents = pictures::change_pictures(contents, |_| PictureEdit::Note(UNSEEN));
        }
        Cause::NoThoughts => leave_thoughts_out(request, |_| true),
        Cause::Thinking => request.settings.effort = None,
        Cause::Setting("temperature") => request.settings.temperature = None,
        Cause::Setting("prompt_cache_key") => request.settings.cache_key = None,
        Cause::ToolName => map_calls(request, |map, _| change_name(map)),
        Cause::CallId => short_ids(request),
        Cause::RoleOrder => alternate_roles(request),
        Cause::SystemRole => system_into_user(request),
        Cause::ToolSchema => {
            for tool in Arc::make_mut(&mut request.tools) {
                tool.parameters = simple_schema(&tool.parameters).into();
            }
        }
        _ => {}
    }
}

/// Leaves out the thoughts and pictures whose digests are given.
pub(super) fn leave_out(request: &mut Request, digests: &HashSet<u64>) {
    if digests.is_empty() {
        return;
    }
    leave_thoughts_out(request, |part| digests.contains(&thought_digest(part)));
    let contents = std::mem::take(&mut request.contents);
    request.contents =
        pictures::change_pictures(contents, |data| match digests.contains(&picture_digest(data)) {
            true => PictureEdit::Note(pictures::LEFT_OUT),
            false => PictureEdit::Keep,
        });
}

/// Digests of all parts of the model that hold thoughts or signatures.
pub(super) fn thoughts(request: &Request) -> impl Iterator<Item = u64> {
    let parts = request.contents.iter().filter(|content| content.role == Role::Model);
    parts.flat_map(|content| &content.parts).filter(|part| thinks(part)).map(thought_digest)
}

/// Digests of all pictures, the oldest first.
pub(super) fn pictures(request: &Request) -> impl Iterator<Item = u64> {
    pictures::pictures_of(&request.contents).map(picture_digest)
}

fn thought_digest(part: &Part) -> u64 {
    digest([Value::Object(part.raw().clone()).to_string()])
}

fn picture_digest(data: &Value) -> u64 {
    digest([data["data"].as_str().unwrap_or_default()])
}

/// Fields of a part that belong to thinking.
const THOUGHT_FIELDS: [&str; 3] = ["thoughtSignature", anthropic::FIELD, openai::FIELD];

fn thinks(part: &Part) -> bool {
    part.is_thought() || THOUGHT_FIELDS.iter().any(|name| part.raw().contains_key(*name))
}

fn leave_thoughts_out(request: &mut Request, which: impl Fn(&Part) -> bool) {
    for content in request.contents.iter_mut().filter(|content| content.role == Role::Model) {
        let parts = std::mem::take(&mut content.parts);
        content.parts = parts
            .into_iter()
            .filter_map(
                |part| if thinks(&part) && which(&part) { unsigned(&part) } else { Some(part) },
            )
            .collect();
        if content.parts.is_empty() {
            // The answer stays in place.
            content.parts.push(Part::text(NO_TEXT));
        }
    }
}

/// The note in place of an answer with thoughts only.
const NO_TEXT: &str = "[An answer without text.]";

/// The part without fields of thinking; `None` if nothing else is in it.
fn unsigned(part: &Part) -> Option<Part> {
    if part.is_thought() {
        return None;
    }
    let mut raw = part.raw().clone();
    raw.retain(|name, _| !THOUGHT_FIELDS.contains(&name.as_str()));
    let empty =
        raw.is_empty() || (raw.len() == 1 && raw.get("text").is_some_and(|text| text == ""));
    (!empty).then(|| Part::from_value(Value::Object(raw)))
}

/// Changes the bodies of calls and responses; the flag tells calls apart.
fn map_calls(request: &mut Request, mut change: impl FnMut(&mut Map<String, Value>, bool)) {
    for part in request.contents.iter_mut().flat_map(|content| &mut content.parts) {
        let field = if part.as_call().is_some() { "functionCall" } else { "functionResponse" };
        if !part.raw().contains_key(field) {
            continue;
        }
        let mut raw = part.raw().clone();
        if let Some(Value::Object(body)) = raw.get_mut(field) {
            change(body, field == "functionCall");
        }
        *part = Part::from_value(Value::Object(raw));
    }
}

fn change_name(body: &mut Map<String, Value>) {
    let name = body.get("name").and_then(Value::as_str).unwrap_or_default();
    let plain = plain_name(name);
    if plain != name {
        body.insert("name".into(), plain.into());
    }
}

/// `name` in the form that every provider accepts.
pub(crate) fn plain_name(name: &str) -> String {
    let plain: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') { c } else { '_' })
        .take(MAX_NAME_CHARS)
        .collect();
    match plain.trim_matches(['_', '-']) {
        "" => "unknown_tool".to_owned(),
        _ if plain.starts_with(|c: char| c.is_ascii_digit() || c == '-') => format!("_{plain}"),
        _ => plain,
    }
}

/// Replaces ids by nine letters and digits that depend on the call's position.
fn short_ids(request: &mut Request) {
    let mut calls = 0_u32;
    let mut given: HashMap<String, String> = HashMap::new();
    map_calls(request, |body, is_call| {
        let old = body.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
        if is_call {
            calls += 1;
            given.insert(old.clone(), format!("call{calls:05}"));
        }
        if let Some(id) = given.get(&old) {
            body.insert("id".into(), id.clone().into());
        }
    });
}

/// Merges adjacent contents of the same role, and inserts an answer between tool results and a user
/// message.
fn alternate_roles(request: &mut Request) {
    let mut contents: Vec<Content> = Vec::with_capacity(request.contents.len());
    for content in std::mem::take(&mut request.contents) {
        match contents.last_mut() {
            Some(last) if last.role == Role::Function && content.role == Role::User => {
                contents.push(Content::model(vec![Part::text(ACKNOWLEDGED)]));
                contents.push(content);
            }
            Some(last) if last.role == content.role && content.calls().next().is_none() => {
                last.parts.extend(content.parts);
            }
            _ => contents.push(content),
        }
    }
    request.contents = contents;
}

fn system_into_user(request: &mut Request) {
    let instruction = std::mem::take(&mut request.system_instruction);
    if instruction.is_empty() {
        return;
    }
    match request.contents.first_mut().filter(|first| first.role == Role::User) {
        Some(first) => first.parts.insert(0, Part::text(instruction)),
        None => request.contents.insert(0, Content::user(instruction)),
    }
}

/// A schema with only the keywords that every provider supports.
fn simple_schema(schema: &Value) -> Value {
    let Some(fields) = schema.as_object() else {
        return serde_json::json!({});
    };
    let mut simple = Map::new();
    for (name, value) in fields {
        let value = match name.as_str() {
            "type" => match value {
                Value::Array(types) => {
                    types.iter().find(|kind| *kind != "null").cloned().unwrap_or_default()
                }
                one => one.clone(),
            },
            "description" | "required" | "enum" => value.clone(),
            "items" => simple_schema(value),
            "properties" => {
                let properties = value.as_object().into_iter().flatten();
                properties.map(|(name, schema)| (name.clone(), simple_schema(schema))).collect()
            }
            _ => continue,
        };
        simple.insert(name.clone(), value);
    }
    // Of alternatives, the first one with keywords is used.
    if !simple.contains_key("type") {
        let alternatives = ["anyOf", "oneOf", "allOf"].iter().find_map(|name| fields.get(*name));
        let first = alternatives.and_then(Value::as_array).into_iter().flatten();
        if let Some(Value::Object(first)) = first
            .map(simple_schema)
            .find(|simple| simple["type"].is_string() && simple["type"] != "null")
        {
            for (name, value) in first {
                simple.entry(name).or_insert(value);
            }
        }
    }
    if simple.get("type").is_some_and(|kind| kind == "array") && !simple.contains_key("items") {
        simple.insert("items".into(), serde_json::json!({}));
    }
    Value::Object(simple)
}
