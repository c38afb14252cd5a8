//! The session's actor: it alone owns the history, the event log and at most one run.

use std::collections::HashMap;
use std::sync::Arc;

use agent::{Event, Inbox, Outcome, Reason, Run, Toolbox};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use llm::{Content, LanguageModel, ModelError, Part, Role, Usage};
use protocol::{Limits, ServerMessage, Welcome};
use scene::{Edit, Id, Violations};
use studio::{Author, SharedScene, check_attachment, instruction};
use tokio::sync::{broadcast, mpsc};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::models::Models;

use super::command::{Attachment, Change, Changed, Command, Refusal, Snapshot, UserMessage};
use super::log::{EventLog, LoggedEvent};
use super::wire::{event_message, run_finished, scene_changed};

/// Events of a run on their way to the actor. Full means that the run waits for the actor.
const RUN_EVENTS: usize = 64;
/// The most messages that may wait for the model to read them.
const MAX_WAITING: usize = 32;
/// The most calls of one edit.
const MAX_CALLS: usize = 2_000;
/// The most objects that a message may name as selected.
const MAX_SELECTION: usize = 100;
/// The longest message, in characters.
const MAX_TEXT: usize = 32_000;

pub(crate) struct Actor {
    pub(crate) id: Arc<str>,
    pub(crate) commands: mpsc::Receiver<Command>,
    /// To all attached clients. One that falls behind reads the log again.
    pub(crate) live: broadcast::Sender<LoggedEvent>,
    pub(crate) log: EventLog,
    pub(crate) history: Vec<Content>,
    pub(crate) scene: Arc<SharedScene>,
    pub(crate) tools: Toolbox,
    pub(crate) models: Arc<Models>,
    pub(crate) model: String,
    /// The models this session has used: a scripted one remembers where it is.
    pub(crate) opened: HashMap<String, Arc<dyn LanguageModel>>,
    pub(crate) limits: Limits,
    pub(crate) inbox: Inbox,
    pub(crate) running: Option<Running>,
    pub(crate) messages: u64,
    pub(crate) cancel: CancellationToken,
    pub(crate) tracker: TaskTracker,
}

/// The run that is going.
pub(crate) struct Running {
    events: mpsc::Receiver<Event>,
    outcome: JoinHandle<Outcome>,
    cancel: CancellationToken,
    /// Messages that came after the run was stopped; they begin the next one.
    waiting: Vec<Content>,
}

impl Actor {
    /// Serves commands until the server stops or nobody holds a handle any more.
    pub(crate) async fn serve(mut self) {
        let cancel = self.cancel.clone();
        loop {
            tokio::select! {
                biased;
                () = cancel.cancelled() => break,
                event = next_event(&mut self.running) => match event {
                    Some(event) => self.on_event(event),
                    None => self.on_run_over().await,
                },
                command = self.commands.recv() => match command {
                    Some(Command::EndIfUnused) if self.unused() => break,
                    Some(command) => self.on_command(command),
                    None => break,
                },
            }
        }
        // Whatever belongs to the session ends with it.
        self.cancel.cancel();
    }

    fn on_command(&mut self, command: Command) {
        // A reply that cannot be delivered means that nobody waits for it any more.
        match command {
            Command::Attach { after, reply } => drop(reply.send(self.attach(after))),
            Command::Say { message, reply } => drop(reply.send(self.say(message))),
            Command::Cancel => {
                if let Some(running) = &self.running {
                    running.cancel.cancel();
                }
            }
            Command::Change { change, reply } => {
                self.catch_up();
                let result = self.change(change);
                // Told before the reply, so that whoever gets the reply finds the event.
                self.tell_changes();
                drop(reply.send(result));
            }
            Command::SelectModel { model, reply } => drop(reply.send(self.select_model(model))),
            Command::Snapshot { reply } => drop(reply.send(self.snapshot())),
            Command::History { reply } => drop(reply.send(self.history.clone())),
            Command::Events { after, reply } => drop(reply.send(self.log.after(after))),
            // In use: it stays.
            Command::EndIfUnused => {}
        }
    }

    fn unused(&self) -> bool {
        self.log.seq() == 0 && self.live.receiver_count() == 0
    }

    /// Takes what the run has reported so far, so that what follows comes after it.
    fn catch_up(&mut self) {
        while let Some(Ok(event)) = self.running.as_mut().map(|running| running.events.try_recv()) {
            self.on_event(event);
        }
    }

