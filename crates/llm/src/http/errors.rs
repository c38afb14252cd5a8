//! Errors of a provider's API, mapped to messages for the user and to retries.

use std::time::{Duration, SystemTime};

use reqwest::Url;
use reqwest::header::{HeaderMap, RETRY_AFTER};
use serde_json::Value;

use super::names::ProviderNames;
use super::repair::Rejection;
use crate::model::ModelError;
use crate::retry::Failure;

/// The longest shown part of a provider's message.
const MAX_MESSAGE_CHARS: usize = 600;

/// The longest shown request id.
const MAX_REQUEST_ID_CHARS: usize = 80;

/// The cause of an error, if its HTTP status does not tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum About {
    /// As the status says.
    Status,
    /// The key was refused.
    Key,
    /// The model is not known.
    Model,
    /// A quota is used up that does not reset within minutes.
    Quota,
    /// The account has no credit.
    Credit,
    /// There is no such API at the address.
    Address,
    /// The model's call was malformed; the message is for the model.
    Call,
}

/// An error of a provider's API.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ApiError {
    /// The HTTP status, or the code of an error within the stream.
    pub(crate) code: u16,
    /// The message of the provider.
    pub(crate) message: String,
    /// The requested delay.
    pub(crate) asked_delay: Option<Duration>,
    /// Its cause.
    pub(crate) about: About,
}

/// Phrases of errors about an account or a region, in lower case, with the error and advice for the
/// user; `{key}` stands for the source of the key.
type Advice = (&'static [&'static str], fn(String) -> ModelError, &'static str);

const ADVICE: &[Advice] = &[
    // Gemini: 400 FAILED_PRECONDITION; OpenAI: 403 unsupported_country_region_territory.
    (&["location is not supported"], ModelError::Rejected, REGION),
    (&["country, region, or territory not supported"], ModelError::Rejected, REGION),
    (&["not available in your region"], ModelError::Rejected, REGION),
    (&["not available in your country"], ModelError::Rejected, REGION),
    (
        &["organization must be verified"],
        ModelError::Rejected,
        "verify your organization in the provider's settings, or choose another model",
    ),
    // OpenRouter: 404.
    (
        &["data policy"],
        ModelError::Rejected,
        "allow such providers in the privacy settings of your account there, or choose another model",
    ),
    // Google Cloud: 403 SERVICE_DISABLED.
    (
        &["has not been used in project"],
        ModelError::Rejected,
        "enable the API for the project of your key, or use another key",
    ),
    (&["account is not active"], ModelError::Unavailable, BILLING),
    (&["billing to be enabled"], ModelError::Unavailable, BILLING),
    (&["billing_not_active"], ModelError::Unavailable, BILLING),
    // Anthropic: 400 with the day when it ends.
    (
        &["api usage limits"],
        ModelError::Unavailable,
        "raise the spend limit in the provider's settings, or choose another model",
    ),
    // Gemini: 400.
    (&["api key expired"], ModelError::Unauthorized, "renew the key of {key} and try again"),
    (&["reported as leaked"], ModelError::Unauthorized, "set another key in {key} and try again"),
];

const REGION: &str = "it is not offered where you are; choose a model of another provider";
const BILLING: &str = "set up billing in the provider's settings, or choose another model";

