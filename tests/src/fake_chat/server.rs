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
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::reply::{Reply, Step};
use super::{Dialect, KEY, Shared, anthropic, openai};

#[derive(Clone)]
struct App {
    shared: Arc<Shared>,
    stop: CancellationToken,
}

/// Serves until `stop`, on a free loopback port.
pub(super) async fn spawn(shared: Arc<Shared>, stop: CancellationToken) -> io::Result<SocketAddr> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let address = listener.local_addr()?;
    let path = match shared.dialect {
        Dialect::OpenAi => "/v1/chat/completions",
        Dialect::Anthropic => "/v1/messages",
    };
    let app = App { shared, stop: stop.clone() };
    let router = Router::new()
        .route(path, post(answer))
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
fn refused(dialect: Dialect, headers: &HeaderMap) -> Option<(u16, &'static str, &'static str)> {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    match dialect {
        Dialect::OpenAi if header("authorization") != Some(&format!("Bearer {KEY}")) => {
            Some((401, "invalid_api_key", "Incorrect API key provided."))
        }
        Dialect::Anthropic if header("anthropic-version") != Some("2023-06-01") => {
            Some((400, "invalid_request_error", "anthropic-version: header is required"))
        }
        Dialect::Anthropic if header("x-api-key") != Some(KEY) => {
            Some((401, "authentication_error", "invalid x-api-key"))
        }
        _ => None,
    }
}

async fn models(
    State(app): State<App>,
    headers: HeaderMap,
    Query(query): Query<Vec<(String, String)>>,
) -> Response {
    let dialect = app.shared.dialect;
    if let Some((status, kind, message)) = refused(dialect, &headers) {
        return error(dialect, status, kind, message, &[]);
    }
    let list = match dialect {
        Dialect::OpenAi => openai::MODELS,
        Dialect::Anthropic => anthropic::MODELS,
    };
    // One model a page, where there are pages.
    let after = query.iter().find(|(name, _)| name == "after_id").map(|(_, id)| id.as_str());
    let start = list.iter().position(|id| Some(*id) == after).map_or(0, |at| at + 1);
    let count = if dialect == Dialect::Anthropic { 1 } else { list.len() };
    let page: Vec<Value> = list[start..].iter().take(count).map(|id| json!({ "id": id })).collect();
    let has_more = start + count < list.len();
    let last_id = page.last().map(|model| model["id"].clone());
    axum::Json(json!({ "data": page, "has_more": has_more, "last_id": last_id })).into_response()
}

async fn answer(State(app): State<App>, headers: HeaderMap, bytes: Bytes) -> Response {
    let dialect = app.shared.dialect;
    let body: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    let reply = {
        let mut inner = app.shared.lock();
        inner.requests.push(body.clone());
        let asked = inner.requests.len();
        app.shared.asked.send_replace(asked);
        let faults = match dialect {
            Dialect::OpenAi => openai::faults(&body),
            Dialect::Anthropic => anthropic::faults(&body, &inner.signed),
        };
        let refusal = match refused(dialect, &headers) {
            Some((status, kind, message)) => Some((status, kind, message.to_owned())),
            None if !faults.is_empty() => Some((400, "invalid_request_error", faults.join("\n"))),
            None if inner.script.is_empty() => {
                let message = "the script of the fake service has no answer left";
                Some((400, "invalid_request_error", message.to_owned()))
            }
            None => None,
        };
        if let Some((status, kind, message)) = refusal {
            inner.refusals.push(message.clone());
            return error(dialect, status, kind, &message, &[]);
        }
        inner.script.pop_front().unwrap_or_default()
    };
    if let Some((status, kind, message)) = &reply.error {
        return error(dialect, *status, kind, message, &reply.headers);
    }
    let stream = write(&app.shared, reply).take_until(app.stop.clone().cancelled_owned());
    ([("content-type", "text/event-stream")], Body::from_stream(stream)).into_response()
}

fn error(
    dialect: Dialect,
    status: u16,
    kind: &str,
    message: &str,
    headers: &[(&str, &str)],
) -> Response {
    let body = match dialect {
        Dialect::OpenAi => json!({ "error": { "message": message, "type": "error", "param": null,
                                               "code": kind } }),
        Dialect::Anthropic => {
            json!({ "type": "error", "error": { "type": kind, "message": message } })
        }
    };
    let status = StatusCode::from_u16(status).expect("a status");
    let mut response =
        Response::builder().status(status).header("content-type", "application/json");
    for (name, value) in headers {
        response = response.header(*name, *value);
    }
    response.body(Body::from(body.to_string())).expect("a response")
}

/// Writes `reply`; a signed thought counts as given once its signature is written.
fn write(
    shared: &Arc<Shared>,
    reply: Reply,
) -> impl Stream<Item = Result<Bytes, io::Error>> + use<> {
    let shared = Arc::clone(shared);
    stream! {
        let dialect = shared.dialect;
        let has_calls = reply.has_calls();
        let (begin, end) = match dialect {
            Dialect::OpenAi => (openai::begin(), openai::end(has_calls, reply.cut)),
            Dialect::Anthropic => (anthropic::begin(), anthropic::end(has_calls, reply.cut)),
        };
        let piece_bytes = reply.piece_bytes;
        let mut index = 0;
        let steps = reply.steps.into_iter().map(Some).chain([None]);
        let mut pending = begin;
        for step in steps {
            match &step {
                Some(Step::Gate(_) | Step::Break) => {}
                Some(step) => {
                    pending.push_str(&match dialect {
                        Dialect::OpenAi => openai::events(step, &mut index),
                        Dialect::Anthropic => anthropic::events(step, &mut index),
                    });
                    if let Step::Thought(text, signature) = step {
                        shared.lock().signed.push((text.clone(), signature.clone()));
                    }
                }
                None => pending.push_str(&end),
            }
            let bytes = Bytes::from(std::mem::take(&mut pending));
            for piece in bytes.chunks(piece_bytes) {
                yield Ok(bytes.slice_ref(piece));
                // Pending for once, so that the server flushes the piece by itself.
                tokio::task::yield_now().await;
            }
            match step {
                Some(Step::Gate(gate)) => gate.pass().await,
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
