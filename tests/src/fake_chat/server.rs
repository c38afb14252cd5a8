//! The HTTP side.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use async_stream::stream;
use axum::Router;
use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use llm::Gate;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::lists;
use super::options::KEY;
use super::providers::{Dialect, Form};
use super::reply::{Reply, Step};
use super::rules::{self, Asked};
use super::state::{Recorded, Shared};
use super::wire::{End, Writer};
use super::wording::{self, ErrorResponse, RequestError};

#[derive(Clone)]
struct App {
    shared: Arc<Shared>,
    stop: CancellationToken,
}

/// Serves until `stop`, on a free loopback port.
pub(super) async fn spawn(shared: Arc<Shared>, stop: CancellationToken) -> io::Result<SocketAddr> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let address = listener.local_addr()?;
    let dialect = shared.options.dialect;
    let app = App { shared, stop: stop.clone() };
    let answering = |form: Form| {
        post(move |State(app): State<App>, headers: HeaderMap, bytes: Bytes| async move {
            answer(&app, form, &headers, bytes)
        })
    };
    let router = match dialect {
        Dialect::Anthropic => Router::new().route("/v1/messages", answering(Form::Messages)),
        Dialect::Ollama => Router::new()
            .route("/api/chat", answering(Form::Ollama))
            .route("/api/tags", get(|| async { axum::Json(lists::tags()) }))
            .route("/api/show", post(show))
            .route("/api/version", get(|| async { axum::Json(json!({ "version": "0.17.0" })) })),
        Dialect::OpenAi => Router::new()
            .route("/v1/chat/completions", answering(Form::Chat))
            .route("/v1/responses", answering(Form::Responses)),
        Dialect::LlamaCpp => Router::new()
            .route("/v1/chat/completions", answering(Form::Chat))
            .route("/props", get(|| async { axum::Json(lists::props()) })),
        _ => Router::new().route("/v1/chat/completions", answering(Form::Chat)),
    };
    let router = router
        .route("/v1/models", get(models))
        // Pictures travel in the body.
        .layer(axum::extract::DefaultBodyLimit::max(64 << 20))
        .with_state(app);
    tokio::spawn(async move {
        axum::serve(listener, router).with_graceful_shutdown(stop.cancelled_owned()).await
    });
    Ok(address)
}

/// Why the headers are refused.
fn refused(dialect: Dialect, headers: &HeaderMap) -> Option<RequestError> {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let denied =
        |status, code, message: &str| Some(RequestError::Access(status, code, message.into()));
    match dialect {
        Dialect::Anthropic if header("anthropic-version") != Some("2023-06-01") => {
            denied(400, "invalid_request_error", "anthropic-version: header is required")
        }
        Dialect::Anthropic if header("x-api-key") != Some(KEY) => {
            denied(401, "authentication_error", "invalid x-api-key")
        }
        // Local servers ask for no key.
        Dialect::Anthropic | Dialect::Ollama | Dialect::LlamaCpp => None,
        _ if header("authorization") != Some(&format!("Bearer {KEY}")) => {
            denied(401, "invalid_api_key", "Incorrect API key provided.")
        }
        _ => None,
    }
}

async fn models(
    State(app): State<App>,
    headers: HeaderMap,
    Query(query): Query<Vec<(String, String)>>,
) -> Response {
    let dialect = app.shared.options.dialect;
    if let Some(refused) = refused(dialect, &headers) {
        return error(dialect, &refused.refusal(dialect), &Value::Null, &[]);
    }
    let list = dialect.models();
    // One model a page, where there are pages.
    let after = query.iter().find(|(name, _)| name == "after_id").map(|(_, id)| id.as_str());
    let start = list.iter().position(|model| Some(model.id) == after).map_or(0, |at| at + 1);
    let count = if dialect == Dialect::Anthropic { 1 } else { list.len() };
    let page: Vec<Value> =
        list[start..].iter().take(count).map(|model| lists::entry(dialect, model)).collect();
    let has_more = start + count < list.len();
    let last_id = page.last().map(|model| model["id"].clone());
    axum::Json(json!({ "object": "list", "data": page, "has_more": has_more, "last_id": last_id }))
        .into_response()
}

async fn show(body: axum::Json<Value>) -> Response {
    let name = body["model"].as_str().unwrap_or_default();
    match Dialect::Ollama.model(name) {
        Some(model) => axum::Json(lists::show(model)).into_response(),
        None => {
            let refused = RequestError::UnknownModel(name.into());
            error(Dialect::Ollama, &refused.refusal(Dialect::Ollama), &Value::Null, &[])
        }
    }
}

