//! Sending the reasoning of earlier answers back.

use serde_json::{Map, Value, json};

use crate::content::{Content, Part};
use crate::openai::profile::{Reasoning, Target};

/// Adds `target`'s own reasoning in `content` to `message`. Returns the content of the message,
/// made from `text`, where the provider wants reasoning within it.
pub(super) fn add(
    target: &Target,
    content: &Content,
    text: &str,
    message: &mut Map<String, Value>,
) -> Option<Value> {
    let own: Vec<(&Part, &Value)> =
        content.parts.iter().filter_map(|part| Some((part, target.own(part)?))).collect();
    let from = |field: &str| -> String {
        let of_field = own.iter().filter(|(_, mark)| mark["field"] == field);
        of_field.filter_map(|(part, _)| part.as_text()).collect()
    };
    match target.profile.reasoning {
        Reasoning::Never => None,
        Reasoning::Content(none) => {
            let all = own.iter().filter(|(part, _)| part.is_thought());
            let all: String = all.filter_map(|(part, _)| part.as_text()).collect();
            let thought = if all.is_empty() { none.to_owned() } else { all };
            message.insert("reasoning_content".into(), thought.into());
            None
        }
        Reasoning::Chunks => chunks(&own, text),
        Reasoning::AsItCame | Reasoning::Details => {
            let details = details(&own);
            if !details.is_empty() {
                message.insert("reasoning_details".into(), details.into());
                return None;
            }
            for field in ["reasoning_content", "reasoning"] {
                let thought = from(field);
                if !thought.is_empty() {
                    message.insert(field.into(), thought.into());
                }
            }
            let tagged = from("content");
            (!tagged.is_empty()).then(|| format!("<think>{tagged}</think>\n\n{text}").into())
        }
    }
}

/// The `reasoning_details`, merged from their fragments, since signed details must be complete.
fn details(own: &[(&Part, &Value)]) -> Vec<Value> {
    let mut whole: Vec<Value> = Vec::new();
    let pieces = own.iter().filter_map(|(_, mark)| mark["reasoning_details"].as_array()).flatten();
    for piece in pieces {
        let same = |before: &&mut Value| {
            piece["index"].is_number()
                && before["index"] == piece["index"]
                && before["type"] == piece["type"]
        };
        let (Some(before), Some(fields)) = (whole.iter_mut().rfind(same), piece.as_object()) else {
            whole.push(piece.clone());
            continue;
        };
        for (name, value) in fields.iter().filter(|(_, value)| !value.is_null()) {
            let grows = matches!(name.as_str(), "text" | "summary" | "data");
            match (before[name].as_str(), value.as_str()) {
                (Some(begin), Some(more)) if grows => {
                    before[name] = format!("{begin}{more}").into()
                }
                _ => before[name] = value.clone(),
            }
        }
    }
    whole
}

/// The message content as a list of thoughts and texts, if there are thoughts.
fn chunks(own: &[(&Part, &Value)], text: &str) -> Option<Value> {
    let thoughts = own.iter().filter(|(_, mark)| mark["field"] == "thinking");
    let thought: String = thoughts.clone().filter_map(|(part, _)| part.as_text()).collect();
    let signature = thoughts.filter_map(|(_, mark)| mark.get("signature")).next_back();
    if thought.is_empty() && signature.is_none() {
        return None;
    }
    let pieces = json!([{ "type": "text", "text": thought }]);
    let mut thinking = json!({ "type": "thinking", "thinking": pieces });
    if let Some(signature) = signature {
        thinking["signature"] = signature.clone();
    }
    let mut chunks = vec![thinking];
    if !text.is_empty() {
        chunks.push(json!({ "type": "text", "text": text }));
    }
    Some(chunks.into())
}
