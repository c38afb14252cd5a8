//! A4: classes of sessions with limits of their own.

use end_to_end::fake_gemini::FakeGemini;
use end_to_end::server::TestServer;
use secrecy::SecretString;
use serde_json::{Value, json};
use server::{AgentConfig, Tier};

use super::{creates, says};

#[tokio::test]
async fn a_session_keeps_the_turn_limit_of_the_tier_it_was_begun_in() {
    let gemini =
        FakeGemini::start([creates("one"), says("Never asked for."), says("Hello.")]).await;
    let token = SecretString::from("pro token");
    let tiers = vec![Tier { name: "small".into(), token, max_turns: 1 }];
    let agent = AgentConfig { tiers, ..AgentConfig::default() };
    let server = TestServer::start_with(TestServer::models_of(&gemini), agent).await;
    let begun = server.http().post(server.url("/api/sessions")).bearer_auth("pro token");
    let begun: Value = begun.send().await.unwrap().json().await.unwrap();
    let session = begun["session_id"].as_str().unwrap();
    let mut client = server.attach(&format!("session={session}")).await;
    client.send(json!({ "type": "user_message", "text": "a ball" })).await;
    let end = client.until("run_finished").await;
    let message = end["message"].as_str().unwrap();
    assert_eq!(message, "Reached maximum turn limit (1 turns). Send a message to continue.");
    // Another session has the usual limit, and so has a copy: a file or a copy makes nobody's tier.
    gemini.clear();
    gemini.push(says("Hello."));
    let copy = server.http().post(server.url(&format!("/api/sessions/{session}/duplicate")));
    let copy: Value = copy.send().await.unwrap().json().await.unwrap();
    let mut copied =
        server.attach(&format!("session={}", copy["session_id"].as_str().unwrap())).await;
    copied.send(json!({ "type": "user_message", "text": "go on" })).await;
    let turn = copied.until("turn_started").await;
    assert_eq!(turn["max_turns"], 10);
}
