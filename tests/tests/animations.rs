//! Requirement F8: animations over HTTP and WebSocket, by talking and by hand.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::io::Cursor;

use end_to_end::server::TestServer;
use image::AnimationDecoder;
use image::codecs::webp::WebPDecoder;
use reqwest::{Response, StatusCode, header};
use serde_json::{Value, json};
use server::ModelsConfig;

/// A server with a session whose scene has an animation of so many seconds, eight frames each.
async fn server_with(seconds: f64) -> (TestServer, String) {
    let server = TestServer::start(ModelsConfig::default()).await;
    let made = server.http().post(server.url("/api/sessions")).send().await.unwrap();
    let made: Value = made.json().await.unwrap();
    let id = made["session_id"].as_str().unwrap().to_owned();
    let scene = json!({
        "version": 1,
        "shapes": [
            { "id": "ball", "type": "sphere", "properties": { "center": [0, 0.5, 0], "radius": 0.5 } },
            { "id": "floor", "type": "quad",
              "properties": { "corner": [-9, 0, 9], "u": [18, 0, 0], "v": [0, 0, -18] } } ],
        "animation": { "duration": seconds, "fps": 8, "loops": false, "tracks": [
            { "target": "ball", "property": "position", "keys": [[0, [-1, 0.5, 0]], [seconds, [1, 0.5, 0]]] } ] }
    });
    let request = server.http().put(server.url(&format!("/api/sessions/{id}/scene")));
    let put = request.json(&scene).send().await.unwrap();
    assert_eq!(put.status(), StatusCode::OK, "{}", put.text().await.unwrap());
    (server, id)
}

async fn get(server: &TestServer, id: &str, query: &str, accept: &str) -> Response {
    let address = server.url(&format!("/api/sessions/{id}/animation{query}"));
    server.http().get(address).header(header::ACCEPT, accept).send().await.unwrap()
}

async fn detail(answer: Response) -> String {
    let problem: Value = answer.json().await.unwrap();
    problem["detail"].as_str().unwrap().to_owned()
}

const SMALL: &str = "width=24&height=16&samples=1";

#[tokio::test]
async fn an_animation_comes_as_a_file_and_with_progress_as_the_same() {
    let (server, id) = server_with(0.5).await;
    let answer = get(&server, &id, &format!("?{SMALL}"), "*/*").await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()[header::CONTENT_TYPE], "image/webp");
    let named = answer.headers()[header::CONTENT_DISPOSITION].to_str().unwrap().to_owned();
    assert!(named.ends_with(".webp\""), "{named}");
    let file = answer.bytes().await.unwrap();
    let frames = WebPDecoder::new(Cursor::new(&file)).unwrap().into_frames();
    assert_eq!(frames.collect_frames().unwrap().len(), 4);

    let answer = get(&server, &id, &format!("?{SMALL}"), "application/x-ndjson").await;
    let bytes = answer.bytes().await.unwrap();
    let mut rest = &bytes[..];
    let mut frames = Vec::new();
    let told = loop {
        let end = rest.iter().position(|byte| *byte == b'\n').unwrap();
        let line: Value = serde_json::from_slice(&rest[..end]).unwrap();
        rest = &rest[end + 1..];
        match line["type"].as_str().unwrap() {
            "frame" => frames.push(line),
            _ => break line,
        }
    };
    assert_eq!((&told["type"], &told["mime_type"]), (&json!("file"), &json!("image/webp")));
    assert_eq!(told["bytes"], rest.len());
    assert!(rest == &file[..], "it is the same file");
    // Frames that nobody had read yet are left out, never the order.
    let done: Vec<u64> = frames.iter().map(|frame| frame["done"].as_u64().unwrap()).collect();
    assert!(done.is_sorted() && done.iter().all(|done| (1..=4).contains(done)), "{done:?}");
    for frame in &frames {
        assert_eq!(frame["frames"], 4);
        assert!(frame["picture"].as_str().unwrap().starts_with("/9j/"), "a JPEG in base64");
    }
}

