//! OpenAI's error objects: `{"error": {"message", "type", "code"}}`.

use serde_json::Value;

use crate::service::ServiceError;
use crate::service::errors::About;

/// The object under `"error"`, which may be a plain text as with Ollama. OpenRouter's `code` is the
/// HTTP status.
pub(super) fn from_error_object(error: &Value) -> ServiceError {
    let text = |name: &str| error[name].as_str().unwrap_or_default();
    let message = error.as_str().unwrap_or_else(|| text("message")).to_owned();
    let about = match (text("code"), text("type")) {
        ("insufficient_quota", _) | (_, "insufficient_quota") => About::Credit,
        ("invalid_api_key", _) => About::Key,
        ("model_not_found", _) => About::Model,
        _ => About::Status,
    };
    let code = error["code"].as_u64().and_then(|code| u16::try_from(code).ok()).unwrap_or(500);
    ServiceError { code, message, asked_delay: None, about }
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderMap;
    use serde_json::json;

    use super::super::NAMES;
    use super::*;
    use crate::model::ModelError;
    use crate::retry::Failure;

    fn failure(status: u16, body: &Value) -> Failure {
        let body = body.to_string();
        ServiceError::from_http(status, &HeaderMap::new(), body.as_bytes(), from_error_object)
            .into_failure(NAMES, "gpt-5.5")
    }

    #[test]
    fn errors_are_told_apart_by_code_and_status() {
        let error = |code: &str| json!({ "error": { "message": "m.", "type": "t", "code": code } });
        let unauthorized = failure(401, &error("invalid_api_key"));
        assert!(matches!(unauthorized, Failure::Final(ModelError::Unauthorized(text))
            if text.contains("OPENAI_API_KEY") && text.ends_with("set a valid key and try again.")));
        let credit = failure(429, &error("insufficient_quota"));
        assert!(matches!(credit, Failure::Final(ModelError::Unavailable(text))
            if text.contains("no credit")));
        assert!(matches!(failure(402, &json!({})), Failure::Final(ModelError::Unavailable(_))));
        let busy = failure(429, &error("rate_limit_exceeded"));
        assert!(matches!(busy, Failure::Passing { .. }));
        let unknown = failure(404, &error("model_not_found"));
        assert!(matches!(unknown, Failure::Final(ModelError::Rejected(text))
            if text.contains("gpt-5.5")));
        let ollama = failure(400, &json!({ "error": "does not support tools" }));
        assert!(matches!(ollama, Failure::Refused { error: ModelError::Rejected(text), .. }
            if text.contains("does not support tools")));
    }
}
