//! Working on a goal: when the session is idle, the next step is done, and everything that happens is in
//! the store before the step after it.

use std::collections::BTreeMap;
use std::sync::Arc;

use agent::{Outcome, Reason};
use goals::{Criterion, Goal, GoalStatus, Source, Step, Task, TaskEnd, Verify, tasks_of_text};
use llm::{Content, Part, Role};
use serde_json::Value;
use studio::Author;

use crate::entry::Entry;
use crate::goal::{Faults, SceneCriteria, Verified, faults_of, goal_tools};

use super::Actor;
use super::goal_run::GoalRun;

/// Runs in a row in which the provider gave no answer, before the goal is paused.
const MAX_UNANSWERED: u32 = 2;

impl Actor {
    /// Whether the next step of the goal is due: nothing else is going on, and all is in the store.
    pub(super) fn goal_is_due(&self) -> bool {
        self.running.is_none()
            && self.judging.is_none()
            && self.inbox.is_empty()
            && self.closing.is_none()
            && self.pending.is_empty()
            && self.in_flight.is_none()
            && self.goal.is_working()
            && !self.cancel.is_cancelled()
    }

    /// Does the next step of the goal.
    pub(super) async fn next_goal_step(&mut self) {
        let Some(goal) = self.goal.get() else { return };
        let can_plan = self.environment.models.can_plan(&self.model_id());
        match goal.next_step(can_plan) {
            Step::Wait => {}
            Step::End(reason) => {
                self.goal.change(|goal, tell| {
                    let change = goal.end_for(reason);
                    tell(change, goal);
                });
            }
            Step::Plan { ask_model: true } => self.ask_for_plan(&goal),
            Step::Plan { ask_model: false } => self.make_plan(&goal).await,
            Step::Recover(task) => self.recover(&goal, &task).await,
            Step::Act(task) => self.begin_task(&goal, &task).await,
            Step::Judge => self.judge(&goal).await,
            Step::BeginVariant => self.begin_variant(&goal).await,
            Step::ChooseVariant(best) => self.choose_best_variant(&goal, best).await,
        }
        self.tell_goal();
    }

    fn ask_for_plan(&mut self, goal: &Goal) {
        self.goal.change(|goal, tell| {
            let change = goal.plan_requested();
            tell(change, goal);
        });
        self.tell_goal();
        let fitting = self.environment.workflows.fitting(&goal.objective);
        let outlines: Vec<String> = fitting
            .and_then(|workflow| workflow.filled_for(&BTreeMap::new(), goal.variant()).ok())
            .map(|workflow| workflow.outline())
            .into_iter()
            .collect();
        self.stage_request(&goal.planning_message(&outlines));
        self.goal_run = Some(GoalRun::new(None, Faults::default()));
    }

    /// Makes a plan without the model: that of a workflow that fits, or the sentences of the objective.
    async fn make_plan(&mut self, goal: &Goal) {
        let examination = self.examination(goal.began_at).await;
        let (revision, assets) = self.scene.with_assets();
        let by = SceneCriteria {
            base: &examination.base,
            after: &revision.scene,
            assets: &*assets,
            report: &Value::Null,
        };
        let fitting = self.environment.workflows.fitting(&goal.objective);
        let filled =
            fitting.and_then(|workflow| workflow.filled_for(&BTreeMap::new(), goal.variant()).ok());
        self.goal.change(|goal, tell| {
            let change = if !goal.plan.tasks().is_empty() {
                goal.plan_not_changed()
            } else {
                let followed = filled.and_then(|workflow| goal.follow(&workflow, &by).ok());
                let of_text = |goal: &mut Goal| {
                    let tasks = tasks_of_text(&goal.objective);
                    let why = "each sentence of the goal is a task";
                    goal.set_plan(&tasks, &[], Source::Workflow, why, &by)
                };
                match followed.map_or_else(|| of_text(goal), Ok) {
                    Ok(change) => change,
                    Err(error) => goal.block(&error.to_string()),
                }
            };
            tell(change, goal);
        });
    }

    async fn begin_task(&mut self, goal: &Goal, id: &str) {
        let examination = self.examination(goal.began_at).await;
        let unless = goal.plan.task(id).and_then(|task| task.unless.clone());
        if let Some(unless) = unless {
            let criterion = Criterion::new(unless, Source::Workflow);
            let verdicts = examination.check(vec![criterion]).await;
            if verdicts.iter().all(|verdict| verdict.found.is_none()) {
                self.goal.change(|goal, tell| {
                    if let Some(change) = goal.task_unnecessary(id) {
                        tell(change, goal);
                    }
                });
                return;
            }
        }
        let faults = faults_of(&examination.report().await);
        if goal.plan.task(id).is_some_and(|task| task.mend) && self.mended(goal, id).await {
            return;
        }
        let revision = self.scene.current().number;
        let message = self.goal.change(|goal, tell| {
            let change = goal.start_task(id, revision)?;
            tell(change, goal);
            goal.task_message(id)
        });
        self.tell_goal();
        if let Some(message) = message.flatten() {
            self.stage_request(&message);
            self.goal_run = Some(GoalRun::new(Some(id.to_owned()), faults));
        }
    }