#[tokio::test]
async fn what_cannot_be_made_is_refused_in_plain_words() {
    let (server, id) = server_with(60.0).await;
    for (query, expected) in [
        ("?format=mp4", "'format' must be one of webp, gif, zip, got 'mp4'"),
        ("?format=gif&fps=60", "'fps' must be from 1 to 50 for gif, got 60"),
        ("?width=0", "'width' must be from 1 to 4096, got 0"),
        ("?width=1024&height=1024&samples=1000", "ask for fewer samples or frames"),
        ("?shutter=2", "'shutter' must be from 0 to 1, got 2"),
        ("?shutter=0.5&noise_threshold=0.1", "leave out 'shutter'"),
        ("?fps=x", "'fps' must be a whole number from 0 on, got 'x'"),
    ] {
        for accept in ["*/*", "application/x-ndjson"] {
            let answer = get(&server, &id, query, accept).await;
            assert_eq!(answer.status(), StatusCode::BAD_REQUEST, "{query}");
            let detail = detail(answer).await;
            assert!(detail.contains(expected), "{query}: {detail}");
        }
    }
    let request = server.http().put(server.url(&format!("/api/sessions/{id}/scene")));
    request.json(&json!({ "version": 1, "shapes": [] })).send().await.unwrap();
    let answer = get(&server, &id, "", "*/*").await;
    assert_eq!(answer.status(), StatusCode::CONFLICT);
    assert!(detail(answer).await.contains("nothing is animated"));
    let poses = get(&server, &id, "/poses", "*/*").await;
    assert_eq!(poses.status(), StatusCode::CONFLICT);
}

#[tokio::test]
async fn who_leaves_cancels_and_the_place_is_free_again() {
    let (server, id) = server_with(60.0).await;
    let bound = async |name: &str| {
        let metrics = server.http().get(server.url("/metrics")).send().await.unwrap();
        let text = metrics.text().await.unwrap();
        let line = text.lines().find(|line| line.contains("in_use{") && line.contains(name));
        line.map(str::to_owned).unwrap_or_default()
    };
    // It would take a minute; the first line says that it has begun.
    let slow = "?width=320&height=240&samples=64";
    let mut answer = get(&server, &id, slow, "application/x-ndjson").await;
    let first = answer.chunk().await.unwrap().unwrap();
    assert!(first.starts_with(b"{\"type\":\"frame\",\"done\":1,"), "{:?}", &first[..40]);
    assert!(bound("animations").await.ends_with(" 1"), "{}", bound("animations").await);
    drop(answer);
    while !bound("animations").await.ends_with(" 0") {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn poses_are_changes_that_lead_to_the_scene_at_each_moment() {
    let (server, id) = server_with(1.0).await;
    let poses: Value = get(&server, &id, "/poses?fps=4", "*/*").await.json().await.unwrap();
    assert_eq!(poses["duration"], 1.0);
    let moments = poses["moments"].as_array().unwrap();
    let times: Vec<f64> = moments.iter().map(|moment| moment["time"].as_f64().unwrap()).collect();
    assert_eq!(times, [0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0]);
    let change = &moments[3]["changes"][0];
    assert_eq!((&change["kind"], &change["id"]), (&json!("shape"), &json!("ball")));
    assert_eq!(change["after"]["properties"]["center"], json!([1.0, 0.5, 0.0]));
    assert_eq!(moments[3]["changes"].as_array().unwrap().len(), 1, "what stands still is left out");
}

#[tokio::test]
async fn talking_animates_and_undo_takes_it_back() {
    let (server, id) = server_with(1.0).await;
    let mut client = server.attach(&format!("session={id}")).await;
    client.say("let the camera go around the ball in 4 seconds").await;
    let scene = async || {
        let answer = server.http().get(server.url(&format!("/api/sessions/{id}/scene"))).send();
        answer.await.unwrap().json::<Value>().await.unwrap()
    };
    let animation = &scene().await["animation"];
    assert_eq!(animation["duration"], 4.0);
    let tracks = animation["tracks"].as_array().unwrap();
    assert_eq!(tracks.len(), 3, "{tracks:?}");
    assert_eq!(
        (&tracks[1]["property"], &tracks[1]["keys"][1]["value"]),
        (&json!("orbit"), &json!(360.0))
    );
    client.send(json!({ "type": "undo" })).await;
    let undone = client.until("scene_changed").await;
    assert_eq!(undone["changes"][0]["kind"], "animation");
    assert_eq!(scene().await["animation"]["tracks"].as_array().unwrap().len(), 1);
    let edit = json!({ "type": "edit", "request_id": "e", "calls": [
        { "name": "set_animation", "args": { "tracks": [
            { "target": "bal", "property": "position", "keys": [[0, [0, 0, 0]]] } ] } } ] });
    client.send(edit).await;
    let refused = client.reply("e").await;
    assert!(refused["message"].as_str().unwrap().contains("did you mean 'ball'?"), "{refused}");
}