    fn on_event(&mut self, event: Event) {
        // A change is told between the beginning and the end of the tool that made it.
        if let Event::ToolFinished { version: Some(revision), .. } = event {
            self.tell_changes_until(revision);
        }
        match event {
            Event::Appended(content) => self.history.push(content),
            event => {
                if let Some(message) = event_message(event) {
                    self.tell(message);
                }
            }
        }
    }

    async fn on_run_over(&mut self) {
        let Some(running) = self.running.take() else {
            return;
        };
        let outcome = running.outcome.await.unwrap_or_else(|panic| {
            tracing::error!(session = %self.id, %panic, "a run panicked");
            let sorry = "The run failed inside. Nothing you made is lost; send a message to go on.";
            Outcome {
                reason: Reason::Failed(ModelError::Rejected(sorry.into())),
                turns: 0,
                usage: Usage::default(),
            }
        });
        self.tell_changes();
        self.tell(run_finished(&outcome));
        for content in running.waiting {
            self.inbox.push(content);
        }
        if !self.inbox.is_empty() {
            self.start_run();
        }
    }

    /// Appends an event and sends it to all clients.
    fn tell(&mut self, message: impl FnOnce(u64) -> ServerMessage) {
        let event = self.log.append(message);
        // Without a receiver nobody is attached; the log keeps the event.
        let _ = self.live.send(event);
    }

    fn tell_changes(&mut self) {
        self.tell_changes_until(u64::MAX);
    }

    fn tell_changes_until(&mut self, revision: u64) {
        for published in self.scene.take_published(revision) {
            self.tell(scene_changed(published));
        }
    }

    fn attach(&mut self, after: Option<(String, u64)>) -> Attachment {
        // The welcome's scene, its number of events and what has been told are of one moment.
        self.catch_up();
        let (published, revision, steps) = self.scene.take_all_published();
        for published in published {
            self.tell(scene_changed(published));
        }
        let known = after.filter(|(epoch, _)| epoch == self.log.epoch());
        let missed = known.and_then(|(_, seq)| Some((seq, self.log.after(seq)?)));
        let resumed = missed.is_some();
        let (seq, missed) = missed.unwrap_or_else(|| (self.log.seq(), Vec::new()));
        let welcome = Welcome {
            protocol: protocol::PROTOCOL_VERSION,
            session_id: self.id.to_string(),
            epoch: self.log.epoch().to_owned(),
            seq,
            resumed,
            revision: revision.number,
            scene: revision.scene.to_json(),
            can_undo: steps.can_undo,
            can_redo: steps.can_redo,
            chat: self.log.chat().to_vec(),
            running: self.running.is_some(),
            model: self.model.clone(),
            models: self.models.list().to_vec(),
            limits: self.limits.clone(),
        };
        Attachment { welcome: Box::new(welcome), missed, live: self.live.subscribe() }
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot {
            revision: self.scene.current(),
            chat: self.log.chat().to_vec(),
            running: self.running.is_some(),
        }
    }

    fn say(&mut self, message: UserMessage) -> Result<String, Refusal> {
        let content = to_content(&message)?;
        let waiting = self.running.as_ref().map_or(0, |running| running.waiting.len());
        if self.inbox.len() + waiting >= MAX_WAITING {
            return Err(Refusal::TooManyWaiting(MAX_WAITING));
        }
        self.messages += 1;
        let message_id = format!("u{}", self.messages);
        let (id, text) = (message_id.clone(), message.text);
        self.tell(move |seq| ServerMessage::UserMessage { seq, message_id: id, text });
        match &mut self.running {
            // The run is on its way out and would take the message with it, unanswered.
            Some(running) if running.cancel.is_cancelled() => running.waiting.push(content),
            Some(_) => self.inbox.push(content),
            None => {
                self.inbox.push(content);
                self.start_run();
            }
        }
        Ok(message_id)
    }

    fn change(&mut self, change: Change) -> Result<Changed, Refusal> {
        let by = Author::User;
        let before = self.scene.current().number;
        let applied = match change {
            Change::Edit(calls) => {
                let edits = parse_calls(&calls)?;
                self.scene.apply(&edits, by)?
            }
            Change::Replace(scene) => self.scene.replace(*scene, by),
            Change::Undo => self.scene.undo(by)?,
            Change::Redo => self.scene.redo(by)?,
            Change::Restore(revision) => self.scene.restore(revision, by)?,
        };
        let is_new = applied.revision.number != before;
        Ok(Changed { revision: applied.revision, is_new })
    }

