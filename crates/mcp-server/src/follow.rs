//! Hands a message to the built-in agent and follows its run to the end.

use std::fmt::Write as _;

use agent::Action;
use serde_json::{Value, json};
use session::{
    Attachment, Missed, RunEnd, SessionError, SessionEvent, SessionHandle, Update, UserMessage,
};
use tokio::sync::broadcast::error::RecvError;
use tokio_util::sync::CancellationToken;

use crate::progress::Reporter;

/// What a run came to so far.
#[derive(Default)]
struct Progress {
    /// Whether the message is in the log.
    said: bool,
    steps: u32,
    calls: u32,
    failed: u32,
    changes: u32,
    revision: u64,
    /// The answers, each with its id.
    texts: Vec<(String, String)>,
    end: Option<(RunEnd, Option<String>)>,
}

/// Sends `message` and waits for the end of the run that reads it. `cancel` stops the run.
pub(crate) async fn send_and_follow(
    session: &SessionHandle,
    message: UserMessage,
    cancel: &CancellationToken,
    reporter: &Reporter,
) -> Result<Value, SessionError> {
    let Attachment { view, mut live, .. } = session.attach(None).await?;
    let (epoch, mut seq) = (view.epoch, view.seq);
    let id = session.say(message).await?;
    let mut progress = Progress { revision: view.revision.number, ..Progress::default() };
    let mut asked_to_stop = false;
    loop {
        let received = tokio::select! {
            received = live.recv() => received,
            () = cancel.cancelled(), if !asked_to_stop => {
                asked_to_stop = true;
                session.cancel().await?;
                continue;
            }
        };
        let mut events = Vec::new();
        match received {
            Ok(Update::Event(event)) => events.push(event.event().clone()),
            Ok(Update::Progress { action: Action::ToolCall | Action::Delegate, .. }) => {}
            Ok(Update::NotSaved { message }) => {
                return Err(SessionError::Unreadable(message.to_string()));
            }
            Err(RecvError::Closed) => return Err(SessionError::Gone),
            Err(RecvError::Lagged(_)) => {
                let again = session.attach(Some((epoch.clone(), seq))).await?;
                live = again.live;
                events = match again.missed {
                    Some(Missed::AtHand(missed)) => {
                        missed.iter().map(|event| event.event().clone()).collect()
                    }
                    Some(Missed::InLog) | None => session.rest_of_log(seq).await?,
                };
            }
        }
        for event in events {
            seq = seq.max(event.seq());
            if let Some(what) = progress.add(&event, &id) {
                progress.steps += 1;
                reporter.tell(f64::from(progress.steps), &what).await;
            }
        }
        // A run that ended without reading the message is followed by one that does.
        if progress.end.is_some() && !session.snapshot().await?.running {
            return Ok(progress.result(session.id()));
        }
    }
}

impl Progress {
    /// Adds an event; returns what there is to tell of it.
    fn add(&mut self, event: &SessionEvent, id: &str) -> Option<String> {
        if let SessionEvent::UserMessage { message_id, .. } = event {
            self.said |= message_id == id;
        }
        if !self.said {
            return None;
        }
        match event {
            SessionEvent::TextDelta { message_id, text, thought: false, .. } => {
                match self.texts.iter_mut().find(|(id, _)| id == message_id) {
                    Some((_, whole)) => whole.push_str(text),
                    None => self.texts.push((message_id.clone(), text.clone())),
                }
                None
            }
            SessionEvent::TextDiscarded { message_id, .. } => {
                self.texts.retain(|(id, _)| id != message_id);
                None
            }
            SessionEvent::TurnStarted { turn, .. } => {
                self.end = None;
                Some(format!("the model thinks (turn {turn})"))
            }
            SessionEvent::ToolStarted { name, .. } => {
                self.calls += 1;
                Some(name.clone())
            }
            SessionEvent::ToolFinished { response, .. } => {
                self.failed += u32::from(!response.success);
                None
            }
            SessionEvent::ApprovalNeeded { name, .. } => {
                Some(format!("'{name}' waits for the user's approval in the page"))
            }
            SessionEvent::Retrying { reason, .. } => {
                Some(format!("the model is asked again: {reason}"))
            }
            SessionEvent::SceneChanged { revision, .. } => {
                self.changes += 1;
                self.revision = *revision;
                None
            }
            SessionEvent::RunFinished { reason, message, .. } => {
                self.end = Some((*reason, message.clone()));
                None
            }
            _ => None,
        }
    }

    fn result(self, session: &str) -> Value {
        let mut text = String::new();
        for (_, answer) in &self.texts {
            if !answer.trim().is_empty() {
                let _ = writeln!(text, "{}", answer.trim());
            }
        }
        let (reason, message) = self.end.unwrap_or((RunEnd::Error, None));
        let mut result = json!({
            "session": session,
            "answer": text.trim_end(),
            "reason": reason,
            "revision": self.revision,
            "changes": self.changes,
            "calls": self.calls,
        });
        if self.failed > 0 {
            result["failed_calls"] = self.failed.into();
        }
        if let Some(message) = message {
            result["message"] = message.into();
        }
        result
    }
}
