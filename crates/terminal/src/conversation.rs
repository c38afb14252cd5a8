//! What a chat shows of its session: a reducer over the messages of the server.

use std::time::Instant;

use protocol::{
    ApprovalRequest, ChatEntry, Goal, HistoryStep, ModelInfo, RunFinishedReason, ServerMessage,
    ToolResponse, Usage, Welcome,
};

use crate::{goal_words, summary};

/// One entry of the chat, in the order of time.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Entry {
    User(String),
    Answer {
        message_id: String,
        text: String,
        thought: String,
    },
    Tool {
        call_id: String,
        /// The call of the sub-agent that called it.
        parent: Option<String>,
        name: String,
        about: String,
        state: ToolState,
    },
    /// The user, here or at another client, changed these objects.
    Changed {
        what: String,
        history: Option<HistoryStep>,
    },
    Notice {
        text: String,
        is_error: bool,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ToolState {
    Running { since: Instant, note: Option<String> },
    Done { duration_ms: Option<f64> },
    Failed { error: String },
}

impl ToolState {
    fn begun(now: Instant) -> Self {
        Self::Running { since: now, note: None }
    }
}

/// Whether the server is there.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Link {
    Open,
    Lost { attempt: u32, reason: String },
    Ended { reason: String },
}

#[derive(Debug)]
pub(crate) struct Conversation {
    pub(crate) session: String,
    pub(crate) name: String,
    pub(crate) entries: Vec<Entry>,
    /// The time since which a run is going.
    pub(crate) running: Option<Instant>,
    pub(crate) turn: Option<(u32, u32)>,
    pub(crate) model: String,
    pub(crate) models: Vec<ModelInfo>,
    pub(crate) approvals: Vec<ApprovalRequest>,
    pub(crate) goal: Option<Goal>,
    pub(crate) can_remember_always: bool,
    pub(crate) usage: Usage,
    pub(crate) revision: u64,
    pub(crate) objects: usize,
    /// Samples per pixel so far and at the end.
    pub(crate) samples: Option<(u32, u32)>,
    pub(crate) durable: bool,
    pub(crate) link: Link,
}

impl Conversation {
    pub(crate) fn new(welcome: Welcome, now: Instant) -> Self {
        let mut conversation = Self {
            session: welcome.session_id,
            name: welcome.name,
            entries: Vec::new(),
            running: welcome.running.then_some(now),
            turn: None,
            model: welcome.model,
            models: welcome.models,
            approvals: welcome.approvals,
            goal: welcome.goal,
            can_remember_always: welcome.limits.standing_approvals,
            usage: welcome.usage,
            revision: welcome.revision,
            objects: ["shapes", "lights"]
                .iter()
                .filter_map(|list| welcome.scene[list].as_array())
                .map(Vec::len)
                .sum(),
            samples: None,
            durable: welcome.durable,
            link: Link::Open,
        };
        conversation.show(welcome.chat, now);
        conversation
    }

    fn show(&mut self, chat: Vec<ChatEntry>, now: Instant) {
        self.entries.clear();
        for entry in chat.into_iter().filter_map(|entry| shown(entry, now)) {
            add_tool(&mut self.entries, entry);
        }
    }

    /// The goal, if it is not over.
    pub(crate) fn open_goal(&self) -> Option<&Goal> {
        self.goal.as_ref().filter(|goal| !goal_words::is_over(goal.status))
    }

    pub(crate) fn say(&mut self, text: impl Into<String>) {
        self.entries.push(Entry::Notice { text: text.into(), is_error: false });
    }

    pub(crate) fn complain(&mut self, text: impl Into<String>) {
        self.entries.push(Entry::Notice { text: text.into(), is_error: true });
    }

    /// Takes in a message of the server.
    pub(crate) fn apply(&mut self, message: ServerMessage, now: Instant) {
        match message {
            ServerMessage::Welcome(welcome) => *self = Self::new(*welcome, now),
            ServerMessage::UserMessage { text, session_name, .. } => {
                self.name = session_name.unwrap_or(std::mem::take(&mut self.name));
                self.entries.push(Entry::User(text));
                self.running.get_or_insert(now);
            }
            ServerMessage::TurnStarted { turn, max_turns, .. } => {
                self.running.get_or_insert(now);
                self.turn = Some((turn, max_turns));
            }
            ServerMessage::TextDelta { message_id, text, thought, .. } => {
                self.append(message_id, &text, thought);
            }
            ServerMessage::TextDiscarded { message_id, .. } => self.entries.retain(
                |entry| !matches!(entry, Entry::Answer { message_id: id, .. } if *id == message_id),
            ),
            ServerMessage::ToolStarted { call_id, parent_call_id: parent, name, args, .. } => {
                self.approvals.retain(|waiting| waiting.call_id != call_id);
                let (about, state) = (summary::call(&args), ToolState::begun(now));
                add_tool(&mut self.entries, Entry::Tool { call_id, parent, name, about, state });
            }
            ServerMessage::ToolFinished { call_id, response, duration_ms, .. } => {
                self.finish_tool(&call_id, &response, duration_ms);
            }
            ServerMessage::SceneChanged { revision, by, changes, for_branch, history, .. } => {
                self.revision = revision;
                let count = |op| changes.iter().filter(|change| is_object(change, op)).count();
                let removed = count(protocol::ChangeOperation::Remove);
                let created = count(protocol::ChangeOperation::Create);
                self.objects = (self.objects + created).saturating_sub(removed);
                if by == "user" && !for_branch {
                    self.entries.push(Entry::Changed { what: summary::changes(&changes), history });
                }
            }
            ServerMessage::RunFinished { reason, message, usage, .. } => {
                self.finish_run(reason, message, usage);
            }
            ServerMessage::ApprovalNeeded { call_id, name, args, .. } => {
                self.approvals.push(ApprovalRequest { call_id, name, args });
            }
            ServerMessage::Retrying { attempt, delay_ms, reason, .. } => {
                let wait = summary::duration(delay_ms as f64);
                self.say(format!("{reason}; retry {attempt} in {wait}"));
            }
            ServerMessage::Error { message, .. } => self.complain(message),
            ServerMessage::RenderProgress { samples, target_samples, .. } => {
                self.samples = Some((samples, target_samples));
            }
            ServerMessage::Progress { call_id: Some(call_id), note: Some(text), .. } => {
                self.note_tool(&call_id, text);
            }
            // Without a note it says what `tool_started`, which follows, says as well.
            ServerMessage::Progress { .. } => {}
            ServerMessage::BranchSelected { chat, .. } => self.show(chat, now),
            ServerMessage::SessionNamed { name, .. } => self.name = name,
            ServerMessage::ModelSelected { model, .. } => {
                self.say(format!("the model is {model}"));
                self.model = model;
            }
            ServerMessage::GoalChanged { notice, goal, .. } => {
                self.goal = Some(*goal);
                if let Some(notice) = notice {
                    self.say(notice);
                }
            }
            ServerMessage::Pong { .. }
            | ServerMessage::BookmarksChanged { .. }
            | ServerMessage::Unchanged { .. }
            | ServerMessage::Presence { .. }
            | ServerMessage::Picked { .. } => {}
        }
    }

