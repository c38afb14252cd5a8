use reqwest::header::RETRY_AFTER;
use serde_json::json;

use super::super::NAMES;
use super::*;
use crate::model::ModelError;
use crate::retry::Failure;

fn from_http(status: u16, body: &Value) -> ApiError {
    super::from_http(status, &HeaderMap::new(), body.to_string().as_bytes())
}

fn failure(error: &ApiError, model: &str) -> Failure {
    error.clone().into_failure(NAMES, model)
}

fn final_error(error: &ApiError) -> ModelError {
    match failure(error, "gemini-3.8-flash") {
        Failure::Final(error) => error,
        passing => panic!("{passing:?}"),
    }
}

#[test]
fn a_refused_key_is_named_by_its_variable() {
    let invalid = json!({ "error": { "code": 400, "message": "API key not valid.",
        "status": "INVALID_ARGUMENT", "details": [{ "reason": "API_KEY_INVALID" }] } });
    for error in [
        from_http(400, &invalid),
        from_http(401, &json!({})),
        from_http(403, &json!([{ "error": { "message": "no" } }])),
    ] {
        let ModelError::Unauthorized(text) = final_error(&error) else { panic!("{error:?}") };
        assert!(text.contains("GEMINI_API_KEY"), "{text}");
        assert!(text.ends_with("set a valid key and try again."), "{text}");
    }
}

#[test]
fn an_unknown_model_is_named_with_its_setting() {
    let ModelError::Rejected(text) = final_error(&from_http(404, &json!({}))) else { panic!() };
    assert!(text.contains("gemini-3.8-flash") && text.contains("SCENE_LLM_MODEL"), "{text}");
}

#[test]
fn other_refusals_tell_what_the_provider_said() {
    let error = from_http(400, &json!({ "error": { "code": 400, "message": "Name is bad." } }));
    assert_eq!(
        final_error(&error),
        ModelError::Rejected("The Gemini API refused the request (HTTP 400: Name is bad).".into())
    );
    let page = super::from_http(418, &HeaderMap::new(), b"<html>teapot</html>");
    let told = final_error(&page).to_string();
    assert!(told.contains("a web page") && !told.contains('<'), "{told}");
    let titled = super::from_http(502, &HeaderMap::new(), b"<html><title>Bad Gateway</title>..");
    let Failure::Passing { reason, .. } = failure(&titled, "m") else { panic!() };
    assert!(reason.contains("a web page titled \"Bad Gateway\""), "{reason}");
}

#[test]
fn overload_is_asked_again_after_the_delay_it_states() {
    let body = json!({ "error": { "code": 429, "message": "Slow down", "status": "RESOURCE_EXHAUSTED",
        "details": [
            { "@type": "type.googleapis.com/google.rpc.QuotaFailure",
              "violations": [{ "quotaId": "GenerateRequestsPerMinutePerProjectPerModel-FreeTier" }] },
            { "@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.4s" } ] } });
    assert_eq!(
        failure(&from_http(429, &body), "m"),
        Failure::Passing {
            reason: "The Gemini API wants fewer requests (HTTP 429: Slow down).".into(),
            asked_delay: Some(Duration::from_millis(34_400)),
        }
    );
    let headers = HeaderMap::from_iter([(RETRY_AFTER, "7".parse().unwrap())]);
    for status in [429, 500, 502, 503, 504] {
        let error = super::from_http(status, &headers, b"");
        let Failure::Passing { asked_delay, .. } = failure(&error, "m") else { panic!("{status}") };
        assert_eq!(asked_delay, Some(Duration::from_secs(7)));
    }
}

#[test]
fn a_quota_per_day_is_final() {
    let error = from_http(
        429,
        &json!({ "error": { "code": 429, "message": "m", "details": [
        { "violations": [{ "quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier" }] },
        { "retryDelay": "5s" } ] } }),
    );
    assert!(matches!(final_error(&error), ModelError::Unavailable(text) if text.contains("day")));
}

#[test]
fn durations_are_not_negative() {
    assert_eq!(duration("-1s"), None);
    assert_eq!(duration("NaNs"), None);
}
