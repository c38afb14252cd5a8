//! Who looks at a session is told to the others who do, and kept nowhere.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use end_to_end::calls::sphere;
use end_to_end::client::Client;
use end_to_end::server::TestServer;
use serde_json::{Value, json};

/// Reads until the people are told that are called so.
async fn until_called(client: &mut Client, names: &[&str]) -> Value {
    client
        .until_that(|message| {
            let people = message["people"].as_array();
            message["type"] == "presence"
                && people.is_some_and(|people| {
                    people
                        .iter()
                        .map(|person| person["name"].as_str().unwrap())
                        .eq(names.iter().copied())
                })
        })
        .await
}

#[tokio::test(flavor = "multi_thread")]
async fn people_see_who_is_here_and_what_they_selected() {
    let server = TestServer::start(server::ModelsConfig::default()).await;
    let mut ada = server.client().await;
    let session = ada.session();
    ada.send(json!({ "type": "presence", "name": "Ada" })).await;
    until_called(&mut ada, &["Ada"]).await;

    let mut ben = server.attach(&format!("session={session}")).await;
    // Somebody who says nothing is not listed, and is not told either.
    let mut silent = server.attach(&format!("session={session}")).await;
    ben.send(json!({ "type": "presence", "name": " Ben\u{202e} ", "selection": ["vase"] })).await;
    let told = until_called(&mut ada, &["Ada", "Ben"]).await;
    assert_eq!(told["people"][1]["selection"], json!(["vase"]));
    assert_eq!(told["people"][1]["can_edit"], true);
    assert_eq!(told["more"], 0);
    assert_ne!(told["you"], told["people"][1]["id"]);

    // What is left out stays.
    ben.send(json!({ "type": "presence", "selection": ["table"] })).await;
    let told =
        ada.until_that(|message| message["people"][1]["selection"] == json!(["table"])).await;
    assert_eq!(told["people"][1]["name"], "Ben");

    drop(ben);
    until_called(&mut ada, &["Ada"]).await;
    assert!(silent.still_there().await);

    // It is no event: nothing of it is numbered, and a newcomer's welcome has nothing of it.
    ada.send(json!({ "type": "edit", "calls": [sphere("a", 1.0)] })).await;
    let changed = ada.until("scene_changed").await;
    assert_eq!(changed["seq"], ada.welcome["seq"].as_u64().unwrap() + 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_told_is_refused() {
    let server = TestServer::start(server::ModelsConfig::default()).await;
    let mut client = server.client().await;
    let many: Vec<String> = (0..101).map(|index| format!("s{index}")).collect();
    for (message, word) in [
        (json!({ "type": "presence", "request_id": 1, "name": "x".repeat(61) }), "'name'"),
        (json!({ "type": "presence", "request_id": 2, "selection": many }), "'selection'"),
    ] {
        client.send(message.clone()).await;
        let error = client.until("error").await;
        assert_eq!(error["request_id"], message["request_id"]);
        assert_eq!(error["code"], "out_of_range");
        assert!(error["message"].as_str().unwrap().contains(word), "{error}");
    }
    client.send(json!({ "type": "presence" })).await;
    let told = until_called(&mut client, &[""]).await;
    assert_eq!(told["people"][0]["id"], told["you"]);
}
