//! Pictures that come with a message: bounded, given to the model, shown again after a restart, and by
//! whoever may look at the session.

use end_to_end::fake_gemini::{Answer, FakeGemini};
use end_to_end::server::TestServer;
use serde_json::{Value, json};

/// One pixel.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

fn picture() -> Value {
    json!({ "mime_type": "image/png", "data": PNG })
}

#[tokio::test(flavor = "multi_thread")]
async fn the_model_sees_the_pictures_of_a_message_and_the_chat_keeps_them() {
    let gemini = FakeGemini::start([Answer::new().text("A blue dot.")]).await;
    let directory = tempfile::tempdir().unwrap();
    let models = || TestServer::models_of(&gemini);
    let server = TestServer::start_in(models(), directory.path()).await;
    let mut client = server.client().await;
    assert_eq!(client.welcome["models"][0]["sees_images"], true);
    assert_eq!(client.welcome["models"].as_array().unwrap().last().unwrap()["sees_images"], false);
    let session = client.session();
    client
        .send(json!({ "type": "user_message", "text": "what is this?", "images": [picture(), picture()],
            "selection": ["ball"] }))
        .await;
    let said = client.until("user_message").await;
    let shown = json!({ "mime_type": "image/png", "width": 1, "height": 1 });
    assert_eq!(said["images"], json!([shown, shown]));
    assert_eq!(said["selection"], json!(["ball"]));
    client.until("run_finished").await;
    let parts = gemini.requests()[0].body["contents"][0]["parts"].clone();
    assert_eq!(parts[0]["text"], "[selected: ball]\nwhat is this?");
    assert_eq!(parts[2]["inlineData"]["data"], PNG);
    client.vanish();
    server.stop().await;

    let server = TestServer::start_in(models(), directory.path()).await;
    let again = server.attach(&format!("session={session}")).await.welcome;
    assert_eq!(again["chat"][0]["images"], json!([shown, shown]));
    assert_eq!(again["chat"][0]["selection"], json!(["ball"]));
    let address = |index: &str| {
        let id = again["chat"][0]["message_id"].as_str().unwrap();
        server.url(&format!("/api/sessions/{session}/messages/{id}/images/{index}"))
    };
    let answer = server.http().get(address("1")).send().await.unwrap();
    assert_eq!(answer.headers()["content-type"], "image/png");
    assert!(answer.headers()["cache-control"].to_str().unwrap().contains("immutable"));
    assert!(answer.headers()["content-security-policy"].to_str().unwrap().contains("sandbox"));
    assert!(answer.bytes().await.unwrap().starts_with(b"\x89PNG"));
    for unknown in ["2", "-1", "x"] {
        let answer = server.http().get(address(unknown)).send().await.unwrap();
        assert_eq!(answer.status(), 404, "{unknown}");
        let problem: Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
        assert!(problem["detail"].as_str().unwrap().contains("has no picture"), "{problem}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn more_pictures_than_fit_are_refused_and_nothing_is_said() {
    let server = TestServer::with_mock(&json!(["Never asked."])).await;
    let mut client = server.client().await;
    let most = usize::try_from(client.welcome["limits"]["max_images"].as_u64().unwrap()).unwrap();
    client
        .send(json!({ "type": "user_message", "request_id": "r", "text": "look",
            "images": vec![picture(); most + 1] }))
        .await;
    let refusal = client.reply("r").await;
    assert_eq!(refusal["code"], "bad_message");
    assert!(
        refusal["message"].as_str().unwrap().contains("at most 8 pictures, got 9"),
        "{refusal}"
    );
    let session = server.get(&format!("/api/sessions/{}", client.session())).await;
    assert_eq!(session["chat"], json!([]));
}

/// Pictures are sent over HTTP, too, and a branch still has those of the messages it shares.
#[tokio::test(flavor = "multi_thread")]
async fn pictures_of_every_branch_are_found() {
    let server = TestServer::with_mock(&json!(["One.", "Two."])).await;
    let mut client = server.client().await;
    let session = client.session();
    let body = json!({ "text": "first", "images": [picture()] }).to_string();
    let request = server.http().post(server.url(&format!("/api/sessions/{session}/messages")));
    let request = request.header("content-type", "application/json").body(body);
    assert_eq!(request.send().await.unwrap().status(), 202);
    client.until("run_finished").await;
    client
        .send(json!({ "type": "user_message", "text": "anew", "replaces": "u1", "images": [picture()] }))
        .await;
    client.until("run_finished").await;
    for message in ["u1", "u2"] {
        let path = format!("/api/sessions/{session}/messages/{message}/images/0");
        let answer = server.http().get(server.url(&path)).send().await.unwrap();
        assert_eq!(answer.status(), 200, "{message}");
    }
}
