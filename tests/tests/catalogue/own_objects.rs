//! Objects of the user's own: saved from one session, added in another by a client and by a model, over HTTP
//! as files.

use std::path::Path;

use end_to_end::server::TestServer;
use reqwest::{Method, StatusCode};
use secrecy::SecretString;
use serde_json::{Value, json};
use server::{Config, ModelsConfig, Storage};

/// A triangle.
const MESH: &str = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
    element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";

fn lamp() -> Value {
    json!({ "version": 1,
        "shapes": [
            { "id": "lamp_foot", "group": "lamp", "type": "box", "properties": {
                "center": [2, 0.05, 1], "dimensions": [0.4, 0.1, 0.4] } },
            { "id": "lamp_shade", "group": "lamp", "type": "sphere", "properties": {
                "center": [2, 0.3, 1], "radius": 0.2 } } ],
        "groups": [{ "id": "lamp", "parent": null }] })
}

async fn send(
    server: &TestServer,
    method: Method,
    path: &str,
    body: &Value,
) -> (StatusCode, Value) {
    let request = server.http().request(method, server.url(path)).json(body);
    let answer = request.send().await.unwrap();
    let status = answer.status();
    let text = answer.text().await.unwrap();
    (status, serde_json::from_str(&text).unwrap_or(Value::Null))
}

/// A session with a scene.
async fn session(server: &TestServer, scene: &Value) -> String {
    let (_, made) = send(server, Method::POST, "/api/sessions", &json!({})).await;
    let id = made["session_id"].as_str().unwrap().to_owned();
    let path = format!("/api/sessions/{id}/scene");
    let (status, told) = send(server, Method::PUT, &path, scene).await;
    assert_eq!(status, StatusCode::OK, "{told}");
    id
}

fn models(responses: &Value) -> ModelsConfig {
    ModelsConfig { mock_responses: Some(responses.to_string()), ..ModelsConfig::default() }
}

async fn server_in(directory: &Path) -> TestServer {
    TestServer::start_in(models(&json!([])), directory).await
}

