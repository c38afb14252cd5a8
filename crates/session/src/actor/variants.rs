//! Variants of a goal: each is a branch that forks where the goal was set.

use std::collections::BTreeMap;
use std::sync::Arc;

use goals::{Goal, GoalChange, VariantsPlan};
use serde_json::Value;

use crate::error::SessionError;
use crate::event::{ForkPoint, SessionEvent};
use crate::goal::{SceneCriteria, faults_of};

use super::Actor;

impl Actor {
    /// How variants of a goal are made that is set now. They fork here, so nothing else may be going on.
    pub(super) async fn plan_of_variants(
        &mut self,
        count: u32,
        models: Vec<String>,
        workflow: Option<&str>,
        parameters: &BTreeMap<String, String>,
    ) -> Result<VariantsPlan, SessionError> {
        if let Some(unknown) = models.iter().find(|id| !self.environment.models.contains(id)) {
            let known = self.environment.models.ids().join(", ");
            return Err(SessionError::UnknownModel { asked: unknown.clone(), known });
        }
        self.be_at_rest().await?;
        let conversation = &self.state.conversation;
        let chat = conversation.chat(conversation.active()).len();
        Ok(VariantsPlan {
            // Models alone make one variant each.
            count: count.max(u32::try_from(models.len()).unwrap_or(u32::MAX)),
            models,
            workflow: workflow.map(str::to_owned),
            parameters: parameters.clone(),
            own_model: self.model_id(),
            fork: (conversation.contents_len(), chat),
        })
    }

    /// Selects the model that makes the present variant, if one was named.
    pub(super) fn select_variant_model(&mut self, goal: &Goal) {
        let variants = goal.variants.as_ref();
        if let Some(model) = variants.and_then(|variants| variants.model()).map(str::to_owned) {
            self.select_model_of_goal(model);
        }
    }

    fn select_model_of_goal(&mut self, model: String) {
        if model != self.model_id() {
            let (effort, temperature) = (self.state.effort, self.state.temperature);
            self.tell(move |seq| SessionEvent::ModelSelected { seq, model, effort, temperature });
        }
    }

    /// Notes where the variant is that ended last, and how many likely mistakes its scene has.
    async fn measure_variant(&mut self, goal: &Goal) {
        let faults = faults_of(&self.examination(goal.began_at).await.report().await);
        let (branch, revision) = (self.state.conversation.active(), self.scene.current().number);
        let count = faults.messages().len();
        self.goal.change(|goal, _| goal.measure_variant(branch, revision, count));
    }

    /// Begins the next variant in a branch of its own.
    pub(super) async fn begin_variant(&mut self, goal: &Goal) {
        self.measure_variant(goal).await;
        let Some(variants) = &goal.variants else { return };
        let plan = variants.plan.clone();
        let conversation = &self.state.conversation;
        let (branch, branches) = (conversation.len(), conversation.len() + 1);
        let (contents, shared) = plan.fork;
        let mut chat = Arc::unwrap_or_clone(conversation.chat(conversation.active()));
        chat.truncate(shared);
        let fork = Some(ForkPoint { contents, revision: goal.began_at });
        self.tell(move |seq| SessionEvent::BranchSelected { seq, branch, branches, chat, fork });
        let gone = self.go_to_revision(goal.began_at).await;
        let workflow = plan.workflow.as_deref().map(|name| self.environment.workflows.get(name));
        let (revision, assets) = self.scene.with_assets();
        let by = SceneCriteria {
            base: &revision.scene,
            after: &revision.scene,
            assets: &*assets,
            report: &Value::Null,
        };
        self.goal.change(|goal, tell| {
            if let Some(change) = goal.begin_variant() {
                tell(change, goal);
            }
            let followed = match (&gone, workflow) {
                (Err(error), _) => Err(error.to_string()),
                (Ok(()), None) => return,
                (Ok(()), Some(workflow)) => workflow
                    .and_then(|workflow| workflow.filled_for(&plan.parameters, goal.variant()))
                    .map_err(|error| error.to_string())
                    .and_then(|workflow| {
                        goal.follow(&workflow, &by).map_err(|error| error.to_string())
                    }),
            };
            let change = followed.unwrap_or_else(|error| goal.block(&error));
            tell(change, goal);
        });
        if let Some(goal) = self.goal.get() {
            self.select_variant_model(&goal);
        }
    }

    /// All variants are made: the best is shown, and the goal ends as it did.
    pub(super) async fn choose_best_variant(&mut self, goal: &Goal, best: u32) {
        self.measure_variant(goal).await;
        // The faults of the last one count, too.
        let ranked = self.goal.get().and_then(|goal| Some(goal.variants?.ranked()));
        let best = ranked.and_then(|ranked| ranked.first().copied()).unwrap_or(best);
        if let Err(error) = self.choose_variant(best).await {
            self.goal.change(|goal, tell| {
                if let Ok(change) = goal.pause(Some(error.to_string())) {
                    tell(change, goal);
                }
            });
            return;
        }
        self.goal.change(|goal, tell| {
            let (status, reason) = (goal.status, goal.reason.clone().unwrap_or_default());
            tell(GoalChange::Finished { status, reason }, goal);
        });
    }

    /// Chooses a variant for the user.
    pub(super) async fn choose_variant_for_user(
        &mut self,
        number: u32,
    ) -> Result<Goal, SessionError> {
        let mut goal = self.goal.get().ok_or(SessionError::NoGoal)?;
        // What the goal says against it tells more than that something is going on.
        goal.choose_variant(number).map_err(|error| SessionError::BadGoal(error.to_string()))?;
        self.be_at_rest().await?;
        self.choose_variant(number).await?;
        self.goal.get().ok_or(SessionError::NoGoal)
    }

    async fn choose_variant(&mut self, number: u32) -> Result<(), SessionError> {
        let goal = self.goal.get().ok_or(SessionError::NoGoal)?;
        if let Some(branch) = goal.branch_of_variant(number) {
            self.go_to_branch(branch).await?;
        }
        let chosen = self.goal.change(|goal, tell| {
            let change = goal.choose_variant(number);
            let change = change.map_err(|error| SessionError::BadGoal(error.to_string()))?;
            tell(change, goal);
            Ok(goal.variants.as_ref().map(|variants| variants.plan.own_model.clone()))
        });
        let own_model = chosen.unwrap_or(Err(SessionError::NoGoal))?;
        if let Some(model) = own_model.filter(|model| self.environment.models.contains(model)) {
            self.select_model_of_goal(model);
        }
        Ok(())
    }
}
