//! Estimates of token counts.

use serde_json::Value;

use crate::content::{Content, Part};
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

/// An estimate of the tokens of an answer while it is streamed.
#[derive(Debug, Clone, Copy, Default)]
pub struct AnswerEstimate {
    bytes: usize,
    pictures: u64,
}

impl AnswerEstimate {
    /// Counts a part of the answer, which may be a piece of a text.
    pub fn add(&mut self, part: &Part) {
        match part.as_text() {
            Some(text) => self.bytes += text.len(),
            None => part.raw().iter().for_each(|(name, value)| {
                count(name, value, &mut self.bytes, &mut self.pictures);
            }),
        }
    }

    /// The tokens so far.
    pub fn tokens(self) -> u64 {
        tokens(self.bytes) + self.pictures * PICTURE_TOKENS
    }
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

    #[test]
    fn text_counts_by_length_and_pictures_by_number() {
        let text = estimate_content(&Content::user("x".repeat(7_000)));
        assert!((1_900..2_100).contains(&text), "{text}");
        let picture = || Part::inline_data("image/png", "A".repeat(500_000));
        let shown = Part::response(None, "f", json!({ "ok": true }), vec![picture()]);
        let both = estimate_content(&Content::function(vec![shown, picture()]));
        assert!((2_000..2_100).contains(&both), "{both}");
    }

    #[test]
    fn an_answer_counts_by_what_was_streamed() {
        let mut answer = AnswerEstimate::default();
        (0..1_000).for_each(|_| answer.add(&Part::text("x".repeat(7))));
        assert_eq!(answer.tokens(), 2_000);
        answer.add(&Part::call(None, "create_shape", json!({ "id": "x".repeat(700) })));
        assert!((2_200..2_300).contains(&answer.tokens()), "{}", answer.tokens());
    }
}
