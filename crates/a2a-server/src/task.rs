//! A task: what the events of a run add up to.

use serde_json::{Value, json};
use session::{RunEnd, SessionEvent};

use crate::message::told;

/// The artifact that has the agent's words.
const ANSWER: &str = "answer";
/// The artifact that has the scene.
const SCENE: &str = "scene";

/// A message of the user and what came of it so far.
#[derive(Debug, Clone)]
pub(crate) struct Task {
    /// The session, as the client names it.
    pub(crate) context: String,
    /// The message that began it.
    pub(crate) message_id: String,
    base: String,
    request: String,
    state: State,
    /// The answers, each with its id.
    texts: Vec<(String, String)>,
    /// The last revision that it made.
    revision: Option<u64>,
    /// What it does, or why it ended.
    note: Option<String>,
    /// Whether another message came since its run ended.
    over: bool,
}

/// States that our tasks have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Submitted,
    Working,
    InputRequired,
    Completed,
    Failed,
    Canceled,
}

impl State {
    /// All that the protocol has, also those that our tasks never have.
    pub(crate) const NAMES: [&str; 8] = [
        "TASK_STATE_SUBMITTED",
        "TASK_STATE_WORKING",
        "TASK_STATE_INPUT_REQUIRED",
        "TASK_STATE_AUTH_REQUIRED",
        "TASK_STATE_COMPLETED",
        "TASK_STATE_FAILED",
        "TASK_STATE_CANCELED",
        "TASK_STATE_REJECTED",
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Submitted => "TASK_STATE_SUBMITTED",
            Self::Working => "TASK_STATE_WORKING",
            Self::InputRequired => "TASK_STATE_INPUT_REQUIRED",
            Self::Completed => "TASK_STATE_COMPLETED",
            Self::Failed => "TASK_STATE_FAILED",
            Self::Canceled => "TASK_STATE_CANCELED",
        }
    }

    pub(crate) fn is_terminal(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Canceled)
    }
}

/// What there is to tell a client that follows a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum News {
    /// Its state, or what it does.
    Status,
    /// More of the answer.
    Text(String),
    /// The whole answer is another one.
    Rewritten,
}

impl Task {
    /// The task of a message, before anything is known of it.
    pub(crate) fn new(base: &str, context: &str, message_id: &str, request: &str) -> Self {
        Self {
            context: context.to_owned(),
            message_id: message_id.to_owned(),
            base: base.to_owned(),
            request: request.to_owned(),
            state: State::Submitted,
            texts: Vec::new(),
            revision: None,
            note: None,
            over: false,
        }
    }

    /// Its id names the session as well: whoever has one may see the task.
    pub(crate) fn id(&self) -> String {
        format!("{}.{}", self.context, self.message_id)
    }

    pub(crate) fn state(&self) -> State {
        self.state
    }

    /// Adds an event that came after its message.
    pub(crate) fn add(&mut self, event: &SessionEvent) -> Option<News> {
        if self.over {
            return None;
        }
        match event {
            SessionEvent::UserMessage { message_id, .. } => {
                // One that comes during the run is heard in it.
                self.over = self.state.is_terminal() && *message_id != self.message_id;
                None
            }
            SessionEvent::TurnStarted { turn, .. } => {
                // A run that ended without reading the message is followed by one that does.
                self.become_now(State::Working, Some(format!("the model thinks (turn {turn})")))
            }
            SessionEvent::ToolStarted { name, .. } => {
                self.become_now(State::Working, Some(name.clone()))
            }
            SessionEvent::Retrying { reason, .. } => {
                self.become_now(State::Working, Some(format!("the model is asked again: {reason}")))
            }
            SessionEvent::ApprovalNeeded { name, .. } => self.become_now(
                State::InputRequired,
                Some(format!(
                    "'{name}' waits for the user's approval in the page: {}",
                    self.page()
                )),
            ),
            SessionEvent::TextDelta { message_id, text, thought: false, .. } => {
                let piece = match self.texts.last_mut() {
                    Some((id, whole)) if id == message_id => {
                        whole.push_str(text);
                        text.clone()
                    }
                    last => {
                        let gap = if last.is_some() { "\n" } else { "" };
                        self.texts.push((message_id.clone(), text.clone()));
                        format!("{gap}{text}")
                    }
                };
                Some(News::Text(piece))
            }
            SessionEvent::TextDiscarded { message_id, .. } => {
                self.texts.retain(|(id, _)| id != message_id);
                Some(News::Rewritten)
            }
            SessionEvent::SceneChanged { revision, .. } => {
                self.revision = Some(*revision);
                None
            }
            SessionEvent::RunFinished { reason, message, .. } => {
                let (state, otherwise) = match reason {
                    RunEnd::Completed => (State::Completed, None),
                    RunEnd::TurnLimit => {
                        (State::Failed, Some("the limit of model calls was reached"))
                    }
                    RunEnd::Cancelled => (State::Canceled, Some("it was stopped")),
                    RunEnd::Error => (State::Failed, Some("the model gave no answer")),
                };
                self.become_now(state, message.clone().or(otherwise.map(str::to_owned)))
            }
            _ => None,
        }
    }

