//! A1, A3 to A7: the loop over a scripted model that refuses every history the real API would.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use agent::{Access, Event, Reason};
use llm::{Chunk, Content, Gate, ModelError, Part, Step, Usage};
use serde_json::json;
use tokio::sync::Barrier;
use tokio_util::sync::CancellationToken;

use crate::stage::{Echo, Stage, call, roles};

/// Requirements A3 and D5.
#[tokio::test]
async fn the_loop_ends_with_an_answer_without_calls_and_keeps_everything() {
    let signed = Part::from_value(json!({
        "functionCall": { "id": "c1", "name": "change", "args": { "x": 1 } },
        "thoughtSignature": "c2lnbmVk", "unknown": [1, 2],
    }));
    let empty = Part::from_value(json!({ "text": "", "thoughtSignature": "ZW1wdHk=" }));
    let mut stage = Stage::new(vec![
        vec![Step::text("I "), Step::text("begin."), Step::part(signed.clone())],
        vec![Step::part(Part::thought("hm")), Step::text("Done."), Step::part(empty.clone())],
    ])
    .say("go");
    let (outcome, events) = stage.run().await;
    assert_eq!((outcome.reason, outcome.turns), (Reason::Completed, 2));
    assert_eq!(roles(&stage.history), "umfm");
    assert_eq!(stage.history[1].parts[2], signed);
    assert_eq!(stage.history[3].parts[2], empty);
    assert_eq!(stage.model.requests()[1].contents, stage.history[..3]);
    let deltas: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            Event::TextDelta { message_id, text, thought } => {
                Some((message_id.as_str(), text.as_str(), *thought))
            }
            _ => None,
        })
        .collect();
    let expected =
        [("m1", "I ", false), ("m1", "begin.", false), ("m3", "hm", true), ("m3", "Done.", false)];
    assert_eq!(deltas, expected);
}

#[tokio::test]
async fn the_present_state_is_appended_and_what_was_sent_before_never_changes() {
    let change = |id: &str| vec![call(id, "change", json!({}))];
    let mut stage =
        Stage::new(vec![change("1"), change("2"), change("3"), vec![Step::text("ok")]]).say("go");
    stage.work.0.store(1, Ordering::SeqCst);
    stage
        .run_watching(|event, stage| {
            // The user changes it by hand beside the second call.
            if matches!(event, Event::ToolStarted { call_id, .. } if call_id == "2") {
                stage.work.0.store(2, Ordering::SeqCst);
            }
        })
        .await;
    // It is told with the message and, with the next request after the edit, once more.
    assert_eq!(stage.history[0].parts[1].as_text(), Some("[version 1]"));
    assert_eq!(stage.history[0].visible_text(), "go");
    let parts = stage.history.iter().flat_map(|content| &content.parts);
    let told = parts.filter(|part| part.as_context().is_some()).filter_map(Part::as_text);
    assert_eq!(told.collect::<String>(), "[version 1][version 2]");
    let requests = stage.model.requests();
    for (earlier, later) in requests.iter().zip(&requests[1..]) {
        assert_eq!(earlier.system_instruction, later.system_instruction);
        assert_eq!(earlier.tools, later.tools);
        assert!(later.contents.starts_with(&earlier.contents));
    }
}

/// Requirements A4 and C4.
#[tokio::test]
async fn the_turn_limit_keeps_the_results_and_the_next_message_goes_on() {
    let again = |n: u32| vec![call("c", "change", json!({ "n": n }))];
    let mut stage = Stage::new((0..10).map(again).collect()).say("for ever");
    let (outcome, _) = stage.run().await;
    assert_eq!(
        outcome.message().as_deref(),
        Some("Reached maximum turn limit (10 turns). Send a message to continue.")
    );
    assert_eq!(stage.calls.lock().unwrap().len(), 10);
    assert_eq!(roles(&stage.history), format!("u{}", "mf".repeat(10)));
    stage.model.push(vec![Step::text("Finished.")]);
    let mut stage = stage.say("continue");
    let (outcome, _) = stage.run().await;
    assert_eq!(outcome.reason, Reason::Completed);
    assert_eq!(stage.model.requests().last().unwrap().contents.len(), 22);
}

/// Requirements A5 and B2.
#[tokio::test]
async fn failures_unknown_tools_bad_arguments_and_panics_are_that_calls_error() {
    let mut stage = Stage::new(vec![
        vec![
            call("1", "change", json!({ "ok": true })),
            call("2", "change", json!({ "fail": "shape 'x' requires 'center' property" })),
            call("3", "chnage", json!({})),
            call("4", "change", json!([1])),
            call("5", "change", json!({ "panic": true })),
            Step::part(Part::from_value(json!({ "functionCall": { "name": "change" } }))),
        ],
        vec![Step::text("I see.")],
    ])
    .say("go");
    let (outcome, _) = stage.run().await;
    assert_eq!(outcome.reason, Reason::Completed);
    assert_eq!(
        stage.responses(),
        [
            json!({ "success": true, "result": { "ok": true } }),
            json!({ "success": false, "error": "shape 'x' requires 'center' property" }),
            json!({ "success": false, "error": "there is no tool 'chnage'; the tools are: change" }),
            json!({ "success": false, "error": "tool 'change' takes an object of arguments, got [1]" }),
            json!({ "success": false, "error": "tool 'change' failed inside: told to panic" }),
            json!({ "success": true, "result": {} }),
        ]
    );
    // A6: nothing was tried again by itself.
    assert_eq!(stage.calls.lock().unwrap().len(), 4);
}

