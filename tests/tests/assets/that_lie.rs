//! Files that lie about what is in them, as uploads and as sessions: refused with the reason, nothing kept.

use damage::{forged, forgery};
use end_to_end::server::TestServer;
use proptest::prelude::*;
use reqwest::Method;
use serde_json::json;
use server::AssetsConfig;

use crate::assets::{TRIANGLE, ask, ask_with, listed, on_disk, session_of, upload, walk};

/// A file whose assets are not what it says is refused, and nothing is stored of it.
#[tokio::test(flavor = "multi_thread")]
async fn a_session_with_assets_that_lie_is_refused_whole() {
    let server = TestServer::with_mock(&json!([])).await;
    let asset = upload(&server, "name=sign.obj", TRIANGLE).await;
    let session = session_of(&server, &asset).await;
    let export =
        ask(&server, Method::GET, &format!("/api/sessions/{session}/export"), "").await.body;
    let export = String::from_utf8(export).unwrap();
    let lines: Vec<&str> = export.lines().collect();
    assert!(lines[1].contains("\"asset\"") && lines[2].contains("\"data\""), "{export}");
    let with = |from: &str, to: &str| export.replacen(from, to, 1);
    let order = |order: &[usize]| -> String {
        let rest = lines[3..].iter().copied();
        order.iter().map(|at| lines[*at]).chain(rest).map(|line| format!("{line}\n")).collect()
    };
    let data = |bytes: &[u8]| {
        use base64::Engine;
        base64::engine::general_purpose::STANDARD.encode(bytes)
    };
    let text = data(TRIANGLE.as_bytes());
    let bad_mesh = "v 0 0 0\nf 1 2 3\n";
    // The hash is right, the mesh is not.
    let bad = {
        let bad_hash = upload_hash(bad_mesh);
        with(&text, &data(bad_mesh.as_bytes())).replacen(&asset, &bad_hash, 1)
    };
    let elsewhere = TestServer::with_mock(&json!([])).await;
    for (name, file, expected) in [
        ("another content", with(&text, &data(b"v 0 0 0\n")), "has another hash"),
        ("another hash", with(&asset, &"0".repeat(64)), "has another hash"),
        ("no hash", with(&asset, "sign.obj"), "64 hexadecimal digits"),
        ("no content", order(&[0, 1]), "has another hash"),
        ("content of nothing", order(&[0, 2]), "no asset begins"),
        ("content twice", order(&[0, 1, 2, 2]), "has another hash"),
        ("no base64", with(&text, "%%%"), "line 3"),
        ("another kind", with("model/obj", "text/html"), "text/html"),
        ("a mesh as a picture", with("model/obj", "image/png"), "image/png"),
        ("a bad mesh", bad, "cannot be read as model/obj"),
        ("assets in the middle", format!("{export}{}\n", lines[1]), "before everything else"),
    ] {
        let refused = ask(&elsewhere, Method::POST, "/api/sessions/import", file).await;
        assert_eq!(refused.status, 422, "{name}: {}", refused.json());
        assert!(refused.detail().contains(expected), "{name}: {}", refused.detail());
        assert!(listed(&elsewhere).await.is_empty(), "{name}");
    }
    assert_eq!(elsewhere.get("/api/sessions").await["sessions"], json!([]));
}

/// As the server names a content.
fn upload_hash(content: &str) -> String {
    assets::AssetHash::of(content.as_bytes()).to_string()
}

