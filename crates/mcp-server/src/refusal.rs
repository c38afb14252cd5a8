//! Requests that cannot be answered: of methods that there are not, or of another form than their method has.

use rmcp::model::{
    CallToolRequestParams, CustomRequest, ErrorCode, ErrorData, GetPromptRequestParams,
    InitializeRequestParams, PaginatedRequestParams, ReadResourceRequestParams,
    SubscribeRequestParams, UnsubscribeRequestParams,
};
use scene::form;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Methods that take parameters, or may.
const METHODS: [&str; 9] = [
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "resources/subscribe",
    "resources/unsubscribe",
    "prompts/list",
    "prompts/get",
];

/// The error for a request that was read as that of no known method.
pub(crate) fn refusal(request: &CustomRequest) -> ErrorData {
    let params = request.params.clone().unwrap_or_else(|| json!({}));
    let wrong = match &*request.method {
        "tools/call" => wrong::<CallToolRequestParams>(&params),
        "resources/read" => wrong::<ReadResourceRequestParams>(&params),
        "resources/subscribe" => wrong::<SubscribeRequestParams>(&params),
        "resources/unsubscribe" => wrong::<UnsubscribeRequestParams>(&params),
        "prompts/get" => wrong::<GetPromptRequestParams>(&params),
        "initialize" => wrong::<InitializeRequestParams>(&params),
        name if METHODS.contains(&name) => wrong::<PaginatedRequestParams>(&params),
        other => {
            let name: String = other.chars().take(100).collect();
            let known = METHODS.join(", ");
            let message = format!("there is no method '{name}'; the methods are {known}");
            return ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None);
        }
    };
    let message = format!("the params of {}: {wrong}", request.method);
    ErrorData::invalid_params(message, None)
}

fn wrong<T: DeserializeOwned>(params: &Value) -> String {
    if !params.is_object() {
        return "they must be an object".into();
    }
    form::from_value::<T>(params).err().unwrap_or_else(|| "they have not its form".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(method: &str, params: Option<Value>, code: ErrorCode, said: &str) {
        let error = refusal(&CustomRequest::new(method, params));
        assert_eq!((error.code, &*error.message), (code, said));
    }

    #[test]
    fn what_is_wrong_is_told() {
        let code = ErrorCode::INVALID_PARAMS;
        check("tools/call", None, code, "the params of tools/call: 'name' is missing");
        check(
            "tools/call",
            Some(json!({ "name": 42 })),
            code,
            "the params of tools/call: 'name' must be a text, got 42",
        );
        check(
            "tools/call",
            Some(json!([])),
            code,
            "the params of tools/call: they must be an object",
        );
        check(
            "resources/read",
            Some(json!({})),
            code,
            "the params of resources/read: 'uri' is missing",
        );
    }

    #[test]
    fn a_method_that_there_is_not_is_named_with_those_that_there_are() {
        let error = refusal(&CustomRequest::new("dance", None));
        assert_eq!(error.code, ErrorCode::METHOD_NOT_FOUND);
        assert!(
            error.message.starts_with("there is no method 'dance'; the methods are tools/list")
        );
    }
}