    fn append(&mut self, message_id: String, piece: &str, is_thought: bool) {
        let answer = self.entries.iter_mut().rev().find_map(|entry| match entry {
            Entry::Answer { message_id: id, text, thought } if *id == message_id => {
                Some((text, thought))
            }
            _ => None,
        });
        match answer {
            Some((_, thought)) if is_thought => thought.push_str(piece),
            Some((text, _)) => text.push_str(piece),
            None => {
                let (text, thought) = if is_thought { ("", piece) } else { (piece, "") };
                let (text, thought) = (text.to_owned(), thought.to_owned());
                self.entries.push(Entry::Answer { message_id, text, thought });
            }
        }
    }

    fn tool_state(&mut self, id: &str) -> Option<&mut ToolState> {
        self.entries.iter_mut().rev().find_map(|entry| match entry {
            Entry::Tool { call_id, state, .. } if call_id == id => Some(state),
            _ => None,
        })
    }

    fn note_tool(&mut self, id: &str, text: String) {
        if let Some(ToolState::Running { note, .. }) = self.tool_state(id) {
            *note = Some(text);
        }
    }

    fn finish_tool(&mut self, id: &str, response: &ToolResponse, duration_ms: f64) {
        if let Some(state) = self.tool_state(id) {
            *state = finished(response, Some(duration_ms));
        }
    }

    fn finish_run(
        &mut self,
        reason: RunFinishedReason,
        message: Option<String>,
        usage: Option<Usage>,
    ) {
        (self.running, self.turn) = (None, None);
        self.approvals.clear();
        if let Some(usage) = usage {
            self.usage.input_tokens += usage.input_tokens;
            self.usage.output_tokens += usage.output_tokens;
            if let Some(cost) = usage.cost {
                *self.usage.cost.get_or_insert(0.0) += cost;
            }
        }
        let is_error = reason == RunFinishedReason::Error;
        match message {
            Some(text) => self.entries.push(Entry::Notice { text, is_error }),
            None if reason == RunFinishedReason::Cancelled => self.say("stopped"),
            None => {}
        }
    }
}

/// Adds a tool: that of a sub-agent stands below the call it works for, after those before it.
fn add_tool(entries: &mut Vec<Entry>, tool: Entry) {
    let Entry::Tool { parent: Some(of), .. } = &tool else { return entries.push(tool) };
    let belongs = |entry: &Entry| match entry {
        Entry::Tool { call_id, parent, .. } => call_id == of || parent.as_ref() == Some(of),
        _ => false,
    };
    let at = entries.iter().rposition(belongs).map_or(entries.len(), |last| last + 1);
    entries.insert(at, tool);
}

fn is_object(change: &protocol::SceneChange, op: protocol::ChangeOperation) -> bool {
    use protocol::ChangeKind::{Light, Shape};
    change.op == op && matches!(change.kind, Shape | Light)
}

fn finished(response: &ToolResponse, duration_ms: Option<f64>) -> ToolState {
    if response.success {
        return ToolState::Done { duration_ms };
    }
    ToolState::Failed { error: response.error.clone().unwrap_or_else(|| "it failed".into()) }
}

fn shown(entry: ChatEntry, now: Instant) -> Option<Entry> {
    Some(match entry {
        ChatEntry::User { text, .. } => Entry::User(text),
        ChatEntry::Model { message_id, text, thought } => {
            Entry::Answer { message_id, text, thought }
        }
        ChatEntry::Tool { call_id, parent_call_id, name, args, response, duration_ms } => {
            let state = match &response {
                Some(response) => finished(response, duration_ms),
                None => ToolState::begun(now),
            };
            let about = summary::call(&args);
            Entry::Tool { call_id, parent: parent_call_id, name, about, state }
        }
        ChatEntry::Changed { by, changes, history, .. } => {
            let what = summary::changes(&changes);
            return (by == "user").then_some(Entry::Changed { what, history });
        }
        ChatEntry::Notice { text, is_error } => Entry::Notice { text, is_error },
    })
}
