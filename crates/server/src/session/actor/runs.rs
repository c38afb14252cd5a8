//! The run: started when a message is in the store, listened to, stopped.

use std::sync::Arc;
use std::time::Duration;

use agent::{Event, Outcome, Reason, Run, RunOptions, Toolbox};
use llm::{Content, ModelError, Role, Usage};
use protocol::{ApprovalRequest, Remember};
use studio::{INSTRUCTION, SceneContext};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use crate::session::command::{Answer, Refusal};
use crate::session::entry::{Approved, Entry};
use crate::session::wire::{event_message, progress, run_finished};

use super::Actor;

/// Events of a run on their way to the actor. Full means that the run waits for the actor.
const RUN_EVENTS: usize = 64;

/// The run that is going.
pub(super) struct Running {
    events: mpsc::Receiver<Event>,
    outcome: JoinHandle<Outcome>,
    pub(super) cancel: CancellationToken,
    options: RunOptions,
    /// What the model may call: the same for the whole run.
    tools: Toolbox,
    /// The id of the model that answers.
    model: String,
    /// Tokens of its last request and answer.
    context_tokens: Option<u64>,
    /// Calls that wait for the user's leave.
    pub(super) asked: Vec<ApprovalRequest>,
}

/// The next event of the run; `None` when it is over; pending for ever when there is none.
pub(super) async fn next_event(running: &mut Option<Running>) -> Option<Event> {
    match running {
        Some(running) => running.events.recv().await,
        None => std::future::pending().await,
    }
}

impl Actor {
    /// Gives the messages that wait to the run that goes, or to a new one.
    pub(super) fn deliver(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        match &self.running {
            // A run on its way out would take them along unanswered.
            Some(running) if running.cancel.is_cancelled() => {}
            Some(_) => self.hand_over(),
            // The history a run begins with is the one in the store: all of it must be there.
            None if self.pending.touches_history() || self.closing.is_some() => {}
            None => {
                self.hand_over();
                self.start_run();
            }
        }
    }

    fn hand_over(&mut self) {
        for (message_id, content) in self.waiting.drain(..) {
            self.inbox.push(content.clone());
            self.handed_over.push_back((message_id, content));
        }
    }

    fn start_run(&mut self) {
        let id = self.model_id();
        // A script goes on where it was; others are made anew when more is known of their model.
        let opened = self.opened.get(&id).filter(|_| self.environment.models.is_scripted());
        let model = match opened {
            Some(model) => Arc::clone(model),
            None => {
                // The model's id is always one of the list.
                let Some(model) = self.environment.models.open(&id) else { return };
                self.opened.insert(id.clone(), Arc::clone(&model));
                model
            }
        };
        let used = self.state.usage.input_tokens + self.state.usage.output_tokens;
        let model = match id.as_str() {
            // Runs on this machine, and costs nothing.
            "offline" => model,
            _ => self.environment.agent.spending.metered(model, used),
        };
        let (sender, events) = mpsc::channel(RUN_EVENTS);
        let cancel = self.cancel.child_token();
        let agent = &self.environment.agent;
        let options = RunOptions {
            settings: self.state.request_settings(),
            ..agent.options(&self.state.id, self.state.approved())
        };
        let tools = self.tools.with(agent.mcp_tools(&self.tools.names()));
        self.scene.run_began();
        let run = Run {
            history: self.state.conversation.contents(),
            model,
            tools: tools.clone(),
            instruction: INSTRUCTION.into(),
            context: Arc::new(SceneContext::new(Arc::clone(&self.scene))),
            max_turns: self.environment.limits.max_turns,
            inbox: self.inbox.clone(),
            events: sender,
            cancel: cancel.clone(),
            options: options.clone(),
        };
        let span = tracing::info_span!("run", session = %self.state.id, event = self.seq);
        let outcome = self.environment.tracker.spawn(agent::run(run).instrument(span));
        self.running = Some(Running {
            events,
            outcome,
            cancel,
            options,
            tools,
            model: id,
            context_tokens: None,
            asked: Vec::new(),
        });
    }

    /// Takes what the run has reported so far, so that what follows comes after it.
    pub(super) fn catch_up(&mut self) {
        while let Some(Ok(event)) = self.running.as_mut().map(|running| running.events.try_recv()) {
            self.on_event(event);
        }
    }

    /// Gives the user's answer to a call that waits for it, and remembers it where the user says so.
    pub(super) async fn approve(&mut self, answer: Answer) -> Result<(), Refusal> {
        let Answer { call_id, allow, remember } = answer;
        let approvals = self.running.as_ref().map(|running| running.options.approvals.clone());
        let asked = approvals.and_then(|asked| Some((asked.waits_for(&call_id)?, asked)));
        let Some((tool, approvals)) = asked else {
            return Err(Refusal::NothingToApprove(call_id));
        };
        match remember.filter(|_| allow) {
            Some(Remember::Session) => {
                let epoch = self.state.epoch.clone();
                self.pending.push(Entry::Approved(Approved { epoch, tool: tool.clone() }));
                approvals.remember(&tool);
            }
            Some(Remember::Always) => {
                let agent = &self.environment.agent;
                if !agent.remembers {
                    return Err(Refusal::NoStandingApprovals);
                }
                let added = agent.standing.add(tool.clone()).await;
                added.map_err(|error| Refusal::ApprovalNotSaved(error.to_string()))?;
                approvals.allow_waiting(&tool);
            }
            None => {
                approvals.answer(&call_id, allow);
            }
        }
        Ok(())
    }

