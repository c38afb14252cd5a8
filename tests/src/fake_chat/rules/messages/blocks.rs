//! Roles, the pairing of calls and results, and what blocks may hold.

use std::collections::HashSet;

use serde_json::Value;

use super::super::asked::Asked;
use super::super::common::{Picture, is_blank, is_name, list, text, unknown_fields};
use crate::fake_chat::providers::Model;
use crate::fake_chat::wording::RequestError;

/// With more pictures than this in a request, each may have 2000 pixels a side only.
const MANY_PICTURES: usize = 20;
/// Of the encoded text.
const MAX_PICTURE_BYTES: usize = 5 << 20;

pub(super) fn check(asked: Asked<'_>, model: &Model, errors: &mut Vec<RequestError>) {
    let messages = list(&asked.body["messages"]);
    check_roles(messages, model, errors);
    let mut ids: HashSet<&str> = HashSet::new();
    let mut waiting: Vec<&str> = Vec::new();
    for (index, message) in messages.iter().enumerate().filter(|(_, it)| it["role"] != "system") {
        let at = format!("messages.{index}");
        unknown_fields(message, &at, &["role", "content"], errors);
        let blocks = list(&message["content"]);
        if blocks.is_empty() && is_blank(&message["content"]) {
            errors.push(RequestError::Other(format!(
                "{at}: all messages must have non-empty content"
            )));
        }
        check_results(&at, blocks, &waiting, errors);
        waiting.clear();
        for (number, block) in blocks.iter().enumerate() {
            let at = format!("{at}.content.{number}");
            check_block(&at, &message["role"], block, errors);
            if block["type"] == "tool_use" {
                let id = text(&block["id"]);
                if !ids.insert(id) {
                    errors
                        .push(RequestError::Other(format!("{at}: `tool_use` ids must be unique")));
                }
                waiting.push(id);
            }
        }
    }
    if !waiting.is_empty() {
        errors.push(RequestError::Other(format!(
            "messages: `tool_use` ids were found without `tool_result` blocks immediately after: {}.",
            waiting.join(", ")
        )));
    }
    check_pictures(messages, model, errors);
}

fn check_roles(messages: &[Value], model: &Model, errors: &mut Vec<RequestError>) {
    let mut error = |text: String| errors.push(RequestError::Other(text));
    if messages.is_empty() {
        error("messages: at least one message is required".into());
    }
    for (index, _) in messages.iter().enumerate().filter(|(_, it)| it["role"] == "system") {
        let neighbour =
            |at: Option<usize>| at.and_then(|at| messages.get(at)).map(|it| text(&it["role"]));
        if !model.binds_thoughts {
            error(format!("messages.{index}: role 'system' is not supported on this model"));
        }
        let follows_user = neighbour(index.checked_sub(1)) == Some("user");
        let before_answer = matches!(neighbour(Some(index + 1)), None | Some("assistant"));
        if !follows_user || !before_answer {
            error(format!(
                "messages.{index}: a system message must directly follow a user message"
            ));
        }
    }
    let spoken: Vec<&str> =
        messages.iter().map(|it| text(&it["role"])).filter(|role| *role != "system").collect();
    if spoken.first().is_some_and(|first| *first != "user") {
        error("messages: first message must use the \"user\" role".into());
    }
    if spoken.last() == Some(&"assistant") {
        error("This model does not support assistant message prefill. The conversation must end with a \
               user message."
            .into());
    }
    for role in spoken.iter().filter(|role| !["user", "assistant"].contains(role)) {
        error(format!("messages: Unexpected role \"{role}\"."));
    }
    if spoken.windows(2).any(|pair| pair[0] == pair[1]) {
        error("messages: roles must alternate between \"user\" and \"assistant\"".into());
    }
}

/// Every call of the answer before is answered here, before anything else.
fn check_results(at: &str, blocks: &[Value], waiting: &[&str], errors: &mut Vec<RequestError>) {
    let leading: Vec<&str> = blocks
        .iter()
        .take_while(|block| block["type"] == "tool_result")
        .map(|block| text(&block["tool_use_id"]))
        .collect();
    for id in waiting.iter().filter(|id| !leading.contains(id)) {
        errors.push(RequestError::Other(format!(
            "{at}: `tool_use` ids were found without `tool_result` blocks immediately after: {id}. Each \
             `tool_use` block must have a corresponding `tool_result` block in the next message."
        )));
    }
    let results = blocks.iter().filter(|block| block["type"] == "tool_result");
    let mut seen = HashSet::new();
    for id in results.map(|block| text(&block["tool_use_id"])) {
        if !waiting.contains(&id) {
            errors.push(RequestError::Other(format!(
                "{at}: unexpected `tool_use_id` found in `tool_result` blocks: {id}. Each `tool_result` \
                 block must have a corresponding `tool_use` block in the previous message."
            )));
        }
        if !seen.insert(id) {
            errors.push(RequestError::Other(format!(
                "{at}: each tool_use must have a single result. Found: {id}"
            )));
        }
    }
}

