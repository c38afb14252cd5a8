//! Calls in text that is split at every byte (C2, D1, B3).

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::content::{Content, Role};
use crate::model::ToolDeclaration;
use crate::scripted::{Scripted, Step};

const ALL: [TextProtocol; 3] = [TextProtocol::React, TextProtocol::Json, TextProtocol::Plan];

fn find(protocol: TextProtocol, pieces: &[&str]) -> Vec<Output> {
    let tool = |name: &str| ToolDeclaration {
        name: name.into(),
        description: String::new(),
        parameters: json!({ "type": "object" }).into(),
    };
    find_with(protocol, &[tool("make"), tool("look")], pieces)
}

/// The output for `pieces` as successive chunks.
pub(super) fn find_with(
    protocol: TextProtocol,
    tools: &[ToolDeclaration],
    pieces: &[&str],
) -> Vec<Output> {
    let mut reader = protocol.reader(tools);
    let mut found = Vec::new();
    for piece in pieces {
        for next in reader.push(piece) {
            join(&mut found, next);
        }
    }
    for next in reader.finish(false) {
        join(&mut found, next);
    }
    if let Some(end) = found.iter().position(|it| matches!(it, Output::Malformed(_) | Output::End))
    {
        found.truncate(end + 1);
    }
    found
}

/// `text` letter by letter.
pub(super) fn pieces_of(text: &str) -> Vec<&str> {
    text.split_inclusive(|_: char| true).collect()
}

/// Merges text that was split differently.
fn join(found: &mut Vec<Output>, next: Output) {
    match (found.last_mut(), next) {
        (Some(Output::Text(text)), Output::Text(more))
        | (Some(Output::Thought(text)), Output::Thought(more)) => text.push_str(&more),
        (_, next) => found.push(next),
    }
}

/// A character of several bytes may end a region of calls.
#[test]
fn letters_of_several_bytes_may_follow_calls() {
    let text = "```json\n{\"status\": \"done\", \"action\": \"x\"}*\u{1982}\u{1f014}";
    for protocol in ALL {
        assert_eq!(find(protocol, &[text]), find(protocol, &pieces_of(text)));
    }
}

/// Checks the output for the whole text, for single characters, and for all splits into two chunks.
fn check(protocol: TextProtocol, text: &str, expected: &[Output]) {
    assert_eq!(find(protocol, &[text]), expected, "{text}");
    let letters: Vec<&str> = text.split_inclusive(|_: char| true).collect();
    assert_eq!(find(protocol, &letters), expected, "letter by letter: {text}");
    for (at, _) in text.char_indices() {
        let (before, after) = text.split_at(at);
        assert_eq!(find(protocol, &[before, after]), expected, "cut at {at}: {text}");
    }
}

fn text(text: &str) -> Output {
    Output::Text(text.into())
}

fn call(name: &str, args: Value) -> Output {
    Output::Call(Part::call(None, name, args))
}

#[test]
fn react_finds_one_call_and_shows_no_tag() {
    check(
        TextProtocol::React,
        "I look < 3 <thought>hm</thought><tool_code>\n<name> make </name>\n<parameters>{\"a\": \"</tool_code> }{\", \"b\": [1]}</parameters>\n</tool_code> and <observation>made</observation>",
        &[
            text("I look < 3 "),
            Output::Thought("hm".into()),
            call("make", json!({ "a": "</tool_code> }{", "b": [1] })),
            Output::End,
        ],
    );
    check(
        TextProtocol::React,
        "<tool_code><name>look</name></tool_code>",
        &[call("look", json!({})), Output::End],
    );
    check(
        TextProtocol::React,
        "<tool_code><name>make</name><parameters>{&quot;a&quot;: 1}</parameters>",
        &[call("make", json!({ "a": 1 })), Output::End],
    );
    check(
        TextProtocol::React,
        "<final_answer>Größe <b>2</b></final_answer> <tool",
        &[text("Größe <b>2</b> <tool")],
    );
    check(
        TextProtocol::React,
        "the word <observation> is a word",
        &[text("the word <observation> is a word")],
    );
}

