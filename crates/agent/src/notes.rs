//! What a running call tells whoever watches the run.

use std::sync::Arc;

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::event::{Action, Event};

/// Takes notes of a running call, for whoever watches the run.
#[derive(Debug, Clone)]
pub struct Notes(Option<Arc<Watched>>);

#[derive(Debug)]
struct Watched {
    call_id: String,
    /// The tool.
    name: String,
    /// The turn.
    step: u32,
    /// The events of the run.
    events: mpsc::Sender<Event>,
    /// Stops the run.
    cancel: CancellationToken,
}

impl Notes {
    /// Notes that nobody reads, of a call that nobody stops.
    pub fn unread() -> Self {
        Self(None)
    }

    pub(crate) fn of(
        (call_id, name, step): (&str, &str, u32),
        events: &mpsc::Sender<Event>,
        cancel: &CancellationToken,
    ) -> Self {
        Self(Some(Arc::new(Watched {
            call_id: call_id.to_owned(),
            name: name.to_owned(),
            step,
            events: events.clone(),
            cancel: cancel.clone(),
        })))
    }

    /// Notes what the call does in a word or a sentence. It is lost if nobody reads, or not as fast.
    pub fn note(&self, note: impl AsRef<str>) {
        let Some(watched) = &self.0 else { return };
        let target = format!("{}: {}", watched.name, note.as_ref());
        let progress = Event::Progress { step: watched.step, action: Action::ToolCall, target };
        let _ = watched.events.try_send(progress);
    }

    /// Reports an event of a run of the model `model` that works for this call. None is lost: this waits
    /// while the watcher is slow.
    pub async fn report(&self, model: &Arc<str>, event: Event) {
        let Some(watched) = &self.0 else { return };
        let (parent, model) = (watched.call_id.clone(), Arc::clone(model));
        let event = Event::Delegated { parent, model, event: Box::new(event) };
        // Without a receiver nobody listens; the work continues.
        let _ = watched.events.send(event).await;
    }

    /// Is cancelled when the run of the call is stopped.
    pub fn cancel(&self) -> CancellationToken {
        self.0.as_ref().map_or_else(CancellationToken::new, |watched| watched.cancel.child_token())
    }
}
