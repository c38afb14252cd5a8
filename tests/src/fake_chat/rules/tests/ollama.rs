use super::*;
use crate::fake_chat::truncate::lost;

fn case() -> Case {
    let body = json!({ "model": "qwen3.5:9b", "stream": true, "think": true,
        "options": { "num_ctx": 32_768 },
        "tools": [{ "type": "function", "function": { "name": "create_shape", "description": "Adds one.",
                    "parameters": schema() } }],
        "messages": [
            { "role": "system", "content": "You build." },
            { "role": "user", "content": "A ball", "images": [picture(1)] },
            { "role": "assistant", "content": "", "thinking": "Hm.", "tool_calls": [
                { "function": { "name": "create_shape", "arguments": { "id": "a" } } }] },
            { "role": "tool", "tool_name": "create_shape", "content": "{}" },
        ] });
    Case::new(Dialect::Ollama, Form::Ollama, body)
}

#[test]
fn types_are_those_of_the_provider() {
    let case = case();
    case.refused("cannot unmarshal string into Go struct field", |body| {
        body["messages"][2]["tool_calls"][0]["function"]["arguments"] = "{\"id\":\"a\"}".into();
    });
    case.refused("messages.content of type string", |body| {
        body["messages"][1]["content"] = json!([{ "type": "text", "text": "A ball" }]);
    });
    case.refused("illegal base64", |body| {
        body["messages"][1]["images"][0] = "data:image/png;base64,AAAA".into();
    });
    case.refused("'max_tokens'", |body| body["max_tokens"] = 5.into());
    case.refused("'options.num_context'", |body| body["options"]["num_context"] = 5.into());
    case.refused("\"num_ctx\" must be of type integer", |body| {
        body["options"]["num_ctx"] = "32k".into()
    });
    case.refused("invalid think value", |body| body["think"] = "xhigh".into());
    case.refused("a result without its tool's name", |body| {
        body["messages"][3].as_object_mut().unwrap().remove("tool_name");
    });
    case.refused("a result without a call", |body| body["messages"][2]["tool_calls"] = json!([]));
}

#[test]
fn models_refuse_what_they_cannot_do() {
    let case = case();
    case.refused("does not support chat", |body| body["model"] = "nomic-embed-text:latest".into());
    case.refused("does not support tools", |body| body["model"] = "gemma2:2b".into());
    case.refused("\"llama3.2:3b\" does not support thinking", |body| {
        body["model"] = "llama3.2:3b".into()
    });
    case.refused("missing data required for image input", |body| {
        body["model"] = "gpt-oss:20b".into()
    });
    case.refused("model 'none' not found", |body| body["model"] = "none".into());
}

#[test]
fn what_does_not_fit_the_context_falls_off_the_front_without_a_word() {
    let mut body = case().body;
    assert_eq!(lost(&body), 0);
    body["options"] = json!({});
    body["messages"][1]["content"] = flood(6_000).into();
    assert_eq!(lost(&body), 1, "the default context is 4096");
    assert!(case().said(&body).is_empty(), "and nobody is told");
    body["options"]["num_ctx"] = 16_384.into();
    assert_eq!(lost(&body), 0);
    body["tools"][0]["function"]["description"] = flood(20_000).into();
    assert_eq!(lost(&body), 2, "all but the system's and the last message");
}
