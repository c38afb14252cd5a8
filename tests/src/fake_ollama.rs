//! An Ollama that answers by script over real HTTP, and refuses what the real one would refuse.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio_util::sync::{CancellationToken, DropGuard};

/// A running server. Dropping it closes its port.
#[derive(Debug)]
pub struct FakeOllama {
    address: SocketAddr,
    shared: Arc<Shared>,
    _stop: DropGuard,
}

#[derive(Debug)]
struct Shared {
    /// What each model can do: `/api/show`.
    models: Vec<(&'static str, Value)>,
    /// Short, never held across an await.
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    /// The messages of each answer.
    script: VecDeque<Vec<Value>>,
    requests: Vec<Value>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FakeOllama {
    /// Starts a server with a thinking model, one that sees, one that takes no tools and one that only
    /// embeds; it gives these answers, a list of messages each.
    ///
    /// # Panics
    /// When no port can be opened.
    pub async fn start(script: impl IntoIterator<Item = Vec<Value>>) -> Self {
        let shown = |capabilities: &[&str], context: u64| {
            json!({ "capabilities": capabilities, "details": { "family": "fake" },
                "model_info": { "general.architecture": "fake", "fake.context_length": context } })
        };
        let models = vec![
            ("nomic-embed-text:latest", shown(&["embedding"], 2_048)),
            ("qwen3:8b", shown(&["completion", "tools", "thinking"], 40_960)),
            ("gemma3:4b", shown(&["completion", "vision"], 131_072)),
        ];
        let inner = Inner { script: script.into_iter().collect(), ..Inner::default() };
        let shared = Arc::new(Shared { models, inner: Mutex::new(inner) });
        let router = Router::new()
            .route("/api/version", get(|| async { Json(json!({ "version": "0.12.3" })) }))
            .route("/api/tags", get(tags))
            .route("/api/show", post(show))
            .route("/api/chat", post(chat))
            .with_state(Arc::clone(&shared));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a loopback port");
        let address = listener.local_addr().expect("an address");
        let stop = CancellationToken::new();
        let stopped = stop.clone().cancelled_owned();
        tokio::spawn(async move {
            let _ = axum::serve(listener, router).with_graceful_shutdown(stopped).await;
        });
        Self { address, shared, _stop: stop.drop_guard() }
    }

    /// Where it is.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The bodies of all requests for answers so far, refused ones too.
    pub fn requests(&self) -> Vec<Value> {
        self.shared.lock().requests.clone()
    }
}

async fn tags(State(shared): State<Arc<Shared>>) -> Json<Value> {
    let models: Vec<Value> =
        shared.models.iter().map(|(name, _)| json!({ "name": name, "model": name })).collect();
    Json(json!({ "models": models }))
}

async fn show(State(shared): State<Arc<Shared>>, Json(asked): Json<Value>) -> Response {
    match shared.models.iter().find(|(name, _)| asked["model"] == *name) {
        Some((_, shown)) => Json(shown.clone()).into_response(),
        None => refuse(StatusCode::NOT_FOUND, "model not found"),
    }
}

async fn chat(State(shared): State<Arc<Shared>>, Json(asked): Json<Value>) -> Response {
    shared.lock().requests.push(asked.clone());
    let Some((name, shown)) = shared.models.iter().find(|(name, _)| asked["model"] == *name) else {
        return refuse(StatusCode::NOT_FOUND, "model not found");
    };
    let can = |what: &str| {
        shown["capabilities"].as_array().is_some_and(|list| list.iter().any(|it| it == what))
    };
    let lacks =
        |what: &str| refuse(StatusCode::BAD_REQUEST, &format!("{name:?} does not support {what}"));
    if asked.get("tools").is_some() && !can("tools") {
        return lacks("tools");
    }
    if asked.get("think").is_some_and(|think| *think != false) && !can("thinking") {
        return lacks("thinking");
    }
    let mut open: Vec<Value> = Vec::new();
    for message in asked["messages"].as_array().into_iter().flatten() {
        if message.get("images").is_some() && !can("vision") {
            return lacks("vision");
        }
        if message["role"] == "tool" && !open.contains(&message["tool_name"]) {
            return refuse(StatusCode::BAD_REQUEST, "a result of a tool that was not called");
        }
        let calls = message["tool_calls"].as_array().into_iter().flatten();
        for call in calls {
            if !call["function"]["arguments"].is_object() {
                return refuse(StatusCode::BAD_REQUEST, "arguments must be an object");
            }
            open.push(call["function"]["name"].clone());
        }
    }
    let Some(messages) = shared.lock().script.pop_front() else {
        return refuse(StatusCode::INTERNAL_SERVER_ERROR, "the script is at its end");
    };
    let mut body = String::new();
    for message in messages {
        body.push_str(&json!({ "model": name, "message": message, "done": false }).to_string());
        body.push('\n');
    }
    let last = json!({ "model": name, "message": { "role": "assistant", "content": "" },
        "done": true, "done_reason": "stop", "prompt_eval_count": 10, "eval_count": 7 });
    body.push_str(&last.to_string());
    body.push('\n');
    ([("content-type", "application/x-ndjson")], body).into_response()
}

fn refuse(status: StatusCode, error: &str) -> Response {
    (status, Json(json!({ "error": error }))).into_response()
}
