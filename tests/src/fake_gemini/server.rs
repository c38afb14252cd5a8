//! The HTTP side.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use async_stream::stream;
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::google_error;
use super::script::{Answer, HttpError, Step, parts_of};
use super::state::{Outcome, Shared};
use super::validate;

/// So few that every list has more than one page.
const MODELS_PER_PAGE: usize = 2;

#[derive(Clone)]
struct App {
    shared: Arc<Shared>,
    stop: CancellationToken,
}

/// Serves until `stop`, on a free loopback port.
pub(super) async fn spawn(shared: Arc<Shared>, stop: CancellationToken) -> io::Result<SocketAddr> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let address = listener.local_addr()?;
    let app = App { shared, stop: stop.clone() };
    let router = Router::new()
        .route("/v1beta/models", get(list_models))
        .route("/v1beta/models/{action}", post(generate))
        // Pictures travel in the body.
        .layer(axum::extract::DefaultBodyLimit::max(64 << 20))
        .with_state(app);
    tokio::spawn(async move {
        axum::serve(listener, router).with_graceful_shutdown(stop.cancelled_owned()).await
    });
    Ok(address)
}

async fn list_models(
    State(app): State<App>,
    headers: HeaderMap,
    Query(query): Query<Vec<(String, String)>>,
) -> Response {
    if let Err((code, message, details)) = check_key(&app, &headers) {
        return google_error(code, message, &details, &[]);
    }
    let token = query.iter().find(|(name, _)| name == "pageToken").map(|(_, token)| token.as_str());
    let start: usize = token.and_then(|token| token.parse().ok()).unwrap_or(0);
    let models = &app.shared.options.models;
    let page: Vec<Value> = models
        .iter()
        .skip(start)
        .take(MODELS_PER_PAGE)
        .map(|(name, methods)| {
            json!({ "name": format!("models/{name}"), "supportedGenerationMethods": methods })
        })
        .collect();
    let mut body = json!({ "models": page });
    if start + MODELS_PER_PAGE < models.len() {
        body["nextPageToken"] = (start + MODELS_PER_PAGE).to_string().into();
    }
    axum::Json(body).into_response()
}

async fn generate(
    State(app): State<App>,
    Path(action): Path<String>,
    Query(query): Query<Vec<(String, String)>>,
    headers: HeaderMap,
    bytes: Bytes,
) -> Response {
    let body: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    let (model, method) = action.split_once(':').unwrap_or((&action, ""));
    let refuse = |code: u16, message: &str, details: &[Value]| {
        app.shared.refuse(model, body.clone(), code, message);
        google_error(code, message, details, &[])
    };
    if let Err((code, message, details)) = check_key(&app, &headers) {
        return refuse(code, message, &details);
    }
    let known = app.shared.options.models.iter().any(|(name, methods)| {
        name == model && methods.iter().any(|method| method == "generateContent")
    });
    if !known || method != "streamGenerateContent" {
        let message = format!(
            "models/{model} is not found for API version v1beta, or is not supported for {method}. \
             Call ListModels to see the list of available models and their supported methods."
        );
        return refuse(404, &message, &[]);
    }
    if !query.iter().any(|(name, value)| name == "alt" && value == "sse") {
        return refuse(400, "this server answers with alt=sse only", &[]);
    }
    if headers.get("content-type").is_none_or(|value| value != "application/json") {
        return refuse(400, "Invalid content type: application/json is wanted.", &[]);
    }
    let issued = app.shared.issued();
    let errors = validate::errors(model, &body, &issued, app.shared.options.foreign_answers);
    if !errors.is_empty() {
        return refuse(400, &errors.join("\n"), &[]);
    }
    let Some(answer) = app.shared.next_answer(&body) else {
        return refuse(400, "the script of the fake Gemini API has no answer left", &[]);
    };
    if let Some(HttpError { code, message, headers, details }) = &answer.error {
        app.shared.record(model, body, Outcome::Error(*code));
        return google_error(*code, message, details, headers);
    }
    let request = app.shared.record(model, body.clone(), Outcome::Streaming);
    let stream = write(&app, answer, model.to_owned(), request);
    ([("content-type", "text/event-stream")], Body::from_stream(stream)).into_response()
}

