//! Estimates of token counts.

use serde_json::Value;

use crate::content::Content;
use crate::model::Request;

/// Bytes of text or JSON per token. English text has about four, JSON and other languages fewer; a
/// low figure is the safe side.
const BYTES_PER_TOKEN: f64 = 3.5;

/// Tokens per picture: providers count 258 to 1,600 for pictures of a preview's size.
const PICTURE_TOKENS: u64 = 1_000;

/// The estimated tokens of a content.
pub fn estimate_content(content: &Content) -> u64 {
    let (mut bytes, mut pictures) = (8, 0);
    for part in &content.parts {
        for (name, value) in part.raw() {
            count(name, value, &mut bytes, &mut pictures);
        }
    }
    tokens(bytes) + pictures * PICTURE_TOKENS
}

/// The estimated tokens of a request.
pub fn estimate_request(request: &Request) -> u64 {
    let tools: usize = request
        .tools
        .iter()
        .map(|tool| tool.description.len() + tool.parameters.to_string().len() + 32)
        .sum();
    let contents: u64 = request.contents.iter().map(estimate_content).sum();
    tokens(request.system_instruction.len() + tools) + contents
}

fn tokens(bytes: usize) -> u64 {
    (bytes as f64 / BYTES_PER_TOKEN).ceil() as u64
}

fn count(name: &str, value: &Value, bytes: &mut usize, pictures: &mut u64) {
    match value {
        // Signatures and encoded data are not text tokens.
        Value::Object(_) if name == "inlineData" => *pictures += 1,
        Value::String(_) if name.ends_with("ignature") => {}
        Value::String(text) => *bytes += text.len() + 2,
        Value::Object(fields) => {
            for (name, value) in fields {
                *bytes += name.len() + 4;
                count(name, value, bytes, pictures);
            }
        }
        Value::Array(items) => {
            for item in items {
                *bytes += 1;
                count("", item, bytes, pictures);
            }
        }
        other => *bytes += other.to_string().len(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::content::Part;

    #[test]
    fn text_counts_by_length_and_pictures_by_number() {
        let text = estimate_content(&Content::user("x".repeat(7_000)));
        assert!((1_900..2_100).contains(&text), "{text}");
        let picture = || Part::inline_data("image/png", "A".repeat(500_000));
        let shown = Part::response(None, "f", json!({ "ok": true }), vec![picture()]);
        let both = estimate_content(&Content::function(vec![shown, picture()]));
        assert!((2_000..2_100).contains(&both), "{both}");
    }
}
