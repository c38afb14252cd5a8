//! Verifying the work on a goal: after a task as a part of its run, at the end beside everything else.

use std::sync::Arc;

use goals::{Goal, Verify};
use tokio::time::Instant;
use tokio_util::task::AbortOnDropHandle;

use crate::event::Usage;
use crate::goal::{Examination, Eyes, Spent, Verification};

use super::Actor;
use super::goal_run::{Judged, Judging};

impl Actor {
    /// What the criteria of a goal need that was set at this revision.
    pub(super) async fn examination(&self, began_at: u64) -> Examination {
        // A base that is lost makes criteria that compare do so with the present scene.
        let base = self.scene_at(began_at).await;
        let base = base.unwrap_or_else(|_| Arc::clone(&self.scene.current().scene));
        let checker = self.tools.get("check_scene").cloned();
        Examination { base, scene: Arc::clone(&self.scene), checker, eyes: self.eyes() }
    }

    /// The model of the session as one that looks at pictures; `None` if it does not see.
    fn eyes(&self) -> Option<Eyes> {
        let (models, id) = (&self.environment.models, self.model_id());
        // Looks would use up a script.
        if models.is_scripted() || !models.can_plan(&id) {
            return None;
        }
        let used = self.state.usage.input_tokens + self.state.usage.output_tokens;
        let model = models.open(&id, &self.state.id, used).filter(|model| model.facts().images)?;
        let painter = Arc::clone(self.tools.get("render_preview")?);
        Some(Eyes { model, painter, meter: self.meter.clone() })
    }

    /// What is verified when the run that begins has ended: the criteria of its task and the scene. A model
    /// that makes no plans is helped by computed fixes instead.
    pub(super) async fn verification(&self) -> Option<Verification> {
        let (run, goal) = (self.goal_run.as_ref()?, self.goal.get()?);
        let task = goal.plan.task(run.task.as_ref()?)?;
        if goal.verify == Verify::Off || !self.environment.models.can_plan(&self.model_id()) {
            return None;
        }
        Some(Verification {
            examination: self.examination(goal.began_at).await,
            criteria: task.criteria.clone(),
            before: run.faults.clone(),
            objective: goal.objective.clone(),
            task: task.request().to_owned(),
            // A finding may be meant so: after the first attempt the criteria alone decide.
            looks: goal.verify == Verify::Pictures && task.attempts == 1,
            scene: Arc::clone(&self.scene.current().scene),
        })
    }

    /// Begins to check the criteria of the goal.
    pub(super) async fn judge(&mut self, goal: &Goal) {
        let examination = self.examination(goal.began_at).await;
        let (criteria, began) = (goal.criteria.clone(), Instant::now());
        let texts = criteria.iter().map(|criterion| criterion.text.clone()).collect();
        let revision = self.scene.current().number;
        let check = async move { examination.check(criteria).await };
        let verdicts = AbortOnDropHandle::new(self.environment.tracker.spawn(check));
        self.judging = Some(Judging { verdicts, texts, revision, began });
    }

    /// The criteria of the goal were checked. What was checked of another scene or other criteria does not
    /// count; the goal is still due then.
    pub(super) async fn judged(&mut self, judged: &Judged) {
        let can_plan = self.environment.models.can_plan(&self.model_id());
        let mut used = self.meter.take().of_goal();
        used.milliseconds = u64::try_from(judged.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let is_same_scene = self.scene.current().number == judged.revision;
        self.goal.change(|goal, tell| {
            goal.spend(used);
            let texts = goal.criteria.iter().map(|criterion| &criterion.text);
            if is_same_scene && goal.status.is_working() && texts.eq(&judged.texts) {
                for change in goal.judged(&judged.verdicts, can_plan) {
                    tell(change, goal);
                }
            }
        });
        self.tell_goal();
    }

    /// What looks have used, as usage of the session.
    pub(super) fn usage_of_looks(&self, model: &str, looked: &Spent) -> Usage {
        let llm::Usage { input_tokens, output_tokens, cached_tokens, .. } = looked.usage;
        let cost = (looked.calls > 0)
            .then(|| self.environment.models.cost(model, &looked.usage))
            .flatten();
        Usage { input_tokens, output_tokens, cached_tokens, context_tokens: None, cost }
    }
}
