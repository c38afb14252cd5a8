//! The ReAct protocol in XML: thoughts, one action, an observation, and so on.

use serde_json::{Map, Value};

use super::found::{Finder, Found, malformed};
use super::scan::{begun, ends_in_string};
use crate::content::Part;

const OPEN: &str = "<tool_code>";
const CLOSE: &str = "</tool_code>";
/// Tags that mean something outside of a call.
const TAGS: [&str; 6] =
    [OPEN, "<observation", "<thought>", "</thought>", "<final_answer>", "</final_answer>"];

/// The form of a call, for the model.
pub(super) const FORM: &str =
    "<tool_code><name>tool_name</name><parameters>{\"argument\": 1}</parameters></tool_code>";

/// Finds the call of an answer.
#[derive(Debug, Default)]
pub(super) struct React {
    /// What has come and not been given out: half a tag, or a call.
    buffer: String,
    in_call: bool,
    in_thought: bool,
    over: bool,
}

impl Finder for React {
    fn push(&mut self, piece: &str) -> Vec<Found> {
        let mut found = Vec::new();
        if self.over {
            return found;
        }
        self.buffer.push_str(piece);
        while !self.over {
            let done =
                if self.in_call { self.read_call(&mut found) } else { self.read_text(&mut found) };
            if done {
                break;
            }
        }
        found
    }

    fn finish(&mut self) -> Vec<Found> {
        let mut found = Vec::new();
        if self.over {
            return found;
        }
        self.over = true;
        let rest = std::mem::take(&mut self.buffer);
        if self.in_call {
            // Some services cut the closing tag off.
            found.push(match call(&rest) {
                Ok(part) => Found::Call(part),
                Err(why) => malformed(&format!("{why}; {CLOSE} is missing"), &rest, FORM),
            });
        } else {
            self.say(&rest, &mut found);
        }
        found
    }
}

impl React {
    /// Gives out text up to the next tag; true when more has to come first.
    fn read_text(&mut self, found: &mut Vec<Found>) -> bool {
        let next = TAGS.iter().filter_map(|tag| Some((self.buffer.find(tag)?, *tag))).min();
        let Some((at, tag)) = next else {
            let held = TAGS.iter().map(|tag| begun(&self.buffer, tag)).max().unwrap_or(0);
            let rest = self.buffer.split_off(self.buffer.len() - held);
            let text = std::mem::replace(&mut self.buffer, rest);
            self.say(&text, found);
            return true;
        };
        let rest = self.buffer.split_off(at + tag.len());
        let mut text = std::mem::replace(&mut self.buffer, rest);
        text.truncate(at);
        self.say(&text, found);
        match tag {
            OPEN => self.in_call = true,
            "<thought>" => self.in_thought = true,
            "</thought>" => self.in_thought = false,
            "<observation" => {
                // The model goes on without waiting for the real one.
                self.over = true;
                found.push(Found::End);
            }
            _ => {}
        }
        false
    }

    /// Reads the call once it is closed; true when more has to come first.
    fn read_call(&mut self, found: &mut Vec<Found>) -> bool {
        let mut from = 0;
        while let Some(at) = self.buffer[from..].find(CLOSE).map(|at| at + from) {
            let block = &self.buffer[..at];
            let result = call(block);
            // The tag may stand in a string of the arguments.
            let arguments = block.split_once("<parameters>").map_or("", |(_, after)| after);
            if result.is_err() && ends_in_string(arguments) {
                from = at + CLOSE.len();
                continue;
            }
            self.over = true;
            match result {
                Ok(part) => found.extend([Found::Call(part), Found::End]),
                Err(why) => found.push(malformed(&why, block, FORM)),
            }
            return true;
        }
        true
    }

    fn say(&self, text: &str, found: &mut Vec<Found>) {
        if !text.is_empty() {
            let text = text.to_owned();
            found.push(if self.in_thought { Found::Thought(text) } else { Found::Text(text) });
        }
    }
}

/// Reads what stands between the tags.
fn call(block: &str) -> Result<Part, String> {
    let name = between(block, "<name>", "</name>").ok_or("<name>..</name> is missing")?.trim();
    if name.is_empty() {
        return Err("<name> is empty".into());
    }
    let arguments = match block.split_once("<parameters>") {
        None => "{}",
        // The closing tag may stand in a string: the last one counts.
        Some((_, after)) => {
            after.rsplit_once("</parameters>").map_or(after, |(inside, _)| inside).trim()
        }
    };
    let arguments = if arguments.is_empty() { "{}" } else { arguments };
    let object = serde_json::from_str::<Map<String, Value>>(arguments)
        .or_else(|error| serde_json::from_str(&unescaped(arguments)).map_err(|_| error))
        .map_err(|error| format!("<parameters> must hold one JSON object ({error})"))?;
    Ok(Part::call(None, name, Value::Object(object)))
}

fn between<'a>(text: &'a str, open: &str, close: &str) -> Option<&'a str> {
    Some(text.split_once(open)?.1.split_once(close)?.0)
}

/// Some models escape what stands in XML.
fn unescaped(text: &str) -> String {
    text.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}
