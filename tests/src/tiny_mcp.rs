//! A tiny MCP server: enough of the protocol for a client that lists and calls tools.

use serde_json::{Value, json};

/// What the server answers to `message`; nothing to a notification.
pub fn answer(message: &Value) -> Option<Value> {
    let id = message.get("id")?;
    let params = &message["params"];
    let result = match message["method"].as_str()? {
        "initialize" => json!({
            "protocolVersion": params["protocolVersion"],
            "capabilities": { "tools": {} },
            "serverInfo": { "name": "tiny", "version": "1" },
        }),
        "ping" => json!({}),
        "tools/list" => json!({ "tools": [
            { "name": "add", "description": "Adds two numbers.",
              "inputSchema": { "type": "object", "properties": {
                  "a": { "type": "number" }, "b": { "type": "number" } } } },
            { "name": "picture", "description": "Shows a pixel.",
              "inputSchema": { "type": "object" }, "annotations": { "readOnlyHint": true } },
            { "name": "fail", "inputSchema": { "type": "object" } } ] }),
        "tools/call" => call(params),
        _ => {
            let error = json!({ "code": -32601, "message": "Method not found" });
            return Some(json!({ "jsonrpc": "2.0", "id": id, "error": error }));
        }
    };
    Some(json!({ "jsonrpc": "2.0", "id": id, "result": result }))
}

fn call(params: &Value) -> Value {
    let text = |text: String| json!({ "type": "text", "text": text });
    match params["name"].as_str().unwrap_or_default() {
        "add" => {
            let number = |name: &str| params["arguments"][name].as_f64().unwrap_or(0.0);
            json!({ "content": [text((number("a") + number("b")).to_string())] })
        }
        "picture" => json!({ "content": [
            { "type": "image", "mimeType": "image/png", "data": "iVBORw0KGgo=" } ] }),
        _ => json!({ "content": [text("no such luck".into())], "isError": true }),
    }
}