/// Requirement A7.
#[tokio::test]
async fn what_a_call_notes_at_its_end_is_told_before_its_result() {
    let note = json!({ "note": "almost there" });
    let answers = vec![vec![call("c1", "change", note)], vec![Step::text("Done.")]];
    let mut stage = Stage::new(answers).say("go");
    let (_, events) = stage.run().await;
    let noted = events.iter().position(|event| {
        matches!(event, Event::Progress { note: Some(note), .. } if note.text == "almost there")
    });
    let finished = events.iter().position(|event| matches!(event, Event::ToolFinished { .. }));
    assert!(noted.is_some() && noted < finished, "{events:?}");
}

#[tokio::test]
async fn a_cancel_in_mid_stream_keeps_what_came_and_the_next_message_resumes() {
    let gate = Gate::new();
    let mut stage = Stage::new(vec![vec![
        Step::text("I will now "),
        call("1", "change", json!({})),
        Step::Gate(gate),
    ]])
    .say("go");
    let (outcome, _) = stage
        .run_watching(|event, stage| {
            if matches!(event, Event::TextDelta { .. }) {
                stage.cancel.cancel();
            }
        })
        .await;
    assert_eq!((outcome.reason, outcome.turns), (Reason::Cancelled, 1));
    assert_eq!(stage.model.cut_off(), 1);
    assert!(stage.calls.lock().unwrap().is_empty(), "the call was not run");
    assert_eq!(stage.history[1].visible_text().split('[').next(), Some("I will now "));
    stage.cancel = CancellationToken::new();
    stage.model.push(vec![Step::text("Fine.")]);
    let mut stage = stage.say("go on");
    assert_eq!(stage.run().await.0.reason, Reason::Completed);
}

/// Requirement A7.
#[tokio::test]
async fn a_cancel_during_a_tool_lets_it_finish_and_answers_the_others() {
    let gate = Gate::new();
    let mut stage = Stage::new(vec![vec![
        call("1", "slow", json!({ "n": 1 })),
        call("2", "change", json!({ "n": 2 })),
    ]])
    .with_tool("slow", Access::Changes, Some(gate.clone()))
    .say("go");
    let (outcome, events) = stage
        .run_watching(|event, stage| {
            if matches!(event, Event::ToolStarted { .. }) {
                stage.cancel.cancel();
                gate.open();
            }
        })
        .await;
    assert_eq!((outcome.reason, outcome.turns), (Reason::Cancelled, 1));
    let responses = stage.responses();
    assert_eq!(responses[0], json!({ "success": true, "result": { "n": 1 } }));
    assert_eq!(responses[1]["success"], false);
    assert_eq!(stage.calls.lock().unwrap().len(), 1);
    let finished = events.iter().filter(|event| matches!(event, Event::ToolFinished { .. }));
    assert_eq!(finished.count(), 1);
    assert!(llm::history_errors(&stage.history).is_empty());
}

/// Requirement A7.
#[tokio::test]
async fn a_cancel_before_anything_came_leaves_a_note() {
    let gate = Gate::new();
    let mut stage = Stage::new(vec![vec![Step::Gate(gate.clone())]]).say("go");
    let cancel = stage.cancel.clone();
    let (outcome, ()) = tokio::join!(stage.run(), async {
        gate.reached().await;
        cancel.cancel();
    });
    assert_eq!(outcome.0.reason, Reason::Cancelled);
    assert_eq!(
        stage.history[1],
        Content::model(vec![Part::text("[The user interrupted this answer.]")])
    );
}

#[tokio::test]
async fn a_message_during_a_run_is_seen_at_the_next_turn() {
    // Tool and second answer wait until the next message is there.
    let gate = Gate::new();
    let tool_gate = Gate::new();
    let mut stage = Stage::new(vec![
        vec![call("1", "slow", json!({}))],
        vec![Step::text("Blue then."), Step::Gate(gate.clone())],
        vec![Step::text("And bigger.")],
    ])
    .with_tool("slow", Access::Changes, Some(tool_gate.clone()))
    .say("make it red");
    let (outcome, _) = stage
        .run_watching(|event, stage| match event {
            Event::ToolStarted { .. } => {
                stage.inbox.push("u2", Content::user("no, blue"));
                tool_gate.open();
            }
            Event::TextDelta { text, .. } if text == "Blue then." => {
                stage.inbox.push("u3", Content::user("and bigger"));
                gate.open();
            }
            _ => {}
        })
        .await;
    assert_eq!((outcome.reason, outcome.turns), (Reason::Completed, 3));
    assert_eq!(roles(&stage.history), "umfumum");
}

