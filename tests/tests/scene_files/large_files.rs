//! Large scenes over HTTP: what goes out is small or refused, and is written once for all who ask.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use end_to_end::server::TestServer;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use server::ModelsConfig;

fn balls(count: usize) -> Value {
    let ball = |at: usize| {
        json!({ "id": format!("ball_{at}"), "type": "sphere",
                "properties": { "center": [at % 100, 0, at / 100], "radius": 0.3 } })
    };
    json!({ "version": 1, "shapes": (0..count).map(ball).collect::<Vec<_>>() })
}

async fn session_with(server: &TestServer, scene: &Value) -> String {
    let made = server.http().post(server.url("/api/sessions")).send().await.unwrap();
    let made: Value = made.json().await.unwrap();
    let id = made["session_id"].as_str().unwrap().to_owned();
    let path = server.url(&format!("/api/sessions/{id}/scene"));
    let put = server.http().put(path).json(scene).send().await.unwrap();
    assert_eq!(put.status(), StatusCode::OK);
    id
}

#[tokio::test]
async fn ten_thousand_spheres_are_a_small_file_or_a_clear_refusal() {
    let server = TestServer::start(ModelsConfig::default()).await;
    let id = session_with(&server, &balls(10_000)).await;
    let export = async |format: &str| {
        let path = server.url(&format!("/api/sessions/{id}/scene/export?format={format}"));
        server.http().get(path).send().await.unwrap()
    };
    for format in ["glb", "gltf", "pbrt"] {
        let response = export(format).await;
        assert_eq!(response.status(), StatusCode::OK, "{format}");
        let told: usize = response.headers()["content-length"].to_str().unwrap().parse().unwrap();
        let bytes = response.bytes().await.unwrap();
        assert_eq!(bytes.len(), told, "{format}");
        assert!(bytes.len() < 10 << 20, "{format}: {} bytes", bytes.len());
    }
    let refused = export("obj").await;
    assert_eq!(refused.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.headers()["content-type"], "application/problem+json");
    let problem: Value = refused.json().await.unwrap();
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.contains("triangles; at most 8388608") && detail.contains("glb"), "{detail}");
}

#[tokio::test]
async fn a_scene_is_sent_again_only_when_it_has_changed() {
    let server = TestServer::start(ModelsConfig::default()).await;
    let id = session_with(&server, &balls(3)).await;
    let path = server.url(&format!("/api/sessions/{id}/scene"));
    let get = async |known: Option<&str>| {
        let mut request = server.http().get(&path);
        if let Some(known) = known {
            request = request.header("if-none-match", known);
        }
        request.send().await.unwrap()
    };
    let first = get(None).await;
    let tag = first.headers()["etag"].to_str().unwrap().to_owned();
    let scene: Value = first.json().await.unwrap();
    assert_eq!(scene["shapes"].as_array().unwrap().len(), 3);
    assert_eq!(get(Some(&tag)).await.status(), StatusCode::NOT_MODIFIED);
    let snapshot = server.get(&format!("/api/sessions/{id}")).await;
    assert_eq!((&snapshot["scene"], &snapshot["running"]), (&scene, &json!(false)));
    let put = server.http().put(&path).json(&balls(4)).send().await.unwrap();
    let put: Value = put.json().await.unwrap();
    let changed = get(Some(&tag)).await;
    assert_eq!(changed.status(), StatusCode::OK);
    assert_eq!(put["scene"], changed.json::<Value>().await.unwrap());
}

#[tokio::test]
async fn every_refusal_is_a_problem() {
    let server = TestServer::start(ModelsConfig::default()).await;
    let id = session_with(&server, &balls(1)).await;
    let deep = "[".repeat(100_000);
    let many = format!("[{}0]", "0,".repeat(3 << 20));
    let cases: [(Method, String, &str, u16); 9] = [
        (Method::GET, "/api/sessions/%FF".into(), "", 400),
        (Method::GET, "/api/sessions/%FF/scene/export?format=glb".into(), "", 400),
        (Method::GET, format!("/api/sessions/{id}/events?after=x"), "", 400),
        (Method::GET, format!("/api/sessions/{id}/diff?from=1"), "", 400),
        (Method::GET, format!("/api/sessions/{id}/shapes/%FF/mesh"), "", 400),
        (Method::PUT, format!("/api/sessions/{id}/scene"), "\u{0}", 400),
        (Method::PUT, format!("/api/sessions/{id}/scene"), &deep, 400),
        (Method::PUT, format!("/api/sessions/{id}/scene"), &many, 413),
        (Method::DELETE, format!("/api/sessions/{id}/scene"), "", 405),
    ];
    for (method, path, body, status) in cases {
        let request = server.http().request(method.clone(), server.url(&path));
        let response = request.body(body.to_owned()).send().await.unwrap();
        let (found, kind) = (response.status(), response.headers().get("content-type").cloned());
        assert_eq!(kind.unwrap(), "application/problem+json", "{method} {path}");
        let problem: Value = response.json().await.unwrap();
        assert_eq!(found.as_u16(), status, "{method} {path}: {problem}");
        assert_eq!(problem["status"], status);
        assert!(!problem["detail"].as_str().unwrap().is_empty(), "{method} {path}");
    }
}
