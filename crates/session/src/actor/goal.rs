//! What the user does to the goal: sets it, pauses it, changes it, ends it.

use goals::{Goal, GoalStatus, NewGoal};
use serde_json::Value;

use crate::command::{GoalCommand, Reply, StartGoal};
use crate::error::SessionError;
use crate::event::SessionEvent;
use crate::goal::{SceneCriteria, notice};

use super::Actor;

impl Actor {
    pub(super) async fn goal_command(
        &mut self,
        command: GoalCommand,
        reply: Reply<Result<Goal, SessionError>>,
    ) {
        if !self.closed_interrupted().await {
            let error = self.told_error.clone();
            let error = error.as_ref().map_or(SessionError::Gone, SessionError::not_saved);
            drop(reply.send(Err(error)));
            return;
        }
        self.catch_up();
        let done = match command {
            GoalCommand::Start(start) => self.start_goal(*start).await,
            GoalCommand::Pause => self.on_goal(|goal, _| goal.pause(None)),
            GoalCommand::Resume => self.on_goal(|goal, _| goal.resume()),
            GoalCommand::Edit(edit) => self.on_goal(|goal, by| goal.edit(&edit, by)),
            GoalCommand::Cancel => self.on_goal(|goal, _| goal.cancel()),
            GoalCommand::Choose(number) => self.choose_variant_for_user(number).await,
        };
        match done {
            Ok(goal) => {
                if !goal.status.is_working() {
                    self.stop_goal_run();
                }
                self.tell_goal();
                self.answer_when_saved(reply, goal);
            }
            Err(refusal) => drop(reply.send(Err(refusal))),
        }
    }

    async fn start_goal(&mut self, start: StartGoal) -> Result<Goal, SessionError> {
        let StartGoal {
            objective,
            criteria,
            workflow,
            parameters,
            budget,
            may_ask,
            verify,
            variants,
            models,
        } = start;
        let variants = match variants {
            0 | 1 if models.is_empty() => None,
            count => {
                Some(self.plan_of_variants(count, models, workflow.as_deref(), &parameters).await?)
            }
        };
        let bad = |error: &dyn std::fmt::Display| SessionError::BadGoal(error.to_string());
        let workflow = match &workflow {
            Some(name) => {
                let workflow = self.environment.workflows.get(name).map_err(|error| bad(&error))?;
                Some(workflow.filled(&parameters).map_err(|error| bad(&error))?)
            }
            None if !parameters.is_empty() => {
                let rule = "'parameters' belong to a workflow; name one with 'workflow'";
                return Err(SessionError::BadGoal(rule.into()));
            }
            None => None,
        };
        let objective = match &workflow {
            Some(workflow) if objective.trim().is_empty() => workflow.description.clone(),
            _ => objective,
        };
        self.goals_set += 1;
        let began_at = self.scene.current().number;
        let id = format!("g{}", self.goals_set);
        let wanted = NewGoal { id, objective, criteria, budget, may_ask, verify, began_at };
        let examination = self.examination(began_at).await;
        let (revision, assets) = self.scene.with_assets();
        let by = SceneCriteria {
            base: &examination.base,
            after: &revision.scene,
            assets: &*assets,
            report: &Value::Null,
        };
        let mut goal = Goal::new(wanted, &by).map_err(|error| bad(&error))?;
        if let Some(variants) = variants {
            goal = goal.with_variants(variants).map_err(|error| bad(&error))?;
        }
        let follows = match &workflow {
            Some(workflow) => Some(goal.follow(workflow, &by).map_err(|error| bad(&error))?),
            None => None,
        };
        // One goal at a time: the one before ends.
        if self.goal.status().is_some_and(|status| !status.is_over()) {
            self.goal.change(|goal, tell| {
                if let Ok(change) = goal.cancel() {
                    tell(change, goal);
                }
            });
            self.stop_goal_run();
        }
        self.goal.set(goal.clone());
        if let Some(change) = follows {
            self.goal.change(|goal, tell| tell(change, goal));
        }
        self.select_variant_model(&goal);
        if !self.named {
            self.name_after(&goal.objective);
        }
        Ok(goal)
    }

    /// Changes the goal for the user.
    fn on_goal(
        &mut self,
        change: impl FnOnce(
            &mut Goal,
            &dyn goals::Criteria,
        ) -> Result<goals::GoalChange, goals::GoalError>,
    ) -> Result<Goal, SessionError> {
        let (revision, assets) = self.scene.with_assets();
        // Criteria are only read here, which needs no scene to compare with.
        let by = SceneCriteria {
            base: &revision.scene,
            after: &revision.scene,
            assets: &*assets,
            report: &Value::Null,
        };
        let changed = self.goal.change(|goal, tell| {
            let change =
                change(goal, &by).map_err(|error| SessionError::BadGoal(error.to_string()))?;
            tell(change, goal);
            Ok(goal.clone())
        });
        changed.unwrap_or(Err(SessionError::NoGoal))
    }

    /// A message of the user answers the goal's question, if one waits.
    pub(super) fn answer_goal(&mut self, text: &str) -> bool {
        if self.goal.status() != Some(GoalStatus::WaitingForUser) || text.trim().is_empty() {
            return false;
        }
        self.goal.change(|goal, tell| {
            if let Some(change) = goal.answer(text) {
                tell(change, goal);
            }
        });
        self.tell_goal();
        true
    }

    /// The user pressed Stop: the goal would begin its next task at once, so it is paused.
    pub(super) fn pause_working_goal(&mut self) {
        self.judging = None;
        if self.goal.is_working() {
            self.goal.change(|goal, tell| {
                if let Ok(change) = goal.pause(None) {
                    tell(change, goal);
                }
            });
            self.tell_goal();
        }
    }

    /// Stops the run of the goal, if one is going.
    pub(super) fn stop_goal_run(&mut self) {
        self.judging = None;
        if self.goal_run.is_some() {
            self.cancel_run();
        }
    }

    /// A goal of a copied or imported session does not go on by itself.
    pub(super) fn pause_copied_goal(&mut self) {
        let is_copy = self.state.goal.as_ref().is_some_and(|(_, epoch)| *epoch != self.state.epoch);
        if is_copy && self.goal.is_working() {
            let why = "this session is a copy; resume the goal to go on with it here".to_owned();
            self.goal.change(|goal, tell| {
                if let Ok(change) = goal.pause(Some(why)) {
                    tell(change, goal);
                }
            });
            self.tell_goal();
        }
    }

    /// Tells the host whether there is work to do, so that it goes on after a restart.
    pub(super) fn tell_host_of_goal(&mut self) {
        let stored = self.state.goal.as_ref();
        // Also what is being stored: a mark too many does no harm.
        let is_working =
            self.goal.is_working() || stored.is_some_and(|(goal, _)| goal.status.is_working());
        if is_working != self.told_working {
            self.told_working = is_working;
            self.environment.host.on_goal(&self.state.id, is_working);
        }
    }

    /// Stages what happened to the goal.
    pub(super) fn tell_goal(&mut self) {
        for (change, goal) in self.goal.take_untold() {
            let notice = notice(&change, &goal);
            let epoch = self.state.epoch.clone();
            let goal = Box::new(goal);
            self.tell(move |seq| SessionEvent::GoalChanged { seq, change, notice, epoch, goal });
        }
    }
}
