//! Which context a request is about, before anything is done with it.

use serde_json::Value;

/// The context that a request's body names, directly or by a task; `None` if it names none.
pub fn context_of(body: &[u8]) -> Option<String> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let params = body.get("params")?;
    let of_task = |id: &str| id.split_once('.').map(|(context, _)| context.to_owned());
    let text = |value: &Value, name: &str| {
        let text = value.get(name)?.as_str()?;
        (!text.is_empty()).then(|| text.to_owned())
    };
    match body.get("method")?.as_str()? {
        "SendMessage" | "SendStreamingMessage" => {
            let message = params.get("message")?;
            text(message, "taskId").map_or_else(|| text(message, "contextId"), |id| of_task(&id))
        }
        "GetTask" | "CancelTask" | "SubscribeToTask" => of_task(&text(params, "id")?),
        "ListTasks" => text(params, "contextId"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_context_is_named_directly_or_by_a_task() {
        let context = |method: &str, params: Value| {
            context_of(json!({ "method": method, "params": params }).to_string().as_bytes())
        };
        let of = |message: Value| context("SendMessage", json!({ "message": message }));
        assert_eq!(of(json!({ "contextId": "a" })).as_deref(), Some("a"));
        assert_eq!(of(json!({ "taskId": "a.b", "contextId": "c" })).as_deref(), Some("a"));
        assert_eq!(of(json!({ "contextId": "", "taskId": "" })), None);
        assert_eq!(context("GetTask", json!({ "id": "a.b" })).as_deref(), Some("a"));
        assert_eq!(context("GetTask", json!({ "id": "ab" })), None);
        assert_eq!(context("ListTasks", json!({ "contextId": "a" })).as_deref(), Some("a"));
        assert_eq!(context("ListTasks", json!({})), None);
        assert_eq!(context_of(b"{"), None);
    }
}
