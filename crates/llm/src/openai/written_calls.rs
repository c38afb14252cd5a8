//! Calls that a model wrote into its text although it was given tools to call.
//!
//! Servers that run a model without the parser for its calls pass on the text of its template, e.g.
//! `<tool_call>{"name": ..}</tool_call>`. This is where the reader of text protocols takes over:
//! it gets the text from the first tag to the end of the answer, with the names of the tools, and gives
//! the calls in it.

use crate::content::Part;
use crate::model::ModelError;

/// Longest part of what the model wrote that is shown to it again.
const EXCERPT_CHARS: usize = 300;

/// The parts that `written` is, from its `<tool_call>` on: text where it only mentions the tag. A call
/// is not run; the model is told to call one of `tools` itself.
pub(super) fn read(written: &str, tools: &[String]) -> Result<Vec<Part>, ModelError> {
    let after = written.trim_start_matches("<tool_call>").trim_start();
    if !after.starts_with(['{', '[', '<']) {
        return Ok(vec![Part::text(written)]);
    }
    let mut excerpt: String = written.chars().take(EXCERPT_CHARS).collect();
    if excerpt.len() < written.len() {
        excerpt.push('\u{2026}');
    }
    Err(ModelError::MalformedCall(format!(
        "A tool call was written as text and did not run. You wrote: {excerpt} Call a tool by a tool \
         call of your API instead of text. The tools: {}",
        tools.join(", ")
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_call_is_told_to_the_model_and_a_mention_is_text() {
        let call = "<tool_call>\n{\"name\": \"look\", \"arguments\": {}}\n</tool_call>";
        let Err(ModelError::MalformedCall(text)) = read(call, &["look".into()]) else {
            panic!("{call}")
        };
        assert!(text.contains("\"look\"") && text.ends_with("The tools: look"), "{text}");
        let mention = "<tool_call> is a tag.";
        assert_eq!(read(mention, &[]), Ok(vec![Part::text(mention)]));
    }
}
