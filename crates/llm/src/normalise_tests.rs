//! The sent history is always one that the API accepts (A7).

use proptest::prelude::*;
use serde_json::json;

use super::{CONTINUE, INTERRUPTED, normalise, tool_name};
use crate::{Content, Part, Role, history_errors};

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
    assert_eq!(history_errors(expected), Vec::<String>::new());
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

/// A later answer changes nothing before it: an inserted user message stays.
#[test]
fn an_answer_never_follows_an_answer() {
    let say = |text: &str| Content::model(vec![Part::text(text)]);
    let results = || Content::function(vec![response(None, "f")]);
    check(
        &[
            Content::user("x"),
            Content::model(vec![call(None, "f")]),
            results(),
            say("a"),
            say("b"),
            say("c"),
        ],
        &[
            Content::user("x"),
            Content::model(vec![call(None, "f")]),
            results(),
            say("a"),
            Content::user(CONTINUE),
            say("b"),
            Content::user(CONTINUE),
            say("c"),
            Content::user(CONTINUE),
        ],
    );
}

#[test]
fn names_that_no_tool_has_become_ones_every_api_takes() {
    let cases = [
        ("create_shape", "create_shape"),
        ("mcp__box-2", "mcp__box-2"),
        ("functions.check_scene", "functions_check_scene"),
        ("create shape", "create_shape"),
        ("", "unnamed"),
        (" ", "unnamed"),
        ("2d", "_2d"),
        ("größe", "gr__e"),
    ];
    for (made_up, name) in cases {
        assert_eq!(tool_name(made_up), name);
        assert_eq!(tool_name(name), name, "a fine name changed");
    }
    assert_eq!(tool_name(&"x".repeat(100)).len(), 64);
    let made_up = "functions.check_scene";
    let fine = "functions_check_scene";
    check(
        &[
            Content::user("x"),
            Content::model(vec![call(Some("a"), made_up), call(None, "")]),
            Content::function(vec![response(Some("a"), made_up), response(None, "")]),
        ],
        &[
            Content::user("x"),
            Content::model(vec![call(Some("a"), fine), call(None, "unnamed")]),
            Content::function(vec![response(Some("a"), fine), response(None, "unnamed")]),
        ],
    );
}

fn any_part() -> impl Strategy<Value = Part> {
    let id = prop_oneof![Just(None), Just(Some("a")), Just(Some("b"))];
    let name = prop_oneof![Just("f"), Just("g"), Just("functions.f"), Just("")];
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

/// The parts that must survive, in order: all but responses, empty parts and inserted messages.
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
        .map(|(_, part)| super::with_tool_name(part))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_was_logged_the_api_accepts_it_and_nothing_said_is_lost(history in any_history()) {
        let normal = normalise(&history);
        prop_assert_eq!(history_errors(&normal), Vec::<String>::new());
        prop_assert_eq!(normalise(&normal), normal.clone(), "a fine history changed");
        prop_assert_eq!(lasting(&normal), lasting(&history));
    }
}
