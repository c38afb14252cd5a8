//! Pictures over HTTP.

pub(super) mod animation;
pub(super) mod poses;

use std::collections::BTreeSet;
use std::sync::Arc;

use assets::SessionAssets;
use axum::extract::{Extension, Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use scene::{Camera, Scene};
use serde::Deserialize;
use serde_json::Value;
use studio::{Display, Format, Job, RenderClient, View};

use super::app::{App, Peer};
use super::problem::{JsonBody, Problem};
use super::query::QueryOf;
use super::requests::{check_fit_aspect, check_view_time};
use super::sessions::{find, read_scene};
use crate::admission::network_of;
use crate::choices::{Denoise, Filter, Integrator, ToneMap, default_samples, time_limit};
use crate::shares::Share;
use session::Permission;

/// The settings of a picture; missing ones are as in [`Job::of`].
#[derive(Deserialize, Default)]
pub(super) struct RenderRequest {
    pub(super) width: Option<u32>,
    pub(super) height: Option<u32>,
    pub(super) samples: Option<u32>,
    pub(super) max_depth: Option<u32>,
    pub(super) integrator: Option<Integrator>,
    pub(super) seed: Option<u64>,
    pub(super) noise_threshold: Option<f32>,
    /// Seconds.
    time_limit: Option<f64>,
    pub(super) denoise: Option<Denoise>,
    /// There is only one filter, the default.
    #[serde(rename = "filter")]
    _filter: Option<Filter>,
    aov: Option<bool>,
    /// No sky behind the scene.
    transparent: Option<bool>,
    pub(super) tone_map: Option<ToneMap>,
    /// Stops.
    pub(super) exposure: Option<f32>,
    /// Kelvin.
    white_balance: Option<f32>,
    bloom: Option<f32>,
}

#[derive(Deserialize)]
pub(super) struct SceneRenderRequest {
    scene: Value,
    #[serde(flatten)]
    request: RenderRequest,
}

/// What is rendered of a session, as somebody sees it.
#[derive(Deserialize)]
pub(super) struct SessionRenderRequest {
    /// Instead of the scene's.
    camera: Option<Value>,
    /// Ids of shapes and lights that are not shown.
    #[serde(default)]
    hidden: BTreeSet<String>,
    /// As in a `view` message.
    fit_aspect: Option<f64>,
    /// As in a `view` message.
    at_time: Option<f64>,
    /// Instead of the session's scene, for who may edit it: a preview of what is about to be added.
    scene: Option<Value>,
    /// Instead of the session's scene as it is: as it was.
    revision: Option<u64>,
    #[serde(flatten)]
    request: RenderRequest,
}

pub(super) async fn of_session(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    QueryOf(request): QueryOf<RenderRequest>,
    Extension(share): Extension<Share>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let session = find(&app, &id, Permission::View).await?;
    let _place = share.picture()?;
    let job = request.job(session.scene().current().scene)?;
    picture(&app, session.scene().render_client(), job, &headers).await
}

/// `POST /api/sessions/{id}/render`: what a page shows, which may have a camera of its own, for whoever may look.
pub(super) async fn of_session_as_seen(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Extension(share): Extension<Share>,
    headers: HeaderMap,
    JsonBody(body): JsonBody<SessionRenderRequest>,
) -> Result<Response, Problem> {
    let permission = if body.scene.is_some() { Permission::Edit } else { Permission::View };
    let session = find(&app, &id, permission).await?;
    let _place = share.picture()?;
    let camera = body.camera.map(|camera| Camera::from_json(&camera)).transpose()?;
    let checked = body.fit_aspect.map_or(Ok(()), check_fit_aspect);
    let checked = checked.and_then(|()| body.at_time.map_or(Ok(()), check_view_time));
    checked.map_err(|error| Problem::new(StatusCode::UNPROCESSABLE_ENTITY, error))?;
    let scene = match (body.scene, body.revision) {
        (None, None) => session.scene().current().scene,
        (None, Some(revision)) => session.scene_at(revision).await?,
        (Some(scene), None) => Arc::new(read_scene(scene, Arc::clone(&session.assets) as _).await?),
        (Some(_), Some(_)) => {
            let detail = "'scene' and 'revision' both name a scene: give one of them";
            return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail));
        }
    };
    let job = body.request.job(scene)?;
    let view = View {
        width: job.width,
        height: job.height,
        camera,
        fit_aspect: body.fit_aspect,
        hidden: Arc::new(body.hidden),
        at_time: body.at_time,
        ..View::default()
    };
    let scene = view.of(&job.scene, &*session.assets);
    let job = Job { scene, ..job };
    picture(&app, session.scene().render_client(), job, &headers).await
}

