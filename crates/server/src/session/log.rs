//! What happened in a session: numbered events, and the chat they add up to.

use std::collections::VecDeque;
use std::sync::Arc;

use protocol::{ChatEntry, RunFinishedReason, SceneChange, ServerMessage, ToolResponse};
use serde_json::json;

/// Events kept for clients that come back. A long answer is a few hundred; a client that missed
/// more than this gets a fresh welcome.
const MAX_EVENTS: usize = 50_000;
/// Bytes of the events kept; one that is larger alone is kept all the same.
const MAX_EVENT_BYTES: usize = 32 * 1024 * 1024;
/// Bytes of a tool's result as the chat shows it; the whole is in the event.
const MAX_SHOWN_RESULT: usize = 16 * 1024;
/// Changes of one revision as the chat lists them; all are in the event.
const MAX_SHOWN_CHANGES: usize = 200;

/// An event as clients get it.
#[derive(Debug, Clone)]
pub(crate) struct LoggedEvent {
    /// Its number.
    pub(crate) seq: u64,
    /// The message as JSON text, encoded once for all clients.
    pub(crate) text: Arc<str>,
}

/// The events of a session.
#[derive(Debug)]
pub(crate) struct EventLog {
    /// Names the numbering.
    epoch: String,
    /// Number of the newest event.
    seq: u64,
    /// The newest, without gaps; see [`MAX_EVENTS`] and [`MAX_EVENT_BYTES`].
    events: VecDeque<LoggedEvent>,
    /// Bytes of `events`.
    bytes: usize,
    chat: Vec<ChatEntry>,
}

impl EventLog {
    pub(crate) fn new(epoch: String) -> Self {
        Self { epoch, seq: 0, events: VecDeque::new(), bytes: 0, chat: Vec::new() }
    }

    pub(crate) fn epoch(&self) -> &str {
        &self.epoch
    }

    pub(crate) fn seq(&self) -> u64 {
        self.seq
    }

    pub(crate) fn chat(&self) -> &[ChatEntry] {
        &self.chat
    }

    /// Numbers and keeps the event that `make` builds from its number.
    pub(crate) fn append(&mut self, make: impl FnOnce(u64) -> ServerMessage) -> LoggedEvent {
        self.seq += 1;
        let message = make(self.seq);
        // Messages hold only texts, numbers and JSON: they always serialise.
        let text = serde_json::to_string(&message).unwrap_or_default();
        let event = LoggedEvent { seq: self.seq, text: text.into() };
        self.bytes += event.text.len();
        self.events.push_back(event.clone());
        while self.events.len() > MAX_EVENTS
            || (self.bytes > MAX_EVENT_BYTES && self.events.len() > 1)
        {
            self.bytes -= self.events.pop_front().map_or(0, |oldest| oldest.text.len());
        }
        fold(&mut self.chat, message);
        event
    }

    /// The events after number `after`; `None` when some of them are no longer kept, or when
    /// `after` lies in the future.
    pub(crate) fn after(&self, after: u64) -> Option<Vec<LoggedEvent>> {
        let oldest = self.events.front().map_or(self.seq + 1, |event| event.seq);
        if after > self.seq || after + 1 < oldest {
            return None;
        }
        let skip = (after + 1 - oldest) as usize;
        Some(self.events.iter().skip(skip).cloned().collect())
    }
}

