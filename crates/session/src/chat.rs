//! The chat, built from events.

use std::collections::HashMap;

use scene::{Change, Operation};
use serde_json::{Value, json};

use crate::event::{ChatEntry, RunEnd, SessionEvent, ToolResponse};

/// The most bytes of a tool's result in the chat; the event has all of it.
const MAX_SHOWN_RESULT: usize = 16 * 1024;
/// The most changes of one revision in the chat; the event has all of them.
const MAX_SHOWN_CHANGES: usize = 600;
/// As many changed parts of a group make it be told as a whole.
const PARTS_OF_A_WHOLE: usize = 2;

/// Adds an event to the chat it belongs in.
pub(super) fn fold(chat: &mut Vec<ChatEntry>, message: &SessionEvent) {
    match message.clone() {
        SessionEvent::UserMessage { message_id, text, revision, selection, images, .. } => {
            chat.push(ChatEntry::User { message_id, text, revision, selection, images });
        }
        SessionEvent::TextDelta { message_id, text, thought: is_thought, .. } => {
            let answer = answer_of(chat, message_id);
            if let Some(ChatEntry::Model { text: shown, thought, .. }) = answer {
                if is_thought { thought } else { shown }.push_str(&text);
            }
        }
        SessionEvent::TextDiscarded { message_id, .. } => chat.retain(
            |entry| !matches!(entry, ChatEntry::Model { message_id: id, .. } if *id == message_id),
        ),
        SessionEvent::ToolStarted { call_id, parent_call_id, name, args, .. } => {
            let (response, duration_ms) = (None, None);
            chat.push(ChatEntry::Tool {
                call_id,
                parent_call_id,
                name,
                args,
                response,
                duration_ms,
            });
        }
        SessionEvent::ToolFinished { call_id, response, duration_ms, .. } => {
            let card = chat.iter_mut().rev().find_map(|entry| match entry {
                ChatEntry::Tool { call_id: id, response, duration_ms, .. } if *id == call_id => {
                    Some((response, duration_ms))
                }
                _ => None,
            });
            if let Some((answer, took)) = card {
                (*answer, *took) = (Some(shown(response)), Some(duration_ms));
            }
        }
        // Not an edit: the chat of the branch already shows how the scene came about.
        SessionEvent::SceneChanged { for_branch: true, .. } => {}
        SessionEvent::SceneChanged { revision, by, mut changes, history, .. } => {
            let left_out = shorten(&mut changes);
            changes.iter_mut().for_each(without_values);
            chat.push(ChatEntry::Changed { revision, by, changes, left_out, history });
        }
        SessionEvent::RunFinished { reason, message, .. } => {
            let text = match reason {
                RunEnd::Cancelled => Some("Stopped.".to_owned()),
                _ => message,
            };
            let is_error = reason == RunEnd::Error;
            chat.extend(text.map(|text| ChatEntry::Notice { text, is_error }));
        }
        SessionEvent::GoalChanged { notice, .. } => {
            chat.extend(notice.map(|text| ChatEntry::Notice { text, is_error: false }));
        }
        _ => {}
    }
}

/// Leaves out what a list that is too long need not have: of a group as many parts as tell that all of it changed, and
/// then the last changes. Returns how many of those there were.
fn shorten(changes: &mut Vec<Change>) -> u64 {
    if changes.len() > MAX_SHOWN_CHANGES {
        let mut parts: HashMap<(Operation, String), usize> = HashMap::new();
        changes.retain(|change| {
            let Some(group) = group_of(change) else { return true };
            let told = parts.entry((change.operation, group.to_owned())).or_default();
            *told += 1;
            *told <= PARTS_OF_A_WHOLE
        });
    }
    let left_out = changes.len().saturating_sub(MAX_SHOWN_CHANGES);
    changes.truncate(MAX_SHOWN_CHANGES);
    left_out as u64
}

/// The group that a shape or light is a part of.
fn group_of(change: &Change) -> Option<&str> {
    change.after.as_ref().or(change.before.as_ref())?.get("group")?.as_str()
}

/// Removes old and new values but for the group that the object belongs to, by which clients tell of groups as wholes:
/// every welcome carries the chat, so it must stay small.
fn without_values(change: &mut Change) {
    for value in [&mut change.before, &mut change.after].into_iter().flatten() {
        let groups = ["group", "parent"].into_iter().filter_map(|field| {
            let group = value.get(field)?.as_str()?;
            (group.len() <= scene::MAX_ID_LENGTH).then(|| (field.to_owned(), group.into()))
        });
        *value = Value::Object(groups.collect());
    }
}