    /// Carries out the computed fixes of all faults. Whether the task's criteria hold then, so that the model is
    /// not needed.
    async fn mended(&mut self, goal: &Goal, id: &str) -> bool {
        /// A fix may uncover the next fault, as in a stack.
        const MAX_ROUNDS: usize = 8;
        let examination = self.examination(goal.began_at).await;
        let revision = self.scene.current().number;
        for _ in 0..MAX_ROUNDS {
            let faults = faults_of(&examination.report().await);
            let before = self.scene.current().number;
            self.mend(&faults).await;
            if self.scene.current().number == before {
                break;
            }
        }
        let criteria = goal.plan.task(id).map(|task| task.criteria.clone()).unwrap_or_default();
        let verdicts = examination.check(criteria).await;
        let holds = |verdict: &goals::Verdict| verdict.found.is_none();
        if verdicts.is_empty() || !verdicts.iter().all(holds) {
            return false;
        }
        self.goal.change(|goal, tell| {
            if let Some(change) = goal.start_task(id, revision) {
                tell(change, goal);
            }
        });
        self.tell_goal();
        self.end_task(id, TaskEnd { verdicts, ..TaskEnd::default() });
        true
    }

    /// The task was cut off. If its criteria hold it is done; else what it did is taken back and it begins
    /// anew, so that nothing is done twice.
    async fn recover(&mut self, goal: &Goal, id: &str) {
        let Some(task) = goal.plan.task(id).cloned() else { return };
        let examination = self.examination(goal.began_at).await;
        let verdicts = examination.check(task.criteria.clone()).await;
        let holds = |verdict: &goals::Verdict| verdict.found.is_none();
        if !verdicts.is_empty() && verdicts.iter().all(holds) {
            let end = TaskEnd { verdicts, ..TaskEnd::default() };
            self.end_task(id, end);
            return;
        }
        self.take_back(task.began_at).await;
        self.goal.change(|goal, tell| {
            if let Some(change) = goal.task_interrupted(id) {
                tell(change, goal);
            }
        });
    }

    /// Ends a request that was not answered. Otherwise a model would take it and the next one for two wishes.
    fn close_cut_off_request(&mut self) {
        const CUT_OFF: &str = "[The program stopped before this was done. What was done of it may have been \
                               taken back.]";
        // Models that plan tell requests apart, and some providers refuse answers that are not theirs.
        if self.environment.models.can_plan(&self.model_id()) {
            return;
        }
        let last = self.state.conversation.last_content();
        if last.is_some_and(|content| content.role != Role::Model) {
            self.pending.push(Entry::Content(Content::model(vec![Part::text(CUT_OFF)])));
        }
    }

    /// Takes back what was done since a revision, unless the user changed something since: then it stays.
    async fn take_back(&mut self, revision: Option<u64>) {
        self.tell_changes();
        let Some(revision) = revision.filter(|revision| {
            *revision < self.scene.current().number && self.last_user_revision <= *revision
        }) else {
            return;
        };
        if let Ok(scene) = self.scene_at(revision).await {
            self.scene.replace((*scene).clone(), Author::Model);
            self.tell_changes();
        }
    }

    fn end_task(&mut self, id: &str, end: TaskEnd) {
        let can_plan = self.environment.models.can_plan(&self.model_id());
        self.goal.change(|goal, tell| {
            for change in goal.task_ended(id, end, can_plan) {
                tell(change, goal);
            }
        });
    }

    /// Stages a request to the model that no user wrote; its run starts once it is in the store.
    fn stage_request(&mut self, text: &str) {
        self.close_cut_off_request();
        self.messages += 1;
        let (message_id, content) = (format!("u{}", self.messages), Content::user(text));
        self.pending.push(Entry::Said { message_id, content });
    }

    /// The tools for a run of the goal.
    pub(super) async fn tools_for_goal(&self) -> Vec<Arc<dyn agent::Tool>> {
        match (&self.goal_run, self.goal.get()) {
            (Some(_), Some(goal)) => goal_tools(&self.goal, &self.examination(goal.began_at).await),
            _ => Vec::new(),
        }
    }

