//! Evaluating one goal: a new session, its messages in order, and the expectations after each.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use evaluation::{Failure, Goal, GoalResult, Message, MessageResult, Moment};
use scene::{Assets, Scene};
use tokio::sync::broadcast::{self, error::RecvError};
use tokio::time::timeout;

use session::{
    PageSize, RunEnd, SceneCommand, SessionEvent, SessionHandle, Sessions, Update, UserMessage,
};

/// Events read from the log at a time.
const EVENTS_PER_PAGE: usize = 1_000;

/// Runs the dialogue of `goal`. It ends early if the model gives no answer.
pub(super) async fn hold(sessions: &Sessions, goal: &Goal, time_limit: Duration) -> GoalResult {
    let mut result = GoalResult {
        name: goal.name.clone(),
        category: goal.category.clone(),
        messages: Vec::new(),
        broke_off: None,
    };
    if let Err(reason) = hold_all(sessions, goal, time_limit, &mut result.messages).await {
        result.broke_off = Some(reason);
    }
    result
}

async fn hold_all(
    sessions: &Sessions,
    goal: &Goal,
    time_limit: Duration,
    results: &mut Vec<MessageResult>,
) -> Result<(), String> {
    let session = sessions.create().await.map_err(|error| error.to_string())?;
    if goal.start != Scene::default() {
        let start = SceneCommand::Replace(Box::new(goal.start.clone()));
        session.change(start).await.map_err(|error| error.to_string())?;
    }
    let attachment = session.attach(None).await.map_err(|error| error.to_string())?;
    let mut listener = Listener::new(&session, attachment.live, attachment.view.seq);
    let mut scenes = vec![session.scene().current().scene];
    for message in &goal.dialogue {
        let mut result = MessageResult { say: message.say.clone(), ..MessageResult::default() };
        let heard = timeout(time_limit, listener.say(message, &mut result)).await;
        let seconds = time_limit.as_secs();
        let heard = heard.unwrap_or_else(|_| Err(format!("no end after {seconds} seconds")));
        scenes.push(session.scene().current().scene);
        check(message, &mut result, &scenes, &session).await;
        results.push(result);
        heard?;
    }
    session.cancel.cancel();
    Ok(())
}

/// Checks the expectations against the scenes so far.
async fn check(
    message: &Message,
    result: &mut MessageResult,
    scenes: &[Arc<Scene>],
    session: &SessionHandle,
) {
    result.expectations = message.expect.len();
    let [.., before, after] = scenes else { return };
    let earlier = scenes.len().checked_sub(3).map(|at| Arc::clone(&scenes[at]));
    let (before, after) = (Arc::clone(before), Arc::clone(after));
    let (answer, expect) = (result.answer.clone(), message.expect.clone());
    let assets = Arc::clone(&session.assets);
    // Pictures and distances are slow, so they are computed on a blocking thread.
    let checked = tokio::task::spawn_blocking(move || {
        let assets: &dyn Assets = &*assets;
        let moment = Moment::new(&before, &after, earlier.as_deref(), &answer, assets);
        let failure = |expectation: &evaluation::Expectation| {
            let found = expectation.check(&moment).err()?;
            Some(Failure { expected: expectation.as_str().to_owned(), found })
        };
        expect.iter().filter_map(failure).collect()
    });
    result.failures = checked.await.unwrap_or_else(|panic| {
        let found = format!("the check panicked: {panic}");
        vec![Failure { expected: "a check that ends".into(), found }]
    });
}

/// A client of a session.
pub(super) struct Listener<'a> {
    session: &'a SessionHandle,
    live: broadcast::Receiver<Update>,
    /// Number of the last received event.
    seq: u64,
}

impl<'a> Listener<'a> {
    pub(super) fn new(
        session: &'a SessionHandle,
        live: broadcast::Receiver<Update>,
        seq: u64,
    ) -> Self {
        Self { session, live, seq }
    }

    /// Sends a message, and waits for the end of its run.
    async fn say(&mut self, message: &Message, result: &mut MessageResult) -> Result<(), String> {
        let started = Instant::now();
        let said = UserMessage {
            text: message.say.clone(),
            selection: message.selection.clone(),
            ..UserMessage::default()
        };
        self.session.say(said).await.map_err(|error| error.to_string())?;
        let mut transcript = Transcript { result, refused: HashSet::new(), heard: String::new() };
        let end = loop {
            let events = self.next().await?;
            if let Some(end) = events.into_iter().find_map(|event| transcript.hear(event)) {
                break end;
            }
        };
        transcript.result.duration = started.elapsed();
        end
    }

    /// The next events; several if some were missed.
    pub(super) async fn next(&mut self) -> Result<Vec<SessionEvent>, String> {
        let mut events = match self.live.recv().await {
            Ok(Update::Event(event)) => vec![event.event().clone()],
            Ok(_) => Vec::new(),
            Err(RecvError::Closed) => return Err("the session has ended".into()),
            Err(RecvError::Lagged(_)) => {
                let page =
                    self.session.events(self.seq, PageSize::of_events(EVENTS_PER_PAGE)).await;
                let page = page.map_err(|error| error.to_string())?;
                page.map(|page| page.events).unwrap_or_default()
            }
        };
        // After a gap, the channel repeats events that were read from the log.
        events.retain(|event| event.seq() > self.seq);
        self.seq = events.last().map_or(self.seq, SessionEvent::seq);
        Ok(events)
    }
}

/// Collects the events of a run.
struct Transcript<'a> {
    result: &'a mut MessageResult,
    /// Tools whose last call failed.
    refused: HashSet<String>,
    /// Text of the current answer.
    heard: String,
}

impl Transcript<'_> {
    /// How the run ended, once it has.
    fn hear(&mut self, event: SessionEvent) -> Option<Result<(), String>> {
        match event {
            SessionEvent::TurnStarted { .. } => {
                self.result.turns += 1;
                self.keep();
            }
            SessionEvent::TextDelta { text, thought: false, .. } => self.heard.push_str(&text),
            SessionEvent::TextDiscarded { .. } => self.heard.clear(),
            SessionEvent::ToolFinished { name, response, .. } => {
                self.result.calls += 1;
                if !response.success {
                    self.result.invalid_calls += 1;
                    self.refused.insert(name);
                } else if self.refused.remove(&name) {
                    self.result.recoveries += 1;
                }
            }
            SessionEvent::RunFinished { reason, message, usage, .. } => {
                self.keep();
                let usage = usage.map(|usage| (usage.input_tokens, usage.output_tokens));
                (self.result.input_tokens, self.result.output_tokens) = usage.unwrap_or_default();
                return Some(match reason {
                    RunEnd::Error => Err(message.unwrap_or_default()),
                    _ => Ok(()),
                });
            }
            _ => {}
        }
        None
    }

    /// Adds the current answer to the text of the run.
    fn keep(&mut self) {
        let heard = std::mem::take(&mut self.heard);
        if !heard.trim().is_empty() {
            if !self.result.answer.is_empty() {
                self.result.answer.push('\n');
            }
            self.result.answer.push_str(heard.trim());
        }
    }
}