    /// Remembers which calls wait for the user's approval.
    fn note_asked(&mut self, event: &Event) {
        let Some(running) = &mut self.running else { return };
        match event {
            Event::ApprovalNeeded { call_id, name, args } => running.asked.push(ApprovalRequest {
                call_id: call_id.clone(),
                name: name.clone(),
                args: args.clone(),
            }),
            Event::ToolStarted { call_id, .. } => {
                running.asked.retain(|asked| asked.call_id != *call_id);
            }
            _ => {}
        }
    }

    /// Remembers how much of the model's window the conversation takes; services that do not count
    /// tell nothing.
    fn note_context(&mut self, event: &Event) {
        if let (Some(running), Event::TurnFinished { usage, .. }) = (&mut self.running, event)
            && usage.input_tokens > 0
        {
            running.context_tokens = Some(usage.input_tokens + usage.output_tokens);
        }
    }

    pub(super) fn on_event(&mut self, event: Event) {
        let tools = self.running.as_ref().map_or(&self.tools, |running| &running.tools);
        self.environment.agent.metrics.event(&event, tools);
        self.note_asked(&event);
        self.note_context(&event);
        // A change is told between the beginning and the end of the tool that made it.
        if let Event::ToolFinished { version: Some(revision), .. } = event {
            self.tell_changes_until(revision);
        }
        match event {
            Event::Appended(content) => self.append(content),
            Event::Progress { step, action, target } => {
                self.tell_now(&progress(step, action, target));
            }
            event => {
                if let Some(message) = event_message(event) {
                    self.tell(message);
                }
            }
        }
    }

    /// Stages a content; one that the person said is in the log already.
    fn append(&mut self, content: Content) {
        let is_handed_over = content.role == Role::User
            && self.handed_over.front().is_some_and(|(_, said)| *said == content.without_context());
        let said = if is_handed_over { self.handed_over.pop_front() } else { None };
        self.pending.push(match said {
            Some((message_id, _)) => {
                let context = content.parts.into_iter().find(|part| part.as_context().is_some());
                Entry::Read { message_id, context }
            }
            None => Entry::Content(content),
        });
    }

    pub(super) async fn on_run_over(&mut self) {
        let Some(running) = self.running.take() else { return };
        let outcome = running.outcome.await.unwrap_or_else(|panic| {
            tracing::error!(session = %self.state.id, %panic, "a run panicked");
            let sorry = "The run failed inside. Nothing you made is lost; send a message to go on.";
            Outcome {
                reason: Reason::Failed(ModelError::Rejected(sorry.into())),
                turns: 0,
                usage: Usage::default(),
                duration: Duration::ZERO,
                cancel_latency: None,
            }
        });
        let outcome = self.as_ended(outcome);
        self.tell_changes();
        self.scene.run_ended();
        self.environment.agent.metrics.run_finished(&outcome, running.options.feedback);
        tracing::info!(
            session = %self.state.id, model = %running.model, turns = outcome.turns,
            input_tokens = outcome.usage.input_tokens, output_tokens = outcome.usage.output_tokens,
            duration_ms = outcome.duration.as_millis() as u64, reason = ?outcome.reason,
            "a run finished"
        );
        let Usage { input_tokens, output_tokens, cached_tokens, .. } = outcome.usage;
        let usage = protocol::Usage {
            input_tokens,
            output_tokens,
            cached_tokens,
            context_tokens: running.context_tokens,
            cost: self.environment.models.cost(&running.model, &outcome.usage),
        };
        self.tell(run_finished(&outcome, usage));
        // What the run did not read begins the next one.
        drop(self.inbox.drain());
        let unread = std::mem::take(&mut self.handed_over);
        self.waiting.extend(unread);
        self.waiting.make_contiguous().sort_by_key(|(id, _)| message_number(id));
    }

    /// The user did not stop a run that ends with its server.
    fn as_ended(&self, mut outcome: Outcome) -> Outcome {
        if outcome.reason == Reason::Cancelled && self.environment.stopping.is_cancelled() {
            let told = "The server stopped while the model was answering. What was done is kept; send a \
                        message to continue.";
            outcome.reason = Reason::Failed(ModelError::Unavailable(told.into()));
        }
        outcome
    }

    /// Stops the run, if one is going.
    pub(super) fn cancel_run(&self) {
        if let Some(running) = &self.running {
            running.cancel.cancel();
        }
    }

    /// Stops the run and keeps what it did.
    pub(super) async fn stop_run(&mut self) {
        self.cancel_run();
        while let Some(running) = &mut self.running {
            match running.events.recv().await {
                Some(event) => self.on_event(event),
                None => self.on_run_over().await,
            }
        }
    }

    /// Stops the run and forgets what it did since the last batch.
    pub(super) async fn abandon_run(&mut self) {
        if let Some(running) = self.running.take() {
            running.cancel.cancel();
            drop(running.events);
            // The tool that runs finishes; the scene is put right afterwards.
            let _ = running.outcome.await;
        }
        drop(self.inbox.drain());
        self.handed_over.clear();
        self.waiting.clear();
    }
}

/// Messages are numbered in the order they were said.
fn message_number(id: &str) -> u64 {
    id.trim_start_matches('u').parse().unwrap_or(u64::MAX)
}
