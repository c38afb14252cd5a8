//! D4: sub-agents over the whole way: socket, session, loop, and a model that plays all of them.

use end_to_end::fake_gemini::{Answer, FakeGemini};
use end_to_end::server::TestServer;
use serde_json::{Value, json};

use super::{creates, says, sets_plan, start, until};
use crate::loop_over_gemini::sphere;

fn delegates(agent: &str, task: &str) -> Answer {
    Answer::new().call(Some("d1"), &format!("delegate_to_{agent}"), json!({ "task": task }))
}

fn lamp() -> Value {
    json!({ "id": "lamp", "type": "area_sphere_light",
        "properties": { "center": [0, 4, 0], "radius": 0.2, "emission": [20, 20, 20] } })
}

#[tokio::test]
async fn a_sub_agent_works_under_the_call_that_handed_it_the_task() {
    let gemini = FakeGemini::start([
        creates("one"),
        delegates("lighting_artist", "light the ball"),
        // The sub-agent: it may not touch the ball, and makes a lamp.
        Answer::new()
            .call(
                Some("x"),
                "update_shape",
                json!({ "id": "one", "updates": { "properties": { "radius": 9 } } }),
            )
            .call(Some("y"), "create_light", lamp()),
        says("A lamp from above."),
        says("It is lit."),
    ])
    .await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    client.send(json!({ "type": "user_message", "text": "a ball, well lit" })).await;
    let end = client.until("run_finished").await;
    assert_eq!((&end["reason"], gemini.refusals()), (&json!("completed"), Vec::new()), "{end}");
    let tools: Vec<&Value> =
        client.events.iter().filter(|event| event["type"] == "tool_finished").collect();
    let of_agent: Vec<&&Value> =
        tools.iter().filter(|tool| tool["parent_call_id"] == "d1").collect();
    let outcomes: Vec<(&str, bool)> = of_agent
        .iter()
        .map(|tool| (tool["name"].as_str().unwrap(), tool["response"]["success"] == true))
        .collect();
    assert_eq!(outcomes, [("update_shape", false), ("create_light", true)]);
    let error = of_agent[0]["response"]["error"].as_str().unwrap();
    assert!(error.contains("shape 'one' may not be changed by this agent"), "{error}");
    let handed = tools.iter().find(|tool| tool["call_id"] == "d1").unwrap();
    let result = &handed["response"]["result"];
    assert_eq!(result["summary"], "A lamp from above.");
    assert_eq!(result["changed_ids"], json!(["lamp"]));
    assert_eq!(result["usage"]["turns"], 2);
    // A change comes between start and end of the call that made it, as those of the model do.
    let place = |is_it: &dyn Fn(&Value) -> bool| client.events.iter().position(is_it).unwrap();
    let lamp_starts =
        place(&|event| event["type"] == "tool_started" && event["name"] == "create_light");
    let lamp_ends =
        place(&|event| event["type"] == "tool_finished" && event["name"] == "create_light");
    let changes =
        place(&|event| event["type"] == "scene_changed" && event["changes"][0]["kind"] == "light");
    assert!(lamp_starts < changes && changes < lamp_ends);
    // Its requests have its instruction and its task, and not the conversation.
    let request = &gemini.requests()[2].body;
    let told = request["contents"].to_string();
    assert!(told.contains("light the ball") && !told.contains("a ball, well lit"), "{told}");
    assert!(request["systemInstruction"].to_string().contains("You light scenes"), "{request}");
    assert!(!request["tools"].to_string().contains("delegate_to_"), "{request}");
    // Whoever comes later sees the same.
    let late = server.attach(&format!("session={}", client.session())).await;
    let chat = late.welcome["chat"].as_array().unwrap();
    let nested = chat.iter().filter(|entry| entry["parent_call_id"] == "d1").count();
    assert_eq!(nested, 2, "{chat:?}");
}

#[tokio::test]
async fn what_a_sub_agent_uses_counts_for_the_goal() {
    let gemini = FakeGemini::start([
        sets_plan(&json!([{ "id": "a", "description": "a ball", "criteria": ["1 sphere"] }])),
        says("The plan."),
        delegates("set_dresser", "make a ball"),
        creates("one"),
        says("A ball."),
        says("Done."),
    ])
    .await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    start(&mut client, json!(["1 sphere"])).await;
    let goal = until(&mut client, "completed").await;
    assert_eq!((&goal["used"]["turns"], &goal["used"]["tool_calls"]), (&json!(6), &json!(3)));
}

#[tokio::test]
async fn a_file_in_the_data_directory_is_an_agent_and_a_broken_one_is_left_out() {
    let directory = tempfile::tempdir().unwrap();
    let agents = directory.path().join("agents");
    std::fs::create_dir(&agents).unwrap();
    let painter = "name = \"painter\"\ndescription = \"Paints.\"\ninstruction = \"Paint it red.\"\n\
                   [may_change]\nkinds = [\"shape\"]\nproperties = [\"material\"]\n";
    std::fs::write(agents.join("painter.toml"), painter).unwrap();
    std::fs::write(agents.join("broken.toml"), "name = 3").unwrap();
    let recolours =
        json!({ "id": "one", "updates": { "properties": { "material": "gold", "radius": 5 } } });
    let gemini = FakeGemini::start([
        Answer::new().call(Some("c"), "create_shape", sphere("one", json!(1))),
        delegates("painter", "paint it"),
        Answer::new().call(Some("p"), "update_shape", recolours),
        says("I may not change its size."),
        says("Well."),
    ])
    .await;
    let server = TestServer::start_in(TestServer::models_of(&gemini), directory.path()).await;
    let mut client = server.client().await;
    client.send(json!({ "type": "user_message", "text": "a golden ball" })).await;
    client.until("run_finished").await;
    let refused = client
        .events
        .iter()
        .find(|event| event["type"] == "tool_finished" && event["name"] == "update_shape")
        .unwrap();
    let error = refused["response"]["error"].as_str().unwrap();
    assert!(error.contains("'radius' of shape 'one' may not be changed"), "{error}");
    let tools = gemini.requests()[0].body["tools"].to_string();
    for name in ["painter", "critic", "lighting_artist", "set_dresser"] {
        assert!(tools.contains(&format!("delegate_to_{name}")), "{name}");
    }
}
