use super::*;

const MODEL: &str = "claude-sonnet-5-5";

/// A conversation of two answers, each with a thought of its own.
fn case() -> Case {
    let thinking =
        |signature: &str| json!({ "type": "thinking", "thinking": "Hm.", "signature": signature });
    let body = json!({ "model": MODEL, "max_tokens": 32_000, "stream": true,
        "thinking": { "type": "adaptive" }, "output_config": { "effort": "high" },
        "system": [{ "type": "text", "text": "You build.", "cache_control": { "type": "ephemeral" } }],
        "tools": [{ "name": "create_shape", "description": "Adds one.", "input_schema": schema() }],
        "messages": [
            { "role": "user", "content": [{ "type": "text", "text": "A ball" }] },
            { "role": "assistant", "content": [thinking("one"),
                { "type": "tool_use", "id": "toolu_1", "name": "create_shape", "input": { "id": "a" } }] },
            { "role": "user", "content": [{ "type": "tool_result", "tool_use_id": "toolu_1",
                "content": [{ "type": "text", "text": "{}" }] }] },
            { "role": "assistant", "content": [thinking("two"), { "type": "text", "text": "Done." }] },
            { "role": "user", "content": [{ "type": "text", "text": "Thanks" }] },
        ] });
    let mut case = Case::new(Dialect::Anthropic, Form::Messages, body);
    for (signature, end) in [("one", 1), ("two", 3)] {
        let given = thought(MODEL, signature, &case.body, end, &case.issued);
        case.issued.thoughts.push(given);
    }
    case
}

fn blocks(body: &mut Value, message: usize) -> &mut Vec<Value> {
    body["messages"][message]["content"].as_array_mut().unwrap()
}

#[test]
fn thoughts_are_bound_to_what_stood_before_them() {
    let bound =
        "Invalid `signature` in `thinking` block. The block is bound to a different conversation";
    let case = case();
    case.refused(bound, |body| body["system"][0]["text"] = "You build. The scene: a ball.".into());
    case.refused("The `system` prompt differs", |body| body["system"][0]["text"] = "Else.".into());
    case.refused("The `tools` differ", |body| body["tools"][0]["description"] = "Adds two.".into());
    case.refused(bound, |body| body["messages"][0]["content"][0]["text"] = "A cube".into());
    case.refused(bound, |body| blocks(body, 2)[0]["content"][0]["text"] = "{\"x\":1}".into());
    case.refused("block that preceded this one when it was created is missing", |body| {
        blocks(body, 1).remove(0);
    });
    // Marks of the cache may move, and the last thoughts may stay away.
    case.accepted(|body| {
        body["system"][0].as_object_mut().unwrap().remove("cache_control");
        blocks(body, 2)[0]["cache_control"] = json!({ "type": "ephemeral" });
    });
    case.accepted(|body| drop(blocks(body, 3).remove(0)));
    case.accepted(|body| {
        blocks(body, 1).remove(0);
        blocks(body, 3).remove(0);
        body["system"][0]["text"] = "Else.".into();
    });
}

#[test]
fn a_beta_drops_thoughts_of_a_changed_prefix() {
    let mut case = case();
    let drops = |body: &mut Value| {
        body["thinking"]["block_binding"] = json!({ "prefix_mismatch_behavior": "drop_block" });
        body["system"][0]["text"] = "Else.".into();
    };
    case.refused("block_binding: Extra inputs are not permitted", drops);
    case.betas = "thinking-binding-controls-2026-08-01";
    case.accepted(drops);
}

#[test]
fn signatures_are_verified() {
    let case = case();
    case.refused("messages.1.content.0: Invalid `signature` in `thinking` block", |body| {
        blocks(body, 1)[0]["signature"] = "forged".into();
    });
    case.refused("Invalid `signature`", |body| blocks(body, 1)[0]["thinking"] = "Ha.".into());
    case.refused("Invalid `signature`", |body| blocks(body, 1)[0]["signature"] = "".into());
    case.refused("thinking.signature: Field required", |body| {
        blocks(body, 1)[0].as_object_mut().unwrap().remove("signature");
    });
    // Another model leaves them out without an error, whatever stands before.
    case.accepted(|body| {
        body["model"] = "claude-opus-5-5".into();
        body["system"][0]["text"] = "Else.".into();
    });
}

