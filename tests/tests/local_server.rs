//! llama.cpp's own server, which renders our messages by chat templates, constrains calls by the schemas
//! of our tools and counts what its cache served. Its models have random weights: what they say means
//! nothing, what is refused and what is counted does.

use end_to_end::client::Client;
use end_to_end::llama_cpp::{Exchange, LlamaCpp, Weights};
use end_to_end::server::TestServer;
use llm::{KnownProvider, find_local};
use secrecy::SecretString;
use serde_json::{Value, json};
use server::{Config, ModelsConfig, ProviderAccess};

/// Room for the instruction, the tools and some messages.
const CONTEXT: u32 = 24_576;

/// One pixel.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

async fn over(llama: &LlamaCpp) -> TestServer {
    let openai =
        Some(ProviderAccess { api_key: SecretString::from(""), base_url: llama.base_url() });
    let models = ModelsConfig { openai, ..ModelsConfig::default() };
    TestServer::of(Config { max_turns: 3, ..TestServer::config(models) }).await
}

/// What the server refused.
fn refusals(llama: &LlamaCpp) -> Vec<String> {
    let refused = |exchange: &Exchange| exchange.status != 200;
    llama.exchanges().into_iter().filter(refused).map(|exchange| exchange.answer).collect()
}

/// A client that wants no previews, which would take the model's time.
async fn client(server: &TestServer) -> Client {
    let mut client = server.client().await;
    client.send(json!({ "type": "view", "paused": true })).await;
    client
}

/// How the run ended that a message began.
async fn said(client: &mut Client, text: &str) -> String {
    let end = client.say(text).await;
    end["reason"].as_str().expect("a reason").to_owned()
}

async fn set(client: &mut Client, model: &str, settings: &Value) {
    let mut choice = json!({ "type": "select_model", "model": model });
    choice.as_object_mut().unwrap().extend(settings.as_object().unwrap().clone());
    client.send(choice).await;
    client.until("model_selected").await;
}

