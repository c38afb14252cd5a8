//! Status of MCP servers, and standing approvals of their tools.

use std::sync::Arc;

use agent::ToolIdentity;
use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::IntoResponse;
use serde::Deserialize;
use serde_json::{Value, json};
use session::StandingApprovals;

use super::app::App;
use super::problem::Problem;

/// `GET /api/mcp`.
pub(super) async fn servers(State(app): State<Arc<App>>) -> impl IntoResponse {
    Json(json!({ "servers": app.runs.mcp.status() }))
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
    which: Result<Query<Which>, QueryRejection>,
) -> Result<StatusCode, Problem> {
    let standing = standing(&app)?;
    let Query(Which { server, tool }) = which.map_err(|error| {
        let detail = format!("the query: {error}; 'server' and 'tool' are expected");
        Problem::new(StatusCode::BAD_REQUEST, detail)
    })?;
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
