//! Estimates of token counts.

use crate::content::{Content, Part};
use crate::model::Request;
use crate::size::Size;

/// The estimated tokens of a content.
pub fn estimate_content(content: &Content) -> u64 {
    let mut size = Size::of_bytes(8);
    content.parts.iter().for_each(|part| size += part.size());
    size.tokens()
}

/// The estimated tokens of a request.
pub fn estimate_request(request: &Request) -> u64 {
    let mut size = Size::of_bytes(request.system_instruction.len());
    for tool in &*request.tools {
        size += Size::of_bytes(tool.description.len() + 32);
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
            Some(text) => self.0 += Size::of_bytes(text.len()),
            None => self.0 += part.size(),
        }
    }

    /// The tokens so far.
    pub fn tokens(self) -> u64 {
        self.0.tokens()
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