fn events<'a>(client: &'a Client, kind: &str) -> Vec<&'a Value> {
    client.events.iter().filter(|event| event["type"] == kind).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn its_model_is_found_with_what_it_can_do() {
    let llama = LlamaCpp::start(Weights::Talks, "random", "open.jinja", 8_192).await;
    let known = KnownProvider::named("llamacpp").unwrap();
    let found = find_local([KnownProvider { port: Some(llama.port()), ..*known }]).await;
    assert_eq!(found[0].base_url, llama.base_url());
    let model = &found[0].models.as_ref().unwrap()[0];
    assert_eq!((model.id.as_str(), model.facts.context_window), ("random", 8_192));

    let server = over(&llama).await;
    let list = server.get("/api/models").await;
    assert_eq!(list["default"], "openai/random");
    let model = &list["models"][0];
    assert_eq!((&model["id"], &model["context_window"]), (&json!("openai/random"), &json!(8_192)));
    assert_eq!((&model["sees_images"], &model["native_tools"]), (&json!(false), &json!(true)));
    assert_eq!((&model["thinks"], &model["efforts"]), (&json!(true), &json!(["off", "high"])));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_template_without_tools_is_given_them_in_words() {
    let llama = LlamaCpp::start(Weights::Talks, "random", "plain.jinja", CONTEXT).await;
    let server = over(&llama).await;
    assert_eq!(server.get("/api/models").await["models"][0]["native_tools"], false);
    let mut client = client(&server).await;
    for text in ["Build a red sphere.", "Now a box."] {
        assert_eq!(said(&mut client, text).await, "completed");
    }
    let exchanges = llama.exchanges();
    assert!(exchanges.iter().all(|exchange| exchange.body.get("tools").is_none()));
    let prompt = llama.prompt_of(&exchanges[0].body).await;
    assert!(prompt.contains("create_shape") && prompt.contains("Build a red sphere."));
    assert_eq!(refusals(&llama), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_held_with_edits_settings_pictures_and_a_cancelled_answer() {
    let llama = LlamaCpp::start(Weights::Talks, "random", "open.jinja", CONTEXT).await;
    let server = over(&llama).await;
    let mut client = client(&server).await;
    assert_eq!(said(&mut client, "Build a red sphere.").await, "completed");
    assert!(!client.text().trim().is_empty());

    let ball = json!({ "id": "ball", "type": "sphere",
        "properties": { "center": [0, 1, 0], "radius": 1 } });
    client
        .send(json!({ "type": "edit", "calls": [{ "name": "create_shape", "args": ball }] }))
        .await;
    client.until("scene_changed").await;
    assert_eq!(said(&mut client, "I added a ball.").await, "completed");

    set(&mut client, "openai/random", &json!({ "effort": "off" })).await;
    assert_eq!(said(&mut client, "Without thinking.").await, "completed");
    set(&mut client, "openai/random", &json!({ "effort": "high", "temperature": 0.5 })).await;
    client
        .send(json!({ "type": "user_message", "text": "Like this.",
            "images": [{ "mime_type": "image/png", "data": PNG }] }))
        .await;
    assert_eq!(client.until("run_finished").await["reason"], "completed");
    let exchanges = llama.exchanges();
    let [.., unthinking, thinking] = &exchanges[..] else { panic!("{exchanges:?}") };
    assert!(llama.prompt_of(&unthinking.body).await.ends_with("<think>\n\n</think>\n\n"));
    assert!(llama.prompt_of(&thinking.body).await.ends_with("<|assistant|>"));
    assert_eq!(thinking.body["temperature"], 0.5);

    // The likeliest token never ends an answer.
    set(&mut client, "openai/random", &json!({ "temperature": 0 })).await;
    client.send(json!({ "type": "user_message", "text": "On and on." })).await;
    client.until("text_delta").await;
    client.send(json!({ "type": "cancel" })).await;
    assert_eq!(client.until("run_finished").await["reason"], "cancelled");
    set(&mut client, "openai/random", &json!({})).await;
    assert_eq!(said(&mut client, "Once more.").await, "completed");
    assert!(llama.prompt_of(&llama.exchanges().pop().unwrap().body).await.contains("On and on."));
    assert_eq!(refusals(&llama), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn its_cache_serves_what_was_sent_before() {
    let llama = LlamaCpp::start(Weights::Talks, "random", "open.jinja", CONTEXT).await;
    let server = over(&llama).await;
    let mut client = client(&server).await;
    let mut sent = Vec::new();
    for text in ["Build a red sphere.", "And a box.", "And a cone."] {
        let end = client.say(text).await;
        assert_eq!(end["reason"], "completed");
        let (tokens, cached) = llama.exchanges().pop().unwrap().prompt_tokens().unwrap();
        assert_eq!(end["usage"]["input_tokens"], json!(tokens));
        assert_eq!(end["usage"]["cached_tokens"].as_u64().unwrap_or(0), cached);
        sent.push((tokens, cached));
    }
    assert!(sent[0].0 > 5_000 && sent[0].1 == 0, "{sent:?}");
    for pair in sent.windows(2) {
        // Up to the answer, whose random tokens may be others when its text is read again.
        let [(before, _), (tokens, cached)] = pair else { unreachable!() };
        assert!(cached + 1 >= *before && cached < tokens, "{sent:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn its_calls_are_run_and_their_results_go_back() {
    let llama = LlamaCpp::start(Weights::Calls, "random", "open.jinja", CONTEXT).await;
    let server = over(&llama).await;
    let mut client = client(&server).await;
    for text in ["Build a red sphere.", "And a box."] {
        assert_ne!(said(&mut client, text).await, "error");
    }
    let finished = events(&client, "tool_finished");
    assert!(!finished.is_empty() && finished.len() == events(&client, "tool_started").len());
    let exchanges = llama.exchanges();
    assert!(exchanges.len() > 2);
    let prompt = llama.prompt_of(&exchanges[1].body).await;
    let (_, result) = prompt.split_once("<|tool|>").expect("the result of a call");
    let told = finished[0]["response"]["error"].as_str().unwrap_or("success");
    let told = json!(told.chars().take(20).collect::<String>()).to_string();
    assert!(result.contains(told.trim_matches('"')), "{told} in {result}");
    assert_eq!(refusals(&llama), [""; 0]);
}

/// What a template like Mistral's refused in a session with calls, edits and several messages.
async fn strict_refusals(name: &str) -> Vec<String> {
    let llama = LlamaCpp::start(Weights::Calls, name, "strict.jinja", CONTEXT).await;
    let server = over(&llama).await;
    let mut client = client(&server).await;
    for text in ["Build a red sphere.", "And a box.", "And a cone."] {
        let end = client.say(text).await;
        let roles = llama.exchanges().pop().map(|last| last.roles().join(" "));
        assert!(end["reason"] != "error", "{name}: {end} {roles:?}");
    }
    assert!(!events(&client, "tool_finished").is_empty());
    refusals(&llama)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_strict_template_takes_all_from_a_model_of_that_name() {
    assert_eq!(strict_refusals("mistral-random").await, [""; 0]);
}

/// Its ids and its order of roles are learned, each from one refusal.
#[tokio::test(flavor = "multi_thread")]
async fn a_strict_template_is_learned_where_no_name_tells() {
    let refusals = strict_refusals("random").await;
    assert!(refusals.len() <= 2, "{refusals:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_context_too_small_for_the_tools_is_told_and_the_session_stays() {
    let llama = LlamaCpp::start(Weights::Talks, "random", "open.jinja", 4_096).await;
    let server = over(&llama).await;
    let mut client = client(&server).await;
    for text in ["Build a red sphere.", "Again."] {
        let end = client.say(text).await;
        assert_eq!(end["reason"], "error");
        let message = end["message"].as_str().expect("what went wrong");
        assert!(message.contains("4096") && message.lines().count() == 1, "{message}");
    }
    assert!(client.still_there().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_that_outgrows_the_context_goes_on() {
    let context = 13_300;
    let llama = LlamaCpp::start(Weights::Talks, "random", "open.jinja", context).await;
    let server = over(&llama).await;
    let mut client = client(&server).await;
    let long = "Move the small red sphere a little to the left of the box. ".repeat(12);
    for _ in 0..12 {
        let end = client.say(&long).await;
        assert_eq!(end["reason"], "completed", "{end}");
    }
    // The older part is left out in time: the window is known.
    assert_eq!(refusals(&llama), [""; 0]);
    let last = llama.exchanges().pop().unwrap();
    let messages = llama.prompt_of(&last.body).await.matches(&long).count();
    assert!((1..12).contains(&messages), "{messages}");
}
