//! OpenAI's responses.

use std::collections::HashSet;

use serde_json::Value;

use super::common::{Picture, is_name, list, text, unknown_fields};
use super::{Asked, completions};
use crate::fake_chat::providers::Model;
use crate::fake_chat::wording::RequestError;

const FIELDS: &[&str] = &[
    "background",
    "context_management",
    "conversation",
    "include",
    "input",
    "instructions",
    "max_output_tokens",
    "max_tool_calls",
    "metadata",
    "model",
    "moderation",
    "parallel_tool_calls",
    "previous_response_id",
    "prompt",
    "prompt_cache_key",
    "prompt_cache_options",
    "prompt_cache_retention",
    "reasoning",
    "safety_identifier",
    "service_tier",
    "store",
    "stream",
    "stream_options",
    "temperature",
    "text",
    "tool_choice",
    "tools",
    "top_logprobs",
    "top_p",
    "truncation",
    "user",
];

pub(super) fn check(asked: Asked<'_>, model: &Model, errors: &mut Vec<RequestError>) {
    let body = asked.body;
    unknown_fields(body, "", FIELDS, errors);
    check_reasoning(body, model, errors);
    for (index, tool) in list(&body["tools"]).iter().enumerate() {
        let known = ["type", "name", "description", "parameters", "strict"];
        unknown_fields(tool, &format!("tools[{index}]"), &known, errors);
    }
    completions::check_tools(body, &|tool| tool, errors);
    let includes = ["reasoning.encrypted_content", "message.output_text.logprobs"];
    for wanted in list(&body["include"]).iter().filter(|it| !includes.contains(&text(it))) {
        errors.push(RequestError::Other(format!("Invalid value: {wanted} at 'include'.")));
    }
    match &body["input"] {
        Value::String(text) if !text.is_empty() => {}
        Value::Array(items) if !items.is_empty() => check_items(asked, items, model, errors),
        _ => errors.push(RequestError::Other("Missing required parameter: 'input'.".into())),
    }
}

fn check_reasoning(body: &Value, model: &Model, errors: &mut Vec<RequestError>) {
    let reasoning = &body["reasoning"];
    unknown_fields(
        reasoning,
        "reasoning",
        &["effort", "summary", "generate_summary", "context", "mode"],
        errors,
    );
    let field = "reasoning.effort";
    if let Some(effort) = reasoning.get("effort").filter(|effort| !effort.is_null())
        && !model.efforts.contains(&text(effort))
    {
        let value = text(effort).to_owned();
        errors.push(RequestError::Effort { field, value, takes: model.efforts });
    }
    let thinks = !model.thinking.is_empty();
    if !thinks && reasoning.get("summary").is_some_and(|it| !it.is_null()) {
        errors.push(RequestError::Effort {
            field: "reasoning.summary",
            value: String::new(),
            takes: &[],
        });
    }
    let encrypted = list(&body["include"]).iter().any(|it| it == "reasoning.encrypted_content");
    if !thinks && encrypted {
        errors.push(RequestError::Other(
            "Encrypted content is not supported with this model.".into(),
        ));
    }
    if thinks && body.get("temperature").is_some_and(|it| !it.is_null()) {
        errors.push(RequestError::Other(
            "Unsupported parameter: 'temperature' is not supported with this model.".into(),
        ));
    }
}

fn check_items(asked: Asked<'_>, items: &[Value], model: &Model, errors: &mut Vec<RequestError>) {
    let mut pictures = 0;
    for (index, item) in items.iter().enumerate() {
        let at = format!("input[{index}]");
        match text(&item["type"]) {
            "" | "message" => check_message(item, &at, model, &mut pictures, errors),
            "reasoning" => check_reasoning_item(asked, items, index, model, errors),
            "function_call" => check_call(asked, items, index, errors),
            "function_call_output" => {
                let known = ["type", "id", "call_id", "output", "status"];
                unknown_fields(item, &at, &known, errors);
                match &item["output"] {
                    Value::String(_) => {}
                    Value::Array(parts) if !parts.is_empty() => {
                        check_parts(parts, &at, "input", model, &mut pictures, errors);
                    }
                    _ => errors.push(RequestError::Other(format!(
                        "Missing required parameter: '{at}.output'."
                    ))),
                }
            }
            other => errors
                .push(RequestError::Other(format!("Invalid value: '{other}' at '{at}.type'."))),
        }
    }
    check_pairing(items, errors);
    if pictures > 500 {
        errors.push(RequestError::Other(format!(
            "Too many images in request: {pictures}, at most 500."
        )));
    }
}