#[tokio::test]
async fn a_selection_is_saved_and_added_to_another_session() {
    let directory = tempfile::tempdir().unwrap();
    let server = server_in(directory.path()).await;
    let first = session(&server, &lamp()).await;
    let about = json!({ "session": first, "ids": ["lamp"], "name": "Reading lamp", "words": ["my light"],
        "category": "lighting", "note": "for the sofa" });
    let (status, saved) = send(&server, Method::POST, "/api/objects", &about).await;
    assert_eq!(status, StatusCode::CREATED, "{saved}");
    assert_eq!((&saved["own"], &saved["shapes"]), (&json!(true), &json!(2)));
    let (status, taken) = send(&server, Method::POST, "/api/objects", &about).await;
    assert_eq!(status, StatusCode::CONFLICT, "{taken}");

    let listed = server.get("/api/objects?query=lamp").await;
    let row = listed["objects"].as_array().unwrap().iter().find(|row| row["own"] == true);
    assert_eq!(row.unwrap()["name"], "Reading lamp");
    let one = server.get("/api/objects/my%20light").await;
    assert_eq!(one["document"][0]["id"], "Reading_lamp_foot", "{one}");

    let mut client = server.client().await;
    let edit = json!({ "type": "edit", "request_id": "add", "calls": [
        { "name": "add_object", "args": { "object": "reading lamp", "at": [1, 0, 0], "turn": 30 } } ] });
    client.send(edit).await;
    let changed = client.until("scene_changed").await;
    assert_eq!(changed["by"], "user", "{changed}");
    let path = format!("/api/sessions/{}/scene", client.session());
    let scene = server.get(&path).await;
    assert!(
        scene["shapes"].as_array().unwrap().iter().all(|shape| shape["group"] == "Reading_lamp"),
        "{scene}"
    );
    client.send(json!({ "type": "undo" })).await;
    client.until("scene_changed").await;
    assert_eq!(server.get(&path).await["shapes"], json!([]));

    // It outlives the server, and a change of its name.
    server.stop().await;
    let server = server_in(directory.path()).await;
    let change = json!({ "name": "floor light", "words": [] });
    let (status, changed) =
        send(&server, Method::PATCH, "/api/objects/Reading%20lamp", &change).await;
    assert_eq!(status, StatusCode::OK, "{changed}");
    assert_eq!(
        (&changed["name"], &changed["note"]),
        (&json!("floor light"), &json!("for the sofa"))
    );
    let (status, _) =
        send(&server, Method::DELETE, "/api/objects/floor%20light", &Value::Null).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    let (status, _) = send(&server, Method::GET, "/api/objects/floor%20light", &Value::Null).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_model_finds_and_adds_it() {
    let call =
        |name: &str, args: Value| json!({ "tool_calls": [{ "name": name, "arguments": args }] });
    let say = json!({ "text": "Done." });
    let server = TestServer::start(models(&json!([
        call("find_objects", json!({ "query": "reading lamp" })),
        call(
            "add_object",
            json!({ "object": "reading lamp", "at": [0, 0], "materials": { "shade": "teal" } })
        ),
        say
    ])))
    .await;
    let first = session(&server, &lamp()).await;
    let about = json!({ "session": first, "ids": ["lamp"], "name": "reading lamp" });
    assert_eq!(send(&server, Method::POST, "/api/objects", &about).await.0, StatusCode::CREATED);
    let mut client = server.client().await;
    client.say("Add my reading lamp.").await;
    let story = client.story().join("\n");
    let scene = server.get(&format!("/api/sessions/{}/scene", client.session())).await;
    let ids: Vec<&str> = scene["shapes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|shape| shape["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["reading_lamp_foot", "reading_lamp_shade"], "{story}");
}

#[tokio::test]
async fn it_is_exported_and_imported_as_one_file_with_its_mesh() {
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let server = server_in(one.path()).await;
    let uploaded =
        server.http().post(server.url("/api/assets?name=face.ply")).body(MESH).send().await;
    let asset: Value = uploaded.unwrap().json().await.unwrap();
    let scene = json!({ "version": 1, "shapes": [
        { "id": "face", "type": "mesh", "properties": { "asset": asset["asset"], "translation": [4, 1, 0] } } ] });
    let first = session(&server, &scene).await;
    let about = json!({ "session": first, "ids": ["face"], "name": "relief" });
    let (status, saved) = send(&server, Method::POST, "/api/objects", &about).await;
    assert_eq!(status, StatusCode::CREATED, "{saved}");
    assert_eq!(saved["size"], json!([1.0, 1.0, 0.0]));
    let file = server.http().get(server.url("/api/objects/relief/export")).send().await.unwrap();
    let disposition = file.headers()["content-disposition"].to_str().unwrap().to_owned();
    assert!(disposition.contains("relief.object.json"), "{disposition}");
    let file = file.bytes().await.unwrap();
    server.stop().await;

    let server = server_in(other.path()).await;
    for name in ["relief", "relief 2"] {
        let imported =
            server.http().post(server.url("/api/objects/import")).body(file.clone()).send();
        let imported = imported.await.unwrap();
        assert_eq!(imported.status(), StatusCode::CREATED);
        assert_eq!(imported.json::<Value>().await.unwrap()["name"], name);
    }
    let picture =
        server.http().get(server.url("/api/objects/relief/picture")).send().await.unwrap();
    assert_eq!(picture.status(), StatusCode::OK);
    assert_eq!(picture.bytes().await.unwrap()[..2], [0xff, 0xd8], "a JPEG");
    server.stop().await;

    // Only the file is left: the mesh comes back with it.
    std::fs::remove_dir_all(other.path().join("assets")).unwrap();
    std::fs::remove_file(other.path().join("sessions.sqlite")).unwrap();
    let server = server_in(other.path()).await;
    let mut client = server.client().await;
    let calls = json!([{ "name": "add_object", "args": { "object": "relief", "height": 2, "at": [0, 0, 0] } }]);
    client.send(json!({ "type": "edit", "request_id": "add", "calls": calls })).await;
    let changed = client.until("scene_changed").await;
    assert_eq!(changed["changes"][0]["after"]["properties"]["asset"], asset["asset"], "{changed}");
    let content = server.url(&format!("/api/assets/{}", asset["asset"].as_str().unwrap()));
    assert_eq!(server.http().get(content).send().await.unwrap().text().await.unwrap(), MESH);
    server.stop().await;
}

#[tokio::test]
async fn what_is_wrong_is_said_and_nothing_is_kept() {
    let server = TestServer::with_mock(&json!([])).await;
    let id = session(&server, &lamp()).await;
    let save = |change: &dyn Fn(&mut Value)| {
        let mut body = json!({ "session": id, "ids": ["lamp"], "name": "thing of mine" });
        change(&mut body);
        body
    };
    for (body, status, part) in [
        (save(&|body| body["name"] = "../../etc".into()), 422, "'name' must be 1 to 60 letters"),
        (save(&|body| body["name"] = "armchair".into()), 409, "is the name of a built-in object"),
        (
            save(&|body| body["category"] = "nonsense".into()),
            422,
            "there is no category 'nonsense'; there are",
        ),
        (save(&|body| body["ids"] = json!([])), 422, "'ids' must name 1 to 2000"),
        (save(&|body| body["ids"] = json!(["nobody"])), 422, "there is no 'nobody'"),
        (save(&|body| body["front"] = 1e9.into()), 422, "'front' must be degrees"),
        (save(&|body| body["session"] = "0".repeat(32).into()), 404, "there is no session"),
        (json!({ "name": "x" }), 400, "session"),
    ] {
        let (got, problem) = send(&server, Method::POST, "/api/objects", &body).await;
        assert_eq!(got.as_u16(), status, "{body}: {problem}");
        assert!(problem["detail"].as_str().unwrap().contains(part), "{body}: {problem}");
    }
    for (method, path, status, part) in [
        (Method::PATCH, "/api/objects/sofa", 409, "'sofa' is a built-in object"),
        (Method::DELETE, "/api/objects/sofa", 409, "'sofa' is a built-in object"),
        (Method::GET, "/api/objects/sofa/export", 409, "'sofa' is a built-in object"),
        (
            Method::DELETE,
            "/api/objects/qwertz",
            404,
            "there is no object of your own called 'qwertz'",
        ),
        (Method::POST, "/api/objects/import", 422, "it is no exported object"),
    ] {
        let (got, problem) = send(&server, method, path, &json!({})).await;
        assert_eq!(got.as_u16(), status, "{path}: {problem}");
        assert!(problem["detail"].as_str().unwrap().contains(part), "{path}: {problem}");
    }
    let listed = server.get("/api/objects").await;
    assert!(listed["objects"].as_array().unwrap().iter().all(|row| row["own"] != true));
}

#[tokio::test]
async fn a_broken_file_stops_nothing_and_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path().join("objects");
    std::fs::create_dir(&place).unwrap();
    std::fs::write(place.join("broken.object.json"), "{").unwrap();
    let server = server_in(directory.path()).await;
    let listed = server.get("/api/objects").await;
    assert_eq!(listed["problems"][0]["file"], "broken.object.json", "{}", listed["problems"]);
    // A file that is put there while the server runs is seen at the next listing.
    let form = json!({ "format": "scene-llm object", "version": 1, "name": "ball of mine", "shapes": [
        { "id": "ball", "type": "sphere", "properties": { "center": [0, 1, 0], "radius": 1 } } ] });
    std::fs::write(place.join("ball.object.json"), form.to_string()).unwrap();
    let listed = server.get("/api/objects?query=ball%20of%20mine").await;
    assert_eq!(listed["objects"][0]["name"], "ball of mine");
}

