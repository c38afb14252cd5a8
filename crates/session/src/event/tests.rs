//! Events as logs have held them.

use std::collections::BTreeSet;

use super::*;

/// Events of every type, as logs have held them. A line that was added once is never changed.
const EVENTS: &str = include_str!("../../../../tests/data/events.jsonl");

/// The name of the type, and for goals of the change. A new one needs a line in the file.
fn name(event: &SessionEvent) -> &'static str {
    match event {
        SessionEvent::UserMessage { .. } => "user_message",
        SessionEvent::TurnStarted { .. } => "turn_started",
        SessionEvent::TextDelta { .. } => "text_delta",
        SessionEvent::TextDiscarded { .. } => "text_discarded",
        SessionEvent::ToolStarted { .. } => "tool_started",
        SessionEvent::ToolFinished { .. } => "tool_finished",
        SessionEvent::SceneChanged { .. } => "scene_changed",
        SessionEvent::RunFinished { .. } => "run_finished",
        SessionEvent::ApprovalNeeded { .. } => "approval_needed",
        SessionEvent::Retrying { .. } => "retrying",
        SessionEvent::BranchSelected { .. } => "branch_selected",
        SessionEvent::SessionNamed { .. } => "session_named",
        SessionEvent::ModelSelected { .. } => "model_selected",
        SessionEvent::BookmarksChanged { .. } => "bookmarks_changed",
        SessionEvent::GoalChanged { change, .. } => match change {
            GoalChange::Set => "set",
            GoalChange::PlanChanged { .. } => "plan_changed",
            GoalChange::TaskStarted { .. } => "task_started",
            GoalChange::TaskFinished { .. } => "task_finished",
            GoalChange::TaskFailed { .. } => "task_failed",
            GoalChange::TaskInterrupted { .. } => "task_interrupted",
            GoalChange::CriteriaChecked { .. } => "criteria_checked",
            GoalChange::Reflected { .. } => "reflected",
            GoalChange::Asked { .. } => "asked",
            GoalChange::Answered { .. } => "answered",
            GoalChange::Paused { .. } => "paused",
            GoalChange::Resumed => "resumed",
            GoalChange::Edited => "edited",
            GoalChange::VariantFinished { .. } => "variant_finished",
            GoalChange::VariantStarted { .. } => "variant_started",
            GoalChange::VariantChosen { .. } => "variant_chosen",
            GoalChange::Finished { .. } => "finished",
        },
    }
}

/// Whether `kept` has all that `read` has; later versions may add to it.
fn holds(kept: &Value, read: &Value) -> bool {
    match (kept, read) {
        (Value::Object(kept), Value::Object(read)) => {
            read.iter().all(|(name, read)| kept.get(name).is_some_and(|kept| holds(kept, read)))
        }
        (Value::Array(kept), Value::Array(read)) => {
            kept.len() == read.len() && kept.iter().zip(read).all(|(kept, read)| holds(kept, read))
        }
        _ => kept == read,
    }
}

#[test]
fn logs_of_earlier_versions_are_read_without_loss() {
    let mut names = BTreeSet::new();
    for (seq, line) in (1..).zip(EVENTS.lines()) {
        let event: SessionEvent =
            serde_json::from_str(line).unwrap_or_else(|error| panic!("line {seq}: {error}"));
        assert_eq!(event.seq(), seq);
        let (read, kept) = (serde_json::from_str(line).unwrap(), serde_json::to_value(&event));
        let kept = kept.unwrap();
        assert!(holds(&kept, &read), "line {seq}: {kept}");
        names.insert(name(&event));
    }
    assert_eq!(names.len(), 31, "types without a line: {names:?}");
}