pub(super) async fn of_scene(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Extension(Peer(address)): Extension<Peer>,
    Extension(share): Extension<Share>,
    JsonBody(body): JsonBody<SceneRenderRequest>,
) -> Result<Response, Problem> {
    let _place = share.picture()?;
    let assets = SessionAssets::new(Arc::clone(&app.library), app.lists_sessions, []);
    let scene = read_scene(body.scene, Arc::new(assets)).await?;
    // Without a session, clients are identified by their address.
    let client = app.renderer.client(&network_of(address).to_string());
    picture(&app, &client, body.request.job(Arc::new(scene))?, &headers).await
}

impl RenderRequest {
    pub(super) fn job(self, scene: Arc<Scene>) -> Result<Job, Problem> {
        let default = Job::of(scene);
        let time_limit = self.time_limit.map(time_limit).transpose().map_err(|error| {
            Problem::new(StatusCode::BAD_REQUEST, format!("'time_limit' {error}"))
        })?;
        Ok(Job {
            width: self.width.unwrap_or(default.width),
            height: self.height.unwrap_or(default.height),
            samples: self.samples.unwrap_or_else(|| default_samples(self.noise_threshold)),
            max_depth: self.max_depth.unwrap_or(default.max_depth),
            integrator: self.integrator.unwrap_or_default().into(),
            seed: self.seed.unwrap_or(default.seed),
            noise_threshold: self.noise_threshold,
            time_limit,
            denoise: self.denoise.map_or(default.denoise, Into::into),
            aovs: self.aov.unwrap_or(default.aovs),
            transparent: self.transparent.unwrap_or(default.transparent),
            display: Display {
                tone_map: self.tone_map.map_or(default.display.tone_map, Into::into),
                exposure: self.exposure.unwrap_or(default.display.exposure),
                white_balance: self.white_balance,
                bloom: self.bloom.unwrap_or_default(),
            },
            ..default
        })
    }
}

async fn picture(
    app: &App,
    client: &RenderClient,
    job: Job,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let accept = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    let format = accepted_format(accept).ok_or_else(|| {
        let known = Format::ALL.map(Format::mime_type).join(", ");
        Problem::new(StatusCode::NOT_ACCEPTABLE, format!("Accept must name one of {known}"))
    })?;
    // A stopping server does not wait for pictures.
    let rendered = app.cancel.run_until_cancelled(app.renderer.render(client, job, format));
    let picture = rendered.await.ok_or_else(Problem::stopping)??;
    let picture = app.scene_texts.sent(picture).await?;
    let headers = [
        (header::CONTENT_TYPE, format.mime_type()),
        (header::CACHE_CONTROL, "no-store"),
        (header::VARY, "accept"),
    ];
    Ok((headers, picture).into_response())
}

/// The preferred format by the `Accept` header; PNG among equals and by default.
fn accepted_format(accept: Option<&str>) -> Option<Format> {
    let Some(accept) = accept.filter(|accept| !accept.trim().is_empty()) else {
        return Some(Format::Png);
    };
    // For each format the most specific range that matches it counts (RFC 9110, section 12.5.1).
    let quality = |format: Format| {
        let matching = accept.split(',').filter_map(|range| {
            let mut pieces = range.split(';').map(str::trim);
            let specificity = match pieces.next()? {
                "*/*" => 0,
                "image/*" => 1,
                name if name.eq_ignore_ascii_case(format.mime_type()) => 2,
                _ => return None,
            };
            let weight = pieces.find_map(|piece| piece.strip_prefix("q="));
            Some((specificity, weight.map_or(Some(1.0), |q| q.parse::<f32>().ok())?))
        });
        matching.max_by_key(|(specificity, _)| *specificity).map_or(0.0, |(_, quality)| quality)
    };
    let mut best = None;
    for format in Format::ALL {
        let quality = quality(format);
        if quality > best.map_or(0.0, |(_, best)| best) {
            best = Some((format, quality));
        }
    }
    best.map(|(format, _)| format)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_follows_accept() {
        let cases = [
            (None, Some(Format::Png)),
            (Some("*/*"), Some(Format::Png)),
            (Some("image/*"), Some(Format::Png)),
            (Some("image/jpeg"), Some(Format::Jpeg)),
            (Some("image/avif,image/webp,*/*;q=0.8"), Some(Format::WebP)),
            (Some("image/png;q=0.1, image/x-exr"), Some(Format::Exr)),
            (Some("image/*, image/png;q=0"), Some(Format::Jpeg)),
            (Some("text/html"), None),
        ];
        for (accept, expected) in cases {
            assert_eq!(accepted_format(accept), expected, "{accept:?}");
        }
    }
}
