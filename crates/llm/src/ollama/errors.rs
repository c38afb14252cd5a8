//! Ollama's errors: `{"error": "a sentence"}`.

use serde_json::Value;

use crate::registry::Refusal;
use crate::service::ServiceError;
use crate::service::errors::About;

/// The value under `"error"`.
pub(super) fn from_error_object(error: &Value) -> ServiceError {
    let message = error.as_str().or(error["message"].as_str()).unwrap_or_default().to_owned();
    let about = if message.contains("not found") { About::Model } else { About::Status };
    ServiceError { code: 500, message, asked_delay: None, about }
}

/// What a sentence says that the model does not take.
pub(super) fn refusal(message: &str) -> Option<Refusal> {
    let message = message.to_ascii_lowercase();
    let lacks = |what: &str| {
        message.contains(&format!("does not support {what}"))
            || message.contains(&format!("doesn't support {what}"))
    };
    if lacks("tools") {
        return Some(Refusal::Tools);
    }
    if lacks("thinking") {
        return Some(Refusal::Thinking);
    }
    let sees_nothing = lacks("vision") || lacks("image") || lacks("multimodal");
    (sees_nothing || message.contains("missing data required for image input"))
        .then_some(Refusal::Pictures)
}

/// Whether a sentence says that the request is longer than the context.
pub(super) fn is_overflow(message: &str) -> bool {
    let message = message.to_ascii_lowercase();
    message.contains("context length")
        || message.contains("context window")
        || message.contains("exceeds the available context")
}

/// Whether a sentence says that the model wrote a call that Ollama could not read.
pub(super) fn is_malformed_call(message: &str) -> bool {
    message.contains("error parsing tool call")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_told_apart() {
        let refused = |text| refusal(text);
        assert_eq!(
            refused("registry.ollama.ai/library/gemma3:4b does not support tools"),
            Some(Refusal::Tools)
        );
        assert_eq!(refused("\"llama3.2\" does not support thinking"), Some(Refusal::Thinking));
        assert_eq!(
            refused("this model is missing data required for image input"),
            Some(Refusal::Pictures)
        );
        assert_eq!(refused("model requires more system memory"), None);
        assert!(is_overflow("input length exceeds the context length"));
        assert!(!is_overflow("does not support tools"));
    }
}
