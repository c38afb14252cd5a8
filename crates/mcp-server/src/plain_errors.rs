//! Errors repeat what was wrong in a request; here the characters in it that hide are made visible.

use rmcp::model::{CallToolResult, ContentBlock, ErrorData};
use scene::visible;
use serde_json::Value;

/// An error that shows all that is in it.
pub(crate) fn plain(mut error: ErrorData) -> ErrorData {
    error.message = visible(error.message.into_owned()).into();
    error.data.iter_mut().for_each(make_visible);
    error
}

/// The same for the result of a call, if it is an error.
pub(crate) fn plain_result(mut result: CallToolResult) -> CallToolResult {
    if result.is_error != Some(true) {
        return result;
    }
    for block in &mut result.content {
        if let ContentBlock::Text(text) = block {
            text.text = visible(std::mem::take(&mut text.text));
        }
    }
    result.structured_content.iter_mut().for_each(make_visible);
    result
}

/// All texts in a value; the names of its fields are ours.
fn make_visible(value: &mut Value) {
    match value {
        Value::String(text) => *text = visible(std::mem::take(text)),
        Value::Array(items) => items.iter_mut().for_each(make_visible),
        Value::Object(fields) => fields.values_mut().for_each(make_visible),
        _ => {}
    }
}