#[test]
fn json_finds_calls_fenced_or_not_single_or_not_in_any_order_of_keys() {
    let two = "{\"tool_calls\": [{\"name\": \"make\", \"arguments\": {\"a\": \"}\\\"{\"}}, {\"arguments\": \"{}\", \"name\": \"look\"}]}";
    let found = [call("make", json!({ "a": "}\"{" })), call("look", json!({}))];
    check(TextProtocol::Json, two, &found);
    let around = |before: &str, after: &str| {
        let mut all = vec![text(before)];
        all.extend(found.clone());
        if !after.is_empty() {
            all.push(text(after));
        }
        all
    };
    check(TextProtocol::Json, &format!("So:\n```json\n{two}\n```"), &around("So:\n", ""));
    check(TextProtocol::Json, &format!("{{x}} ```{two}``` bye"), &around("{x} ", " bye"));
    let single = "{ \"arguments\": {\"n\": 1}, \"name\": \"make\" }";
    check(TextProtocol::Json, single, &[call("make", json!({ "n": 1 }))]);
    let openai = "{\"tool_calls\": [{\"type\": \"function\", \"function\": {\"name\": \"make\", \"arguments\": \"{\\\"n\\\": 1}\"}}]}";
    check(TextProtocol::Json, openai, &[call("make", json!({ "n": 1 }))]);
}

#[test]
fn json_that_is_no_call_is_text() {
    for plain in [
        "{\"name\": \"red_sphere\", \"radius\": 1} and {}",
        "```rust\nfn main() { \"x\" }\n``` `{`",
        "open { \"never closed",
        "half a fence ``",
        "{{\"a\": 1}}",
    ] {
        check(TextProtocol::Json, plain, &[text(plain)]);
    }
}

#[test]
fn plans_become_ordered_calls() {
    let plan = json!({ "tools": [
        { "id": 1, "tool": "look", "args": {}, "needs": [] },
        { "id": "b", "tool": "make", "args": { "n": 1 }, "needs": [1] } ],
        "status": "continue", "action": "I look.", "reasoning": "First look." });
    check(
        TextProtocol::Plan,
        &plan.to_string(),
        &[
            Output::Thought("First look.".into()),
            text("I look."),
            Output::Call(Part::ordered_call("1", "look", json!({}), &[])),
            Output::Call(Part::ordered_call("b", "make", json!({ "n": 1 }), &["1".into()])),
        ],
    );
    let done = json!({ "status": "done", "action": "All done.", "tools": [] }).to_string();
    check(TextProtocol::Plan, &done, &[text("All done.")]);
}

fn error(protocol: TextProtocol, written: &str) -> String {
    match find(protocol, &[written]).pop() {
        Some(Output::Malformed(why)) => why,
        found => panic!("{written}: {found:?}"),
    }
}

#[test]
fn what_cannot_be_read_says_why_and_how_it_should_be() {
    for (protocol, written, why) in [
        (TextProtocol::React, "<tool_code><parameters>{}</parameters></tool_code>", "<name>"),
        (
            TextProtocol::React,
            "<tool_code><name>make</name><parameters>a-1</parameters></tool_code>",
            "JSON object",
        ),
        (TextProtocol::React, "<tool_code><name>make</name><parameters>{\"a\": ", "it ends"),
        (TextProtocol::Json, "{\"name\": \"unknown\", \"arguments\": {}}", "no tool"),
        (
            TextProtocol::Json,
            "{\"tool_calls\": [{\"name\": \"make\", \"arguments\": {,}}]}",
            "a key was expected",
        ),
        (TextProtocol::Json, "{\"tool_calls\": [{\"name\": \"make\"", "it ends before"),
        (TextProtocol::Json, "{\"tool_calls\": [{\"arguments\": {}}]}", "no \"name\""),
        (
            TextProtocol::Json,
            "{\"tool_calls\": [{\"name\": \"make\", \"arguments\": [1]}]}",
            "JSON object",
        ),
        (TextProtocol::Plan, "{\"status\": \"continue\", \"tools\": []}", "is empty"),
        (TextProtocol::Plan, "{\"status\": \"soon\"}", "\"done\""),
        (
            TextProtocol::Plan,
            "{\"tools\": [{\"id\": \"a\", \"tool\": \"make\", \"needs\": [\"z\"]}]}",
            "not in this plan",
        ),
        (
            TextProtocol::Plan,
            "{\"tools\": [{\"id\": \"a\", \"tool\": \"make\", \"needs\": [\"b\"]}, {\"id\": \"b\", \"tool\": \"make\", \"needs\": [\"a\"]}]}",
            "circle",
        ),
    ] {
        let error = error(protocol, written);
        assert!(error.contains(why) && error.contains("The form is"), "{error}");
        let letters: Vec<&str> = written.split_inclusive(|_: char| true).collect();
        assert_eq!(find(protocol, &letters).pop(), find(protocol, &[written]).pop());
    }
}

