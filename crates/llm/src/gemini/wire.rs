//! The body of a `GenerateContentRequest`.

use serde_json::{Map, Value, json};

use crate::content::{CONTEXT, Content, NEEDS, Part, Role, SUMMARY};
use crate::effort::Effort;
use crate::http::plain_name;
use crate::model::{Request, ToolDeclaration};
use crate::registry::ModelFacts;
use crate::{anthropic, ollama, openai};

/// The documented signature for a call that no Gemini model signed, e.g. one of another model.
const SKIP_VALIDATION: &str = "skip_thought_signature_validator";

/// Fields of a part that only other providers, or the loop, know.
const FOREIGN_FIELDS: [&str; 6] =
    [anthropic::FIELD, ollama::FIELD, openai::FIELD, CONTEXT, NEEDS, SUMMARY];

/// The request's body. Parts go out as they came; see the functions below for the few exceptions,
/// made on the copy that is sent.
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
        // Thoughts are shown to the user, apart from the answer, while the model thinks. A level
        // together with a budget is refused.
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

/// The nearest level the model takes. Not to think at all cannot be asked for; the least is
/// `MINIMAL`, which Flash models from 3 to 3.7 take (docs.cloud.google.com, "Thinking").
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

/// `gemini-3...` and later, and names such as `gemini-flash-latest`, which mean the newest.
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
        "parametersJsonSchema": tool.parameters,
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

/// A signature may come on a part of its own; sent back, a part needs data. What other providers
/// left on a part is unknown here, and refused.
fn with_data(part: &Part) -> Map<String, Value> {
    let mut part = part.raw().clone();
    part.retain(|name, _| !FOREIGN_FIELDS.contains(&name.as_str()));
    let is_bare = part.keys().all(|key| matches!(key.as_str(), "thought" | "thoughtSignature"));
    if is_bare {
        part.insert("text".into(), "".into());
    }
    for field in ["functionCall", "functionResponse"] {
        // Names that a model made up are refused.
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

/// Names begin with a letter or `_`; dots and colons are taken, too.
fn is_name(name: &str) -> bool {
    name.len() <= 64
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':'))
}

/// Gemini 3 wants a signature on the first call of each content.
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

/// Models before Gemini 3 take pictures only as parts of their own, here after the responses.
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
