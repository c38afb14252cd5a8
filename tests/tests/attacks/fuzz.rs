//! Requests and messages that were good and are damaged at random: each is answered or refused, and the server goes on.
//! `tests/data/fuzz` keeps the good ones, and those that once did harm. `PROPTEST_CASES` makes it long.

use std::path::{Path, PathBuf};

use damage::damage;
use end_to_end::server::TestServer;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::runtime::Runtime;
use tokio::time::{Duration, timeout};

/// What the kept requests have in place of the id of a session: as long as one.
const SESSION: &str = "SESSION-SESSION-SESSION-SESSION-";
/// After this time without an answer, a request waits for the rest of its body, which never comes.
const NO_ANSWER: Duration = Duration::from_millis(300);
/// Far longer than the end of a socket takes.
const PATIENCE: Duration = Duration::from_secs(60);

fn kept() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/fuzz")
}

fn runner() -> TestRunner {
    TestRunner::new(Config { failure_persistence: None, ..Config::default() })
}

/// The status of an answer; `None` when there is none.
async fn status(server: &TestServer, request: &[u8]) -> Option<u16> {
    let mut stream = TcpStream::connect(server.addr()).await.unwrap();
    // The server may refuse it in the middle.
    let _ = stream.write_all(request).await;
    let mut head = [0; 12];
    timeout(NO_ANSWER, stream.read_exact(&mut head)).await.ok()?.ok()?;
    std::str::from_utf8(&head).unwrap().strip_prefix("HTTP/1.1 ")?.parse().ok()
}

#[test]
fn damaged_requests_are_answered_and_the_server_goes_on() {
    let mut good = Vec::new();
    for file in std::fs::read_dir(kept()).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "http") {
            good.push((path.display().to_string(), std::fs::read_to_string(path).unwrap()));
        }
    }
    good.sort();
    assert!(good.len() > 10);
    let runtime = Runtime::new().unwrap();
    let server = runtime.block_on(TestServer::with_mock(&json!([])));
    let client = runtime.block_on(server.client());
    let requests: Vec<(String, Vec<u8>)> = good
        .into_iter()
        .map(|(path, text)| (path, text.replace(SESSION, &client.session()).into_bytes()))
        .collect();
    for (path, request) in &requests {
        let status = runtime.block_on(status(&server, request));
        let text = String::from_utf8_lossy(request);
        assert!(status.is_some_and(|status| status < 500), "{path}: {status:?} to {text}");
    }
    let damaged = (0..requests.len(), prop::collection::vec(damage(), 1..4));
    let tested = runner().run(&damaged, |(at, damages)| {
        let (path, mut request) = requests[at].clone();
        damages.iter().for_each(|damage| damage.of(&mut request));
        let status = runtime.block_on(status(&server, &request));
        let text = String::from_utf8_lossy(&request);
        prop_assert!(status.is_none_or(|status| status < 500), "{path}: {status:?} to {text}");
        Ok(())
    });
    tested.unwrap();
    assert_eq!(
        runtime.block_on(status(&server, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")),
        Some(200)
    );
}

#[test]
fn damaged_messages_are_answered_and_the_socket_stays_open() {
    let good = std::fs::read_to_string(kept().join("messages.jsonl")).unwrap();
    let good: Vec<&str> = good.lines().collect();
    let runtime = Runtime::new().unwrap();
    let server = runtime.block_on(TestServer::with_mock(&json!([])));
    let client = std::cell::RefCell::new(runtime.block_on(server.client()));
    let damaged = (0..good.len(), prop::collection::vec(damage(), 0..4));
    let tested = runner().run(&damaged, |(at, damages)| {
        let mut message = good[at].as_bytes().to_vec();
        damages.iter().for_each(|damage| damage.of(&mut message));
        let message = String::from_utf8_lossy(&message).into_owned();
        let mut client = client.borrow_mut();
        runtime.block_on(async {
            client.send_text(message).await;
            assert!(client.still_there().await);
        });
        Ok(())
    });
    tested.unwrap();
}

/// A text frame as clients send it, with a mask of zeros.
fn frame(text: &str) -> Vec<u8> {
    let mut frame = vec![0x81];
    match text.len() {
        short @ 0..126 => frame.push(0x80 | short as u8),
        long => {
            frame.push(0x80 | 126);
            frame.extend((long as u16).to_be_bytes());
        }
    }
    frame.extend([0; 4]);
    frame.extend(text.as_bytes());
    frame
}

#[test]
fn damaged_frames_close_their_own_socket_at_most() {
    let good = std::fs::read_to_string(kept().join("messages.jsonl")).unwrap();
    let good: Vec<Vec<u8>> = good.lines().map(frame).collect();
    let handshake = std::fs::read_to_string(kept().join("handshake.http")).unwrap();
    let runtime = Runtime::new().unwrap();
    let server = runtime.block_on(TestServer::with_mock(&json!([])));
    let mut client = runtime.block_on(server.client());
    let handshake = handshake.replace(SESSION, &client.session());
    let damaged =
        (prop::collection::vec(0..good.len(), 1..4), prop::collection::vec(damage(), 0..4));
    let tested = runner().run(&damaged, |(which, damages)| {
        let mut frames: Vec<u8> = which.iter().flat_map(|at| good[*at].clone()).collect();
        damages.iter().for_each(|damage| damage.of(&mut frames));
        runtime.block_on(async {
            let mut stream = TcpStream::connect(server.addr()).await.unwrap();
            stream.write_all(handshake.as_bytes()).await.unwrap();
            let mut head = [0; 12];
            stream.read_exact(&mut head).await.unwrap();
            assert_eq!(&head, b"HTTP/1.1 101");
            // The server may have closed it in the middle.
            let _ = stream.write_all(&frames).await;
            let _ = stream.shutdown().await;
            let end = timeout(PATIENCE, stream.read_to_end(&mut Vec::new())).await;
            // Whether by a close frame or by a reset.
            assert!(end.is_ok(), "the socket stays open");
        });
        Ok(())
    });
    tested.unwrap();
    assert!(runtime.block_on(client.still_there()));
}
