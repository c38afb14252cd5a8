//! llama.cpp's own HTTP server over a model of random weights (`tests/local/`), and what is asked of it.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::net::TcpListener;
use tokio::process::{Child, Command};
use tokio_util::sync::{CancellationToken, DropGuard};

/// How long it may take to load a model of a megabyte, on a machine that does other things as well.
const PATIENCE: Duration = Duration::from_secs(60);

/// More than any request of a test has.
const MAX_BODY_BYTES: usize = 16 << 20;

/// What a model's answers begin with.
#[derive(Debug, Clone, Copy)]
pub enum Weights {
    /// Text.
    Talks,
    /// A call of a tool, where its template shows it tools.
    Calls,
}

/// One request for an answer, and what the server made of it.
#[derive(Debug, Clone, Default)]
pub struct Exchange {
    /// The request.
    pub body: Value,
    /// The status of the answer.
    pub status: u16,
    /// The answer: events, or an error.
    pub answer: String,
}

impl Exchange {
    /// Who speaks in the request, one message after the other.
    pub fn roles(&self) -> Vec<&str> {
        let messages = self.body["messages"].as_array().into_iter().flatten();
        messages.filter_map(|message| message["role"].as_str()).collect()
    }

    /// The tokens of the prompt, and those of them that were read from the cache, where the answer came
    /// to its end.
    pub fn prompt_tokens(&self) -> Option<(u64, u64)> {
        let events = self.answer.lines().filter_map(|line| line.strip_prefix("data: "));
        let usage = events
            .filter_map(|event| serde_json::from_str::<Value>(event).ok())
            .find_map(|event| Some(event["usage"].clone()).filter(Value::is_object))?;
        let cached = usage["prompt_tokens_details"]["cached_tokens"].as_u64()?;
        Some((usage["prompt_tokens"].as_u64()?, cached))
    }
}

/// A running server. Dropping it ends it.
pub struct LlamaCpp {
    _child: Child,
    address: String,
    shared: Arc<Shared>,
    _stop: DropGuard,
}

struct Shared {
    /// Where llama.cpp listens.
    upstream: String,
    http: reqwest::Client,
    /// Short, never held across an await.
    exchanges: Mutex<Vec<Exchange>>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Vec<Exchange>> {
        self.exchanges.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LlamaCpp {
    /// Starts a server that calls its model `name` and gives it `context` tokens, by the chat template
    /// `template` of `tests/local/templates`.
    ///
    /// # Panics
    /// When it does not come up.
    pub async fn start(weights: Weights, name: &str, template: &str, context: u32) -> Self {
        let (child, upstream) = spawn(weights, name, template, context).await;
        let http = llm::http_client_builder().no_proxy().build().expect("an HTTP client");
        let shared = Arc::new(Shared { upstream, http, exchanges: Mutex::default() });
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a loopback port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let router = Router::new().fallback(forward).with_state(Arc::clone(&shared));
        let stop = CancellationToken::new();
        let stopped = stop.clone().cancelled_owned();
        tokio::spawn(async move {
            let _ = axum::serve(listener, router).with_graceful_shutdown(stopped).await;
        });
        Self { _child: child, address, shared, _stop: stop.drop_guard() }
    }

    /// Its address in OpenAI's form.
    pub fn base_url(&self) -> String {
        format!("{}/v1", self.address)
    }

    /// Its port.
    ///
    /// # Panics
    /// When its address has none.
    pub fn port(&self) -> u16 {
        self.address.rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port")
    }

    /// The prompt that the chat template makes of a request.
    ///
    /// # Panics
    /// When the server refuses it.
    pub async fn prompt_of(&self, body: &Value) -> String {
        let url = format!("{}/apply-template", self.shared.upstream);
        let answer = self.shared.http.post(url).json(body).send().await.expect("an answer");
        let answer: Value = answer.json().await.expect("JSON");
        answer["prompt"].as_str().unwrap_or_else(|| panic!("no prompt: {answer}")).to_owned()
    }

    /// All requests for answers so far, in order.
    pub fn exchanges(&self) -> Vec<Exchange> {
        self.shared.lock().clone()
    }
}

async fn spawn(weights: Weights, name: &str, template: &str, context: u32) -> (Child, String) {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let made: PathBuf = tests.join("../target/local");
    let weights = match weights {
        Weights::Talks => "talks.gguf",
        Weights::Calls => "calls.gguf",
    };
    let python = made.join("bin/python");
    assert!(
        python.exists() && made.join(weights).exists(),
        "llama.cpp is not installed for the tests: run `make local-server`"
    );
    let mut command = Command::new(python);
    command.arg(tests.join("local/serve.py")).arg(made.join(weights)).arg(name);
    command.arg(tests.join("local/templates").join(template)).arg(context.to_string());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
    let mut child = command.spawn().expect("python runs");
    let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    let line = tokio::time::timeout(PATIENCE, lines.next_line()).await.expect("a line in time");
    (child, line.expect("a line").expect("the line with the address"))
}

/// Hands a request on as it came, and its answer back as it comes.
async fn forward(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let path = head.uri.path_and_query().map_or("/", |path| path.as_str());
    let Ok(body) = to_bytes(body, MAX_BODY_BYTES).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let url = format!("{}{path}", shared.upstream);
    let mut onward = shared.http.request(head.method, url).body(body.clone());
    if let Some(kind) = head.headers.get("content-type") {
        onward = onward.header("content-type", kind);
    }
    let Ok(answer) = onward.send().await else { return StatusCode::BAD_GATEWAY.into_response() };
    let mut response = Response::builder().status(answer.status());
    if let Some(kind) = answer.headers().get("content-type") {
        response = response.header("content-type", kind);
    }
    let index = path.ends_with("/chat/completions").then(|| {
        let mut all = shared.lock();
        let body = serde_json::from_slice(&body).unwrap_or_default();
        all.push(Exchange { body, status: answer.status().as_u16(), answer: String::new() });
        all.len() - 1
    });
    let noted = answer.bytes_stream().inspect(move |piece| {
        if let (Some(index), Ok(piece)) = (index, piece) {
            note(&shared, index, piece);
        }
    });
    response
        .body(Body::from_stream(noted))
        .unwrap_or_else(|_| StatusCode::BAD_GATEWAY.into_response())
}

fn note(shared: &Shared, index: usize, piece: &Bytes) {
    shared.lock()[index].answer.push_str(&String::from_utf8_lossy(piece));
}
