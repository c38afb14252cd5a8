//! How things stand over an animation, for clients that draw the scene themselves.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use protocol::SceneChange;
use scene::{Animation, Assets, Scene, diff};
use serde::Deserialize;
use serde_json::{Value, json};
use session::Permission;
use studio::RenderError;

use crate::http::app::App;
use crate::http::problem::Problem;
use crate::http::query::QueryOf;
use crate::http::sessions::find;
use crate::wire;

/// The most moments of one answer.
const MAX_MOMENTS: u32 = 240;
/// The most changed things of all moments together.
const MAX_CHANGES: usize = 20_000;
/// Moments a second unless told.
const FPS: u32 = 12;

#[derive(Deserialize)]
pub(in crate::http) struct PosesQuery {
    fps: Option<u32>,
}

/// `GET /api/sessions/{id}/animation/poses?fps=12`: the changes from the scene to the scene at each moment. Long
/// animations, and those in which much moves, get fewer moments.
pub(in crate::http) async fn of_session(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    QueryOf(PosesQuery { fps }): QueryOf<PosesQuery>,
) -> Result<Response, Problem> {
    let session = find(&app, &id, Permission::View).await?;
    let revision = session.snapshot().await?.revision;
    let animation = revision.scene.animation.clone().ok_or(RenderError::NotAnimated)?;
    let fps = fps.unwrap_or(FPS);
    if !(1..=60).contains(&fps) {
        let detail = format!("'fps' must be from 1 to 60, got {fps}");
        return Err(Problem::new(StatusCode::BAD_REQUEST, detail));
    }
    let assets = Arc::clone(&session.assets);
    let written = app.scene_texts.json(move || {
        let moments = moments(&revision.scene, &animation, fps, &*assets);
        json!({ "revision": revision.number, "duration": animation.duration.get(), "moments": moments })
    });
    written.await
}

fn moments(scene: &Scene, animation: &Animation, fps: u32, assets: &dyn Assets) -> Vec<Value> {
    let still = Scene { animation: None, ..scene.clone() };
    let duration = animation.duration.get();
    let changes = |time: f64| diff(&still, &scene.at_time(time, assets));
    // Half-way most of what moves has moved.
    let each = changes(0.5 * duration).len().max(1);
    let affordable = u32::try_from(MAX_CHANGES / each).unwrap_or(u32::MAX).max(2);
    let count = animation.frames(f64::from(fps)).min(MAX_MOMENTS).min(affordable).max(2);
    (0..count)
        .map(|at| {
            let time = duration * f64::from(at) / f64::from(count - 1);
            let changes: Vec<SceneChange> =
                changes(time).into_iter().map(wire::scene_change).collect();
            json!({ "time": time, "changes": changes })
        })
        .collect()
}
