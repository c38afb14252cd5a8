//! Parsing messages of clients.

use serde_json::Value;

use crate::client::ClientMessage;
use crate::parts::ErrorCode;

/// The error of an invalid message.
#[derive(Debug, Clone, PartialEq)]
pub struct DecodeError {
    /// The message's `request_id`, if it could be read.
    pub request_id: Option<Value>,
    /// What kind of error.
    pub code: ErrorCode,
    /// The error, and what is accepted.
    pub message: String,
}

const TYPES: [&str; 20] = [
    "user_message",
    "cancel",
    "edit",
    "undo",
    "redo",
    "restore",
    "view",
    "pick",
    "approve",
    "select_model",
    "select_branch",
    "start_goal",
    "pause_goal",
    "resume_goal",
    "edit_goal",
    "cancel_goal",
    "choose_variant",
    "set_bookmarks",
    "presence",
    "ping",
];

/// The longest `request_id`, in bytes: the one of a view comes with each of its pictures.
const MAX_REQUEST_ID: usize = 200;

/// Parses one text frame.
pub fn decode(text: &str) -> Result<ClientMessage, DecodeError> {
    let refuse =
        |request_id: Option<Value>, code, message| DecodeError { request_id, code, message };
    let value: Value = scene::form::from_text(text).map_err(|error| {
        refuse(None, ErrorCode::BadMessage, format!("the message is not valid JSON: {error}"))
    })?;
    let request_id = value.get("request_id").filter(|id| !id.is_null()).cloned();
    if !request_id.as_ref().is_none_or(is_request_id) {
        let message =
            format!("'request_id' must be a number or a text of at most {MAX_REQUEST_ID} bytes");
        return Err(refuse(None, ErrorCode::BadMessage, message));
    }
    let Some(object) = value.as_object() else {
        let message = "a message must be a JSON object with a 'type'".to_owned();
        return Err(refuse(None, ErrorCode::BadMessage, message));
    };
    let known = TYPES.join(", ");
    match object.get("type") {
        Some(Value::String(name)) if TYPES.contains(&name.as_str()) => {
            let name = name.clone();
            scene::form::from_value(&value).map_err(|what| {
                refuse(request_id, ErrorCode::BadMessage, format!("message '{name}': {what}"))
            })
        }
        Some(Value::String(name)) => {
            let name: String = name.chars().take(60).collect();
            let message = format!("there is no message type '{name}'; the types are: {known}");
            Err(refuse(request_id, ErrorCode::UnknownType, message))
        }
        _ => {
            let message = format!("a message must have a 'type', one of: {known}");
            Err(refuse(request_id, ErrorCode::BadMessage, message))
        }
    }
}

fn is_request_id(id: &Value) -> bool {
    match id {
        Value::String(text) => text.len() <= MAX_REQUEST_ID,
        Value::Number(_) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, expected: &Expect) {
        let error = decode(text).unwrap_err();
        expected.assert_eq(&format!("{:?} {:?}: {}", error.code, error.request_id, error.message));
    }

    #[test]
    fn every_type_is_decoded() {
        for name in TYPES {
            let text = format!(
                r#"{{"type":"{name}","request_id":"7","text":"hi","calls":[{{"name":"a","args":{{}}}}],"revision":1,"branch":0,"variant":1,"bookmarks":[],"x":0.5,"y":0.5,"model":"m","call_id":"c","allow":true,"unknown":1}}"#
            );
            assert_eq!(decode(&text).unwrap().request_id, Some("7".into()), "{name}");
        }
    }

    #[test]
    fn a_camera_that_is_null_differs_from_one_left_out() {
        let camera = |text| match decode(text).unwrap().request {
            crate::ClientRequest::View(view) => view.camera,
            other => panic!("not a view: {other:?}"),
        };
        assert_eq!(camera(r#"{"type":"view"}"#), None);
        assert_eq!(camera(r#"{"type":"view","camera":null}"#), Some(None));
    }

    #[test]
    fn a_request_id_is_short() {
        let said = expect![
            "BadMessage None: 'request_id' must be a number or a text of at most 200 bytes"
        ];
        for id in ["{}", "[1]", "true", &format!("\"{}\"", "x".repeat(201))] {
            check(&format!(r#"{{"type":"ping","request_id":{id}}}"#), &said);
        }
        for id in ["null", "1.5", &format!("\"{}\"", "x".repeat(200))] {
            decode(&format!(r#"{{"type":"ping","request_id":{id}}}"#)).unwrap();
        }
    }

    #[test]
    fn faults_are_named() {
        check(
            "{",
            &expect![
                "BadMessage None: the message is not valid JSON: EOF while parsing an object at line 1 column 1"
            ],
        );
        check("[]", &expect!["BadMessage None: a message must be a JSON object with a 'type'"]);
        check(
            "{}",
            &expect![
                "BadMessage None: a message must have a 'type', one of: user_message, cancel, edit, undo, redo, restore, view, pick, approve, select_model, select_branch, start_goal, pause_goal, resume_goal, edit_goal, cancel_goal, choose_variant, set_bookmarks, presence, ping"
            ],
        );
        check(
            r#"{"type":"user_mesage","request_id":"a"}"#,
            &expect![[
                r#"UnknownType Some(String("a")): there is no message type 'user_mesage'; the types are: user_message, cancel, edit, undo, redo, restore, view, pick, approve, select_model, select_branch, start_goal, pause_goal, resume_goal, edit_goal, cancel_goal, choose_variant, set_bookmarks, presence, ping"#
            ]],
        );
        check(
            r#"{"type":"user_message","request_id":"a"}"#,
            &expect![[
                r#"BadMessage Some(String("a")): message 'user_message': 'text' is missing"#
            ]],
        );
        check(
            r#"{"type":"restore","revision":-1}"#,
            &expect![
                "BadMessage None: message 'restore': 'revision' must be a whole number from 0 on, got -1"
            ],
        );
        check(
            r#"{"type":"pick","x":"a","y":0}"#,
            &expect![[r#"BadMessage None: message 'pick': 'x' must be a number, got "a""#]],
        );
        check(
            r#"{"type":"view","quality":"best"}"#,
            &expect![
                "BadMessage None: message 'view': 'quality' must be 'draft', 'preview' or 'final', got 'best'"
            ],
        );
        check(
            r#"{"type":"edit","calls":[{"name":5,"args":{}}],"request_id":1}"#,
            &expect![
                "BadMessage Some(Number(1)): message 'edit': something in 'calls' must be a text, got 5"
            ],
        );
        check(
            r#"{"type":"edit","base_revision":"a","calls":[{"args":{}}]}"#,
            &expect![[
                r#"BadMessage None: message 'edit': 'base_revision' must be a whole number from 0 on, got "a""#
            ]],
        );
        check(
            r#"{"type":"edit","calls":[{"args":{}}]}"#,
            &expect!["BadMessage None: message 'edit': in 'calls', 'name' is missing"],
        );
        check("", &expect!["BadMessage None: the message is not valid JSON: it is empty"]);
    }

    #[test]
    fn a_whole_number_may_have_a_point() {
        let read = decode(r#"{"type":"restore","revision":3.0}"#).unwrap();
        assert_eq!(read.request, crate::ClientRequest::Restore { revision: 3 });
    }
}
