//! The server under load and at its end.

use std::time::Duration;

use end_to_end::server::TestServer;
use serde_json::json;
use tokio::time::timeout;

/// Far more than a stop needs that does not wait for the render.
const PROMPTLY: Duration = Duration::from_secs(4);

fn long_render() -> serde_json::Value {
    json!({ "scene": { "version": 1, "shapes": [] }, "width": 1920, "height": 1080, "samples": 2000 })
}

#[tokio::test]
async fn pictures_on_request_do_not_keep_previews_waiting() {
    let server = TestServer::with_mock(&json!([])).await;
    let mut client = server.client().await;
    let request = || server.http().post(server.url("/api/render")).json(&long_render()).send();
    // Two fill their pool for minutes; both are dropped at the end of the test.
    let renders = futures_util::future::join(request(), request());
    tokio::pin!(renders);
    let edit = json!({ "type": "edit", "calls": [ { "name": "create_shape", "args": {
        "id": "a", "type": "sphere", "properties": { "center": [0, 0, 0], "radius": 1 } } } ] });
    tokio::select! {
        _ = &mut renders => panic!("the renders were to take long"),
        () = async {
            client.send(edit).await;
            while client.preview().await.header["revision"] != 1 {}
        } => {}
    }
}

#[tokio::test]
async fn too_many_pictures_at_once_get_429_with_retry_after() {
    let server = TestServer::with_mock(&json!([])).await;
    let request = || server.http().post(server.url("/api/render")).json(&long_render()).send();
    let renders = (0..11).map(|_| Box::pin(request()));
    // The first to be answered is one that was refused.
    let (first, _, _) = futures_util::future::select_all(renders).await;
    let first = first.unwrap();
    assert_eq!(first.status(), 429);
    assert!(first.headers().contains_key("retry-after"));
}

#[tokio::test]
async fn a_stopping_server_says_so_and_does_not_wait_for_pictures() {
    let server = TestServer::with_mock(&json!([])).await;
    let mut client = server.client().await;
    let render = server.http().post(server.url("/api/render")).json(&long_render()).send();
    let (ready, http) = (server.url("/readyz"), server.http().clone());
    let render = tokio::spawn(render);
    // The session's answer shows that the server has read past the render's request.
    assert!(client.still_there().await);
    let stopped = tokio::spawn(timeout(PROMPTLY, server.stop()));
    loop {
        let status = http.get(&ready).send().await.unwrap().status();
        if status == 503 {
            break;
        }
    }
    assert_eq!(client.close_code().await, 1001);
    stopped.await.unwrap().expect("the server stops at once");
    // Cut off or told to come back, but not left waiting.
    let answer = render.await.unwrap();
    assert!(answer.is_err() || answer.unwrap().status() == 503);
}
