//! From the house's types to the wire's.

use agent::{Action, Event, Outcome, Reason};
use protocol::{
    ChangeKind, ChangeOperation, ProgressAction, RunFinishedReason, SceneChange, ServerMessage,
    ToolResponse, Usage,
};
use scene::{Change, Kind, Operation};
use serde_json::Value;
use studio::Published;

/// The message of an agent event; none for what only concerns the history.
pub(crate) fn event_message(event: Event) -> Option<Box<dyn FnOnce(u64) -> ServerMessage>> {
    Some(match event {
        Event::Appended(_)
        | Event::TurnFinished { .. }
        | Event::Compacted { .. }
        | Event::Progress { .. } => return None,
        Event::ApprovalNeeded { call_id, name, args } => {
            Box::new(move |seq| ServerMessage::ApprovalNeeded { seq, call_id, name, args })
        }
        Event::TurnStarted { turn, max_turns } => {
            Box::new(move |seq| ServerMessage::TurnStarted { seq, turn, max_turns })
        }
        Event::TextDelta { message_id, text, thought } => {
            Box::new(move |seq| ServerMessage::TextDelta { seq, message_id, text, thought })
        }
        Event::TextDiscarded { message_id } => {
            Box::new(move |seq| ServerMessage::TextDiscarded { seq, message_id })
        }
        Event::Retrying { attempt, delay, reason } => Box::new(move |seq| {
            let delay_ms = u64::try_from(delay.as_millis()).unwrap_or(u64::MAX);
            ServerMessage::Retrying { seq, attempt, delay_ms, reason }
        }),
        Event::ToolStarted { call_id, name, args } => {
            Box::new(move |seq| ServerMessage::ToolStarted { seq, call_id, name, args })
        }
        Event::ToolFinished { call_id, name, response, duration, version: _ } => {
            Box::new(move |seq| ServerMessage::ToolFinished {
                seq,
                call_id,
                name,
                response: tool_response(&response),
                duration_ms: (duration.as_secs_f64() * 1e6).round() / 1e3,
            })
        }
    })
}

/// The `progress` of a step.
pub(crate) fn progress(step: u32, action: Action, target: String) -> ServerMessage {
    let action = match action {
        Action::ToolCall => ProgressAction::ToolCall,
    };
    ServerMessage::Progress { step, action, target }
}

fn tool_response(response: &Value) -> ToolResponse {
    ToolResponse {
        success: response["success"].as_bool().unwrap_or(false),
        result: response.get("result").cloned(),
        facts: response.get("facts").cloned().map(Box::new),
        error: response["error"].as_str().map(str::to_owned),
    }
}

/// The `scene_changed` of a change; `for_branch`: it leads to the scene of another branch.
pub(crate) fn scene_changed(
    published: Published,
    for_branch: bool,
) -> impl FnOnce(u64) -> ServerMessage {
    move |seq| ServerMessage::SceneChanged {
        seq,
        revision: published.applied.revision.number,
        by: published.by.name().into(),
        changes: published.applied.changes.into_iter().map(scene_change).collect(),
        can_undo: published.steps.can_undo,
        can_redo: published.steps.can_redo,
        for_branch,
    }
}

pub(crate) fn scene_change(change: Change) -> SceneChange {
    SceneChange {
        op: match change.operation {
            Operation::Create => ChangeOperation::Create,
            Operation::Update => ChangeOperation::Update,
            Operation::Remove => ChangeOperation::Remove,
        },
        kind: match change.kind {
            Kind::Shape => ChangeKind::Shape,
            Kind::Light => ChangeKind::Light,
            Kind::Group => ChangeKind::Group,
            Kind::Environment => ChangeKind::Environment,
            Kind::Camera => ChangeKind::Camera,
        },
        id: change.id,
        before: change.before,
        after: change.after,
        index: change.index,
    }
}

/// The `run_finished` of an outcome that took `usage`.
pub(crate) fn run_finished(outcome: &Outcome, usage: Usage) -> impl FnOnce(u64) -> ServerMessage {
    let reason = match &outcome.reason {
        Reason::Completed
        | Reason::EmptyAnswer
        | Reason::LengthLimit
        | Reason::SingleWave
        | Reason::Looping(_) => RunFinishedReason::Completed,
        Reason::TurnLimit(_) => RunFinishedReason::TurnLimit,
        Reason::Cancelled => RunFinishedReason::Cancelled,
        Reason::Failed(_) => RunFinishedReason::Error,
    };
    let (turns, message) = (outcome.turns, outcome.message());
    move |seq| ServerMessage::RunFinished { seq, reason, turns, message, usage: Some(usage) }
}
