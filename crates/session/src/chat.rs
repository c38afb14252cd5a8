//! The chat, built from events.

use scene::Change;
use serde_json::{Value, json};

use crate::event::{ChatEntry, RunEnd, SessionEvent, ToolResponse};

/// The most bytes of a tool's result in the chat; the event has all of it.
const MAX_SHOWN_RESULT: usize = 16 * 1024;
/// The most changes of one revision in the chat; the event has all of them.
const MAX_SHOWN_CHANGES: usize = 200;

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
            changes.truncate(MAX_SHOWN_CHANGES);
            changes.iter_mut().for_each(without_values);
            chat.push(ChatEntry::Changed { revision, by, changes, history });
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

    #[test]
    fn changes_keep_the_group_that_they_are_told_by() {
        let part = json!({ "id": "leg", "group": "dog", "properties": { "radius": 1.0 } });
        let change = Change {
            operation: scene::Operation::Create,
            kind: scene::Kind::Shape,
            id: Some("leg".into()),
            before: None,
            after: Some(part),
            index: Some(0),
        };
        let changed = SessionEvent::SceneChanged {
            seq: 1,
            revision: 1,
            by: studio::Author::Model,
            changes: vec![change],
            can_undo: true,
            can_redo: false,
            for_branch: false,
            history: None,
        };
        let [ChatEntry::Changed { changes, .. }] = &chat_of(&[changed])[..] else { panic!() };
        assert_eq!(changes[0].after, Some(json!({ "group": "dog" })));
    }
}