#[test]
fn calls_and_results_pair_and_roles_alternate() {
    let case = case();
    case.refused(
        "`tool_use` ids were found without `tool_result` blocks immediately after: toolu_1",
        |body| {
            blocks(body, 2)[0] = json!({ "type": "text", "text": "quick" });
        },
    );
    case.refused("without `tool_result` blocks immediately after", |body| {
        blocks(body, 2).insert(0, json!({ "type": "text", "text": "quick" }));
    });
    case.refused("unexpected `tool_use_id`", |body| {
        blocks(body, 2)[0]["tool_use_id"] = "toolu_9".into()
    });
    case.refused("single result", |body| {
        let again = blocks(body, 2)[0].clone();
        blocks(body, 2).push(again);
    });
    case.refused("roles must alternate", |body| {
        let more = json!({ "role": "user", "content": "And?" });
        body["messages"].as_array_mut().unwrap().push(more);
    });
    case.refused("does not support assistant message prefill", |body| {
        body["messages"].as_array_mut().unwrap().pop();
    });
    case.refused("first message must use the \"user\" role", |body| {
        body["messages"].as_array_mut().unwrap().remove(0);
    });
    case.refused("ids must be unique", |body| {
        let again = blocks(body, 1)[1].clone();
        blocks(body, 1).push(again);
    });
}

#[test]
fn a_system_message_follows_the_user_on_newer_models() {
    let case = case();
    let add = |at: usize| {
        move |body: &mut Value| {
            let system = json!({ "role": "system", "content": "The scene: a ball." });
            body["messages"].as_array_mut().unwrap().insert(at, system);
        }
    };
    case.accepted(add(5));
    case.refused("must directly follow a user message", add(4));
    case.refused("role 'system' is not supported on this model", |body| {
        add(5)(body);
        body["model"] = "claude-haiku-4-5".into();
    });
}

#[test]
fn blocks_hold_what_they_may() {
    let case = case();
    case.refused("text content blocks must be non-empty", |body| {
        blocks(body, 4)[0]["text"] = "".into()
    });
    case.refused("must contain non-whitespace text", |body| {
        blocks(body, 4)[0]["text"] = " \n".into()
    });
    case.refused("must have non-empty content", |body| body["messages"][4]["content"] = json!([]));
    case.refused("system.0: text content blocks", |body| body["system"][0]["text"] = "".into());
    case.refused("tool_use.id: String should match", |body| {
        blocks(body, 1)[1]["id"] = "create shape:0".into();
        blocks(body, 2)[0]["tool_use_id"] = "create shape:0".into();
    });
    case.refused("tool_use.name: String should match", |body| {
        blocks(body, 1)[1]["name"] = "functions.create_shape".into();
    });
    case.refused("tool_use.input: Input should be an object", |body| {
        blocks(body, 1)[1]["input"] = "{}".into();
    });
    case.refused("must be type `text` if `is_error`", |body| {
        blocks(body, 2)[0]["is_error"] = true.into();
        blocks(body, 2)[0]["content"] = json!([image("image/png", &picture(1))]);
    });
    case.refused("cannot stand in a message of \"user\"", |body| {
        blocks(body, 4).push(json!({ "type": "image_url" }));
    });
    case.refused("messages.4.content.0.thought: Extra inputs", |body| {
        blocks(body, 4)[0]["thought"] = true.into();
    });
    case.refused("top_n: Extra inputs are not permitted", |body| body["top_n"] = 1.into());
}

fn image(kind: &str, data: &str) -> Value {
    json!({ "type": "image", "source": { "type": "base64", "media_type": kind, "data": data } })
}

#[test]
fn pictures_are_bounded() {
    let case = case();
    let with = |count: usize, kind: &'static str, data: String| {
        move |body: &mut Value| {
            body["messages"][4]["content"] = (0..count).map(|_| image(kind, &data)).collect();
        }
    };
    case.accepted(with(20, "image/png", picture(3_000)));
    case.refused("max allowed size: 2000 pixels", with(21, "image/png", picture(3_000)));
    case.refused("max allowed size: 8000 pixels", with(1, "image/png", picture(8_001)));
    case.refused("Too much media: 601 > 600", with(601, "image/png", picture(1)));
    case.refused("appears to be a image/png image", with(1, "image/jpeg", picture(1)));
    case.refused("Input should be 'image/jpeg'", with(1, "image/svg+xml", picture(1)));
    case.refused("Could not decode base64", with(1, "image/png", "?".into()));
    case.refused("exceeds 5 MB", with(1, "image/png", "AAAA".repeat(1_400_000)));
}

