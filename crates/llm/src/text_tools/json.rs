//! Calls as JSON objects in text.

use serde_json::{Map, Value};

use super::found::{Finder, Found, malformed};
use super::scan::{Braces, begun};
use crate::content::Part;

/// The form of calls, for the model.
pub(super) const FORM: &str =
    "{\"tool_calls\": [{\"name\": \"tool_name\", \"arguments\": {\"argument\": 1}}]}";

/// The longest object that is waited for, in bytes.
const MAX_OBJECT_BYTES: usize = 1 << 20;

/// The longest word after a fence, e.g. `json`.
const MAX_FENCE_WORD: usize = 16;

/// What the objects of a protocol mean.
pub(super) trait Meaning: Send {
    /// What a whole object says; `None` when it is just text.
    fn read(&self, object: &Map<String, Value>) -> Option<Result<Vec<Found>, String>>;

    /// Whether text that is no whole object was meant to be one of this protocol.
    fn is_meant(&self, text: &str) -> bool;

    /// The form, for the model.
    fn form(&self) -> &'static str;
}

/// Finds objects that mean something; all other text, also other objects, passes through.
pub(super) struct Objects<M> {
    meaning: M,
    /// What has come and not been given out.
    buffer: String,
    /// Where in `buffer` the object begins that is being read, and how far it was followed.
    object: Option<(usize, usize, Braces)>,
    /// A fence was opened by the object before: its end is passed over.
    after_fence: bool,
}

impl<M: Meaning> Objects<M> {
    pub(super) fn new(meaning: M) -> Self {
        Self { meaning, buffer: String::new(), object: None, after_fence: false }
    }

    /// One step; true when more has to come first.
    fn step(&mut self, found: &mut Vec<Found>) -> bool {
        if self.after_fence {
            return self.pass_fence_end();
        }
        match self.object.take() {
            Some((start, followed, braces)) => self.follow(start, followed, braces, found),
            None => self.look(found),
        }
    }

    /// Looks for the beginning of an object, maybe fenced.
    fn look(&mut self, found: &mut Vec<Found>) -> bool {
        let Some(at) = self.buffer.find(['{', '`']) else {
            let text = std::mem::take(&mut self.buffer);
            say(text, found);
            return true;
        };
        let rest = self.buffer.split_off(at);
        say(std::mem::replace(&mut self.buffer, rest), found);
        let fence = match fence_length(&self.buffer) {
            Fence::None => 0,
            Fence::Unclear => return true,
            Fence::Other(length) => {
                let rest = self.buffer.split_off(length);
                say(std::mem::replace(&mut self.buffer, rest), found);
                return false;
            }
            Fence::Of(length) => length,
        };
        let inside = self.buffer[fence..].trim_start_matches('{');
        match inside.trim_start().chars().next() {
            None => true,
            Some('"' | '}')
                if self.buffer[fence..].starts_with("{") && !inside.starts_with('{') =>
            {
                self.object = Some((fence, fence, Braces::default()));
                false
            }
            Some(_) => {
                let rest = self.buffer.split_off(fence.max(1));
                say(std::mem::replace(&mut self.buffer, rest), found);
                false
            }
        }
    }

    /// Follows an object to its end.
    fn follow(
        &mut self,
        start: usize,
        followed: usize,
        mut braces: Braces,
        found: &mut Vec<Found>,
    ) -> bool {
        let bytes = self.buffer.as_bytes();
        let end = (followed..bytes.len()).find(|at| braces.closes(bytes[*at]));
        let Some(end) = end else {
            if self.buffer.len() > MAX_OBJECT_BYTES {
                say(std::mem::take(&mut self.buffer), found);
                return true;
            }
            self.object = Some((start, self.buffer.len(), braces));
            return true;
        };
        let rest = self.buffer.split_off(end + 1);
        let whole = std::mem::replace(&mut self.buffer, rest);
        let text = &whole[start..];
        let read = match serde_json::from_str::<Map<String, Value>>(text) {
            Ok(object) => self.meaning.read(&object),
            Err(error) => {
                self.meaning.is_meant(text).then(|| Err(format!("it is no JSON ({error})")))
            }
        };
        match read {
            None => say(whole, found),
            Some(Ok(calls)) => {
                found.extend(calls);
                self.after_fence = start > 0;
            }
            Some(Err(why)) => found.push(malformed(&why, text, self.meaning.form())),
        }
        false
    }

