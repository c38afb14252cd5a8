//! Loop guard, approval of the user, and histories that stay acceptable whatever happens.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::sync::Arc;
use std::time::Duration;

use agent::{
    Access, Event, Inbox, LoopGuard, Outcome, Reason, Run, RunOptions, Tool, Toolbox, run,
};
use llm::{Content, Gate, LanguageModel, ModelError, Part, Scripted, Step};
use proptest::prelude::*;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::stage::Echo;

fn tools() -> Toolbox {
    let tool = |name, access, guarded| {
        Arc::new(Echo { guarded, ..Echo::new(name, access) }) as Arc<dyn Tool>
    };
    Toolbox::new(vec![
        tool("look", Access::Reads, false),
        tool("change", Access::Changes, false),
        tool("delete", Access::Changes, true),
    ])
}

fn a_run(
    history: &[Content],
    model: &Arc<Scripted>,
    text: &str,
    options: RunOptions,
) -> (Run, mpsc::Receiver<Event>) {
    let (events, receiver) = mpsc::channel(1);
    let inbox = Inbox::default();
    inbox.push("u1", Content::user(text));
    let run = Run {
        history: history.to_vec(),
        model: Arc::clone(model) as Arc<dyn LanguageModel>,
        tools: tools(),
        instruction: "".into(),
        context: Arc::new(()),
        max_turns: 10,
        inbox,
        events,
        cancel: CancellationToken::new(),
        options,
    };
    (run, receiver)
}

/// Runs to the end; `watch` sees every event.
async fn to_end(
    model: &Arc<Scripted>,
    options: RunOptions,
    mut watch: impl FnMut(&Event, &CancellationToken),
) -> (Outcome, Vec<Content>) {
    let (run_, mut events) = a_run(&[], model, "go", options);
    let cancel = run_.cancel.clone();
    let task = tokio::spawn(run(run_));
    let mut history = Vec::new();
    while let Some(event) = events.recv().await {
        watch(&event, &cancel);
        if let Some(content) = event.content() {
            history.push(content.clone());
        }
    }
    (task.await.unwrap(), history)
}

fn call(name: &str, args: Value) -> Step {
    Step::part(Part::call(None, name, args))
}

#[tokio::test]
async fn a_model_that_repeats_itself_is_told_and_then_stopped() {
    let same = || vec![call("look", json!({ "n": 1 }))];
    let model = Arc::new(Scripted::new((0..5).map(|_| same())));
    let (outcome, history) = to_end(&model, RunOptions::default(), |_, _| ()).await;
    assert_eq!((outcome.reason.clone(), outcome.turns), (Reason::Looping("look".into()), 5));
    assert!(outcome.message().unwrap().contains("look again and again"));
    let notes: Vec<usize> = (0..history.len())
        .filter(|at| history[*at].visible_text().contains("called 3 times"))
        .collect();
    assert_eq!(notes, [7], "after the third result");
    assert_eq!(model.requests()[3].contents.len(), 8);
}

#[tokio::test]
async fn the_guard_lets_changing_calls_be_and_can_be_set_or_off() {
    let counting = (0..6).map(|n| vec![call("look", json!({ "n": n }))]);
    let answers = counting.chain([vec![Step::text("done")]]);
    let model = Arc::new(Scripted::new(answers));
    let (outcome, _) = to_end(&model, RunOptions::default(), |_, _| ()).await;
    assert_eq!(outcome.reason, Reason::Completed);
    for (guard, expected) in [
        (None, Reason::Completed),
        (Some(LoopGuard { note_after: 1, pause_after: 2 }), Reason::Looping("look".into())),
    ] {
        let same = (0..6).map(|_| vec![call("look", json!({}))]);
        let model = Arc::new(Scripted::new(same.chain([vec![Step::text("done")]])));
        let options = RunOptions { guard, ..RunOptions::default() };
        assert_eq!(to_end(&model, options, |_, _| ()).await.0.reason, expected);
    }
}

#[tokio::test]
async fn a_guarded_call_waits_for_leave_and_hears_a_no() {
    for (allow, success) in [(true, true), (false, false)] {
        let model = Arc::new(Scripted::new([
            vec![call("delete", json!({ "id": "x" }))],
            vec![Step::text("ok")],
        ]));
        let options = RunOptions::default();
        let approvals = options.approvals.clone();
        let mut order = Vec::new();
        let (outcome, history) = to_end(&model, options, |event, _| match event {
            Event::ApprovalNeeded { call_id, name, args } => {
                assert_eq!((name.as_str(), args), ("delete", &json!({ "id": "x" })));
                order.push("asked");
                assert!(approvals.answer(call_id, allow));
                assert!(!approvals.answer(call_id, allow), "answered once");
            }
            Event::ToolStarted { .. } => order.push("started"),
            Event::ToolFinished { response, .. } => assert_eq!(response["success"], success),
            _ => {}
        })
        .await;
        assert_eq!((outcome.reason, order), (Reason::Completed, vec!["asked", "started"]));
        assert_eq!(history[2].responses().next().unwrap().response.unwrap()["success"], success);
    }
}

