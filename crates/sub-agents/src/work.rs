//! The work of an agent on one task: a run of the loop with a history, limits and tools of its own.

use std::sync::Arc;
use std::time::Duration;

use agent::{Access, Event, Inbox, Notes, Outcome, Reason, Run, RunOptions, ToolOutput, Toolbox};
use llm::Content;
use serde_json::{Value, json};
use studio::{CurrentScene, INSTRUCTION, Scope, Workspace, toolbox_within};
use tokio::sync::mpsc;
use tokio::time::Instant;

use crate::bench::{Bench, OpenedModel};
use crate::file::{SubAgent, WorkLimits};

/// Capacity of the channel of the run's events. A full one makes the run wait, so that it gets no further than
/// what was counted: no model call begins after the one that used up the tokens.
const EVENTS: usize = 1;
/// Characters of the summary that goes back.
const MAX_SUMMARY: usize = 4_000;
/// Ids of changed things that go back.
const MAX_IDS: usize = 100;

/// A task of an agent.
pub(crate) struct Work<'a> {
    pub(crate) agent: &'a SubAgent,
    pub(crate) bench: &'a Bench,
    pub(crate) task: String,
    /// What it may change.
    pub(crate) scope: Scope,
}

/// What was used, and which limit was reached.
#[derive(Default)]
struct Used {
    tokens: u64,
    tool_calls: u64,
    over: Option<String>,
}