impl ApiError {
    /// Parses an HTTP error with the body `{"error": ..}` by `read`; a gateway may send any other body.
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
            // vLLM and others have the message at the top level.
            let on_top = ["message", "detail"].iter().find_map(|name| json[*name].as_str());
            error.message = on_top.map_or_else(|| plain_text(body), str::to_owned);
        }
        // OpenRouter passes on the message of the provider behind it.
        if let Some(raw) = json["error"]["metadata"]["raw"].as_str() {
            error.message = format!("{}: {}", error.message, shortened(raw));
        }
        error.asked_delay = retry_after(headers);
        error.complete(headers, json.is_null())
    }

    /// Adds information from headers. `bare` means that the body was not JSON, unlike that of any API.
    pub(crate) fn complete(mut self, headers: &HeaderMap, bare: bool) -> Self {
        if bare && self.code == 404 && self.about == About::Status {
            self.about = About::Address;
        }
        let text = |name: &str| headers.get(name)?.to_str().ok();
        if (300..400).contains(&self.code) {
            let to = text("location").and_then(|place| Url::parse(place).ok());
            let to = to.as_ref().and_then(Url::host_str).unwrap_or("another address");
            self.message = format!("it redirects to {to}, where no key is sent");
        }
        if let Some(id) = text("request-id").or_else(|| text("x-request-id")) {
            self.add_request_id(id);
        }
        self
    }

    /// Adds the request id, by which the provider can find the request.
    pub(crate) fn add_request_id(&mut self, id: &str) {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        if (4..=MAX_REQUEST_ID_CHARS).contains(&id.len()) && id.chars().all(plain) {
            let said = shortened(&self.message);
            let said = said.trim_end_matches('.');
            let separator = if said.is_empty() { "" } else { ", " };
            self.message = format!("{said}{separator}request {id}");
        }
    }

    /// Maps the error to a message for the user, and to a retry if that may help.
    pub(crate) fn into_failure(self, names: impl Into<ProviderNames>, model: &str) -> Failure {
        let names: ProviderNames = names.into();
        let provider = &names.provider;
        if self.about == About::Call {
            return Failure::Final(ModelError::MalformedCall(self.message));
        }
        let said = match shortened(&self.message).trim() {
            "" => format!("HTTP {}", self.code),
            message => format!("HTTP {}: {}", self.code, message.trim_end_matches('.')),
        };
        let lower = self.message.to_lowercase();
        let advice = ADVICE.iter().find(|(words, ..)| words.iter().all(|it| lower.contains(it)));
        if let Some((_, error, advice)) = advice {
            let advice = advice.replace("{key}", &names.key);
            return Failure::Final(error(format!("{provider} refused ({said}): {advice}.")));
        }
        let rejection = Rejection::of(self.code, &self.message);
        if let Some(rejection) = rejection.filter(|_| self.about == About::Status) {
            let error = rejection.as_error(format!("{provider} refused the request ({said})."));
            return Failure::Refused { rejection, error };
        }
        let last = match (self.about, self.code) {
            (About::Quota, _) => ModelError::Unavailable(format!(
                "{provider}'s quota for the day is used up ({said}): try again tomorrow, or choose \
                 another model."
            )),
            (About::Credit, _) | (_, 402) => ModelError::Unavailable(format!(
                "{provider}'s account has no credit left ({said}): add credit there, or choose \
                 another model."
            )),
            (About::Key, _) | (About::Status, 401 | 403) => {
                let key = &names.key;
                ModelError::Unauthorized(format!(
                    "{provider} refused the key in {key} ({said}): set a valid key and try again."
                ))
            }
            (About::Address, _) | (_, 300..=399) => ModelError::Rejected(format!(
                "{provider} does not answer at this address ({said}): check {}.",
                names.base_url
            )),
            (About::Model, _) | (_, 404) => ModelError::Rejected(format!(
                "{provider} does not know the model {model:?} ({said}): {}.",
                other_models(model, &names.known_models)
            )),
            // 529 is Anthropic's "overloaded".
            (_, 429 | 500 | 502 | 503 | 504 | 529) => {
                let what = match self.code {
                    429 => "wants fewer requests",
                    _ if lower.contains("loading") => "is loading the model",
                    503 | 529 => "is overloaded",
                    _ => "has a problem",
                };
                return Failure::Passing {
                    reason: format!("{provider} {what} ({said})."),
                    asked_delay: self.asked_delay,
                };
            }
            _ => ModelError::Rejected(format!("{provider} refused the request ({said}).")),
        };
        Failure::Final(last)
    }
}

/// The advice for an unknown model.
fn other_models(model: &str, known: &[String]) -> String {
    let likeness = |name: &&String| strsim::jaro_winkler(model, name);
    let mut near: Vec<&String> = known.iter().filter(|name| likeness(name) > 0.8).collect();
    near.sort_by(|one, other| likeness(other).total_cmp(&likeness(one)));
    let near: Vec<&str> = near.into_iter().take(3).map(String::as_str).collect();
    match near.is_empty() {
        true => "choose another model, or set SCENE_LLM_MODEL to one that it lists".to_owned(),
        false => format!(
            "choose another model, e.g. {}, or set SCENE_LLM_MODEL to it",
            near.join(" or ")
        ),
    }
}

/// The text of a body that is not JSON; of an HTML page, the title.
pub(crate) fn plain_text(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let text = text.trim();
    if !text.starts_with('<') {
        return if text.starts_with('{') { String::new() } else { text.to_owned() };
    }
    let lower = text.to_ascii_lowercase();
    let title = lower.find("<title>").and_then(|from| {
        let from = from + "<title>".len();
        Some(text[from..from + lower[from..].find('<')?].trim())
    });
    let title = title.filter(|title| !title.is_empty()).map(|title| format!(" titled {title:?}"));
    format!("a web page{}", title.unwrap_or_default())
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

/// A provider's message, shortened.
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
