//! Mock responses replace the model, one per request (D7).

use futures_util::{FutureExt, StreamExt};
use serde_json::json;

use super::*;
use crate::Content;
use crate::content::Part;
use crate::model::Chunk;

fn request(contents: Vec<Content>) -> Request {
    Request { system_instruction: String::new(), contents, ..Request::default() }
}

async fn answer_of(model: &Scripted) -> Vec<Result<Chunk, ModelError>> {
    model.stream(request(vec![Content::user("x")])).collect().await
}

fn parts(parts: impl IntoIterator<Item = Part>) -> Vec<Result<Chunk, ModelError>> {
    parts.into_iter().map(|part| Ok(Chunk::Part(part))).collect()
}

#[tokio::test]
async fn every_form_of_item_answers_one_request_each() {
    let model = Scripted::from_json(
        r#"["Two words",
            {"tool_calls": [{"name": "f", "arguments": {"a": 1}}, {"name": "g", "arguments": "{\"b\":2}"}], "text": "now"},
            "{\"tool_calls\":[{\"name\":\"h\",\"arguments\":{}}]}",
            {"parts": [{"text": "", "thoughtSignature": "s"}]},
            "{\"a\": \"text that is JSON\"}"]"#,
    )
    .unwrap();
    assert_eq!(answer_of(&model).await, parts([Part::text("Two "), Part::text("words")]));
    assert_eq!(
        answer_of(&model).await,
        parts([
            Part::text("now"),
            Part::call(None, "f", json!({ "a": 1 })),
            Part::call(None, "g", json!({ "b": 2 })),
        ])
    );
    assert_eq!(answer_of(&model).await, parts([Part::call(None, "h", json!({}))]));
    assert_eq!(
        answer_of(&model).await,
        parts([Part::from_value(json!({ "text": "", "thoughtSignature": "s" }))])
    );
    assert_eq!(answer_of(&model).await.len(), 5);
    let used_up: String = answer_of(&model)
        .await
        .into_iter()
        .map(|chunk| match chunk {
            Ok(Chunk::Part(part)) => part.as_text().unwrap().to_owned(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(used_up, "The list of mock responses (DEBUG_MOCK_RESPONSES) is used up.");
    assert_eq!((model.remaining(), model.cut_off()), (0, 0));
}

#[tokio::test]
async fn an_item_with_a_cue_waits_for_the_message_that_has_it() {
    let list = r#"[{"when": "task 'b'", "text": "b"}, {"when": "task 'a'", "text": "a"}, "any"]"#;
    let model = Scripted::from_json(list).unwrap();
    let asked = async |text: &str| -> String {
        let chunks: Vec<_> = model.stream(request(vec![Content::user(text)])).collect().await;
        chunks
            .into_iter()
            .flatten()
            .filter_map(|chunk| match chunk {
                Chunk::Part(part) => part.as_text().map(str::to_owned),
                _ => None,
            })
            .collect()
    };
    assert_eq!(asked("Now task 'a' only").await, "a");
    assert_eq!(asked("Now task 'a' only").await, "any");
    assert!(asked("Now task 'a' only").await.contains("used up"));
    assert_eq!(asked("Now task 'b' only").await, "b");
}

#[test]
fn mistakes_are_named_with_their_place() {
    let check = |json: &str, expected: &str| {
        let error = Scripted::from_json(json).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    check("[", "not JSON");
    check("{}", "must be a JSON array");
    check(r#"["a", 5]"#, "mock response 1: it is neither a text nor an object");
    check("[{}]", "mock response 0: it says nothing");
    check(r#"[{"tool_calls": [], "txt": "a"}]"#, "txt");
    check(r#"[{"tool_calls": [{"name": "f", "arguments": "x"}]}]"#, "the arguments of f");
    check(r#"[{"tool_calls": [{"name": "f", "arguments": [1]}]}]"#, "not an object");
    check(r#"[{"tool_calls": [{"arguments": {}}]}]"#, "name");
}

#[tokio::test]
async fn a_gate_holds_the_answer_until_it_is_opened_or_the_answer_is_dropped() {
    let gate = Gate::new();
    let answer = || vec![Step::text("a"), Step::Gate(gate.clone()), Step::text("b")];
    let model = Scripted::new([answer(), answer()]);

    let mut held = model.stream(request(vec![Content::user("x")]));
    assert_eq!(held.next().await, Some(Ok(Chunk::Part(Part::text("a")))));
    assert_eq!(held.next().now_or_never(), None);
    gate.reached().await;
    drop(held);
    assert_eq!(model.cut_off(), 1);

    gate.open();
    assert_eq!(answer_of(&model).await, parts([Part::text("a"), Part::text("b")]));
    assert_eq!((model.cut_off(), model.remaining()), (1, 0));
}

#[tokio::test]
async fn an_error_ends_the_answer() {
    let error = ModelError::Unavailable("gone".into());
    let model = Scripted::new([vec![Step::text("a"), Step::Error(error.clone()), Step::text("b")]]);
    assert_eq!(answer_of(&model).await, [Ok(Chunk::Part(Part::text("a"))), Err(error)]);
}

#[test]
#[should_panic(expected = "content 1: no function responses follow its calls")]
fn a_test_with_unanswered_calls_panics() {
    let model = Scripted::new([vec![Step::text("a")]]);
    let calls = Content::model(vec![Part::call(None, "f", json!({}))]);
    drop(model.stream(request(vec![Content::user("x"), calls, Content::user("y")])));
}

#[tokio::test]
async fn mock_responses_refuse_a_bad_history_without_using_one_up() {
    let model = Scripted::from_json(r#"["a"]"#).unwrap();
    let answer: Vec<_> = model.stream(request(vec![Content::model(Vec::new())])).collect().await;
    assert!(matches!(&answer[..], [Err(ModelError::Rejected(_))]), "{answer:?}");
    assert_eq!(model.remaining(), 1);
}
