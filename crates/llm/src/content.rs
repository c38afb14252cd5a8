//! The conversation history in the form of the Gemini API, stored losslessly.
//!
//! A [`Part`] is the JSON object as the model sent it, in its own property order. So signatures, call ids
//! and unknown parts go back to the API verbatim.

use std::fmt;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value, json};

use crate::size::Size;

/// The field of a call with the order of the calls in an answer: `{"id", "after": [ids]}`.
pub(crate) const NEEDS: &str = "needs";

/// The field of a part that makes it a summary of what came before; see [`Part::summary`].
pub(crate) const SUMMARY: &str = "summary";

/// The field of a part that makes it context; see [`Part::context`].
pub(crate) const CONTEXT: &str = "context";

/// The role of a [`Content`]. The Gemini API gets `Function` as `user`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The user.
    User,
    /// The language model.
    Model,
    /// The tools: one `functionResponse` part for every call of the content before it.
    Function,
}

/// One entry of the history: a role and its parts, in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Content {
    /// Who speaks.
    pub role: Role,
    /// The parts; never merged, reordered or dropped.
    #[serde(default)]
    pub parts: Vec<Part>,
}

impl Content {
    /// A user message.
    pub fn user(text: impl Into<String>) -> Self {
        Self { role: Role::User, parts: vec![Part::text(text)] }
    }

    /// An answer of the model.
    pub fn model(parts: Vec<Part>) -> Self {
        Self { role: Role::Model, parts }
    }

    /// The results of tool calls.
    pub fn function(parts: Vec<Part>) -> Self {
        Self { role: Role::Function, parts }
    }

    /// Whether all parts are context; see [`Part::context`].
    pub fn is_context(&self) -> bool {
        !self.parts.is_empty() && self.parts.iter().all(|part| part.as_context().is_some())
    }

    /// The content without context.
    pub fn without_context(&self) -> Self {
        let parts = self.parts.iter().filter(|part| part.as_context().is_none());
        Self { role: self.role, parts: parts.cloned().collect() }
    }

    /// The visible text: all text parts joined, without thoughts and context.
    pub fn visible_text(&self) -> String {
        let shown =
            self.parts.iter().filter(|part| !part.is_thought() && part.as_context().is_none());
        shown.filter_map(Part::as_text).collect()
    }

    /// The function calls, in order.
    pub fn calls(&self) -> impl Iterator<Item = FunctionCall<'_>> {
        self.parts.iter().filter_map(Part::as_call)
    }

    /// The function responses, in order.
    pub fn responses(&self) -> impl Iterator<Item = FunctionResponse<'_>> {
        self.parts.iter().filter_map(Part::as_response)
    }
}

/// One part of a [`Content`]: the raw JSON object with typed views on it. Cheap to clone: every
/// request to a model takes a copy of the whole history.
#[derive(Clone, Serialize, Deserialize)]
#[serde(from = "Map<String, Value>")]
pub struct Part(Arc<Body>);

#[derive(Default)]
struct Body {
    raw: Map<String, Value>,
    /// What it counts in a request. Each request counts the whole history.
    size: OnceLock<Size>,
}

impl Serialize for Body {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.raw.serialize(serializer)
    }
}

impl From<Map<String, Value>> for Part {
    fn from(raw: Map<String, Value>) -> Self {
        Self(Arc::new(Body { raw, size: OnceLock::new() }))
    }
}

impl PartialEq for Part {
    fn eq(&self, other: &Self) -> bool {
        self.raw() == other.raw()
    }
}

impl fmt::Debug for Part {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.raw().fmt(formatter)
    }
}

/// A borrowed view of a `functionCall` part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FunctionCall<'a> {
    /// The id the model gave, if it gave one.
    pub id: Option<&'a str>,
    /// The tool's name; empty when the model left it out.
    pub name: &'a str,
    /// The arguments as sent: an object from a well-behaved model; `None` when left out.
    pub args: Option<&'a Value>,
}

impl FunctionCall<'_> {
    /// The arguments as providers want them back: an object, empty where there was none.
    pub(crate) fn arguments(&self) -> Value {
        let object = self.args.filter(|args| args.is_object());
        object.cloned().unwrap_or_else(|| json!({}))
    }
}

/// A borrowed view of a `functionResponse` part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FunctionResponse<'a> {
    /// The id of the call it answers, if that call had one.
    pub id: Option<&'a str>,
    /// The tool's name.
    pub name: &'a str,
    /// `{"success": ...}`.
    pub response: Option<&'a Value>,
}

impl Part {
    /// A text part.
    pub fn text(text: impl Into<String>) -> Self {
        Self::from_value(json!({ "text": text.into() }))
    }

    /// A thought of the model, shown apart from its answer.
    pub fn thought(text: impl Into<String>) -> Self {
        Self::from_value(json!({ "text": text.into(), "thought": true }))
    }

    /// Inline data such as a picture; `data` is base64.
    pub fn inline_data(mime_type: impl Into<String>, data: impl Into<String>) -> Self {
        Self::from_value(
            json!({ "inlineData": { "mimeType": mime_type.into(), "data": data.into() } }),
        )
    }

