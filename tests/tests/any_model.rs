//! Sessions over every kind of model: the same conversation, a switch in the middle, numbers for
//! operators.

use end_to_end::client::Client;
use end_to_end::fake_chat::{Dialect, FakeChat, KEY, Reply};
use end_to_end::fake_gemini::{Answer, FakeGemini, Options};
use end_to_end::server::TestServer;
use llm::TextProtocol;
use secrecy::SecretString;
use serde_json::{Value, json};
use server::{AgentConfig, ModelsConfig, ProviderAccess, ToolSetting};

fn access(base_url: String) -> Option<ProviderAccess> {
    Some(ProviderAccess { api_key: SecretString::from(KEY), base_url })
}

fn sphere(id: &str) -> Value {
    json!({ "id": id, "type": "sphere", "properties": { "center": [0, 1, 0], "radius": 1 } })
}

/// A conversation of two turns: a thought, text, two calls, an answer.
fn replies() -> [Reply; 2] {
    [
        Reply::new()
            .thought("Two of them.", "c2ln")
            .text("I build.")
            .call("c1", "create_shape", sphere("a"))
            .call("c2", "create_shape", sphere("a")),
        Reply::new().text("Done."),
    ]
}

/// Events without what differs by clock, number or id.
fn story(client: &Client) -> Vec<Value> {
    let plain = |event: &Value| {
        let mut event = event.clone();
        let fields = event.as_object_mut().unwrap();
        fields.retain(|name, _| !matches!(name.as_str(), "duration_ms" | "usage"));
        event
    };
    client.events.iter().map(plain).collect()
}

#[tokio::test]
async fn the_same_conversation_gives_the_same_events_whoever_answers() {
    let gemini = FakeGemini::start([
        Answer::new()
            .thought("Two of them.")
            .text("I build.")
            .call(Some("c1"), "create_shape", sphere("a"))
            .signed("c2ln")
            .call(Some("c2"), "create_shape", sphere("a")),
        Answer::new().text("Done."),
    ])
    .await;
    let openai = FakeChat::start(Dialect::OpenAi, replies()).await;
    let anthropic = FakeChat::start(Dialect::Anthropic, replies()).await;
    let mut stories = Vec::new();
    for models in [
        ModelsConfig { gemini: access(gemini.base_url()), ..ModelsConfig::default() },
        ModelsConfig {
            openai: access(openai.base_url()),
            model: Some("gpt-5.5".into()),
            ..ModelsConfig::default()
        },
        ModelsConfig { anthropic: access(anthropic.base_url()), ..ModelsConfig::default() },
    ] {
        let server = TestServer::start(models).await;
        let mut client = server.client().await;
        let end = client.say("Two spheres").await;
        assert_eq!((&end["reason"], &end["turns"]), (&json!("completed"), &json!(2)));
        stories.push(story(&client));
    }
    assert_eq!(stories[0].len(), stories[1].len());
    assert_eq!(stories[0], stories[1]);
    assert_eq!(stories[0], stories[2]);
    for refusals in [gemini.refusals(), openai.refusals(), anthropic.refusals()] {
        assert_eq!(refusals, Vec::<String>::new());
    }
}

#[tokio::test]
async fn a_switch_in_mid_session_keeps_a_history_every_provider_takes() {
    let foreign = Options { foreign_answers: true, ..Options::default() };
    let two = [
        Answer::new().text("Third.").call(None, "get_scene_state", json!({})).signed("c2ln"),
        Answer::new().text("All."),
    ];
    let gemini = FakeGemini::start_with(foreign, two).await;
    let openai = FakeChat::start(Dialect::OpenAi, replies()).await;
    let [first, second] = replies();
    let anthropic =
        FakeChat::start(Dialect::Anthropic, [first, second, Reply::new().text("Again.")]).await;
    let server = TestServer::start(ModelsConfig {
        gemini: access(gemini.base_url()),
        openai: access(openai.base_url()),
        anthropic: access(anthropic.base_url()),
        ..ModelsConfig::default()
    })
    .await;
    let mut client = server.client().await;
    for (model, last) in [
        ("anthropic/claude-sonnet-5-5", "Done."),
        ("openai/gpt-5.5", "Done."),
        ("gemini-3.8-flash", "All."),
        ("anthropic/claude-sonnet-5-5", "Again."),
    ] {
        client.send(json!({ "type": "select_model", "model": model })).await;
        assert_eq!(client.until("model_selected").await["model"], model);
        assert_eq!(client.say("go on").await["reason"], "completed", "{model}");
        assert!(client.text().ends_with(last), "{model}: {}", client.text());
    }
    for refusals in [gemini.refusals(), openai.refusals(), anthropic.refusals()] {
        assert_eq!(refusals, Vec::<String>::new());
    }
    // Back at the first one, its own signed thought goes back; the others' stay at home.
    let sent = anthropic.requests().last().unwrap()["messages"].to_string();
    assert_eq!(sent.matches("c2ln").count(), 1);
    let unknown = json!({ "type": "select_model", "model": "gpt-none", "request_id": "x" });
    client.send(unknown).await;
    assert_eq!(client.reply("x").await["code"], "unknown_model");
}

