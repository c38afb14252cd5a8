//! Goals over HTTP: set, watch, pause, go on, change, end; and the workflows they may follow.

mod picture;

use std::sync::Arc;

use axum::Json;
use axum::extract::{Extension, Path, State};
use axum::http::StatusCode;
use axum::response::IntoResponse;
use protocol::{GoalEdit, GoalRequest, VariantChoice};
use serde_json::{Value, json};
use session::{GoalCommand, Permission};

use crate::goal_wire;
use crate::shares::Share;

pub(super) use self::picture::of_variant;
use super::app::App;
use super::problem::{JsonBody, NoBody, Problem};
use super::sessions::find;

type Shared = State<Arc<App>>;

pub(super) async fn start(
    State(app): Shared,
    Path(id): Path<String>,
    Extension(share): Extension<Share>,
    JsonBody(request): JsonBody<GoalRequest>,
) -> Result<impl IntoResponse, Problem> {
    let command = GoalCommand::Start(Box::new(goal_wire::start(request)));
    Ok((StatusCode::CREATED, command_of(&app, &share, &id, command).await?))
}

pub(super) async fn show(
    State(app): Shared,
    Path(id): Path<String>,
) -> Result<Json<Value>, Problem> {
    let goal = find(&app, &id, Permission::View).await?.goal().await?;
    let goal = goal.ok_or_else(|| {
        let detail = "this session has no goal; set one with POST /api/sessions/{id}/goal";
        Problem::new(StatusCode::NOT_FOUND, detail)
    })?;
    Ok(Json(json!({ "goal": goal_wire::goal(goal) })))
}

pub(super) async fn edit(
    State(app): Shared,
    Path(id): Path<String>,
    Extension(share): Extension<Share>,
    JsonBody(edit): JsonBody<GoalEdit>,
) -> Result<Json<Value>, Problem> {
    command_of(&app, &share, &id, GoalCommand::Edit(Box::new(goal_wire::edit(edit)))).await
}

pub(super) async fn pause(
    State(app): Shared,
    Path(id): Path<String>,
    Extension(share): Extension<Share>,
    _: NoBody,
) -> Result<Json<Value>, Problem> {
    command_of(&app, &share, &id, GoalCommand::Pause).await
}

pub(super) async fn resume(
    State(app): Shared,
    Path(id): Path<String>,
    Extension(share): Extension<Share>,
    _: NoBody,
) -> Result<Json<Value>, Problem> {
    command_of(&app, &share, &id, GoalCommand::Resume).await
}

pub(super) async fn cancel(
    State(app): Shared,
    Path(id): Path<String>,
    Extension(share): Extension<Share>,
    _: NoBody,
) -> Result<Json<Value>, Problem> {
    command_of(&app, &share, &id, GoalCommand::Cancel).await
}

pub(super) async fn choose(
    State(app): Shared,
    Path(id): Path<String>,
    Extension(share): Extension<Share>,
    JsonBody(VariantChoice { variant }): JsonBody<VariantChoice>,
) -> Result<Json<Value>, Problem> {
    command_of(&app, &share, &id, GoalCommand::Choose(variant)).await
}

async fn command_of(
    app: &App,
    share: &Share,
    id: &str,
    command: GoalCommand,
) -> Result<Json<Value>, Problem> {
    let session = find(app, id, Permission::Edit).await?;
    share.talks_to(session.id());
    let goal = session.goal_command(command).await?;
    Ok(Json(json!({ "goal": goal_wire::goal(goal) })))
}

pub(super) async fn workflows(State(app): Shared) -> Json<Value> {
    let workflows: Vec<&goals::Workflow> = app.workflows.iter().collect();
    Json(json!({ "workflows": workflows }))
}