    /// A tool call of the model.
    pub fn call(id: Option<&str>, name: &str, args: Value) -> Self {
        let mut call = Map::new();
        if let Some(id) = id {
            call.insert("id".into(), id.into());
        }
        call.insert("name".into(), name.into());
        call.insert("args".into(), args);
        Self::holding("functionCall", call)
    }

    /// The response to a tool call; `id` and `name` are those of the call. `pictures` go into
    /// `functionResponse.parts[].inlineData`.
    pub fn response(id: Option<&str>, name: &str, response: Value, pictures: Vec<Part>) -> Self {
        let mut body = Map::new();
        if let Some(id) = id {
            body.insert("id".into(), id.into());
        }
        body.insert("name".into(), name.into());
        body.insert("response".into(), response);
        if !pictures.is_empty() {
            body.insert(
                "parts".into(),
                pictures.into_iter().map(|part| Value::Object(part.into_raw())).collect(),
            );
        }
        Self::holding("functionResponse", body)
    }

    /// A tool call with the id `id` within its answer, to run after the calls with the ids `after`.
    pub fn ordered_call(id: &str, name: &str, args: Value, after: &[String]) -> Self {
        let mut raw = Self::call(None, name, args).into_raw();
        raw.insert(NEEDS.into(), json!({ "id": id, "after": after }));
        Self::from(raw)
    }

    /// A summary that replaces an earlier part of the history. `about` is metadata, which is not
    /// sent to providers.
    pub fn summary(text: impl Into<String>, about: &Value) -> Self {
        Self::from_value(json!({ "text": text.into(), SUMMARY: about }))
    }

    /// Context: the current state of the document. It stays in the history, since each request must
    /// begin with the bytes of the previous one; providers get it as a user text. `about` is
    /// metadata.
    pub fn context(text: impl Into<String>, about: &Value) -> Self {
        Self::from_value(json!({ "text": text.into(), CONTEXT: about }))
    }

    fn holding(field: &str, body: Map<String, Value>) -> Self {
        Self::from(Map::from_iter([(field.to_owned(), body.into())]))
    }

    /// Wraps a JSON object; anything else becomes a part with no known field.
    pub fn from_value(value: Value) -> Self {
        match value {
            Value::Object(raw) => Self::from(raw),
            _ => Self(Arc::default()),
        }
    }

    /// The part's JSON object.
    pub fn raw(&self) -> &Map<String, Value> {
        &self.0.raw
    }

    fn into_raw(self) -> Map<String, Value> {
        match Arc::try_unwrap(self.0) {
            Ok(body) => body.raw,
            Err(shared) => shared.raw.clone(),
        }
    }

    /// What the part counts in a request.
    pub(crate) fn size(&self) -> Size {
        *self.0.size.get_or_init(|| Size::of(self.raw()))
    }

    /// The text of a text part (also of a thought).
    pub fn as_text(&self) -> Option<&str> {
        self.raw().get("text")?.as_str()
    }

    /// Whether this part is a thought.
    pub fn is_thought(&self) -> bool {
        self.raw().get("thought").and_then(Value::as_bool).unwrap_or(false)
    }

    /// The call, when this is a `functionCall` part.
    pub fn as_call(&self) -> Option<FunctionCall<'_>> {
        let call = self.raw().get("functionCall")?;
        Some(FunctionCall {
            id: call.get("id").and_then(Value::as_str),
            name: call.get("name").and_then(Value::as_str).unwrap_or_default(),
            args: call.get("args"),
        })
    }

    /// The metadata of a summary.
    pub fn as_summary(&self) -> Option<&Value> {
        self.raw().get(SUMMARY)
    }

    /// The metadata of a context part.
    pub fn as_context(&self) -> Option<&Value> {
        self.raw().get(CONTEXT)
    }

    /// The id of this call within its answer and the ids of the calls to wait for, if the model
    /// ordered its calls.
    pub fn order(&self) -> Option<(&str, Vec<&str>)> {
        let order = self.raw().get(NEEDS)?;
        let after = order["after"].as_array().into_iter().flatten().filter_map(Value::as_str);
        Some((order["id"].as_str()?, after.collect()))
    }

    /// The response, when this is a `functionResponse` part.
    pub fn as_response(&self) -> Option<FunctionResponse<'_>> {
        let body = self.raw().get("functionResponse")?;
        Some(FunctionResponse {
            id: body.get("id").and_then(Value::as_str),
            name: body.get("name").and_then(Value::as_str).unwrap_or_default(),
            response: body.get("response"),
        })
    }
}

#[cfg(test)]
mod tests {
    //! Unknown parts survive a round trip unchanged (A1).
    use super::*;

    #[test]
    fn unknown_parts_and_fields_survive_a_round_trip_byte_for_byte() {
        let text = r#"{"role":"model","parts":[{"thoughtSignature":"c2ln","functionCall":{"name":"f","args":{"z":0.1,"a":1e-7},"id":"c1"}},{"executableCode":{"language":"PYTHON","code":"1"}},{"text":"","thoughtSignature":"x"}]}"#;
        let content: Content = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&content).unwrap(), text);
    }

    #[test]
    fn visible_text_leaves_thoughts_out() {
        let content =
            Content::model(vec![Part::thought("hm"), Part::text("Hel"), Part::text("lo")]);
        assert_eq!(content.visible_text(), "Hello");
    }
}