/// Requirement B1.
#[tokio::test]
async fn reading_calls_run_together_and_changing_calls_alone_in_order() {
    let mut stage = Stage::new(vec![
        vec![
            call("1", "look", json!({ "n": 1 })),
            call("2", "look", json!({ "n": 2 })),
            call("3", "change", json!({ "n": 3 })),
            call("4", "change", json!({ "n": 4 })),
        ],
        vec![Step::text("ok")],
    ])
    .say("go");
    // Both must be inside at the same time for either to get through.
    stage.tools.push(Arc::new(Echo {
        calls: Arc::clone(&stage.calls),
        together: Some(Arc::new(Barrier::new(2))),
        ..Echo::new("look", Access::Reads)
    }));
    let (_, events) = stage.run().await;
    let results: Vec<_> = stage.responses().iter().map(|r| r["result"]["n"].clone()).collect();
    assert_eq!(results, [1, 2, 3, 4]);
    let order: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            Event::ToolStarted { call_id, .. } => Some(format!("+{call_id}")),
            Event::ToolFinished { call_id, .. } => Some(format!("-{call_id}")),
            _ => None,
        })
        .collect();
    assert_eq!(order[4..], ["+3", "-3", "+4", "-4"]);
}

#[tokio::test]
async fn call_ids_are_unique_in_the_conversation_whatever_the_model_gives() {
    let no_id = || Step::part(Part::call(None, "change", json!({})));
    let mut stage = Stage::new(vec![
        vec![call("a", "change", json!({})), call("a", "change", json!({})), no_id()],
        vec![call("a", "change", json!({ "n": 1 }))],
        vec![Step::text("ok")],
    ])
    .say("go");
    let (_, events) = stage.run().await;
    let mut ids: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            Event::ToolStarted { call_id, .. } => Some(call_id.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(ids, ["a", "m1.call2", "m1.call3", "m3.call1"]);
    ids.dedup();
    assert_eq!(ids.len(), 4);
}

#[tokio::test]
async fn malformed_calls_are_fed_back_three_times() {
    let malformed =
        || vec![Step::Error(ModelError::MalformedCall("the call was malformed".into()))];
    let mut stage = Stage::new((0..4).map(|_| malformed()).collect()).say("go");
    let (outcome, _) = stage.run().await;
    assert_eq!(outcome.turns, 4);
    assert!(matches!(outcome.reason, Reason::Failed(ModelError::MalformedCall(_))));
    assert!(stage.history[2].visible_text().contains("the call was malformed"));
}

#[tokio::test]
async fn an_error_after_text_keeps_the_text_and_tells_the_user() {
    let error = ModelError::Unavailable("the service is down".into());
    let mut stage =
        Stage::new(vec![vec![Step::text("I be"), Step::Error(error.clone())]]).say("go");
    let (outcome, _) = stage.run().await;
    assert_eq!(outcome.message().as_deref(), Some("the service is down"));
    assert_eq!(outcome.reason, Reason::Failed(error));
    assert_eq!(stage.history[1].visible_text(), "I be[This answer broke off.]");
}

#[tokio::test]
async fn a_retry_that_voids_the_text_is_told_and_leaves_no_trace_in_the_history() {
    let retry = Step::Chunk(Chunk::Retrying {
        attempt: 1,
        delay: std::time::Duration::from_millis(5),
        reason: "overloaded".into(),
        discard_text: true,
    });
    let usage = |input_tokens| {
        Step::Chunk(Chunk::Usage(Usage { input_tokens, output_tokens: 1, ..Usage::default() }))
    };
    let mut stage =
        Stage::new(vec![vec![Step::text("Hal"), retry, usage(3), Step::text("Hello"), usage(7)]])
            .say("go");
    let (outcome, events) = stage.run().await;
    assert_eq!(stage.history[1].visible_text(), "Hello");
    assert_eq!(outcome.usage, Usage { input_tokens: 7, output_tokens: 1, ..Usage::default() });
    let told = events.iter().position(|event| matches!(event, Event::TextDiscarded { .. }));
    let retrying = events.iter().position(|event| matches!(event, Event::Retrying { .. }));
    assert!(told.unwrap() < retrying.unwrap());
}

#[tokio::test]
async fn an_empty_answer_is_not_silence() {
    let only_a_thought = vec![Step::part(Part::thought("hm")), Step::text("")];
    for answer in [vec![], only_a_thought] {
        let mut stage = Stage::new(vec![answer]).say("go");
        let (outcome, _) = stage.run().await;
        assert!(outcome.message().unwrap().contains("empty answer"));
    }
}

#[tokio::test]
async fn an_answer_that_reached_the_length_limit_says_so() {
    let mut stage =
        Stage::new(vec![vec![Step::text("Once upon a"), Step::Chunk(Chunk::LengthLimit)]])
            .say("go");
    let (outcome, _) = stage.run().await;
    assert_eq!(outcome.reason, Reason::LengthLimit);
    assert!(outcome.message().unwrap().contains("length limit"));
    assert_eq!(stage.history[1].visible_text(), "Once upon a");
}
