//! Conversion of run events and scene changes to session events.

use std::time::Duration;

use agent::{Event, Outcome, Reason, ToolNote};
use serde_json::Value;
use studio::Published;

use crate::event::{HistoryStep, RunEnd, SessionEvent, ToolResponse, Usage};

/// The session event for a run event; `None` if it only concerns the history.
pub(crate) fn run_event(event: Event) -> Option<Box<dyn FnOnce(u64) -> SessionEvent>> {
    Some(match event {
        Event::Delegated { parent, event, .. } => return delegated(parent, *event),
        Event::Appended(_)
        | Event::MessageRead { .. }
        | Event::TurnFinished { .. }
        | Event::Compacted { .. }
        | Event::Progress { .. } => return None,
        Event::ApprovalNeeded { call_id, name, args } => {
            Box::new(move |seq| SessionEvent::ApprovalNeeded { seq, call_id, name, args })
        }
        Event::TurnStarted { turn, max_turns } => {
            Box::new(move |seq| SessionEvent::TurnStarted { seq, turn, max_turns })
        }
        Event::TextDelta { message_id, text, thought } => {
            Box::new(move |seq| SessionEvent::TextDelta { seq, message_id, text, thought })
        }
        Event::TextDiscarded { message_id } => {
            Box::new(move |seq| SessionEvent::TextDiscarded { seq, message_id })
        }
        Event::Retrying { attempt, delay, reason } => Box::new(move |seq| {
            let delay_ms = u64::try_from(delay.as_millis()).unwrap_or(u64::MAX);
            SessionEvent::Retrying { seq, attempt, delay_ms, reason }
        }),
        Event::ToolStarted { call_id, name, args } => {
            Box::new(move |seq| tool_started(seq, call_id, None, name, args))
        }
        Event::ToolFinished { call_id, name, response, duration, version: _ } => {
            Box::new(move |seq| tool_finished(seq, call_id, None, name, &response, duration))
        }
    })
}

/// The session event for an event of a sub-agent, which works for the call `parent`: its tools. What it says
/// at its end is in the result of that call.
fn delegated(parent: String, event: Event) -> Option<Box<dyn FnOnce(u64) -> SessionEvent>> {
    let id = |call_id: String| delegated_call(&parent, &call_id);
    Some(match event {
        Event::ToolStarted { call_id, name, args } => {
            let call_id = id(call_id);
            Box::new(move |seq| tool_started(seq, call_id, Some(parent), name, args))
        }
        Event::ToolFinished { call_id, name, response, duration, version: _ } => {
            let call_id = id(call_id);
            Box::new(move |seq| {
                tool_finished(seq, call_id, Some(parent), name, &response, duration)
            })
        }
        _ => return None,
    })
}

/// The id of a call of a sub-agent. Sub-agents count their calls each for itself.
fn delegated_call(parent: &str, call_id: &str) -> String {
    format!("{parent}/{call_id}")
}

/// What a call of the sub-agent that works for the call `parent` says that it does.
pub(crate) fn delegated_note(parent: &str, note: ToolNote) -> ToolNote {
    ToolNote { call_id: delegated_call(parent, &note.call_id), text: note.text }
}

fn tool_started(
    seq: u64,
    call_id: String,
    parent_call_id: Option<String>,
    name: String,
    args: Value,
) -> SessionEvent {
    SessionEvent::ToolStarted { seq, call_id, parent_call_id, name, args }
}

fn tool_finished(
    seq: u64,
    call_id: String,
    parent_call_id: Option<String>,
    name: String,
    response: &Value,
    duration: Duration,
) -> SessionEvent {
    let duration_ms = (duration.as_secs_f64() * 1e6).round() / 1e3;
    let response = tool_response(response);
    SessionEvent::ToolFinished { seq, call_id, parent_call_id, name, response, duration_ms }
}

fn tool_response(response: &Value) -> ToolResponse {
    ToolResponse {
        success: response["success"].as_bool().unwrap_or(false),
        result: response.get("result").cloned(),
        facts: response.get("facts").cloned().map(Box::new),
        error: response["error"].as_str().map(str::to_owned),
    }
}

/// The event for a change of the scene; `for_branch` is set when it switches branches.
pub(crate) fn scene_changed(
    published: Published,
    for_branch: bool,
) -> impl FnOnce(u64) -> SessionEvent {
    move |seq| SessionEvent::SceneChanged {
        seq,
        revision: published.applied.revision.number,
        by: published.by,
        changes: published.applied.changes,
        can_undo: published.steps.can_undo,
        can_redo: published.steps.can_redo,
        for_branch,
        history: HistoryStep::of(published.applied.step),
    }
}

/// The event for the end of a run that used `usage`.
pub(crate) fn run_finished(outcome: &Outcome, usage: Usage) -> impl FnOnce(u64) -> SessionEvent {
    let reason = match &outcome.reason {
        Reason::Completed
        | Reason::EmptyAnswer
        | Reason::LengthLimit
        | Reason::SingleWave
        | Reason::Looping(_) => RunEnd::Completed,
        Reason::TurnLimit(_) => RunEnd::TurnLimit,
        Reason::Cancelled => RunEnd::Cancelled,
        Reason::Failed(_) => RunEnd::Error,
    };
    let (turns, message) = (outcome.turns, outcome.message());
    move |seq| SessionEvent::RunFinished { seq, reason, turns, message, usage: Some(usage) }
}
