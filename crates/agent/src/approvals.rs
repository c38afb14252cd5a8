//! Approvals of tool calls by the user.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::tool::ToolIdentity;

/// Looks up whether the user has a standing approval for a tool.
pub type StandingApproval = Arc<dyn Fn(&ToolIdentity) -> bool + Send + Sync>;

/// Pending approval requests, and the tools that are already approved. Clones share them: one belongs
/// to the run, one to the owner of the session.
#[derive(Clone, Default)]
pub struct Approvals {
    /// Locked only for a lookup, an insert or a removal; never across an await.
    state: Arc<Mutex<State>>,
    /// Queried at each call, so that a revoked approval takes effect at once.
    standing: Option<StandingApproval>,
}

#[derive(Default)]
struct State {
    /// By call id.
    waiting: HashMap<String, (ToolIdentity, oneshot::Sender<bool>)>,
    /// Tools that are approved for the session.
    remembered: HashSet<ToolIdentity>,
}

impl std::fmt::Debug for Approvals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let State { waiting, remembered } = &*self.lock();
        f.debug_struct("Approvals")
            .field("waiting", &waiting.keys())
            .field("remembered", remembered)
            .finish_non_exhaustive()
    }
}

impl Approvals {
    /// Approvals of a session in which the user has approved `remembered`, besides standing
    /// approvals.
    pub fn new(
        remembered: impl IntoIterator<Item = ToolIdentity>,
        standing: StandingApproval,
    ) -> Self {
        let state = State { remembered: remembered.into_iter().collect(), ..State::default() };
        Self { state: Arc::new(Mutex::new(state)), standing: Some(standing) }
    }

    /// Gives the user's answer to the call `call_id`; false when no such call waits.
    pub fn answer(&self, call_id: &str, allow: bool) -> bool {
        let asked = self.lock().waiting.remove(call_id);
        asked.is_some_and(|(_, asked)| asked.send(allow).is_ok())
    }

    /// The tool that the call `call_id` waits to use; `None` when no such call waits.
    pub fn waits_for(&self, call_id: &str) -> Option<ToolIdentity> {
        self.lock().waiting.get(call_id).map(|(tool, _)| tool.clone())
    }

    /// Approves all calls of a tool in this session, waiting and future ones.
    pub fn remember(&self, tool: &ToolIdentity) {
        self.lock().remembered.insert(tool.clone());
        self.allow_waiting(tool);
    }

    /// Approves the waiting calls of a tool.
    pub fn allow_waiting(&self, tool: &ToolIdentity) {
        let waiting = &mut self.lock().waiting;
        for (_, (_, asked)) in waiting.extract_if(|_, (waits_for, _)| waits_for == tool) {
            // A call that no longer waits needs no answer.
            let _ = asked.send(true);
        }
    }

    /// Whether calls of a tool are approved already.
    pub(crate) fn is_remembered(&self, tool: &ToolIdentity) -> bool {
        self.lock().remembered.contains(tool)
            || self.standing.as_ref().is_some_and(|standing| standing(tool))
    }

    /// Adds an approval request; the answer comes over the receiver.
    pub(crate) fn ask(&self, call_id: &str, tool: ToolIdentity) -> oneshot::Receiver<bool> {
        let (sender, receiver) = oneshot::channel();
        self.lock().waiting.insert(call_id.to_owned(), (tool, sender));
        receiver
    }

    /// Withdraws an approval request.
    pub(crate) fn withdraw(&self, call_id: &str) {
        self.lock().waiting.remove(call_id);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // The state is consistent after every step, so a poisoned lock is safe to use.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
