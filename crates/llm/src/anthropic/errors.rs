//! Anthropic's error objects: `{"type": "error", "error": {"type", "message"}}`.

use serde_json::Value;

use crate::http::ApiError;
use crate::http::errors::About;

/// Parses the object under `"error"` of an HTTP error or of an error event within the stream.
pub(super) fn from_error_object(error: &Value) -> ApiError {
    let message = error["message"].as_str().unwrap_or_default();
    let code = match error["type"].as_str().unwrap_or_default() {
        "invalid_request_error" => 400,
        "authentication_error" => 401,
        "billing_error" => 402,
        "permission_error" => 403,
        "not_found_error" => 404,
        "request_too_large" => 413,
        "rate_limit_error" => 429,
        "timeout_error" => 504,
        "overloaded_error" => 529,
        _ => 500,
    };
    let no_credit = message.contains("credit balance is too low");
    let about = if no_credit { About::Credit } else { About::Status };
    ApiError { code, message: message.to_owned(), asked_delay: None, about }
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderMap;
    use serde_json::json;

    use super::super::NAMES;
    use super::*;
    use crate::model::ModelError;
    use crate::retry::Failure;

    fn failure(status: u16, kind: &str, message: &str) -> Failure {
        let body = json!({ "type": "error", "error": { "type": kind, "message": message } });
        let body = body.to_string();
        ApiError::from_http(status, &HeaderMap::new(), body.as_bytes(), from_error_object)
            .into_failure(NAMES, "claude-sonnet-5-5")
    }

    #[test]
    fn errors_are_told_apart_by_status_and_text() {
        let key = failure(401, "authentication_error", "invalid x-api-key");
        assert!(matches!(key, Failure::Final(ModelError::Unauthorized(text))
            if text.contains("ANTHROPIC_API_KEY") && text.contains("invalid x-api-key")));
        let credit = failure(400, "invalid_request_error", "Your credit balance is too low to ...");
        assert!(matches!(credit, Failure::Final(ModelError::Unavailable(_))));
        let model = failure(404, "not_found_error", "model: claude-x");
        assert!(matches!(model, Failure::Final(ModelError::Rejected(text))
            if text.contains("SCENE_LLM_MODEL")));
        for (status, kind) in [(429, "rate_limit_error"), (529, "overloaded_error")] {
            assert!(matches!(failure(status, kind, "m"), Failure::Passing { .. }));
            let within = from_error_object(&json!({ "type": kind, "message": "m" }));
            assert_eq!(within.code, status);
        }
    }
}