fn answer(app: &App, form: Form, headers: &HeaderMap, bytes: Bytes) -> Response {
    let options = &app.shared.options;
    let dialect = options.dialect;
    let body: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    let betas = headers.get("anthropic-beta").and_then(|it| it.to_str().ok()).unwrap_or_default();
    let (reply, writer, first_item) = {
        let mut inner = app.shared.lock();
        let asked = Asked {
            dialect,
            form,
            body: &body,
            betas,
            issued: &inner.issued,
            binds_thoughts: options.binds_thoughts,
            window: options.context_window,
        };
        let mut errors: Vec<RequestError> = refused(dialect, headers).into_iter().collect();
        errors.extend(rules::errors(asked));
        errors.extend(inner.denied.and_then(|denied| denied.error(dialect, &body)));
        let summary = inner.summary.clone().filter(|_| body.get("tools").is_none());
        if errors.is_empty() && summary.is_none() && inner.script.is_empty() {
            errors.push(RequestError::Other(
                "the script of the fake provider has no answer left".into(),
            ));
        }
        let refusals: Vec<ErrorResponse> =
            errors.iter().map(|error| error.refusal(dialect)).collect();
        let texts: Vec<String> = refusals.iter().map(|refusal| refusal.message.clone()).collect();
        let reply = match summary {
            _ if !texts.is_empty() => None,
            Some(summary) => Some(Reply::new().text(&summary)),
            None => inner.script.pop_front(),
        };
        let answered = reply.as_ref().is_some_and(|reply| reply.error.is_none());
        let lost = if form == Form::Ollama { super::truncate::lost(&body) } else { 0 };
        let record = Recorded {
            form,
            has_betas: !betas.is_empty(),
            refusal: (!texts.is_empty()).then(|| texts.join("\n")),
            answered,
            lost,
            bytes,
            body: body.clone(),
        };
        inner.requests.push(record);
        let asked = inner.requests.len();
        app.shared.asked.send_replace(asked);
        if let Some(refusal) = refusals.first() {
            return error(dialect, refusal, &Value::Null, &[]);
        }
        let reply = reply.unwrap_or_default();
        // An answer that was cut off may still be written beside this one: each has numbers of its own.
        let first_item = inner.issued.items;
        inner.issued.items += reply.steps.len();
        let writer = Writer::new(dialect, form, &body, first_item);
        (reply, writer, first_item)
    };
    if let Some((status, kind, message)) = &reply.error {
        let refusal =
            ErrorResponse { status: *status, code: (*kind).into(), message: message.clone() };
        return error(dialect, &refusal, &reply.extra, &reply.headers);
    }
    let kind = if form == Form::Ollama { "application/x-ndjson" } else { "text/event-stream" };
    let stream = write(&app.shared, reply, writer, body, first_item)
        .take_until(app.stop.clone().cancelled_owned());
    ([("content-type", kind)], Body::from_stream(stream)).into_response()
}

fn error(
    dialect: Dialect,
    refusal: &ErrorResponse,
    extra: &Value,
    headers: &[(&str, &str)],
) -> Response {
    let body = wording::body(dialect, refusal, extra);
    let status = StatusCode::from_u16(refusal.status).expect("a status");
    let mut response =
        Response::builder().status(status).header("content-type", "application/json");
    for (name, value) in headers {
        response = response.header(*name, *value);
    }
    response.body(Body::from(body.to_string())).expect("a response")
}

/// Writes `reply`; a step counts as given out once it is written.
fn write(
    shared: &Arc<Shared>,
    reply: Reply,
    mut writer: Writer,
    body: Value,
    first_item: usize,
) -> impl Stream<Item = Result<Bytes, io::Error>> + use<> {
    let shared = Arc::clone(shared);
    stream! {
        let end = End { has_calls: reply.has_calls(), cut: reply.cut };
        let piece_bytes = reply.piece_bytes;
        let steps = reply.steps.into_iter().map(Some).chain([None]);
        let mut pending = String::new();
        let mut answer = super::state::Answering::new(body, first_item);
        let mut has_begun = false;
        let mut within: Option<Gate> = None;
        for step in steps {
            if let Some(Step::Gate(gate)) = &step {
                gate.pass().await;
                continue;
            }
            if let Some(Step::Within(gate)) = &step {
                within = Some(gate.clone());
                continue;
            }
            if !std::mem::replace(&mut has_begun, true) {
                pending.push_str(&writer.begin());
            }
            match &step {
                Some(step) => {
                    pending.push_str(&writer.events(step));
                    answer.give(step, &mut shared.lock().issued);
                }
                None => pending.push_str(&writer.end(end)),
            }
            let bytes = Bytes::from(std::mem::take(&mut pending));
            let bytes = match within.take() {
                Some(gate) => {
                    yield Ok(bytes.slice(..bytes.len() / 2));
                    gate.pass().await;
                    bytes.slice(bytes.len() / 2..)
                }
                None => bytes,
            };
            for piece in bytes.chunks(piece_bytes) {
                yield Ok(bytes.slice_ref(piece));
                // Pending for once, so that the server flushes the piece by itself.
                tokio::task::yield_now().await;
            }
            match step {
                Some(Step::Break) => {
                    yield Err(io::Error::other("broken by script"));
                    return;
                }
                // Nothing follows an error.
                Some(Step::Error(..)) => return,
                _ => {}
            }
        }
    }
}