    fn become_now(&mut self, state: State, note: Option<String>) -> Option<News> {
        (self.state, self.note) = (state, note);
        Some(News::Status)
    }

    fn page(&self) -> String {
        format!("{}/#session={}", self.base, self.context)
    }

    /// All that the agent said.
    fn answer(&self) -> String {
        let texts: Vec<&str> = self.texts.iter().map(|(_, text)| text.as_str()).collect();
        texts.join("\n")
    }

    fn status(&self) -> Value {
        let mut status = json!({ "state": self.state.name() });
        let last = self.texts.last().map(|(_, text)| text.trim()).filter(|text| !text.is_empty());
        let words = if self.state.is_terminal() {
            self.note.as_deref().or(last)
        } else {
            self.note.as_deref()
        };
        if let Some(words) = words {
            let id = format!("{}.status", self.message_id);
            status["message"] = told(&id, &self.id(), &self.context, "ROLE_AGENT", words);
        }
        status
    }

    fn scene(&self, revision: u64) -> Value {
        let api = format!("{}/api/sessions/{}", self.base, self.context);
        json!({
            "artifactId": SCENE,
            "name": "The scene",
            "parts": [
                { "url": format!("{api}/scene"), "mediaType": "application/json", "filename": "scene.json" },
                { "url": format!("{api}/render"), "mediaType": "image/png", "filename": "picture.png" },
                { "url": self.page(), "mediaType": "text/html" },
            ],
            "metadata": { "revision": revision },
        })
    }

    /// The task as clients get it. `history`: at most so many of its newest messages.
    pub(crate) fn to_json(&self, history: Option<u32>, artifacts: bool) -> Value {
        let id = self.id();
        let mut task = json!({ "id": id, "contextId": self.context, "status": self.status() });
        if artifacts {
            let answer = self.answer();
            let mut all = Vec::new();
            if !answer.trim().is_empty() {
                all.push(json!({ "artifactId": ANSWER, "name": "The answer", "parts": [{ "text": answer }] }));
            }
            all.extend(self.revision.map(|revision| self.scene(revision)));
            task["artifacts"] = all.into();
        }
        let user = told(&self.message_id, &id, &self.context, "ROLE_USER", &self.request);
        let agent = self.texts.iter().filter(|(_, text)| !text.trim().is_empty());
        let agent =
            agent.map(|(message, text)| told(message, &id, &self.context, "ROLE_AGENT", text));
        let mut messages: Vec<Value> = std::iter::once(user).chain(agent).collect();
        if let Some(most) = history {
            let most = usize::try_from(most).unwrap_or(usize::MAX);
            messages.drain(..messages.len().saturating_sub(most));
        }
        if !messages.is_empty() {
            task["history"] = messages.into();
        }
        task
    }

    /// What a client that follows it is sent.
    pub(crate) fn tell(&self, news: &News) -> Vec<Value> {
        let (task, context) = (self.id(), &self.context);
        let update = |artifact: Value, append: bool| json!({ "artifactUpdate": { "taskId": task, "contextId": context, "artifact": artifact, "append": append } });
        match news {
            News::Text(piece) => {
                let first = self.answer() == *piece;
                vec![update(json!({ "artifactId": ANSWER, "parts": [{ "text": piece }] }), !first)]
            }
            News::Rewritten => {
                vec![update(
                    json!({ "artifactId": ANSWER, "parts": [{ "text": self.answer() }] }),
                    false,
                )]
            }
            News::Status => {
                let mut told = Vec::new();
                if self.state.is_terminal() {
                    told.extend(self.revision.map(|revision| update(self.scene(revision), false)));
                }
                let status =
                    json!({ "taskId": task, "contextId": context, "status": self.status() });
                told.push(json!({ "statusUpdate": status }));
                told
            }
        }
    }
}
