//! Issue "nothing is lost", point 7: uploaded meshes and pictures, from the upload to the picture, over
//! restarts, shares, copies and files, until nobody needs them.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod that_lie;

use std::path::Path;
use std::time::Duration;

use end_to_end::client::{Client, Preview};
use end_to_end::fake_gemini::{Answer, FakeGemini};
use end_to_end::server::TestServer;
use image::RgbImage;
use reqwest::Method;
use serde_json::{Value, json};
use server::{AssetsConfig, ModelsConfig};

/// A triangle around the origin, towards the camera.
pub(crate) const TRIANGLE: &str = "v -1 -1 0\nv 1 -1 0\nv 0 1 0\nf 1 2 3\n";

/// One of another size.
fn triangle(size: u32) -> String {
    format!("v -{size} -{size} 0\nv {size} -{size} 0\nv 0 {size} 0\nf 1 2 3\n")
}

pub(crate) struct Answered {
    pub(crate) status: u16,
    headers: reqwest::header::HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Answered {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn detail(&self) -> String {
        assert_eq!(self.header("content-type"), "application/problem+json");
        self.json()["detail"].as_str().unwrap().to_owned()
    }
}

pub(crate) async fn ask(
    server: &TestServer,
    method: Method,
    path: &str,
    body: impl Into<Vec<u8>>,
) -> Answered {
    ask_with(server, method, path, &[], body).await
}

pub(crate) async fn ask_with(
    server: &TestServer,
    method: Method,
    path: &str,
    headers: &[(&'static str, &str)],
    body: impl Into<Vec<u8>>,
) -> Answered {
    let mut request = server.http().request(method, server.url(path)).body(body.into());
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = request.send().await.unwrap();
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    Answered { status, headers, body: response.bytes().await.unwrap().to_vec() }
}

/// Uploads a mesh; its hash.
pub(crate) async fn upload(server: &TestServer, query: &str, file: &str) -> String {
    let answer = ask(server, Method::POST, &format!("/api/assets?{query}"), file).await;
    assert!([200, 201].contains(&answer.status), "{}", answer.json());
    answer.json()["asset"].as_str().unwrap().to_owned()
}

fn red_mesh(id: &str, asset: &str) -> Value {
    json!({ "id": id, "type": "mesh", "properties": { "asset": asset,
        "material": { "type": "lambertian", "albedo": [0.9, 0.0, 0.0] } } })
}

async fn edit(client: &mut Client, name: &str, args: Value) -> Value {
    let calls = json!([{ "name": name, "args": args }]);
    client.send(json!({ "type": "edit", "request_id": "e", "calls": calls })).await;
    client
        .until_that(|message| message["request_id"] == "e" || message["type"] == "scene_changed")
        .await
}

fn is_red(picture: &RgbImage, x: u32, y: u32) -> bool {
    let [red, green, blue] = picture.get_pixel(x, y).0;
    red > 60 && green < 40 && blue < 40
}

fn decoded(bytes: &[u8]) -> RgbImage {
    image::load_from_memory(bytes).unwrap().to_rgb8()
}

/// The first picture of this revision that is more than a draft.
async fn preview_of(client: &mut Client, revision: u64) -> RgbImage {
    loop {
        let Preview { header, image } = client.preview().await;
        if header["revision"] == revision && header["pass"].as_u64() > Some(0) {
            return decoded(&image);
        }
    }
}

pub(crate) async fn session_of(server: &TestServer, asset: &str) -> String {
    let made = ask(server, Method::POST, "/api/sessions", "").await.json();
    let id = made["session_id"].as_str().unwrap().to_owned();
    let scene = json!({ "version": 1, "shapes": [red_mesh("a", asset)] });
    let path = format!("/api/sessions/{id}/scene");
    let put = ask(server, Method::PUT, &path, scene.to_string()).await;
    assert_eq!(put.status, 200, "{}", put.json());
    id
}

async fn shows_it(server: &TestServer, session: &str) -> bool {
    let path = format!("/api/sessions/{session}/render?width=40&height=30&samples=1");
    is_red(&decoded(&ask(server, Method::GET, &path, "").await.body), 20, 15)
}

pub(crate) async fn listed(server: &TestServer) -> Vec<String> {
    let assets = server.get("/api/assets").await;
    let assets = assets["assets"].as_array().unwrap();
    assets.iter().map(|asset| asset["asset"].as_str().unwrap().to_owned()).collect()
}

pub(crate) async fn on_disk(directory: &Path, assets: AssetsConfig) -> TestServer {
    TestServer::start_with_assets(ModelsConfig::default(), directory, assets).await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_uploaded_mesh_is_named_shown_picked_moved_and_found_again() {
    let directory = tempfile::tempdir().unwrap();
    let server = on_disk(directory.path(), AssetsConfig::default()).await;
    let uploaded = ask(&server, Method::POST, "/api/assets?name=sign.obj", TRIANGLE).await;
    assert_eq!(uploaded.status, 201);
    let told = uploaded.json();
    let asset = told["asset"].as_str().unwrap().to_owned();
    assert_eq!(uploaded.header("location"), format!("/api/assets/{asset}"));
    assert_eq!(
        (&told["kind"], &told["name"], &told["bytes"], &told["triangles"]),
        (&json!("mesh"), &json!("sign.obj"), &json!(TRIANGLE.len()), &json!(1))
    );
    assert_eq!(told["bounds"], json!({ "min": [-1.0, -1.0, 0.0], "max": [1.0, 1.0, 0.0] }));
    // The same content is the same asset.
    let again =
        ask_with(&server, Method::POST, "/api/assets", &[("content-type", "model/obj")], TRIANGLE)
            .await;
    assert_eq!((again.status, &again.json()["asset"]), (200, &told["asset"]));
    assert_eq!(again.json()["name"], "sign.obj");

    let mut client = server.client().await;
    let session = client.session();
    let before = preview_of(&mut client, 0).await;
    assert!(!is_red(&before, 200, 150));
    client.send(json!({ "type": "edit", "calls": [{ "name": "create_shape", "args": red_mesh("sign", &asset) }] })).await;
    assert!(is_red(&preview_of(&mut client, 1).await, 200, 150));
    client.send(json!({ "type": "pick", "request_id": "p", "x": 0.5, "y": 0.5 })).await;
    assert_eq!(client.reply("p").await["id"], "sign");
    client
        .send(json!({ "type": "edit", "calls": [{ "name": "update_shape", "args": { "id": "sign",
        "updates": { "properties": { "translation": [1.5, 0, 0] } } } }] }))
        .await;
    let moved = preview_of(&mut client, 2).await;
    assert!(!is_red(&moved, 200, 150) && is_red(&moved, 300, 150));
    // A picture of a scene that no session has.
    let body = json!({ "scene": { "version": 1, "shapes": [red_mesh("a", &asset)] },
        "width": 40, "height": 30, "samples": 1 });
    let picture = ask(&server, Method::POST, "/api/render", body.to_string()).await;
    assert!(is_red(&decoded(&picture.body), 20, 15));
    let of_session = server.get(&format!("/api/sessions/{session}/assets")).await;
    assert_eq!(of_session["assets"][0]["asset"], asset.as_str());
    client.vanish();
    server.stop().await;

    let server = on_disk(directory.path(), AssetsConfig::default()).await;
    assert_eq!(listed(&server).await, std::slice::from_ref(&asset));
    let mut client = server.attach(&format!("session={session}")).await;
    let picture = preview_of(&mut client, 2).await;
    assert!(is_red(&picture, 300, 150));
    client.send(json!({ "type": "undo" })).await;
    assert!(is_red(&preview_of(&mut client, 3).await, 200, 150));
    let content = ask(&server, Method::GET, &format!("/api/assets/{asset}"), "").await;
    assert_eq!(content.body, TRIANGLE.as_bytes());
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_content_comes_back_for_ever_and_as_data_only() {
    let server = TestServer::with_mock(&json!([])).await;
    let asset = upload(&server, "name=my%20%22sign%22.obj", TRIANGLE).await;
    let path = format!("/api/assets/{asset}");
    let content = ask(&server, Method::GET, &path, "").await;
    assert_eq!((content.status, content.body.as_slice()), (200, TRIANGLE.as_bytes()));
    assert_eq!(content.header("content-type"), "model/obj");
    assert_eq!(content.header("cache-control"), "private, max-age=31536000, immutable");
    assert_eq!(content.header("content-disposition"), "attachment; filename=\"my--sign-.obj\"");
    assert_eq!(content.header("x-content-type-options"), "nosniff");
    assert!(content.header("content-security-policy").contains("sandbox"));
    let tag = content.header("etag").to_owned();
    assert_eq!(tag, format!("\"{asset}\""));
    let known = ask_with(&server, Method::GET, &path, &[("if-none-match", &tag)], "").await;
    assert_eq!((known.status, known.body.len()), (304, 0));
    let head = ask(&server, Method::HEAD, &path, "").await;
    assert_eq!((head.status, head.header("content-length")), (200, &*TRIANGLE.len().to_string()));
    for (name, expected) in [("0".repeat(64), "upload it"), ("sign.obj".into(), "64 hexadecimal")] {
        let lost = ask(&server, Method::GET, &format!("/api/assets/{name}"), "").await;
        assert_eq!(lost.status, 404);
        assert!(lost.detail().contains(expected), "{}", lost.detail());
    }
}

/// The model reads of meshes before it needs them, and in the error when it names one that is not
/// there; its picture shows them.
#[tokio::test(flavor = "multi_thread")]
async fn the_model_knows_what_was_uploaded() {
    let file = TRIANGLE.replace("v 0 1 0", "v 0 3 0");
    let create = |asset: &str| red_mesh("sign", asset);
    let gemini = FakeGemini::start([
        Answer::new().call(Some("a"), "create_shape", create("sign.obj")).signed("c2ln"),
        Answer::new().text("I see."),
    ])
    .await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    let asset =
        upload(&server, &format!("name=sign.obj&session={}", client.session()), &file).await;
    client.send(json!({ "type": "user_message", "text": "put up the sign" })).await;
    let refused = client.until("tool_finished").await;
    let error = refused["response"]["error"].as_str().unwrap();
    assert!(error.contains(&format!("did you mean '{asset}'")), "{error}");
    assert!(error.contains(&format!("{asset} (sign.obj)")), "{error}");
    client.until("run_finished").await;
    let told = gemini.requests()[0].body["contents"].to_string();
    assert!(told.contains(&asset) && told.contains("sign.obj"), "{told}");
    assert!(told.contains("2.000 x 4.000 x 0.000 around [0.000, 1.000, 0.000]"));
    assert_eq!(edit(&mut client, "create_shape", create(&asset)).await["type"], "scene_changed");
    assert_eq!(gemini.refusals(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn who_may_only_look_sees_the_mesh_and_uploads_nothing() {
    let server = TestServer::with_mock(&json!([])).await;
    let asset = upload(&server, "name=sign.obj", TRIANGLE).await;
    let session = session_of(&server, &asset).await;
    let share = async |access: &str| {
        let path = format!("/api/sessions/{session}/shares");
        let body = json!({ "access": access }).to_string();
        let made = ask(&server, Method::POST, &path, body).await;
        made.json()["token"].as_str().unwrap().to_owned()
    };
    let (view, edits) = (share("view").await, share("edit").await);
    let assets = server.get(&format!("/api/sessions/{view}/assets")).await;
    let named = assets["assets"][0]["asset"].as_str().unwrap();
    assert_eq!(ask(&server, Method::GET, &format!("/api/assets/{named}"), "").await.status, 200);
    assert!(shows_it(&server, &view).await);
    let other = triangle(2);
    let path = |token: &str| format!("/api/assets?name=b.obj&session={token}");
    let refused = ask(&server, Method::POST, &path(&view), other.clone()).await;
    assert_eq!(refused.status, 403, "{}", refused.detail());
    let refused = ask(&server, Method::POST, &path("nobody"), other.clone()).await;
    assert_eq!(refused.status, 404, "{}", refused.detail());
    assert_eq!(listed(&server).await, [asset]);
    assert_eq!(ask(&server, Method::POST, &path(&edits), other).await.status, 201);
    assert_eq!(
        server.get(&format!("/api/sessions/{session}/assets")).await["assets"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    // Pages of other origins upload nothing either.
    let foreign = [("origin", "http://evil.example")];
    let refused = ask_with(&server, Method::POST, "/api/assets?name=c.obj", &foreign, "x").await;
    assert_eq!(refused.status, 403);
}

/// Whatever can be gone back to keeps what it shows; what nobody can go back to is collected.
#[tokio::test(flavor = "multi_thread")]
async fn assets_live_as_long_as_any_session_that_ever_showed_them() {
    let directory = tempfile::tempdir().unwrap();
    // The server collects at its start, what is not needed just then.
    let config = || AssetsConfig { keep_unused: Duration::ZERO, ..AssetsConfig::default() };
    let server = on_disk(directory.path(), config()).await;
    let shown = upload(&server, "name=shown.obj", &triangle(1)).await;
    let given = {
        let session = session_of(&server, &shown).await;
        // Shown in the past only.
        let path = format!("/api/sessions/{session}/scene");
        ask(&server, Method::PUT, &path, r#"{"version":1,"shapes":[]}"#).await;
        let given =
            upload(&server, &format!("name=given.obj&session={session}"), &triangle(4)).await;
        (session, given)
    };
    let (session, given) = given;
    let copied = upload(&server, "name=copied.obj", &triangle(5)).await;
    let original = session_of(&server, &copied).await;
    let path = format!("/api/sessions/{original}/duplicate");
    let copy = ask(&server, Method::POST, &path, "").await.json()["session_id"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(
        ask(&server, Method::DELETE, &format!("/api/sessions/{original}"), "").await.status,
        204
    );
    upload(&server, "name=unused.obj", &triangle(6)).await;
    assert_eq!(listed(&server).await.len(), 4);
    server.stop().await;

    let server = on_disk(directory.path(), config()).await;
    let mut left = listed(&server).await;
    left.sort();
    let mut expected = [shown.clone(), given, copied.clone()];
    expected.sort();
    assert_eq!(left, expected);
    assert!(shows_it(&server, &copy).await);
    let mut client = server.attach(&format!("session={session}")).await;
    client.send(json!({ "type": "restore", "revision": 1 })).await;
    client.until("scene_changed").await;
    assert!(shows_it(&server, &session).await);
    client.vanish();
    for session in [&session, &copy] {
        ask(&server, Method::DELETE, &format!("/api/sessions/{session}"), "").await;
    }
    server.stop().await;

    let server = on_disk(directory.path(), config()).await;
    assert!(listed(&server).await.is_empty());
    assert_eq!(ask(&server, Method::GET, &format!("/api/assets/{shown}"), "").await.status, 404);
    let left = walk(&directory.path().join("assets"));
    assert!(left.is_empty(), "{left:?}");
    server.stop().await;
}

/// All files below a folder.
pub(crate) fn walk(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_takes_its_assets_along() {
    let server = TestServer::with_mock(&json!([])).await;
    // Longer than one piece of the file.
    let large = format!("# {}\n{TRIANGLE}", "x".repeat(400_000));
    let asset = upload(&server, "name=sign.obj", &large).await;
    let session = session_of(&server, &asset).await;
    let attached = upload(&server, &format!("name=b.obj&session={session}"), &triangle(2)).await;
    let export =
        ask(&server, Method::GET, &format!("/api/sessions/{session}/export"), "").await.body;

    let elsewhere = TestServer::with_mock(&json!([])).await;
    let import = "/api/sessions/import";
    let imported = ask(&elsewhere, Method::POST, import, export.clone()).await;
    assert_eq!(imported.status, 201, "{}", imported.json());
    let id = imported.json()["session_id"].as_str().unwrap().to_owned();
    assert!(shows_it(&elsewhere, &id).await);
    let mut there = listed(&elsewhere).await;
    there.sort();
    let mut expected = [asset.clone(), attached];
    expected.sort();
    assert_eq!(there, expected);
    let told = elsewhere.get("/api/assets").await["assets"].to_string();
    assert!(told.contains("sign.obj"), "{told}");
    let content = ask(&elsewhere, Method::GET, &format!("/api/assets/{asset}"), "").await;
    assert_eq!(content.body, large.as_bytes());
    // From there it goes on to the next as it is.
    let again = ask(&elsewhere, Method::GET, &format!("/api/sessions/{id}/export"), "").await.body;
    let lines = |file: &[u8]| {
        String::from_utf8_lossy(file).lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(lines(&again), lines(&export));
}
