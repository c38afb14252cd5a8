//! A wave: the calls of one answer. Reading calls run concurrently, as do delegating calls; changing calls run
//! one at a time and in order, and a call with `needs` after the calls it needs. Results are in call order.

use std::collections::{HashMap, HashSet};
use std::panic::AssertUnwindSafe;

use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use llm::{Content, Part};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::approvals::Approvals;
use crate::event::{Action, Event, ToolNote};
use crate::notes::{Notes, Report};
use crate::tool::{Access, ToolOutput, Toolbox};

/// A call in an answer of the model.
pub(crate) struct Call {
    /// Unique in the conversation.
    pub(crate) call_id: String,
    /// The id to echo; `None` when the model gave none.
    id: Option<String>,
    name: String,
    args: Option<Value>,
    /// Indices of the calls of the same answer that have to succeed first.
    needs: Vec<usize>,
    /// Whether the model stated dependencies; if so, the order in the answer does not matter.
    planned: bool,
}

impl Call {
    /// The calls of `answer`. A call whose id is missing or already used in `history` gets one made
    /// from `message_id`.
    pub(crate) fn all_of(answer: &Content, message_id: &str, history: &[Content]) -> Vec<Self> {
        let mut used: HashSet<String> = history
            .iter()
            .flat_map(|content| content.calls().filter_map(|call| call.id))
            .map(str::to_owned)
            .collect();
        let parts: Vec<&Part> =
            answer.parts.iter().filter(|part| part.as_call().is_some()).collect();
        let places: HashMap<&str, usize> = parts
            .iter()
            .enumerate()
            .filter_map(|(index, part)| Some((part.order()?.0, index)))
            .collect();
        let needs = |part: &Part| {
            let needs = part.order().map(|(_, needs)| needs).unwrap_or_default();
            needs.iter().filter_map(|need| places.get(need).copied()).collect()
        };
        let call = |(index, part): (usize, &&Part)| {
            let call = part.as_call()?;
            let fresh = call.id.filter(|id| used.insert((*id).to_owned()));
            Some(Self {
                call_id: fresh
                    .map_or_else(|| format!("{message_id}.call{}", index + 1), str::to_owned),
                id: call.id.map(str::to_owned),
                name: call.name.to_owned(),
                args: call.args.cloned(),
                needs: needs(part),
                planned: part.order().is_some(),
            })
        };
        parts.iter().enumerate().filter_map(call).collect()
    }

    /// The part that answers this call.
    pub(crate) fn answer(&self, output: ToolOutput) -> Part {
        Part::response(self.id.as_deref(), &self.name, output.response(), output.pictures)
    }

    /// The tool's name.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The key by which the loop guard compares calls.
    pub(crate) fn key(&self) -> (String, String) {
        let args = self.args.as_ref().map(Value::to_string).unwrap_or_default();
        (self.name.clone(), args)
    }
}

/// The context of the calls of a wave.
pub(crate) struct Wave<'a> {
    pub(crate) tools: &'a Toolbox,
    pub(crate) events: &'a mpsc::Sender<Event>,
    pub(crate) cancel: &'a CancellationToken,
    pub(crate) approvals: &'a Approvals,
    /// The turn, for progress.
    pub(crate) step: u32,
}

/// The state of a call.
enum State {
    Waiting,
    Running,
    /// Done: its response, and whether it succeeded.
    Done(Part, bool),
}

