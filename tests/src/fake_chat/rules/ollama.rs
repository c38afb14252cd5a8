//! Ollama's `/api/chat`: a decoder of types, and capabilities.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;

use super::asked::Asked;
use super::common::{list, text, unknown_fields};
use crate::fake_chat::providers::Model;
use crate::fake_chat::truncate::DEFAULT_CONTEXT;
use crate::fake_chat::wording::RequestError;

const FIELDS: &[&str] = &[
    "model",
    "messages",
    "stream",
    "format",
    "keep_alive",
    "tools",
    "options",
    "think",
    "truncate",
    "shift",
    "logprobs",
    "top_logprobs",
];
const MESSAGE_FIELDS: &[&str] =
    &["role", "content", "thinking", "images", "tool_calls", "tool_name", "tool_call_id"];
const OPTIONS: &[&str] = &[
    "num_ctx",
    "num_predict",
    "num_keep",
    "num_batch",
    "num_gpu",
    "num_thread",
    "seed",
    "temperature",
    "top_k",
    "top_p",
    "min_p",
    "typical_p",
    "repeat_last_n",
    "repeat_penalty",
    "presence_penalty",
    "frequency_penalty",
    "stop",
];

/// The context, where what does not fit is to be refused; it is cut off silently otherwise.
pub(super) fn refusing_window(asked: Asked<'_>) -> Option<u64> {
    let context = asked.body["options"]["num_ctx"].as_u64().unwrap_or(DEFAULT_CONTEXT);
    let window = asked.window.map_or(context, |window| context.min(window));
    (asked.body["truncate"] == false).then_some(window)
}

pub(super) fn check(asked: Asked<'_>, model: &Model, errors: &mut Vec<RequestError>) {
    let body = asked.body;
    unknown_fields(body, "", FIELDS, errors);
    unknown_fields(&body["options"], "options", OPTIONS, errors);
    let of_type = |at: &str, kind: &str, wanted: &str| {
        RequestError::Other(format!(
            "json: cannot unmarshal {kind} into Go struct field ChatRequest.{at} of type {wanted}"
        ))
    };
    if body["options"].get("num_ctx").is_some_and(|window| !window.is_u64()) {
        errors.push(RequestError::Other("option \"num_ctx\" must be of type integer".into()));
    }
    match &body["think"] {
        Value::Null | Value::Bool(false) => {}
        think @ (Value::Bool(true) | Value::String(_)) => {
            let levels = ["high", "medium", "low", "max"];
            if think.as_str().is_some_and(|level| !levels.contains(&level)) {
                errors.push(RequestError::Other(format!(
                    "invalid think value: {think} (must be \"high\", \"medium\", \"low\", \"max\", true, \
                     or false)"
                )));
            }
            if model.thinking.is_empty() {
                errors
                    .push(RequestError::Other(format!("{:?} does not support thinking", model.id)));
            }
        }
        _ => errors.push(RequestError::Other("think must be a boolean or string".into())),
    }
    for tool in list(&body["tools"]) {
        if tool["type"] != "function" || text(&tool["function"]["name"]).is_empty() {
            errors.push(RequestError::Other(format!("invalid tool: {tool}")));
        }
    }
    let messages = list(&body["messages"]);
    for (index, message) in messages.iter().enumerate() {
        unknown_fields(message, &format!("messages.{index}"), MESSAGE_FIELDS, errors);
        let role = text(&message["role"]);
        if !["system", "user", "assistant", "tool"].contains(&role) {
            errors.push(RequestError::Other(format!("invalid role: {role:?}")));
        }
        if message.get("content").is_some_and(|content| !content.is_string()) {
            errors.push(of_type("messages.content", "array", "string"));
        }
        for picture in list(&message["images"]) {
            if BASE64_STANDARD.decode(text(picture)).map_or(true, |bytes| bytes.is_empty()) {
                errors.push(RequestError::Other("illegal base64 data at input byte 4".into()));
            }
            if !model.pictures {
                errors.push(RequestError::NoPictures(model.id.into(), index));
            }
        }
        for call in list(&message["tool_calls"]) {
            if !call["function"]["arguments"].is_object() {
                let wanted = "api.ToolCallFunctionArguments";
                errors.push(of_type("messages.tool_calls.function.arguments", "string", wanted));
            }
            if text(&call["function"]["name"]).is_empty() {
                errors
                    .push(RequestError::Other(format!("messages.{index}: a call without a name")));
            }
        }
    }
    // Not an error of the provider's: its templates lose such results. Nobody means to send them.
    let mut calls = 0_usize;
    for (index, message) in messages.iter().enumerate() {
        match text(&message["role"]) {
            "assistant" => calls = list(&message["tool_calls"]).len(),
            "tool" if calls == 0 => {
                errors.push(RequestError::Other(format!(
                    "messages.{index}: a result without a call"
                )));
            }
            "tool" => {
                calls -= 1;
                if text(&message["tool_name"]).is_empty() {
                    errors.push(RequestError::Other(format!(
                        "messages.{index}: a result without its tool's name"
                    )));
                }
            }
            _ => {}
        }
    }
}
