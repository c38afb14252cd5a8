//! A conversation with the model over a scene of its own.

use evaluation::{Expectation, Moment};
use futures_util::{FutureExt, StreamExt};
use llm::{Chunk, Content, LanguageModel, Part, Request};
use offline::Offline;
use scene::{Edit, NoAssets, Scene, SceneManager};
use serde_json::{Value, json};

/// A conversation.
pub(crate) struct Stage {
    manager: SceneManager,
    contents: Vec<Content>,
    scenes: Vec<Scene>,
}

impl Stage {
    /// Over a scene.
    pub(crate) fn over(scene: Scene) -> Self {
        let manager = SceneManager::new(scene.clone());
        Self { manager, contents: Vec::new(), scenes: vec![scene] }
    }

    /// Over one of the scenes of the evaluation.
    pub(crate) fn with(name: &str) -> Self {
        let path = format!("{}/../../evals/scenes/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        Self::over(Scene::from_json(&file).unwrap())
    }

    pub(crate) fn scene(&self) -> &Scene {
        &self.manager.current().scene
    }

    /// Says something, does what the model calls for, and gives its words.
    pub(crate) fn say(&mut self, message: &str) -> String {
        const MAX_REQUESTS: usize = 8;
        self.contents.push(Content::user(message));
        let mut said = String::new();
        for _ in 0..MAX_REQUESTS {
            let request = Request { contents: self.contents.clone(), ..Request::default() };
            let chunks = Offline.stream(request).collect::<Vec<_>>().now_or_never().unwrap();
            let parts = chunks.into_iter().filter_map(|chunk| match chunk {
                Ok(Chunk::Part(part)) => Some(part),
                _ => None,
            });
            let answer = Content::model(parts.collect());
            said = answer.visible_text();
            let responses: Vec<Part> = answer
                .calls()
                .map(|call| {
                    let args = call.args.cloned().unwrap_or(Value::Null);
                    Part::response(call.id, call.name, self.perform(call.name, &args), Vec::new())
                })
                .collect();
            self.contents.push(answer);
            if responses.is_empty() {
                break;
            }
            self.contents.push(Content::function(responses));
        }
        self.scenes.push(self.scene().clone());
        said
    }

    fn perform(&mut self, name: &str, args: &Value) -> Value {
        if name == "get_scene_state" {
            return json!({ "success": true, "result": self.scene().to_json() });
        }
        match Edit::parse(name, args).and_then(|edit| self.manager.apply(&[edit])) {
            Ok(applied) => json!({ "success": true, "result": applied.results[0] }),
            Err(violations) => json!({ "success": false, "error": violations.to_string() }),
        }
    }

    /// Says something; afterwards the expectations have to hold.
    pub(crate) fn expect(&mut self, message: &str, expectations: &[&str]) {
        let answer = self.say(message);
        let [earlier @ .., before, after] = self.scenes.as_slice() else { return };
        let moment = Moment::new(before, after, earlier.last(), &answer, &NoAssets);
        for expectation in expectations {
            let parsed = Expectation::parse(expectation).unwrap();
            if let Err(found) = parsed.check(&moment) {
                panic!("“{message}”, {expectation}: {found}; the answer: {answer}");
            }
        }
    }
}
