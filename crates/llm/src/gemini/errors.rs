//! Google's error objects.

use std::time::Duration;

use reqwest::header::HeaderMap;
use serde_json::Value;

use crate::http::ApiError;
use crate::http::errors::{About, plain_text, retry_after};

/// Parses an HTTP error. `body` may be Google's `{"error": {..}}`, the same in a list, or anything
/// else.
pub(super) fn from_http(status: u16, headers: &HeaderMap, body: &[u8]) -> ApiError {
    let json: Value = serde_json::from_slice(body).unwrap_or_default();
    let first = json.get(0).unwrap_or(&json);
    let mut error = from_error_object(&first["error"]);
    // A gateway may send its own status with a body of another form.
    error.code = status;
    if error.message.is_empty() && json.is_null() {
        error.message = plain_text(body);
    }
    error.asked_delay = error.asked_delay.or_else(|| retry_after(headers));
    error.complete(headers, json.is_null())
}

/// Parses the object under `"error"`.
pub(super) fn from_error_object(error: &Value) -> ApiError {
    let message = error["message"].as_str().unwrap_or_default();
    let details = error["details"].as_array().map(Vec::as_slice).unwrap_or_default();
    let key_refused =
        details.iter().any(|detail| detail["reason"].as_str() == Some("API_KEY_INVALID"))
            || message.contains("API key not valid");
    let code = error["code"].as_u64().and_then(|code| u16::try_from(code).ok()).unwrap_or(500);
    let daily_quota = details
        .iter()
        .filter_map(|detail| detail["violations"].as_array())
        .flatten()
        .filter_map(|violation| violation["quotaId"].as_str())
        .any(|quota| quota.contains("PerDay"));
    let about = match () {
        () if key_refused => About::Key,
        () if daily_quota && code == 429 => About::Quota,
        () => About::Status,
    };
    let asked_delay =
        details.iter().find_map(|detail| detail["retryDelay"].as_str()).and_then(duration);
    ApiError { code, message: message.to_owned(), asked_delay, about }
}

/// A protobuf duration in JSON, e.g. `34.4s`.
fn duration(text: &str) -> Option<Duration> {
    let seconds: f64 = text.strip_suffix('s')?.parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
#[path = "errors_tests.rs"]
mod tests;