#[test]
fn an_answer_that_ends_in_a_letter_of_several_bytes_is_read() {
    for text in [
        "```json\n{\"status\": \"done\", \"action\": \"x\"}\u{23a}",
        "{\"status\": \"done\"} \u{10fbe}",
    ] {
        for protocol in ALL {
            assert_eq!(find(protocol, &[text]), find(protocol, &[text, ""]));
        }
    }
}

proptest! {
    /// No text makes the parser panic, and its chunks do not change the result.
    #[test]
    fn cuts_never_matter(
        pieces in prop::collection::vec(prop_oneof![
            "[ \\PC]{0,6}", Just("<tool_code>".to_owned()), Just("</tool_code>".into()), Just("<name>f</name>".into()),
            Just("<parameters>".into()), Just("```json\n".into()), Just("```".into()), Just("{\"tool_calls\": [".into()),
            Just("{\"name\": \"make\", \"arguments\": {}}".into()), Just("]}".into()), Just("{".into()), Just("\"".into()),
            Just("{\"status\": \"done\", \"action\": \"x\"}".into()), Just("\\".into()), Just("<thought>".into()),
        ], 0..8),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
    ) {
        let whole = pieces.concat();
        let mut places: Vec<usize> = cuts
            .iter()
            .map(|cut| (0..=cut.index(whole.len() + 1)).rfind(|at| whole.is_char_boundary(*at)).unwrap_or(0))
            .chain([0, whole.len()])
            .collect();
        places.sort_unstable();
        let cut: Vec<&str> = places.windows(2).map(|ends| &whole[ends[0]..ends[1]]).collect();
        for protocol in ALL {
            prop_assert_eq!(find(protocol, &cut), find(protocol, &[&whole]));
        }
    }
}

/// JSON with the protocols' own tags in it.
fn tricky_args() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        "[ \\PC]{0,12}",
        "[{}\\[\\]\"\\\\`<>/:,]{0,12}",
        Just("</parameters></tool_code>".to_owned()),
        Just("{\"tool_calls\": [{\"name\": \"make\"}]}".to_owned()),
        Just("```".to_owned()),
        Just("<final_answer>".to_owned()),
    ];
    let leaf = prop_oneof![
        text.prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        Just(Value::Null),
    ];
    let value = leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z{}\"]{1,4}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    });
    prop::collection::btree_map("[a-z]{1,5}", value, 0..4)
        .prop_map(|map| Value::Object(map.into_iter().collect()))
}

/// An object with its two fields in either order.
fn object(mut fields: [(&str, String); 2], turned: bool, gap: &str) -> String {
    if turned {
        fields.reverse();
    }
    let [first, second] = fields;
    format!("{{{gap}\"{}\":{gap}{},{gap}\"{}\": {}{gap}}}", first.0, first.1, second.0, second.1)
}

