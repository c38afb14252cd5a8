//! Prose stays prose, and an unreadable call is an error for the model instead of text for the
//! user.

use super::super::TextProtocol;
use super::super::output::Output;
use super::super::tests::{find_with, pieces_of};
use super::calls::tools;
use super::{PROTOCOLS, found_calls};

const PROSE: [&str; 34] = [
    "The scene has a red ball and a blue box. Shall I add a light?",
    "I would use `create_shape(id=\"ball\", type=\"sphere\")` for that, if you like.",
    "Write `{\"name\": \"create_shape\", \"arguments\": {\"id\": \"a\", \"type\": \"box\"}}` to make one.",
    "Use ``<tool_code><name>get_scene_state</name></tool_code>`` to see the scene.",
    "Everything is done.\n\nA call looks like this, for example:\n```json\n{\"name\": \"remove_shape\", \"arguments\": {\"id\": \"ball\"}}\n```\nBut none is needed.",
    "The results come back as <observation> and I read them.",
    "An <observation> holds what a tool said; the </observation> ends it.",
    "You said: \"<tool_code><name>get_scene_state</name></tool_code>\" and I did not.",
    "> <tool_code><name>remove_shape</name><parameters>{\"id\": \"a\"}</parameters></tool_code>\n\nThat is what you sent.",
    "<observation>{\"name\": \"remove_shape\", \"arguments\": {\"id\": \"a\"}}</observation>\nThat is what it said.",
    "The ball is {\"name\": \"ball\", \"type\": \"sphere\", \"radius\": 1}, the box {}.",
    "```json\n{\"id\": \"ball\", \"type\": \"sphere\", \"properties\": {\"radius\": 1}}\n```\nThat is the ball.",
    "```python\nfor i in range(3):\n    print(f\"{i}: {i ** 2}\")\n```",
    "```rust\nfn main() { println!(\"{}\", \"x\"); }\n``` and `{` and `[`",
    "a < b, b > c, if (a < b) { x } else { y }; <b>bold</b> <i>x</i> <3 <- -> <=",
    "- create_shape makes one\n- move(ids, by) moves some\n- group: puts things together",
    "create_shape(id, type) makes a shape from its id and its type.",
    "get_scene_state() tells what there is, so I could look.",
    "Action: I shall now describe the scene.\nIt is red.",
    "Action: none is needed.",
    "Name: the ball\nTool: a brush\nInput: colours",
    "Call: me when you are back.",
    "Move the box: move it left. Group: the table. Scale: 1:2.",
    "CSS: .a { color: red; transform: scale(2); } and JS: const f = (x) => { return [x, {y: 1}]; };",
    "Matrices: [[1, 0], [0, 1]], links: [text](https://x.y/z), notes [1], tasks:\n- [x] done\n- [ ] open",
    "{{template}} and ${variable} and {a, b} and {\"never closed",
    "half a fence `` and half a tag <tool and `half a span",
    "| a | b |\n|---|---|\n| {1} | [2] |\n",
    "I use the <tool_call> tag when I call something.",
    "Größe: 5 m. \u{201e}Schön\u{201c}, sagte er. «Bien» 'ok' \"fine\" \u{2026}",
    "1. First\n2. Second\n\n   indented\n\n\n# Title\n**bold**: text\n---\n",
    "{\"scale\": {\"x\": 2, \"y\": 1}, \"group\": 3}",
    "{\"objects\": [{\"name\": \"group\", \"children\": []}, {\"type\": \"frame\"}]}",
    "The word tool_calls and the word \"arguments\" mean nothing here; x = move, y = group.",
];