    fn select_model(&mut self, model: String) -> Result<(), Refusal> {
        if !self.models.contains(&model) {
            let known: Vec<&str> =
                self.models.list().iter().map(|model| model.id.as_str()).collect();
            return Err(Refusal::UnknownModel { asked: model, known: known.join(", ") });
        }
        self.model.clone_from(&model);
        self.tell(move |seq| ServerMessage::ModelSelected { seq, model });
        Ok(())
    }

    fn start_run(&mut self) {
        let model = match self.opened.get(&self.model) {
            Some(model) => Arc::clone(model),
            None => {
                // `self.model` is always one of the list.
                let Some(model) = self.models.open(&self.model) else { return };
                self.opened.insert(self.model.clone(), Arc::clone(&model));
                model
            }
        };
        let (sender, events) = mpsc::channel(RUN_EVENTS);
        let cancel = self.cancel.child_token();
        let scene = Arc::clone(&self.scene);
        let run = Run {
            history: self.history.clone(),
            model,
            tools: self.tools.clone(),
            instruction: Arc::new(move || instruction(&scene.current())),
            max_turns: self.limits.max_turns,
            inbox: self.inbox.clone(),
            events: sender,
            cancel: cancel.clone(),
        };
        let outcome = self.tracker.spawn(agent::run(run));
        self.running = Some(Running { events, outcome, cancel, waiting: Vec::new() });
    }
}

/// The next event of the run; `None` when it is over; pending for ever when there is none.
async fn next_event(running: &mut Option<Running>) -> Option<Event> {
    match running {
        Some(running) => running.events.recv().await,
        None => std::future::pending().await,
    }
}

/// Reads all calls of an edit; the faults of all of them are reported.
fn parse_calls(calls: &[protocol::EditCall]) -> Result<Vec<Edit>, Violations> {
    if calls.is_empty() {
        return Err(Violations::one("'calls' is empty: give at least one call"));
    }
    if calls.len() > MAX_CALLS {
        return Err(Violations::one(format!(
            "'calls' may hold at most {MAX_CALLS} calls, got {}; send several edits",
            calls.len()
        )));
    }
    let mut faults = Vec::new();
    let mut edits = Vec::with_capacity(calls.len());
    for (index, call) in calls.iter().enumerate() {
        match Edit::parse(&call.name, &call.args) {
            Ok(edit) => edits.push(edit),
            Err(violations) if calls.len() == 1 => faults.push(violations),
            Err(violations) => faults.push(violations.prefixed(&format!("edit {}: ", index + 1))),
        }
    }
    match Violations::joined(faults) {
        Some(violations) => Err(violations),
        None => Ok(edits),
    }
}

/// The history entry of a message.
fn to_content(message: &UserMessage) -> Result<Content, Refusal> {
    let refuse = |fault: String| Err(Refusal::BadMessage(fault));
    if message.text.trim().is_empty() && message.images.is_empty() {
        return refuse("'text' is empty: say what you want to see".into());
    }
    let length = message.text.chars().count();
    if length > MAX_TEXT {
        return refuse(format!("'text' may have at most {MAX_TEXT} characters, got {length}"));
    }
    let ids = &message.selection;
    if ids.len() > MAX_SELECTION || ids.iter().any(|id| Id::new(id).is_none()) {
        return refuse(format!("'selection' must be at most {MAX_SELECTION} ids of objects"));
    }
    let mut parts = Vec::new();
    match message.selection.is_empty() {
        true if message.text.is_empty() => {}
        true => parts.push(Part::text(&message.text)),
        false => {
            parts.push(Part::text(format!("[selected: {}]\n{}", ids.join(", "), message.text)))
        }
    }
    for (index, image) in message.images.iter().enumerate() {
        let checked = STANDARD
            .decode(&image.data)
            .map_err(|_| "data must be the file in base64".to_owned())
            .and_then(|bytes| check_attachment(&image.mime_type, &bytes));
        if let Err(fault) = checked {
            return refuse(format!("images[{index}].{fault}"));
        }
        parts.push(Part::inline_data(&image.mime_type, &image.data));
    }
    Ok(Content { role: Role::User, parts })
}