proptest! {
    /// A call is found with any arguments, key order and chunks.
    #[test]
    fn no_call_is_lost(
        args in tricky_args(),
        before in "[a-zA-Z ,.é\u{1f3e0}]{0,20}",
        turned in any::<bool>(),
        fenced in any::<bool>(),
        gap in "[ \n]{0,2}",
        cut in any::<prop::sample::Index>(),
    ) {
        let single = object([("name", "\"make\"".into()), ("arguments", args.to_string())], turned, &gap);
        let listed = format!("{{\"tool_calls\":{gap}[{single}]}}");
        let react = format!(
            "<tool_code>{gap}<name>make</name><parameters>{gap}{args}</parameters></tool_code>"
        );
        let written =
            [(TextProtocol::React, react), (TextProtocol::Json, listed), (TextProtocol::Json, single)];
        for (protocol, written) in written {
            let fence = fenced && protocol == TextProtocol::Json;
            let whole = if fence {
                format!("{before}\n```json\n{written}\n```\n")
            } else {
                format!("{before}\n{written}")
            };
            let at = (0..=cut.index(whole.len() + 1)).rfind(|at| whole.is_char_boundary(*at)).unwrap_or(0);
            let found = find(protocol, &[&whole[..at], &whole[at..]]);
            let calls: Vec<&Output> = found.iter().filter(|it| matches!(it, Output::Call(_))).collect();
            prop_assert_eq!(calls, [&call("make", args.clone())], "{}", whole);
        }
    }
}

fn request() -> Request {
    let shown = vec![Part::inline_data("image/png", "AAAA")];
    Request {
        system_instruction: "You build.".into(),
        contents: vec![
            Content::user("go"),
            Content::model(vec![
                Part::text("I look."),
                Part::call(Some("c"), "look", json!({ "n": 1 })),
            ]),
            Content::function(vec![Part::response(
                Some("c"),
                "look",
                json!({ "success": true }),
                shown,
            )]),
        ],
        tools: [ToolDeclaration {
            name: "look".into(),
            description: "Looks.".into(),
            parameters: json!({ "type": "object" }).into(),
        }]
        .into(),
        ..Request::default()
    }
}

#[tokio::test]
async fn the_wrapped_model_reads_tools_calls_and_results_as_text() {
    for (protocol, answer) in [
        (
            TextProtocol::React,
            "<tool_code><name>look</name><parameters>{\"n\":1}</parameters></tool_code>",
        ),
        (TextProtocol::Json, "{\"tool_calls\":[{\"name\":\"look\",\"arguments\":{\"n\":1}}]}"),
        (
            TextProtocol::Plan,
            "{\"status\":\"continue\",\"action\":\"\",\"tools\":[{\"id\":\"#1\",\"tool\":\"look\",\"args\":{\"n\":1},\"needs\":[]}]}",
        ),
    ] {
        let inner = Arc::new(Scripted::new([vec![Step::text(answer)]]));
        let model = TextTools::new("wrapped", Arc::clone(&inner) as _, protocol);
        let chunks: Vec<_> = model.stream(request()).collect().await;
        let calls: Vec<&Part> = chunks
            .iter()
            .filter_map(|chunk| match chunk {
                Ok(Chunk::Part(part)) if part.as_call().is_some() => Some(part),
                _ => None,
            })
            .collect();
        assert_eq!(calls.len(), 1, "{protocol:?}: {chunks:?}");
        assert_eq!(
            calls[0].as_call().map(|call| call.args.cloned()),
            Some(Some(json!({ "n": 1 })))
        );
        let seen = &inner.requests()[0];
        assert!(seen.tools.is_empty() && seen.system_instruction.contains("Looks."));
        // The history shows the model's own call in the required notation.
        let own = seen.contents[1].visible_text();
        assert!(find(protocol, &[&own]).iter().any(|it| matches!(it, Output::Call(_))), "{own}");
        assert_eq!(seen.contents[2].role, Role::User);
        assert!(seen.contents[2].visible_text().contains("\"success\":true"));
        assert!(seen.contents[2].parts[1].raw().contains_key("inlineData"));
    }
}
