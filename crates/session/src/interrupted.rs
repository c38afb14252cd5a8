//! Closing an interrupted run: its history becomes one that a model's API accepts, open tool calls
//! end, and the user is told.

use llm::{Content, Part};
use serde_json::json;

use crate::entry::Entry;
use crate::event::{ChatEntry, RunEnd, SessionEvent, ToolResponse};
use crate::state::State;

/// Marks an interrupted answer in the history.
const BROKEN_OFF: &str = "[This answer broke off: the server stopped.]";
/// The result of a call that was interrupted.
const NOT_KNOWN: &str = "interrupted: the server stopped before this call gave a result; \
                         check the current state before trying again";

/// Whether the state has an unfinished run.
pub(crate) fn needs_closing(state: &State) -> bool {
    state.running || !state.unread.is_empty()
}

/// The entries that close the run; event numbers begin at `seq`.
pub(crate) fn closing(state: &State, why: &str, mut seq: u64) -> Vec<Entry> {
    let mut entries = Vec::new();
    let conversation = &state.conversation;
    if let Some(answers) = conversation.last_content().and_then(answers_to) {
        entries.push(Entry::Content(answers));
    }
    if let Some(text) = shown_but_not_kept(state) {
        let kept = Part::text(format!("{text}\n{BROKEN_OFF}"));
        entries.push(Entry::Content(Content::model(vec![kept])));
    }
    entries.extend(
        state
            .unread
            .iter()
            .map(|(message_id, _)| Entry::Read { message_id: message_id.clone(), context: None }),
    );
    let mut event = |make: &dyn Fn(u64) -> SessionEvent| {
        seq += 1;
        Entry::Event(make(seq))
    };
    for entry in conversation.own_chat() {
        if let ChatEntry::Tool { call_id, parent_call_id, name, response: None, .. } = entry {
            entries.push(event(&|seq| SessionEvent::ToolFinished {
                seq,
                call_id: call_id.clone(),
                parent_call_id: parent_call_id.clone(),
                name: name.clone(),
                response: ToolResponse {
                    success: false,
                    result: None,
                    facts: None,
                    error: Some(NOT_KNOWN.into()),
                },
                duration_ms: 0.0,
            }));
        }
    }
    entries.push(event(&|seq| SessionEvent::RunFinished {
        seq,
        reason: RunEnd::Error,
        turns: 0,
        message: Some(why.to_owned()),
        usage: None,
    }));
    entries
}

/// A response to each call of the last content.
fn answers_to(last: &Content) -> Option<Content> {
    let parts: Vec<Part> = last
        .calls()
        .map(|call| {
            let response = json!({ "success": false, "error": NOT_KNOWN });
            Part::response(call.id, call.name, response, Vec::new())
        })
        .collect();
    (!parts.is_empty()).then(|| Content::function(parts))
}

/// The text of an unfinished answer that was streamed to clients.
fn shown_but_not_kept(state: &State) -> Option<String> {
    let id = format!("m{}", state.conversation.contents_len());
    state.conversation.own_chat().iter().rev().find_map(|entry| match entry {
        ChatEntry::Model { message_id, text, .. } if *message_id == id && !text.is_empty() => {
            Some(text.clone())
        }
        _ => None,
    })
}
