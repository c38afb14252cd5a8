//! A conversation with the model over a scene of its own.

use evaluation::{Expectation, Moment};
use futures_util::{FutureExt, StreamExt};
use llm::{Chunk, Content, LanguageModel, Part, Request, ToolDeclaration};
use offline::Offline;
use scene::{Edit, NoAssets, Scene, SceneManager};
use serde_json::{Value, json};

/// No message needs more requests than these.
const MAX_REQUESTS: usize = 8;

/// A conversation.
pub(crate) struct Stage {
    pub(crate) manager: SceneManager,
    pub(crate) contents: Vec<Content>,
    scenes: Vec<Scene>,
    /// The tools that are offered besides those that every answer may use.
    tools: Vec<&'static str>,
    /// The calls of the last message but for looks.
    pub(crate) calls: Vec<(String, Value)>,
}

impl Stage {
    /// Over a scene.
    pub(crate) fn over(scene: Scene) -> Self {
        let manager = SceneManager::new(scene.clone());
        let (contents, calls, tools) = (Vec::new(), Vec::new(), Vec::new());
        Self { manager, contents, scenes: vec![scene], tools, calls }
    }

    /// Over one of the scenes of the evaluation.
    pub(crate) fn with(name: &str) -> Self {
        Self::over(scene(name))
    }

    /// With batches and checks of the scene.
    pub(crate) fn with_tools(mut self) -> Self {
        self.tools = vec!["edit_scene", "check_scene"];
        self
    }

    pub(crate) fn scene(&self) -> &Scene {
        &self.manager.current().scene
    }

    /// Says something, does what the model calls for, and gives its words.
    pub(crate) fn say(&mut self, message: &str) -> String {
        self.contents.push(Content::user(message));
        self.calls.clear();
        for _ in 0..MAX_REQUESTS {
            if let Some(answer) = self.step() {
                self.scenes.push(self.scene().clone());
                return answer;
            }
        }
        panic!("no answer within {MAX_REQUESTS} requests to: {message}");
    }

    /// One request and the calls that follow from it; the text when there were none.
    pub(crate) fn step(&mut self) -> Option<String> {
        let answer = next(&self.contents, &self.tools);
        let text = answer.visible_text();
        let responses: Vec<Part> = answer
            .calls()
            .map(|call| {
                let args = call.args.cloned().unwrap_or(Value::Null);
                Part::response(call.id, call.name, self.perform(call.name, &args), Vec::new())
            })
            .collect();
        self.contents.push(answer);
        if responses.is_empty() {
            assert!(!text.trim().is_empty(), "an answer without words");
            return Some(text);
        }
        self.contents.push(Content::function(responses));
        None
    }

    fn perform(&mut self, name: &str, args: &Value) -> Value {
        if name == "get_scene_state" {
            return json!({ "success": true, "result": self.scene().to_json() });
        }
        self.calls.push((name.to_owned(), args.clone()));
        if name == "check_scene" {
            return json!({ "success": true, "result": self.findings() });
        }
        let calls = match args["calls"].as_array() {
            Some(calls) => calls
                .iter()
                .map(|call| (call["name"].as_str().unwrap_or(""), &call["args"]))
                .collect(),
            None => vec![(name, args)],
        };
        let edits: Result<Vec<Edit>, _> =
            calls.iter().map(|(name, args)| Edit::parse(name, args)).collect();
        match edits.and_then(|edits| self.manager.apply(&edits)) {
            Ok(applied) => json!({ "success": true, "result": applied.results[0] }),
            Err(violations) => json!({ "success": false, "error": violations.to_string() }),
        }
    }

    /// What geometry alone finds wrong.
    fn findings(&self) -> Value {
        let space = spatial::Space::of(self.scene(), &NoAssets);
        let findings = spatial::check(&space, &mut |_| spatial::Sight::Seen);
        let found: Vec<Value> = findings.found.iter().map(spatial::Finding::to_json).collect();
        json!({ "ok": found.is_empty(), "findings": found })
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

/// One of the scenes of the evaluation.
pub(crate) fn scene(name: &str) -> Scene {
    let path = format!("{}/../../evals/scenes/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    Scene::from_json(&file).unwrap()
}

/// The model's next answer to a history.
pub(crate) fn next(contents: &[Content], tools: &[&str]) -> Content {
    let tool = |name: &&str| ToolDeclaration {
        name: (*name).to_owned(),
        description: String::new(),
        parameters: json!({ "type": "object", "properties": {} }).into(),
    };
    let request = Request {
        contents: contents.to_vec(),
        tools: tools.iter().map(tool).collect(),
        ..Request::default()
    };
    let chunks = Offline.stream(request).collect::<Vec<_>>().now_or_never().unwrap();
    let parts = chunks.into_iter().filter_map(|chunk| match chunk {
        Ok(Chunk::Part(part)) => Some(part),
        _ => None,
    });
    Content::model(parts.collect())
}
