//! One test for each kind of error: a good request with that one error is refused, for that reason.

use serde_json::{Value, json};

use super::{Issued, errors};

const MODEL: &str = "gemini-3.8-flash";

/// What the model of [`good`] said in its first turn.
fn given_parts() -> Value {
    json!([
        { "text": "Let me", "thought": true },
        { "functionCall": { "name": "create_shape", "args": { "id": "a" }, "id": "c1" },
          "thoughtSignature": "c2ln" },
        { "functionCall": { "name": "get_scene_state", "args": {}, "id": "c2" } },
    ])
}

fn final_parts() -> Value {
    json!([{ "text": "Do" }, { "text": "ne" }, { "text": "", "thoughtSignature": "ZW5k" }])
}

fn issued() -> Vec<Issued> {
    [given_parts(), final_parts()]
        .into_iter()
        .map(|parts| Issued {
            parts: parts.as_array().unwrap().clone(),
            whole: true,
            reader_may_have_died: false,
        })
        .collect()
}

fn response(id: &str, name: &str) -> Value {
    json!({ "functionResponse": { "id": id, "name": name, "response": { "success": true } } })
}

/// All of what the client sends, and right.
fn good() -> Value {
    json!({
        "contents": [
            { "role": "user", "parts": [{ "text": "Build." },
                { "inlineData": { "mimeType": "image/png", "data": "AAAA" } }] },
            { "role": "model", "parts": given_parts() },
            { "role": "user", "parts": [
                { "functionResponse": { "id": "c1", "name": "create_shape", "response": {},
                    "parts": [{ "inlineData": { "mimeType": "image/png", "data": "AAAA" } }] } },
                response("c2", "get_scene_state") ] },
            { "role": "model", "parts": final_parts() },
            { "role": "user", "parts": [{ "text": "Higher." }] },
        ],
        "systemInstruction": { "parts": [{ "text": "You build scenes." }] },
        "tools": [{ "functionDeclarations": [{
            "name": "create_shape", "description": "Adds a shape.",
            "parametersJsonSchema": { "$schema": "https://json-schema.org/draft/2020-12/schema",
                "type": "object", "required": ["id"], "additionalProperties": false,
                "properties": { "id": { "type": "string" },
                    "at": { "type": ["array", "null"], "items": { "type": "number" } } } } }] }],
    })
}

#[track_caller]
fn refused(expected: &str, spoil: impl FnOnce(&mut Value)) {
    refused_for(MODEL, expected, spoil);
}

#[track_caller]
fn refused_for(model: &str, expected: &str, spoil: impl FnOnce(&mut Value)) {
    let mut body = good();
    spoil(&mut body);
    let errors = errors(model, &body, &issued(), false).join("\n");
    assert!(errors.contains(expected), "{errors:?}");
}

fn parts(body: &mut Value, content: usize) -> &mut Vec<Value> {
    body["contents"][content]["parts"].as_array_mut().unwrap()
}

#[test]
fn a_good_request_is_accepted() {
    assert_eq!(errors(MODEL, &good(), &issued(), false), Vec::<String>::new());
}

#[test]
fn unknown_fields_are_refused_wherever_they_are() {
    let unknown = "Unknown name \"zz\"";
    for pointer in [
        "",
        "/contents/0",
        "/contents/0/parts/0",
        "/contents/0/parts/1/inlineData",
        "/contents/1/parts/1/functionCall",
        "/contents/2/parts/0/functionResponse",
        "/contents/2/parts/0/functionResponse/parts/0",
        "/contents/2/parts/0/functionResponse/parts/0/inlineData",
        "/systemInstruction",
        "/tools/0",
        "/tools/0/functionDeclarations/0",
    ] {
        refused(unknown, |body| body.pointer_mut(pointer).unwrap()["zz"] = 1.into());
    }
    refused("Unknown name \"messages\"", |body| body["messages"] = json!([]));
}

#[test]
fn wrong_types_are_refused() {
    refused("TYPE_STRING", |body| body["contents"][0]["parts"][0]["text"] = 1.into());
    refused("an object", |body| {
        body["contents"][1]["parts"][1]["functionCall"]["args"] = "{}".into();
    });
    refused("an object", |body| {
        body["contents"][2]["parts"][1]["functionResponse"]["response"] = "done".into();
    });
    refused("Base64", |body| body["contents"][0]["parts"][1]["inlineData"]["data"] = "?".into());
    refused("a list", |body| body["contents"] = json!({}));
    refused("an object", |body| *body = Value::Null);
}

