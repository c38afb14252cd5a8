//! Animations over HTTP.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Extension, Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde::Deserialize;
use serde_json::json;
use studio::{FrameDone, Movie, MovieFile, MovieFormat, RenderClient, RenderError};
use tokio::sync::mpsc;
use tokio::time::Instant;

use session::Permission;

use super::RenderRequest;
use crate::choices::{Denoise, Integrator, ToneMap};
use crate::http::app::App;
use crate::http::archive::file_name;
use crate::http::problem::Problem;
use crate::http::query::QueryOf;
use crate::http::sessions::find;
use crate::shares::Share;

/// Lines of JSON, then the file.
const WITH_PROGRESS: &str = "application/x-ndjson";
/// Bytes that are on their way to a client at once.
const PIECE: usize = 1 << 16;

/// The settings of an animation; missing ones are as those of a picture, but for `denoise`.
#[derive(Deserialize)]
pub(in crate::http) struct AnimationRequest {
    format: Option<String>,
    fps: Option<u32>,
    width: Option<u32>,
    height: Option<u32>,
    samples: Option<u32>,
    max_depth: Option<u32>,
    integrator: Option<Integrator>,
    seed: Option<u64>,
    noise_threshold: Option<f32>,
    denoise: Option<Denoise>,
    tone_map: Option<ToneMap>,
    /// Stops.
    exposure: Option<f32>,
    /// Share of the time of a frame; 0 without motion blur.
    shutter: Option<f64>,
}

/// `GET /api/sessions/{id}/animation?format=webp`: the animation of the scene as a file. With `Accept:
/// application/x-ndjson` a line tells of each frame, and the last line how many bytes of the file follow it. Whoever
/// closes the connection cancels the work.
pub(in crate::http) async fn of_session(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    QueryOf(request): QueryOf<AnimationRequest>,
    Extension(share): Extension<Share>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let session = find(&app, &id, Permission::View).await?;
    let place = (share.picture()?, share.movie()?);
    let snapshot = session.snapshot().await?;
    let movie = request.movie(snapshot.revision.scene)?;
    let format = movie.format();
    let name = format!("{}.{}", file_name(&snapshot.name), format.extension());
    let client = session.scene().render_client().clone();
    let accept = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    if accept.is_some_and(|accept| accept.contains(WITH_PROGRESS)) {
        app.renderer.check_movie(&movie)?;
        // The guard of the address's share is held for as long as the work goes on.
        let body = with_progress(Arc::clone(&app), client, movie, place);
        let headers = [
            (header::CONTENT_TYPE, WITH_PROGRESS),
            // Not compressed: a line is for now.
            (header::CONTENT_ENCODING, "identity"),
            (header::CACHE_CONTROL, "no-store"),
        ];
        return Ok((headers, body).into_response());
    }
    // A stopping server does not wait for animations.
    let made = app.cancel.run_until_cancelled(app.renderer.movie(&client, movie, |_| ()));
    let file = made.await.ok_or_else(Problem::stopping)??;
    let headers = [
        (header::CONTENT_TYPE, format.mime_type().to_owned()),
        (header::CONTENT_LENGTH, file.bytes.len().to_string()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    Ok((headers, Body::from_stream(pieces(file, place))).into_response())
}

impl AnimationRequest {
    fn movie(self, scene: Arc<scene::Scene>) -> Result<Movie, Problem> {
        let format = self.format.unwrap_or_else(|| MovieFormat::WebP.extension().to_owned());
        let format = MovieFormat::from_extension(&format).ok_or_else(|| {
            let known = MovieFormat::ALL.map(MovieFormat::extension).join(", ");
            let detail = format!("'format' must be one of {known}, got '{format}'");
            Problem::new(StatusCode::BAD_REQUEST, detail)
        })?;
        let (fps, exposure, shutter) = (self.fps, self.exposure, self.shutter.unwrap_or(0.0));
        let request = RenderRequest {
            width: self.width,
            height: self.height,
            samples: self.samples,
            max_depth: self.max_depth,
            integrator: self.integrator,
            seed: self.seed,
            noise_threshold: self.noise_threshold,
            denoise: Some(self.denoise.unwrap_or(Denoise::Builtin)),
            tone_map: self.tone_map,
            exposure,
            ..RenderRequest::default()
        };
        Ok(Movie::new(request.job(scene)?, format, fps, exposure)?.with_shutter(shutter)?)
    }
}

/// A line of JSON for each frame with its picture, then the file; an error as a line, too.
fn with_progress(
    app: Arc<App>,
    client: RenderClient,
    movie: Movie,
    place: impl Send + 'static,
) -> Body {
    // One frame is on its way while the next is rendered: who reads none holds the work up.
    let (sender, mut frames) = mpsc::channel::<FrameDone>(1);
    let begun = Instant::now();
    let (mime_type, extension) = (movie.format().mime_type(), movie.format().extension());
    Body::from_stream(async_stream::stream! {
        let made = {
            let work = app.renderer.movie(&client, movie, |frame| {
                // A picture that nobody has fetched yet is left out; its number comes with the next.
                let _ = sender.try_send(frame);
            });
            let work = app.cancel.run_until_cancelled(work);
            tokio::pin!(work);
            loop {
                let step = tokio::select! {
                    Some(frame) = frames.recv() => Step::Frame(frame),
                    made = &mut work => Step::Made(made),
                };
                match step {
                    Step::Frame(frame) => {
                        let left = begun.elapsed().as_secs_f64() / f64::from(frame.done)
                            * f64::from(frame.frames - frame.done);
                        yield line(&json!({
                            "type": "frame",
                            "done": frame.done,
                            "frames": frame.frames,
                            "seconds_left": (left * 10.0).round() / 10.0,
                            "picture": STANDARD.encode(&frame.jpeg),
                        }));
                    }
                    Step::Made(made) => break made,
                }
            }
        };
        match made {
            Some(Ok(file)) => {
                yield line(&json!({
                    "type": "file",
                    "bytes": file.bytes.len(),
                    "mime_type": mime_type,
                    "extension": extension,
                }));
                for await piece in pieces(file, place) {
                    yield piece;
                }
            }
            Some(Err(error)) => yield line(&failed(&error)),
            None => yield line(&failed(&RenderError::Cancelled)),
        }
    })
}

/// What comes next while an animation is rendered.
enum Step {
    Frame(FrameDone),
    /// The file, or why there is none; `None` if the server stops.
    Made(Option<Result<MovieFile, RenderError>>),
}

fn failed(error: &RenderError) -> serde_json::Value {
    json!({ "type": "error", "detail": error.to_string() })
}

fn line(value: &serde_json::Value) -> Result<Bytes, std::convert::Infallible> {
    Ok(Bytes::from(format!("{value}\n")))
}

/// The file in pieces; its place in memory is given back when all are sent.
fn pieces(
    file: MovieFile,
    of_client: impl Send + 'static,
) -> impl futures_util::Stream<Item = Result<Bytes, std::convert::Infallible>> {
    async_stream::stream! {
        let (MovieFile { bytes, place: _place }, _of_client) = (file, of_client);
        let mut bytes = Bytes::from(bytes);
        while !bytes.is_empty() {
            yield Ok(bytes.split_to(bytes.len().min(PIECE)));
        }
    }
}
