//! A point that a test can wait for and hold.

use std::sync::Arc;

use tokio::sync::watch;

/// A point in an answer. The answer waits there until the test opens it. Clones are the same gate.
#[derive(Debug, Clone)]
pub struct Gate {
    /// `watch`, as its state stays: it does not matter who comes first.
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

    /// Waits until the answer has come to the gate.
    pub async fn reached(&self) {
        wait(&self.state.reached).await;
    }

    /// Lets the answer go on, now or when it comes.
    pub fn open(&self) {
        self.state.open.send_replace(true);
    }

    /// Comes to the gate and waits until it is open.
    pub async fn pass(&self) {
        self.state.reached.send_replace(true);
        wait(&self.state.open).await;
    }
}

async fn wait(flag: &watch::Sender<bool>) {
    // Fails only without a sender, and `flag` is one.
    let _ = flag.subscribe().wait_for(|set| *set).await;
}
