//! Pictures on the way: to the clients while the loop runs, and to the model that asked for one.

use end_to_end::fake_gemini::{Answer, FakeGemini, Gate};
use end_to_end::server::TestServer;
use serde_json::json;

use crate::loop_over_gemini::create;

#[tokio::test]
async fn a_preview_reaches_the_model_as_a_picture() {
    let gemini = FakeGemini::start([
        create(Answer::new(), "a", "one").signed("c2ln"),
        Answer::new()
            .call(
                Some("b"),
                "render_preview",
                json!({ "width": 64, "height": 48, "views": ["camera", "top"] }),
            )
            .signed("c2ln"),
        Answer::new().text("I see a ball."),
    ])
    .await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    assert_eq!(client.say("look").await["reason"], "completed");
    let requests = gemini.requests();
    let parts = &requests[2].body["contents"][4]["parts"][0]["functionResponse"]["parts"];
    // Both views on one sheet.
    assert_eq!(parts.as_array().unwrap().len(), 1);
    assert_eq!(parts[0]["inlineData"]["mimeType"], "image/jpeg");
    use base64::Engine;
    let bytes = base64::engine::general_purpose::STANDARD
        .decode(parts[0]["inlineData"]["data"].as_str().unwrap())
        .unwrap();
    let picture = image::load_from_memory(&bytes).unwrap();
    assert!(picture.width() >= 64 && picture.height() >= 48);
    assert!(picture.width() * picture.height() >= 2 * 64 * 48);
    assert_eq!(gemini.refusals(), Vec::<String>::new());
}

#[tokio::test]
async fn previews_refine_while_the_loop_is_still_running() {
    let gate = Gate::new();
    let gemini = FakeGemini::start([
        create(Answer::new(), "a", "one").signed("c2ln"),
        Answer::new().text("Thinking").gate(&gate).text("."),
    ])
    .await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    client.send(json!({ "type": "user_message", "text": "go" })).await;
    loop {
        let preview = client.preview().await;
        if preview.header["revision"] == 1 && preview.header["samples"].as_u64() >= Some(2) {
            assert_eq!(
                (&preview.header["width"], &preview.header["height"]),
                (&json!(400), &json!(300))
            );
            let picture = image::load_from_memory(&preview.image).unwrap();
            assert_eq!((picture.width(), picture.height()), (400, 300));
            break;
        }
    }
    assert!(client.events.iter().all(|event| event["type"] != "run_finished"));
    gate.open();
    client.until("run_finished").await;
}

#[tokio::test]
async fn a_preview_names_the_look_it_was_made_for() {
    let gemini = FakeGemini::start([]).await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    assert_eq!(client.preview().await.header.get("view"), None);
    for (name, center) in [("look-1", [0, 1, 5]), ("look-2", [4, 1, 5])] {
        let camera = json!({ "center": center, "look_at": [0, 0, 0] });
        client.send(json!({ "type": "view", "request_id": name, "camera": camera })).await;
        while client.preview().await.header["view"] != name {}
    }
    // What is refused changes neither the look nor its name.
    let lost = json!({ "type": "view", "request_id": "lost", "camera": { "center": [0, 0, 0] } });
    client.send(lost).await;
    client.until("error").await;
    client.send(json!({ "type": "undo" })).await;
    assert_eq!(client.preview().await.header["view"], "look-2");
}

/// The scene as it was is rendered with the camera of whoever asks: both can be compared.
#[tokio::test(flavor = "multi_thread")]
async fn a_picture_of_an_earlier_revision_shows_what_was_there_then() {
    let server = TestServer::with_mock(&json!([])).await;
    let client = server.client().await;
    let session = client.session();
    let lit = |emission: [f64; 3]| {
        let environment = json!({ "type": "uniform", "emission": emission });
        json!({ "version": 1, "shapes": [], "environment": environment })
    };
    for emission in [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]] {
        let address = server.url(&format!("/api/sessions/{session}/scene"));
        let put = server.http().put(address).json(&lit(emission)).send().await.unwrap();
        assert_eq!(put.status(), 200);
    }
    let address = server.url(&format!("/api/sessions/{session}/render"));
    let pixel = async |revision: Option<u64>| {
        let body = json!({ "width": 16, "height": 16, "samples": 1, "revision": revision });
        let answer = server.http().post(&address).json(&body).send().await.unwrap();
        assert_eq!(answer.status(), 200, "{revision:?}");
        let picture = image::load_from_memory(&answer.bytes().await.unwrap()).unwrap().to_rgb8();
        picture.get_pixel(8, 8).0
    };
    let [red, _, blue] = pixel(Some(1)).await;
    assert!(u32::from(red) > 2 * u32::from(blue), "then: {red}, {blue}");
    let [red, _, blue] = pixel(None).await;
    assert!(u32::from(blue) > 2 * u32::from(red), "now: {red}, {blue}");
}
