//! The body of a responses request.
//!
//! Items are only appended, like the messages of chat completions.

use serde_json::{Map, Value, json};

use crate::content::{Content, Part, Role};
use crate::effort::Effort;
use crate::http::call_ids::CallIds;
use crate::http::pieces::{Piece, data_url};
use crate::model::Request;
use crate::normalise::CONTINUE;
use crate::openai::effort;
use crate::openai::profile::Target;
use crate::pictures::of_response;

/// The request body. The history comes from `normalise`; items of the same model are sent back
/// verbatim.
pub(in crate::openai) fn body(target: &Target, request: &Request) -> Value {
    let (model, profile) = (target.model.as_str(), &target.profile);
    let mut body = Map::new();
    body.insert("model".into(), model.into());
    if !request.system_instruction.is_empty() {
        body.insert("instructions".into(), request.system_instruction.clone().into());
    }
    body.insert("input".into(), input(target, &request.contents).into());
    if !request.tools.is_empty() {
        let tool = |tool: &crate::ToolDeclaration| {
            json!({ "type": "function", "name": tool.name, "description": tool.description,
                "parameters": *tool.parameters, "strict": false })
        };
        body.insert("tools".into(), request.tools.iter().map(tool).collect());
    }
    body.insert("stream".into(), true.into());
    body.insert("store".into(), false.into());
    body.insert("include".into(), json!(["reasoning.encrypted_content"]));
    body.insert("reasoning".into(), json!({ "summary": "auto" }));
    let settings = &request.settings;
    if let Some(effort) = settings.effort {
        effort::say(profile, model, effort, &mut body);
    }
    // Reasoning models refuse a temperature.
    let reasons = settings.effort != Some(Effort::Off) || body["reasoning"]["effort"] != "none";
    if let Some(temperature) = settings.temperature.filter(|_| !reasons) {
        body.insert("temperature".into(), temperature.into());
    }
    if let (Some(field), Some(key)) = (profile.cache_key, &settings.cache_key) {
        body.insert(field.into(), key.as_str().into());
    }
    Value::Object(body)
}

fn input(target: &Target, contents: &[Content]) -> Vec<Value> {
    let mut writer = Writer {
        target,
        ids: CallIds::new(target.profile.ids),
        open: Vec::new(),
        calls_from: None,
        items: Vec::new(),
    };
    for content in contents {
        match content.role {
            Role::User => writer.user(&content.parts),
            Role::Model => writer.model(content),
            Role::Function => writer.function(&content.parts),
        }
    }
    writer.items
}

struct Writer<'a> {
    target: &'a Target,
    ids: CallIds,
    /// Ids of the calls without results so far, in call order.
    open: Vec<String>,
    /// The index of the answer's first call, or of the reasoning before it. No message may come
    /// between a call and its result, so the answer's messages are inserted here.
    calls_from: Option<usize>,
    items: Vec<Value>,
}

impl Writer<'_> {
    fn user(&mut self, parts: &[Part]) {
        let mut pieces = self.pieces(parts);
        if pieces.is_empty() {
            pieces.push(text_piece(CONTINUE));
        }
        self.push_user(pieces);
    }

    fn push_user(&mut self, pieces: Vec<Value>) {
        if !pieces.is_empty() {
            let mut message = json!({ "type": "message", "role": "user" });
            message["content"] = Value::Array(pieces);
            self.items.push(message);
        }
    }

    fn pieces<'p>(&self, parts: impl IntoIterator<Item = &'p Part>) -> Vec<Value> {
        let sees = self.target.facts.images;
        let pieces = parts.into_iter().filter_map(|part| Piece::of(part, sees));
        pieces
            .map(|piece| match piece {
                Piece::Text(text) => text_piece(&text),
                Piece::Picture { mime_type, data } => json!({ "type": "input_image",
                    "image_url": data_url(mime_type, data), "detail": "auto" }),
            })
            .collect()
    }

    /// Appends the items of an answer, in order.
    fn model(&mut self, content: &Content) {
        self.open.clear();
        self.calls_from = None;
        self.ids.begin_answer();
        let mut text = String::new();
        for (index, part) in content.parts.iter().enumerate() {
            let own = self.target.own(part);
            if let Some(call) = part.as_call() {
                self.say(&mut text, None);
                let given = call.id.filter(|_| self.target.of_owner(part).is_some());
                let id = self.ids.next_of(call.name, given);
                let arguments = call.arguments().to_string();
                let mut item = json!({ "type": "function_call", "call_id": id, "name": call.name,
                    "arguments": arguments });
                // The item's id links it to the reasoning before it.
                if let Some(own_id) = own.and_then(|own| own.get("item_id")) {
                    item["id"] = own_id.clone();
                }
                let is_reasoning = |item: &&Value| item["type"] == "reasoning";
                let reasoning = self.items.iter().rev().take_while(is_reasoning).count();
                self.calls_from.get_or_insert(self.items.len() - reasoning);
                self.items.push(item);
                self.open.push(id);
            } else if let Some(item) = own.and_then(|own| own.get("item")) {
                self.say(&mut text, None);
                // The API refuses reasoning without the item that followed it.
                if leads_somewhere(self.target, &content.parts[index + 1..]) {
                    self.items.push(item.clone());
                }
            } else if let Some(message) = own.and_then(|own| own.get("message")) {
                self.say(&mut text, Some(message));
            } else if !part.is_thought() {
                text.push_str(part.as_text().unwrap_or_default());
            }
        }
        self.say(&mut text, None);
    }

    /// Appends the accumulated text as a message. `whole`: the provider's other fields of it.
    fn say(&mut self, text: &mut String, whole: Option<&Value>) {
        if text.is_empty() {
            return;
        }
        let mut message = json!({ "type": "message", "role": "assistant", "content": text });
        if whole.is_some() {
            // Only the provider's own messages, with an id, have content parts.
            message["content"] =
                json!([{ "type": "output_text", "text": text, "annotations": [] }]);
        }
        for (name, value) in whole.and_then(Value::as_object).into_iter().flatten() {
            message[name] = value.clone();
        }
        text.clear();
        match &mut self.calls_from {
            Some(at) => {
                self.items.insert(*at, message);
                *at += 1;
            }
            None => self.items.push(message),
        }
    }

    fn function(&mut self, parts: &[Part]) {
        let mut beside = Vec::new();
        let mut open = std::mem::take(&mut self.open).into_iter();
        for part in parts {
            let Some(response) = part.as_response() else {
                beside.push(part);
                continue;
            };
            let text = response.response.unwrap_or(&Value::Null).to_string();
            let pictures = of_response(part);
            let output = if pictures.is_empty() {
                Value::from(text)
            } else {
                std::iter::once(text_piece(&text)).chain(self.pieces(&pictures)).collect()
            };
            // `normalise` gives every call exactly one response, in order.
            let id = open.next().unwrap_or_default();
            self.items
                .push(json!({ "type": "function_call_output", "call_id": id, "output": output }));
        }
        self.push_user(self.pieces(beside));
    }
}

/// Whether the item that followed the reasoning is among the parts after it.
fn leads_somewhere(target: &Target, after: &[Part]) -> bool {
    let mut marks = after.iter().filter_map(|part| target.own(part));
    marks.any(|mark| mark.get("item_id").is_some() || mark.get("message").is_some())
}

fn text_piece(text: &str) -> Value {
    json!({ "type": "input_text", "text": text })
}

#[cfg(test)]
#[path = "wire_tests.rs"]
mod tests;
