//! The body of a chat completion request.
//!
//! Messages are only appended: while a conversation grows, earlier messages stay the same, byte for
//! byte. Consecutive contents of the user and of tools form one turn; they become the messages
//! after an answer and change none before it.

use serde_json::{Map, Value, json};

use super::reasoning;
use crate::content::{Content, Part, Role};
use crate::http::call_ids::CallIds;
use crate::http::pieces::{Piece, after_results, data_url};
use crate::model::Request;
use crate::normalise::CONTINUE;
use crate::openai::effort;
use crate::openai::profile::{Target, by_model};
use crate::pictures::of_response;

/// The assistant message between a tool result and its pictures, for providers that require one
/// there.
const PICTURES_FOLLOW: &str = "(The pictures follow.)";

/// The placeholder for an answer without representable content.
const NO_ANSWER: &str = "[No answer.]";

/// The default `max_tokens`, for providers that need the field.
const MAX_TOKENS: u64 = 32_000;

/// The request body. The history comes from `normalise`; ids, reasoning and other fields of the
/// same model are sent back verbatim.
pub(in crate::openai) fn body(target: &Target, request: &Request) -> Value {
    let (model, profile) = (target.model.as_str(), &target.profile);
    let mut body = Map::new();
    body.insert("model".into(), model.into());
    body.insert("messages".into(), messages(target, request).into());
    body.insert("stream".into(), true.into());
    if profile.stream_options {
        body.insert("stream_options".into(), json!({ "include_usage": true }));
    }
    for (start, field, value) in profile.constants {
        if by_model(&[(start, ())], model).is_some() {
            // A test checks that the constants of the table are valid JSON.
            body.insert((*field).into(), serde_json::from_str(value).unwrap_or_default());
        }
    }
    let settings = &request.settings;
    if let Some(effort) = settings.effort {
        effort::say(profile, model, effort, &mut body);
    }
    if !request.tools.is_empty() {
        let tool = |tool: &crate::ToolDeclaration| {
            json!({ "type": "function", "function": {
                "name": tool.name, "description": tool.description, "parameters": *tool.parameters } })
        };
        body.insert("tools".into(), request.tools.iter().map(tool).collect());
        if profile.allow_parallel_calls {
            body.insert("parallel_tool_calls".into(), true.into());
        }
        if let Some(effort) = profile.effort_beside_tools {
            body.insert("reasoning_effort".into(), effort.into());
        }
    }
    if let Some(temperature) = settings.temperature.filter(|_| profile.temperature) {
        body.insert("temperature".into(), temperature.into());
    }
    if let Some(field) = profile.max_tokens {
        body.insert(field.into(), target.facts.output_limit.min(MAX_TOKENS).into());
    }
    if let (Some(field), Some(key)) = (profile.cache_key, &settings.cache_key) {
        body.insert(field.into(), key.as_str().into());
    }
    Value::Object(body)
}

fn messages(target: &Target, request: &Request) -> Vec<Value> {
    let mut writer = Writer {
        target,
        ids: CallIds::new(target.profile.ids),
        open: Vec::new(),
        messages: Vec::new(),
    };
    if !request.system_instruction.is_empty() {
        let system = json!({ "role": "system", "content": request.system_instruction });
        writer.messages.push(system);
    }
    for content in &request.contents {
        match content.role {
            Role::User => writer.user(&content.parts),
            Role::Model => writer.model(content),
            Role::Function => writer.function(&content.parts),
        }
    }
    if target.profile.cache_marks {
        mark_caches(&mut writer.messages);
    }
    writer.messages
}

struct Writer<'a> {
    target: &'a Target,
    ids: CallIds,
    /// Ids of the calls without results so far, in call order.
    open: Vec<String>,
    messages: Vec<Value>,
}

