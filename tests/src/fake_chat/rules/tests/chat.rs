use super::*;

fn body(model: &str, id: &str) -> Value {
    json!({ "model": model, "stream": true,
        "tools": [{ "type": "function", "function": { "name": "create_shape", "description": "Adds one.",
                    "parameters": schema() } }],
        "messages": [
            { "role": "system", "content": "You build." },
            { "role": "user", "content": "A ball" },
            { "role": "assistant", "content": "Yes.", "tool_calls": [{ "id": id, "type": "function",
                "function": { "name": "create_shape", "arguments": "{\"id\":\"a\"}" } }] },
            { "role": "tool", "tool_call_id": id, "content": "{}" },
        ] })
}

fn openai() -> Case {
    let mut body = body("gpt-4o-mini", "call_1");
    body["stream_options"] = json!({ "include_usage": true });
    Case::new(Dialect::OpenAi, Form::Chat, body)
}

fn image(mime_type: &str, data: &str) -> Value {
    let url = format!("data:{mime_type};base64,{data}");
    json!([{ "type": "text", "text": "Look" }, { "type": "image_url", "image_url": { "url": url } }])
}

#[test]
fn openai_refuses_fields_and_models_it_does_not_know() {
    let case = openai();
    case.refused("Unknown parameter: 'top_k'", |body| body["top_k"] = 1.into());
    case.refused("'stream_options.include_thoughts'", |body| {
        body["stream_options"]["include_thoughts"] = true.into();
    });
    case.refused("'messages.2.reasoning_content'", |body| {
        body["messages"][2]["reasoning_content"] = "hm".into();
    });
    case.refused("`gpt-9` does not exist", |body| body["model"] = "gpt-9".into());
    case.refused("not a chat model", |body| body["model"] = "text-embedding-3-small".into());
    case.refused("could not parse", |body| *body = json!([]));
}

#[test]
fn openai_refuses_efforts_by_model() {
    let case = openai();
    case.refused("Unsupported parameter: 'reasoning_effort'", |body| {
        body["reasoning_effort"] = "low".into();
    });
    case.refused("'reasoning_effort' does not support 'none' with this model", |body| {
        body["model"] = "gpt-6-astra".into();
        body["reasoning_effort"] = "none".into();
    });
    case.refused("use /v1/responses", |body| body["model"] = "gpt-5.5".into());
    case.refused("use /v1/responses", |body| {
        body["model"] = "gpt-5.5".into();
        body["reasoning_effort"] = "low".into();
    });
    let with = |more: Value| {
        move |body: &mut Value| {
            body["model"] = "gpt-5.5".into();
            body["reasoning_effort"] = "none".into();
            body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        }
    };
    case.accepted(with(json!({})));
    case.refused("Use 'max_completion_tokens'", with(json!({ "max_tokens": 10 })));
    case.refused("'temperature' does not support", with(json!({ "temperature": 0.5 })));
}

#[test]
fn openai_refuses_tools_it_cannot_read() {
    let case = openai();
    for name in ["", "two words", "functions.create", "größe", &"x".repeat(65)] {
        case.refused("does not match pattern", |body| {
            body["tools"][0]["function"]["name"] = name.into();
        });
        case.refused("Invalid tool call", |body| {
            body["messages"][2]["tool_calls"][0]["function"]["name"] = name.into();
        });
    }
    case.refused("Duplicate tool name", |body| {
        let again = body["tools"][0].clone();
        body["tools"].as_array_mut().unwrap().push(again);
    });
    case.refused("array of 1 to 128 tools", |body| body["tools"] = json!([]));
    let parameters = |why: &str, schema: Value| {
        case.refused(why, |body| body["tools"][0]["function"]["parameters"] = schema);
    };
    parameters("schema must be a JSON Schema of 'type: \"object\"'", json!({ "type": "array" }));
    parameters("object schema missing properties", json!({ "type": "object" }));
    parameters("'oneOf'/'anyOf'", json!({ "type": "object", "properties": {}, "anyOf": [] }));
    let array = json!({ "type": "object", "properties": { "at": { "type": "array" } } });
    parameters("array schema missing items", array);
    let kind = json!({ "type": "object", "properties": { "at": { "type": "text" } } });
    parameters("not valid under any of the given schemas", kind);
    let nested = json!({ "type": "object", "properties": { "at": { "enum": [] } } });
    parameters("'enum' must not be empty", nested);
}

