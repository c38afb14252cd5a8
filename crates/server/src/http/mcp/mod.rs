//! Status of MCP servers and of agents of others, and standing approvals of their tools.

mod connections;

use std::sync::Arc;

use agent::ToolIdentity;
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use session::StandingApprovals;

use super::app::App;
use super::problem::Problem;
use super::query::QueryOf;

pub(super) use self::connections::{CountedConnections, within_share};

/// `GET /api/mcp`.
pub(super) async fn servers(State(app): State<Arc<App>>) -> impl IntoResponse {
    Json(json!({ "servers": app.runs.mcp.status() }))
}

/// `GET /api/agents`.
pub(super) async fn agents(State(app): State<Arc<App>>) -> impl IntoResponse {
    Json(json!({ "agents": app.runs.agents.status() }))
}

/// Errors of the MCP library about requests that never reach our server, in plain words. What is no JSON-RPC is
/// refused as JSON-RPC says, not as a kind of media that is not known.
pub(super) async fn in_plain_words(response: Response) -> Response {
    /// The longest message in bytes.
    const MAX_TEXT: usize = 4096;
    let status = response.status();
    let is_text = !response.headers().contains_key(header::CONTENT_TYPE);
    if !status.is_client_error() || !is_text {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let text = axum::body::to_bytes(body, MAX_TEXT).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    if let Some(why) = text.strip_prefix("fail to deserialize request body ") {
        let (code, message) = match why {
            "unrecognized JSON-RPC message" => (
                -32_600,
                "it is no JSON-RPC request: an object with \"jsonrpc\": \"2.0\", method, params and an id, which is a \
                 text or a whole number; lists of requests are not answered"
                    .to_owned(),
            ),
            why => (-32_700, format!("the body is not JSON: {why}")),
        };
        let error = json!({ "code": code, "message": scene::visible(message) });
        let answer = json!({ "jsonrpc": "2.0", "id": null, "error": error });
        return (StatusCode::BAD_REQUEST, Json(answer)).into_response();
    }
    let title = status.canonical_reason().unwrap_or_default();
    let words = match text.strip_prefix(title).map_or(&*text, |rest| rest.trim_start_matches(": "))
    {
        "Session ID is required" => {
            "begin with 'initialize', and send the Mcp-Session-Id of its answer with each request; or speak version \
             2026-07-28, which needs neither"
        }
        "Session not found" => {
            "this Mcp-Session-Id is not known, or has ended: begin again with 'initialize'"
        }
        words => words,
    };
    let words = axum::body::Body::from(words.to_owned());
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, words)
}

/// The standing approvals: only if all sessions belong to one user.
fn standing(app: &App) -> Result<&StandingApprovals, Problem> {
    app.standing.as_deref().ok_or_else(|| Problem::not_listed("approvals"))
}

/// `GET /api/approvals`.
pub(super) async fn approvals(State(app): State<Arc<App>>) -> Result<impl IntoResponse, Problem> {
    let standing = standing(&app)?;
    let one = |tool: ToolIdentity| json!({ "server": tool.source, "tool": tool.name });
    let always: Vec<Value> = standing.list().into_iter().map(one).collect();
    Ok(Json(json!({ "always": always })))
}

/// The query that names an approval.
#[derive(Deserialize)]
pub(super) struct Which {
    server: String,
    tool: String,
}

/// `DELETE /api/approvals?server=NAME&tool=NAME`.
pub(super) async fn revoke(
    State(app): State<Arc<App>>,
    QueryOf(Which { server, tool }): QueryOf<Which>,
) -> Result<StatusCode, Problem> {
    let standing = standing(&app)?;
    let tool = ToolIdentity { source: server, name: tool };
    match standing.remove(&tool).await {
        Ok(true) => Ok(StatusCode::NO_CONTENT),
        Ok(false) => Err(Problem::new(
            StatusCode::NOT_FOUND,
            "no such tool is approved for all sessions; GET /api/approvals lists those that are",
        )),
        Err(error) => Err(Problem::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            format!("the approval could not be revoked, and still counts: {error}"),
        )),
    }
}
