//! A1 to A9 over the whole way: socket, session, loop, and a Gemini server that refuses every
//! request the real one would.

use end_to_end::fake_gemini::{Answer, FakeGemini, Gate};
use end_to_end::server::TestServer;
use serde_json::{Value, json};

pub(crate) fn sphere(id: &str, radius: Value) -> Value {
    json!({ "id": id, "type": "sphere", "properties": { "center": [0, 1, 0], "radius": radius } })
}

pub(crate) fn create(answer: Answer, call_id: &str, id: &str) -> Answer {
    answer.call(Some(call_id), "create_shape", sphere(id, json!(1)))
}

fn types(client: &end_to_end::client::Client) -> Vec<String> {
    client.story()
}

/// The roles of the last request's contents, e.g. "umu" (function contents go out as user).
fn roles(gemini: &FakeGemini) -> String {
    let requests = gemini.requests();
    let contents = requests.last().unwrap().body["contents"].as_array().unwrap().clone();
    contents
        .iter()
        .map(|content| content["role"].as_str().unwrap().chars().next().unwrap())
        .collect()
}

#[tokio::test]
async fn a_single_turn_streams_to_the_user() {
    let answer =
        Answer::new().thought("The user greets.").text("Hel").text("lo 🌍").crlf().in_pieces(3);
    let gemini = FakeGemini::start([answer]).await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    assert_eq!(client.welcome["model"], "gemini-3.8-flash");
    let end = client.say("Hello").await;
    assert_eq!((&end["reason"], &end["turns"]), (&json!("completed"), &json!(1)));
    assert_eq!(client.text(), "Hello 🌍");
    assert_eq!(types(&client), ["user_message", "turn_started", "text_delta", "run_finished"]);
    let thoughts = client.events.iter().filter(|event| event["thought"] == true).count();
    assert_eq!(thoughts, 1);
    assert_eq!(gemini.refusals(), Vec::<String>::new());
}

