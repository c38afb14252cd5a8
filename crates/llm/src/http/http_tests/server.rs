//! A local server with scripted responses.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use secrecy::SecretString;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::http::ClientConfig;
use crate::{Anthropic, OpenAi};

pub(super) const KEY: &str = "sk-a-key-that-nobody-may-see";

/// A response of the server.
#[derive(Clone)]
pub(super) enum Reply {
    /// A status, additional headers and a body.
    Http(u16, String, String),
    /// No response, for ever.
    Silence,
}

pub(super) fn refuse(status: u16, message: &str) -> Reply {
    let error = json!({ "type": "invalid_request_error", "message": message });
    Reply::Http(status, String::new(), json!({ "type": "error", "error": error }).to_string())
}

pub(super) fn events(events: &[Value]) -> Reply {
    let text: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    Reply::Http(200, "content-type: text/event-stream\r\n".into(), text)
}

/// An answer in the form of chat completions.
pub(super) fn said(text: &str) -> Reply {
    events(&[json!({ "choices": [{ "delta": { "content": text }, "finish_reason": "stop" }] })])
}

/// An answer in Anthropic's form, with a signed thought.
pub(super) fn thought(signature: &str, text: &str) -> Reply {
    events(&[
        json!({ "type": "content_block_start", "index": 0,
            "content_block": { "type": "thinking", "thinking": "hm", "signature": signature } }),
        json!({ "type": "content_block_stop", "index": 0 }),
        json!({ "type": "content_block_start", "index": 1,
            "content_block": { "type": "text", "text": text } }),
        json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": {} }),
        json!({ "type": "message_stop" }),
    ])
}

pub(super) struct Server {
    pub(super) url: String,
    /// Heads and bodies, in order.
    pub(super) requests: Arc<Mutex<Vec<(String, Value)>>>,
}

impl Server {
    /// Starts a server that returns `replies` in order, the last one repeatedly.
    pub(super) async fn start(replies: impl Into<Vec<Reply>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let requests: Arc<Mutex<Vec<(String, Value)>>> = Arc::default();
        let (seen, replies) = (Arc::clone(&requests), replies.into());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, Arc::clone(&seen), replies.clone()));
            }
        });
        Self { url, requests }
    }

    pub(super) fn bodies(&self) -> Vec<Value> {
        self.requests.lock().unwrap().iter().map(|(_, body)| body.clone()).collect()
    }

    pub(super) fn config(&self, model: &str) -> ClientConfig {
        let mut config = ClientConfig::new(&self.url, SecretString::from(KEY), model);
        config.retry.base_delay = Duration::from_millis(1);
        config
    }

    pub(super) fn openai(&self) -> OpenAi {
        OpenAi::new(self.config("gpt-4o")).unwrap()
    }

    pub(super) fn anthropic(&self) -> Anthropic {
        Anthropic::new(self.config("claude-sonnet-5-5")).unwrap()
    }
}

async fn answer(
    mut stream: TcpStream,
    seen: Arc<Mutex<Vec<(String, Value)>>>,
    replies: Vec<Reply>,
) {
    let mut bytes = Vec::new();
    let (head, length) = loop {
        if stream.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
            return;
        }
        let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length")
                .then(|| value.trim().parse::<usize>().ok())?
        });
        bytes.drain(..end + 4);
        break (head, length.unwrap_or(0));
    };
    while bytes.len() < length {
        if stream.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
            return;
        }
    }
    let number = {
        let mut seen = seen.lock().unwrap();
        seen.push((head, serde_json::from_slice(&bytes).unwrap_or_default()));
        seen.len() - 1
    };
    match &replies[number.min(replies.len() - 1)] {
        Reply::Http(status, headers, body) => {
            let length = body.len();
            let text = format!(
                "HTTP/1.1 {status} X\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n{body}"
            );
            let _ = stream.write_all(text.as_bytes()).await;
        }
        Reply::Silence => std::future::pending().await,
    }
}
