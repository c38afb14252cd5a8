//! What a provider can be told to refuse although its rules allow it: models change, and so do the
//! accounts and routes behind one address.

use serde_json::Value;

use super::providers::Dialect;
use super::rules::is_picture;
use super::wording::RequestError;

/// What is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Denied {
    /// Pictures of any kind.
    Pictures,
    /// Thoughts of earlier answers.
    Thoughts,
    /// Names of tools in the history of more than 63 characters.
    ToolNames,
}

impl Denied {
    /// Why `body` is refused; `None` where it holds nothing of the kind.
    pub(super) fn error(self, dialect: Dialect, body: &Value) -> Option<RequestError> {
        let turns = ["messages", "input"].into_iter().find_map(|it| body[it].as_array())?;
        match self {
            Self::Pictures => {
                let at = turns.iter().position(has_picture)?;
                Some(RequestError::NoPictures(body["model"].as_str()?.to_owned(), at))
            }
            Self::Thoughts => {
                let at = turns.iter().position(has_thought)?;
                Some(RequestError::Other(thought_refused(dialect, at)))
            }
            Self::ToolNames => {
                let at = turns.iter().position(has_long_name)?;
                Some(RequestError::Other(name_refused(body, dialect, at)))
            }
        }
    }
}

fn has_picture(turn: &Value) -> bool {
    match turn {
        // Of a small JPEG as well.
        Value::String(text) => is_picture(text) || text.starts_with("/9j/"),
        Value::Array(values) => values.iter().any(has_picture),
        Value::Object(fields) => {
            fields.iter().any(|(name, value)| name != "encrypted_content" && has_picture(value))
        }
        _ => false,
    }
}

fn has_thought(turn: &Value) -> bool {
    let said = |value: &Value| match value {
        Value::String(text) => !text.trim().is_empty(),
        Value::Null => false,
        _ => true,
    };
    let fields = ["reasoning_content", "reasoning", "reasoning_details", "thinking"];
    let blocks = turn["content"].as_array().into_iter().flatten();
    turn["type"] == "reasoning"
        || fields.iter().any(|name| said(&turn[*name]))
        || blocks.into_iter().any(|block| block["type"] == "thinking")
}

fn has_long_name(turn: &Value) -> bool {
    let is_long = |name: &Value| name.as_str().is_some_and(|name| name.len() > 63);
    let blocks = turn["content"].as_array().into_iter().flatten();
    let calls = turn["tool_calls"].as_array().into_iter().flatten();
    (turn["type"] == "function_call" && is_long(&turn["name"]))
        || blocks.into_iter().any(|block| block["type"] == "tool_use" && is_long(&block["name"]))
        || calls.into_iter().any(|call| is_long(&call["function"]["name"]))
}

fn thought_refused(dialect: Dialect, at: usize) -> String {
    match dialect {
        Dialect::OpenAi => {
            "The encrypted content for item rs_0 could not be verified. Reason: Encrypted \
                            content could not be decrypted or parsed."
                .into()
        }
        Dialect::Groq => format!(
            "'messages.{at}' : for 'role:assistant' the following must be satisfied[('messages.{at}' : \
             property 'reasoning' is unsupported)]"
        ),
        Dialect::Mistral => {
            format!("messages.{at}.assistant.reasoning_content: Extra inputs are not permitted")
        }
        _ => format!("messages.{at}.content.0: Invalid `signature` in `thinking` block"),
    }
}

fn name_refused(body: &Value, dialect: Dialect, at: usize) -> String {
    let place = match dialect {
        Dialect::Anthropic => {
            return format!(
                "messages.{at}.content.1.tool_use.name: String should match pattern \
                 '^[a-zA-Z0-9_-]{{1,63}}$'"
            );
        }
        _ if body["input"].is_array() => format!("input[{at}].name"),
        _ => format!("messages[{at}].tool_calls[0].function.name"),
    };
    format!(
        "Invalid '{place}': string does not match pattern. Expected a string that matches the pattern \
         '^[a-zA-Z0-9_-]{{1,63}}$'."
    )
}
