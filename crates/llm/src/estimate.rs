//! Estimates of token counts.

use std::ops::AddAssign;

use serde_json::Value;

use crate::content::{Content, Part};
use crate::model::Request;

/// Bytes of text or JSON per token. English text has about four, JSON and other languages fewer; a
/// low figure is the safe side.
const BYTES_PER_TOKEN: f64 = 3.5;

/// Tokens per picture: providers count 258 to 1,600 for pictures of a preview's size.
const PICTURE_TOKENS: u64 = 1_000;

/// What text and pictures weigh in a request.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Size {
    bytes: usize,
    pictures: u64,
}

impl Size {
    /// The size of a part, counted anew; [`Part::size`] keeps it.
    pub(crate) fn of(part: &Part) -> Self {
        let mut size = Self::default();
        part.raw().iter().for_each(|(name, value)| size.add(name, value));
        size
    }

    fn tokens(self) -> u64 {
        tokens(self.bytes) + self.pictures * PICTURE_TOKENS
    }

    fn add(&mut self, name: &str, value: &Value) {
        match value {
            // Signatures and encoded data are not text tokens.
            Value::Object(_) if name == "inlineData" => self.pictures += 1,
            Value::String(_) if name.ends_with("ignature") => {}
            Value::String(text) => self.bytes += text.len() + 2,
            Value::Object(fields) => {
                for (name, value) in fields {
                    self.bytes += name.len() + 4;
                    self.add(name, value);
                }
            }
            Value::Array(items) => {
                for item in items {
                    self.bytes += 1;
                    self.add("", item);
                }
            }
            Value::Number(number) => self.bytes += number.to_string().len(),
            Value::Bool(_) | Value::Null => self.bytes += "null".len(),
        }
    }
}

impl AddAssign for Size {
    fn add_assign(&mut self, other: Self) {
        self.bytes += other.bytes;
        self.pictures += other.pictures;
    }
}

/// The estimated tokens of a content.
pub fn estimate_content(content: &Content) -> u64 {
    let mut size = Size { bytes: 8, pictures: 0 };
    content.parts.iter().for_each(|part| size += part.size());
    size.tokens()
}

/// The estimated tokens of a request.
pub fn estimate_request(request: &Request) -> u64 {
    let mut size = Size { bytes: request.system_instruction.len(), pictures: 0 };
    for tool in &*request.tools {
        size.bytes += tool.description.len() + 32;
        size.add("", &tool.parameters);
    }
    size.tokens() + request.contents.iter().map(estimate_content).sum::<u64>()
}

/// An estimate of the tokens of an answer while it is streamed.
#[derive(Debug, Clone, Copy, Default)]
pub struct AnswerEstimate(Size);

impl AnswerEstimate {
    /// Counts a part of the answer, which may be a piece of a text.
    pub fn add(&mut self, part: &Part) {
        match part.as_text() {
            Some(text) => self.0.bytes += text.len(),
            None => self.0 += part.size(),
        }
    }

    /// The tokens so far.
    pub fn tokens(self) -> u64 {
        self.0.tokens()
    }
}

fn tokens(bytes: usize) -> u64 {
    (bytes as f64 / BYTES_PER_TOKEN).ceil() as u64
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
