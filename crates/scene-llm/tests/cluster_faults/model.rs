//! A model that does what a message names, by a call and a word at its end, and remembers what it was asked.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// Around the name of the object that a message asks for.
const MARKS: [&str; 2] = ["<<", ">>"];

/// What a message says that asks for an object.
pub(super) fn message(object: &str) -> String {
    format!("{}{object}{}", MARKS[0], MARKS[1])
}

/// The model, as Gemini speaks.
pub(super) struct Model {
    address: SocketAddr,
    asked: Arc<Mutex<HashMap<Step, u32>>>,
}

/// What a request asks for: the answer to a message, or what comes after its calls.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Step {
    pub(super) object: String,
    pub(super) after_calls: bool,
}

impl Model {
    pub(super) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::<Mutex<HashMap<Step, u32>>>::default();
        let shared = Arc::clone(&asked);
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                // A server that is killed asks no further.
                tokio::spawn(answer(stream, Arc::clone(&shared)));
            }
        });
        Self { address, asked }
    }

    pub(super) fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// How often it was asked for each step.
    pub(super) fn asked(&self) -> HashMap<Step, u32> {
        self.asked.lock().unwrap().clone()
    }
}

async fn answer(stream: TcpStream, asked: Arc<Mutex<HashMap<Step, u32>>>) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await? == 0 {
            return Ok(());
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if line.trim().is_empty() {
            break;
        }
        head += &line;
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await?;
    let (kind, text) = if head.starts_with("GET") {
        let one = json!({ "name": "models/gemini-3.5-flash",
            "supportedGenerationMethods": ["generateContent"] });
        ("application/json", json!({ "models": [one] }).to_string())
    } else {
        let body: Value = serde_json::from_slice(&body).unwrap();
        ("text/event-stream", format!("data: {}\r\n\r\n", reply(&body, &asked)))
    };
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        text.len()
    );
    stream.write_all((head + &text).as_bytes()).await?;
    stream.shutdown().await
}

fn reply(body: &Value, asked: &Mutex<HashMap<Step, u32>>) -> Value {
    let contents = body["contents"].to_string();
    let begins = contents.rfind(MARKS[0]).filter(|_| body.get("tools").is_some());
    let parts = match begins {
        // It is asked what was said before.
        None => json!([{ "text": "They talked." }]),
        Some(begins) => {
            let rest = &contents[begins + MARKS[0].len()..];
            let object = rest.split(MARKS[1]).next().unwrap().to_owned();
            let step = Step { object, after_calls: rest.contains("functionResponse") };
            let object = step.object.clone();
            let is_done = step.after_calls;
            *asked.lock().unwrap().entry(step).or_default() += 1;
            match is_done {
                true => json!([{ "text": "Done." }]),
                false => calls(&object),
            }
        }
    };
    json!({ "candidates": [{ "index": 0, "finishReason": "STOP",
        "content": { "role": "model", "parts": parts } }],
        "usageMetadata": { "promptTokenCount": 10, "candidatesTokenCount": 4, "totalTokenCount": 14 },
        "modelVersion": "gemini-3.5-flash" })
}

/// Makes the object, and removes the one before, so that scenes stay small.
fn calls(object: &str) -> Value {
    let make = json!({ "functionCall": { "name": "create_shape", "args": { "id": object, "type": "sphere",
        "properties": { "center": [0, 0, 0], "radius": 1 } } }, "thoughtSignature": "c2lnbmVk" });
    let (name, number) = object.rsplit_once('_').unwrap();
    let before = number.parse::<u64>().unwrap().saturating_sub(1);
    let remove = json!({ "functionCall": { "name": "remove_shape",
        "args": { "id": format!("{name}_{before}") } } });
    json!([make, remove])
}
