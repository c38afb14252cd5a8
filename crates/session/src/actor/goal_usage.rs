//! What a run of a goal uses, its sub-agents included, and the limits of the goal's budget on it.

use agent::Event;

use super::Actor;

impl Actor {
    /// The most model calls of the next run.
    pub(super) fn max_turns(&self) -> u32 {
        let most = self.environment.turn_limits.of(self.state.tier());
        match (&self.goal_run, self.goal.get()) {
            (Some(_), Some(goal)) => goal.budget.turns_left(&goal.used, most).max(1),
            _ => most,
        }
    }

    /// When the time of the goal is over, while a run of it is going.
    pub(super) fn goal_deadline(&self) -> Option<tokio::time::Instant> {
        let run = self.goal_run.as_ref().filter(|_| self.running.is_some())?;
        if self.running.as_ref().is_some_and(|running| running.cancel.is_cancelled()) {
            return None;
        }
        let goal = self.goal.get()?;
        let left = goal.budget.milliseconds_left(&goal.used)?;
        run.began.checked_add(std::time::Duration::from_millis(left))
    }

    /// Counts what a run of the goal uses, and stops it at the limit of the budget.
    pub(super) fn note_goal(&mut self, event: &Event) {
        let Some(run) = &mut self.goal_run else { return };
        match event {
            Event::TurnStarted { .. } | Event::TextDiscarded { .. } => return run.said.clear(),
            Event::TextDelta { text, thought: false, .. } => return run.said.push_str(text),
            _ => {}
        }
        match event.of_delegate() {
            Event::TurnFinished { usage, .. } => {
                run.used.turns += 1;
                run.used.tokens += usage.input_tokens + usage.output_tokens;
            }
            Event::ToolFinished { .. } => run.used.tool_calls += 1,
            _ => return,
        }
        let used = run.used;
        let reached = self.goal.get().and_then(|goal| {
            // The run itself makes no more model calls than are left, and the last may still be answered.
            let of_run = !matches!(event, Event::Delegated { .. });
            let turns = goal.budget.turns.filter(|_| !of_run);
            let budget = goals::Budget { turns, ..goal.budget };
            budget.reached(&goal.used.plus(used))
        });
        if reached.is_some() {
            self.cancel_run();
        }
    }
}
