//! Ollama's errors: `{"error": "a sentence"}`.

use serde_json::Value;

use crate::http::ApiError;
use crate::http::errors::About;

/// Parses the value under `"error"`.
pub(super) fn from_error_object(error: &Value) -> ApiError {
    let message = error.as_str().or(error["message"].as_str()).unwrap_or_default().to_owned();
    let about = if message.contains("not found") { About::Model } else { About::Status };
    ApiError { code: 500, message, asked_delay: None, about }
}

/// Whether the message says that the request exceeds the context.
pub(super) fn is_overflow(message: &str) -> bool {
    let message = message.to_ascii_lowercase();
    message.contains("context length")
        || message.contains("context window")
        || message.contains("exceeds the available context")
}

/// Whether the message says that Ollama could not parse the model's call.
pub(super) fn is_malformed_call(message: &str) -> bool {
    message.contains("error parsing tool call")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_told_apart() {
        assert!(is_overflow("input length exceeds the context length"));
        assert!(!is_overflow("does not support tools"));
    }
}
