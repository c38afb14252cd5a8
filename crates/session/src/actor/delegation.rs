//! The sub-agents of a run: their tools, and what they use.

use std::sync::Arc;

use agent::{Event, RunOptions, Tool, Toolbox};
use llm::{LanguageModel, RequestSettings};
use sub_agents::{Bench, OpenModel, OpenedModel};

use crate::event::Usage;

use super::Actor;

impl Actor {
    /// The tools that hand tasks to sub-agents, for a run of the model `id` with the tools `own`. A model that
    /// makes no plans hands over no tasks.
    pub(super) fn sub_agents(
        &self,
        id: &str,
        model: &Arc<dyn LanguageModel>,
        options: &RunOptions,
        own: &Toolbox,
    ) -> Vec<Arc<dyn Tool>> {
        if !self.environment.models.can_plan(id) {
            return Vec::new();
        }
        // A sub-agent's requests begin otherwise than those of the session.
        let settings = RequestSettings { cache_key: None, ..options.settings.clone() };
        let options = RunOptions { settings, ..options.clone() };
        let (scene, renderer) = (Arc::clone(&self.scene), self.renderer.clone());
        let bench = Bench::new(scene, renderer, self.opens_models(id, model), options);
        self.environment.agents.tools(&Arc::new(bench), &own.names())
    }

    /// Opens models for sub-agents: that of the session, whose id is `own`, or another one.
    fn opens_models(&self, own: &str, model: &Arc<dyn LanguageModel>) -> OpenModel {
        let models = Arc::clone(&self.environment.models);
        let used = self.state.usage.input_tokens + self.state.usage.output_tokens;
        let (own, model) = (Arc::<str>::from(own), Arc::clone(model));
        let session = Arc::clone(&self.state.id);
        Arc::new(move |wanted: Option<&str>| {
            // A script plays all models.
            if models.is_scripted() {
                return Ok(OpenedModel { id: Arc::clone(&own), model: Arc::clone(&model) });
            }
            let id = wanted.map_or_else(|| Arc::clone(&own), Arc::from);
            let known = models.contains(&id).then(|| models.open(&id, &session, used)).flatten();
            let model = known.ok_or_else(|| {
                let known = models.ids().join(", ");
                format!(
                    "its file names the model '{id}', which is not there; the models are: {known}"
                )
            })?;
            Ok(OpenedModel { id, model })
        })
    }

    /// Counts what the sub-agents of the run use.
    pub(super) fn note_delegated(&mut self, event: &Event) {
        let Event::Delegated { model, event, .. } = event else { return };
        let Event::TurnFinished { usage, .. } = &**event else { return };
        let used = Usage {
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            cached_tokens: usage.cached_tokens,
            context_tokens: None,
            cost: self.environment.models.cost(model, usage),
        };
        if let Some(running) = &mut self.running {
            running.delegated = running.delegated.plus(used);
        }
    }
}