#[test]
fn missing_required_fields_are_refused() {
    refused("contents: must be set", |body| {
        body.as_object_mut().unwrap().remove("contents");
    });
    refused("mimeType: must be set", |body| {
        parts(body, 0)[1]["inlineData"].as_object_mut().unwrap().remove("mimeType");
    });
    refused("response: must be set", |body| {
        parts(body, 2)[1]["functionResponse"].as_object_mut().unwrap().remove("response");
    });
}

#[test]
fn a_part_has_exactly_one_data_field() {
    refused("is already set", |body| {
        body["contents"][0]["parts"][0]["inlineData"] =
            json!({ "mimeType": "image/png", "data": "AAAA" });
    });
    refused("must have one initialized field", |body| parts(body, 0).push(json!({})));
    refused("must have one initialized field", |body| {
        parts(body, 3).push(json!({ "thoughtSignature": "ZW5k" }));
    });
}

#[test]
fn roles_are_user_and_model() {
    for role in ["function", "assistant", "system"] {
        refused("valid role", |body| body["contents"][2]["role"] = role.into());
    }
    refused("valid role", |body| {
        body["contents"][0].as_object_mut().unwrap().remove("role");
    });
}

#[test]
fn the_user_is_first_and_last() {
    refused("the first content is not the user's", |body| {
        body["contents"].as_array_mut().unwrap().remove(0);
    });
    refused("the last content is not the user's", |body| {
        body["contents"].as_array_mut().unwrap().pop();
    });
    refused("contents is not specified", |body| body["contents"] = json!([]));
    refused("parts must not be empty", |body| body["contents"][4]["parts"] = json!([]));
}

#[test]
fn every_call_is_answered_once_in_order() {
    refused("equal to the number of function call parts", |body| {
        parts(body, 2).pop();
    });
    refused("equal to the number of function call parts", |body| {
        parts(body, 2).push(response("c2", "get_scene_state"));
    });
    refused("equal to the number of function call parts", |body| {
        body["contents"].as_array_mut().unwrap().remove(2);
    });
    refused("has the id \"c2\", its call \"c1\"", |body| parts(body, 2).swap(0, 1));
    refused("has the name \"f\"", |body| {
        parts(body, 2)[1]["functionResponse"]["name"] = "f".into();
    });
    refused("has the id null", |body| {
        parts(body, 2)[1]["functionResponse"].as_object_mut().unwrap().remove("id");
    });
    refused("function response turn comes immediately after", |body| {
        parts(body, 4).push(response("c1", "create_shape"));
    });
    refused("the role user has no function calls", |body| {
        parts(body, 4).push(json!({ "functionCall": { "name": "f", "args": {} } }));
    });
}

#[test]
fn calls_follow_the_user() {
    refused("function call turn comes immediately after", |body| {
        let text = json!({ "role": "model", "parts": [{ "text": "Well" }] });
        body["contents"].as_array_mut().unwrap().insert(1, text);
    });
}

#[test]
fn signatures_come_back_on_their_part() {
    refused("the thoughtSignature of part 1 was \"c2ln\", not null", |body| {
        parts(body, 1)[1].as_object_mut().unwrap().remove("thoughtSignature");
    });
    refused("the thoughtSignature of part 1 was \"c2ln\"", |body| {
        parts(body, 1)[1]["thoughtSignature"] = "AAAA".into();
    });
    refused("the thoughtSignature of part 1 was \"c2ln\"", |body| {
        parts(body, 1)[1]["thoughtSignature"] = "skip_thought_signature_validator".into();
    });
    refused("the thoughtSignature of part 1 was \"c2ln\"", |body| {
        let signature = parts(body, 1)[1].as_object_mut().unwrap().remove("thoughtSignature");
        parts(body, 1)[2]["thoughtSignature"] = signature.unwrap();
    });
    refused("these parts are not", |body| {
        parts(body, 3).pop();
    });
}

#[test]
fn the_answers_come_back_as_they_were() {
    let altered = "these parts are not those of an answer given here";
    refused(altered, |body| {
        let end = parts(body, 3).pop().unwrap();
        *parts(body, 3) = vec![json!({ "text": "Done" }), end];
    });
    refused(altered, |body| {
        parts(body, 1).remove(0);
    });
    refused(altered, |body| parts(body, 3).swap(0, 1));
    refused(altered, |body| parts(body, 1)[1]["functionCall"]["args"]["id"] = "b".into());
    refused(altered, |body| parts(body, 3).push(json!({ "text": "more" })));
    refused(altered, |body| {
        let again = body["contents"][3].clone();
        body["contents"].as_array_mut().unwrap().insert(4, again);
    });
}