impl Work<'_> {
    /// Does the task. The answer has what was done, which ids were changed and what was used.
    pub(crate) async fn done(&self, notes: &Notes) -> ToolOutput {
        let who = &self.agent.name;
        let opened = match (self.bench.open)(self.agent.model.as_deref()) {
            Ok(opened) => opened,
            Err(why) => return ToolOutput::failure(format!("the agent '{who}': {why}")),
        };
        let stopped = notes.cancel();
        let Some(_turn) = stopped.run_until_cancelled(self.bench.turns.take(&self.scope)).await
        else {
            return ToolOutput::failure(format!("the agent '{who}' was stopped before it began"));
        };
        let workspace = Arc::new(Workspace::new(self.scope.clone()));
        let began = Instant::now();
        let (outcome, said, used) = self.run(&opened, &workspace, notes).await;
        let changed = workspace.changed();
        let mut result = json!({
            "summary": shortened(&said),
            "changed_ids": &changed[..changed.len().min(MAX_IDS)],
            "usage": {
                "model": opened.id,
                "turns": outcome.turns,
                "tool_calls": used.tool_calls,
                "input_tokens": outcome.usage.input_tokens,
                "output_tokens": outcome.usage.output_tokens,
                "seconds": (began.elapsed().as_secs_f64() * 10.0).round() / 10.0,
            },
        });
        if changed.len() > MAX_IDS {
            result["more_changed"] = (changed.len() - MAX_IDS).into();
        }
        let output = match self.broke_off(&outcome, used.over) {
            None => ToolOutput::success(result),
            Some(why) => {
                let why = format!("the agent '{who}' {why}; what it changed stays");
                ToolOutput { done: Some(result), ..ToolOutput::failure(why) }
            }
        };
        ToolOutput { version: Some(self.bench.scene.current().number), ..output }
    }

    async fn run(
        &self,
        opened: &OpenedModel,
        workspace: &Arc<Workspace>,
        notes: &Notes,
    ) -> (Outcome, String, Used) {
        let WorkLimits { turns, tokens, seconds } = self.agent.limits;
        let (sender, mut events) = mpsc::channel(EVENTS);
        let (inbox, cancel) = (Inbox::default(), notes.cancel());
        inbox.push("task", Content::user(self.task.as_str()));
        let run = Run {
            history: Vec::new(),
            model: Arc::clone(&opened.model),
            tools: self.tools(workspace),
            instruction: self.instruction(),
            context: Arc::new(CurrentScene::new(Arc::clone(&self.bench.scene))),
            max_turns: turns,
            inbox,
            events: sender,
            cancel: cancel.clone(),
            options: RunOptions { feedback: true, ..self.bench.options.clone() },
        };
        let run = agent::run(run);
        tokio::pin!(run);
        let deadline = tokio::time::sleep(Duration::from_secs(seconds));
        tokio::pin!(deadline);
        let (mut said, mut used) = (String::new(), Used::default());
        let mut outcome = None;
        loop {
            tokio::select! {
                biased;
                event = events.recv() => match (event, outcome) {
                    (Some(event), before) => {
                        outcome = before;
                        follow(&event, &mut said, &mut used);
                        if used.tokens >= tokens && !cancel.is_cancelled() {
                            used.over = Some(format!("used up its {tokens} tokens"));
                            cancel.cancel();
                        }
                        notes.report(&opened.id, event).await;
                    }
                    (None, Some(outcome)) => return (outcome, said, used),
                    // The run drops its sender when it ends.
                    (None, None) => return ((&mut run).await, said, used),
                },
                ended = &mut run, if outcome.is_none() => outcome = Some(ended),
                () = &mut deadline, if !cancel.is_cancelled() => {
                    used.over = Some(format!("did not finish within {seconds} s"));
                    cancel.cancel();
                }
            }
        }
    }

    /// The tools of the scene that it has. One that may change nothing has none that change.
    fn tools(&self, workspace: &Arc<Workspace>) -> Toolbox {
        let all = toolbox_within(&self.bench.scene, &self.bench.renderer, workspace);
        let has = |name: &str| match &self.agent.tools {
            Some(names) => names.iter().any(|own| own == name),
            None => true,
        };
        let may = |access: Access| access == Access::Reads || !self.scope.is_empty();
        Toolbox::new(
            all.iter().filter(|tool| has(tool.name()) && may(tool.access())).cloned().collect(),
        )
    }

    fn instruction(&self) -> Arc<str> {
        let may_change = match self.scope.is_empty() {
            true => "nothing: you look, measure and tell.".to_owned(),
            false => {
                let Scope { kinds, groups, properties } = &self.scope;
                let mut told = kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", ");
                for (what, names) in [("in the groups", groups), ("only", properties)] {
                    if let Some(names) = names {
                        told = format!("{told}; {what} {}", names.join(", "));
                    }
                }
                format!("{told}; and what you add. Other changes are refused.")
            }
        };
        format!(
            "{INSTRUCTION}\nYou are the agent '{}'. Another model hands you one task of a larger work; do only \
             that. You may change: {may_change} Nobody answers questions. End with a short text: what you did, \
             and what is left.\n{}\n",
            self.agent.name,
            self.agent.instruction.trim()
        )
        .into()
    }

    /// Why the work ended before the task was done.
    fn broke_off(&self, outcome: &Outcome, over: Option<String>) -> Option<String> {
        match &outcome.reason {
            Reason::Completed | Reason::LengthLimit => None,
            Reason::Cancelled => Some(over.unwrap_or_else(|| "was stopped".into())),
            Reason::TurnLimit(_) => {
                Some(format!("reached its limit of {} model calls", self.agent.limits.turns))
            }
            Reason::Looping(tool) => Some(format!("called {tool} again and again")),
            Reason::EmptyAnswer => Some("gave an empty answer".into()),
            Reason::SingleWave => Some("was not shown its results".into()),
            Reason::Failed(error) => Some(format!("got no answer of its model: {error}")),
        }
    }
}

/// Keeps what was said last, and counts what is used.
fn follow(event: &Event, said: &mut String, used: &mut Used) {
    match event {
        Event::TurnStarted { .. } | Event::TextDiscarded { .. } => said.clear(),
        Event::TextDelta { text, thought: false, .. } => said.push_str(text),
        Event::TurnFinished { usage, .. } => {
            used.tokens += usage.input_tokens + usage.output_tokens
        }
        Event::ToolFinished { .. } => used.tool_calls += 1,
        _ => {}
    }
}

fn shortened(said: &str) -> Value {
    let said = said.trim();
    match said.char_indices().nth(MAX_SUMMARY) {
        Some((end, _)) => format!("{}…", &said[..end]).into(),
        None => said.into(),
    }
}