#[tokio::test]
async fn a_call_that_waits_for_leave_can_be_stopped() {
    let model = Arc::new(Scripted::new([vec![call("delete", json!({}))]]));
    let options = RunOptions::default();
    let approvals = options.approvals.clone();
    let mut asked = String::new();
    let (outcome, history) = to_end(&model, options, |event, cancel| {
        if let Event::ApprovalNeeded { call_id, .. } = event {
            asked.clone_from(call_id);
            cancel.cancel();
        }
    })
    .await;
    assert_eq!(outcome.reason, Reason::Cancelled);
    assert!(!approvals.answer(&asked, true));
    assert_eq!(llm::history_errors(&history), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn a_cancel_is_quick_whether_the_model_streams_or_hangs() {
    for answer in [
        vec![Step::Gate(Gate::new())],
        vec![Step::text("I am "), Step::text("writing"), Step::Gate(Gate::new())],
    ] {
        let model = Arc::new(Scripted::new([answer]));
        let (outcome, _) = to_end(&model, RunOptions::default(), |event, cancel| {
            if matches!(event, Event::TurnStarted { .. } | Event::TextDelta { .. }) {
                cancel.cancel();
            }
        })
        .await;
        assert_eq!(outcome.reason, Reason::Cancelled);
        // The clock only moves when all wait: nothing waited for anything.
        assert_eq!(outcome.cancel_latency, Some(Duration::ZERO));
    }
}

/// What happens to one run.
#[derive(Debug, Clone)]
struct Fate {
    answers: Vec<Vec<Piece>>,
    /// After so many events: the user stops it, or the process dies.
    after: usize,
    crash: bool,
}

#[derive(Debug, Clone)]
enum Piece {
    Text,
    Call(&'static str, Option<&'static str>, Value),
    Malformed,
    Down,
}

fn fate() -> impl Strategy<Value = Fate> {
    let id = prop_oneof![Just(None), Just(Some("a")), Just(Some("b"))];
    let args = prop_oneof![Just(json!({})), Just(json!([1])), Just(json!({ "panic": 1 }))];
    let name = prop_oneof![Just("look"), Just("change"), Just("delete"), Just("nothing")];
    let piece = prop_oneof![
        3 => Just(Piece::Text),
        6 => (name, id, args).prop_map(|(name, id, args)| Piece::Call(name, id, args)),
        1 => Just(Piece::Malformed),
        1 => Just(Piece::Down),
    ];
    let answers = prop::collection::vec(prop::collection::vec(piece, 0..4), 0..4);
    (answers, 0_usize..24, any::<bool>()).prop_map(|(answers, after, crash)| Fate {
        answers,
        after,
        crash,
    })
}

fn steps(pieces: &[Piece]) -> Vec<Step> {
    let step = |piece: &Piece| match piece {
        Piece::Text => Step::text("Well. "),
        Piece::Call(name, id, args) => Step::part(Part::call(*id, name, args.clone())),
        Piece::Malformed => Step::Error(ModelError::MalformedCall("no JSON".into())),
        Piece::Down => Step::Error(ModelError::Unavailable("down".into())),
    };
    pieces.iter().map(step).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// The scripted model panics on a history the real API would refuse, so that a run that gets to
    /// its end proves all of its requests.
    #[test]
    fn whatever_happens_no_request_is_one_the_provider_would_refuse(
        fates in prop::collection::vec(fate(), 1..5)
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut history = Vec::new();
            for fate in fates {
                let plenty = (0..10).map(|_| vec![Step::text("Done.")]);
                let answers = fate.answers.iter().map(|pieces| steps(pieces));
                let model = Arc::new(Scripted::new(answers.chain(plenty)));
                let (run_, mut events) = a_run(&history, &model, "go on", RunOptions::default());
                let (cancel, approvals) =
                    (run_.cancel.clone(), run_.options.approvals.clone());
                let task = tokio::spawn(run(run_));
                let mut count = 0;
                while let Some(event) = events.recv().await {
                    count += 1;
                    match event {
                        Event::Appended(content) | Event::MessageRead { content, .. } => {
                            history.push(content);
                        }
                        Event::ApprovalNeeded { call_id, .. } => {
                            approvals.answer(&call_id, count % 2 == 0);
                        }
                        _ => {}
                    }
                    if count == fate.after && fate.crash {
                        // What was not reported is lost.
                        break;
                    }
                    if count == fate.after {
                        cancel.cancel();
                    }
                }
                if fate.crash {
                    task.abort();
                }
                match task.await {
                    Ok(_) => {}
                    Err(error) => assert!(error.is_cancelled(), "{error}"),
                }
            }
        });
    }
}
