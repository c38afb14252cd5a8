//! What several rules ask.

use serde_json::Value;

/// The elements of a repeated field.
pub(super) fn list<'a>(value: &'a Value, field: &str) -> &'a [Value] {
    value[field].as_array().map(Vec::as_slice).unwrap_or_default()
}

/// Whether the model has the rules of Gemini 3: signed calls, pictures within responses.
pub(super) fn is_gemini_3_or_later(model: &str) -> bool {
    !["gemini-1.", "gemini-2.", "gemma"].iter().any(|older| model.starts_with(older))
}
