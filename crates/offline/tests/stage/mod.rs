//! A stage for conversations: runs the model's calls on a real `SceneManager`, as the loop does.

#![expect(clippy::expect_used, reason = "a stage that cannot be set up fails its test")]

use futures_util::{FutureExt, StreamExt};
use llm::{Chunk, Content, LanguageModel, Part, Request, ToolDeclaration};
use offline::Offline;
use scene::{Edit, Scene, SceneManager};
use serde_json::{Value, json};

/// No message may need more requests than this.
pub(crate) const MOST_REQUESTS: usize = 6;

/// A session without sockets.
pub(crate) struct Stage {
    pub(crate) manager: SceneManager,
    pub(crate) contents: Vec<Content>,
    /// The calls of the last message that change or check the scene, as "name id".
    pub(crate) calls: Vec<String>,
    /// The tools that are offered besides those that every answer may use.
    pub(crate) tools: Vec<ToolDeclaration>,
}

impl Stage {
    pub(crate) fn new() -> Self {
        Self {
            manager: SceneManager::default(),
            contents: Vec::new(),
            calls: Vec::new(),
            tools: Vec::new(),
        }
    }

    /// A session whose scene can be checked.
    pub(crate) fn with_check() -> Self {
        let check = ToolDeclaration {
            name: "check_scene".to_owned(),
            description: String::new(),
            parameters: json!({ "type": "object", "properties": {} }),
        };
        Self { tools: vec![check], ..Self::new() }
    }

    /// A session over a scene that is there already.
    pub(crate) fn with(scene: &Value) -> Self {
        let scene = Scene::from_json(scene).expect("a valid scene");
        Self { manager: SceneManager::new(scene), ..Self::new() }
    }

    /// Sends a message and runs it to its end; the final answer.
    pub(crate) fn say(&mut self, message: &str) -> String {
        self.contents.push(Content::user(message));
        self.calls.clear();
        for _ in 0..MOST_REQUESTS {
            if let Some(answer) = self.step() {
                return answer;
            }
        }
        panic!("no answer within {MOST_REQUESTS} requests to: {message}");
    }