fn check_block(at: &str, role: &Value, block: &Value, errors: &mut Vec<RequestError>) {
    let mut error = |text: String| errors.push(RequestError::Other(format!("{at}: {text}")));
    let kind = text(&block["type"]);
    let fields: &[&str] = match (text(role), kind) {
        (_, "text") => &["text", "citations", "cache_control"],
        ("user", "image") => &["source", "cache_control", "transformations"],
        ("user", "tool_result") => &["tool_use_id", "content", "is_error", "cache_control"],
        ("assistant", "tool_use") => &["id", "name", "input", "cache_control", "caller"],
        ("assistant", "thinking") => &["thinking", "signature", "cache_control"],
        ("assistant", "redacted_thinking") => &["data", "cache_control"],
        _ => return error(format!("Input tag '{kind}' cannot stand in a message of {role}")),
    };
    match kind {
        "text" if text(&block["text"]).is_empty() => {
            error("text content blocks must be non-empty".into())
        }
        "text" if is_blank(&block["text"]) => {
            error("text content blocks must contain non-whitespace text".into());
        }
        "tool_use" => {
            if !is_name(&block["id"], 256) {
                error("tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'".into());
            }
            if !is_name(&block["name"], 200) {
                error("tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,200}$'".into());
            }
            if !block["input"].is_object() {
                error("tool_use.input: Input should be an object".into());
            }
        }
        "tool_result" => {
            for inner in list(&block["content"]) {
                match text(&inner["type"]) {
                    "text" if is_blank(&inner["text"]) => {
                        error("tool_result: text content blocks must be non-empty".into());
                    }
                    "text" => {}
                    "image" if block["is_error"] != true => {}
                    "image" => error(
                        "tool_result: all content must be type `text` if `is_error` is true".into(),
                    ),
                    other => error(format!("tool_result: a '{other}' cannot stand here")),
                }
            }
        }
        _ => {}
    }
    let known: Vec<&str> = std::iter::once("type").chain(fields.iter().copied()).collect();
    unknown_fields(block, at, &known, errors);
}

fn check_pictures(messages: &[Value], model: &Model, errors: &mut Vec<RequestError>) {
    let blocks = messages.iter().flat_map(|message| list(&message["content"]));
    let nested = blocks.clone().flat_map(|block| list(&block["content"]));
    let pictures: Vec<&Value> = blocks.chain(nested).filter(|it| it["type"] == "image").collect();
    let mut error = |text: String| errors.push(RequestError::Other(text));
    let most = if model.window <= 200_000 { 100 } else { 600 };
    if pictures.len() > most {
        error(format!("Too much media: {} > {most}", pictures.len()));
    }
    let longest = if pictures.len() > MANY_PICTURES { 2_000 } else { 8_000 };
    for block in &pictures {
        let source = &block["source"];
        let kind = text(&source["media_type"]);
        let Some(picture) = Picture::decode(kind, text(&source["data"])) else {
            error("image.source.base64.data: Could not decode base64 image".into());
            continue;
        };
        if !["image/jpeg", "image/png", "image/gif", "image/webp"].contains(&kind) {
            error("image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' \
                   or 'image/webp'"
                .into());
        }
        if let Some(shown) = picture.shown_type().filter(|shown| *shown != kind) {
            error(format!(
                "image.source.base64.data: The image was specified using the {kind} media type, but the \
                 image appears to be a {shown} image"
            ));
        }
        let bytes = text(&source["data"]).len();
        if bytes > MAX_PICTURE_BYTES {
            error(format!(
                "image.source.base64: image exceeds 5 MB maximum: {bytes} bytes > {MAX_PICTURE_BYTES} bytes"
            ));
        }
        if picture.longer_side().is_some_and(|side| side > longest) {
            error(format!(
                "At least one of the image dimensions exceed max allowed size: {longest} pixels"
            ));
        }
    }
}
