//! Committing staged entries: one batch at a time is written, while the next one collects.

use std::sync::Arc;
use std::time::Duration;

use store::StoreError;
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::command::{PageSize, Update};
use crate::entry::Entry;
use crate::handle::events_of;
use crate::ids::now_ms;
use crate::interrupted;
use crate::pending::{Batch, Item};
use crate::state::State;
use crate::tail::LoggedEvent;

use super::Actor;
use super::in_flight::{InFlight, outcome};

/// The pause before a retry after the store failed.
const RETRY: Duration = Duration::from_secs(1);
/// Records after which a snapshot is made: reading them takes some milliseconds.
const SNAPSHOT_RECORDS: u64 = 1_000;
/// Bytes of records after which one is made.
const SNAPSHOT_BYTES: usize = 4 * 1024 * 1024;
/// Records after which a session writes a snapshot when it is closed.
const SNAPSHOT_RECORDS_AT_END: u64 = 50;
/// What is read of the log at a time.
const PAGE: PageSize = PageSize { events: 1_000, bytes: 1024 * 1024 };

impl Actor {
    /// Starts writing the staged entries, unless a batch is already being written.
    pub(super) fn start_commit(&mut self) {
        if self.in_flight.is_some() || self.pending.is_empty() {
            return;
        }
        let mut batch = std::mem::take(&mut self.pending);
        if self.is_fenced {
            batch.refuse(&StoreError::Fenced(self.state.id.to_string()));
            return;
        }
        if batch.needs_no_store() {
            self.settle(batch);
            return;
        }
        let library = &self.environment.library;
        let append = batch.take_append(
            &self.state.id,
            self.tenure.term,
            self.state.position,
            now_ms(),
            library,
        );
        self.since_snapshot.1 += append.records.iter().map(|r| r.body.len()).sum::<usize>();
        let store = Arc::clone(&self.environment.store);
        let (done, outcome) = oneshot::channel();
        // A separate task, so that an append is never cancelled half-way.
        self.environment.tracker.spawn(async move {
            let _ = done.send(store.append(append).await);
        });
        self.in_flight = Some(InFlight { batch, outcome });
    }

    pub(super) async fn on_committed(&mut self, outcome: Result<(), StoreError>) {
        let Some(InFlight { batch, .. }) = self.in_flight.take() else { return };
        match outcome {
            Ok(()) => {
                self.told_error = None;
                self.settle(batch);
                self.start_run_if_due().await;
                self.snapshot_if_due();
            }
            Err(error) => self.roll_back(batch, error).await,
        }
    }

    /// Waits until everything staged is in the store, or was rolled back.
    pub(super) async fn flush(&mut self) {
        loop {
            self.start_commit();
            if self.in_flight.is_none() {
                return;
            }
            let outcome = outcome(&mut self.in_flight).await;
            self.on_committed(outcome).await;
        }
    }

    /// Applies a batch that is in the store to the state, and sends its events.
    fn settle(&mut self, batch: Batch) {
        if let Some(epoch) = batch.epoch() {
            epoch.clone_into(&mut self.state.epoch);
        }
        for item in batch.items {
            match item {
                Item::Answer(answer) => answer(Ok(())),
                Item::Entry(entry, bytes) => {
                    let position = self.state.position + 1;
                    // A session may list the assets it has shown.
                    entry.assets().iter().for_each(|asset| self.assets.add(asset.as_str()));
                    if let Err(error) = self.state.apply(position, &entry) {
                        // Staged entries always follow the state. An error here is a bug, and opening the
                        // session again would show it too.
                        tracing::error!(session = %self.state.id, %error, "a staged entry does not fit");
                    }
                    self.since_snapshot.0 += 1;
                    match *entry {
                        Entry::Event(event) => {
                            let event = LoggedEvent::new(event);
                            self.tail.push(event.clone(), bytes);
                            self.tell_now(Update::Event(event));
                        }
                        Entry::Said { message_id, content } => self.inbox.push(message_id, content),
                        _ => {}
                    }
                }
            }
        }
        self.uses.set_memory(self.state.memory());
    }

