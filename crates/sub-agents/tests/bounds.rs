//! Limits: depth, number, model calls, tokens, time, and the end of the run they work for.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::stream;
use llm::{Chunk, ChunkStream, Gate, LanguageModel, Part, Request, Step, Usage};
use serde_json::json;
use sub_agents::MAX_AT_ONCE;

use crate::stage::{Stage, agent, call, delegated, responses, says, waits};

/// Counts how many answers are being given at the same time.
#[derive(Clone, Default)]
struct Counting {
    now: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
}

impl LanguageModel for Counting {
    fn name(&self) -> &str {
        "counting"
    }

    fn stream(&self, _: Request) -> ChunkStream {
        let counting = self.clone();
        Box::pin(stream::once(async move {
            let now = counting.now.fetch_add(1, Ordering::SeqCst) + 1;
            counting.most.fetch_max(now, Ordering::SeqCst);
            // All others get their chance to begin meanwhile.
            for _ in 0..200 {
                tokio::task::yield_now().await;
            }
            counting.now.fetch_sub(1, Ordering::SeqCst);
            Ok(Chunk::Part(Part::text("Looked.")))
        }))
    }
}

/// One that is never told to change anything concerns nothing that others do.
const LOOKS: &str = "";

#[tokio::test]
async fn at_most_three_work_at_once() {
    let counting = Counting::default();
    let mut stage = Stage::new();
    let names: Vec<String> = (0..7).map(|number| format!("critic_{number}")).collect();
    for name in &names {
        stage = stage.with(agent(name, LOOKS), Arc::new(counting.clone()));
    }
    let calls: Vec<Step> = names
        .iter()
        .map(|name| call(&format!("delegate_to_{name}"), &json!({ "task": "look" })))
        .collect();
    let (_, events) = stage.run(vec![calls, says("All looked.")]).await;
    let done = responses(&events);
    assert_eq!(done.len(), names.len());
    assert!(done.iter().all(|response| response["result"]["summary"] == "Looked."), "{done:?}");
    assert_eq!(counting.most.load(Ordering::SeqCst), MAX_AT_ONCE);
}

#[tokio::test]
async fn an_agent_hands_no_tasks_to_others() {
    let (stage, _) = Stage::new().with_script(
        agent("first", LOOKS),
        vec![vec![call("delegate_to_second", &json!({ "task": "look" }))], says("I do it myself.")],
    );
    let (stage, second) = stage.with_script(agent("second", LOOKS), vec![]);
    let (_, events) = stage
        .run(vec![vec![call("delegate_to_first", &json!({ "task": "look" }))], says("Well.")])
        .await;
    let error = delegated(&events)[0].2["error"].as_str().unwrap().to_owned();
    assert!(error.contains("there is no tool 'delegate_to_second'"), "{error}");
    assert!(second.requests().is_empty());
}

#[tokio::test]
async fn one_that_may_change_nothing_has_no_tool_that_changes() {
    let (stage, model) = Stage::new().with_script(agent("critic", LOOKS), vec![says("Fine.")]);
    stage
        .run(vec![vec![call("delegate_to_critic", &json!({ "task": "look" }))], says("Well.")])
        .await;
    let names: Vec<String> =
        model.requests()[0].tools.iter().map(|tool| tool.name.clone()).collect();
    assert!(names.contains(&"check_scene".to_owned()), "{names:?}");
    assert!(!names.iter().any(|name| name.contains("create") || name == "edit_scene"), "{names:?}");
}

#[tokio::test]
async fn a_limit_on_model_calls_ends_the_work_and_what_was_changed_stays() {
    let limited = "[limits]\nturns = 1\n[may_change]\nkinds = [\"light\"]";
    let darker = json!({ "id": "lamp", "updates": { "properties": { "emission": [5, 5, 5] } } });
    let (stage, _) = Stage::new()
        .with_script(agent("artist", limited), vec![vec![call("update_light", &darker)]]);
    let (_, events) = stage
        .run(vec![vec![call("delegate_to_artist", &json!({ "task": "darker" }))], says("Well.")])
        .await;
    let response = &responses(&events)[0];
    let error = response["error"].as_str().unwrap();
    assert!(error.contains("'artist' reached its limit of 1 model calls"), "{error}");
    assert_eq!(response["done"]["changed_ids"], json!(["lamp"]));
}

#[tokio::test]
async fn a_limit_on_tokens_ends_the_work() {
    let limited = "[limits]\ntokens = 500";
    let usage = Usage { input_tokens: 480, output_tokens: 40, ..Usage::default() };
    let look = call("get_scene_state", &json!({}));
    let (stage, model) = Stage::new().with_script(
        agent("critic", limited),
        vec![vec![look, Step::Chunk(Chunk::Usage(usage))], says("Never asked for.")],
    );
    let (_, events) = stage
        .run(vec![vec![call("delegate_to_critic", &json!({ "task": "look" }))], says("Well.")])
        .await;
    let error = responses(&events)[0]["error"].as_str().unwrap().to_owned();
    assert!(error.contains("used up its 500 tokens"), "{error}");
    assert_eq!(model.requests().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_limit_on_time_ends_the_work() {
    let never = Gate::new();
    let (stage, _) = Stage::new().with_script(
        agent("critic", "[limits]\nseconds = 20"),
        vec![vec![waits(&never), Step::text("Too late.")]],
    );
    let (_, events) = stage
        .run(vec![vec![call("delegate_to_critic", &json!({ "task": "look" }))], says("Well.")])
        .await;
    let error = responses(&events)[0]["error"].as_str().unwrap().to_owned();
    assert!(error.contains("did not finish within 20 s"), "{error}");
}

#[tokio::test]
async fn stopping_the_run_stops_its_agents_those_that_wait_as_well() {
    let never = Gate::new();
    let shapes = "[may_change]\nkinds = [\"shape\"]";
    let (stage, _) = Stage::new().with_script(agent("first", shapes), vec![vec![waits(&never)]]);
    let (stage, second) = stage.with_script(agent("second", shapes), vec![]);
    let calls = ["first", "second"]
        .map(|name| call(&format!("delegate_to_{name}"), &json!({ "task": "dress" })));
    let stop = async {
        never.reached().await;
        stage.cancel.cancel();
    };
    let ((outcome, events), ()) = tokio::join!(stage.run(vec![calls.to_vec()]), stop);
    assert_eq!(outcome.reason, agent::Reason::Cancelled);
    let errors = responses(&events);
    assert!(
        errors.iter().all(|it| it["error"].as_str().unwrap().contains("stopped")),
        "{errors:?}"
    );
    assert!(second.requests().is_empty());
}

#[tokio::test]
async fn a_model_that_is_not_there_is_named() {
    let mut other = agent("critic", LOOKS);
    other.model = Some("gone".into());
    let stage = Stage::new().with(other, Arc::new(Counting::default()));
    let (_, events) = stage
        .run(vec![vec![call("delegate_to_critic", &json!({ "task": "look" }))], says("Well.")])
        .await;
    let error = responses(&events)[0]["error"].as_str().unwrap().to_owned();
    assert!(error.contains("'critic'") && error.contains("'gone'"), "{error}");
}
