//! What models are asked for is counted, priced where prices are known, and survives a restart.

use end_to_end::calls::sphere;
use end_to_end::fake_gemini::{Answer, FakeGemini};
use end_to_end::server::TestServer;
use serde_json::json;
use server::{ModelsConfig, Prices};

/// The stand-in counts 10 tokens of each request and 7 of each answer.
#[tokio::test(flavor = "multi_thread")]
async fn tokens_and_cost_add_up_over_runs_and_restarts() {
    let create = Answer::new().call(None, "create_shape", sphere("ball", 1.0)["args"].clone());
    let gemini =
        FakeGemini::start([create, Answer::new().text("One."), Answer::new().text("Two.")]).await;
    let directory = tempfile::tempdir().unwrap();
    let prices = Prices::parse("gemini-=1000000/2000000").unwrap();
    let models = || ModelsConfig { prices: prices.clone(), ..TestServer::models_of(&gemini) };
    let server = TestServer::start_in(models(), directory.path()).await;
    let mut client = server.client().await;
    assert_eq!(client.welcome["usage"], json!({ "input_tokens": 0, "output_tokens": 0 }));
    assert!(client.welcome["models"][0]["context_window"].as_u64().unwrap() > 100_000);
    let first = client.say("a ball").await["usage"].clone();
    let both_turns =
        json!({ "input_tokens": 20, "output_tokens": 14, "context_tokens": 17, "cost": 48.0 });
    assert_eq!(first, both_turns);
    client.say("another").await;
    let session = client.session();
    client.vanish();
    server.stop().await;

    let server = TestServer::start_in(models(), directory.path()).await;
    let welcome = server.attach(&format!("session={session}")).await.welcome;
    let all =
        json!({ "input_tokens": 30, "output_tokens": 21, "context_tokens": 17, "cost": 72.0 });
    assert_eq!(welcome["usage"], all);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_prices_there_is_no_cost() {
    let gemini = FakeGemini::start([Answer::new().text("One.")]).await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    let usage = client.say("hello").await["usage"].clone();
    assert_eq!(usage, json!({ "input_tokens": 10, "output_tokens": 7, "context_tokens": 17 }));
}
