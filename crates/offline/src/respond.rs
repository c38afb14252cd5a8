//! One answer: looks first, then acts, then corrects what failed, then tells.

use llm::{Content, Part};
use serde_json::{Value, json};

use crate::answer::answer;
use crate::dialogue::states;
use crate::history::{History, LOOK, Step, Turn};
use crate::plan::{ToolCall, tool_calls};

/// The most waves of calls for one message.
const MAX_WAVES: usize = 3;
/// The call that holds others.
const BATCH: &str = spatial::BATCH_NAME;

/// What this model says next.
pub(crate) struct Response {
    pub(crate) text: String,
    /// None in a final answer.
    pub(crate) calls: Vec<ToolCall>,
}

impl Response {
    fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), calls: Vec::new() }
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

/// The next answer to this history; `can_batch` says whether calls can be sent as one.
pub(crate) fn respond(contents: &[Content], can_batch: bool) -> Response {
    let history = History::read(contents);
    let Some(turn) = history.turns.last().filter(|turn| turn.answer.is_none()) else {
        return Response::text("Tell me what you want to see, for example “a red sphere”.");
    };
    if turn.message.is_empty() {
        return Response::text("What shall I do with the selection?");
    }
    if turn.look().is_none() {
        return look_or_complain(turn);
    }
    let Some((_, scene, interpretation)) = states(&history.turns) else {
        return Response::text("I could not read the scene, so I changed nothing.");
    };
    if !turn.has_acted() {
        let calls = tool_calls(&scene, &interpretation.scene);
        if !calls.is_empty() {
            return Response { text: "On it.".to_owned(), calls: batched(calls, can_batch) };
        }
    } else if let Some(correction) = correction(turn) {
        return correction;
    }
    let failed: Vec<String> = last_failures(turn);
    let understood = !interpretation.frames.is_empty();
    let mut text = answer(
        &scene,
        &interpretation.scene,
        &interpretation.outcome.remarks,
        &interpretation.unread,
        understood,
    );
    if !failed.is_empty() {
        text = format!("Not all of it worked. The tool said: {}", failed.join("; "));
    }
    Response::text(text)
}

fn batched(calls: Vec<ToolCall>, can_batch: bool) -> Vec<ToolCall> {
    if !can_batch || calls.len() < 2 {
        return calls;
    }
    let listed: Vec<Value> =
        calls.into_iter().map(|call| json!({ "name": call.name, "args": call.args })).collect();
    listed
        .chunks(spatial::MAX_CALLS)
        .map(|calls| ToolCall { name: BATCH.to_owned(), args: json!({ "calls": calls }) })
        .collect()
}

fn look_or_complain(turn: &Turn<'_>) -> Response {
    let errors: Vec<&String> = turn
        .steps
        .iter()
        .filter_map(|step| match step {
            Step::Blind(error) => Some(error),
            _ => None,
        })
        .collect();
    match errors.last() {
        Some(error) if errors.len() >= 2 => Response::text(format!(
            "I could not look at the scene, so I changed nothing. The tool said: {error}"
        )),
        _ => Response {
            text: "I'll look at the scene first.".to_owned(),
            calls: vec![ToolCall { name: LOOK.to_owned(), args: json!({}) }],
        },
    }
}

fn last_failures(turn: &Turn<'_>) -> Vec<String> {
    let last = turn.steps.iter().rev().find_map(|step| match step {
        Step::Wave(results) => Some(results),
        _ => None,
    });
    let results = last.map_or(&[][..], Vec::as_slice).iter();
    results.filter_map(|result| result.result.as_ref().err().map(ToString::to_string)).collect()
}

/// Names that were taken meanwhile are replaced by free ones.
fn correction(turn: &Turn<'_>) -> Option<Response> {
    let waves = turn.steps.iter().filter(|step| matches!(step, Step::Wave(_))).count();
    if waves >= MAX_WAVES {
        return None;
    }
    let last = turn.steps.iter().rev().find_map(|step| match step {
        Step::Wave(results) => Some(results),
        _ => None,
    })?;
    let retries: Vec<ToolCall> = last
        .iter()
        .filter(|result| {
            result.result.as_ref().is_err_and(|error| error.contains("already exists"))
        })
        .filter_map(|result| {
            let mut args = result.args.clone();
            let id = args.get("id")?.as_str()?.to_owned();
            args["id"] = format!("{id}_{}", waves + 1).into();
            Some(ToolCall { name: result.name.to_owned(), args })
        })
        .collect();
    let text = "That did not all work; I'll correct it.".to_owned();
    (!retries.is_empty()).then_some(Response { text, calls: retries })
}
