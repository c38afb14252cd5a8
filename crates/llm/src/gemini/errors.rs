//! Google's error objects, and what they mean.

use std::time::{Duration, SystemTime};

use reqwest::header::{HeaderMap, RETRY_AFTER};
use serde_json::Value;

use crate::model::ModelError;
use crate::retry::Failure;

/// Longest part of a service's message that is shown.
const MAX_MESSAGE_CHARS: usize = 600;

/// An error as the service told it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ServiceError {
    /// The HTTP status, or the code of an error within the stream.
    pub(super) code: u16,
    pub(super) message: String,
    /// Of Google's `RetryInfo`, else of `Retry-After`.
    pub(super) asked_delay: Option<Duration>,
    /// Whether a quota that counts per day is used up.
    pub(super) daily_quota: bool,
    /// Whether the key was refused, whatever the code.
    pub(super) key_refused: bool,
}

impl ServiceError {
    /// An HTTP error; `body` may be Google's `{"error": {..}}`, the same in a list, or anything.
    pub(super) fn from_http(status: u16, headers: &HeaderMap, body: &[u8]) -> Self {
        let json: Value = serde_json::from_slice(body).unwrap_or_default();
        let first = json.get(0).unwrap_or(&json);
        let mut error = Self::from_error_object(&first["error"]);
        // A gateway in between may answer with a status of its own and a body that is none.
        error.code = status;
        if error.message.is_empty() && json.is_null() {
            error.message = shortened(&String::from_utf8_lossy(body));
        }
        let header = || headers.get(RETRY_AFTER)?.to_str().ok();
        error.asked_delay = error.asked_delay.or_else(|| retry_after(header()?, SystemTime::now()));
        error
    }

    /// The object under `"error"`.
    pub(super) fn from_error_object(error: &Value) -> Self {
        let message = error["message"].as_str().unwrap_or_default();
        let details = error["details"].as_array().map(Vec::as_slice).unwrap_or_default();
        let has_reason =
            |reason: &str| details.iter().any(|detail| detail["reason"].as_str() == Some(reason));
        Self {
            code: error["code"].as_u64().and_then(|code| u16::try_from(code).ok()).unwrap_or(500),
            message: shortened(message),
            asked_delay: details
                .iter()
                .find_map(|detail| detail["retryDelay"].as_str())
                .and_then(duration),
            daily_quota: details
                .iter()
                .filter_map(|detail| detail["violations"].as_array())
                .flatten()
                .filter_map(|violation| violation["quotaId"].as_str())
                .any(|quota| quota.contains("PerDay")),
            key_refused: has_reason("API_KEY_INVALID") || message.contains("API key not valid"),
        }
    }
}

/// What `error` means for the user, and whether asking again may help.
pub(super) fn failure(error: &ServiceError, model: &str) -> Failure {
    let said = match error.message.trim() {
        "" => format!("HTTP {}", error.code),
        message => format!("HTTP {}: {}", error.code, message.trim_end_matches('.')),
    };
    let last = match error.code {
        _ if error.key_refused => refused_key(&said),
        401 | 403 => refused_key(&said),
        404 => ModelError::Rejected(format!(
            "The Gemini API does not know the model {model:?} ({said}): set SCENE_LLM_MODEL to one \
             that it lists."
        )),
        429 if error.daily_quota => ModelError::Unavailable(format!(
            "The Gemini API's quota for the day is used up ({said})."
        )),
        429 | 500 | 502 | 503 | 504 => {
            let what = if error.code == 429 { "wants fewer requests" } else { "has a problem" };
            return Failure::Passing {
                reason: format!("The Gemini API {what} ({said})."),
                asked_delay: error.asked_delay,
            };
        }
        _ => ModelError::Rejected(format!("The Gemini API refused the request ({said}).")),
    };
    Failure::Final(last)
}

fn refused_key(said: &str) -> ModelError {
    ModelError::Unauthorized(format!(
        "The Gemini API refused the key in GEMINI_API_KEY ({said}): set a valid key and try again."
    ))
}

/// A protobuf duration in JSON, e.g. `34.4s`.
fn duration(text: &str) -> Option<Duration> {
    let seconds: f64 = text.strip_suffix('s')?.parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// `Retry-After`: seconds or a date.
fn retry_after(text: &str, now: SystemTime) -> Option<Duration> {
    let text = text.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = httpdate::parse_http_date(text).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

fn shortened(text: &str) -> String {
    let mut short: String = text.trim().chars().take(MAX_MESSAGE_CHARS).collect();
    if short.len() < text.trim().len() {
        short.push('\u{2026}');
    }
    short
}

#[cfg(test)]
#[path = "errors_tests.rs"]
mod tests;
