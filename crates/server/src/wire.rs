//! Conversion between wire messages and the domain: session events to messages, and requests to commands.
//! Wire types are used only here and where messages are read and written.

use std::collections::BTreeSet;

use agent::{Action, ToolNote};
use bytes::Bytes;
use protocol::{
    Access, ApprovalRequest, Bookmark, ChangeKind, ChangeOperation, ChatEntry, ErrorCode,
    HistoryStep, Limits, ModelInfo, PROTOCOL_VERSION, PresentPerson, ProgressAction,
    RunFinishedReason, SceneChange, ServerMessage, ShownImage, ToolResponse, Usage, Welcome,
};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use session::{Attachment, LoggedEvent, People, Permission, RunEnd, SessionEvent, SessionView};

use crate::goal_wire;

/// The information about the server in each welcome.
pub(crate) struct AboutServer {
    /// Whether sessions are stored on disk.
    pub(crate) durable: bool,
    /// Its limits.
    pub(crate) limits: Limits,
}

/// A message as text.
pub(crate) fn text(message: &ServerMessage) -> String {
    // Messages hold only texts, numbers and JSON, so serialising them cannot fail.
    serde_json::to_string(message).unwrap_or_default()
}

/// An event as text, encoded once for all clients.
pub(crate) fn event_text(event: &LoggedEvent) -> Bytes {
    event.encoded(|event| text(&event_message(event.clone())))
}

/// The first message of a connection, but for its members `scene` and `chat`, whose texts are shared. `key` is the id
/// or the share token that the client used.
pub(crate) fn welcome(
    about: &AboutServer,
    models: &[ModelInfo],
    key: Option<String>,
    permission: Permission,
    attachment: &Attachment,
    after: Option<u64>,
) -> Map<String, Value> {
    let resumed = attachment.missed.is_some();
    let SessionView {
        id,
        name,
        branch,
        branches,
        epoch,
        seq,
        revision,
        can_undo,
        can_redo,
        chat: _,
        running,
        model,
        effort,
        temperature,
        usage,
        approvals,
        goal,
        bookmarks,
    } = (*attachment.view).clone();
    let welcome = ServerMessage::Welcome(Box::new(Welcome {
        protocol: PROTOCOL_VERSION,
        session_id: key.unwrap_or_else(|| id.to_string()),
        name,
        access: access(permission),
        durable: about.durable,
        branch,
        branches,
        epoch,
        // The missed events follow.
        seq: after.filter(|_| resumed).unwrap_or(seq),
        resumed,
        revision: revision.number,
        scene: Value::Null,
        can_undo,
        can_redo,
        chat: Vec::new(),
        running,
        model,
        effort: effort.map(effort_name),
        temperature,
        models: models.to_vec(),
        usage: usage_of(usage),
        limits: about.limits.clone(),
        approvals: approvals.into_iter().map(approval).collect(),
        goal: goal.map(goal_wire::goal),
        bookmarks: bookmarks_of(bookmarks),
    }));
    let members = match serde_json::to_value(welcome) {
        Ok(Value::Object(members)) => members.into_iter(),
        // Messages are objects of texts and numbers.
        _ => Map::new().into_iter(),
    };
    members.filter(|(name, _)| name != "scene" && name != "chat").collect()
}

/// The access level of a client.
fn access(permission: Permission) -> Access {
    match permission {
        Permission::View => Access::View,
        Permission::Edit | Permission::Own => Access::Edit,
    }
}