#[test]
fn openai_wants_each_call_answered_at_once_and_by_its_id() {
    let case = openai();
    case.refused("did not have response messages: call_1", |body| {
        body["messages"].as_array_mut().unwrap().pop();
    });
    case.refused("did not have response messages: call_1", |body| {
        let user = json!({ "role": "user", "content": "quick" });
        body["messages"].as_array_mut().unwrap().insert(3, user);
    });
    case.refused("must be a response to a preceeding message", |body| {
        body["messages"][3]["tool_call_id"] = "call_2".into();
    });
    case.refused("is not found", |body| {
        let long = "x".repeat(41);
        body["messages"][2]["tool_calls"][0]["id"] = long.clone().into();
        body["messages"][3]["tool_call_id"] = long.into();
    });
    for arguments in ["", "null", "[]", "\"{}\"", "{\"id\""] {
        case.refused("must be a JSON object in a string", |body| {
            body["messages"][2]["tool_calls"][0]["function"]["arguments"] = arguments.into();
        });
    }
    case.refused("either content or tool_calls", |body| {
        body["messages"]
            .as_array_mut()
            .unwrap()
            .push(json!({ "role": "assistant", "content": "" }));
    });
    case.refused("empty array", |body| {
        let empty = json!({ "role": "assistant", "content": "Hi.", "tool_calls": [] });
        body["messages"].as_array_mut().unwrap().push(empty);
    });
    case.refused("Invalid value: 'function'", |body| {
        body["messages"][1]["role"] = "function".into()
    });
}

#[test]
fn pictures_stand_in_user_messages_in_known_types_and_numbers() {
    let case = openai();
    let tiny = picture(1);
    case.accepted(|body| body["messages"][1]["content"] = image("image/png", &tiny));
    case.refused("only allowed for messages with role 'user'", |body| {
        body["messages"][3]["content"] = image("image/png", &tiny);
    });
    case.refused("unsupported image", |body| {
        body["messages"][1]["content"] = image("image/bmp", &tiny);
    });
    case.refused("Invalid content part", |body| {
        body["messages"][1]["content"] = image("image/png", "no base64");
    });
    let mut groq = Case::new(Dialect::Groq, Form::Chat, body("openai/gpt-oss-120b", "call_1"));
    groq.body["model"] = "meta-llama/llama-4-scout-17b-16e-instruct".into();
    groq.refused("up to 5 images", |body| {
        body["messages"][1]["content"] =
            (0..6).map(|_| image("image/png", &tiny)[1].clone()).collect();
    });
}

#[test]
fn a_model_without_eyes_refuses_pictures_in_its_providers_words() {
    for (dialect, model, why) in [
        (Dialect::DeepSeek, "deepseek-v4-pro", "unknown variant `image_url`, expected `text`"),
        (Dialect::OpenRouter, "qwen/qwen3-coder", "No endpoints found that support image input"),
        (Dialect::LlamaCpp, "qwen3-8b-q4_k_m.gguf", "image input is not supported"),
        (Dialect::Groq, "openai/gpt-oss-120b", "content must be a string"),
        (Dialect::Kimi, "kimi-k2-turbo", "Image input not supported"),
        (Dialect::Mistral, "devstral-latest", "Image input is not enabled"),
    ] {
        let said = json!({ "model": model, "messages": [{ "role": "user", "content": "A ball" }] });
        let case = Case::new(dialect, Form::Chat, said);
        case.refused(why, |body| body["messages"][0]["content"] = image("image/png", &picture(1)));
    }
}

#[test]
fn a_model_without_tools_refuses_them() {
    let mut case = Case::new(Dialect::OpenRouter, Form::Chat, body("qwen/qwen3-coder", "call_1"));
    case.refused("No endpoints found that support tool use", |body| {
        body["model"] = "gryphe/mythomax-l2-13b".into();
    });
    case.body["model"] = "z-ai/glm-5".into();
    case.accepted(|body| body["anything"] = 1.into());
}

#[test]
fn what_is_longer_than_the_window_is_refused_in_the_providers_words() {
    for (dialect, model, why) in [
        (Dialect::OpenAi, "gpt-4o-mini", "maximum context length is 100 tokens"),
        (Dialect::Mistral, "mistral-large-latest", "too large for model with 100 maximum"),
        (Dialect::LlamaCpp, "qwen3-8b-q4_k_m.gguf", "exceeds the available context size"),
        (Dialect::Kimi, "kimi-k2.6", "exceeded model token limit"),
        (Dialect::Groq, "openai/gpt-oss-120b", "reduce the length of the messages"),
        (Dialect::OpenRouter, "z-ai/glm-5", "maximum context length is 100 tokens"),
        (Dialect::DeepSeek, "deepseek-v4-pro", "maximum context length is 100 tokens"),
    ] {
        let said = json!({ "model": model, "messages": [{ "role": "user", "content": "A ball" }] });
        let mut case = Case::new(dialect, Form::Chat, said);
        case.window = Some(100);
        case.refused(why, |body| body["messages"][0]["content"] = flood(100).into());
    }
}

