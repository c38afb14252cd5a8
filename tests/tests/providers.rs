//! Providers: Ollama by its own API, keys that are entered in the page, settings of a session.

use std::collections::BTreeMap;

use end_to_end::fake_chat::{Dialect, FakeChat, KEY, Reply};
use end_to_end::server::TestServer;
use secrecy::SecretString;
use serde_json::{Value, json};
use server::{KeysConfig, ModelsConfig, ProviderAccess};

fn sphere(id: &str) -> Value {
    json!({ "id": id, "type": "sphere", "properties": { "center": [0, 1, 0], "radius": 1 } })
}

/// A server whose address of OpenAI's form is that of an Ollama.
async fn over(ollama: &FakeChat) -> TestServer {
    let base_url = format!("{}/v1", ollama.base_url());
    let openai = Some(ProviderAccess { api_key: SecretString::from(""), base_url });
    TestServer::start(ModelsConfig { openai, ..ModelsConfig::default() }).await
}

#[tokio::test(flavor = "multi_thread")]
async fn ollama_is_recognised_and_spoken_to_by_its_own_api() {
    let build = Reply::new().thought("A ball.", "").call("call_1", "create_shape", sphere("ball"));
    let end = Reply::new().text("There ").text("it is.");
    let ollama = FakeChat::start(Dialect::Ollama, [build, end]).await;
    let server = over(&ollama).await;
    let list = server.get("/api/models").await;
    let ids: Vec<&str> =
        list["models"].as_array().unwrap().iter().filter_map(|it| it["id"].as_str()).collect();
    let chats =
        ["openai/qwen3.5:9b", "openai/gpt-oss:20b", "openai/llama3.2:3b", "openai/gemma2:2b"];
    assert_eq!(ids, [&chats[..], &["offline"]].concat());
    assert_eq!(list["default"], chats[0]);
    let sees_and_thinks = |at: usize| {
        (list["models"][at]["sees_images"] == true, list["models"][at]["thinks"] == true)
    };
    assert_eq!([0, 1, 2].map(sees_and_thinks), [(true, true), (false, true), (false, false)]);
    assert_eq!(list["models"][3]["native_tools"], false);

    let mut client = server.client().await;
    assert_eq!(client.say("a ball").await["reason"], "completed");
    assert!(client.text().ends_with("There it is."), "{}", client.text());
    assert_eq!(ollama.refusals(), Vec::<String>::new());
    let requests = ollama.requests();
    assert_eq!(requests.len(), 2);
    assert!(requests[0]["options"]["num_ctx"].as_u64().unwrap() >= 16_384);
    assert_eq!((&requests[0]["think"], &requests[0]["truncate"]), (&json!(true), &json!(false)));
    let messages = requests[1]["messages"].as_array().unwrap();
    let result = messages.iter().find(|message| message["role"] == "tool").unwrap();
    assert_eq!(result["tool_name"], "create_shape");
    assert!(messages.iter().any(|message| message["thinking"] == "A ball."));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_local_model_without_tools_gets_them_in_its_text() {
    let call = json!({ "tool_calls": [{ "name": "create_shape", "arguments": sphere("ball") }] });
    let replies = [Reply::new().text(&call.to_string()), Reply::new().text("Done.")];
    let ollama = FakeChat::start(Dialect::Ollama, replies).await;
    let server = over(&ollama).await;
    let mut client = server.client().await;
    client.send(json!({ "type": "select_model", "model": "openai/gemma2:2b" })).await;
    client.until("model_selected").await;
    assert_eq!(client.say("a ball").await["reason"], "completed");
    let scene = server.get(&format!("/api/sessions/{}/scene", client.session())).await;
    assert_eq!(scene["shapes"][0]["id"], "ball");
    assert!(ollama.requests().iter().all(|request| request.get("tools").is_none()));
    assert_eq!(ollama.refusals(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_of_a_session_reach_the_model_and_outlive_the_server() {
    let ollama = {
        let replies = [Reply::new().text("Hello."), Reply::new().text("Hello again.")];
        FakeChat::start(Dialect::Ollama, replies).await
    };
    let directory = tempfile::tempdir().unwrap();
    let models = || ModelsConfig {
        openai: Some(ProviderAccess {
            api_key: SecretString::from(""),
            base_url: ollama.base_url(),
        }),
        ..ModelsConfig::default()
    };
    let server = TestServer::start_in(models(), directory.path()).await;
    let mut client = server.client().await;
    let choice = json!({ "type": "select_model", "model": "openai/qwen3.5:9b", "effort": "off",
        "temperature": 0.25 });
    client.send(choice).await;
    let selected = client.until("model_selected").await;
    assert_eq!((&selected["effort"], &selected["temperature"]), (&json!("off"), &json!(0.25)));
    client.say("hello").await;
    let hot = json!({ "type": "select_model", "model": "openai/qwen3.5:9b", "temperature": 3,
        "request_id": "hot" });
    client.send(hot).await;
    assert!(client.reply("hot").await["message"].as_str().unwrap().contains("'temperature'"));
    let session = client.session();
    client.vanish();
    server.stop().await;

    let server = TestServer::start_in(models(), directory.path()).await;
    let mut client = server.attach(&format!("session={session}")).await;
    assert_eq!(client.welcome["effort"], "off");
    assert_eq!(client.welcome["temperature"], 0.25);
    client.say("hello").await;
    for request in ollama.requests() {
        assert_eq!(
            (&request["think"], &request["options"]["temperature"]),
            (&json!(false), &json!(0.25))
        );
    }
    // Without them, the provider's defaults.
    client.send(json!({ "type": "select_model", "model": "openai/qwen3.5:9b" })).await;
    assert!(client.until("model_selected").await.get("effort").is_none());
}

/// The answer to a request about keys: its status and its text.
async fn ask(server: &TestServer, method: &str, path: &str, body: Option<Value>) -> (u16, String) {
    let method = reqwest::Method::from_bytes(method.as_bytes()).unwrap();
    let mut request = server.http().request(method, server.url(path));
    if let Some(body) = body {
        request = request.json(&body);
    }
    let response = request.send().await.unwrap();
    (response.status().as_u16(), response.text().await.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_entered_in_the_page_is_tried_used_kept_removed_and_told_to_nobody() {
    let groq = FakeChat::start(Dialect::Groq, [Reply::new().text("Hello.")]).await;
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("keys.json");
    let models = || ModelsConfig {
        keys: KeysConfig {
            allowed: true,
            file: Some(file.clone()),
            addresses: BTreeMap::from([("groq".into(), groq.base_url())]),
        },
        ..ModelsConfig::default()
    };
    let server = TestServer::start_in(models(), directory.path()).await;
    let wrong = json!({ "key": "sk-wrong-wrong-wrong-1111", "remember": true });
    let (status, text) = ask(&server, "PUT", "/api/keys/groq", Some(wrong)).await;
    assert!(status == 422 && text.contains("Groq refused this key"), "{status} {text}");
    assert!(!text.contains("sk-wrong") && !file.exists());
    assert_eq!(server.get("/api/models").await["default"], "offline");

    let right = json!({ "key": format!(" {KEY} "), "remember": true });
    let (status, text) = ask(&server, "PUT", "/api/keys/groq", Some(right)).await;
    let test: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((status, &test["problem"], &test["saved"]), (200, &Value::Null, &json!(true)));
    assert!(
        test["models"].as_u64().unwrap() > 0
            && test["default"].as_str().unwrap().starts_with("groq/")
    );
    assert!(std::fs::read_to_string(&file).unwrap().contains(KEY));

    let mut client = server.client().await;
    assert_eq!(client.say("hello").await["reason"], "completed");
    assert_eq!(groq.refusals(), Vec::<String>::new(), "asked as Groq, wherever it is");
    let session = client.session();
    let mut told = vec![text, serde_json::to_string(&client.welcome).unwrap()];
    told.extend(client.events.iter().map(Value::to_string));
    for path in [
        "/api/keys".to_owned(),
        "/api/models".to_owned(),
        "/metrics".to_owned(),
        format!("/api/sessions/{session}/export"),
        format!("/api/sessions/{session}/events"),
        format!("/api/sessions/{session}/log"),
    ] {
        told.push(ask(&server, "GET", &path, None).await.1);
    }
    assert!(told.iter().all(|text| !text.contains(KEY)), "{told:?}");
    client.vanish();
    server.stop().await;

    let server = TestServer::start_in(models(), directory.path()).await;
    assert!(server.get("/api/models").await["default"].as_str().unwrap().starts_with("groq/"));
    assert_eq!(ask(&server, "DELETE", "/api/keys/groq", None).await.0, 204);
    assert_eq!(server.get("/api/models").await["default"], "offline");
    assert!(!std::fs::read_to_string(&file).unwrap().contains(KEY));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_others_reach_takes_no_keys() {
    let server = TestServer::start(ModelsConfig::default()).await;
    for (method, body) in [("GET", None), ("PUT", Some(json!({ "key": "sk-1234567890" })))] {
        let path = if method == "GET" { "/api/keys" } else { "/api/keys/groq" };
        let (status, text) = ask(&server, method, path, body).await;
        assert!(status == 403 && text.contains("--page-keys"), "{status} {text}");
    }
}
