//! Follows a task while its run goes on.

use serde_json::Value;
use session::{Attachment, Missed, Permission, SessionEvent, SessionHandle, Update, UserMessage};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc::Sender;

use crate::error::{A2aError, Kind};
use crate::host::Host;
use crate::task::{News, State, Task};
use crate::tasks;

/// A task that is followed.
pub(crate) struct Following {
    pub(crate) task: Task,
    session: SessionHandle,
    live: Receiver<Update>,
    epoch: String,
    /// The last event that the task includes.
    seq: u64,
}

impl Following {
    /// Says a message and follows what comes of it.
    pub(crate) async fn say(
        session: SessionHandle,
        base: &str,
        context: &str,
        message: UserMessage,
    ) -> Result<Self, A2aError> {
        let Attachment { view, live, .. } = session.attach(None).await?;
        let text = message.text.clone();
        let id = session.say(message).await?;
        let task = Task::new(base, context, &id, &text);
        let mut following = Self { task, session, live, epoch: view.epoch, seq: view.seq };
        // What was in the log before the message belongs to other tasks.
        while let Some(events) = following.receive().await? {
            let mut events = events.into_iter();
            let is_said = |event: &SessionEvent| matches!(event, SessionEvent::UserMessage { message_id, .. } if *message_id == id);
            if events.any(|event| is_said(&event)) {
                for event in events {
                    following.task.add(&event);
                }
                break;
            }
        }
        Ok(following)
    }

    /// Follows a task that may be running.
    pub(crate) async fn find(
        host: &Host,
        base: &str,
        id: &str,
        needed: Permission,
    ) -> Result<Self, A2aError> {
        let (session, context, message) = tasks::session_of(host, id, needed).await?;
        // Attached first: an event that comes while the log is read is then not missed.
        let Attachment { view, live, .. } = session.attach(None).await?;
        let (all, seq) = tasks::of_session(host, base, context, session.id()).await?;
        let task = all.into_iter().find(|task| task.message_id == message);
        let task = task.ok_or_else(|| A2aError::no_task(id))?;
        Ok(Self { task, session, live, epoch: view.epoch, seq })
    }

    pub(crate) fn session(&self) -> &SessionHandle {
        &self.session
    }

    /// The events that come next; `None` at the end of the session.
    async fn receive(&mut self) -> Result<Option<Vec<SessionEvent>>, A2aError> {
        let events = match self.live.recv().await {
            Ok(Update::Event(event)) => vec![event.event().clone()],
            Ok(Update::Progress { .. }) => Vec::new(),
            Ok(Update::NotSaved { message }) => {
                return Err(A2aError::new(Kind::Internal, message.to_string()));
            }
            Err(RecvError::Closed) => return Ok(None),
            Err(RecvError::Lagged(_)) => {
                let again = self.session.attach(Some((self.epoch.clone(), self.seq))).await?;
                self.live = again.live;
                match again.missed {
                    Some(Missed::AtHand(missed)) => {
                        missed.iter().map(|event| event.event().clone()).collect()
                    }
                    Some(Missed::InLog) | None => self.session.rest_of_log(self.seq).await?,
                }
            }
        };
        let events: Vec<_> = events.into_iter().filter(|event| event.seq() > self.seq).collect();
        self.seq = events.last().map_or(self.seq, SessionEvent::seq);
        Ok(Some(events))
    }

    /// Whether it is at its end: a run that ended without reading the message is followed by one that does.
    async fn is_over(&self) -> Result<bool, A2aError> {
        Ok(self.task.state().is_terminal() && !self.session.snapshot().await?.running)
    }

    /// Waits until it is over, or until the user has to do something.
    pub(crate) async fn wait(mut self) -> Result<Task, A2aError> {
        while self.task.state() != State::InputRequired && !self.is_over().await? {
            let Some(events) = self.receive().await? else { break };
            for event in events {
                self.task.add(&event);
            }
        }
        Ok(self.task)
    }

    /// Sends what happens, until it is over or the client is gone.
    pub(crate) async fn stream(mut self, results: Sender<Result<Value, A2aError>>) {
        // The end is told once it is certain.
        let mut ended: Option<News> = None;
        loop {
            match self.is_over().await {
                Ok(true) => break,
                Ok(false) => {}
                Err(error) => return drop(results.send(Err(error)).await),
            }
            let received = tokio::select! {
                received = self.receive() => received,
                () = results.closed() => return,
            };
            let events = match received {
                Ok(Some(events)) => events,
                Ok(None) => break,
                Err(error) => return drop(results.send(Err(error)).await),
            };
            for event in events {
                let Some(news) = self.task.add(&event) else { continue };
                if self.task.state().is_terminal() && news == News::Status {
                    ended = Some(news);
                    continue;
                }
                for told in self.task.tell(&news) {
                    if results.send(Ok(told)).await.is_err() {
                        return;
                    }
                }
            }
        }
        if let Some(news) = ended {
            for told in self.task.tell(&news) {
                if results.send(Ok(told)).await.is_err() {
                    return;
                }
            }
        }
    }
}