    /// Passes over the end of a fence around an object.
    fn pass_fence_end(&mut self) -> bool {
        let rest = self.buffer.trim_start();
        if rest.is_empty() || (rest.len() < 3 && "```".starts_with(rest)) {
            return true;
        }
        let rest = rest.strip_prefix("```").unwrap_or(rest).to_owned();
        self.buffer = rest;
        self.after_fence = false;
        false
    }
}

impl<M: Meaning> Finder for Objects<M> {
    fn push(&mut self, piece: &str) -> Vec<Found> {
        let mut found = Vec::new();
        self.buffer.push_str(piece);
        while !self.step(&mut found) {}
        found
    }

    fn finish(&mut self) -> Vec<Found> {
        let mut found = Vec::new();
        let rest = std::mem::take(&mut self.buffer);
        let object = self.object.take();
        match object {
            Some((start, ..)) if self.meaning.is_meant(&rest[start..]) => {
                found.push(malformed(
                    "the JSON is not closed",
                    &rest[start..],
                    self.meaning.form(),
                ));
            }
            None if self.after_fence => {}
            _ => say(rest, &mut found),
        }
        found
    }
}

enum Fence {
    /// The text begins with no fence.
    None,
    /// More has to come first.
    Unclear,
    /// So many bytes are text: a quotation mark, or a fence around something else.
    Other(usize),
    /// An object follows after so many bytes.
    Of(usize),
}

fn fence_length(text: &str) -> Fence {
    if !text.starts_with('`') {
        return Fence::None;
    }
    if text.len() < 3 && begun(text, "```") == text.len() {
        return Fence::Unclear;
    }
    let Some(after) = text.strip_prefix("```") else {
        return Fence::Other(1);
    };
    let word = after.len() - after.trim_start_matches(|c: char| c.is_ascii_alphanumeric()).len();
    let blank = &after[word..];
    let object = blank.trim_start();
    let length = text.len() - object.len();
    match object.chars().next() {
        None if word <= MAX_FENCE_WORD => Fence::Unclear,
        Some('{') => Fence::Of(length),
        _ => Fence::Other(3),
    }
}

fn say(text: String, found: &mut Vec<Found>) {
    if !text.is_empty() {
        found.push(Found::Text(text));
    }
}

/// `{"tool_calls": [..]}`, or a single call.
pub(super) struct Calls {
    /// The names of the tools: only with one of them an object is a single call.
    pub(super) tools: Vec<String>,
}

impl Meaning for Calls {
    fn read(&self, object: &Map<String, Value>) -> Option<Result<Vec<Found>, String>> {
        let calls: Vec<&Value> = match object.get("tool_calls") {
            Some(Value::Array(calls)) => calls.iter().collect(),
            Some(Value::Object(_)) => object.get("tool_calls").into_iter().collect(),
            Some(_) => return Some(Err("\"tool_calls\" must be an array".into())),
            None => {
                let name = object.get("name")?.as_str()?;
                let is_call = self.tools.iter().any(|tool| tool == name)
                    && ARGUMENTS.iter().any(|field| object.contains_key(*field));
                return is_call
                    .then(|| Ok(vec![single(object)]))
                    .map(|calls| calls.and_then(|calls| calls.into_iter().collect()));
            }
        };
        let call = |call: &Value| match call {
            Value::Object(call) => single(call),
            _ => Err("every item of \"tool_calls\" must be an object".into()),
        };
        Some(calls.into_iter().map(call).collect())
    }

    fn is_meant(&self, text: &str) -> bool {
        text.contains("\"tool_calls\"")
    }

    fn form(&self) -> &'static str {
        FORM
    }
}

/// The names models give to the arguments.
const ARGUMENTS: [&str; 3] = ["arguments", "args", "parameters"];

fn single(call: &Map<String, Value>) -> Result<Found, String> {
    // OpenAI's form has the call one level deeper.
    let call = call.get("function").and_then(Value::as_object).unwrap_or(call);
    let name = call.get("name").and_then(Value::as_str).unwrap_or_default();
    if name.is_empty() {
        return Err("a call has no \"name\"".into());
    }
    let arguments = ARGUMENTS.iter().find_map(|field| call.get(*field));
    let arguments = object_of(arguments)
        .ok_or_else(|| format!("the \"arguments\" of {name} must be a JSON object"))?;
    Ok(Found::Call(Part::call(None, name, Value::Object(arguments))))
}

/// An object, as it is or in a JSON string; an empty one when left out.
pub(super) fn object_of(value: Option<&Value>) -> Option<Map<String, Value>> {
    match value {
        None | Some(Value::Null) => Some(Map::new()),
        Some(Value::Object(object)) => Some(object.clone()),
        Some(Value::String(text)) => serde_json::from_str(text).ok(),
        Some(_) => None,
    }
}
