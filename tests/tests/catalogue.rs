//! The catalogue over HTTP, and its tool as an edit of a client.

mod own_objects;

use end_to_end::server::TestServer;
use reqwest::StatusCode;
use serde_json::{Value, json};

#[tokio::test]
async fn the_objects_are_listed_searched_and_shown() {
    let server = TestServer::with_mock(&json!([])).await;
    let all = server.get("/api/objects").await;
    let objects = all["objects"].as_array().unwrap();
    assert!(objects.len() > 250, "{}", objects.len());
    for object in objects {
        let sides = object["size"].as_array().unwrap().iter();
        assert!(sides.map(|side| side.as_f64().unwrap()).all(|side| side > 0.0), "{object}");
        assert!(object["shapes"].as_u64().unwrap() > 0, "{object}");
    }
    let found = server.get("/api/objects?query=easy%20chair").await;
    assert_eq!(found["objects"][0]["name"], "armchair");
    let seats = server.get("/api/objects?category=seats").await;
    assert!(seats["objects"].as_array().unwrap().len() < objects.len());

    let one = server.get("/api/objects/armchair").await;
    assert_eq!(one["document"].as_array().unwrap().len() as u64, one["shapes"].as_u64().unwrap());
    assert!(one["document"][0]["id"].as_str().unwrap().starts_with("armchair_"), "{one}");
}

#[tokio::test]
async fn a_picture_is_rendered_once_and_kept() {
    let server = TestServer::with_mock(&json!([])).await;
    let picture = server.http().get(server.url("/api/objects/mug/picture")).send().await.unwrap();
    assert_eq!(picture.status(), StatusCode::OK);
    let tag = picture.headers()["etag"].clone();
    let bytes = picture.bytes().await.unwrap();
    assert_eq!(bytes[..2], [0xff, 0xd8], "a JPEG");
    let again =
        server.http().get(server.url("/api/objects/mug/picture")).header("if-none-match", tag);
    assert_eq!(again.send().await.unwrap().status(), StatusCode::NOT_MODIFIED);
    let again = server.http().get(server.url("/api/objects/mug/picture")).send().await.unwrap();
    assert_eq!(again.bytes().await.unwrap(), bytes);
}

#[tokio::test]
async fn what_is_not_there_is_said() {
    let server = TestServer::with_mock(&json!([])).await;
    for (path, status, part) in [
        ("/api/objects/qwertz", 404, "there is no object 'qwertz'"),
        ("/api/objects/qwertz/picture", 404, "there is no object 'qwertz'"),
        ("/api/objects?category=qwertz", 422, "there is no category 'qwertz'; there are"),
        ("/api/objects?words=sofa", 400, "there is no 'words'; there is 'query' or 'category'"),
    ] {
        let answer = server.http().get(server.url(path)).send().await.unwrap();
        assert_eq!(answer.status().as_u16(), status, "{path}");
        let problem: Value = answer.json().await.unwrap();
        assert!(problem.to_string().contains(part), "{path}: {problem}");
    }
}

#[tokio::test]
async fn a_client_adds_an_object_as_the_model_does() {
    let server = TestServer::with_mock(&json!([])).await;
    let mut client = server.client().await;
    let edit = json!({ "type": "edit", "request_id": "add", "calls": [
        { "name": "add_object", "args": { "object": "armchair", "at": [1, 0, 0], "turn": 30 } } ] });
    client.send(edit).await;
    let changed = client.until("scene_changed").await;
    assert_eq!(changed["by"], "user", "{changed}");
    let scene = server.get(&format!("/api/sessions/{}/scene", client.session())).await;
    assert!(scene["shapes"].as_array().unwrap().iter().all(|shape| shape["group"] == "armchair"));
}