#[test]
fn prose_stays_prose_letter_by_letter() {
    let tools = tools();
    let mut failures = Vec::new();
    for text in PROSE {
        for (protocol, name) in PROTOCOLS {
            for pieces in [vec![text], pieces_of(text)] {
                let found = find_with(protocol, &tools, &pieces);
                if found != [Output::Text(text.into())] {
                    failures.push(format!("{name}: {text}: {found:?}"));
                    break;
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn thoughts_are_thoughts_and_drafts_in_them_are_not_run() {
    let tools = tools();
    let draft = "{\"name\": \"remove_shape\", \"arguments\": {\"id\": \"a\"}}";
    for (open, close) in [
        ("<think>", "</think>"),
        ("<THINKING>", "</THINKING>"),
        ("<thought>", "</thought>"),
        ("[THINK]", "[/THINK]"),
        ("<|START_THINKING|>", "<|END_THINKING|>"),
        ("<|channel|>analysis<|message|>", "<|end|>"),
    ] {
        for (protocol, name) in PROTOCOLS {
            let written = format!("{open}Maybe <tool_call>{draft}</tool_call>?{close}Done.");
            let expected = [
                Output::Thought(format!("Maybe <tool_call>{draft}</tool_call>?")),
                Output::Text("Done.".into()),
            ];
            assert_eq!(find_with(protocol, &tools, &[&written]), expected, "{name}: {written}");
            assert_eq!(
                find_with(protocol, &tools, &pieces_of(&written)),
                expected,
                "{name}: {written}"
            );
            let unclosed = format!("{open}Maybe {draft}");
            let found = find_with(protocol, &tools, &[&unclosed]);
            assert_eq!(found, [Output::Thought(format!("Maybe {draft}"))], "{name}: {unclosed}");
        }
    }
}

#[test]
fn what_is_before_a_stray_end_of_thoughts_was_a_draft() {
    let draft = "{\"tool_calls\": [{\"name\": \"remove_shape\", \"arguments\": {\"id\": \"a\"}}]}";
    let written = format!("Hm. {draft} or not?</think>No.");
    let found = find_with(TextProtocol::Json, &tools(), &[&written]);
    assert!(found_calls(&found).is_empty(), "{found:?}");
    assert_eq!(found.last(), Some(&Output::Text("No.".into())));
}

#[test]
fn an_answer_ends_where_the_model_imagines_a_result() {
    let call =
        "<tool_call>{\"name\": \"remove_shape\", \"arguments\": {\"id\": \"a\"}}</tool_call>\n";
    for imagined in [
        "<observation>{\"success\": true}</observation>",
        "<tool_response>\n{}\n</tool_response>",
        "Observation: it is gone.",
        "{\"tool_results\": [{\"name\": \"remove_shape\"}]}",
        "<|observation|>gone",
        "<function_results>gone</function_results>",
    ] {
        for (protocol, name) in PROTOCOLS {
            let written = format!("{call}{imagined}\nIt is done! {call}");
            let found = find_with(protocol, &tools(), &[&written]);
            assert_eq!(found_calls(&found).len(), 1, "{name}: {written}: {found:?}");
            assert_eq!(found.last(), Some(&Output::End), "{name}: {written}: {found:?}");
        }
    }
}

/// Unreadable calls, each with a word of its error.
const UNREADABLE: [(&str, &str); 33] = [
    (
        "<tool_code><name>create_cube</name><parameters>{\"id\": \"a\"}</parameters></tool_code>",
        "no tool \"create_cube\"",
    ),
    (
        "<tool_code><name>create_shape</name><parameters>id is a</parameters></tool_code>",
        "JSON object",
    ),
    ("<tool_code><name>create_shape</name></tool_code>", "no arguments"),
    (
        "<tool_code><name>create_shape</name><parameters>{\"id\": \"a\", </parameters></tool_code>",
        "JSON object",
    ),
    ("<tool_code><parameters>{\"id\": \"a\"}</parameters></tool_code>", "no name"),
    ("<tool_code>make a red ball</tool_code>", "names no tool"),
    (
        "<tool_call>{\"name\": \"create_cube\", \"arguments\": {}}</tool_call>",
        "no tool \"create_cube\"",
    ),
    ("<tool_call>{\"name\": \"create_shape\", \"arguments\": \"id=a\"}</tool_call>", "JSON object"),
    ("<tool_call>{\"name\": \"create_shape\", \"arguments\": [1, 2]}</tool_call>", "JSON object"),
    (
        "<tool_call>{\"name\": \"create_shape\", \"arguments\": {\"id\": \"a\", \"type\": box}}</tool_call>",
        "quotation marks",
    ),
    (
        "{\"name\": \"create_shape\", \"arguments\": {\"id\": \"a\", \"radius\": NaN}}",
        "no JSON number",
    ),
    ("{\"name\": \"create_shape\", \"arguments\": {\"id\": \"a\", \"radius\": 1/3}}", ""),
    (
        "{\"name\": \"create_shape\", \"arguments\": {\"id\": \"a\"}, \"properties\": {\"radius\": 1}}",
        "beside",
    ),
    (
        "{\"name\": \"create_shape\", \"arguments\": {\"id\": \"a\"}, \"parameters\": {\"id\": \"b\"}}",
        "twice",
    ),
    ("{\"name\": \"create_shape\", \"arguments\": {\"id\": \"a\", \"id\": \"b\"}}", "twice"),
    ("{\"name\": \"create_cube\", \"arguments\": {\"id\": \"a\"}}", "no tool"),
    ("{\"tool_calls\": [{\"name\": \"create_shape\", \"arguments\": {,}}]}", ""),
    ("{\"tool_calls\": [{\"name\": \"create_shape\"", "no arguments"),
    ("{\"tool_calls\": []}", "empty"),
    ("{\"tool_calls\": [\"create_shape\"]}", "object"),
    ("Action: create_cube\nAction Input: {\"id\": \"a\"}", "no tool"),
    ("Action: create_shape\nAction Input: the red ball = a", "cannot be read"),
    ("Action: set_camera\nAction Input: position of [0, 1, 2]", "cannot be read"),
    ("Action: set_camera [0, 1, 2]", "JSON object"),
    ("<tool_call>set_camera at [0, 1, 2]</tool_call>", "cannot be read"),
    ("create_shape(\"ball\", \"sphere\")", "cannot be read"),
    ("create_shape(id=\"ball\", type=kind)", "cannot be read"),
    ("```python\nfor i in range(3):\n    create_shape(id=f\"a{i}\", type=\"box\")\n```", ""),
    (
        "```python\ncreate_shape(id=\"a\", type=\"box\")\nfor i in range(3):\n    create_shape(id=f\"a{i}\", type=\"box\")\n```",
        "no other code",
    ),
    (
        "<invoke name=\"create_shape\"><parameter name=\"id\">a</parameter> b</parameter></invoke>",
        "cannot be read",
    ),
    ("<function=create_cube>{\"id\": \"a\"}</function>", "no tool"),
    ("[TOOL_CALLS]create_cube[ARGS]{\"id\": \"a\"}", "no tool"),
    (
        "<|channel|>commentary to=functions.create_cube <|constrain|>json<|message|>{\"id\": \"a\"}<|call|>",
        "no tool",
    ),
];

#[test]
fn what_cannot_be_run_is_told_and_not_shown() {
    let tools = tools();
    let mut failures = Vec::new();
    for (written, why) in UNREADABLE {
        for (protocol, name) in PROTOCOLS {
            for pieces in [vec![written], pieces_of(written)] {
                let found = find_with(protocol, &tools, &pieces);
                let told = matches!(&found[..], [Output::Malformed(told)] if told.contains(why) && told.contains("The form is"));
                if !told {
                    failures.push(format!("{name}: {written} ({why}): {found:?}"));
                    break;
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn an_answer_that_was_cut_off_is_not_completed() {
    let tools = tools();
    for written in [
        "{\"name\": \"create_shape\", \"arguments\": {\"id\": \"a\", \"type\": \"box\"",
        "<invoke name=\"create_shape\"><parameter name=\"id\">a</parameter><parameter name=\"type\">box</parameter>",
        "<tool_call>\ntool: create_shape\narguments:\n  id: a\n  type: box",
        "<tool_code><name>create_shape</name><parameters>{\"id\": \"a\", \"type\": \"box\"",
    ] {
        for (protocol, name) in PROTOCOLS {
            let mut reader = protocol.reader(&tools);
            let mut found = reader.push(written);
            found.extend(reader.finish(true));
            assert!(matches!(found[..], [Output::Malformed(_)]), "{name}: {written}: {found:?}");
        }
    }
}

#[test]
fn half_a_tag_is_never_shown() {
    let written = "I do it.\n<tool_call>\n{\"name\": \"remove_shape\", \"arguments\": {\"id\": \"a\"}}\n</tool_call>";
    for (protocol, name) in PROTOCOLS {
        let mut reader = protocol.reader(&tools());
        let mut shown = String::new();
        for piece in pieces_of(written) {
            for found in reader.push(piece) {
                if let Output::Text(text) = found {
                    shown.push_str(&text);
                }
            }
            assert!("I do it.\n".starts_with(&shown), "{name}: {shown:?}");
        }
        assert_eq!(shown, "I do it.\n", "{name}: prose is not held back");
    }
}

/// Text that is expensive for a careless parser, and whether it must be refused.
fn hostile() -> Vec<(&'static str, String, bool)> {
    let call = "{\"name\": \"remove_shape\", \"arguments\": {\"id\": \"a\"}}\n";
    let deep = 100_000;
    vec![
        ("a long line", "a".repeat(16 << 20), true),
        (
            "a long string",
            format!(
                "{{\"name\": \"create_text\", \"arguments\": {{\"text\": \"{}",
                "a".repeat(16 << 20)
            ),
            true,
        ),
        ("many calls", call.repeat(4000), true),
        (
            "many calls in a list",
            format!("{{\"tool_calls\": [{}]}}", vec![call; 4000].join(",")),
            true,
        ),
        (
            "deep arguments",
            format!(
                "{{\"name\": \"create_shape\", \"arguments\": {}1{}}}",
                "{\"a\":".repeat(deep),
                "}".repeat(deep)
            ),
            true,
        ),
        ("deep lists", format!("{{\"tool_calls\": {}", "[".repeat(deep)), true),
        ("deep objects", "{\"a\":".repeat(deep), false),
        ("deep tags", "<tool_call>".repeat(deep), false),
        (
            "deep elements",
            format!("<tool_code><name>create_shape</name><parameters>{}", "<a>".repeat(deep)),
            true,
        ),
        ("deep calls", "create_shape(".repeat(deep), false),
        ("many thoughts that never end", "x <think> ".repeat(deep), false),
        ("many spans that never end", "x ` y\n\n".repeat(deep), false),
        (
            "many arguments that never end",
            format!("<invoke name=\"create_shape\">{}", "<parameter name=\"a\">".repeat(deep)),
            true,
        ),
        (
            "many quotes that never end",
            "<observation> {\"tool\": \"get_scene_state\"} ".repeat(deep),
            false,
        ),
        ("many brackets", "{[(<".repeat(deep), false),
        ("many labels", "Action: ".repeat(deep), false),
        ("many lines", "Action: create_shape\n".repeat(deep), false),
        ("many strings in strings", "\"\\\"{".repeat(deep), false),
    ]
}

/// The size of chunks, in letters.
const PIECE: usize = 1000;

#[test]
fn long_and_deep_answers_take_bounded_time_and_stack() {
    let tools = tools();
    for (what, written, is_refused) in hostile() {
        // All protocols share the parser; this one continues after a call.
        let whole = find_with(TextProtocol::Json, &tools, &[&written]);
        let pieces: Vec<&str> = written
            .as_bytes()
            .chunks(PIECE)
            .map(|piece| std::str::from_utf8(piece).unwrap())
            .collect();
        assert!(find_with(TextProtocol::Json, &tools, &pieces) == whole, "{what}");
        let is_malformed = matches!(whole.last(), Some(Output::Malformed(_)));
        assert!(is_malformed || !is_refused, "{what}: {:?}", whole.last());
    }
}
