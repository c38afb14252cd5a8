//! A scene, agents, and a scripted model for each.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use agent::{Event, Inbox, Outcome, Run, RunOptions, Toolbox};
use llm::{Content, Gate, LanguageModel, Part, Scripted, Step};
use scene::{Scene, SceneManager};
use serde_json::{Value, json};
use studio::{Attention, Renderer, SceneContext, SharedScene};
use sub_agents::{Bench, OpenModel, OpenedModel, SubAgent, SubAgents};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// A step that calls a tool.
pub(crate) fn call(name: &str, args: &Value) -> Step {
    Step::part(Part::call(None, name, args.clone()))
}

pub(crate) fn says(text: &str) -> Vec<Step> {
    vec![Step::text(text)]
}

/// A step that waits.
pub(crate) fn waits(gate: &Gate) -> Step {
    Step::Gate(gate.clone())
}

/// A ball at `x`, in a group.
pub(crate) fn ball(id: &str, group: &str, x: f64) -> Value {
    let mut ball =
        json!({ "id": id, "type": "sphere", "properties": { "center": [x, 0, 0], "radius": 0.4 } });
    if !group.is_empty() {
        ball["group"] = group.into();
    }
    ball
}

/// An agent of this name whose model has the same name.
pub(crate) fn agent(name: &str, may_change: &str) -> SubAgent {
    let text = format!(
        "name = \"{name}\"\ndescription = \"d\"\ninstruction = \"Be good.\"\nmodel = \"{name}\"\n{may_change}"
    );
    SubAgent::parse("test.toml", &text).unwrap()
}

/// Balls `red` and `blue` in groups of the same names, and one in no group; a light.
pub(crate) fn scene() -> Scene {
    let scene = json!({
        "version": 1,
        "shapes": [ball("red", "reds", 0.0), ball("blue", "blues", 2.0), ball("free", "", 4.0)],
        "lights": [{ "id": "lamp", "type": "area_sphere_light",
            "properties": { "center": [0, 3, 0], "radius": 0.1, "emission": [10, 10, 10] } }],
    });
    Scene::from_json(&scene).unwrap()
}

pub(crate) struct Stage {
    pub(crate) scene: Arc<SharedScene>,
    pub(crate) cancel: CancellationToken,
    agents: SubAgents,
    models: HashMap<String, Arc<dyn LanguageModel>>,
}

impl Stage {
    pub(crate) fn new() -> Self {
        let manager = SceneManager::new(scene());
        Self {
            scene: Arc::new(SharedScene::new(manager, Attention::default())),
            cancel: CancellationToken::new(),
            agents: SubAgents::default(),
            models: HashMap::new(),
        }
    }

    /// Adds an agent and its model.
    pub(crate) fn with(mut self, agent: SubAgent, model: Arc<dyn LanguageModel>) -> Self {
        self.models.insert(agent.name.clone(), model);
        self.agents.add(agent);
        self
    }

    /// Adds an agent and a script for its model.
    pub(crate) fn with_script(
        self,
        agent: SubAgent,
        answers: Vec<Vec<Step>>,
    ) -> (Self, Arc<Scripted>) {
        let model = Arc::new(Scripted::new(answers));
        (self.with(agent, Arc::clone(&model) as _), model)
    }

    fn tools(&self) -> Toolbox {
        let models = self.models.clone();
        let open: OpenModel = Arc::new(move |wanted| {
            let id = wanted.unwrap_or("session").to_owned();
            let model = models.get(&id).ok_or_else(|| format!("no model '{id}'"))?;
            Ok(OpenedModel { id: id.as_str().into(), model: Arc::clone(model) })
        });
        let renderer = Renderer::new(1).unwrap();
        let bench = Bench::new(Arc::clone(&self.scene), renderer, open, RunOptions::default());
        Toolbox::new(self.agents.tools(&Arc::new(bench), &BTreeSet::new()))
    }

    /// A model that gives these answers works with the agents; its events, in order.
    pub(crate) async fn run(&self, answers: Vec<Vec<Step>>) -> (Outcome, Vec<Event>) {
        let (sender, mut receiver) = mpsc::channel(4);
        let inbox = Inbox::default();
        inbox.push("u1", Content::user("go"));
        self.scene.run_began();
        let run = tokio::spawn(agent::run(Run {
            history: Vec::new(),
            model: Arc::new(Scripted::new(answers)),
            tools: self.tools(),
            instruction: "Delegate.".into(),
            context: Arc::new(SceneContext::new(Arc::clone(&self.scene))),
            max_turns: 10,
            inbox,
            events: sender,
            cancel: self.cancel.clone(),
            options: RunOptions::default(),
        }));
        let mut events = Vec::new();
        while let Some(event) = receiver.recv().await {
            events.push(event);
        }
        self.scene.run_ended();
        (run.await.unwrap(), events)
    }

    pub(crate) fn now(&self) -> Arc<Scene> {
        self.scene.current().scene
    }
}

/// The answers of the calls of the model itself, in the order in which they ended.
pub(crate) fn responses(events: &[Event]) -> Vec<Value> {
    let response = |event: &Event| match event {
        Event::ToolFinished { response, .. } => Some(response.clone()),
        _ => None,
    };
    events.iter().filter_map(response).collect()
}

/// What sub-agents called and the answers they got, each with the call that they work for.
pub(crate) fn delegated(events: &[Event]) -> Vec<(String, String, Value)> {
    let finished = |event: &Event| match event {
        Event::Delegated { parent, event, .. } => match &**event {
            Event::ToolFinished { name, response, .. } => {
                Some((parent.clone(), name.clone(), response.clone()))
            }
            _ => None,
        },
        _ => None,
    };
    events.iter().filter_map(finished).collect()
}
