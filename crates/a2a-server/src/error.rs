//! Errors of JSON-RPC and of A2A, with `google.rpc.ErrorInfo` for those of A2A.

use serde_json::{Value, json};
use session::{OpenError, SessionError};

/// An error for the client's agent.
#[derive(Debug)]
pub(crate) struct A2aError {
    kind: Kind,
    message: String,
}

/// What kind of error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Parse,
    InvalidRequest,
    UnknownMethod,
    InvalidParams,
    Internal,
    TaskNotFound,
    TaskNotCancelable,
    PushNotificationNotSupported,
    UnsupportedOperation,
    ContentTypeNotSupported,
    VersionNotSupported,
}

impl Kind {
    /// Its number and, for errors of A2A, its reason.
    fn coded(self) -> (i32, Option<&'static str>) {
        match self {
            Self::Parse => (-32_700, None),
            Self::InvalidRequest => (-32_600, None),
            Self::UnknownMethod => (-32_601, None),
            Self::InvalidParams => (-32_602, None),
            Self::Internal => (-32_603, None),
            Self::TaskNotFound => (-32_001, Some("TASK_NOT_FOUND")),
            Self::TaskNotCancelable => (-32_002, Some("TASK_NOT_CANCELABLE")),
            Self::PushNotificationNotSupported => {
                (-32_003, Some("PUSH_NOTIFICATION_NOT_SUPPORTED"))
            }
            Self::UnsupportedOperation => (-32_004, Some("UNSUPPORTED_OPERATION")),
            Self::ContentTypeNotSupported => (-32_005, Some("CONTENT_TYPE_NOT_SUPPORTED")),
            Self::VersionNotSupported => (-32_009, Some("VERSION_NOT_SUPPORTED")),
        }
    }
}

impl A2aError {
    pub(crate) fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, message: scene::visible(message.into()) }
    }

    pub(crate) fn params(message: impl Into<String>) -> Self {
        Self::new(Kind::InvalidParams, message)
    }

    pub(crate) fn no_task(id: &str) -> Self {
        let id: String = id.chars().take(100).collect();
        Self::new(Kind::TaskNotFound, format!("there is no task '{id}'"))
    }

    /// The `error` of a response.
    pub(crate) fn to_json(&self) -> Value {
        let (code, reason) = self.kind.coded();
        let mut error = json!({ "code": code, "message": self.message });
        if let Some(reason) = reason {
            error["data"] = json!([{
                "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                "reason": reason,
                "domain": "a2a-protocol.org",
                "metadata": { "detail": self.message },
            }]);
        }
        error
    }
}

impl From<SessionError> for A2aError {
    fn from(error: SessionError) -> Self {
        let kind = match error {
            SessionError::BadMessage(_) => Kind::InvalidParams,
            _ => Kind::Internal,
        };
        Self::new(kind, error.to_string())
    }
}

impl From<OpenError> for A2aError {
    fn from(error: OpenError) -> Self {
        Self::new(Kind::Internal, error.to_string())
    }
}
