//! The body of a chat completion request.

use serde_json::{Map, Value, json};

use super::FIELD;
use crate::content::{Content, Part, Role};
use crate::model::Request;
use crate::registry::{facts, gpt_version};
use crate::service::call_ids::CallIds;

/// What stands before pictures that tools returned: tool messages hold only text.
const PICTURES: &str = "[The pictures of the tool results above:]";
/// What stands there for a model that sees nothing.
const UNSEEN: &str =
    "[The tool results above came with pictures, which this model cannot see: go by their words.]";

/// The request's body. The history is one that `normalise` made; ids, reasoning and what else came
/// from the same model go back as they came.
pub(super) fn body(model: &str, request: &Request) -> Value {
    let mut body = json!({
        "model": model,
        "messages": messages(model, request),
        "stream": true,
        "stream_options": { "include_usage": true },
    });
    if !request.tools.is_empty() {
        let tool = |tool: &crate::ToolDeclaration| {
            json!({ "type": "function", "function": {
                "name": tool.name, "description": tool.description, "parameters": tool.parameters } })
        };
        body["tools"] = request.tools.iter().map(tool).collect();
        // From 5.4 on these take tools in chat completions only without reasoning.
        if gpt_version(model).is_some_and(|version| version >= (5, 4)) {
            body["reasoning_effort"] = "none".into();
        }
    }
    body
}

fn messages(model: &str, request: &Request) -> Vec<Value> {
    let mut writer = Writer {
        model,
        shows_pictures: facts(model).images,
        ids: CallIds::default(),
        open: Vec::new(),
        messages: Vec::new(),
    };
    if !request.system_instruction.is_empty() {
        let system = json!({ "role": "system", "content": request.system_instruction });
        writer.messages.push(system);
    }
    let last_user = request.contents.iter().rposition(|content| content.role == Role::User);
    for (index, content) in request.contents.iter().enumerate() {
        match content.role {
            Role::User => writer.user(&content.parts),
            // Reasoning belongs to the tool calls that are still going on.
            Role::Model => writer.model(content, last_user.is_none_or(|last| index > last)),
            Role::Function => writer.function(&content.parts),
        }
    }
    writer.messages
}

struct Writer<'a> {
    model: &'a str,
    shows_pictures: bool,
    ids: CallIds,
    /// Ids of the calls that wait for their results, in call order.
    open: Vec<String>,
    messages: Vec<Value>,
}

impl Writer<'_> {
    fn user(&mut self, parts: &[Part]) {
        let pieces: Vec<Value> = parts.iter().filter_map(|part| self.piece(part)).collect();
        self.push_user(pieces);
    }

    /// Adds pieces to the user message at the end, or begins one: some templates refuse two in a
    /// row.
    fn push_user(&mut self, pieces: Vec<Value>) {
        if pieces.is_empty() {
            return;
        }
        let mut all = match self.messages.pop_if(|last| last["role"] == "user") {
            Some(mut last) => match last["content"].take() {
                Value::Array(before) => before,
                text => vec![json!({ "type": "text", "text": text })],
            },
            None => Vec::new(),
        };
        all.extend(pieces);
        let texts: Option<Vec<&str>> = all.iter().map(|piece| piece["text"].as_str()).collect();
        // A plain text is understood by every service.
        let content = texts.map(|texts| Value::from(texts.join("\n\n")));
        self.messages
            .push(json!({ "role": "user", "content": content.unwrap_or(Value::Array(all)) }));
    }

    fn piece(&self, part: &Part) -> Option<Value> {
        if let Some(text) = part.as_text() {
            return (!text.is_empty()).then(|| json!({ "type": "text", "text": text }));
        }
        let data = part.raw().get("inlineData")?;
        let mime_type = data["mimeType"].as_str().unwrap_or_default();
        if !self.shows_pictures || !mime_type.starts_with("image/") {
            let note = format!("[Data of the type {mime_type}, which this model cannot read.]");
            return Some(json!({ "type": "text", "text": note }));
        }
        let url = format!("data:{mime_type};base64,{}", data["data"].as_str().unwrap_or_default());
        Some(json!({ "type": "image_url", "image_url": { "url": url } }))
    }

    fn model(&mut self, content: &Content, with_reasoning: bool) {
        let text = content.visible_text();
        let mut message = Map::from_iter([("role".into(), json!("assistant"))]);
        if with_reasoning {
            self.add_reasoning(content, &mut message);
        }
        self.open.clear();
        let mut calls = Vec::new();
        for part in &content.parts {
            let Some(call) = part.as_call() else { continue };
            let id = self.ids.next(call.id);
            let arguments = call.args.unwrap_or(&json!({})).to_string();
            let mut wire = json!({ "id": id, "type": "function",
                "function": { "name": call.name, "arguments": arguments } });
            let own = self.own(part).and_then(|own| own["call"].as_object());
            for (name, value) in own.into_iter().flatten() {
                wire[name] = value.clone();
            }
            self.open.push(id);
            calls.push(wire);
        }
        if calls.is_empty() {
            if text.is_empty() {
                return;
            }
            if let Some(last) = self.messages.last_mut()
                && last["role"] == "assistant"
                && let Some(before) = last["content"].as_str()
            {
                last["content"] = format!("{before}\n\n{text}").into();
                return;
            }
            message.insert("content".into(), text.into());
        } else {
            let content = if text.is_empty() { Value::Null } else { text.into() };
            message.insert("content".into(), content);
            message.insert("tool_calls".into(), calls.into());
        }
        self.messages.push(Value::Object(message));
    }

    /// Reasoning that this very model gave.
    fn add_reasoning(&self, content: &Content, message: &mut Map<String, Value>) {
        for part in &content.parts {
            let Some(own) = self.own(part) else { continue };
            if let Some(Value::Array(details)) = own.get("reasoning_details") {
                let all = message.entry("reasoning_details").or_insert_with(|| json!([]));
                if let Value::Array(all) = all {
                    all.extend(details.iter().cloned());
                }
            } else if own["field"] == "reasoning_content" {
                let all = message.entry("reasoning_content").or_insert_with(|| "".into());
                let before = all.as_str().unwrap_or_default();
                *all = format!("{before}{}", part.as_text().unwrap_or_default()).into();
            }
        }
    }

    fn own<'a>(&self, part: &'a Part) -> Option<&'a Value> {
        part.raw().get(FIELD).filter(|own| own["model"] == self.model)
    }

    fn function(&mut self, parts: &[Part]) {
        let (mut beside, mut pictured) = (Vec::new(), Vec::new());
        let mut open = std::mem::take(&mut self.open).into_iter();
        for part in parts {
            let Some(response) = part.as_response() else {
                beside.extend(self.piece(part));
                continue;
            };
            let pictures = part.raw()["functionResponse"]["parts"].as_array();
            let pictures = pictures.into_iter().flatten();
            pictured.extend(pictures.map(|raw| Part::from_value(raw.clone())));
            // A normalised history answers every call once, in order.
            let id = open.next().unwrap_or_default();
            let content = response.response.unwrap_or(&Value::Null).to_string();
            self.messages.push(json!({ "role": "tool", "tool_call_id": id, "content": content }));
        }
        if !pictured.is_empty() {
            let title = if self.shows_pictures { PICTURES } else { UNSEEN };
            self.push_user(vec![json!({ "type": "text", "text": title })]);
        }
        if self.shows_pictures {
            beside.splice(0..0, pictured.iter().filter_map(|part| self.piece(part)));
        }
        self.push_user(beside);
    }
}

#[cfg(test)]
#[path = "wire_tests.rs"]
mod tests;