impl Wave<'_> {
    /// Runs all calls and returns one response part for each, in call order. After a cancel, running
    /// calls finish (or are dropped, if their tool allows it); calls that have not started are answered
    /// with an error.
    pub(crate) async fn run(&self, calls: &[Call]) -> Vec<Part> {
        let after = self.order(calls);
        let mut states: Vec<State> = calls.iter().map(|_| State::Waiting).collect();
        let mut running = FuturesUnordered::new();
        loop {
            let mut settled = false;
            for index in 0..calls.len() {
                let is_ready = matches!(states[index], State::Waiting)
                    && after[index].iter().all(|at| matches!(states[*at], State::Done(..)));
                if !is_ready {
                    continue;
                }
                match self.hindrance(calls, index, &states) {
                    Some(why) => {
                        let part = calls[index].answer(ToolOutput::failure(why));
                        states[index] = State::Done(part, false);
                        settled = true;
                    }
                    None => {
                        states[index] = State::Running;
                        running.push(self.run_call(&calls[index]).map(move |done| (index, done)));
                    }
                }
            }
            if settled {
                continue;
            }
            match running.next().await {
                Some((index, (part, success))) => states[index] = State::Done(part, success),
                None => break,
            }
        }
        let circle = "not run: these calls need each other in a circle";
        let part = |(call, state): (&Call, State)| match state {
            State::Done(part, _) => part,
            _ => call.answer(ToolOutput::failure(circle)),
        };
        calls.iter().zip(states).map(part).collect()
    }

    /// For each call, the indices of the calls that must finish before it.
    fn order(&self, calls: &[Call]) -> Vec<Vec<usize>> {
        let access =
            |call: &Call| self.tools.get(&call.name).map_or(Access::Reads, |tool| tool.access());
        let reads = |call: &Call| access(call) == Access::Reads;
        // Calls of the same kind that do not change anything themselves run at the same time.
        let may_overlap = |one: &Call, other: &Call| {
            access(one) == access(other) && access(one) != Access::Changes
        };
        let mut after: Vec<Vec<usize>> = calls.iter().map(|call| call.needs.clone()).collect();
        // In call order, except for calls that need a later one. Planned reading calls run as early
        // as possible, so that they do not wait for unrelated changes.
        let mut sequence: Vec<usize> = Vec::with_capacity(calls.len());
        while sequence.len() < calls.len() {
            let ready = |at: &usize| {
                !sequence.contains(at) && calls[*at].needs.iter().all(|at| sequence.contains(at))
            };
            let early = |at: &usize| calls[*at].planned && reads(&calls[*at]);
            let next = (0..calls.len())
                .find(|at| ready(at) && early(at))
                .or_else(|| (0..calls.len()).find(ready));
            // Calls in a cycle never become ready.
            let Some(next) = next else { break };
            let earlier = sequence.iter().filter(|at| !may_overlap(&calls[next], &calls[**at]));
            after[next].extend(earlier.copied().collect::<Vec<_>>());
            sequence.push(next);
        }
        after
    }

    /// Why a ready call must not run.
    fn hindrance(&self, calls: &[Call], index: usize, states: &[State]) -> Option<String> {
        if self.cancel.is_cancelled() {
            return Some("not run: the user stopped the run before this call began".into());
        }
        let failed =
            calls[index].needs.iter().find(|at| matches!(states[**at], State::Done(_, false)))?;
        Some(format!("not run: it needs the call to '{}', which failed", calls[*failed].name))
    }

    /// Runs one call; any failure becomes its error result.
    async fn run_call(&self, call: &Call) -> (Part, bool) {
        let args = call.args.clone().unwrap_or_else(|| json!({}));
        let refused = self.refused(call, &args).await;
        let started = Instant::now();
        let (step, target) = (self.step, call.name.clone());
        let delegates =
            self.tools.get(&call.name).is_some_and(|tool| tool.access() == Access::Delegates);
        let action = if delegates { Action::Delegate } else { Action::ToolCall };
        self.emit(Event::Progress { step, action, target, note: None }).await;
        self.emit(Event::ToolStarted {
            call_id: call.call_id.clone(),
            name: call.name.clone(),
            args: args.clone(),
        })
        .await;
        let output = match refused {
            Some(why) => ToolOutput::failure(why),
            None => self.output_of(call, args).await,
        };
        self.emit(Event::ToolFinished {
            call_id: call.call_id.clone(),
            name: call.name.clone(),
            response: output.response(),
            duration: started.elapsed(),
            version: output.version,
        })
        .await;
        let success = output.outcome.is_ok();
        (call.answer(output), success)
    }

    /// Asks the user if the tool needs approval; returns the error if it is not given.
    async fn refused(&self, call: &Call, args: &Value) -> Option<&'static str> {
        let tool = self.tools.get(&call.name).filter(|tool| tool.needs_approval())?.identity();
        if self.approvals.is_remembered(&tool) {
            return None;
        }
        let answer = self.approvals.ask(&call.call_id, tool);
        self.emit(Event::ApprovalNeeded {
            call_id: call.call_id.clone(),
            name: call.name.clone(),
            args: args.clone(),
        })
        .await;
        tokio::select! {
            biased;
            () = self.cancel.cancelled() => {
                self.approvals.withdraw(&call.call_id);
                Some("not run: the user stopped the run before allowing this call")
            }
            answer = answer => match answer {
                Ok(true) => None,
                _ => Some("the user did not allow this call"),
            },
        }
    }

    async fn output_of(&self, call: &Call, args: Value) -> ToolOutput {
        let Some(tool) = self.tools.get(&call.name) else {
            return ToolOutput::failure(self.tools.unknown(&call.name));
        };
        if !args.is_object() {
            return ToolOutput::failure(format!(
                "tool '{}' takes an object of arguments, got {args}",
                call.name
            ));
        }
        let (notes, noted, reported) = Notes::of_call(self.cancel);
        let called = AssertUnwindSafe(tool.call_with_notes(args, notes)).catch_unwind();
        let called = self.telling(call, noted, reported, called);
        let stopped = async {
            if tool.stops_at_once() {
                self.cancel.cancelled().await;
            } else {
                std::future::pending().await
            }
        };
        let called = tokio::select! {
            biased;
            called = called => called,
            () = stopped => {
                return ToolOutput::failure(
                    "the user stopped the run while this call was running; it may or may not have \
                     been done",
                );
            }
        };
        match called {
            Ok(output) => output,
            Err(panic) => {
                let reason = panic
                    .downcast_ref::<&str>()
                    .map(|text| (*text).to_owned())
                    .or_else(|| panic.downcast_ref::<String>().cloned())
                    .unwrap_or_default();
                tracing::error!(tool = call.name, reason, "a tool panicked");
                ToolOutput::failure(format!("tool '{}' failed inside: {reason}", call.name))
            }
        }
    }

    /// Tells the notes of a call, and what happens in a run that works for it, until it ends.
    async fn telling<T>(
        &self,
        call: &Call,
        mut noted: mpsc::Receiver<String>,
        mut reported: mpsc::Receiver<Report>,
        called: impl Future<Output = T>,
    ) -> T {
        tokio::pin!(called);
        let output = loop {
            tokio::select! {
                biased;
                output = &mut called => break output,
                Some(report) = reported.recv() => self.emit_report(call, report).await,
                Some(text) = noted.recv() => self.emit_note(call, text).await,
            }
        };
        // What a call says just before it ends, or all at once with its end, is told too.
        while let Ok(text) = noted.try_recv() {
            self.emit_note(call, text).await;
        }
        while let Ok(report) = reported.try_recv() {
            self.emit_report(call, report).await;
        }
        output
    }

    async fn emit_note(&self, call: &Call, text: String) {
        let (step, target) = (self.step, format!("{}: {text}", call.name));
        let note = Some(ToolNote { call_id: call.call_id.clone(), text });
        self.emit(Event::Progress { step, action: Action::ToolCall, target, note }).await;
    }

    async fn emit_report(&self, call: &Call, Report { model, event }: Report) {
        let (parent, event) = (call.call_id.clone(), Box::new(event));
        self.emit(Event::Delegated { parent, model, event }).await;
    }

    async fn emit(&self, event: Event) {
        // Without a receiver nobody listens; the run continues.
        let _ = self.events.send(event).await;
    }
}
