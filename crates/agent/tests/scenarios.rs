//! B6: the planning document's three scenarios over stand-in calendar and availability tools, with
//! timings of a clock that only moves when everything waits. B1 to B4 over the same tools.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::sync::Arc;
use std::time::Duration;

use agent::{
    Access, Action, Event, Inbox, LimitWords, Outcome, Reason, Run, RunOptions, Tool, ToolOutput,
    Toolbox, run,
};
use async_trait::async_trait;
use llm::{Content, LanguageModel, Part, Scripted, Step, TextProtocol, TextTools};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// How long a look at the calendar or the availability takes.
const LOOK: Duration = Duration::from_millis(200);

/// A tool that takes its time and answers from its arguments.
struct Slow {
    name: &'static str,
    access: Access,
    answer: fn(&Value) -> Result<Value, String>,
}

#[async_trait]
impl Tool for Slow {
    fn name(&self) -> &str {
        self.name
    }

    fn description(&self) -> &str {
        "Takes 200 ms."
    }

    fn parameters(&self) -> Arc<Value> {
        json!({ "type": "object" }).into()
    }

    fn access(&self) -> Access {
        self.access
    }

    async fn call(&self, args: Value) -> ToolOutput {
        tokio::time::sleep(LOOK).await;
        match (self.answer)(&args) {
            Ok(result) => ToolOutput::success(result),
            Err(error) => ToolOutput::failure(error),
        }
    }
}

fn tools() -> Toolbox {
    Toolbox::new(vec![
        Arc::new(Slow {
            name: "resolve_date",
            access: Access::Reads,
            answer: |args| match args["text"].as_str() {
                Some("next tuesday") => Ok(json!("2026-11-24")),
                Some("the day after") => Ok(json!("2026-11-25")),
                other => Err(format!("no such date: {other:?}")),
            },
        }),
        Arc::new(Slow {
            name: "check_availability",
            access: Access::Reads,
            answer: |args| {
                Ok(json!({ "date": args["date"], "free": args["date"] == "2026-11-25" }))
            },
        }),
        Arc::new(Slow { name: "book", access: Access::Changes, answer: |args| Ok(args.clone()) }),
    ])
}

struct Ran {
    outcome: Outcome,
    history: Vec<Content>,
    events: Vec<Event>,
    /// Of the paused clock.
    took: Duration,
}

impl Ran {
    fn responses(&self) -> Vec<Value> {
        let responses = self.history.iter().flat_map(|content| content.responses());
        responses.map(|response| response.response.unwrap().clone()).collect()
    }
}

async fn run_with(model: Arc<dyn LanguageModel>, max_turns: u32, options: RunOptions) -> Ran {
    let (sender, mut receiver) = mpsc::channel(64);
    let inbox = Inbox::default();
    inbox.push("u1", Content::user("Am I free?"));
    let started = Instant::now();
    let task = tokio::spawn(run(Run {
        history: Vec::new(),
        model,
        tools: tools(),
        instruction: "You plan.".into(),
        context: Arc::new(()),
        max_turns,
        inbox,
        events: sender,
        cancel: CancellationToken::new(),
        options,
    }));
    let (mut history, mut events) = (Vec::new(), Vec::new());
    while let Some(event) = receiver.recv().await {
        if let Some(content) = event.content() {
            history.push(content.clone());
        }
        events.push(event);
    }
    Ran { outcome: task.await.unwrap(), history, events, took: started.elapsed() }
}

async fn run_script(answers: Vec<Vec<Step>>) -> Ran {
    run_with(Arc::new(Scripted::new(answers)), 10, RunOptions::default()).await
}

fn call(id: &str, name: &str, args: Value) -> Step {
    Step::part(Part::call(Some(id), name, args))
}

fn resolve(id: &str, text: &str) -> Step {
    call(id, "resolve_date", json!({ "text": text }))
}

fn check(id: &str, date: &str) -> Step {
    call(id, "check_availability", json!({ "date": date }))
}

/// Requirement B6.
#[tokio::test(start_paused = true)]
async fn one_date_takes_two_waves() {
    let ran = run_script(vec![
        vec![resolve("1", "next tuesday")],
        vec![check("2", "2026-11-24")],
        vec![Step::text("You are busy.")],
    ])
    .await;
    assert_eq!((ran.outcome.reason.clone(), ran.outcome.turns), (Reason::Completed, 3));
    assert_eq!(ran.took, 2 * LOOK);
    assert_eq!(ran.responses()[1]["result"]["free"], false);
}

/// Requirements B1 and B6.
#[tokio::test(start_paused = true)]
async fn two_dates_at_once_take_the_time_of_one() {
    let ran = run_script(vec![
        vec![resolve("1", "next tuesday"), resolve("2", "the day after")],
        vec![check("3", "2026-11-24"), check("4", "2026-11-25")],
        vec![Step::text("Wednesday is free.")],
    ])
    .await;
    assert_eq!(ran.outcome.turns, 3);
    // Four calls of 200 ms each in two waves.
    assert_eq!(ran.took, 2 * LOOK);
    let free: Vec<_> = ran.responses()[2..].iter().map(|it| it["result"]["free"].clone()).collect();
    assert_eq!(free, [false, true]);
}