    /// Rolls back after the store refused a batch: stops the run, fails the waiting commands, and
    /// resets the scene to the stored one.
    async fn roll_back(&mut self, failed: Batch, error: StoreError) {
        tracing::error!(session = %self.state.id, %error, "the store refused an append");
        let staged = std::mem::take(&mut self.pending);
        self.abandon_run().await;
        if matches!(error, StoreError::Fenced(_)) {
            // The session is another server's now: nothing more is done, and clients come again.
            self.is_fenced = true;
            self.environment.host.on_fenced(&self.state.id);
            failed.refuse(&error);
            staged.refuse(&error);
            return;
        }
        if matches!(error, StoreError::Conflict { .. } | StoreError::UnknownSession(_)) {
            self.reload().await;
        }
        self.seq = self.state.seq;
        self.messages = self.state.messages;
        self.named = !self.state.name.is_empty();
        self.scene.reset(self.state.scene.clone(), self.state.attention.clone());
        self.goal.reset(self.state.goal.as_ref().map(|(goal, _)| goal.clone()));
        (self.goal_run, self.judging) = (None, None);
        self.goals_set = self.state.goals_set;
        self.last_user_revision = self.state.last_user_revision;
        failed.refuse(&error);
        staged.refuse(&error);
        if interrupted::needs_closing(&self.state) {
            let why = format!(
                "The work could not be saved ({error}), so the model was stopped. What was saved is \
                 kept; send a message to go on."
            );
            self.closing = Some((Instant::now() + RETRY, why));
        }
        if self.told_error.as_ref() != Some(&error) {
            let message = format!("The session cannot be saved: {error}. What was saved is kept.");
            self.tell_now(Update::NotSaved { message: message.into() });
            self.told_error = Some(error);
        }
    }

    /// Sends an update to all attached clients.
    pub(super) fn tell_now(&self, update: Update) {
        // Without a receiver no client is attached; the log keeps the events.
        let _ = self.live.send(update);
    }

    /// Reloads the session after another process wrote to it, and sends clients the new events.
    async fn reload(&mut self) {
        let store = Arc::clone(&self.environment.store);
        match State::load(&*store, &self.state.id).await {
            Ok(Some(state)) => {
                let before = std::mem::replace(&mut self.state, state).seq;
                self.tail.clear();
                self.tell_from_log(before).await;
            }
            // The session is deleted or unreadable: the actor stops.
            Ok(None) => self.cancel.cancel(),
            Err(error) => {
                tracing::error!(session = %self.state.id, %error, "the session cannot be read");
                self.cancel.cancel();
            }
        }
    }

    /// Sends clients the events after a number, as the log has them.
    async fn tell_from_log(&self, mut after: u64) {
        let store = &*self.environment.store;
        while after < self.state.seq
            && let Ok(Some(page)) = events_of(store, &self.state.id, after, PAGE).await
            && let Some(last) = page.events.last()
        {
            after = last.seq();
            for event in page.events {
                self.tell_now(Update::Event(LoggedEvent::new(event)));
            }
        }
    }

    /// Stages the entries that close an interrupted run.
    pub(super) fn close_interrupted(&mut self) {
        let Some((_, why)) = self.closing.take() else { return };
        if self.running.is_some() || !interrupted::needs_closing(&self.state) {
            return;
        }
        // Closing the run marks them as read.
        drop(self.inbox.drain());
        for entry in interrupted::closing(&self.state, &why, self.seq) {
            self.seq += u64::from(entry.seq().is_some());
            self.pending.push(entry);
        }
    }

    /// Closes a run that was cut off before anything else happens. Whether there is nothing left to
    /// close.
    pub(super) async fn closed_interrupted(&mut self) -> bool {
        if self.closing.is_some() {
            self.flush().await;
            self.close_interrupted();
            self.flush().await;
        }
        self.closing.is_none()
    }

    fn snapshot_if_due(&mut self) {
        let (records, bytes) = self.since_snapshot;
        if records < SNAPSHOT_RECORDS && bytes < SNAPSHOT_BYTES {
            return;
        }
        self.since_snapshot = (0, 0);
        let (state, store) = (self.state.clone(), Arc::clone(&self.environment.store));
        self.environment.tracker.spawn(save_snapshot(state, store));
    }

    pub(super) async fn snapshot_at_end(&mut self) {
        if self.since_snapshot.0 >= SNAPSHOT_RECORDS_AT_END {
            save_snapshot(self.state.clone(), Arc::clone(&self.environment.store)).await;
        }
    }
}

/// A snapshot only saves time: when it fails, the log is read instead.
async fn save_snapshot(state: State, store: Arc<dyn store::Store>) {
    let id = Arc::clone(&state.id);
    let saved = match tokio::task::spawn_blocking(move || state.snapshot()).await {
        Ok(snapshot) => store.save_snapshot(&id, snapshot).await,
        Err(panic) => Err(StoreError::Failed(panic.to_string())),
    };
    if let Err(error) = saved {
        tracing::warn!(session = %id, %error, "a snapshot could not be saved");
    }
}
