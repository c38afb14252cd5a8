//! The body of a responses request.
//!
//! Items are only appended, as messages are in chat completions.

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

/// The request's body. The history is one that `normalise` made; items that came from the same model
/// go back as they came.
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
                "parameters": tool.parameters, "strict": false })
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
    // A model that reasons refuses a temperature.
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
    /// Ids of the calls that wait for their results, in call order.
    open: Vec<String>,
    /// Where the calls of the answer begin, with the reasoning that led to them: nothing may stand
    /// between a call and its result, so what the answer says besides goes before.
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

    /// The items of an answer, in their order.
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
                // The id of the item belongs to the reasoning before it.
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
                // What was cut off before the item that it led to would be refused.
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

    /// Adds the text so far as a message; `whole`: what else the provider says of it.
    fn say(&mut self, text: &mut String, whole: Option<&Value>) {
        if text.is_empty() {
            return;
        }
        let mut message = json!({ "type": "message", "role": "assistant", "content": text });
        if whole.is_some() {
            // Pieces are for messages of the provider's own, with an id.
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
            // A normalised history answers every call once, in order.
            let id = open.next().unwrap_or_default();
            self.items
                .push(json!({ "type": "function_call_output", "call_id": id, "output": output }));
        }
        self.push_user(self.pieces(beside));
    }
}

/// Whether what reasoning led to is among the parts after it, whole.
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
