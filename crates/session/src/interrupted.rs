//! What a run that ended without saying so leaves behind, and how it is closed: the history becomes one
//! that a model's API accepts, open tool cards end, and the user is told.

use llm::{Content, Part};
use serde_json::json;

use crate::entry::Entry;
use crate::event::{ChatEntry, RunEnd, SessionEvent, ToolResponse};
use crate::state::State;

/// Stands in the history where an answer broke off.
const BROKEN_OFF: &str = "[This answer broke off: the server stopped.]";
/// The result of a call that never gave one.
const NOT_KNOWN: &str = "interrupted: the server stopped before this call gave a result; \
                         check the current state before trying again";

/// Whether something was begun that nobody will finish.
pub(crate) fn needs_closing(state: &State) -> bool {
    state.running || !state.unread.is_empty()
}

/// What closes the run; events get their numbers from `seq` on.
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
        if let ChatEntry::Tool { call_id, name, response: None, .. } = entry {
            entries.push(event(&|seq| SessionEvent::ToolFinished {
                seq,
                call_id: call_id.clone(),
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

/// An answer to each call of the last content.
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

/// The text of an answer that was streamed to clients and never came to an end.
fn shown_but_not_kept(state: &State) -> Option<String> {
    let id = format!("m{}", state.conversation.contents_len());
    state.conversation.own_chat().iter().rev().find_map(|entry| match entry {
        ChatEntry::Model { message_id, text, .. } if *message_id == id && !text.is_empty() => {
            Some(text.clone())
        }
        _ => None,
    })
}