#[test]
fn an_answer_that_was_cut_off_may_be_kept_in_part_with_a_note() {
    let note = json!({ "text": "[interrupted by the user]" });
    let mut issued = issued();
    issued[1].whole = false;
    let check = |parts: Value, accepted: bool| {
        let mut body = good();
        body["contents"][3]["parts"] = parts;
        let errors = errors(MODEL, &body, &issued, false);
        assert_eq!(errors.is_empty(), accepted, "{errors:?}");
    };
    check(json!([{ "text": "Do" }, note]), true);
    check(json!([{ "text": "Do" }]), true);
    check(json!([note]), true);
    check(json!([{ "text": "Do" }, note, note]), false);
    check(json!([{ "text": "D" }, note]), false);
    // What broke off must not stand before what was given instead.
    check(json!([{ "text": "Do" }, given_parts()[0]]), false);
}

#[test]
fn the_first_call_of_a_content_of_the_current_turn_is_signed() {
    let missing = "Function call is missing a thought_signature";
    let unsigned_turn = |body: &mut Value| {
        body["contents"].as_array_mut().unwrap().truncate(3);
        parts(body, 1)[1].as_object_mut().unwrap().remove("thoughtSignature");
    };
    refused(missing, unsigned_turn);
    let older = |body: &mut Value| {
        unsigned_turn(body);
        parts(body, 2)[0]["functionResponse"].as_object_mut().unwrap().remove("parts");
    };
    let mut body = good();
    older(&mut body);
    let mut issued = issued();
    issued[0].parts[1].as_object_mut().unwrap().remove("thoughtSignature");
    assert_eq!(errors("gemini-2.5-flash", &body, &issued, false), Vec::<String>::new());
    parts(&mut body, 1)[1]["thoughtSignature"] = "skip_thought_signature_validator".into();
    assert_eq!(errors(MODEL, &body, &issued, false), Vec::<String>::new());
}

#[test]
fn answers_of_other_models_are_refused_unless_allowed() {
    let mut body = good();
    parts(&mut body, 3)[0]["text"] = "Other".into();
    parts(&mut body, 3).truncate(2);
    assert_eq!(errors(MODEL, &body, &issued(), false).len(), 1);
    assert_eq!(errors(MODEL, &body, &issued(), true), Vec::<String>::new());
    parts(&mut body, 1)[1]["functionCall"]["args"] = json!({});
    assert_eq!(errors(MODEL, &body, &issued(), true).len(), 1, "c1 was given here, otherwise");
}

#[test]
fn pictures_within_responses_are_for_gemini_3() {
    refused_for("gemini-2.5-flash", "takes no pictures within function responses", |_| {});
}

#[test]
fn function_names_are_well_formed_and_unique() {
    for name in ["", "1st", "two words", "größe", &"x".repeat(65)] {
        refused("Invalid function name", |body| {
            body["tools"][0]["functionDeclarations"][0]["name"] = name.into();
        });
    }
    refused("Invalid function name", |body| {
        parts(body, 1)[1]["functionCall"]["name"] = "".into();
    });
    refused("Duplicate function declaration found: create_shape", |body| {
        let declarations = &mut body["tools"][0]["functionDeclarations"];
        let again = declarations[0].clone();
        declarations.as_array_mut().unwrap().push(again);
    });
}

#[test]
fn schemas_are_well_formed() {
    let spoil = |pointer: &'static str, value: Value| {
        move |body: &mut Value| {
            let declaration = &mut body["tools"][0]["functionDeclarations"][0];
            let at = declaration["parametersJsonSchema"].pointer_mut(pointer).unwrap();
            *at = value;
        }
    };
    refused("must be of type object", spoil("/type", "array".into()));
    refused("type: \"text\" is not valid", spoil("/properties/id/type", "text".into()));
    refused("required: \"id\" is not valid", spoil("/required", "id".into()));
    refused("a schema must be an object", spoil("/properties/at/items", "number".into()));
    refused("exclude each other", |body| {
        body["tools"][0]["functionDeclarations"][0]["parameters"] = json!({ "type": "OBJECT" });
    });
    refused("one of", |body| {
        let declaration = &mut body["tools"][0]["functionDeclarations"][0];
        declaration.as_object_mut().unwrap().remove("parametersJsonSchema");
        declaration["parameters"] = json!({ "type": "object" });
    });
}

#[test]
fn settings_that_exclude_each_other_are_refused() {
    refused("exclude each other", |body| {
        body["generationConfig"] =
            json!({ "thinkingConfig": { "thinkingLevel": "LOW", "thinkingBudget": 10 } });
    });
}

#[test]
fn the_system_instruction_is_text() {
    refused("takes text only", |body| {
        body["systemInstruction"]["parts"][0] =
            json!({ "inlineData": { "mimeType": "image/png", "data": "AAAA" } });
    });
}
