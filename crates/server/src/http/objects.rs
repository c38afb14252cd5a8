//! The catalogue of ready-made objects over HTTP, for the page's library and for scripts.

use std::sync::{Arc, LazyLock};

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use catalogue::{Object, ObjectInfo, ObjectParameters, catalogue};
use scene::Shape;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use studio::{Denoise, Format, Integrator, Job};

use super::app::App;
use super::etag::client_has;
use super::problem::Problem;

/// Pixels.
const WIDTH: u32 = 256;
/// Pixels.
const HEIGHT: u32 = 192;
/// Samples per pixel: enough for the denoiser.
const SAMPLES: u32 = 24;

/// The query of the list.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ListQuery {
    /// Words for names, synonyms or categories.
    #[serde(default)]
    query: String,
    category: Option<String>,
}

#[derive(Serialize)]
struct List<'a> {
    objects: Vec<ObjectInfo<'a>>,
    categories: Vec<&'a str>,
    version: &'static str,
}

/// `GET /api/objects`: all objects, or those that fit the query, the best first.
pub(super) async fn list(
    query: Result<Query<ListQuery>, QueryRejection>,
) -> Result<Response, Problem> {
    let Query(ListQuery { query, category }) = query.map_err(|error| {
        let rule = "query and category are texts";
        Problem::new(StatusCode::BAD_REQUEST, format!("the query: {error}; {rule}"))
    })?;
    let categories: Vec<&str> = catalogue().named_categories().map(|(name, _)| name).collect();
    let category = category.map(|name| catalogue().category_named(&name)).transpose();
    let category =
        category.map_err(|error| Problem::new(StatusCode::BAD_REQUEST, error.to_string()))?;
    // All objects are built once for their sizes.
    let found = tokio::task::spawn_blocking(move || {
        let found = catalogue().search(&query, category);
        found.iter().map(|found| catalogue().info(found.object)).collect::<Vec<_>>()
    });
    let objects = found
        .await
        .map_err(|error| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))?;
    let caching = [(header::CACHE_CONTROL, "private, max-age=300")];
    Ok((caching, Json(List { objects, categories, version: catalogue().version() }))
        .into_response())
}

/// `GET /api/objects/{name}`: one object with its shapes, standing on y = 0 about the origin.
pub(super) async fn one(Path(name): Path<String>) -> Result<Json<Value>, Problem> {
    let object = find(&name)?;
    let shapes = object
        .build(&object.name().replace([' ', '-'], "_"), &ObjectParameters::default())
        .map_err(|error| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))?;
    let mut answer = json!(catalogue().info(object));
    answer["document"] = shapes.iter().map(Shape::to_json).collect();
    Ok(Json(answer))
}

/// `GET /api/objects/{name}/picture`: a small JPEG, rendered at the first request.
pub(super) async fn picture(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let object = find(&name)?;
    let tag = format!("\"{}\"", catalogue().version());
    let common = [
        (header::ETAG, tag.clone()),
        (header::CACHE_CONTROL, "private, max-age=604800".to_owned()),
    ];
    if client_has(&headers, &tag) {
        return Ok((StatusCode::NOT_MODIFIED, common).into_response());
    }
    let picture = app.cancel.run_until_cancelled(rendered(&app, object));
    let picture = picture.await.ok_or_else(Problem::stopping)??;
    let own = [(header::CONTENT_TYPE, Format::Jpeg.mime_type())];
    Ok((common, own, picture).into_response())
}

fn find(name: &str) -> Result<&'static Object, Problem> {
    catalogue().find(name).ok_or_else(|| {
        let name: String = name.chars().take(60).collect();
        let message = format!("there is no object '{name}'; GET /api/objects lists all");
        Problem::new(StatusCode::NOT_FOUND, message)
    })
}

async fn rendered(app: &App, object: &'static Object) -> Result<Bytes, Problem> {
    /// All pictures of objects are one client of the renderer: sessions do not wait for them.
    static CLIENT: LazyLock<studio::RenderClient> = LazyLock::new(Default::default);
    let key = format!("object/{}", object.name());
    if let Some(picture) = app.thumbnails.find(&key, 0) {
        return Ok(picture);
    }
    // The semaphore lives as long as the server and is never closed.
    let _turn = app.thumbnails.turn.acquire().await.map_err(|_| Problem::stopping())?;
    if let Some(picture) = app.thumbnails.find(&key, 0) {
        return Ok(picture);
    }
    let scene = object
        .portrait(&ObjectParameters::default())
        .map_err(|error| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))?;
    let job = Job {
        width: WIDTH,
        height: HEIGHT,
        samples: SAMPLES,
        denoise: Denoise::Builtin,
        integrator: Some(Integrator::Path),
        ..Job::of(Arc::new(scene))
    };
    let picture = Bytes::from(app.renderer.render(&CLIENT, job, Format::Jpeg).await?);
    app.thumbnails.keep(&key, 0, picture.clone());
    Ok(picture)
}