#[tokio::test]
async fn a_local_provider_is_known_by_its_own_list_and_needs_no_model_named() {
    let openai = FakeChat::start(Dialect::OpenAi, []).await;
    let models = ModelsConfig { openai: access(openai.base_url()), ..ModelsConfig::default() };
    let server = TestServer::start(models).await;
    let list = server.get("/api/models").await;
    assert_eq!(list["default"], "openai/gpt-4o-mini");
    let ids: Vec<&str> =
        list["models"].as_array().unwrap().iter().filter_map(|it| it["id"].as_str()).collect();
    assert_eq!(ids, ["openai/gpt-4o-mini", "openai/gpt-5.5", "openai/gpt-6-astra", "offline"]);
}

#[tokio::test]
async fn a_model_without_function_calling_builds_by_text_and_shows_no_tags() {
    for (protocol, calls) in [
        (
            TextProtocol::React,
            format!(
                "I build.<tool_code><name>create_shape</name><parameters>{}</parameters></tool_code>",
                sphere("ball")
            ),
        ),
        (
            TextProtocol::Json,
            format!(
                "I build.```json\n{}\n```",
                json!({ "tool_calls": [
                { "name": "create_shape", "arguments": sphere("ball") }] })
            ),
        ),
    ] {
        let replies = [Reply::new().text(&calls).in_pieces(1), Reply::new().text("Done.")];
        let openai = FakeChat::start(Dialect::OpenAi, replies).await;
        let server = TestServer::start(ModelsConfig {
            openai: access(openai.base_url()),
            model: Some("gpt-4o-mini".into()),
            tool_use: Some(ToolSetting::Text(protocol)),
            ..ModelsConfig::default()
        })
        .await;
        let mut client = server.client().await;
        assert_eq!(client.say("A ball").await["reason"], "completed");
        assert_eq!(client.text(), "I build.Done.");
        let changed = client.events.iter().find(|event| event["type"] == "scene_changed").unwrap();
        assert_eq!(changed["changes"][0]["id"], "ball");
        let sent = &openai.requests()[1];
        assert!(sent.get("tools").is_none());
        assert!(sent["messages"][0]["content"].as_str().unwrap().contains("create_shape"));
        assert_eq!(openai.refusals(), Vec::<String>::new());
    }
}

/// Requirements A12 and B4.
#[tokio::test]
async fn metrics_with_and_without_the_loop_are_exported() {
    let calls =
        json!([{ "tool_calls": [{ "name": "get_scene_state", "arguments": {} }] }, "Done."]);
    for (share, line) in [
        (1.0, "scene_llm_runs_total{reason=\"completed\",loop=\"on\"} 1"),
        (0.0, "scene_llm_runs_total{reason=\"single_wave\",loop=\"off\"} 1"),
    ] {
        let models =
            ModelsConfig { mock_responses: Some(calls.to_string()), ..ModelsConfig::default() };
        let agent = AgentConfig { loop_share: share, ..AgentConfig::default() };
        let server = TestServer::start_with(models, agent).await;
        server.client().await.say("look").await;
        let response = server.http().get(server.url("/metrics")).send().await.unwrap();
        let kind = response.headers()["content-type"].to_str().unwrap().to_owned();
        assert!(kind.starts_with("application/openmetrics-text"), "{kind}");
        let text = response.text().await.unwrap();
        assert!(text.contains(line), "{text}");
        let tools = "scene_llm_tool_calls_total{tool=\"get_scene_state\",outcome=\"success\"} 1";
        assert!(text.contains(tools), "{text}");
    }
}

#[tokio::test]
async fn a_model_that_repeats_itself_pauses_and_the_user_is_told() {
    let same = json!({ "tool_calls": [{ "name": "get_scene_state", "arguments": {} }] });
    let server = TestServer::with_mock(&json!([same, same, same, same, same, "Sorry."])).await;
    let mut client = server.client().await;
    let end = client.say("look").await;
    assert_eq!((&end["reason"], &end["turns"]), (&json!("completed"), &json!(5)));
    let message = end["message"].as_str().unwrap();
    assert!(message.contains("get_scene_state again and again"), "{message}");
    assert_eq!(client.say("stop that").await["reason"], "completed");
    assert_eq!(client.text(), "Sorry.");
}
