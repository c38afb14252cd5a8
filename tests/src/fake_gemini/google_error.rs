//! Google's error format.

use serde_json::{Value, json};

/// `{"error": {"code", "message", "status", "details"}}`.
pub(super) fn body(code: u16, status: &str, message: &str, details: &[Value]) -> Value {
    json!({ "error": { "code": code, "message": message, "status": status, "details": details } })
}

/// The canonical status of an HTTP code.
pub(super) fn status_of(code: u16) -> &'static str {
    match code {
        400 => "INVALID_ARGUMENT",
        401 => "UNAUTHENTICATED",
        403 => "PERMISSION_DENIED",
        404 => "NOT_FOUND",
        429 => "RESOURCE_EXHAUSTED",
        500 => "INTERNAL",
        503 => "UNAVAILABLE",
        504 => "DEADLINE_EXCEEDED",
        _ => "UNKNOWN",
    }
}

/// `google.rpc.ErrorInfo`.
pub(super) fn error_info(reason: &str) -> Value {
    json!({ "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason,
            "domain": "googleapis.com" })
}

/// `google.rpc.RetryInfo`; `delay` like `34.4s`.
pub(super) fn retry_info(delay: &str) -> Value {
    json!({ "@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay })
}

/// `google.rpc.QuotaFailure`.
pub(super) fn quota_failure(quota_id: &str) -> Value {
    json!({ "@type": "type.googleapis.com/google.rpc.QuotaFailure",
            "violations": [{ "quotaId": quota_id }] })
}
