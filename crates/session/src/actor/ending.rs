//! How a session's actor ends: unused, stopped with its server, or since another server owns the session now.

use super::Actor;

impl Actor {
    /// Whether no work is in progress and nobody has a handle, nor will get one: whoever needs the session
    /// opens it again from the store.
    pub(super) fn may_sleep(&self) -> bool {
        // A scripted model keeps its position in memory.
        let in_script = !self.opened.is_empty() && self.environment.models.is_scripted();
        self.live.receiver_count() == 0
            && self.running.is_none()
            && self.inbox.is_empty()
            && self.pending.is_empty()
            && self.in_flight.is_none()
            && self.closing.is_none()
            && !self.goal.is_working()
            && !in_script
            && self.uses.close_if_unused()
    }

    /// Ends without doing anything more: another server may own the session. What is being written is
    /// refused if it does.
    pub(super) async fn give_way(mut self) {
        self.commands.close();
        self.environment.host.on_lost(&self.state.id);
        self.abandon_run().await;
        // Previews and sockets.
        self.cancel.cancel();
        self.flush().await;
    }

    /// Accepts no more commands, finishes the current work, and writes a snapshot.
    pub(super) async fn end(mut self) {
        self.commands.close();
        while let Some(command) = self.commands.recv().await {
            self.on_command(command).await;
        }
        self.let_calls_end().await;
        self.stop_run().await;
        self.flush().await;
        self.snapshot_at_end().await;
        // Everything that belongs to the session stops with it.
        self.cancel.cancel();
        let released = self.environment.store.release(&self.state.id, self.tenure.term).await;
        if let Err(error) = released {
            tracing::warn!(session = %self.state.id, %error, "a session that is closed keeps its owner");
        }
    }
}
