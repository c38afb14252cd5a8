//! Runs: started once a message is in the store, observed, and stopped.

use std::sync::Arc;
use std::time::Duration;

use agent::{
    Action, Approvals, Event, Inbox, Message, Outcome, Reason, Run, RunOptions, ToolIdentity,
};
use llm::ModelError;
use studio::{INSTRUCTION, SceneContext};
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use crate::command::{Answer, Remember, Update};
use crate::convert::{delegated_note, run_event, run_finished};
use crate::entry::{Approved, Entry};
use crate::error::SessionError;
use crate::event::{ApprovalRequest, Usage};

use super::Actor;
use super::running::{self, Running};

/// How long calls may go on while the server stops: shorter than systems wait before they kill it.
const LAST_CALLS: Duration = Duration::from_secs(3);
/// Capacity of the event channel from a run to the actor. A full channel makes the run wait.
const RUN_EVENTS: usize = 64;

impl Actor {
    /// Starts a run for the messages in the inbox, unless there is one, which reads them itself.
    pub(super) async fn start_run_if_due(&mut self) {
        let is_due = self.running.is_none()
            && !self.is_fenced
            && !self.inbox.is_empty()
            && self.closing.is_none()
            // A run begins with the stored history, so everything must be in the store.
            && !self.pending.touches_history();
        if is_due {
            self.start_run().await;
        }
    }

    async fn start_run(&mut self) {
        let id = self.model_id();
        // A scripted model continues its script; other clients are created for each run.
        let opened = self.opened.get(&id).filter(|_| self.environment.models.is_scripted());
        let model = match opened {
            Some(model) => Arc::clone(model),
            None => {
                let used = self.state.usage.input_tokens + self.state.usage.output_tokens;
                // The model's id is always in the list.
                let models = &self.environment.models;
                let Some(model) = models.open(&id, &self.state.id, used) else { return };
                self.opened.insert(id.clone(), Arc::clone(&model));
                model
            }
        };
        let (sender, events) = mpsc::channel(RUN_EVENTS);
        // Not a child of the session's: a session that ends with its server lets calls end first.
        let cancel = CancellationToken::new();
        let host = &self.environment.host;
        let options = RunOptions {
            settings: self.state.request_settings(),
            approvals: self.approvals(),
            ..host.options(&self.state.id)
        };
        let own = self.tools.with(self.tools_for_goal().await);
        let own = own.with(self.sub_agents(&id, &model, &options, &own));
        let tools = own.with(host.tools(&own.names()));
        self.scene.run_began();
        let run = Run {
            history: self.state.conversation.contents(),
            model,
            tools: tools.clone(),
            instruction: INSTRUCTION.into(),
            context: Arc::new(SceneContext::new(Arc::clone(&self.scene))),
            max_turns: self.max_turns(),
            inbox: self.inbox.clone(),
            events: sender,
            cancel: cancel.clone(),
            options: options.clone(),
        };
        let span = tracing::info_span!("run", session = %self.state.id, run = self.seq);
        let verification = self.verification().await;
        let (stop, still_goes) = (cancel.clone(), run.events.clone());
        let work = async move {
            let outcome = agent::run(run).await;
            let verified = match verification {
                Some(verification) if !matches!(outcome.reason, Reason::Failed(_)) => {
                    stop.run_until_cancelled(verification.done()).await
                }
                _ => None,
            };
            // The run is over when its events end.
            drop(still_goes);
            (outcome, verified)
        };
        let outcome = self.environment.tracker.spawn(work.instrument(span));
        self.running = Some(Running {
            number: self.seq,
            events,
            outcome,
            _cancelled: cancel.clone().drop_guard(),
            cancel,
            calls: 0,
            options,
            tools,
            model: id,
            context_tokens: None,
            delegated: Usage::default(),
            asked: Vec::new(),
        });
    }

    /// The tools that the user approved, in this session and in all sessions.
    fn approvals(&self) -> Approvals {
        let standing = self.environment.standing.clone();
        let is_approved = move |tool: &ToolIdentity| {
            standing.as_ref().is_some_and(|standing| standing.contains(tool))
        };
        Approvals::new(self.state.approved(), Arc::new(is_approved))
    }

    /// Handles the events the run has reported so far, so that later entries follow them.
    pub(super) fn catch_up(&mut self) {
        while let Some(Ok(event)) = self.running.as_mut().map(|running| running.events.try_recv()) {
            self.on_event(event);
        }
    }

