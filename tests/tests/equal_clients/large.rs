//! Clients of a large session, which share what they are sent.

use end_to_end::calls::sphere;
use end_to_end::replica::Replica;
use end_to_end::server::TestServer;
use serde_json::{Value, json};

/// Bytes of answers that are cached or on their way.
async fn answer_bytes(server: &TestServer) -> u64 {
    let answer = server.http().get(server.url("/metrics")).send().await.unwrap();
    let text = answer.text().await.unwrap();
    let of =
        |line: &str| line.strip_prefix("scene_llm_in_use{of=\"answer_bytes\"} ").map(str::to_owned);
    text.lines().find_map(of).unwrap().parse().unwrap()
}

/// What they missed is more than is kept at hand, so it is read from the log.
#[tokio::test]
async fn those_who_come_back_late_are_told_all_they_missed_in_order() {
    let server = TestServer::start(server::ModelsConfig::default()).await;
    let mut author = server.client().await;
    let late = author.resume_query();
    let known = Replica::new(&author.welcome["scene"]);
    for edit in 0..8 {
        let calls: Vec<Value> =
            (0..700).map(|at| sphere(&format!("ball_{edit}_{at}"), 1.0)).collect();
        author.send(json!({ "type": "edit", "calls": calls })).await;
        author.until("scene_changed").await;
    }
    let bytes: usize = author.events.iter().map(|event| event.to_string().len()).sum();
    assert!(bytes > 1024 * 1024, "{bytes} bytes are still at hand");
    let fresh = server.attach(&format!("session={}", author.session())).await;
    assert_eq!(fresh.welcome["scene"]["shapes"].as_array().unwrap().len(), 8 * 700);
    assert_eq!(fresh.seq(), author.seq());
    // The scene and the chat are kept once, whoever is sent them.
    let kept = answer_bytes(&server).await;
    let own = fresh.welcome["scene"].to_string().len() as u64;
    assert!(kept > own && kept < 2 * own + 1024 * 1024, "{kept} bytes for a scene of {own}");
    let path = format!("/api/sessions/{}", author.session());
    let snapshot = server.http().get(server.url(&path)).send().await.unwrap();
    let snapshot: Value = snapshot.json().await.unwrap();
    for member in ["chat", "scene"] {
        assert_eq!(snapshot[member], fresh.welcome[member], "{member}");
    }
    let (one, other) = tokio::join!(server.attach(&late), server.attach(&late));
    for mut client in [one, other] {
        assert_eq!(client.welcome["resumed"], true);
        while client.seq() < author.seq() {
            client.next().await;
        }
        assert_eq!(client.events, author.events);
        let mut scene = known.clone();
        for event in &client.events {
            scene.follow(event);
        }
        assert!(scene.is(&fresh.welcome["scene"]));
        // It goes on with what happens.
        author.send(json!({ "type": "edit", "calls": [sphere("one_more", 2.0)] })).await;
        author.until("scene_changed").await;
        assert_eq!(client.until("scene_changed").await, *author.events.last().unwrap());
        author.send(json!({ "type": "undo" })).await;
        author.until("scene_changed").await;
        client.until("scene_changed").await;
    }
}