impl Writer<'_> {
    fn user(&mut self, parts: &[Part]) {
        let mut pieces = self.pieces(parts);
        if pieces.is_empty() {
            pieces.push(text_piece(CONTINUE));
        }
        self.push_user(pieces);
    }

    /// Appends pieces to the user's turn: to its message, or to the tool result if no user message
    /// may follow one. Some chat templates refuse two consecutive user messages.
    fn push_user(&mut self, pieces: Vec<Value>) {
        if pieces.is_empty() {
            return;
        }
        let folds = !self.target.profile.user_after_tool;
        let after_tool = self.messages.last().is_some_and(|last| last["role"] == "tool");
        if folds && after_tool && pieces.iter().any(|piece| !piece["text"].is_string()) {
            // Tool messages cannot contain pictures: they follow in a user message, after one of
            // the assistant.
            let (texts, pictures): (Vec<_>, Vec<_>) =
                pieces.into_iter().partition(|piece| piece["text"].is_string());
            self.push_user(texts);
            self.messages.push(json!({ "role": "assistant", "content": PICTURES_FOLLOW }));
            self.messages.push(json!({ "role": "user", "content": pictures }));
            return;
        }
        let takes = |last: &mut Value| last["role"] == "user" || (folds && last["role"] == "tool");
        let mut message =
            self.messages.pop_if(takes).unwrap_or_else(|| json!({ "role": "user", "content": [] }));
        let mut all = match message["content"].take() {
            Value::Array(before) => before,
            text => vec![json!({ "type": "text", "text": text })],
        };
        all.extend(pieces);
        let texts: Option<Vec<&str>> = all.iter().map(|piece| piece["text"].as_str()).collect();
        // Every provider accepts plain text.
        let text = texts.map(|texts| Value::from(texts.join("\n\n")));
        message["content"] = text.unwrap_or(Value::Array(all));
        self.messages.push(message);
    }

    fn pieces<'p>(&self, parts: impl IntoIterator<Item = &'p Part>) -> Vec<Value> {
        let sees = self.target.facts.images;
        let pieces = parts.into_iter().filter_map(|part| Piece::of(part, sees));
        pieces
            .map(|piece| match piece {
                Piece::Text(text) => text_piece(&text),
                Piece::Picture { mime_type, data } => json!({ "type": "image_url",
                    "image_url": { "url": data_url(mime_type, data) } }),
            })
            .collect()
    }

    fn model(&mut self, content: &Content) {
        let text = content.visible_text();
        let mut message = Map::from_iter([("role".into(), json!("assistant"))]);
        let with_reasoning = reasoning::add(self.target, content, &text, &mut message);
        self.open.clear();
        self.ids.begin_answer();
        let mut calls = Vec::new();
        for part in &content.parts {
            let Some(call) = part.as_call() else { continue };
            let id = self.ids.next_of(call.name, call.id.filter(|_| self.is_of_owner(part)));
            let mut wire = json!({ "id": id, "type": "function",
                "function": { "name": call.name, "arguments": call.arguments().to_string() } });
            let own = self.target.own(part).and_then(|own| own["call"].as_object());
            for (name, value) in own.into_iter().flatten() {
                wire[name] = value.clone();
            }
            self.open.push(id);
            calls.push(wire);
        }
        let said = with_reasoning.or_else(|| (!text.is_empty()).then(|| text.into()));
        if calls.is_empty() {
            message.insert("content".into(), said.unwrap_or_else(|| NO_ANSWER.into()));
        } else {
            message.insert("content".into(), said.unwrap_or(Value::Null));
            message.insert("tool_calls".into(), calls.into());
        }
        self.messages.push(Value::Object(message));
    }

    fn is_of_owner(&self, part: &Part) -> bool {
        self.target.of_owner(part).is_some()
    }

    fn function(&mut self, parts: &[Part]) {
        let (mut beside, mut pictured) = (Vec::new(), Vec::new());
        let mut open = std::mem::take(&mut self.open).into_iter();
        for part in parts {
            let Some(response) = part.as_response() else {
                beside.push(part);
                continue;
            };
            pictured.extend(of_response(part));
            // `normalise` gives every call exactly one response, in order.
            let id = open.next().unwrap_or_default();
            let content = response.response.unwrap_or(&Value::Null).to_string();
            self.messages.push(json!({ "role": "tool", "tool_call_id": id, "content": content }));
        }
        // A turn between two answers is kept even if it has no representable content: some chat
        // templates refuse two consecutive assistant messages.
        if beside.len() == parts.len() {
            self.user(parts);
            return;
        }
        let mut pieces = self.pieces(&after_results(pictured, self.target.facts.images));
        pieces.extend(self.pieces(beside));
        self.push_user(pieces);
    }
}

fn text_piece(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

/// Sets two `cache_control` breakpoints: on the instruction, which with the tools is the same in
/// every conversation, and on the newest message. Only texts in lists can have one, so all contents
/// become lists; otherwise a moved breakpoint would change a message.
fn mark_caches(messages: &mut [Value]) {
    for message in messages.iter_mut().filter(|message| message["role"] != "assistant") {
        if let Some(text) = message["content"].as_str() {
            message["content"] = json!([text_piece(text)]);
        }
    }
    let last = messages.len().saturating_sub(1);
    let marked = messages
        .iter_mut()
        .enumerate()
        .filter(|(index, message)| *index == last || message["role"] == "system");
    for (_, message) in marked {
        let pieces = message["content"].as_array_mut();
        if let Some(text) = pieces.and_then(|all| all.iter_mut().rfind(|it| it["type"] == "text")) {
            text["cache_control"] = json!({ "type": "ephemeral" });
        }
    }
}

#[cfg(test)]
#[path = "wire_tests.rs"]
mod tests;
