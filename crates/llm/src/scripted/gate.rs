//! A point at which a test can stop an answer.

use std::sync::Arc;

use tokio::sync::watch;

/// A point in an answer where it waits until the test opens the gate. Clones share the gate.
#[derive(Debug, Clone)]
pub struct Gate {
    /// `watch` channels keep their state, so the order of waiting and opening does not matter.
    state: Arc<GateState>,
}

#[derive(Debug)]
struct GateState {
    reached: watch::Sender<bool>,
    open: watch::Sender<bool>,
}

impl Default for Gate {
    fn default() -> Self {
        Self::new()
    }
}

impl Gate {
    /// A closed gate.
    pub fn new() -> Self {
        Self {
            state: Arc::new(GateState {
                reached: watch::Sender::new(false),
                open: watch::Sender::new(false),
            }),
        }
    }

    /// Waits until the answer has reached the gate.
    pub async fn reached(&self) {
        wait(&self.state.reached).await;
    }

    /// Opens the gate, now or in advance.
    pub fn open(&self) {
        self.state.open.send_replace(true);
    }

    /// Marks the gate as reached and waits until it is open.
    pub async fn pass(&self) {
        self.state.reached.send_replace(true);
        wait(&self.state.open).await;
    }
}

async fn wait(flag: &watch::Sender<bool>) {
    // Fails only without a sender, which `flag` is.
    let _ = flag.subscribe().wait_for(|set| *set).await;
}
