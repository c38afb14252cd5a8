//! One answer: looks first, then acts, looks again where the calls failed, has the scene checked, then tells.

use llm::{Content, Part};
use scene::{Edit, Scene, SceneManager};
use serde_json::{Value, json};

use crate::answer::{Told, answer, findings, news};
use crate::dialogue::{Interpretation, states};
use crate::history::{CHECK, CallResult, History, LOOK, Step, Turn};
use crate::plan::{ToolCall, tool_calls};
use crate::resolve::ForgetSolids;

/// The most waves of calls for one message.
const MAX_WAVES: usize = 3;
/// The call that holds others.
const BATCH: &str = spatial::BATCH_NAME;
/// Told to those who send pictures.
const BLIND: &str = "I cannot see pictures; please tell me in words what you want.";

/// What this model says next.
pub(crate) struct Response {
    pub(crate) text: String,
    /// None in a final answer.
    pub(crate) calls: Vec<ToolCall>,
}

/// Which tools there are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tools {
    /// Several calls as one.
    pub(crate) batch: bool,
    /// Likely mistakes.
    pub(crate) check: bool,
}

impl Response {
    fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), calls: Vec::new() }
    }

    fn call(text: &str, name: &str) -> Self {
        let call = ToolCall { name: name.to_owned(), args: json!({}) };
        Self { text: text.to_owned(), calls: vec![call] }
    }

    /// The parts as they are streamed: text in word-sized pieces, then the calls. `history` is the
    /// number of contents so far; it makes the ids of the calls unique.
    pub(crate) fn into_parts(self, history: usize) -> Vec<Part> {
        let words = self.text.split_inclusive(' ').map(Part::text);
        let calls = self.calls.into_iter().enumerate().map(|(index, call)| {
            let id = format!("call_{history}_{}", index + 1);
            Part::call(Some(&id), &call.name, call.args)
        });
        words.chain(calls).collect()
    }
}

/// The next answer to this history.
pub(crate) fn respond(contents: &[Content], tools: Tools) -> Response {
    let _at_the_end = ForgetSolids;
    let history = History::read(contents);
    let Some(turn) = history.turns.last().filter(|turn| turn.answer.is_none()) else {
        return Response::text("Tell me what you want to see, for example “a red sphere”.");
    };
    if turn.message.is_empty() {
        return Response::text(match turn.pictures {
            true => BLIND,
            false => "What shall I do with the selection?",
        });
    }
    if turn.look().is_none() {
        return look_or_complain(turn);
    }
    let Some((scene, interpretation)) = states(&history.turns) else {
        return Response::text("I could not read the scene, so I changed nothing.");
    };
    let results = turn.results();
    if results.is_empty() {
        let calls = tool_calls(&scene, &interpretation.scene);
        if !calls.is_empty() {
            return Response { text: "On it.".to_owned(), calls: batched(calls, tools.batch) };
        }
    }
    let failed = results.iter().filter(|result| result.result.is_err()).count();
    if failed > 0 {
        let waves = turn.steps.iter().filter(|step| matches!(step, Step::Wave(_))).count();
        let was_interrupted = results.iter().any(CallResult::was_interrupted);
        if failed == results.len() && waves < MAX_WAVES && !was_interrupted {
            return Response::call("That did not work; I'll look at the scene again.", LOOK);
        }
        return Response::text(failure(&scene, results));
    }
    if !results.is_empty() && tools.check && turn.check().is_none() && is_worth_a_check(results) {
        return Response::call("Now I'll check it.", CHECK);
    }
    Response::text(told(turn, &scene, &interpretation))
}

fn told(turn: &Turn<'_>, scene: &Scene, interpretation: &Interpretation) -> String {
    let told = answer(Told {
        news: interpretation.news(scene),
        remarks: &interpretation.outcome.remarks,
        unread: &interpretation.unread,
        understood: !interpretation.frames.is_empty(),
        foreign: interpretation.foreign,
        scene,
    });
    let mut sentences = vec![told];
    if let Some(report) = turn.check() {
        let Interpretation { frames, outcome, scene: after, .. } = interpretation;
        sentences.extend(findings(report, frames, &outcome.aloft, scene, after));
    }
    if interpretation.is_cut {
        sentences.push("Your message is very long: I read only its beginning.".to_owned());
    }
    if turn.pictures {
        sentences.push(BLIND.to_owned());
    }
    sentences.join(" ")
}

/// Each call as one, or all as one that is done whole or not at all.
fn batched(calls: Vec<ToolCall>, can_batch: bool) -> Vec<ToolCall> {
    if !can_batch || calls.len() < 2 {
        return calls;
    }
    let listed: Vec<Value> =
        calls.into_iter().map(|call| json!({ "name": call.name, "args": call.args })).collect();
    let batch = |calls: &[Value]| json!({ "calls": calls, "on_fault": "all_or_nothing" });
    listed
        .chunks(spatial::MAX_CALLS)
        .map(|calls| ToolCall { name: BATCH.to_owned(), args: batch(calls) })
        .collect()
}

fn look_or_complain(turn: &Turn<'_>) -> Response {
    let mut errors = turn.steps.iter().filter_map(|step| match step {
        Step::Blind(error) => Some(error),
        _ => None,
    });
    match errors.nth(1) {
        Some(error) => Response::text(format!(
            "I could not look at the scene, so I changed nothing. The tool said: {error}"
        )),
        None => Response::call("I'll look at the scene first.", LOOK),
    }
}

/// What worked and what did not.
fn failure(scene: &Scene, results: &[CallResult<'_>]) -> String {
    let mut manager = SceneManager::new(scene.clone());
    let mut errors = Vec::new();
    for result in results {
        match &result.result {
            Ok(_) => {
                // What the tool accepted, it did; what cannot be read here is not told.
                if let Ok(edit) = Edit::parse(result.name, result.args) {
                    let _ = manager.apply(&[edit]);
                }
            }
            Err(error) if !errors.contains(&error.as_ref()) => errors.push(error.as_ref()),
            Err(_) => {}
        }
    }
    let mut sentences = news(scene, &manager.current().scene);
    let begin = if sentences.is_empty() { "It did not work" } else { "The rest did not work" };
    let errors = errors.join("; ");
    sentences.push(format!("{begin}. The tool said: {}", errors.trim_end_matches('.')));
    format!("{}.", sentences.join(" "))
}

/// Whether these calls may have put something where it should not be, or into the dark: anything but new
/// looks and new names.
fn is_worth_a_check(results: &[CallResult<'_>]) -> bool {
    let moves_or_lights = |name: &str, args: &Value| {
        let updates = &args["updates"];
        name != "update_shape"
            || updates.get("type").is_some()
            || updates["properties"]
                .as_object()
                .is_some_and(|properties| properties.keys().any(|name| name != "material"))
    };
    results.iter().any(|result| match result.args["calls"].as_array() {
        Some(calls) => calls
            .iter()
            .any(|call| moves_or_lights(call["name"].as_str().unwrap_or_default(), &call["args"])),
        None => moves_or_lights(result.name, result.args),
    })
}
