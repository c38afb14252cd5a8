//! Issue "materials, textures, shapes and formats": shapes as triangles, for the page and for scripts.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use end_to_end::server::TestServer;
use reqwest::{Response, StatusCode, header};
use serde_json::{Value, json};
use server::ModelsConfig;

/// What an answer holds, read as `docs/protocol.md` says.
struct Read {
    header: Value,
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    triangles: Vec<[u32; 3]>,
    uv: Vec<[f32; 2]>,
}

fn read(bytes: &[u8]) -> Read {
    let length = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
    assert_eq!((4 + length) % 4, 0);
    let header: Value = serde_json::from_slice(&bytes[4..4 + length]).unwrap();
    let (vertices, triangles) =
        (header["vertices"].as_u64().unwrap(), header["triangles"].as_u64().unwrap());
    let mut words = bytes[4 + length..].chunks_exact(4).map(|word| word.try_into().unwrap());
    let mut triples = |count: u64| -> Vec<[[u8; 4]; 3]> {
        (0..count).map(|_| std::array::from_fn(|_| words.next().unwrap())).collect()
    };
    let lengths = |triples: Vec<[[u8; 4]; 3]>| -> Vec<[f32; 3]> {
        triples.into_iter().map(|triple| triple.map(f32::from_le_bytes)).collect()
    };
    let positions = lengths(triples(vertices));
    let with_normals = header["normals"].as_bool().unwrap();
    let normals = lengths(triples(if with_normals { vertices } else { 0 }));
    let triangles =
        triples(triangles).into_iter().map(|triple| triple.map(u32::from_le_bytes)).collect();
    let with_uv = header["uv"].as_bool().unwrap();
    let mut length = || f32::from_le_bytes(words.next().unwrap());
    let uv = (0..if with_uv { vertices } else { 0 }).map(|_| [length(), length()]).collect();
    assert!(words.next().is_none(), "there is more than announced");
    Read { header, positions, normals, triangles, uv }
}

async fn server_with(shapes: Value) -> (TestServer, String) {
    let server = TestServer::start(ModelsConfig::default()).await;
    let made = server.http().post(server.url("/api/sessions")).send().await.unwrap();
    let made: Value = made.json().await.unwrap();
    let id = made["session_id"].as_str().unwrap().to_owned();
    put(&server, &id, shapes).await;
    (server, id)
}

async fn put(server: &TestServer, id: &str, shapes: Value) {
    let scene = json!({ "version": 1, "shapes": shapes });
    let request = server.http().put(server.url(&format!("/api/sessions/{id}/scene")));
    let put = request.json(&scene).send().await.unwrap();
    assert_eq!(put.status(), StatusCode::OK, "{}", put.text().await.unwrap());
}

async fn get(server: &TestServer, id: &str, rest: &str, known: Option<&str>) -> Response {
    let request = server.http().get(server.url(&format!("/api/sessions/{id}/shapes/{rest}")));
    let request = match known {
        Some(tag) => request.header(header::IF_NONE_MATCH, tag),
        None => request,
    };
    request.send().await.unwrap()
}

fn ball(radius: f64, albedo: f64) -> Value {
    json!([{ "id": "red ball", "type": "sphere", "properties": { "center": [1, 2, 3],
        "radius": radius, "material": { "type": "lambertian", "albedo": [albedo, 0, 0] } } }])
}

#[tokio::test]
async fn a_shape_comes_as_triangles_that_stand_where_it_does() {
    let (server, id) = server_with(ball(0.5, 0.8)).await;
    let mut counts = Vec::new();
    for detail in ["coarse", "fine"] {
        let answer = get(&server, &id, &format!("red%20ball/mesh?detail={detail}"), None).await;
        assert_eq!(answer.status(), StatusCode::OK);
        let read = read(&answer.bytes().await.unwrap());
        let matrix = json!([[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 2.0], [0.0, 0.0, 1.0, 3.0]]);
        assert_eq!(read.header["matrix"], matrix);
        for (position, normal) in read.positions.iter().zip(&read.normals) {
            for axis in 0..3 {
                assert!((position[axis] - 0.5 * normal[axis]).abs() < 1e-6);
            }
        }
        let vertices = read.positions.len() as u32;
        assert!(read.triangles.iter().flatten().all(|vertex| *vertex < vertices));
        counts.push(read.triangles.len());
    }
    assert!(counts[1] > 4 * counts[0] && counts[0] > 500, "{counts:?}");
}

#[tokio::test]
async fn what_has_not_changed_its_form_is_not_sent_again() {
    let (server, id) = server_with(ball(0.5, 0.8)).await;
    let tag_of = |answer: &Response| answer.headers()[header::ETAG].to_str().unwrap().to_owned();
    let first = tag_of(&get(&server, &id, "red%20ball/mesh", None).await);
    put(&server, &id, ball(0.5, 0.2)).await;
    let again = get(&server, &id, "red%20ball/mesh", Some(&first)).await;
    assert_eq!((again.status(), tag_of(&again)), (StatusCode::NOT_MODIFIED, first.clone()));
    put(&server, &id, ball(0.6, 0.2)).await;
    let grown = get(&server, &id, "red%20ball/mesh", Some(&first)).await;
    assert_eq!(grown.status(), StatusCode::OK);
    assert_ne!(tag_of(&grown), first);
}

#[tokio::test]
async fn an_uploaded_mesh_comes_as_it_is() {
    let (server, id) = server_with(json!([])).await;
    let triangle = "v -1 -1 0\nv 1 -1 0\nv 0 1 0\nvt 0 0.25\nvt 1 0\nvt 0.5 1\nf 1/1 2/2 3/3\n";
    let upload = server.http().post(server.url("/api/assets?name=a.obj")).body(triangle);
    let asset: Value = upload.send().await.unwrap().json().await.unwrap();
    let properties = json!({ "asset": asset["asset"], "translation": [0, 5, 0], "scale": 2 });
    put(&server, &id, json!([{ "id": "a", "type": "mesh", "properties": properties }])).await;
    let read = read(&get(&server, &id, "a/mesh", None).await.bytes().await.unwrap());
    assert_eq!(read.positions, [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]]);
    assert_eq!((read.normals.len(), read.triangles), (0, vec![[0, 1, 2]]));
    assert_eq!(read.uv, [[0.0, 0.25], [1.0, 0.0], [0.5, 1.0]]);
    assert_eq!(read.header["matrix"][1], json!([0.0, 2.0, 0.0, 5.0]));
}

#[tokio::test]
async fn faults_say_what_is_missing() {
    let (server, id) = server_with(ball(0.5, 0.8)).await;
    for (path, status, said) in [
        ("blue_ball/mesh", StatusCode::NOT_FOUND, "no shape 'blue_ball'"),
        (
            "red%20ball/mesh?detail=huge",
            StatusCode::BAD_REQUEST,
            "'detail' must be 'coarse' or 'fine', got 'huge'",
        ),
    ] {
        let answer = get(&server, &id, path, None).await;
        assert_eq!(answer.status(), status);
        let problem: Value = answer.json().await.unwrap();
        assert!(problem["detail"].as_str().unwrap().contains(said), "{problem}");
    }
    let stranger = get(&server, "nobody", "red%20ball/mesh", None).await;
    assert_eq!(stranger.status(), StatusCode::NOT_FOUND);
}