#[tokio::test]
async fn several_turns_with_signatures_parallel_calls_and_the_scene_of_each_request() {
    let gemini = FakeGemini::start([
        create(
            Answer::new()
                .text("I begin.")
                .call(Some("a"), "create_shape", sphere("one", json!(1)))
                .signed("c2lnMQ=="),
            "b",
            "two",
        )
        .call(Some("c"), "get_scene_state", json!({}))
        .crlf(),
        Answer::new()
            .call(
                Some("d"),
                "update_shape",
                json!({ "id": "one", "updates": { "properties": { "radius": 2 } } }),
            )
            .signed("c2lnMg=="),
        Answer::new().text("Done.").signed_end("c2lnMw=="),
        Answer::new().text("You are welcome."),
    ])
    .await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    let end = client.say("Two spheres").await;
    assert_eq!((&end["reason"], &end["turns"]), (&json!("completed"), &json!(3)));
    client.say("Thank you").await;
    assert_eq!(gemini.refusals(), Vec::<String>::new());

    // A2: the scene is told with the message; what the model does itself it knows from its results.
    // Each request begins with the one before.
    let requests = gemini.requests();
    let told = requests[0].body["contents"][0]["parts"][1]["text"].as_str().unwrap();
    assert!(told.starts_with("[The scene as it is now, revision 0]\nshapes: none"), "{told}");
    for (earlier, later) in requests.iter().zip(&requests[1..]) {
        for constant in ["systemInstruction", "tools"] {
            assert_eq!(earlier.body[constant], later.body[constant]);
        }
        let contents = |body: &Value| body["contents"].as_array().unwrap().clone();
        assert!(contents(&later.body).starts_with(&contents(&earlier.body)));
    }

    // The change is told between the start and the end of the tool that made it.
    let first_tool: Vec<_> = client
        .events
        .iter()
        .filter_map(|event| event["type"].as_str())
        .skip_while(|kind| *kind != "tool_started")
        .take(3)
        .collect();
    assert_eq!(first_tool, ["tool_started", "scene_changed", "tool_finished"]);
    let finished = client.events.iter().find(|event| event["type"] == "tool_finished").unwrap();
    assert_eq!(
        finished["response"]["result"]["properties"]["material"]["albedo"],
        json!([0.5, 0.5, 0.5])
    );

    // A1: the history is in the Gemini form, signatures where they came.
    let history = server.get(&format!("/api/sessions/{}/history", client.session())).await;
    let contents = history["contents"].as_array().unwrap();
    let roles: Vec<_> = contents.iter().map(|content| content["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["user", "model", "function", "model", "function", "model", "user", "model"]);
    assert_eq!(contents[1]["parts"][1]["thoughtSignature"], "c2lnMQ==");
    assert_eq!(contents[5]["parts"][1], json!({ "text": "", "thoughtSignature": "c2lnMw==" }));
    assert_eq!(contents[2]["parts"][1]["functionResponse"]["id"], "b");
}

#[tokio::test]
async fn an_error_is_read_and_the_next_call_recovers() {
    let gemini = FakeGemini::start([
        Answer::new()
            .call(
                Some("a"),
                "create_shape",
                json!({ "id": "red_sphere", "type": "sphere", "properties": { "radius": 1 } }),
            )
            .signed("c2ln"),
        create(Answer::new(), "b", "red_sphere").signed("c2ln"),
        Answer::new().text("Now it is there."),
    ])
    .await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    client.say("A red sphere").await;
    let responses: Vec<_> = client
        .events
        .iter()
        .filter(|event| event["type"] == "tool_finished")
        .map(|event| event["response"].clone())
        .collect();
    assert_eq!(responses[0]["success"], false);
    assert!(
        responses[0]["error"]
            .as_str()
            .unwrap()
            .starts_with("shape 'red_sphere' requires 'center' property")
    );
    assert!(responses[0].get("result").is_none());
    assert_eq!(responses[1]["success"], true);
    assert_eq!(gemini.refusals(), Vec::<String>::new());
}

#[tokio::test]
async fn success_and_failure_mix_in_one_wave() {
    let gemini = FakeGemini::start([
        create(Answer::new(), "a", "one")
            .signed("c2ln")
            .call(Some("b"), "create_shape", sphere("two", json!(-1)))
            .call(Some("c"), "no_such_tool", json!({}))
            .call(Some("d"), "create_shape", sphere("three", json!(1))),
        Answer::new().text("Two of four."),
    ])
    .await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    client.say("go").await;
    let body = &gemini.requests()[1].body["contents"][2]["parts"];
    let outcomes: Vec<_> =
        (0..4).map(|i| body[i]["functionResponse"]["response"]["success"].clone()).collect();
    assert_eq!(outcomes, [true, false, false, true]);
    let scene = server.get(&format!("/api/sessions/{}/scene", client.session())).await;
    let ids: Vec<_> =
        scene["shapes"].as_array().unwrap().iter().map(|shape| shape["id"].clone()).collect();
    assert_eq!(ids, ["one", "three"]);
    assert_eq!(gemini.refusals(), Vec::<String>::new());
}

#[tokio::test]
async fn the_turn_limit_stops_with_its_sentence_and_the_next_message_resumes() {
    let again = |turn: usize| {
        create(Answer::new(), &format!("call{turn}"), &format!("s{turn}")).signed("c2ln")
    };
    let gemini =
        FakeGemini::start((0..10).map(again).chain([Answer::new().text("Finished.")])).await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    let end = client.say("Build for ever").await;
    assert_eq!(end["reason"], "turn_limit");
    assert_eq!(
        end["message"],
        "Reached maximum turn limit (10 turns). Send a message to continue."
    );
    let snapshot = server.get(&format!("/api/sessions/{}", client.session())).await;
    assert_eq!(snapshot["scene"]["shapes"].as_array().unwrap().len(), 10);
    let notice = snapshot["chat"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(notice["text"], end["message"]);
    assert_eq!(client.say("continue").await["reason"], "completed");
    assert_eq!(roles(&gemini), format!("{}u", "u".to_owned() + &"mu".repeat(10)));
    assert!(!gemini.requests()[10].body.to_string().contains("Reached maximum"));
    assert_eq!(gemini.refusals(), Vec::<String>::new());
}

/// Requirement D3.
#[tokio::test]
async fn a_progress_block_comes_before_each_call() {
    let gemini = FakeGemini::start([
        Answer::new().call(Some("a"), "create_shape", sphere("a", json!(1))).signed("c2ln"),
        Answer::new().call(Some("b"), "get_scene_state", json!({})).signed("c2ln"),
        Answer::new().text("Done."),
    ])
    .await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    client.send(json!({ "type": "user_message", "text": "Build" })).await;
    for (step, target) in [(1, "create_shape"), (2, "get_scene_state")] {
        let block =
            json!({ "type": "progress", "step": step, "action": "tool_call", "target": target });
        assert_eq!(client.until("progress").await, block);
    }
}

#[tokio::test]
async fn a_cancel_in_mid_stream_cuts_the_model_off_and_the_next_message_resumes() {
    let gate = Gate::new();
    let gemini = FakeGemini::start([
        Answer::new().text("Once upon ").text("a time").gate(&gate).text(" there was"),
        Answer::new().text("Fine, stopped."),
    ])
    .await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    client.send(json!({ "type": "user_message", "text": "A long story" })).await;
    client.until_that(|message| message["text"] == "a time").await;
    client.send(json!({ "type": "cancel" })).await;
    let end = client.until("run_finished").await;
    assert_eq!(end["reason"], "cancelled");
    gemini.wait_for_cut_off(0).await;
    assert_eq!(client.text(), "Once upon a time");
    assert_eq!(client.say("never mind").await["reason"], "completed");
    assert_eq!(roles(&gemini), "umu");
    let kept = gemini.requests()[1].body["contents"][1]["parts"].to_string();
    assert!(kept.contains("Once upon ") && kept.contains("interrupted"), "{kept}");
    assert_eq!(gemini.refusals(), Vec::<String>::new());
}

#[tokio::test]
async fn a_cancel_during_a_tool_keeps_its_result_and_does_not_ask_the_model_again() {
    // A preview of a mirror room takes long enough to be cancelled in.
    let gemini = FakeGemini::start([
        Answer::new()
            .call(Some("p"), "render_preview", json!({ "width": 1024, "height": 1024 }))
            .signed("c2ln")
            .call(Some("q"), "create_shape", sphere("late", json!(1))),
        Answer::new().text("Going on."),
    ])
    .await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    client.send(json!({ "type": "user_message", "text": "Show me" })).await;
    client.until("tool_started").await;
    client.send(json!({ "type": "cancel" })).await;
    let end = client.until("run_finished").await;
    assert_eq!((&end["reason"], &end["turns"]), (&json!("cancelled"), &json!(1)));
    let finished: Vec<_> =
        client.events.iter().filter(|event| event["type"] == "tool_finished").collect();
    assert_eq!(finished.len(), 1, "the second call was never begun");
    assert_eq!(finished[0]["response"]["success"], true);
    assert_eq!(gemini.requests().len(), 1);
    let scene = server.get(&format!("/api/sessions/{}/scene", client.session())).await;
    assert_eq!(scene["shapes"], json!([]));
    assert_eq!(client.say("go on").await["reason"], "completed");
    assert_eq!(gemini.refusals(), Vec::<String>::new());
}

#[tokio::test]
async fn a_message_right_after_stop_is_answered() {
    let gemini = FakeGemini::start([
        Answer::new()
            .call(Some("p"), "render_preview", json!({ "width": 1024, "height": 1024 }))
            .signed("c2ln"),
        Answer::new().text("Here I am."),
    ])
    .await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    client.send(json!({ "type": "user_message", "text": "Show me" })).await;
    client.until("tool_started").await;
    // The tool still runs when the next message comes.
    client.send(json!({ "type": "cancel" })).await;
    client.send(json!({ "type": "user_message", "text": "No, something else" })).await;
    assert_eq!(client.until("run_finished").await["reason"], "cancelled");
    assert_eq!(client.until("run_finished").await["reason"], "completed");
    assert_eq!(client.text(), "Here I am.");
    assert_eq!(gemini.refusals(), Vec::<String>::new());
}

#[tokio::test]
async fn a_client_that_disconnects_during_a_run_comes_back_to_every_event_once() {
    let gate = Gate::new();
    let gemini = FakeGemini::start([
        create(Answer::new().text("One. "), "a", "one").signed("c2ln"),
        Answer::new().text("Two. ").gate(&gate).text("Three."),
    ])
    .await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    client.send(json!({ "type": "user_message", "text": "Count" })).await;
    client.until_that(|message| message["text"] == "Two. ").await;
    let query = client.resume_query();
    let before = client.text();
    client.vanish();
    gate.open();
    let mut client = server.attach(&query).await;
    assert_eq!(client.welcome["resumed"], true);
    let end = client.until("run_finished").await;
    assert_eq!(end["reason"], "completed", "a disconnect never cancels a run");
    assert_eq!(before + &client.text(), "One. Two. Three.");

    // From the beginning, and with an epoch that is not this session's.
    let session = client.session();
    let events = server.get(&format!("/api/sessions/{session}/events?after=0")).await;
    let seqs: Vec<_> = events["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| event["seq"].as_u64().unwrap())
        .collect();
    assert_eq!(seqs, (1..=client.seq()).collect::<Vec<_>>());
    let fresh = server.attach(&format!("session={session}&epoch=other&after=3")).await;
    assert_eq!(fresh.welcome["resumed"], false);
    assert_eq!(fresh.welcome["seq"].as_u64(), Some(client.seq()));
    let texts: Vec<_> = fresh.welcome["chat"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|entry| entry["kind"] == "model")
        .map(|entry| entry["text"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(texts, ["One. ", "Two. Three."]);
}

#[tokio::test]
async fn a_second_message_during_a_run_is_seen_at_the_next_turn() {
    let gate = Gate::new();
    let gemini = FakeGemini::start([
        create(Answer::new().text("First. ").gate(&gate), "a", "one").signed("c2ln"),
        Answer::new().text("Both read."),
    ])
    .await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    client.send(json!({ "type": "user_message", "text": "red" })).await;
    client.until("text_delta").await;
    client.send(json!({ "type": "user_message", "text": "no, blue" })).await;
    client
        .until_that(|message| message["type"] == "user_message" && message["text"] == "no, blue")
        .await;
    gate.open();
    let end = client.until("run_finished").await;
    assert_eq!((&end["reason"], &end["turns"]), (&json!("completed"), &json!(2)));
    let contents = gemini.requests()[1].body["contents"].clone();
    assert_eq!(contents[3]["parts"][0]["text"], "no, blue");
    assert_eq!(gemini.refusals(), Vec::<String>::new());
}

#[tokio::test]
async fn a_busy_provider_is_asked_again_and_the_user_sees_it() {
    let gemini = FakeGemini::start([
        Answer::too_many_requests("0.01s"),
        Answer::new().text("Half an ans").broken(),
        Answer::new().text("Whole answer."),
    ])
    .await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    assert_eq!(client.say("hi").await["reason"], "completed");
    let story = types(&client);
    assert_eq!(
        story,
        [
            "user_message",
            "turn_started",
            "retrying",
            "text_delta",
            "text_discarded",
            "retrying",
            "text_delta",
            "run_finished"
        ]
    );
    let snapshot = server.get(&format!("/api/sessions/{}", client.session())).await;
    let shown: Vec<_> = snapshot["chat"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|entry| entry["kind"] == "model")
        .collect();
    assert_eq!(shown.len(), 1);
    assert_eq!(shown[0]["text"], "Whole answer.");
}

#[tokio::test]
async fn a_refused_key_is_explained_and_the_session_goes_on_with_another_model() {
    let gemini = FakeGemini::start([Answer::error(403, "API key not valid.")]).await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    let end = client.say("hi").await;
    assert_eq!(end["reason"], "error");
    assert!(end["message"].as_str().unwrap().contains("GEMINI_API_KEY"), "{end}");
    assert!(!end.to_string().contains("test-key"));
    client.send(json!({ "type": "select_model", "model": "offline" })).await;
    client.until("model_selected").await;
    assert_eq!(client.say("what is in the scene?").await["reason"], "completed");
}

#[tokio::test]
async fn several_clients_see_the_same_events_and_each_others_edits() {
    let gemini = FakeGemini::start([Answer::new().text("Hello both.")]).await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut first = server.client().await;
    let mut second = server.attach(&format!("session={}", first.session())).await;
    first.say("hi").await;
    second.until("run_finished").await;
    let edit = json!({ "type": "edit", "calls": [
        { "name": "create_shape", "args": sphere("a", json!(1)) },
        { "name": "set_environment_lighting", "args": { "type": "none" } } ] });
    second.send(edit).await;
    first.until("scene_changed").await;
    second.until("scene_changed").await;
    second.send(json!({ "type": "undo" })).await;
    let undone = first.until("scene_changed").await;
    assert_eq!((&undone["can_undo"], &undone["can_redo"]), (&json!(false), &json!(true)));
    second.until("scene_changed").await;
    first.send(json!({ "type": "redo" })).await;
    first.until("scene_changed").await;
    first.send(json!({ "type": "restore", "revision": 0 })).await;
    let restored = second.until_that(|message| message["revision"] == 4).await;
    first.until_that(|message| message["revision"] == 4).await;
    assert_eq!(restored["changes"].as_array().unwrap().len(), 2);
    assert_eq!(first.events, second.events);
}
