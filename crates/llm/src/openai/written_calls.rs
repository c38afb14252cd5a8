//! Calls that a model wrote as text although the request declared tools.
//!
//! A server without a parser for its model's calls passes the raw output on, e.g.
//! `<tool_call>{"name": ..}</tool_call>`. The text from the first tag on is parsed like a text
//! protocol.

use crate::content::Part;
use crate::model::{ModelError, ToolDeclaration};
use crate::text_tools::read_written;

/// The parts of `written`, which begins with `<tool_call>`: text if it only mentions the tag, calls
/// of `tools`, or an error that tells the model its mistake.
pub(super) fn read(written: &str, tools: &[ToolDeclaration]) -> Result<Vec<Part>, ModelError> {
    let after = written.trim_start_matches("<tool_call>").trim_start();
    if !after.starts_with(['{', '[', '<']) {
        return Ok(vec![Part::text(written)]);
    }
    read_written(written, tools)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_written_call_is_a_call_and_a_mention_is_text() {
        let look = ToolDeclaration {
            name: "look".into(),
            description: "Looks.".into(),
            parameters: json!({ "type": "object", "properties": { "n": { "type": "integer" } } })
                .into(),
        };
        let call = "<tool_call>\n{\"name\": \"look\", \"arguments\": {\"n\": 1}}\n</tool_call>";
        let parts = read(call, std::slice::from_ref(&look)).unwrap();
        let calls: Vec<_> = parts.iter().filter_map(Part::as_call).collect();
        assert_eq!(calls.len(), 1, "{parts:?}");
        assert_eq!((calls[0].name, calls[0].args), ("look", Some(&json!({ "n": 1 }))));
        let unknown = "<tool_call>\n{\"name\": \"leap\", \"arguments\": {}}\n</tool_call>";
        assert!(matches!(read(unknown, &[look]), Err(ModelError::MalformedCall(_))));
        let mention = "<tool_call> is a tag.";
        assert_eq!(read(mention, &[]), Ok(vec![Part::text(mention)]));
    }
}