    /// The run of the goal ended: what it reached is computed, and staged with the end of the run.
    pub(super) async fn goal_run_over(
        &mut self,
        run: GoalRun,
        outcome: &Outcome,
        verified: Option<Verified>,
    ) {
        let GoalRun { task, faults, mut used, began, said } = run;
        used.milliseconds = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.goal.change(|goal, _| goal.spend(used));
        self.tell_goal();
        // A server that stops leaves the task under way: it begins anew after the start.
        let Some(goal) = self.goal.get().filter(|_| !self.cancel.is_cancelled()) else { return };
        if !goal.status.is_working() {
            return;
        }
        if let Reason::Failed(error) = &outcome.reason {
            self.unanswered += 1;
            if self.unanswered >= MAX_UNANSWERED {
                let why = format!("the model gave no answer: {error}. Resume the goal later.");
                self.goal.change(|goal, tell| {
                    if let Ok(change) = goal.pause(Some(why)) {
                        tell(change, goal);
                    }
                });
                self.tell_goal();
                return;
            }
        } else {
            self.unanswered = 0;
        }
        match task {
            None => self.planned(&goal, outcome),
            Some(id) => {
                let is_open = goal.plan.in_progress().is_some_and(|task| task.id == id);
                if is_open {
                    self.task_run_over(&goal, &id, &faults, &said, (outcome, verified)).await;
                }
            }
        }
        self.tell_goal();
    }

    /// The run for a plan ended. Without a plan it is asked for again, or made without the model.
    fn planned(&mut self, goal: &Goal, outcome: &Outcome) {
        if goal.status == GoalStatus::Planning {
            let what = outcome.message().unwrap_or_else(|| "call set_plan".into());
            self.goal.change(|goal, _| goal.notes.push(format!("no plan was set: {what}")));
        }
    }

    async fn task_run_over(
        &mut self,
        goal: &Goal,
        id: &str,
        before: &Faults,
        said: &str,
        (outcome, verified): (&Outcome, Option<Verified>),
    ) {
        let Some(task) = goal.plan.task(id).cloned() else { return };
        let can_plan = self.environment.models.can_plan(&self.model_id());
        let now = self.scene.current().number;
        let verified = verified.filter(|verified| verified.revision == now);
        let Verified { verdicts, faults, mut seen, .. } = match verified {
            Some(verified) => verified,
            None => self.verify_and_mend(goal, &task, before).await,
        };
        let unchanged = task.began_at == Some(self.scene.current().number);
        let said = said.trim();
        let mut broke_off = match &outcome.reason {
            Reason::Completed | Reason::LengthLimit | Reason::SingleWave => None,
            Reason::Cancelled => Some("it was stopped".to_owned()),
            _ => outcome.message(),
        };
        if !can_plan && unchanged && task.criteria.is_empty() && broke_off.is_none() {
            broke_off = Some(format!("nothing changed; the answer was: {said}"));
        }
        let reported = self.goal.take_report();
        // Findings go back once; after that the criteria alone decide, since a finding may be meant so.
        let findings = match task.attempts {
            1 => {
                seen.extend(faults.messages());
                seen
            }
            _ => Vec::new(),
        };
        let end = TaskEnd {
            verdicts,
            findings,
            broke_off,
            is_final: reported.is_some(),
            reported,
            said: (!said.is_empty()).then(|| said.chars().take(2_000).collect()),
        };
        self.end_task(id, end);
        let failed = self.goal.get().is_some_and(|goal| {
            goal.plan.task(id).is_some_and(|task| task.status != goals::TaskStatus::Completed)
        });
        // The next attempt of a model that only does as it is told begins from where this one did.
        if failed && !can_plan {
            self.take_back(task.began_at).await;
        }
    }

    /// Checks a task and the scene without a look.
    async fn verify_and_mend(&mut self, goal: &Goal, task: &Task, before: &Faults) -> Verified {
        let examination = self.examination(goal.began_at).await;
        let mut faults = faults_of(&examination.report().await).since(before);
        let can_plan = self.environment.models.can_plan(&self.model_id());
        if !can_plan && !faults.is_empty() && goal.verify != Verify::Off {
            // A model that cannot mend what it is told of is helped by the fixes that were computed.
            self.mend(&faults).await;
            faults = faults_of(&examination.report().await).since(before);
        }
        let verdicts = examination.check(task.criteria.clone()).await;
        let revision = self.scene.current().number;
        Verified { revision, verdicts, faults, seen: Vec::new() }
    }

    /// Carries out the computed fixes of faults; one that does not work changes nothing.
    async fn mend(&mut self, faults: &Faults) {
        for (name, args) in faults.fixes() {
            if let Some(tool) = self.tools.get(&name).cloned() {
                tool.call(args).await;
            }
        }
        self.tell_changes();
    }
}
