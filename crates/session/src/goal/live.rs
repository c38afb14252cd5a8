//! The live goal: the stored one and what happened to it since, shared by the actor and the tools of a
//! model.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use goals::{Goal, GoalChange, GoalStatus};

/// The live goal. Whoever changes it leaves what happened for the actor, which stores it.
#[derive(Debug, Clone, Default)]
pub(crate) struct LiveGoal {
    /// Locked for one change, which is pure computation; never across an await.
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    goal: Option<Goal>,
    /// What happened and is not staged yet, each with the goal afterwards.
    untold: Vec<(GoalChange, Goal)>,
    /// Why the model says that the task under way cannot be done.
    reported: Option<String>,
}

impl LiveGoal {
    pub(crate) fn new(goal: Option<Goal>) -> Self {
        let live = Self::default();
        live.reset(goal);
        live
    }

    /// Goes back to the stored goal.
    pub(crate) fn reset(&self, goal: Option<Goal>) {
        *self.lock() = State { goal, ..State::default() };
    }

    /// The goal as it is now.
    pub(crate) fn get(&self) -> Option<Goal> {
        self.lock().goal.clone()
    }

    /// Its status.
    pub(crate) fn status(&self) -> Option<GoalStatus> {
        self.lock().goal.as_ref().map(|goal| goal.status)
    }

    /// Whether there is work to do for it.
    pub(crate) fn is_working(&self) -> bool {
        self.status().is_some_and(GoalStatus::is_working)
    }

    /// Replaces the goal by a new one.
    pub(crate) fn set(&self, goal: Goal) {
        let mut state = self.lock();
        state.untold.push((GoalChange::Set, goal.clone()));
        state.goal = Some(goal);
        state.reported = None;
    }

    /// Changes the goal; nothing happens if there is none.
    pub(crate) fn change<T>(
        &self,
        change: impl FnOnce(&mut Goal, &mut dyn FnMut(GoalChange, &Goal)) -> T,
    ) -> Option<T> {
        let mut state = self.lock();
        let State { goal, untold, .. } = &mut *state;
        let goal = goal.as_mut()?;
        let mut tell = |change, goal: &Goal| untold.push((change, goal.clone()));
        Some(change(goal, &mut tell))
    }

    /// Takes what happened since the last time.
    pub(crate) fn take_untold(&self) -> Vec<(GoalChange, Goal)> {
        std::mem::take(&mut self.lock().untold)
    }

    /// The model says that the task under way cannot be done.
    pub(crate) fn report(&self, why: String) {
        self.lock().reported = Some(why);
    }

    /// Takes what the model said so.
    pub(crate) fn take_report(&self) -> Option<String> {
        self.lock().reported.take()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Every change is made on the goal as a whole, so a poisoned lock is safe to use.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