    /// Passes the user's answer to the waiting call, and remembers it if the user says so.
    pub(super) async fn approve(&mut self, answer: Answer) -> Result<(), SessionError> {
        let Answer { call_id, allow, remember } = answer;
        let approvals = self.running.as_ref().map(|running| running.options.approvals.clone());
        let asked = approvals.and_then(|asked| Some((asked.waits_for(&call_id)?, asked)));
        let Some((tool, approvals)) = asked else {
            return Err(SessionError::NothingToApprove(call_id));
        };
        match remember.filter(|_| allow) {
            Some(Remember::Session) => {
                let epoch = self.state.epoch.clone();
                self.pending.push(Entry::Approved(Approved { epoch, tool: tool.clone() }));
                approvals.remember(&tool);
            }
            Some(Remember::Always) => {
                let standing = self.environment.standing.as_ref();
                let standing = standing.ok_or(SessionError::NoStandingApprovals)?;
                let added = standing.add(tool.clone()).await;
                added.map_err(|error| SessionError::ApprovalNotSaved(error.to_string()))?;
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

    fn note_calls(&mut self, event: &Event) {
        let Some(running) = &mut self.running else { return };
        match event {
            Event::ToolStarted { .. } => running.calls += 1,
            Event::ToolFinished { .. } => running.calls = running.calls.saturating_sub(1),
            _ => {}
        }
    }

    /// Lets the calls that are running end when the server stops: what they did is known then.
    pub(super) async fn let_calls_end(&mut self) {
        let until = Instant::now() + LAST_CALLS;
        while self.environment.stopping.is_cancelled()
            && self.running.as_ref().is_some_and(|running| running.calls > 0)
        {
            match timeout_at(until, running::next_event(&mut self.running)).await {
                Ok(Some(event)) => self.on_event(event),
                Ok(None) => self.on_run_over().await,
                Err(_) => return,
            }
        }
    }

    /// Stores how much of the model's context window the conversation takes; providers that do not count
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
        self.environment.host.on_event(&event, tools);
        self.note_asked(&event);
        self.note_calls(&event);
        self.note_context(&event);
        self.note_delegated(&event);
        self.note_goal(&event);
        self.tell_goal();
        // A change is sent between the start and the end of the tool that made it.
        if let Event::ToolFinished { version: Some(revision), .. } = event.of_delegate() {
            self.tell_changes_until(*revision);
        }
        match event {
            Event::Appended(content) => self.pending.push(Entry::Content(content)),
            Event::MessageRead { id, content } => {
                let context = content.parts.into_iter().find(|part| part.as_context().is_some());
                self.pending.push(Entry::Read { message_id: id, context });
            }
            Event::Progress { step, action, target, note } => {
                self.tell_now(Update::Progress { step, action, target: target.into(), note });
            }
            Event::Delegated { parent, event, .. } if matches!(*event, Event::Progress { .. }) => {
                if let Event::Progress { step, target, note, .. } = *event {
                    let (action, target) = (Action::Delegate, target.into());
                    let note = note.map(|note| delegated_note(&parent, note));
                    self.tell_now(Update::Progress { step, action, target, note });
                }
            }
            event => {
                if let Some(make) = run_event(event) {
                    self.tell(make);
                }
            }
        }
    }

    pub(super) async fn on_run_over(&mut self) {
        let Some(running) = self.running.take() else { return };
        let (outcome, verified) = running.outcome.await.unwrap_or_else(|panic| {
            tracing::error!(session = %self.state.id, %panic, "a run panicked");
            let sorry = "The run failed with an internal error. Your scene is intact; send a message to go on.";
            let outcome = Outcome {
                reason: Reason::Failed(ModelError::Rejected(sorry.into())),
                turns: 0,
                usage: llm::Usage::default(),
                duration: Duration::ZERO,
                cancel_latency: None,
            };
            (outcome, None)
        });
        let outcome = self.as_ended(outcome);
        self.tell_changes();
        self.scene.run_ended();
        self.environment.host.on_finished(&outcome, running.options.feedback);
        tracing::info!(
            session = %self.state.id, run = running.number, model = %running.model, turns = outcome.turns,
            input_tokens = outcome.usage.input_tokens, output_tokens = outcome.usage.output_tokens,
            duration_ms = outcome.duration.as_millis() as u64, reason = ?outcome.reason,
            "a run finished"
        );
        let llm::Usage { input_tokens, output_tokens, cached_tokens, .. } = outcome.usage;
        let usage = Usage {
            input_tokens,
            output_tokens,
            cached_tokens,
            context_tokens: running.context_tokens,
            cost: self.environment.models.cost(&running.model, &outcome.usage),
        };
        let looked = self.meter.take();
        let usage =
            running.delegated.plus(usage).plus(self.usage_of_looks(&running.model, &looked));
        self.tell(run_finished(&outcome, usage));
        if let Some(mut run) = self.goal_run.take() {
            run.used = run.used.plus(looked.of_goal());
            self.goal_run_over(run, &outcome, verified).await;
        }
        // Includes messages that the run took but did not report.
        self.inbox.replace(self.unread());
    }

    /// The messages in the store that no run has read.
    fn unread(&self) -> Vec<Message> {
        let in_flight = self.in_flight.as_ref().map(|in_flight| &in_flight.batch);
        let is_read =
            |id: &str| self.pending.reads(id) || in_flight.is_some_and(|batch| batch.reads(id));
        let unread = self.state.unread.iter().filter(|(id, _)| !is_read(id));
        unread.map(|(id, content)| Message { id: id.clone(), content: content.clone() }).collect()
    }

    /// The end of a run that stops with its server is not reported as stopped by the user.
    fn as_ended(&self, mut outcome: Outcome) -> Outcome {
        if outcome.reason == Reason::Cancelled && self.environment.stopping.is_cancelled() {
            let told = "The server stopped while the model was answering. What was done is kept; send a \
                        message to continue.";
            outcome.reason = Reason::Failed(ModelError::Unavailable(told.into()));
        }
        outcome
    }

    /// Stops the run, if there is one. It still enters earlier messages into the history, unanswered;
    /// later messages start a new run.
    pub(super) fn cancel_run(&mut self) {
        if let Some(running) = self.running.as_ref().filter(|run| !run.cancel.is_cancelled()) {
            running.cancel.cancel();
            self.inbox = Inbox::default();
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

    /// Stops the run and discards what it did since the last batch.
    pub(super) async fn abandon_run(&mut self) {
        if let Some(running) = self.running.take() {
            running.cancel.cancel();
            drop(running.events);
            // The running tool finishes; the scene is reset afterwards.
            let _ = running.outcome.await;
        }
        self.goal_run = None;
        drop(self.inbox.drain());
    }
}