/// Requirement B6.
#[tokio::test(start_paused = true)]
async fn dates_already_known_take_one_wave() {
    let ran = run_script(vec![
        vec![check("1", "2026-11-24"), check("2", "2026-11-25")],
        vec![Step::text("Wednesday is free.")],
    ])
    .await;
    assert_eq!((ran.outcome.turns, ran.took), (2, LOOK));
}

/// Requirement B2.
#[tokio::test(start_paused = true)]
async fn one_failing_call_leaves_its_siblings_alone() {
    let ran = run_script(vec![
        vec![resolve("1", "yesterday"), resolve("2", "next tuesday")],
        vec![Step::text("One of them.")],
    ])
    .await;
    assert_eq!(ran.took, LOOK);
    let success: Vec<_> = ran.responses().iter().map(|it| it["success"].clone()).collect();
    assert_eq!(success, [false, true]);
}

fn planner(plans: &[Value]) -> Arc<dyn LanguageModel> {
    let answers = plans.iter().map(|plan| vec![Step::text(plan.to_string())]);
    let inner = Arc::new(Scripted::new(answers));
    Arc::new(TextTools::new("planner", inner, TextProtocol::Plan))
}

/// Requirement B3.
#[tokio::test(start_paused = true)]
async fn needs_order_the_calls_inside_a_wave() {
    let plan = json!({ "status": "continue", "action": "I book both.", "tools": [
        { "id": "book", "tool": "book", "args": { "n": 1 }, "needs": ["a", "b"] },
        { "id": "a", "tool": "resolve_date", "args": { "text": "next tuesday" } },
        { "id": "b", "tool": "resolve_date", "args": { "text": "the day after" } },
        { "id": "c", "tool": "resolve_date", "args": { "text": "never" } },
        { "id": "late", "tool": "check_availability", "args": {}, "needs": ["c"] } ] });
    let done = json!({ "status": "done", "action": "Booked.", "tools": [] });
    let ran = run_with(planner(&[plan, done]), 10, RunOptions::default()).await;
    assert_eq!((ran.outcome.reason.clone(), ran.outcome.turns), (Reason::Completed, 2));
    assert_eq!(ran.took, 2 * LOOK);
    let responses = ran.responses();
    assert_eq!(responses[0], json!({ "success": true, "result": { "n": 1 } }));
    let error = responses[4]["error"].as_str().unwrap();
    assert!(error.contains("needs the call to 'resolve_date', which failed"), "{error}");
    let names: Vec<&str> = ran
        .events
        .iter()
        .filter_map(|event| match event {
            Event::ToolStarted { name, .. } => Some(name.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(names, ["resolve_date", "resolve_date", "resolve_date", "book"]);
}

/// Requirement B3.
#[tokio::test(start_paused = true)]
async fn a_plan_with_a_cycle_is_asked_for_again() {
    let circle = json!({ "status": "continue", "tools": [
        { "id": "a", "tool": "book", "args": {}, "needs": ["b"] },
        { "id": "b", "tool": "book", "args": {}, "needs": ["a"] } ] });
    let done = json!({ "status": "done", "action": "Never mind.", "tools": [] });
    let ran = run_with(planner(&[circle, done]), 10, RunOptions::default()).await;
    assert_eq!((ran.outcome.reason.clone(), ran.outcome.turns), (Reason::Completed, 2));
    assert!(ran.history[2].visible_text().contains("circle"), "{:?}", ran.history[2]);
}

/// Requirement B4.
#[tokio::test(start_paused = true)]
async fn without_the_loop_one_wave_ends_the_run() {
    let script = Scripted::new([vec![check("1", "2026-11-24"), check("2", "2026-11-25")]]);
    let options = RunOptions { feedback: false, ..RunOptions::default() };
    let ran = run_with(Arc::new(script), 10, options).await;
    assert_eq!((ran.outcome.reason.clone(), ran.outcome.turns), (Reason::SingleWave, 1));
    assert!(ran.outcome.message().unwrap().contains("switched off"));
    assert_eq!(ran.responses().len(), 2);
}

/// Requirement D2.
#[tokio::test(start_paused = true)]
async fn the_step_limit_has_its_own_message() {
    let answers = vec![vec![resolve("1", "next tuesday")], vec![resolve("2", "the day after")]];
    let options = RunOptions { limit_words: LimitWords::Steps, ..RunOptions::default() };
    let ran = run_with(Arc::new(Scripted::new(answers)), 2, options).await;
    assert_eq!(ran.outcome.message().as_deref(), Some("Reached maximum reasoning steps (2)"));
}

/// Requirement D3.
#[tokio::test(start_paused = true)]
async fn every_call_is_announced_by_its_step_before_it_begins() {
    let answers = vec![
        vec![resolve("1", "next tuesday"), resolve("2", "the day after")],
        vec![call("3", "book", json!({}))],
    ];
    let ran = run_with(Arc::new(Scripted::new(answers)), 2, RunOptions::default()).await;
    let told: Vec<String> = ran
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Progress { step, action: Action::ToolCall, target, .. } => {
                Some(format!("{step} {target}"))
            }
            Event::ToolStarted { call_id, .. } => Some(format!("started {call_id}")),
            _ => None,
        })
        .collect();
    let count = |what: &str| told.iter().filter(|it| *it == what).count();
    assert_eq!((count("1 resolve_date"), count("2 book"), told.len()), (2, 1, 6), "{told:?}");
    assert_eq!(told[4..], ["2 book", "started 3"]);
}
