//! MCP among several servers. A connection lives in the server that began it, whose name its id carries; requests of
//! the connection are sent there. What it asks about a session that another server owns is asked of that one, in the
//! form of the protocol that needs no connection.

use std::net::IpAddr;
use std::sync::Arc;

use async_trait::async_trait;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{Extensions, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use eventsource_stream::Eventsource;
use futures_util::StreamExt;
use mcp_server::{AskError, Caller, Owners, Place};
use serde_json::{Value, json};
use tokio::sync::mpsc::Sender;

use super::super::app::{App, Peer};
use super::super::problem::Problem;
use super::super::token::MCP_PATH;
use super::exchange::{ExchangeError, connect, exchange, outgoing, refusal};
use super::members::{SentOn, mark};
use super::nodes::Nodes;

/// The header that names a connection.
const CONNECTION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
/// Between the id of a connection, as its server knows it, and the name of the server.
const SEPARATOR: char = '.';
/// The version of the protocol without connections.
const VERSION: &str = "2026-07-28";
/// Bytes of an answer that is no stream.
const MAX_ANSWER: usize = 1024 * 1024;

/// Answers a request to `/mcp` where its connection is, or here if it has none.
pub(super) async fn to_connection(
    app: &Arc<App>,
    nodes: &Nodes,
    mut request: Request,
    next: Next,
) -> Response {
    let store = app.sessions.store();
    let named = named(&request);
    let is_sent_on = request.extensions().get::<SentOn>().is_some();
    let address = request.extensions().get::<Peer>().map(|Peer(address)| *address);
    // Servers ask without a connection; what comes over one is a client's, whose connection is here.
    let is_server = is_sent_on && named.is_none();
    request.extensions_mut().insert(Caller { address, is_server });
    if let Some((connection, node)) = named {
        let address = match is_sent_on || store.node().as_ref() == Some(&node) {
            true => None,
            false => match store.address_of(&node).await {
                Ok(address) => address,
                Err(error) => return Problem::from(error).into_response(),
            },
        };
        if let Some(address) = address {
            return send_on(app, nodes, request, &node, &address).await;
        }
        // Its server may be this one in an earlier life. If it is none that lives, the client begins again.
        request.headers_mut().insert(CONNECTION_ID, connection);
    }
    let mut answer = next.run(request).await;
    if let Some(id) = answer.headers().get(&CONNECTION_ID).and_then(|id| id.to_str().ok())
        && let Some(node) = store.node()
        && let Ok(id) = HeaderValue::from_str(&format!("{id}{SEPARATOR}{node}"))
    {
        answer.headers_mut().insert(CONNECTION_ID, id);
    }
    answer
}

/// The connection that a request names, and the server that has it.
fn named(request: &Request) -> Option<(HeaderValue, String)> {
    let (id, node) =
        request.headers().get(&CONNECTION_ID)?.to_str().ok()?.rsplit_once(SEPARATOR)?;
    Some((HeaderValue::from_str(id).ok()?, node.to_owned()))
}

async fn send_on(
    app: &Arc<App>,
    nodes: &Nodes,
    request: Request,
    node: &str,
    address: &str,
) -> Response {
    let (parts, body) = request.into_parts();
    let sent = match connect(address).await {
        Err(error) => Err(ExchangeError::Unreachable(error)),
        Ok(stream) => {
            let request = outgoing(app, &parts, body);
            exchange(app, stream, request, &parts.extensions, nodes.watch(node)).await
        }
    };
    match sent {
        Ok(answer) => {
            app.runs.metrics.forwarded();
            answer
        }
        // It is stopping, and the connection ends with it.
        Err(ExchangeError::NotThere) => {
            let detail = "this Mcp-Session-Id has ended: begin again with 'initialize'";
            Problem::new(StatusCode::NOT_FOUND, detail).into_response()
        }
        Err(error) => refusal(address, &error),
    }
}

impl App {
    /// What the MCP server works with.
    pub(crate) fn mcp_host(self: &Arc<Self>) -> mcp_server::Host {
        let host = mcp_server::Host::new(Arc::clone(&self.sessions), self.lists_sessions);
        match self.nodes {
            Some(_) => host.among_servers(Arc::new(OtherServers(Arc::clone(self)))),
            None => host,
        }
    }
}

/// Asks other servers about their sessions.
struct OtherServers(Arc<App>);

#[async_trait]
impl Owners for OtherServers {
    async fn ask(
        &self,
        place: &Place,
        client: Option<IpAddr>,
        method: &str,
        params: Value,
        notices: &Sender<Value>,
    ) -> Result<Value, AskError> {
        let Self(app) = self;
        let explained = |error: &ExchangeError| error.explained(&place.address);
        let lost = || AskError::Lost(explained(&ExchangeError::Lost));
        let Some(nodes) = &app.nodes else { return Err(lost()) };
        let node = nodes.watch(&place.node);
        let stream = connect(&place.address)
            .await
            .map_err(|error| AskError::DidNothing(explained(&ExchangeError::Unreachable(error))))?;
        let request = request(app, client, method, params);
        let answer = exchange(app, stream, request, &Extensions::new(), node).await;
        let answer = answer.map_err(|error| match error {
            ExchangeError::NotThere => AskError::DidNothing(explained(&error)),
            _ => lost(),
        })?;
        app.runs.metrics.forwarded();
        let kind = answer.headers().get(header::CONTENT_TYPE);
        let streams = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
        let status = answer.status();
        if !streams {
            let body = to_bytes(answer.into_body(), MAX_ANSWER).await.map_err(|_| lost())?;
            let told = serde_json::from_slice(&body).ok().and_then(answered);
            return told.unwrap_or_else(|| {
                let said = String::from_utf8_lossy(&body);
                Err(AskError::Refused(
                    json!({ "code": -32_603, "message": format!("{status}: {said}") }),
                ))
            });
        }
        let mut events = answer.into_body().into_data_stream().eventsource();
        while let Some(event) = events.next().await {
            let event = event.map_err(|_| lost())?;
            // What keeps the line open has no data.
            let Ok(message) = serde_json::from_str::<Value>(&event.data) else { continue };
            if message.get("method").is_some() {
                // Without a listener nobody wants the answer either.
                let _ = notices.send(message).await;
            } else if let Some(answer) = answered(message) {
                return answer;
            }
        }
        Err(lost())
    }
}

/// The result or error of a JSON-RPC response.
fn answered(mut message: Value) -> Option<Result<Value, AskError>> {
    let message = message.as_object_mut()?;
    match (message.remove("result"), message.remove("error")) {
        (Some(result), _) => Some(Ok(result)),
        (None, Some(error)) => Some(Err(AskError::Refused(error))),
        (None, None) => None,
    }
}

/// The request that asks another server. Whether the client may ask was found out here.
fn request(app: &App, client: Option<IpAddr>, method: &str, mut params: Value) -> Request {
    let name = ["name", "uri"].iter().find_map(|name| params[*name].as_str());
    let name = name.and_then(|name| HeaderValue::from_str(name).ok());
    params["_meta"] = json!({
        "progressToken": 1,
        "io.modelcontextprotocol/protocolVersion": VERSION,
        "io.modelcontextprotocol/clientInfo": { "name": "scene-llm", "version": env!("CARGO_PKG_VERSION") },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    let mut request = Request::new(Body::from(body.to_string()));
    *request.method_mut() = Method::POST;
    *request.uri_mut() = MCP_PATH.parse().unwrap_or_default();
    let headers = request.headers_mut();
    let fixed = [
        (header::HOST, "localhost"),
        (header::CONTENT_TYPE, "application/json"),
        (header::ACCEPT, "application/json, text/event-stream"),
        (HeaderName::from_static("mcp-protocol-version"), VERSION),
    ];
    headers.extend(fixed.map(|(name, value)| (name, HeaderValue::from_static(value))));
    if let Ok(method) = HeaderValue::from_str(method) {
        headers.insert("mcp-method", method);
    }
    if let Some(name) = name {
        headers.insert("mcp-name", name);
    }
    if let Some(token) = app.token.as_ref().and_then(|token| token.as_header()) {
        headers.insert(header::AUTHORIZATION, token);
    }
    mark(headers, app, client);
    request
}