#[tokio::test]
async fn they_need_the_token_where_there_is_one() {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path().join("objects");
    std::fs::create_dir(&place).unwrap();
    let form = json!({ "format": "scene-llm object", "version": 1, "name": "secret ball", "shapes": [
        { "id": "ball", "type": "sphere", "properties": { "center": [0, 1, 0], "radius": 1 } } ] });
    std::fs::write(place.join("ball.object.json"), form.to_string()).unwrap();
    let config = |token: bool, lists_sessions: bool| Config {
        token: token.then(|| SecretString::from("open-sesame")),
        lists_sessions,
        storage: Storage::InDirectory { path: directory.path().to_owned(), max_bytes: None },
        ..TestServer::config(models(&json!([])))
    };
    let server = TestServer::of(config(true, true)).await;
    let has_own =
        |listed: &Value| listed["objects"].as_array().unwrap().iter().any(|row| row["own"] == true);
    assert!(!has_own(&server.get("/api/objects").await));
    for path in ["/api/objects/secret%20ball", "/api/objects/secret%20ball/picture"] {
        let got = server.http().get(server.url(path)).send().await.unwrap();
        assert_eq!(got.status(), StatusCode::NOT_FOUND, "{path}");
    }
    let export = || server.http().get(server.url("/api/objects/secret%20ball/export"));
    assert_eq!(export().send().await.unwrap().status(), StatusCode::UNAUTHORIZED);
    assert_eq!(export().bearer_auth("open-sesame").send().await.unwrap().status(), StatusCode::OK);
    let listed =
        server.http().get(server.url("/api/objects")).bearer_auth("open-sesame").send().await;
    assert!(has_own(&listed.unwrap().json().await.unwrap()));
    let deleted =
        server.http().delete(server.url("/api/objects/secret%20ball")).send().await.unwrap();
    assert_eq!(deleted.status(), StatusCode::UNAUTHORIZED);
    server.stop().await;

    // A server whose sessions belong to different people has none.
    let server = TestServer::of(config(false, false)).await;
    assert!(!has_own(&server.get("/api/objects").await));
    let refused =
        server.http().post(server.url("/api/objects/import")).body("{}").send().await.unwrap();
    assert_eq!(refused.status(), StatusCode::FORBIDDEN);
}
