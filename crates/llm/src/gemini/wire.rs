//! The body of a `GenerateContentRequest`.

use serde_json::{Map, Value, json};

use crate::content::{CONTEXT, Content, NEEDS, Part, Role, SUMMARY};
use crate::effort::Effort;
use crate::http::plain_name;
use crate::model::{Request, ToolDeclaration};
use crate::registry::ModelFacts;
use crate::{anthropic, ollama, openai};

/// The documented placeholder for the signature of a call by another model.
const SKIP_VALIDATION: &str = "skip_thought_signature_validator";

/// Fields of a part that belong to other providers or to the loop.
const FOREIGN_FIELDS: [&str; 6] =
    [anthropic::FIELD, ollama::FIELD, openai::FIELD, CONTEXT, NEEDS, SUMMARY];

/// The request body. Parts are sent verbatim, with the exceptions of the functions below.
pub(super) fn body(model: &str, facts: &ModelFacts, request: &Request) -> Value {
    let modern = is_gemini_3_or_later(model);
    let contents: Vec<Value> =
        request.contents.iter().map(|content| wire_content(content, modern)).collect();
    let mut body = Map::new();
    body.insert("contents".into(), contents.into());
    if !request.system_instruction.is_empty() {
        body.insert(
            "systemInstruction".into(),
            json!({ "parts": [{ "text": request.system_instruction }] }),
        );
    }
    if !request.tools.is_empty() {
        let declarations: Vec<Value> = request.tools.iter().map(declaration).collect();
        body.insert("tools".into(), json!([{ "functionDeclarations": declarations }]));
    }
    let mut config = Map::new();
    if modern {
        // Request thoughts, which the user sees while the model thinks. The API refuses a level
        // together with a budget.
        let mut thinking = json!({ "includeThoughts": true });
        let effort = request.settings.effort;
        if let Some(level) = effort.and_then(|effort| level(model, facts, effort)) {
            thinking["thinkingLevel"] = level.into();
        }
        config.insert("thinkingConfig".into(), thinking);
    }
    if let Some(temperature) = request.settings.temperature {
        config.insert("temperature".into(), temperature.into());
    }
    if !config.is_empty() {
        body.insert("generationConfig".into(), config.into());
    }
    Value::Object(body)
}

/// The nearest `thinkingLevel` of the model. Thinking cannot be disabled; the lowest level is
/// `MINIMAL`, for Flash models from 3 to 3.7 (docs.cloud.google.com, "Thinking").
fn level(model: &str, facts: &ModelFacts, effort: Effort) -> Option<&'static str> {
    let minimal = ["gemini-3-", "gemini-3.1-", "gemini-3.5-", "gemini-3.6-", "gemini-3.7-"];
    let takes_minimal = model.contains("flash") && minimal.iter().any(|it| model.starts_with(it));
    Some(match facts.efforts.nearest(effort)? {
        _ if effort == Effort::Off && takes_minimal => "MINIMAL",
        Effort::Off | Effort::Low => "LOW",
        Effort::Medium => "MEDIUM",
        Effort::High | Effort::Max => "HIGH",
    })
}

/// Whether `model` is `gemini-3...` or later. Names like `gemini-flash-latest` mean the newest
/// version.
fn is_gemini_3_or_later(model: &str) -> bool {
    let Some(version) = model.strip_prefix("gemini-") else {
        return false;
    };
    let major = version.split(['.', '-']).next().unwrap_or_default();
    match major.parse::<u32>() {
        Ok(major) => major >= 3,
        Err(_) => version.ends_with("-latest"),
    }
}

fn declaration(tool: &ToolDeclaration) -> Value {
    json!({
        "name": tool.name,
        "description": tool.description,
        "parametersJsonSchema": *tool.parameters,
    })
}

fn wire_content(content: &Content, modern: bool) -> Value {
    let role = match content.role {
        Role::User | Role::Function => "user",
        Role::Model => "model",
    };
    let mut parts: Vec<Map<String, Value>> = content.parts.iter().map(with_data).collect();
    if modern && content.role == Role::Model {
        sign_first_call(&mut parts);
    }
    if !modern && content.role == Role::Function {
        pictures_beside_responses(&mut parts);
    }
    json!({ "role": role, "parts": parts })
}

/// The part as it is sent. A part with only a signature gets empty text, since the API requires
/// data. Fields of other providers are removed, since the API refuses unknown fields.
fn with_data(part: &Part) -> Map<String, Value> {
    let mut part = part.raw().clone();
    part.retain(|name, _| !FOREIGN_FIELDS.contains(&name.as_str()));
    let is_bare = part.keys().all(|key| matches!(key.as_str(), "thought" | "thoughtSignature"));
    if is_bare {
        part.insert("text".into(), "".into());
    }
    for field in ["functionCall", "functionResponse"] {
        // The API refuses invalid tool names, which models sometimes invent.
        if let Some(body) = part.get_mut(field).and_then(Value::as_object_mut)
            && let Some(name) = body.get("name").and_then(Value::as_str)
            && !is_name(name)
        {
            let plain = plain_name(name);
            body.insert("name".into(), plain.into());
        }
    }
    part
}

/// Whether `name` is a valid tool name: it begins with a letter or `_`; dots and colons are
/// allowed.
fn is_name(name: &str) -> bool {
    name.len() <= 64
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':'))
}

/// Adds the placeholder signature: Gemini 3 requires one on the first call of each content.
fn sign_first_call(parts: &mut [Map<String, Value>]) {
    let mut calls: Vec<&mut Map<String, Value>> =
        parts.iter_mut().filter(|part| part.contains_key("functionCall")).collect();
    if calls.iter().any(|part| part.contains_key("thoughtSignature")) {
        return;
    }
    if let Some(first) = calls.first_mut() {
        first.insert("thoughtSignature".into(), SKIP_VALIDATION.into());
    }
}

/// Moves pictures out of the responses, behind them: models before Gemini 3 accept none within
/// responses.
fn pictures_beside_responses(parts: &mut Vec<Map<String, Value>>) {
    let mut pictures = Vec::new();
    for part in parts.iter_mut() {
        let Some(Value::Object(response)) = part.get_mut("functionResponse") else {
            continue;
        };
        if let Some(Value::Array(inside)) = response.shift_remove("parts") {
            pictures.extend(inside.into_iter().filter_map(|picture| match picture {
                Value::Object(picture) => Some(picture),
                _ => None,
            }));
        }
    }
    parts.extend(pictures);
}

#[cfg(test)]
#[path = "wire_tests.rs"]
mod tests;
