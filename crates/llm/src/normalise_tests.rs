//! A7: the history that goes out is always one the API accepts.

use proptest::prelude::*;
use serde_json::json;

use super::{CONTINUE, INTERRUPTED, normalise};
use crate::{Content, Part, Role, faults};

fn call(id: Option<&str>, name: &str) -> Part {
    Part::call(id, name, json!({}))
}

fn response(id: Option<&str>, name: &str) -> Part {
    Part::response(id, name, json!({ "success": true }), Vec::new())
}

fn interrupted(id: Option<&str>, name: &str) -> Part {
    Part::response(id, name, json!({ "success": false, "error": INTERRUPTED }), Vec::new())
}

#[track_caller]
fn check(history: &[Content], expected: &[Content]) {
    assert_eq!(normalise(history), expected);
    assert_eq!(faults(expected), Vec::<String>::new());
}

#[test]
fn a_history_that_is_fine_stays_as_it_is() {
    let signed =
        json!({ "functionCall": { "name": "f", "id": "a", "args": {} }, "thoughtSignature": "s" });
    let history = vec![
        Content::user("build"),
        Content::model(vec![
            Part::thought("hm"),
            Part::from_value(signed),
            call(Some("b"), "f"),
            Part::from_value(json!({ "text": "", "thoughtSignature": "t" })),
        ]),
        Content::function(vec![
            response(Some("a"), "f"),
            Part::inline_data("image/png", "AAAA"),
            response(Some("b"), "f"),
        ]),
        Content::user("and higher"),
        Content::model(vec![Part::text("do"), Part::text("ne")]),
        Content::user("thanks"),
    ];
    check(&history, &history);
}

#[test]
fn unanswered_calls_are_answered_as_interrupted() {
    let calls = Content::model(vec![call(Some("a"), "f"), call(None, "g")]);
    check(
        &[Content::user("x"), calls.clone(), Content::user("go on")],
        &[
            Content::user("x"),
            calls,
            Content::function(vec![interrupted(Some("a"), "f"), interrupted(None, "g")]),
            Content::user("go on"),
        ],
    );
}

#[test]
fn responses_are_brought_into_call_order_and_to_their_calls() {
    let calls = Content::model(vec![call(Some("a"), "f"), call(Some("b"), "g"), call(None, "h")]);
    check(
        &[
            Content::user("x"),
            calls.clone(),
            Content::user("queued meanwhile"),
            Content::function(vec![response(Some("b"), "g"), response(Some("x"), "h")]),
            Content::function(vec![response(None, "f"), response(Some("b"), "g")]),
        ],
        &[
            Content::user("x"),
            calls,
            Content::function(vec![
                Part::response(Some("a"), "f", json!({ "success": true }), Vec::new()),
                response(Some("b"), "g"),
                response(None, "h"),
            ]),
            Content::user("queued meanwhile"),
        ],
    );
}

#[test]
fn orphans_and_empty_contents_are_left_out() {
    check(
        &[
            Content::user("x"),
            Content::function(vec![response(Some("a"), "f")]),
            Content::model(Vec::new()),
            Content::model(vec![Part::text("y")]),
            Content::user("z"),
        ],
        &[Content::user("x"), Content::model(vec![Part::text("y")]), Content::user("z")],
    );
}

#[test]
fn the_user_comes_first_last_and_before_calls() {
    check(
        &[
            Content::model(vec![Part::text("hello")]),
            Content::model(vec![call(None, "f")]),
            Content::function(vec![response(None, "f")]),
            Content::model(vec![Part::text("done")]),
        ],
        &[
            Content::user(CONTINUE),
            Content::model(vec![Part::text("hello")]),
            Content::user(CONTINUE),
            Content::model(vec![call(None, "f")]),
            Content::function(vec![response(None, "f")]),
            Content::model(vec![Part::text("done")]),
            Content::user(CONTINUE),
        ],
    );
}

fn any_part() -> impl Strategy<Value = Part> {
    let id = prop_oneof![Just(None), Just(Some("a")), Just(Some("b"))];
    let name = prop_oneof![Just("f"), Just("g")];
    prop_oneof![
        any::<u16>().prop_map(|number| Part::text(format!("text {number}"))),
        Just(Part::thought("thought")),
        Just(Part::inline_data("image/png", "AAAA")),
        Just(Part::from_value(json!({}))),
        Just(Part::from_value(json!({ "text": "", "thoughtSignature": "s" }))),
        (id.clone(), name.clone()).prop_map(|(id, name)| call(id, name)),
        (id, name).prop_map(|(id, name)| response(id, name)),
    ]
}

fn any_history() -> impl Strategy<Value = Vec<Content>> {
    let role = prop_oneof![Just(Role::User), Just(Role::Model), Just(Role::Function)];
    let content = (role, prop::collection::vec(any_part(), 0..4))
        .prop_map(|(role, parts)| Content { role, parts });
    prop::collection::vec(content, 0..9)
}

/// What must survive, in order: everything but responses, empty parts and the stand-ins.
fn lasting(history: &[Content]) -> Vec<Part> {
    history
        .iter()
        .flat_map(|content| content.parts.iter().map(move |part| (content.role, part)))
        .filter(|(role, part)| {
            !part.raw().is_empty()
                && part.as_response().is_none()
                && (*role == Role::Model || part.as_call().is_none())
                && part.as_text() != Some(CONTINUE)
        })
        .map(|(_, part)| part.clone())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_was_logged_the_api_accepts_it_and_nothing_said_is_lost(history in any_history()) {
        let normal = normalise(&history);
        prop_assert_eq!(faults(&normal), Vec::<String>::new());
        prop_assert_eq!(normalise(&normal), normal.clone(), "a fine history changed");
        prop_assert_eq!(lasting(&normal), lasting(&history));
    }
}
