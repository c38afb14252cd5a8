//! Answers that nobody reads: what they take counts until it is read, or its client has left.

use std::io::Cursor;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use end_to_end::server::TestServer;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use super::arriving::{in_use, until_in_use};
use crate::assets::{ask, upload};

/// Sends a request over a connection that holds little, and reads the first byte of its answer only.
async fn unread(server: &TestServer, request: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(8 * 1024).unwrap();
    let mut stream = socket.connect(server.addr()).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    assert_eq!(stream.read_u8().await.unwrap(), b'H', "{request}");
    stream
}

fn get(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n")
}

/// A bumpy square of `side` x `side` points.
fn grid(side: usize) -> String {
    let point = |n: usize| {
        let (x, z) = (n % side, n / side);
        format!("v {x} {} {z}\n", (x * z) % 7)
    };
    let cell = |n: usize| {
        let corner = n / (side - 1) * side + n % (side - 1) + 1;
        let below = corner + side;
        format!("f {corner} {below} {}\nf {} {below} {}\n", corner + 1, corner + 1, below + 1)
    };
    let points = (0..side * side).map(point);
    points.chain((0..(side - 1) * (side - 1)).map(cell)).collect()
}

/// A picture that no format makes small.
fn noise(side: u32) -> String {
    let picture = image::RgbImage::from_fn(side, side, |x, y| {
        let mixed = (x.wrapping_mul(2_654_435_761) ^ y.wrapping_mul(40_503).rotate_left(x % 31))
            .wrapping_mul(0x9e37_79b9)
            .to_be_bytes();
        image::Rgb([mixed[0], mixed[1], mixed[2]])
    });
    let mut file = Vec::new();
    picture.write_to(&mut Cursor::new(&mut file), image::ImageFormat::Png).unwrap();
    STANDARD.encode(file)
}

fn balls(count: usize) -> Vec<Value> {
    let ball = |n: usize| {
        json!({ "id": format!("ball_{n}"), "type": "sphere",
            "properties": { "center": [n, 0, 0], "radius": 1 } })
    };
    (0..count).map(ball).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_that_nobody_reads_count_until_their_clients_have_left() {
    let directory = tempfile::tempdir().unwrap();
    let models = server::ModelsConfig {
        mock_responses: Some(json!([{ "text": "Noise." }]).to_string()),
        ..server::ModelsConfig::default()
    };
    let server = TestServer::start_in(models, directory.path()).await;
    let mut client = server.client().await;
    let session = client.session();
    let mesh = upload(&server, &format!("name=grid.obj&session={session}"), &grid(250)).await;
    let mut shapes = balls(4_000);
    shapes.push(json!({ "id": "grid", "type": "mesh", "properties": { "asset": mesh } }));
    let scene = json!({ "version": 1, "shapes": shapes });
    let path = format!("/api/sessions/{session}");
    let put = ask(&server, Method::PUT, &format!("{path}/scene"), scene.to_string()).await;
    assert_eq!(put.status, 200, "{}", put.json());
    let object = json!({ "session": session, "ids": ["grid"], "name": "bumps" });
    let saved = ask_json(&server, "/api/objects", &object).await;
    assert_eq!(saved.0, 201, "{}", saved.1);
    let picture = json!({ "mime_type": "image/png", "data": noise(900) });
    client.send(json!({ "type": "user_message", "text": "see", "images": [picture] })).await;
    let said = client.until("user_message").await;
    client.until("run_finished").await;
    let message = said["message_id"].as_str().unwrap();
    // It keeps the session in memory, and with it the texts that are kept for others.
    let reading = tokio::spawn(async move { while client.try_next().await.is_some() {} });

    let read = json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/read",
        "params": { "uri": format!("scene-llm://sessions/{session}/scene"), "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "x", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": {} } } })
    .to_string();
    let over_mcp = format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n\
         Mcp-Method: resources/read\r\nMcp-Name: scene-llm://sessions/{session}/scene\r\nContent-Length: {}\r\n\r\n{read}",
        read.len()
    );
    for request in [
        get(&format!("{path}/shapes/grid/mesh?detail=fine")),
        get(&format!("{path}/messages/{message}/images/0")),
        get(&format!("{path}/export")),
        get("/api/objects/bumps/export"),
        over_mcp,
    ] {
        let before = in_use(&server, "answer_bytes").await;
        let stalled = unread(&server, &request).await;
        until_in_use(&server, "answer_bytes", |bytes| bytes > before + 900_000).await;
        drop(stalled);
        until_in_use(&server, "answer_bytes", |bytes| bytes <= before).await;
    }
    reading.abort();
}

async fn ask_json(server: &TestServer, path: &str, body: &Value) -> (u16, Value) {
    let answer = server.http().post(server.url(path)).json(body).send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn imports_and_copies_of_sessions_are_jobs_of_their_address() {
    /// What one address may have.
    const MAX_JOBS: usize = 13;
    let server = TestServer::with_mock(&json!([])).await;
    let session = server.client().await.session();
    let path = format!("/api/sessions/{session}");
    let exported = ask(&server, Method::GET, &format!("{path}/export"), "").await.body;
    let scene = json!({ "version": 1, "shapes": balls(10_000) });
    let put = ask(&server, Method::PUT, &format!("{path}/scene"), scene.to_string()).await;
    assert_eq!(put.status, 200, "{}", put.json());
    let mut downloads = Vec::new();
    for _ in 0..MAX_JOBS {
        let request = get(&format!("{path}/scene/export?format=json"));
        downloads.push(unread(&server, &request).await);
    }
    let import =
        async || ask(&server, Method::POST, "/api/sessions/import", exported.clone()).await;
    let copy = async || ask(&server, Method::POST, &format!("{path}/duplicate"), "").await;
    for refused in [import().await, copy().await] {
        assert_eq!(refused.status, 429, "{}", refused.json());
        assert!(refused.detail().contains("exports and imports in the queue"));
    }
    drop(downloads);
    until_in_use(&server, "job_bytes", |bytes| bytes == 0).await;
    assert_eq!((import().await.status, copy().await.status), (201, 201));
}
