//! Other servers, while this one has connections to them: whether they still live. A process that stands still keeps
//! its connections, and only its lease tells.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use store::{NodeState, Store};
use supervision::supervised;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// How often the database is asked about each server that is in use.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// How many times in a row its lock has to be gone: after a lost connection it is away for a moment.
const LOOKS: u32 = 4;

/// The other servers of which this one needs something.
pub(crate) struct Nodes {
    store: Arc<dyn Store>,
    tracker: TaskTracker,
    cancel: CancellationToken,
    /// Locked only for a lookup or a change.
    watched: Arc<Mutex<HashMap<String, Weak<Node>>>>,
}

/// Another server; it is watched as long as somebody has this.
#[derive(Debug)]
pub(super) struct Node {
    /// Cancelled when the server does not act for its sessions any more.
    pub(super) dead: CancellationToken,
}

impl Nodes {
    pub(crate) fn new(
        store: Arc<dyn Store>,
        tracker: TaskTracker,
        cancel: CancellationToken,
    ) -> Self {
        Self { store, tracker, cancel, watched: Arc::default() }
    }

    /// The server with this life.
    pub(super) fn watch(&self, id: &str) -> Arc<Node> {
        // A panic cannot leave the map inconsistent, so a poisoned lock is safe to use.
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        let known = watched.get(id).and_then(Weak::upgrade);
        // One that was dead may be back: its connection to the database was lost, and not its lease.
        if let Some(known) = known.filter(|known| !known.dead.is_cancelled()) {
            return known;
        }
        watched.retain(|_, node| node.strong_count() > 0);
        let node = Arc::new(Node { dead: CancellationToken::new() });
        watched.insert(id.to_owned(), Arc::downgrade(&node));
        let (store, id, watched) = (Arc::clone(&self.store), id.to_owned(), Arc::downgrade(&node));
        let watching = supervised("watching another server", move || {
            until_dead(Arc::clone(&store), id.clone(), Weak::clone(&watched))
        });
        let cancel = self.cancel.clone();
        self.tracker.spawn(async move { cancel.run_until_cancelled(watching).await });
        node
    }
}

/// Looks after a server until it is dead, or nobody needs it.
async fn until_dead(store: Arc<dyn Store>, id: String, node: Weak<Node>) {
    let mut gone = 0;
    loop {
        sleep(LOOK_EVERY).await;
        let Some(node) = node.upgrade() else { return };
        match store.state_of(&id).await {
            Ok(NodeState::Alive) => gone = 0,
            Ok(NodeState::Unlocked) => gone += 1,
            // That is for good.
            Ok(NodeState::Over) => gone = LOOKS,
            // Nobody knows: this server will hear of it by its own lease.
            Err(_) => {}
        }
        if gone >= LOOKS {
            node.dead.cancel();
            return;
        }
    }
}
