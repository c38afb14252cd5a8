//! What agents may change is decided where edits are applied.

use llm::Gate;
use serde_json::{Value, json};

use crate::stage::{Stage, agent, ball, call, delegated, responses, says, waits};

const LIGHTS: &str = "[may_change]\nkinds = [\"light\", \"environment\"]";
const SHAPES: &str = "[may_change]\nkinds = [\"shape\", \"group\"]";

fn task(groups: &[&str]) -> Value {
    match groups {
        [] => json!({ "task": "do it" }),
        groups => json!({ "task": "do it", "groups": groups }),
    }
}

#[tokio::test]
async fn an_agent_works_with_a_history_of_its_own_and_answers_with_summary_ids_and_usage() {
    let (stage, model) = Stage::new().with_script(
        agent("artist", LIGHTS),
        vec![
            vec![call(
                "update_light",
                &json!({ "id": "lamp", "updates": { "properties": { "emission": [5, 5, 5] } } }),
            )],
            says("It is darker now."),
        ],
    );
    let (_, events) = stage
        .run(vec![
            vec![call("delegate_to_artist", &json!({ "task": "make it darker" }))],
            says("Done."),
        ])
        .await;
    let own = responses(&events);
    let [response] = &own[..] else { panic!("{events:?}") };
    assert_eq!(response["success"], true, "{response}");
    let result = &response["result"];
    assert_eq!(result["summary"], "It is darker now.");
    assert_eq!(result["changed_ids"], json!(["lamp"]));
    assert_eq!((&result["usage"]["turns"], &result["usage"]["tool_calls"]), (&json!(2), &json!(1)));
    assert_eq!(result["usage"]["model"], "artist");
    // Its events carry the call it works for.
    let of_agent = delegated(&events);
    let [(parent, name, _)] = &of_agent[..] else { panic!("{events:?}") };
    assert_eq!((parent.as_str(), name.as_str()), ("m1.call1", "update_light"));
    let first = &model.requests()[0];
    assert!(first.system_instruction.contains("Be good."));
    let told = serde_json::to_string(&first.contents).unwrap();
    assert!(told.contains("make it darker") && told.contains("The scene as it is now"), "{told}");
    assert!(!told.contains("\"go\""), "the conversation stays with the model: {told}");
}

#[tokio::test]
async fn what_an_agent_may_not_touch_is_refused_and_the_scene_stays() {
    let recolours = json!({ "id": "red", "updates": { "properties": { "radius": 2 } } });
    let (stage, _) = Stage::new().with_script(
        agent("artist", LIGHTS),
        vec![
            vec![
                call("update_shape", &recolours),
                call("remove", &json!({ "ids": ["blue"] })),
                call("set_camera", &json!({ "vfov": 20 })),
                call("move", &json!({ "ids": ["lamp", "red"], "by": [1, 0, 0] })),
            ],
            says("I could not."),
        ],
    );
    let before = stage.now();
    let (_, events) =
        stage.run(vec![vec![call("delegate_to_artist", &task(&[]))], says("Well.")]).await;
    assert_eq!(stage.now(), before);
    let refused = delegated(&events);
    let words = ["shape 'red' may not be changed", "shape 'blue'", "the camera", "shape 'red'"];
    assert_eq!(refused.len(), words.len());
    for ((_, name, response), words) in refused.iter().zip(words) {
        let error = response["error"].as_str().unwrap_or_default();
        assert!(error.contains(words), "{name}: {response}");
    }
    let error = refused[0].2["error"].as_str().unwrap();
    assert!(error.contains("which may change: light, environment"), "{error}");
    assert_eq!(responses(&events)[0]["result"]["changed_ids"], json!([]));
}

#[tokio::test]
async fn a_batch_stops_at_what_may_not_be_touched_and_keeps_what_came_before() {
    let batch = json!({ "calls": [
        { "name": "update_light", "args": { "id": "lamp", "updates": { "properties": { "emission": [1, 1, 1] } } } },
        { "name": "update_shape", "args": { "id": "red", "updates": { "properties": { "radius": 2 } } } },
    ] });
    let (stage, _) = Stage::new().with_script(
        agent("artist", LIGHTS),
        vec![vec![call("edit_scene", &batch)], says("Half of it.")],
    );
    let before = stage.now();
    let (_, events) =
        stage.run(vec![vec![call("delegate_to_artist", &task(&[]))], says("Well.")]).await;
    let response = &delegated(&events)[0].2;
    assert!(response["error"].as_str().unwrap().contains("call 2 (update_shape): shape 'red'"));
    assert_eq!(stage.now().shapes, before.shapes);
    assert_ne!(stage.now().lights, before.lights);
    assert_eq!(responses(&events)[0]["result"]["changed_ids"], json!(["lamp"]));
}