/// Every call has its output and every output its call, in this order.
fn check_pairing(items: &[Value], errors: &mut Vec<RequestError>) {
    let ids = |kind: &'static str| {
        items
            .iter()
            .enumerate()
            .filter(move |(_, item)| item["type"] == kind)
            .map(|(index, item)| (index, text(&item["call_id"])))
    };
    let mut seen = HashSet::new();
    for (index, id) in ids("function_call") {
        if !seen.insert(id) {
            errors.push(RequestError::Other(format!("Duplicate call_id {id}.")));
        }
        if !ids("function_call_output").any(|(at, answered)| answered == id && at > index) {
            errors
                .push(RequestError::Other(format!("No tool output found for function call {id}.")));
        }
    }
    let mut answered = HashSet::new();
    for (index, id) in ids("function_call_output") {
        if !ids("function_call").any(|(at, called)| called == id && at < index) {
            errors.push(RequestError::Other(format!(
                "No tool call found for function call output with call_id {id}."
            )));
        }
        if !answered.insert(id) {
            errors.push(RequestError::Other(format!("Duplicate output for call_id {id}.")));
        }
    }
    // Answered at once: between a call and its output stand calls and outputs only.
    let mut open = HashSet::new();
    for (index, item) in items.iter().enumerate() {
        match text(&item["type"]) {
            "function_call" => drop(open.insert(text(&item["call_id"]))),
            "function_call_output" => drop(open.remove(text(&item["call_id"]))),
            "reasoning" if open.is_empty() => {}
            _ if open.is_empty() => {}
            _ => {
                errors.push(RequestError::Other(format!(
                    "input[{index}]: stands between a function call and its output"
                )));
                open.clear();
            }
        }
    }
}

fn check_call(asked: Asked<'_>, items: &[Value], index: usize, errors: &mut Vec<RequestError>) {
    let item = &items[index];
    let at = format!("input[{index}]");
    unknown_fields(item, &at, &["type", "id", "call_id", "name", "arguments", "status"], errors);
    let mut error = |text: String| errors.push(RequestError::Other(text));
    if !is_name(&item["name"], 128) {
        error(format!(
            "Invalid '{at}.name': string does not match pattern. Expected a string that matches the \
             pattern '^[a-zA-Z0-9_-]+$'."
        ));
    }
    let call_id = text(&item["call_id"]);
    if call_id.is_empty() || call_id.len() > 64 {
        error(format!(
            "Invalid '{at}.call_id': string too long. Expected a string with maximum length 64, but got a \
             string with length {} instead.",
            call_id.len()
        ));
    }
    if !item["arguments"].is_string() {
        error(format!("Invalid type for '{at}.arguments': expected a string."));
    }
    check_id(item, &at, "fc", &mut error);
    // What was thought before the call comes back right before the answer it began.
    let wanted = asked.issued.call(call_id).and_then(|call| call.reasoning.as_deref());
    if let Some(wanted) = wanted {
        let answer = items[..index].iter().rev().take_while(|item| {
            !matches!(text(&item["type"]), "function_call_output") && item["role"] != "user"
        });
        let was_thought =
            answer.filter(|item| item["type"] == "reasoning").any(|item| {
                item["id"] == *wanted
                    || asked.issued.reasoning.iter().any(|(id, encrypted)| {
                        id == wanted && item["encrypted_content"] == **encrypted
                    })
            });
        if !was_thought && !asked.model().is_some_and(|model| model.thinking.is_empty()) {
            error(format!(
                "Item '{}' of type 'function_call' was provided without its required 'reasoning' item: \
                 '{wanted}'.",
                item["id"].as_str().unwrap_or(call_id)
            ));
        }
    }
}

