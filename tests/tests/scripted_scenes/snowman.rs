//! A scripted Gemini conversation builds the snowman through the public API and leaves the scene of
//! `scenes/snowman.json`.

use end_to_end::fake_gemini::{Answer, FakeGemini};
use end_to_end::server::TestServer;
use serde_json::{Value, json};

/// The call that makes `object`, which has the form of the scene file.
fn create(answer: Answer, name: &str, object: &Value) -> Answer {
    let id = format!("call_{}", object["id"].as_str().unwrap());
    answer.call(Some(&id), name, object.clone())
}

fn as_camera_call(camera: &Value) -> Value {
    json!({ "center": camera["center"], "look_at": camera["look_at"], "vfov": camera["vfov"],
            "aperture": camera["aperture"] })
}

#[tokio::test]
async fn gemini_builds_the_snowman() {
    let mut expected: Value =
        serde_json::from_str(include_str!("../../../scenes/snowman.json")).unwrap();
    let shapes = expected["shapes"].as_array().unwrap().clone();
    let light = expected["lights"][0].clone();

    // The model lays the ground, stacks the balls, dresses them with a mistake it corrects, and
    // lights the scene.
    let balls = shapes[..4].iter().fold(Answer::new().text("First the balls."), |answer, shape| {
        create(answer, "create_shape", shape)
    });
    let mut wrong = shapes[4].clone();
    wrong["properties"]["radius"] = json!(0);
    let face = create(Answer::new(), "create_shape", &wrong).signed("c2ln");
    let rest =
        shapes[4..].iter().fold(Answer::new().text("An eye needs a size."), |answer, shape| {
            create(answer, "create_shape", shape)
        });
    let mood = create(Answer::new(), "create_light", &light)
        .signed("c2ln")
        .call(Some("sky"), "set_environment_lighting", expected["environment"].clone())
        .call(Some("camera"), "set_camera", as_camera_call(&expected["camera"]));
    let look =
        Answer::new().call(Some("look"), "render_preview", json!({ "width": 160, "height": 120 }));
    let gemini = FakeGemini::start([
        balls.crlf(),
        face,
        rest.in_pieces(7),
        mood,
        look.signed("c2ln"),
        Answer::new().text("A snowman with a top hat.").signed_end("c2ln"),
    ])
    .await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    let end = client.say("Build a snowman on a winter evening").await;
    assert_eq!((&end["reason"], &end["turns"]), (&json!("completed"), &json!(6)));
    assert_eq!(gemini.refusals(), Vec::<String>::new());

    // A description belongs to a file, no tool sets it; all else is equal, value for value.
    expected.as_object_mut().unwrap().remove("description");
    let built = server.get(&format!("/api/sessions/{}/scene", client.session())).await;
    assert_eq!(as_floats(built), as_floats(expected));
}

/// 1 and 1.0 are the same number.
fn as_floats(value: Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64().unwrap()),
        Value::Array(items) => items.into_iter().map(as_floats).collect(),
        Value::Object(map) => map
            .into_iter()
            .map(|(name, value)| (name, as_floats(value)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        other => other,
    }
}