#[test]
fn at_most_four_marks_stand_where_they_may() {
    let case = case();
    let mark = || json!({ "type": "ephemeral" });
    case.refused("A maximum of 4 blocks with cache_control may be provided. Found 5", |body| {
        body["tools"][0]["cache_control"] = mark();
        for (message, block) in [(0, 0), (1, 1), (4, 0)] {
            blocks(body, message)[block]["cache_control"] = mark();
        }
    });
    case.refused("thinking.cache_control: Extra inputs", |body| {
        blocks(body, 1)[0]["cache_control"] = mark()
    });
    case.refused("cannot be set for empty text", |body| {
        blocks(body, 4)[0] = json!({ "type": "text", "text": "", "cache_control": mark() });
    });
    case.refused("must not come after a ttl='5m'", |body| {
        blocks(body, 4)[0]["cache_control"] = json!({ "type": "ephemeral", "ttl": "1h" });
    });
    case.refused("Input should be 'ephemeral'", |body| {
        blocks(body, 4)[0]["cache_control"] = json!({ "type": "ephemeral", "ttl": "1d" });
    });
}

#[test]
fn thinking_effort_and_length_are_those_of_the_model() {
    let case = case();
    case.refused("max_tokens: Field required", |body| {
        body.as_object_mut().unwrap().remove("max_tokens");
    });
    case.refused("max_tokens: 200000 > 128000, which is the maximum", |body| {
        body["max_tokens"] = 200_000.into();
    });
    case.refused("\"thinking.type.enabled\" is not supported", |body| {
        body["thinking"] = json!({ "type": "enabled", "budget_tokens": 2_000 });
    });
    case.refused("\"thinking.type.disabled\" is not supported", |body| {
        body["thinking"] = json!({ "type": "disabled" });
    });
    case.refused("'output_config.effort' does not support 'minimal'", |body| {
        body["output_config"]["effort"] = "minimal".into();
    });
    case.refused("may only be set to 1", |body| body["temperature"] = json!(0.5));
    case.refused("forces tool use", |body| body["tool_choice"] = json!({ "type": "any" }));
    let older = |thinking: Value| {
        move |body: &mut Value| {
            body["model"] = "claude-haiku-4-5".into();
            body["thinking"] = thinking;
            body.as_object_mut().unwrap().remove("output_config");
        }
    };
    case.accepted(older(json!({ "type": "enabled", "budget_tokens": 2_000 })));
    case.refused("\"thinking.type.adaptive\"", older(json!({ "type": "adaptive" })));
    case.refused(
        "greater than or equal to 1024",
        older(json!({ "type": "enabled", "budget_tokens": 10 })),
    );
    let much = json!({ "type": "enabled", "budget_tokens": 40_000 });
    case.refused("must be greater than `thinking.budget_tokens`", older(much));
    case.refused("does not support the effort parameter", |body| {
        older(json!({ "type": "enabled", "budget_tokens": 2_000 }))(body);
        body["output_config"] = json!({ "effort": "low" });
    });
    case.refused("must start with a thinking block", |body| {
        older(json!({ "type": "enabled", "budget_tokens": 2_000 }))(body);
        body["messages"].as_array_mut().unwrap().truncate(3);
        blocks(body, 1).remove(0);
    });
}

#[test]
fn tools_have_names_and_schemas() {
    let case = case();
    case.refused("tools.0.custom.name: String should match pattern", |body| {
        body["tools"][0]["name"] = "functions.create".into();
    });
    case.refused("input_schema.type: Field required", |body| {
        body["tools"][0]["input_schema"] = json!({ "properties": {} });
    });
    case.refused("does not support oneOf", |body| {
        body["tools"][0]["input_schema"]["oneOf"] = json!([]);
    });
    case.refused("Tool names must be unique", |body| {
        let again = body["tools"][0].clone();
        body["tools"].as_array_mut().unwrap().push(again);
    });
    case.refused("tools.0.custom.parameters: Extra inputs", |body| {
        body["tools"][0]["parameters"] = json!({});
    });
}

#[test]
fn a_prompt_longer_than_the_window_is_refused() {
    let mut case = case();
    case.window = Some(1_000);
    case.refused("tokens > 1000 maximum", |body| blocks(body, 4)[0]["text"] = flood(1_000).into());
}
