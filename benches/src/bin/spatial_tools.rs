//! What each tool costs in a scene of 1,000 objects: from the arguments to the answer with its facts,
//! as the model calls it. Nothing else runs; the figures are wall time, the bar is 5 ms.

use std::sync::Arc;
use std::time::{Duration, Instant};

use agent::Toolbox;
use benches::summary;
use scene::{Scene, SceneManager};
use serde_json::{Map, Value, json};
use studio::{Attention, Author, Renderer, SharedScene, toolbox};

/// Objects besides the floor.
const OBJECTS: usize = 999;
const RUNS: usize = 60;

/// Shapes of all kinds in rows on a floor, some touching, a tenth of them in groups of three.
fn crowd() -> Scene {
    let floor = json!({ "corner": [-60, 0, 60], "u": [120, 0, 0], "v": [0, 0, -120] });
    let mut shapes = vec![json!({ "id": "floor", "type": "quad", "properties": floor })];
    for at in 0..OBJECTS {
        let (x, z) = ((at % 32) as f64 * 1.5 - 24.0, (at / 32) as f64 * -1.5);
        let (kind, properties) = match at % 5 {
            0 => ("sphere", json!({ "center": [x, 0.5, z], "radius": 0.5 })),
            1 => (
                "box",
                json!({ "center": [x, 0.5, z], "dimensions": [1, 1, 1], "rotation": [0, at, 0] }),
            ),
            2 => (
                "cylinder",
                json!({ "base_center": [x, 0, z], "top_center": [x, 1, z], "radius": 0.5, "capped": true }),
            ),
            3 => (
                "cone",
                json!({ "base_center": [x, 0, z], "top_center": [x, 1, z], "base_radius": 0.5,
                                   "top_radius": 0.1, "capped": true }),
            ),
            _ => (
                "cylinder",
                json!({ "base_center": [x - 0.4, 0.3, z], "top_center": [x + 0.4, 0.3, z],
                                       "radius": 0.3, "capped": true }),
            ),
        };
        let mut shape =
            json!({ "id": format!("thing_{at}"), "type": kind, "properties": properties });
        if at % 30 < 3 {
            shape["group"] = format!("group_{}", at / 30).into();
        }
        shapes.push(shape);
    }
    let camera = json!({ "center": [0, 14, 16], "look_at": [0, 0, -14], "vfov": 60 });
    let lamp = json!({ "id": "lamp", "type": "area_sphere_light",
        "properties": { "center": [0, 40, 0], "radius": 4, "emission": [60, 60, 60] } });
    let file = json!({ "version": 1, "shapes": shapes, "lights": [lamp], "camera": camera });
    Scene::from_json(&file).expect("a good scene")
}

fn calls() -> Vec<(&'static str, &'static str, Value)> {
    vec![
        (
            "create_shape",
            "create_shape",
            json!({ "id": "new", "type": "sphere", "properties": { "center": [0, 3, 0], "radius": 0.4 } }),
        ),
        (
            "update_shape",
            "update_shape",
            json!({ "id": "thing_500", "updates": { "properties": { "radius": 0.45 } } }),
        ),
        ("measure two", "measure", json!({ "ids": ["thing_1", "thing_700"] })),
        (
            "measure ten",
            "measure",
            json!({ "ids": ["thing_1", "thing_2", "thing_3", "thing_4", "thing_5", "thing_6", "thing_7", "thing_8", "thing_9", "thing_10"] }),
        ),
        ("check_scene", "check_scene", json!({})),
        ("place on", "place", json!({ "ids": ["thing_1"], "relation": "on", "to": ["thing_500"] })),
        (
            "place next_to",
            "place",
            json!({ "ids": ["thing_1"], "relation": "next_to", "to": ["thing_500"] }),
        ),
        (
            "place around",
            "place",
            json!({ "ids": ["thing_1", "thing_2", "thing_3", "thing_6"], "relation": "around", "to": ["thing_500"] }),
        ),
        ("align", "align", json!({ "ids": ["thing_1", "thing_40", "thing_80"], "axis": "x" })),
        (
            "distribute",
            "distribute",
            json!({ "ids": ["thing_5", "thing_16", "thing_25"], "axis": "x" }),
        ),
        (
            "array circle of 24",
            "array",
            json!({ "id": "thing_1", "pattern": "circle", "count": 24, "radius": 40 }),
        ),
        (
            "array scatter of 30",
            "array",
            json!({ "id": "thing_1", "pattern": "scatter", "count": 30, "radius": 50, "on": "floor" }),
        ),
        (
            "array grid of 200",
            "array",
            json!({ "id": "thing_1", "pattern": "grid", "counts": [10, 2, 10], "step": [3, 3, 3] }),
        ),
        ("duplicate", "duplicate", json!({ "ids": ["thing_1"], "offset": [0, 5, 0] })),
        ("mirror", "mirror", json!({ "ids": ["group_3"], "axis": "z", "at": 10 })),
        ("group", "group", json!({ "id": "some", "ids": ["thing_10", "thing_11"] })),
        ("ungroup", "ungroup", json!({ "id": "group_3" })),
        ("move a group", "move", json!({ "ids": ["group_3"], "by": [0, 0.5, 0] })),
        ("rotate", "rotate", json!({ "ids": ["thing_11"], "by": [0, 10, 0] })),
        ("scale", "scale", json!({ "ids": ["thing_11"], "by": 1.1 })),
        ("look_at", "look_at", json!({ "id": "thing_77" })),
        ("frame all", "frame", json!({})),
        ("select_objects", "select_objects", json!({ "kind": "box", "colour": "grey" })),
        (
            "edit_scene with 10 calls",
            "edit_scene",
            json!({ "calls": (0..10).map(|at| json!({ "name": "move",
            "args": { "ids": [format!("thing_{at}")], "by": [0, 0.1, 0] } })).collect::<Vec<_>>() }),
        ),
    ]
}

#[tokio::main]
async fn main() {
    let scene = Arc::new(SharedScene::new(SceneManager::new(crowd()), Attention::default()));
    let renderer = Renderer::new(0).expect("a renderer");
    let tools = toolbox(&scene, &renderer, studio::Author::Model);
    let mut report = Map::new();
    for (label, name, args) in calls() {
        let times = measure(&scene, &tools, name, &args).await;
        report.insert(label.into(), summary(times));
    }
    println!("{:#}", json!({ "tools_at_1000_objects": report }));
}

async fn measure(scene: &SharedScene, tools: &Toolbox, name: &str, args: &Value) -> Vec<Duration> {
    let tool = tools.get(name).expect("a tool of this name");
    let mut times = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        let (args, before) = (args.clone(), scene.current().number);
        let started = Instant::now();
        let output = tool.call(args).await;
        times.push(started.elapsed());
        if let Err(error) = &output.outcome {
            panic!("{name}: {error}");
        }
        if output.version.is_some_and(|version| version != before) {
            scene.undo(Author::Model).expect("something to undo");
            scene.take_published(u64::MAX);
        }
    }
    times
}
