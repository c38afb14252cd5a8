//! Recorded answers of real providers, served again over HTTP.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::path::Path;

use axum::Router;
use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use bytes::Bytes;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio_util::sync::{CancellationToken, DropGuard};

/// One recorded answer.
#[derive(Debug, Clone)]
pub struct Recording {
    /// `anthropic`, `gemini`, `ollama`, `openai` or `responses`: the form it has.
    pub form: String,
    /// Its file's name.
    pub name: String,
    /// The events as they stood on the wire.
    pub stream: String,
    /// What it adds up to: `text`, `thought`, `calls` and `finish`.
    pub expected: Value,
}

impl Recording {
    /// The answers in it, each of which came on a stream of its own: some recordings hold those of a
    /// whole run, one after the other.
    pub fn answers(&self) -> Vec<Self> {
        let begins = self.stream.match_indices("event: response.created\n").map(|(at, _)| at);
        // What stands before the first one, e.g. a comment, belongs to it.
        let ends: Vec<usize> = begins.skip(1).chain([self.stream.len()]).collect();
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let answer = |(from, to): (usize, &usize)| Self {
            stream: self.stream[from..*to].to_owned(),
            ..self.clone()
        };
        starts.zip(&ends).map(answer).collect()
    }
}

/// All recordings there are.
pub fn recordings() -> Vec<Recording> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/recorded");
    let text = std::fs::read_to_string(folder.join("expected.json")).expect("recorded data");
    let expected: Value = serde_json::from_str(&text).expect("JSON");
    let expected = expected.as_object().expect("an object").clone();
    let recording = |(path, expected): (String, Value)| {
        let (form, name) = path.split_once('/').expect("form/name");
        let read = |kind: &str| std::fs::read_to_string(folder.join(format!("{path}.{kind}"))).ok();
        let events = || read("jsonl").map(|events| stream(form, &events));
        let stream = read("sse").or_else(|| read("ndjson")).or_else(events).expect("recorded data");
        Recording { form: form.to_owned(), name: name.to_owned(), stream, expected }
    };
    expected.into_iter().map(recording).collect()
}

fn stream(form: &str, events: &str) -> String {
    let mut stream = String::new();
    for data in events.lines().filter(|line| !line.trim().is_empty()) {
        if matches!(form, "anthropic" | "responses") {
            let event: Value = serde_json::from_str(data).expect("JSON");
            stream += &format!("event: {}\n", event["type"].as_str().expect("a type"));
        }
        stream += &format!("data: {data}\n\n");
    }
    if form == "openai" {
        stream += "data: [DONE]\n\n";
    }
    stream
}

/// A server that answers every request with the same stream.
#[derive(Debug)]
pub struct Replay {
    address: SocketAddr,
    _stop: DropGuard,
}

impl Replay {
    /// Serves what was recorded in pieces of `piece` bytes.
    pub async fn start(recording: &Recording, piece: usize) -> io::Result<Self> {
        let kind = match recording.form.as_str() {
            "ollama" => "application/x-ndjson",
            _ => "text/event-stream",
        };
        let pieces: Vec<Bytes> =
            recording.stream.as_bytes().chunks(piece).map(Bytes::copy_from_slice).collect();
        let answer = move || {
            let pieces = pieces.clone().into_iter().map(Ok::<_, Infallible>);
            let body = Body::from_stream(futures_util::stream::iter(pieces));
            async move { ([(CONTENT_TYPE, kind)], body).into_response() }
        };
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let stop = CancellationToken::new();
        let stopped = stop.clone().cancelled_owned();
        tokio::spawn(async move {
            let router = Router::new().fallback(answer);
            axum::serve(listener, router).with_graceful_shutdown(stopped).await
        });
        Ok(Self { address, _stop: stop.drop_guard() })
    }

    /// Where a client of the provider finds it.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }
}