#[tokio::test]
async fn groups_and_properties_bound_an_agent_and_what_it_adds_is_its_own() {
    let painter = "[may_change]\nkinds = [\"shape\"]\nproperties = [\"material\"]";
    let red = json!({ "type": "lambertian", "albedo": [1, 0, 0] });
    let (stage, _) = Stage::new().with_script(
        agent("painter", painter),
        vec![
            vec![
                call(
                    "update_shape",
                    &json!({ "id": "red", "updates": { "properties": { "material": red } } }),
                ),
                call(
                    "update_shape",
                    &json!({ "id": "red", "updates": { "properties": { "radius": 2 } } }),
                ),
                call("create_shape", &ball("more", "", 8.0)),
            ],
            says("Painted."),
        ],
    );
    let (stage, _) = stage.with_script(
        agent("dresser", SHAPES),
        vec![
            vec![
                call("update_shape", &json!({ "id": "red", "updates": { "properties": { "radius": 0.3 } } })),
                call("update_shape", &json!({ "id": "blue", "updates": { "properties": { "radius": 0.3 } } })),
                call("update_shape", &json!({ "id": "red", "updates": { "group": "blues" } })),
                call("create_shape", &ball("own", "mine", 6.0)),
                call("update_shape", &json!({ "id": "own", "updates": { "properties": { "radius": 0.2 } } })),
                call("create_shape", &ball("guest", "blues", 7.0)),
                call("edit_scene", &json!({ "calls": [
                    { "name": "create_shape", "args": ball("second", "mine", 9.0) },
                    { "name": "update_shape", "args": { "id": "second", "updates": { "properties": { "radius": 0.1 } } } },
                ] })),
            ],
            says("Dressed."),
        ],
    );
    let (_, events) = stage
        .run(vec![
            vec![call("delegate_to_painter", &task(&[]))],
            vec![call("delegate_to_dresser", &task(&["reds"]))],
            says("Done."),
        ])
        .await;
    let outcomes: Vec<(String, bool)> = delegated(&events)
        .iter()
        .map(|(_, name, response)| (name.clone(), response["success"] == true))
        .collect();
    let expected = [
        ("update_shape", true),
        ("update_shape", false),
        ("create_shape", false),
        ("update_shape", true),
        ("update_shape", false),
        ("update_shape", false),
        ("create_shape", true),
        ("update_shape", true),
        ("create_shape", false),
        ("edit_scene", true),
    ];
    let expected = expected.map(|(name, success)| (name.to_owned(), success));
    assert_eq!(outcomes, expected, "{:#?}", delegated(&events));
    let ids = &responses(&events)[1]["result"]["changed_ids"];
    assert_eq!(ids, &json!(["own", "red", "second"]));
}

#[tokio::test]
async fn two_agents_work_at_once_on_disjoint_groups() {
    let gates = [Gate::new(), Gate::new()];
    let mut stage = Stage::new();
    for (name, id, gate) in [("first", "red", &gates[0]), ("second", "blue", &gates[1])] {
        let bigger = json!({ "id": id, "updates": { "properties": { "radius": 0.5 } } });
        let answers = vec![vec![waits(gate), call("update_shape", &bigger)], says("Bigger.")];
        (stage, _) = stage.with_script(agent(name, SHAPES), answers);
    }
    let calls = vec![
        call("delegate_to_first", &task(&["reds"])),
        call("delegate_to_second", &task(&["blues"])),
    ];
    let open = async {
        // Neither goes on before both have begun.
        gates[0].reached().await;
        gates[1].reached().await;
        gates.iter().for_each(Gate::open);
    };
    let ((_, events), ()) = tokio::join!(stage.run(vec![calls, says("Both.")]), open);
    let changed: Vec<Value> =
        responses(&events).iter().map(|it| it["result"]["changed_ids"].clone()).collect();
    assert!(changed.contains(&json!(["red"])) && changed.contains(&json!(["blue"])), "{changed:?}");
    // One step back takes all of it back, as with any run.
    stage.scene.undo(studio::Author::User).unwrap();
    assert_eq!(*stage.now(), crate::stage::scene());
}

#[tokio::test]
async fn agents_on_the_same_things_take_turns() {
    let gate = Gate::new();
    let (stage, _) = Stage::new().with_script(
        agent("first", SHAPES),
        vec![
            vec![
                waits(&gate),
                call(
                    "update_shape",
                    &json!({ "id": "red", "updates": { "properties": { "radius": 0.5 } } }),
                ),
            ],
            says("One."),
        ],
    );
    let (stage, second) = stage.with_script(
        agent("second", SHAPES),
        vec![vec![call("remove", &json!({ "ids": ["red"] }))], says("Two.")],
    );
    let calls =
        vec![call("delegate_to_first", &task(&[])), call("delegate_to_second", &task(&["reds"]))];
    let open = async {
        gate.reached().await;
        assert!(second.requests().is_empty(), "it has begun before its turn");
        gate.open();
    };
    let ((_, events), ()) = tokio::join!(stage.run(vec![calls, says("Both.")]), open);
    // The other way round the first would find nothing to change.
    assert!(responses(&events).iter().all(|it| it["success"] == true), "{events:?}");
    assert!(delegated(&events).iter().all(|(_, _, it)| it["success"] == true), "{events:?}");
}

#[tokio::test]
async fn a_task_cannot_widen_what_an_agent_may_change() {
    let own = "[may_change]\nkinds = [\"shape\"]\ngroups = [\"reds\"]";
    let (stage, model) = Stage::new().with_script(agent("dresser", own), vec![]);
    let (_, events) = stage
        .run(vec![
            vec![call("delegate_to_dresser", &task(&["blues"]))],
            vec![call("delegate_to_dresser", &json!({ "task": " " }))],
            says("Well."),
        ])
        .await;
    let errors = responses(&events);
    assert!(errors[0]["error"].as_str().unwrap().contains("'blues' is not among"), "{errors:?}");
    assert!(errors[1]["error"].as_str().unwrap().contains("'task'"), "{errors:?}");
    assert!(model.requests().is_empty());
}