/// The message of an event.
pub(crate) fn event_message(event: SessionEvent) -> ServerMessage {
    match event {
        SessionEvent::UserMessage {
            seq,
            message_id,
            text,
            revision,
            session_name,
            selection,
            images,
        } => ServerMessage::UserMessage {
            seq,
            message_id,
            text,
            revision,
            session_name,
            selection,
            images: images.into_iter().map(image).collect(),
        },
        SessionEvent::TurnStarted { seq, turn, max_turns } => {
            ServerMessage::TurnStarted { seq, turn, max_turns }
        }
        SessionEvent::TextDelta { seq, message_id, text, thought } => {
            ServerMessage::TextDelta { seq, message_id, text, thought }
        }
        SessionEvent::TextDiscarded { seq, message_id } => {
            ServerMessage::TextDiscarded { seq, message_id }
        }
        SessionEvent::ToolStarted { seq, call_id, parent_call_id, name, args } => {
            ServerMessage::ToolStarted { seq, call_id, parent_call_id, name, args }
        }
        SessionEvent::ToolFinished {
            seq,
            call_id,
            parent_call_id,
            name,
            response,
            duration_ms,
        } => {
            let response = tool_response(response);
            ServerMessage::ToolFinished {
                seq,
                call_id,
                parent_call_id,
                name,
                response,
                duration_ms,
            }
        }
        SessionEvent::SceneChanged {
            seq,
            revision,
            by,
            changes,
            can_undo,
            can_redo,
            for_branch,
            history,
        } => ServerMessage::SceneChanged {
            seq,
            revision,
            by: by.name().into(),
            changes: changes.into_iter().map(scene_change).collect(),
            can_undo,
            can_redo,
            for_branch,
            history: history.map(history_step),
        },
        SessionEvent::RunFinished { seq, reason, turns, message, usage } => {
            let (reason, usage) = (run_end(reason), usage.map(usage_of));
            ServerMessage::RunFinished { seq, reason, turns, message, usage }
        }
        SessionEvent::ApprovalNeeded { seq, call_id, name, args } => {
            ServerMessage::ApprovalNeeded { seq, call_id, name, args }
        }
        SessionEvent::Retrying { seq, attempt, delay_ms, reason } => {
            ServerMessage::Retrying { seq, attempt, delay_ms, reason }
        }
        SessionEvent::BranchSelected { seq, branch, branches, chat, fork: _ } => {
            ServerMessage::BranchSelected { seq, branch, branches, chat: chat_entries(chat) }
        }
        SessionEvent::SessionNamed { seq, name } => ServerMessage::SessionNamed { seq, name },
        SessionEvent::BookmarksChanged { seq, bookmarks } => {
            ServerMessage::BookmarksChanged { seq, bookmarks: bookmarks_of(bookmarks) }
        }
        SessionEvent::ModelSelected { seq, model, effort, temperature } => {
            let effort = effort.map(effort_name);
            ServerMessage::ModelSelected { seq, model, effort, temperature }
        }
        SessionEvent::GoalChanged { seq, change, notice, goal, .. } => {
            let (change, goal) = (goal_wire::change(change), Box::new(goal_wire::goal(*goal)));
            ServerMessage::GoalChanged { seq, change, notice, goal }
        }
    }
}

/// The most people that a client is told of.
const MAX_TOLD: usize = 32;

/// The `presence` message for the client whose own user is `you`, who is always among those it names.
pub(crate) fn presence(you: u64, people: &People) -> ServerMessage {
    let others = people.iter().filter(|person| person.id != you).take(MAX_TOLD - 1);
    let told: BTreeSet<u64> = others.map(|person| person.id).chain([you]).collect();
    let told: Vec<PresentPerson> = people
        .iter()
        .filter(|person| told.contains(&person.id))
        .map(|person| PresentPerson {
            id: person.id,
            name: person.name.clone(),
            can_edit: person.can_edit,
            selection: person.selection.clone(),
        })
        .collect();
    ServerMessage::Presence { you, more: people.len() - told.len(), people: told }
}

/// The `progress` of a step.
pub(crate) fn progress(
    step: u32,
    action: Action,
    target: String,
    note: Option<ToolNote>,
) -> ServerMessage {
    let action = match action {
        Action::ToolCall => ProgressAction::ToolCall,
        Action::Delegate => ProgressAction::Delegate,
    };
    let (call_id, note) = note.map(|note| (note.call_id, note.text)).unzip();
    ServerMessage::Progress { step, action, target, call_id, note }
}

/// An `error` message.
pub(crate) fn error(
    request_id: Option<Value>,
    code: ErrorCode,
    message: String,
    retryable: bool,
) -> ServerMessage {
    ServerMessage::Error { request_id, code, message: scene::visible(message), retryable }
}

/// The error message for a failure of the store.
pub(crate) fn not_saved(message: String) -> ServerMessage {
    error(None, ErrorCode::NotSaved, message, true)
}

/// The chat of a session, which is not copied as a whole to be written.
pub(crate) struct SharedChat<'a>(pub(crate) &'a [session::ChatEntry]);

impl Serialize for SharedChat<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|entry| chat_entry(entry.clone())))
    }
}

/// The chat of a branch.
fn chat_entries(chat: Vec<session::ChatEntry>) -> Vec<ChatEntry> {
    chat.into_iter().map(chat_entry).collect()
}

fn chat_entry(entry: session::ChatEntry) -> ChatEntry {
    match entry {
        session::ChatEntry::User { message_id, text, revision, selection, images } => {
            let images = images.into_iter().map(image).collect();
            ChatEntry::User { message_id, text, revision, selection, images }
        }
        session::ChatEntry::Model { message_id, text, thought } => {
            ChatEntry::Model { message_id, text, thought }
        }
        session::ChatEntry::Tool { call_id, parent_call_id, name, args, response, duration_ms } => {
            let response = response.map(tool_response);
            ChatEntry::Tool { call_id, parent_call_id, name, args, response, duration_ms }
        }
        session::ChatEntry::Changed { revision, by, changes, left_out, history } => {
            let changes = changes.into_iter().map(scene_change).collect();
            let history = history.map(history_step);
            ChatEntry::Changed { revision, by: by.name().into(), changes, left_out, history }
        }
        session::ChatEntry::Notice { text, is_error } => ChatEntry::Notice { text, is_error },
    }
}