#[test]
fn mistral_takes_no_user_right_after_a_tool_and_ids_of_nine() {
    let case = Case::new(Dialect::Mistral, Form::Chat, body("mistral-large-latest", "abcDEF123"));
    case.refused("Unexpected role 'user' after role 'tool'", |body| {
        body["messages"].as_array_mut().unwrap().push(json!({ "role": "user", "content": "And?" }));
    });
    for id in ["call_1", "abcDEF12", "abcDEF_12", "create_shape:0"] {
        case.refused("with a length of 9", |body| {
            body["messages"][2]["tool_calls"][0]["id"] = id.into();
            body["messages"][3]["tool_call_id"] = id.into();
        });
    }
    case.refused("Expected last role User or Tool", |body| {
        let done = json!({ "role": "assistant", "content": "Done." });
        body["messages"].as_array_mut().unwrap().push(done);
    });
    for field in ["stream_options", "max_completion_tokens", "user"] {
        case.refused("Extra inputs are not permitted", |body| body[field] = json!({}));
    }
    case.refused("messages.2.reasoning_content: Extra inputs", |body| {
        body["messages"][2]["reasoning_content"] = "hm".into();
    });
}

#[test]
fn deepseek_and_kimi_want_their_thoughts_back() {
    let mut case = Case::new(Dialect::DeepSeek, Form::Chat, body("deepseek-v4-pro", "call_1"));
    case.body["messages"][2]["reasoning_content"] = "Hm.".into();
    case.issued.calls.push(call("call_1", None, true));
    let why = "`reasoning_content` in the thinking mode must be passed back";
    let without = |body: &mut Value| {
        body["messages"][2].as_object_mut().unwrap().remove("reasoning_content");
    };
    case.refused(why, without);
    case.refused(why, |body| body["messages"][2]["reasoning_content"] = "".into());
    // Also before the last words of the user, and on answers without calls.
    let later = |body: &mut Value| {
        let done = json!({ "role": "assistant", "content": "Done.", "reasoning_content": "" });
        let more = [done, json!({ "role": "user", "content": "And a cube" })];
        body["messages"].as_array_mut().unwrap().extend(more);
    };
    case.accepted(later);
    case.refused(why, |body| {
        later(body);
        without(body);
    });
    case.refused(why, |body| {
        later(body);
        body["messages"][4].as_object_mut().unwrap().remove("reasoning_content");
    });
    case.accepted(|body| {
        body["thinking"] = json!({ "type": "disabled" });
        without(body);
    });

    let mut kimi = Case::new(Dialect::Kimi, Form::Chat, body("kimi-k2.6", "create_shape:0"));
    kimi.body["messages"][2]["reasoning_content"] = "Hm.".into();
    kimi.issued.calls.push(call("create_shape:0", None, true));
    kimi.refused("reasoning_content is missing in assistant tool call message at index 2", without);
    kimi.refused("is not found", |body| {
        body["messages"][2]["tool_calls"][0]["id"] = "call_0".into();
        body["messages"][3]["tool_call_id"] = "call_0".into();
    });
}

#[test]
fn groq_knows_reasoning_by_another_name() {
    let case = Case::new(Dialect::Groq, Form::Chat, body("openai/gpt-oss-120b", "call_1"));
    case.accepted(|body| body["messages"][2]["reasoning"] = "hm".into());
    case.refused("property 'messages.2.reasoning_content' is unsupported", |body| {
        body["messages"][2]["reasoning_content"] = "hm".into();
    });
    case.refused("does not support 'none'", |body| body["reasoning_effort"] = "none".into());
}

#[test]
fn a_local_template_wants_roles_to_alternate() {
    let case = Case::new(Dialect::LlamaCpp, Form::Chat, body("qwen3-8b-q4_k_m.gguf", "call_1"));
    case.refused("Conversation roles must alternate", |body| {
        let user = json!({ "role": "user", "content": "And?" });
        body["messages"].as_array_mut().unwrap().insert(1, user);
    });
}