    /// One request and the calls that follow from it; the text when there were none.
    pub(crate) fn step(&mut self) -> Option<String> {
        let parts = ask_with(&self.contents, &self.tools);
        let answer = Content::model(parts);
        let text = answer.visible_text();
        let responses: Vec<Part> = answer
            .calls()
            .map(|call| {
                let args = call.args.cloned().unwrap_or(Value::Null);
                let response = self.perform(call.name, &args);
                Part::response(call.id, call.name, response, Vec::new())
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
            return json!({ "success": true, "result": self.scene() });
        }
        if name == "check_scene" {
            self.calls.push(name.to_owned());
            return json!({ "success": true, "result": self.findings() });
        }
        let id = args.get("id").and_then(Value::as_str).unwrap_or_default();
        self.calls.push(format!("{name} {id}").trim().to_owned());
        let result = Edit::parse(name, args).and_then(|edit| self.manager.apply(&[edit]));
        match result {
            Ok(applied) => json!({ "success": true, "result": applied.results[0] }),
            Err(violations) => json!({ "success": false, "error": violations.to_string() }),
        }
    }

    /// What geometry alone finds wrong.
    fn findings(&self) -> Value {
        let scene = &self.manager.current().scene;
        let space = spatial::Space::of(scene, &scene::NoAssets);
        let findings = spatial::check(&space, &mut |_| spatial::Sight::Seen);
        let found: Vec<Value> = findings.found.iter().map(spatial::Finding::to_json).collect();
        json!({ "ok": found.is_empty(), "findings": found })
    }

    /// Nothing that was made sinks into the ground or cuts into another thing, but for the parts
    /// of one group and what was told to.
    pub(crate) fn check_sound(&self, message: &str, answer: &str) {
        let told_so = ["overlaps", "below the floor", "out of range"];
        if told_so.iter().any(|words| answer.contains(words)) {
            return;
        }
        let scene = &self.manager.current().scene;
        let told = ["at ", "inside", "down", "called", "snowman", "it "];
        if told.iter().any(|word| message.contains(word)) {
            return;
        }
        let solid: Vec<_> = scene
            .shapes
            .iter()
            .filter_map(|shape| Some((shape, shape.geometry.bounds()?)))
            .filter(|(shape, bounds)| bounds.size()[1] > 0.0 && !shape.id.as_str().contains("wall"))
            .collect();
        for (index, (a, bounds)) in solid.iter().enumerate() {
            assert!(bounds.min[1] > -1e-3, "{message}: {} is in the ground", a.id);
            for (b, other) in &solid[index + 1..] {
                let meets = (0..3).all(|axis| {
                    bounds.min[axis] + 1e-4 < other.max[axis]
                        && other.min[axis] + 1e-4 < bounds.max[axis]
                });
                let same_group = a.group.is_some() && a.group == b.group;
                assert!(!meets || same_group, "{message}: {} meets {}", a.id, b.id);
            }
        }
    }

    /// The calls of the last message, one line for each run of the same tool.
    pub(crate) fn shown_calls(&self) -> String {
        let mut runs: Vec<(&str, Vec<&str>)> = Vec::new();
        for call in &self.calls {
            let (name, id) = call.split_once(' ').unwrap_or((call, ""));
            match runs.last_mut() {
                Some((last, ids)) if *last == name => ids.push(id),
                _ => runs.push((name, vec![id])),
            }
        }
        let lines = runs.into_iter().map(|(name, ids)| match ids.as_slice() {
            [first, .., last] if ids.len() > 14 => {
                format!("  {name} {first} .. {last} ({} calls)\n", ids.len())
            }
            _ => format!("  {}\n", format!("{name} {}", ids.join(", ")).trim()),
        });
        lines.collect()
    }

    pub(crate) fn scene(&self) -> Value {
        self.manager.current().scene.to_json()
    }

    /// The scene in one line per object: id, type, where its box is, what it is made of.
    pub(crate) fn shown(&self) -> String {
        let scene = &self.manager.current().scene;
        let mut lines = Vec::new();
        for shape in &scene.shapes {
            let bounds = shape.geometry.bounds().expect("no meshes here");
            let material = shape.material.to_json();
            lines.push(format!(
                "{} {} {}..{} {}",
                shape.id,
                shape.geometry.type_name(),
                triple(bounds.min),
                triple(bounds.max),
                material_text(&material)
            ));
        }
        for light in &scene.lights {
            let bounds = light.light.bounds();
            let emission = light.to_json()["properties"]["emission"].clone();
            lines.push(format!(
                "{} {} {}..{} {emission}",
                light.id,
                light.light.type_name(),
                triple(bounds.min),
                triple(bounds.max),
            ));
        }
        lines.join("\n")
    }
}

/// One request to the model; all of its parts.
pub(crate) fn ask(contents: &[Content]) -> Vec<Part> {
    ask_with(contents, &[])
}

fn ask_with(contents: &[Content], tools: &[ToolDeclaration]) -> Vec<Part> {
    let request =
        Request { contents: contents.to_vec(), tools: tools.to_vec(), ..Request::default() };
    let chunks = Offline.stream(request).collect::<Vec<_>>().now_or_never().expect("instant");
    chunks
        .into_iter()
        .filter_map(|chunk| match chunk.expect("no errors") {
            Chunk::Part(part) => Some(part),
            _ => None,
        })
        .collect()
}

/// A scene to talk about: a floor, three spheres, a box with a cone beside it, a lamp.
pub(crate) fn desk() -> Value {
    let shape = |id: &str, kind: &str, properties: Value, colour: [f64; 3]| {
        let mut properties = properties;
        properties["material"] = json!({ "type": "lambertian", "albedo": colour });
        json!({ "id": id, "type": kind, "properties": properties })
    };
    let sphere = |id: &str, x: f64, z: f64, radius: f64, colour: [f64; 3]| {
        shape(id, "sphere", json!({ "center": [x, radius, z], "radius": radius }), colour)
    };
    json!({
        "version": 1,
        "shapes": [
            shape(
                "floor",
                "quad",
                json!({ "corner": [-10, 0, -10], "u": [0, 0, 20], "v": [20, 0, 0] }),
                [0.5, 0.5, 0.5],
            ),
            sphere("red_sphere", 0.0, 0.0, 1.0, [1.0, 0.0, 0.0]),
            sphere("green_sphere", -3.0, 0.0, 0.5, [0.0, 0.216, 0.0]),
            sphere("ball_3", 0.0, -3.0, 0.4, [0.5, 0.5, 0.5]),
            shape(
                "blue_box",
                "box",
                json!({ "center": [3, 0.75, 0], "dimensions": [1.5, 1.5, 1.5] }),
                [0.0, 0.0, 1.0],
            ),
            shape(
                "cone",
                "cone",
                json!({
                    "base_center": [3, 0, 3], "base_radius": 0.5, "top_center": [3, 1, 3],
                    "top_radius": 0, "capped": true,
                }),
                [1.0, 1.0, 1.0],
            ),
        ],
        "lights": [{
            "id": "lamp",
            "type": "area_quad_light",
            "properties": {
                "corner": [-0.5, 5, -0.5], "u": [1, 0, 0], "v": [0, 0, 1], "emission": [10, 10, 10],
            },
        }],
        "camera": { "center": [0, 3, 9], "look_at": [0, 1, 0] },
    })
}

fn triple(point: [f64; 3]) -> String {
    let [x, y, z] = point.map(|value| (value * 100.0).round() / 100.0 + 0.0);
    format!("({x},{y},{z})")
}

fn material_text(material: &Value) -> String {
    let values: Vec<String> = material
        .as_object()
        .into_iter()
        .flatten()
        .map(|(_, value)| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
        .collect();
    values.join(" ")
}