fn bookmarks_of(bookmarks: Vec<session::Bookmark>) -> Vec<Bookmark> {
    let bookmarks = bookmarks.into_iter();
    bookmarks.map(|session::Bookmark { name, camera }| Bookmark { name, camera }).collect()
}

fn history_step(step: session::HistoryStep) -> HistoryStep {
    match step {
        session::HistoryStep::Undo => HistoryStep::Undo,
        session::HistoryStep::Redo => HistoryStep::Redo,
    }
}

/// A difference between two revisions.
pub(crate) fn scene_change(change: scene::Change) -> SceneChange {
    let scene::Change { operation, kind, id, before, after, index } = change;
    let op = match operation {
        scene::Operation::Create => ChangeOperation::Create,
        scene::Operation::Update => ChangeOperation::Update,
        scene::Operation::Remove => ChangeOperation::Remove,
    };
    let kind = match kind {
        scene::Kind::Shape => ChangeKind::Shape,
        scene::Kind::Light => ChangeKind::Light,
        scene::Kind::Group => ChangeKind::Group,
        scene::Kind::Environment => ChangeKind::Environment,
        scene::Kind::Camera => ChangeKind::Camera,
        scene::Kind::Animation => ChangeKind::Animation,
    };
    SceneChange { op, kind, id, before, after, index }
}

fn image(image: session::ImageInfo) -> ShownImage {
    let session::ImageInfo { mime_type, width, height } = image;
    ShownImage { mime_type, width, height }
}

fn tool_response(response: session::ToolResponse) -> ToolResponse {
    let session::ToolResponse { success, result, facts, error } = response;
    ToolResponse { success, result, facts, error }
}

fn run_end(end: RunEnd) -> RunFinishedReason {
    match end {
        RunEnd::Completed => RunFinishedReason::Completed,
        RunEnd::TurnLimit => RunFinishedReason::TurnLimit,
        RunEnd::Cancelled => RunFinishedReason::Cancelled,
        RunEnd::Error => RunFinishedReason::Error,
    }
}

fn usage_of(usage: session::Usage) -> Usage {
    let session::Usage { input_tokens, output_tokens, cached_tokens, context_tokens, cost } = usage;
    Usage { input_tokens, output_tokens, cached_tokens, context_tokens, cost }
}

fn approval(request: session::ApprovalRequest) -> ApprovalRequest {
    let session::ApprovalRequest { call_id, name, args } = request;
    ApprovalRequest { call_id, name, args }
}

/// A level of effort as the wire names it.
pub(crate) fn effort_name(effort: llm::Effort) -> protocol::Effort {
    match effort {
        llm::Effort::Off => protocol::Effort::Off,
        llm::Effort::Low => protocol::Effort::Low,
        llm::Effort::Medium => protocol::Effort::Medium,
        llm::Effort::High => protocol::Effort::High,
        llm::Effort::Max => protocol::Effort::Max,
    }
}

/// A level of effort that a client chose.
pub(crate) fn effort(effort: protocol::Effort) -> llm::Effort {
    match effort {
        protocol::Effort::Off => llm::Effort::Off,
        protocol::Effort::Low => llm::Effort::Low,
        protocol::Effort::Medium => llm::Effort::Medium,
        protocol::Effort::High => llm::Effort::High,
        protocol::Effort::Max => llm::Effort::Max,
    }
}

/// How long an approval is valid.
pub(crate) fn remember(remember: protocol::Remember) -> session::Remember {
    match remember {
        protocol::Remember::Session => session::Remember::Session,
        protocol::Remember::Always => session::Remember::Always,
    }
}

/// A picture of a client.
pub(crate) fn attachment(image: protocol::ImageAttachment) -> session::ImageAttachment {
    let protocol::ImageAttachment { mime_type, data } = image;
    session::ImageAttachment { mime_type, data }
}

/// A call of a client's edit.
pub(crate) fn edit_call(call: protocol::EditCall) -> session::EditCall {
    let protocol::EditCall { name, args } = call;
    session::EditCall { name, args }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// The events of a session that a server of an earlier version wrote.
    const SESSION: &str = include_str!("../../../tests/data/session.scene-llm");

    #[test]
    fn clients_get_events_as_the_log_has_them() {
        let mut events = 0;
        for line in SESSION.lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            if line["kind"] == "event" {
                let event: SessionEvent = serde_json::from_value(line["body"].clone()).unwrap();
                let message: Value = serde_json::from_str(&text(&event_message(event))).unwrap();
                assert_eq!(message, line["body"]);
                events += 1;
            }
        }
        assert!(events > 20, "{events}");
    }
}
