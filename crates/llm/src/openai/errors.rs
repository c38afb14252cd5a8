//! OpenAI's error objects, `{"error": {"message", "type", "code"}}`, and the variants of compatible
//! providers.

use serde_json::Value;

use crate::http::ApiError;
use crate::http::errors::{About, shortened};

/// Parses the object under `"error"`, which is a plain text with Ollama. OpenRouter's `code` and
/// Groq's `status_code` are the HTTP status.
pub(super) fn from_error_object(error: &Value) -> ApiError {
    let text = |name: &str| error[name].as_str().unwrap_or_default();
    let message = error.as_str().unwrap_or_else(|| text("message")).to_owned();
    let number = |name: &str| error[name].as_u64().and_then(|code| u16::try_from(code).ok());
    let code = number("code").or(number("status_code")).unwrap_or(match text("code") {
        "rate_limit_exceeded" => 429,
        "invalid_prompt" | "context_length_exceeded" => 400,
        _ if text("type") == "invalid_request_error" => 400,
        _ => 500,
    });
    if text("code") == "tool_use_failed" {
        return tool_use_failed(&message, text("failed_generation"), code);
    }
    let about = match (text("code"), text("type")) {
        ("insufficient_quota", _) | (_, "insufficient_quota") => About::Credit,
        ("invalid_api_key", _) => About::Key,
        ("model_not_found", _) => About::Model,
        _ => About::Status,
    };
    ApiError { code, message, asked_delay: None, about }
}

/// Groq could not parse the call. The error shows the model its output.
fn tool_use_failed(message: &str, generated: &str, code: u16) -> ApiError {
    let mut told = format!("The last tool call could not be read: {}", message.trim_end());
    if !generated.trim().is_empty() {
        told.push_str(&format!(" You wrote: {}", shortened(generated)));
    }
    told.push_str(
        " Call the tool again: only tools that are declared, with a JSON object of arguments that \
         fits the schema",
    );
    ApiError { code, message: told, asked_delay: None, about: About::Call }
}

/// The error of an error event.
pub(super) fn in_stream(event: &Value) -> Option<ApiError> {
    let error = &event["error"];
    if !error.is_null() && *error != Value::Bool(false) && *error != "" {
        return Some(from_error_object(error));
    }
    // Mistral and vLLM.
    if event["object"] == "error" {
        return Some(from_error_object(event));
    }
    // MiniMax answers with HTTP 200.
    let status = event["base_resp"]["status_code"].as_u64().filter(|status| *status != 0)?;
    let message = event["base_resp"]["status_msg"].as_str().unwrap_or_default();
    let (code, about) = match status {
        1002 | 1039 | 1041 => (429, About::Status),
        1004 | 2049 => (401, About::Key),
        1008 => (402, About::Credit),
        1000 | 1001 | 1013 | 1024 | 1033 => (500, About::Status),
        _ => (400, About::Status),
    };
    let message = format!("{message} ({status})");
    Some(ApiError { code, message, asked_delay: None, about })
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
        ApiError::from_http(status, &HeaderMap::new(), body.as_bytes(), from_error_object)
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

    #[test]
    fn a_call_that_groq_could_not_read_is_told_to_the_model_with_what_it_wrote() {
        let error = json!({
            "message": "Failed to call a function. Please adjust your prompt.",
            "type": "invalid_request_error",
            "code": "tool_use_failed",
            "failed_generation": "create_shape{\"id\": \"a\"}</function>",
            "status_code": 400,
        });
        let told = |failure| match failure {
            Failure::Final(ModelError::MalformedCall(text)) => text,
            other => panic!("{other:?}"),
        };
        let http = told(failure(400, &json!({ "error": error })));
        assert!(http.contains("create_shape{\"id\": \"a\"}</function>"), "{http}");
        let event = json!({ "error": error });
        let streamed = in_stream(&event).unwrap().into_failure(NAMES, "qwen3");
        assert_eq!(told(streamed), http);
    }

    #[test]
    fn errors_of_other_forms_are_found_in_the_stream() {
        let code = |event: Value| in_stream(&event).map(|error| error.code);
        assert_eq!(code(json!({ "object": "error", "message": "m", "code": 400 })), Some(400));
        let minimax = |status| json!({ "base_resp": { "status_code": status, "status_msg": "m" } });
        assert_eq!(code(minimax(1002)), Some(429));
        assert_eq!(code(minimax(0)), None);
        assert_eq!(code(json!({ "error": null, "choices": [] })), None);
        assert_eq!(code(json!({ "error": { "code": "rate_limit_exceeded" } })), Some(429));
        assert_eq!(code(json!({ "error": { "code": "server_error" } })), Some(500));
    }
}