/// Uploads that lie, over HTTP: each has its status, none leaves anything, and the server lives on.
#[tokio::test(flavor = "multi_thread")]
async fn uploads_that_lie_are_refused_and_nothing_is_stored() {
    let directory = tempfile::tempdir().unwrap();
    let config = AssetsConfig {
        most_bytes_each: 1_000_000,
        most_bytes: 1_200_000,
        ..AssetsConfig::default()
    };
    let server = on_disk(directory.path(), config).await;
    let many_nodes = json!({ "asset": { "version": "2.0" }, "nodes": vec![json!({}); 280_000] });
    let nest = format!("{{\"extras\":{}{}}}", "[".repeat(50_000), "]".repeat(50_000));
    let cases: Vec<(&str, &str, Vec<u8>, u16)> = vec![
        ("nothing", "a.ply", Vec::new(), 422),
        ("nobody knows what", "a.exe", b"MZ".to_vec(), 415),
        ("no name", "", b"v 0 0 0\n".to_vec(), 415),
        ("text", "a.obj", b"hello".to_vec(), 422),
        ("wrong counts", "a.ply", b"ply\nformat ascii 1.0\nelement vertex 99999999999\nproperty float x\nproperty float y\nproperty float z\nend_header\n".to_vec(), 422),
        ("empty nodes", "a.gltf", many_nodes.to_string().into_bytes(), 422),
        ("a deep nest", "a.gltf", nest.into_bytes(), 422),
        ("a file of the server", "a.gltf", br#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[]}],"buffers":[{"byteLength":9,"uri":"../sessions.sqlite"}]}"#.to_vec(), 422),
        ("too large", "a.obj", vec![b'#'; 1_000_001], 413),
        ("a picture that is none", "a.png", b"\x89PNG\r\n\x1a\n".to_vec(), 422),
    ];
    for (name, file, body, status) in cases {
        let refused = ask(&server, Method::POST, &format!("/api/assets?name={file}"), body).await;
        assert_eq!(refused.status, status, "{name}: {}", refused.json());
        assert!(!refused.detail().is_empty(), "{name}");
    }
    let packed = [("content-encoding", "gzip")];
    let refused =
        ask_with(&server, Method::POST, "/api/assets?name=a.obj", &packed, TRIANGLE).await;
    assert_eq!(refused.status, 415, "{}", refused.detail());
    assert!(listed(&server).await.is_empty() && walk(&directory.path().join("assets")).is_empty());
    // A body without end is refused where it is too long, or the connection is closed on it.
    let endless = futures_util::stream::repeat_with(|| Ok::<_, std::io::Error>(vec![b'#'; 65_536]));
    let request = server.http().post(server.url("/api/assets?name=a.obj"));
    if let Ok(response) = request.body(reqwest::Body::wrap_stream(endless)).send().await {
        assert_eq!(response.status(), 413);
    }
    // There is only so much room.
    let comment = format!("# {}\n{TRIANGLE}", "x".repeat(900_000));
    upload(&server, "name=a.obj", &comment).await;
    let full =
        ask(&server, Method::POST, "/api/assets?name=a.obj", comment.replace('x', "y")).await;
    assert_eq!(full.status, 507, "{}", full.detail());
    assert_eq!(listed(&server).await.len(), 1);
    assert_eq!(walk(&directory.path().join("assets")).len(), 1);
    server.stop().await;
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]
    /// A forged file becomes a session, or is refused with 4xx and leaves nothing. Many more cases, without
    /// a server between, are in the tests of the session's file.
    #[test]
    fn forged_sessions_over_http(forgeries in prop::collection::vec(forgery(), 1..4)) {
        let session = include_bytes!("../../data/session.scene-llm").to_vec();
        let file = forgeries.iter().fold(session, |file, forgery| forged(&file, forgery));
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let server = TestServer::with_mock(&json!([])).await;
            let answer = ask(&server, Method::POST, "/api/sessions/import", file).await;
            let sessions = server.get("/api/sessions").await["sessions"].as_array().unwrap().len();
            if answer.status == 201 {
                let id = answer.json()["session_id"].as_str().unwrap().to_owned();
                assert!(server.get(&format!("/api/sessions/{id}")).await["scene"].is_object());
            } else {
                assert!((400..500).contains(&answer.status), "{}", answer.status);
                assert!(!answer.detail().is_empty());
                assert_eq!((sessions, listed(&server).await.len()), (0, 0));
            }
        });
    }
}
