//! What a running call tells whoever watches the run.

use std::sync::Arc;

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::event::Event;

/// Takes notes of a running call, for whoever watches the run.
#[derive(Debug, Clone)]
pub struct Notes {
    notes: mpsc::Sender<String>,
    reports: Option<mpsc::Sender<Report>>,
    /// Stops the run.
    cancel: CancellationToken,
}

/// An event of a run that works for a call.
#[derive(Debug)]
pub(crate) struct Report {
    /// The id of the model of that run.
    pub(crate) model: Arc<str>,
    /// What happened.
    pub(crate) event: Event,
}

impl Notes {
    /// Notes that are read from the receiver, of a call that nobody stops and for which no run works.
    pub fn channel() -> (Self, mpsc::Receiver<String>) {
        // Whoever watches wants the newest; a slow watcher misses some.
        let (notes, noted) = mpsc::channel(4);
        (Self { notes, reports: None, cancel: CancellationToken::new() }, noted)
    }

    /// Notes and reports of a call of a run that `cancel` stops.
    pub(crate) fn of_call(
        cancel: &CancellationToken,
    ) -> (Self, mpsc::Receiver<String>, mpsc::Receiver<Report>) {
        let (notes, noted) = Self::channel();
        // A full one makes the run that works for the call wait.
        let (reports, reported) = mpsc::channel(16);
        (Self { reports: Some(reports), cancel: cancel.clone(), ..notes }, noted, reported)
    }

    /// Notes something. It is lost if nobody reads, or not as fast.
    pub fn note(&self, note: impl Into<String>) {
        let _ = self.notes.try_send(note.into());
    }

    /// Reports an event of a run of the model `model` that works for this call. None is lost: this waits
    /// while the watcher is slow.
    pub async fn report(&self, model: &Arc<str>, event: Event) {
        if let Some(reports) = &self.reports {
            // Without a receiver nobody watches; the work continues.
            let _ = reports.send(Report { model: Arc::clone(model), event }).await;
        }
    }

    /// Is cancelled when the run of the call is stopped.
    pub fn cancel(&self) -> CancellationToken {
        self.cancel.child_token()
    }
}
