//! Errors of a service, and what they mean for the user and for a retry.

use std::time::{Duration, SystemTime};

use reqwest::header::{HeaderMap, RETRY_AFTER};
use serde_json::Value;

use super::Names;
use crate::model::ModelError;
use crate::retry::Failure;

/// Longest part of a service's message that is shown.
const MAX_MESSAGE_CHARS: usize = 600;

/// What an error is about, where its HTTP status does not say it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum About {
    /// What the status says.
    Status,
    /// The key was refused.
    Key,
    /// The model is not known.
    Model,
    /// A quota that does not come back within minutes is used up.
    Quota,
    /// The account has no credit.
    Credit,
}

/// An error as the service told it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ServiceError {
    /// The HTTP status, or the code of an error within the stream.
    pub(crate) code: u16,
    /// What the service says.
    pub(crate) message: String,
    /// How long it asks to wait.
    pub(crate) asked_delay: Option<Duration>,
    /// What it is about.
    pub(crate) about: About,
}

impl ServiceError {
    /// An HTTP error whose body is `{"error": ..}` as `read` understands it; a gateway in between may
    /// answer with any body.
    pub(crate) fn from_http(
        status: u16,
        headers: &HeaderMap,
        body: &[u8],
        read: fn(&Value) -> Self,
    ) -> Self {
        let json: Value = serde_json::from_slice(body).unwrap_or_default();
        let mut error = read(&json["error"]);
        error.code = status;
        if error.message.is_empty() {
            error.message = String::from_utf8_lossy(body).into_owned();
        }
        error.asked_delay = retry_after(headers);
        error
    }

    /// What the error means for the user, and whether asking again may help.
    pub(crate) fn into_failure(self, names: Names, model: &str) -> Failure {
        let service = names.service;
        let said = match shortened(&self.message).trim() {
            "" => format!("HTTP {}", self.code),
            message => format!("HTTP {}: {}", self.code, message.trim_end_matches('.')),
        };
        let last = match (self.about, self.code) {
            (About::Quota, _) => ModelError::Unavailable(format!(
                "{service}'s quota for the day is used up ({said})."
            )),
            (About::Credit, _) | (_, 402) => ModelError::Unavailable(format!(
                "{service}'s account has no credit left ({said}): add credit there, or choose \
                 another model."
            )),
            (About::Key, _) | (About::Status, 401 | 403) => {
                let key = names.key;
                ModelError::Unauthorized(format!(
                    "{service} refused the key in {key} ({said}): set a valid key and try again."
                ))
            }
            (About::Model, _) | (_, 404) => ModelError::Rejected(format!(
                "{service} does not know the model {model:?} ({said}): set SCENE_LLM_MODEL to one \
                 that it lists."
            )),
            // 529 is Anthropic's "overloaded".
            (_, 429 | 500 | 502 | 503 | 504 | 529) => {
                let what = if self.code == 429 { "wants fewer requests" } else { "has a problem" };
                return Failure::Passing {
                    reason: format!("{service} {what} ({said})."),
                    asked_delay: self.asked_delay,
                };
            }
            _ => ModelError::Rejected(format!("{service} refused the request ({said}).")),
        };
        Failure::Final(last)
    }
}

/// The delay of a `Retry-After` header, in seconds or until a date.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    delay_of(headers.get(RETRY_AFTER)?.to_str().ok()?, SystemTime::now())
}

fn delay_of(text: &str, now: SystemTime) -> Option<Duration> {
    let text = text.trim();
    if let Ok(seconds) = text.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = httpdate::parse_http_date(text).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

/// As much of a service's message as is worth showing.
pub(crate) fn shortened(text: &str) -> String {
    let mut short: String = text.trim().chars().take(MAX_MESSAGE_CHARS).collect();
    if short.len() < text.trim().len() {
        short.push('\u{2026}');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = httpdate::parse_http_date("Sat, 21 Nov 2026 10:00:00 GMT").unwrap();
        let check = |text, expected| assert_eq!(delay_of(text, now), expected, "{text}");
        check(" 120 ", Some(Duration::from_secs(120)));
        check("0.5", Some(Duration::from_millis(500)));
        check("Sat, 21 Nov 2026 10:00:09 GMT", Some(Duration::from_secs(9)));
        check("Sat, 21 Nov 2026 09:00:00 GMT", Some(Duration::ZERO));
        check("soon", None);
        check("-1", None);
    }
}