fn check_reasoning_item(
    asked: Asked<'_>,
    items: &[Value],
    index: usize,
    model: &Model,
    errors: &mut Vec<RequestError>,
) {
    let item = &items[index];
    let at = format!("input[{index}]");
    let known = ["type", "id", "summary", "content", "encrypted_content", "status"];
    unknown_fields(item, &at, &known, errors);
    let mut error = |text: String| errors.push(RequestError::Other(text));
    if model.thinking.is_empty() {
        error("Reasoning input items can only be provided to a reasoning or computer use model. Remove \
               reasoning items from your input and try again."
            .into());
    }
    check_id(item, &at, "rs", &mut error);
    let summary = item.get("summary").and_then(Value::as_array);
    if !summary.is_some_and(|parts| parts.iter().all(|part| part["type"] == "summary_text")) {
        error(format!("Missing required parameter: '{at}.summary'."));
    }
    let id = text(&item["id"]);
    match item["encrypted_content"].as_str() {
        Some(encrypted) => {
            let is_own = asked
                .issued
                .reasoning
                .iter()
                .any(|(own, given)| given == encrypted && (id.is_empty() || own == id));
            if !is_own {
                error(format!(
                    "The encrypted content for item {id} could not be verified. Reason: Encrypted content \
                     could not be decrypted or parsed."
                ));
            }
        }
        None if asked.body["store"] == false => error(format!(
            "Item with id '{id}' not found. Items are not persisted when `store` is set to false. Try \
             again with `store` set to true, or remove this item from your input."
        )),
        None if !asked.issued.reasoning.iter().any(|(own, _)| own == id) => {
            error(format!("Item with id '{id}' not found."));
        }
        None => {}
    }
    let follows = items.get(index + 1).is_some_and(|next| match text(&next["type"]) {
        "function_call" | "reasoning" => true,
        "" | "message" => next["role"] == "assistant",
        _ => false,
    });
    if !follows {
        error(format!(
            "Item '{id}' of type 'reasoning' was provided without its required following item."
        ));
    }
}

fn check_id(item: &Value, at: &str, prefix: &str, error: &mut impl FnMut(String)) {
    if let Some(id) = item.get("id").and_then(Value::as_str)
        && !id.starts_with(prefix)
    {
        error(format!("Invalid '{at}.id': '{id}'. Expected an ID that begins with '{prefix}'."));
    }
}

fn check_message(
    item: &Value,
    at: &str,
    model: &Model,
    pictures: &mut usize,
    errors: &mut Vec<RequestError>,
) {
    unknown_fields(item, at, &["type", "role", "content", "id", "status", "phase"], errors);
    let role = text(&item["role"]);
    if !["system", "developer", "user", "assistant"].contains(&role) {
        errors.push(RequestError::Other(format!("Invalid value: '{role}' at '{at}.role'.")));
    }
    check_id(item, at, "msg", &mut |text| errors.push(RequestError::Other(text)));
    let way = if role == "assistant" { "output" } else { "input" };
    match &item["content"] {
        Value::String(text) if !text.is_empty() || role != "assistant" => {}
        Value::Array(parts) if !parts.is_empty() => {
            check_parts(parts, at, way, model, pictures, errors)
        }
        _ => {
            errors.push(RequestError::Other(format!("Missing required parameter: '{at}.content'.")))
        }
    }
}

fn check_parts(
    parts: &[Value],
    at: &str,
    way: &str,
    model: &Model,
    pictures: &mut usize,
    errors: &mut Vec<RequestError>,
) {
    for (number, part) in parts.iter().enumerate() {
        let at = format!("{at}.content[{number}]");
        match (way, text(&part["type"])) {
            ("input", "input_text") => {
                unknown_fields(part, &at, &["type", "text", "prompt_cache_breakpoint"], errors);
            }
            ("input", "input_image") => {
                *pictures += 1;
                let known = ["type", "image_url", "detail", "file_id", "prompt_cache_breakpoint"];
                unknown_fields(part, &at, &known, errors);
                if !model.pictures {
                    errors.push(RequestError::NoPictures(model.id.into(), number));
                }
                if Picture::from_url(&part["image_url"]).is_none() {
                    errors.push(RequestError::Other(format!(
                        "Invalid '{at}.image_url'. Expected a base64-encoded data URL with an image MIME \
                         type (e.g. 'data:image/png;base64,aW1nIGJ5dGVzIGhlcmU=')."
                    )));
                }
            }
            ("output", "output_text") => {
                unknown_fields(part, &at, &["type", "text", "annotations", "logprobs"], errors);
            }
            ("output", "refusal") => {}
            (_, other) => errors.push(RequestError::Other(format!(
                "Invalid value: '{other}'. Supported values are: '{way}_text', ... ('{at}.type')."
            ))),
        }
    }
}
