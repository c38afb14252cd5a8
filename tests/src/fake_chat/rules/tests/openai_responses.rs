use super::*;

fn case() -> Case {
    let body = json!({ "model": "gpt-5.5", "stream": true, "store": false,
        "include": ["reasoning.encrypted_content"], "reasoning": { "effort": "low", "summary": "auto" },
        "instructions": "You build.",
        "tools": [{ "type": "function", "name": "create_shape", "description": "Adds one.",
                    "parameters": schema(), "strict": false }],
        "input": [
            { "role": "user", "content": [{ "type": "input_text", "text": "A ball" }] },
            { "type": "reasoning", "id": "rs_0", "summary": [{ "type": "summary_text", "text": "Hm." }],
              "encrypted_content": "gAAA" },
            { "type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "create_shape",
              "arguments": "{\"id\":\"a\"}" },
            { "type": "function_call_output", "call_id": "call_1", "output": "{}" },
            { "type": "message", "role": "assistant", "id": "msg_2", "status": "completed",
              "content": [{ "type": "output_text", "text": "Done.", "annotations": [] }] },
            { "role": "user", "content": "Thanks" },
        ] });
    let mut case = Case::new(Dialect::OpenAi, Form::Responses, body);
    case.issued.reasoning.push(("rs_0".into(), "gAAA".into()));
    case.issued.calls.push(call("call_1", Some("rs_0"), true));
    case
}

fn input(body: &mut Value) -> &mut Vec<Value> {
    body["input"].as_array_mut().unwrap()
}

#[test]
fn a_call_needs_the_reasoning_before_it_and_that_needs_its_call() {
    let case = case();
    case.accepted(|body| {
        for item in input(body) {
            item.as_object_mut().unwrap().remove("id");
        }
    });
    case.refused("without its required 'reasoning' item: 'rs_0'", |body| {
        drop(input(body).remove(1))
    });
    case.refused("without its required following item", |body| {
        input(body).truncate(2);
        input(body).push(json!({ "role": "user", "content": "Stop" }));
    });
    case.refused("could not be verified", |body| {
        body["input"][1]["encrypted_content"] = "gBBB".into()
    });
    case.refused("Items are not persisted when `store` is set to false", |body| {
        body["input"][1].as_object_mut().unwrap().remove("encrypted_content");
    });
    case.accepted(|body| {
        body["input"][1].as_object_mut().unwrap().remove("encrypted_content");
        body["store"] = true.into();
    });
    case.refused("Missing required parameter: 'input[1].summary'", |body| {
        body["input"][1].as_object_mut().unwrap().remove("summary");
    });
}

#[test]
fn a_model_that_does_not_reason_takes_no_reasoning() {
    let mut case = case();
    case.refused("only be provided to a reasoning", |body| body["model"] = "gpt-4o-mini".into());
    input(&mut case.body).remove(1);
    for field in ["reasoning", "include"] {
        case.body.as_object_mut().unwrap().remove(field);
    }
    case.body["model"] = "gpt-4o-mini".into();
    case.refused("Encrypted content is not supported", |body| {
        body["include"] = json!(["reasoning.encrypted_content"]);
    });
    case.refused("'reasoning.effort' is not supported", |body| {
        body["reasoning"] = json!({ "effort": "low" })
    });
}

#[test]
fn calls_and_outputs_pair_by_call_id() {
    let case = case();
    case.refused("No tool output found for function call call_1", |body| {
        drop(input(body).remove(3))
    });
    case.refused("No tool call found for function call output with call_id call_9", |body| {
        body["input"][3]["call_id"] = "call_9".into();
    });
    case.refused("stands between a function call and its output", |body| {
        input(body).insert(3, json!({ "role": "user", "content": "quick" }));
    });
    case.refused("Duplicate output", |body| {
        let again = body["input"][3].clone();
        input(body).insert(4, again);
    });
    case.refused("maximum length 64", |body| {
        let long = "x".repeat(65);
        body["input"][2]["call_id"] = long.clone().into();
        body["input"][3]["call_id"] = long.into();
    });
    case.refused("does not match pattern", |body| body["input"][2]["name"] = "functions.x".into());
    case.refused("Invalid 'input[2].id': 'call_1'. Expected an ID that begins with 'fc'", |body| {
        body["input"][2]["id"] = "call_1".into();
    });
    case.refused("'input[2].arguments': expected a string", |body| {
        body["input"][2]["arguments"] = json!({});
    });
}

#[test]
fn unknown_fields_and_parts_are_refused() {
    let case = case();
    case.refused("Unknown parameter: 'messages'", |body| body["messages"] = json!([]));
    case.refused("Unknown parameter: 'reasoning_effort'", |body| {
        body["reasoning_effort"] = "low".into()
    });
    case.refused("'input[0].name'", |body| body["input"][0]["name"] = "me".into());
    case.refused("'input[2].thought'", |body| body["input"][2]["thought"] = 1.into());
    case.refused("'tools[0].function'", |body| body["tools"][0]["function"] = json!({}));
    case.refused("does not match pattern", |body| body["tools"][0]["name"] = "a b".into());
    case.refused("Invalid value: 'input_text'", |body| {
        body["input"][4]["content"][0]["type"] = "input_text".into();
    });
    case.refused("Invalid value: 'text'", |body| {
        body["input"][0]["content"][0]["type"] = "text".into()
    });
    case.refused("Invalid value: \"thoughts\" at 'include'", |body| {
        body["include"] = json!(["thoughts"])
    });
    case.refused("'reasoning.effort' does not support 'max'", |body| {
        body["reasoning"]["effort"] = "max".into()
    });
    case.refused("'temperature' is not supported", |body| body["temperature"] = 1.into());
    case.refused("Missing required parameter: 'input'", |body| body["input"] = json!([]));
    case.refused("base64-encoded data URL", |body| {
        let picture = json!({ "type": "input_image", "image_url": "picture.png" });
        body["input"][0]["content"].as_array_mut().unwrap().push(picture);
    });
    case.accepted(|body| {
        let url = format!("data:image/png;base64,{}", picture(1));
        body["input"][3]["output"] =
            json!([{ "type": "input_image", "image_url": url, "detail": "auto" }]);
    });
}
