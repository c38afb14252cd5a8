//! The user's approval of calls that need it.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::tool::ToolIdentity;

/// Says whether the user has approved a tool for good.
pub type StandingApproval = Arc<dyn Fn(&ToolIdentity) -> bool + Send + Sync>;

/// Questions that wait for the user, and the tools that need not be asked about again. Clones share
/// them: one belongs to the run, one to whoever hears the user.
#[derive(Clone, Default)]
pub struct Approvals {
    /// Held only to look up, put in and take out; never across an await.
    state: Arc<Mutex<State>>,
    /// Asked at each call, so that one that was taken back counts at once.
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
    /// Approvals of a session in which the user has approved `remembered`, beside what is approved
    /// for good.
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

    /// Allows all calls of a tool, those that wait and, in this session, those to come.
    pub fn remember(&self, tool: &ToolIdentity) {
        self.lock().remembered.insert(tool.clone());
        self.allow_waiting(tool);
    }

    /// Allows the calls of a tool that wait.
    pub fn allow_waiting(&self, tool: &ToolIdentity) {
        let waiting = &mut self.lock().waiting;
        for (_, (_, asked)) in waiting.extract_if(|_, (waits_for, _)| waits_for == tool) {
            // A call that waits no longer needs no answer.
            let _ = asked.send(true);
        }
    }

    /// Whether calls of a tool need not be asked about.
    pub(crate) fn is_remembered(&self, tool: &ToolIdentity) -> bool {
        self.lock().remembered.contains(tool)
            || self.standing.as_ref().is_some_and(|standing| standing(tool))
    }

    /// Puts a question; the answer comes over the receiver.
    pub(crate) fn ask(&self, call_id: &str, tool: ToolIdentity) -> oneshot::Receiver<bool> {
        let (sender, receiver) = oneshot::channel();
        self.lock().waiting.insert(call_id.to_owned(), (tool, sender));
        receiver
    }

    /// Takes a question back.
    pub(crate) fn withdraw(&self, call_id: &str) {
        self.lock().waiting.remove(call_id);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // The state is whole after every step, so a panic elsewhere leaves nothing half-done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