/// A response shortened for the chat, which every welcome carries.
fn shown(response: ToolResponse) -> ToolResponse {
    let size = response.result.as_ref().map_or(0, |result| result.to_string().len());
    if size <= MAX_SHOWN_RESULT {
        return response;
    }
    let note = format!("A result of {size} bytes, left out here; the event log has it.");
    ToolResponse { result: Some(json!({ "left_out": note })), ..response }
}

/// The entry of an answer, created on first use.
fn answer_of(chat: &mut Vec<ChatEntry>, message_id: String) -> Option<&mut ChatEntry> {
    let found = chat.iter().rposition(
        |entry| matches!(entry, ChatEntry::Model { message_id: id, .. } if *id == message_id),
    );
    if let Some(index) = found {
        return chat.get_mut(index);
    }
    chat.push(ChatEntry::Model { message_id, text: String::new(), thought: String::new() });
    chat.last_mut()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chat_of(events: &[SessionEvent]) -> Vec<ChatEntry> {
        let mut chat = Vec::new();
        events.iter().for_each(|event| fold(&mut chat, event));
        chat
    }

    fn delta(text: &str) -> SessionEvent {
        let (message_id, text) = ("m1".into(), text.into());
        SessionEvent::TextDelta { seq: 1, message_id, text, thought: false }
    }

    #[test]
    fn the_chat_joins_deltas_and_drops_discarded_text() {
        let discarded = SessionEvent::TextDiscarded { seq: 1, message_id: "m1".into() };
        let chat = chat_of(&[delta("a"), discarded, delta("b"), delta("c")]);
        let expected =
            ChatEntry::Model { message_id: "m1".into(), text: "bc".into(), thought: String::new() };
        assert_eq!(chat, [expected]);
    }

    #[test]
    fn what_every_welcome_carries_stays_small() {
        let large = json!({ "text": "x".repeat(1_000_000) });
        let change = Change {
            operation: scene::Operation::Create,
            kind: scene::Kind::Shape,
            id: Some("a".into()),
            before: None,
            after: Some(large.clone()),
            index: Some(0),
        };
        let started = SessionEvent::ToolStarted {
            seq: 1,
            call_id: "c".into(),
            parent_call_id: None,
            name: "get_scene_state".into(),
            args: Value::Null,
        };
        let finished = SessionEvent::ToolFinished {
            seq: 1,
            call_id: "c".into(),
            parent_call_id: None,
            name: "get_scene_state".into(),
            response: ToolResponse { success: true, result: Some(large), facts: None, error: None },
            duration_ms: 1.0,
        };
        let changed = SessionEvent::SceneChanged {
            seq: 1,
            revision: 1,
            by: studio::Author::User,
            changes: vec![change; 3],
            can_undo: true,
            can_redo: false,
            for_branch: false,
            history: None,
        };
        let chat = chat_of(&[started, finished, changed]);
        assert!(serde_json::to_string(&chat).unwrap().len() < 1_000);
    }

    fn part(group: &str, id: String) -> Change {
        Change {
            operation: Operation::Create,
            kind: scene::Kind::Shape,
            after: Some(json!({ "id": id, "group": group })),
            id: Some(id),
            before: None,
            index: Some(0),
        }
    }

    fn changed(changes: Vec<Change>) -> ChatEntry {
        let changed = SessionEvent::SceneChanged {
            seq: 1,
            revision: 1,
            by: studio::Author::Model,
            changes,
            can_undo: true,
            can_redo: false,
            for_branch: false,
            history: None,
        };
        chat_of(&[changed]).remove(0)
    }

    #[test]
    fn of_many_large_groups_each_is_told() {
        let trees = (0..200).map(|tree| format!("tree_{tree}"));
        let parts =
            trees.flat_map(|tree| (0..6).map(move |leaf| part(&tree, format!("{tree}_{leaf}"))));
        let ChatEntry::Changed { changes, left_out, .. } = changed(parts.collect()) else {
            panic!()
        };
        let told: std::collections::BTreeSet<&str> = changes.iter().filter_map(group_of).collect();
        assert_eq!((told.len(), left_out), (200, 0));
    }

    #[test]
    fn how_many_changes_are_left_out_is_told() {
        let apart = (0..1_000).map(|number| Change {
            after: Some(json!({ "id": number })),
            ..part("", number.to_string())
        });
        let ChatEntry::Changed { changes, left_out, .. } = changed(apart.collect()) else {
            panic!()
        };
        assert_eq!(changes.len() as u64 + left_out, 1_000);
    }

    #[test]
    fn changes_keep_the_group_that_they_are_told_by() {
        let ChatEntry::Changed { changes, .. } = changed(vec![part("dog", "leg".into())]) else {
            panic!()
        };
        assert_eq!(changes[0].after, Some(json!({ "group": "dog" })));
    }
}