/// Adds an event to the chat it belongs in.
fn fold(chat: &mut Vec<ChatEntry>, message: ServerMessage) {
    match message {
        ServerMessage::UserMessage { message_id, text, .. } => {
            chat.push(ChatEntry::User { message_id, text });
        }
        ServerMessage::TextDelta { message_id, text, thought: is_thought, .. } => {
            let answer = answer_of(chat, message_id);
            if let Some(ChatEntry::Model { text: shown, thought, .. }) = answer {
                if is_thought { thought } else { shown }.push_str(&text);
            }
        }
        ServerMessage::TextDiscarded { message_id, .. } => chat.retain(
            |entry| !matches!(entry, ChatEntry::Model { message_id: id, .. } if *id == message_id),
        ),
        ServerMessage::ToolStarted { call_id, name, args, .. } => {
            chat.push(ChatEntry::Tool { call_id, name, args, response: None, duration_ms: None });
        }
        ServerMessage::ToolFinished { call_id, response, duration_ms, .. } => {
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
        ServerMessage::SceneChanged { revision, by, mut changes, .. } => {
            changes.truncate(MAX_SHOWN_CHANGES);
            changes.iter_mut().for_each(without_values);
            chat.push(ChatEntry::Changed { revision, by, changes });
        }
        ServerMessage::RunFinished { reason, message, .. } => {
            let text = match reason {
                RunFinishedReason::Cancelled => Some("Stopped.".to_owned()),
                _ => message,
            };
            let is_error = reason == RunFinishedReason::Error;
            chat.extend(text.map(|text| ChatEntry::Notice { text, is_error }));
        }
        _ => {}
    }
}

/// The chat tells what changed, not from what to what: every welcome carries it.
fn without_values(change: &mut SceneChange) {
    for value in [&mut change.before, &mut change.after].into_iter().flatten() {
        *value = json!({});
    }
}

/// A response that is not too long for every welcome to carry it.
fn shown(response: ToolResponse) -> ToolResponse {
    let size = response.result.as_ref().map_or(0, |result| result.to_string().len());
    if size <= MAX_SHOWN_RESULT {
        return response;
    }
    let note = format!("A result of {size} bytes, left out here; the event log has it.");
    ToolResponse { result: Some(json!({ "left_out": note })), ..response }
}

/// The entry of an answer, made when it is not there yet.
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

    fn delta(text: &'static str) -> impl FnOnce(u64) -> ServerMessage {
        move |seq| ServerMessage::TextDelta {
            seq,
            message_id: "m1".into(),
            text: text.into(),
            thought: false,
        }
    }

    #[test]
    fn events_are_numbered_without_gaps_and_found_again() {
        let mut log = EventLog::new("e".into());
        assert!(log.after(0).is_some_and(|events| events.is_empty()));
        log.append(delta("a"));
        log.append(delta("b"));
        let seqs = |after| log.after(after).map(|e| e.iter().map(|e| e.seq).collect::<Vec<_>>());
        assert_eq!(seqs(0), Some(vec![1, 2]));
        assert_eq!(seqs(1), Some(vec![2]));
        assert_eq!(seqs(2), Some(vec![]));
        assert_eq!(seqs(3), None);
    }

    #[test]
    fn events_that_are_no_longer_kept_are_not_skipped_silently() {
        let mut log = EventLog::new("e".into());
        for _ in 0..MAX_EVENTS + 5 {
            log.append(delta("a"));
        }
        assert!(log.after(4).is_none());
        assert_eq!(log.after(5).map(|events| events.len()), Some(MAX_EVENTS));
    }

    #[test]
    fn the_chat_joins_deltas_and_drops_discarded_text() {
        let mut log = EventLog::new("e".into());
        log.append(delta("a"));
        log.append(|seq| ServerMessage::TextDiscarded { seq, message_id: "m1".into() });
        log.append(delta("b"));
        log.append(delta("c"));
        let expected =
            ChatEntry::Model { message_id: "m1".into(), text: "bc".into(), thought: String::new() };
        assert_eq!(log.chat(), [expected]);
    }

    #[test]
    fn what_every_welcome_carries_stays_small() {
        let mut log = EventLog::new("e".into());
        let large = json!({ "text": "x".repeat(1_000_000) });
        let change = SceneChange {
            op: protocol::ChangeOperation::Create,
            kind: protocol::ChangeKind::Shape,
            id: Some("a".into()),
            before: None,
            after: Some(large.clone()),
        };
        for _ in 0..100 {
            log.append(|seq| ServerMessage::ToolStarted {
                seq,
                call_id: "c".into(),
                name: "get_scene_state".into(),
                args: json!({}),
            });
            let response = ToolResponse { success: true, result: Some(large.clone()), error: None };
            log.append(|seq| ServerMessage::ToolFinished {
                seq,
                call_id: "c".into(),
                name: "get_scene_state".into(),
                response,
                duration_ms: 1.0,
            });
            log.append(|seq| ServerMessage::SceneChanged {
                seq,
                revision: 1,
                by: "user".into(),
                changes: vec![change.clone(); 3],
                can_undo: true,
                can_redo: false,
            });
        }
        assert!(serde_json::to_string(log.chat()).unwrap().len() < 100_000);
        let kept: usize = log.after(log.seq() - 5).unwrap().iter().map(|e| e.text.len()).sum();
        assert!(kept > 1_000_000, "the newest events are whole");
        assert!(log.bytes <= MAX_EVENT_BYTES && log.after(0).is_none());
    }
}