type ErrorResponse = (u16, &'static str, Vec<Value>);

fn check_key(app: &App, headers: &HeaderMap) -> Result<(), ErrorResponse> {
    let key = headers.get("x-goog-api-key").and_then(|key| key.to_str().ok()).unwrap_or_default();
    if key.is_empty() {
        return Err((
            403,
            "Method doesn't allow unregistered callers. Please use API Key.",
            vec![],
        ));
    }
    match &app.shared.options.api_key {
        Some(valid) if valid != key => Err((
            400,
            "API key not valid. Please pass a valid API key.",
            vec![google_error::error_info("API_KEY_INVALID")],
        )),
        _ => Ok(()),
    }
}

fn google_error(
    code: u16,
    message: &str,
    details: &[Value],
    headers: &[(String, String)],
) -> Response {
    let body = google_error::body(code, google_error::status_of(code), message, details);
    let status = StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response =
        Response::builder().status(status).header("content-type", "application/json");
    for (name, value) in headers {
        response = response.header(name, value);
    }
    response.body(Body::from(body.to_string())).unwrap_or_else(|_| status.into_response())
}

/// Writes `answer` and keeps the record of it.
fn write(
    app: &App,
    answer: Answer,
    model: String,
    request: usize,
) -> impl Stream<Item = Result<Bytes, io::Error>> + use<> {
    let shared = Arc::clone(&app.shared);
    let issued = shared.issue();
    let record = Record { shared, request, issued, ended: false };
    let line_end = answer.line_end;
    let piece_bytes = answer.piece_bytes;
    let whole = matches!(answer.finish.as_deref(), Some("STOP" | "MAX_TOKENS"));
    let finish = answer.finish.map(|reason| {
        Step::Event(json!({
            "candidates": [{ "finishReason": reason, "index": 0 }],
            "usageMetadata": { "promptTokenCount": 10, "candidatesTokenCount": 4,
                               "thoughtsTokenCount": 3, "totalTokenCount": 17 },
            "modelVersion": model,
        }))
    });
    let written = stream! {
        // Moved in whole: a field alone would be copied.
        let mut record = record;
        for step in answer.steps.into_iter().chain(finish) {
            let bytes = match step {
                Step::Gate(gate) => {
                    gate.pass().await;
                    continue;
                }
                Step::Break => {
                    record.end(Outcome::Written, false);
                    yield Err(io::Error::other("broken by script"));
                    return;
                }
                Step::Raw(bytes) => bytes,
                Step::Parts(parts) => record.event(&event_of(&parts), line_end),
                Step::Event(event) => record.event(&event, line_end),
            };
            for piece in bytes.chunks(piece_bytes) {
                yield Ok(bytes.slice_ref(piece));
                // Pending for once, so that the server flushes the piece by itself.
                tokio::task::yield_now().await;
            }
        }
        record.end(Outcome::Written, whole);
    };
    written.take_until(app.stop.clone().cancelled_owned())
}

fn event_of(parts: &[Value]) -> Value {
    json!({ "candidates": [{ "content": { "parts": parts, "role": "model" }, "index": 0 }] })
}

/// Notes what is written; dropped before the end, that the client hung up.
struct Record {
    shared: Arc<Shared>,
    request: usize,
    issued: usize,
    ended: bool,
}

impl Record {
    fn event(&mut self, event: &Value, line_end: &str) -> Bytes {
        self.shared.issue_parts(self.issued, parts_of(event));
        Bytes::from(format!("data: {event}{line_end}{line_end}"))
    }

    fn end(&mut self, outcome: Outcome, whole: bool) {
        self.ended = true;
        self.shared.end(self.request, self.issued, outcome, whole);
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        if !self.ended {
            self.end(Outcome::CutOff, false);
        }
    }
}
