//! What is sent slowly, endlessly or never read.

use end_to_end::client::Client;
use end_to_end::server::TestServer;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{Duration, timeout};

/// Longer than any of the server's time limits that are waited for here.
const PATIENCE: Duration = Duration::from_secs(90);
/// The head of a text frame that is not the last of its message, and of one that goes on with it: of 64 KiB each, with
/// a mask of zeros.
const FIRST: [u8; 14] = [0x01, 0xff, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0];
const NEXT: [u8; 14] = [0x00, 0xff, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0];

async fn server() -> TestServer {
    TestServer::with_mock(&json!([])).await
}

/// How much of a shared limit is in use.
pub(super) async fn in_use(server: &TestServer, of: &str) -> u64 {
    let answer = server.http().get(server.url("/metrics")).send().await.unwrap();
    let text = answer.text().await.unwrap();
    let line = format!("scene_llm_in_use{{of=\"{of}\"}} ");
    let value = text.lines().find_map(|metric| metric.strip_prefix(&line));
    value.unwrap_or_else(|| panic!("no {line}in\n{text}")).parse().unwrap()
}

pub(super) async fn until_in_use(server: &TestServer, of: &str, wanted: impl Fn(u64) -> bool) {
    let waiting = async { while !wanted(in_use(server, of).await) {} };
    timeout(PATIENCE, waiting).await.unwrap_or_else(|_| panic!("{of} is not as it should be"));
}

/// A WebSocket after its handshake, with a small buffer for what it receives.
async fn upgraded(server: &TestServer, session: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(8 * 1024).unwrap();
    let mut stream = socket.connect(server.addr()).await.unwrap();
    let request = format!(
        "GET /ws?session={session} HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
        server.addr()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.unwrap());
    }
    assert!(head.starts_with(b"HTTP/1.1 101"));
    stream
}

#[tokio::test]
async fn a_message_that_is_not_whole_counts_and_an_endless_one_closes_its_socket() {
    let server = server().await;
    let mut client: Client = server.client().await;
    let mut endless = upgraded(&server, &client.session()).await;
    let fragment = [b' '; 64 * 1024];
    endless.write_all(&FIRST).await.unwrap();
    endless.write_all(&fragment).await.unwrap();
    endless.write_all(&NEXT).await.unwrap();
    endless.write_all(&fragment).await.unwrap();
    // A ping between fragments does not make the message whole.
    endless.write_all(&[0x89, 0x80, 0, 0, 0, 0]).await.unwrap();
    until_in_use(&server, "arriving_bytes", |bytes| bytes >= 128 * 1024).await;
    // It may end in the middle of a write.
    while endless.write_all(&NEXT).await.is_ok() && endless.write_all(&fragment).await.is_ok() {}
    until_in_use(&server, "arriving_bytes", |bytes| bytes == 0).await;
    assert!(client.still_there().await);
}

#[tokio::test]
async fn a_body_that_is_not_whole_counts_and_is_forgotten_with_its_connection() {
    let server = server().await;
    let mut half = TcpStream::connect(server.addr()).await.unwrap();
    let head = "POST /api/render HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n";
    half.write_all(head.as_bytes()).await.unwrap();
    half.write_all(&[b' '; 200_000]).await.unwrap();
    until_in_use(&server, "arriving_bytes", |bytes| bytes >= 128 * 1024).await;
    drop(half);
    until_in_use(&server, "arriving_bytes", |bytes| bytes == 0).await;
}

/// Whatever comes until the server closes.
async fn to_the_end(mut stream: TcpStream) -> String {
    let mut all = Vec::new();
    // A reset is an end, too.
    let _ = timeout(PATIENCE, stream.read_to_end(&mut all)).await.expect("the server closes");
    String::from_utf8_lossy(&all).into_owned()
}

#[tokio::test]
async fn slow_heads_and_bodies_are_cut_off() {
    let server = server().await;
    let begun = async |text: &str| {
        let mut stream = TcpStream::connect(server.addr()).await.unwrap();
        stream.write_all(text.as_bytes()).await.unwrap();
        stream
    };
    let nothing = begun("").await;
    let head = begun("GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ").await;
    let body =
        "POST /api/sessions/import HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{";
    let body = begun(body).await;
    let (nothing, head, body) =
        tokio::join!(to_the_end(nothing), to_the_end(head), to_the_end(body));
    assert!(!nothing.contains("200 OK") && !head.contains("200 OK"), "{nothing} {head}");
    assert!(body.starts_with("HTTP/1.1 408"), "{body}");
}

#[tokio::test]
async fn a_head_without_end_is_refused() {
    let server = server().await;
    let mut stream = TcpStream::connect(server.addr()).await.unwrap();
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n").await.unwrap();
    let line = format!("X-More: {}\r\n", "x".repeat(1_000));
    // It ends in the middle of a write at the latest.
    for _ in 0..1_000 {
        if stream.write_all(line.as_bytes()).await.is_err() {
            break;
        }
    }
    let answer = to_the_end(stream).await;
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 431"), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_viewer_that_reads_nothing_gets_drafts_only_and_is_cut_off() {
    let server = server().await;
    let mut owner = server.client().await;
    let scene = format!("/api/sessions/{}/scene", owner.session());
    let stalled = upgraded(&server, &owner.session()).await;
    // The owner reads all the time.
    let reading = tokio::spawn(async move { while owner.try_next().await.is_some() {} });
    let (mut stalled, mut writing) = stalled.into_split();
    let view = br#"{"type":"view","width":1920,"height":1080,"quality":"final"}"#;
    writing.write_all(&[0x81, 0x80 | view.len() as u8, 0, 0, 0, 0]).await.unwrap();
    writing.write_all(view).await.unwrap();
    let open = in_use(&server, "connections").await;
    // More than the system holds for a client that does not read.
    let shapes: Vec<Value> = (0..4_000)
        .map(|n| {
            json!({ "id": format!("ball_{n}"), "type": "sphere",
                "properties": { "center": [n, 0, 0], "radius": 1 } })
        })
        .collect();
    let full = json!({ "version": 1, "shapes": shapes });
    let empty = json!({ "version": 1, "shapes": [] });
    for scene_file in [&full, &empty, &full] {
        let put = server.http().put(server.url(&scene)).json(scene_file).send().await.unwrap();
        assert_eq!(put.status(), 200);
    }
    until_in_use(&server, "connections", |now| now < open).await;
    // The film of the owner's small picture, and none of 1920 x 1080.
    let films = in_use(&server, "film_bytes").await;
    assert!(films < 20_000_000, "{films} bytes for who reads nothing");
    assert!(!reading.is_finished(), "who reads stays");
    reading.abort();
    let mut rest = Vec::new();
    // What the system still holds, and then the end.
    let _ = timeout(PATIENCE, stalled.read_to_end(&mut rest)).await.expect("it is cut off");
}
