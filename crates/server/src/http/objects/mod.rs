//! The catalogue of ready-made objects over HTTP, for the page's library and for scripts, with the user's own.

mod own;

use std::sync::{Arc, LazyLock};

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use catalogue::{
    CatalogueError, Found, Object, ObjectInfo, ObjectParameters, OwnObject, catalogue,
};
use own_objects::Entry;
use scene::Shape;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use studio::{Format, Job};

use self::own::OwnInfo;
use super::app::App;
use super::etag::client_has;
use super::problem::Problem;
use super::query::QueryOf;

pub(super) use self::own::{change, delete, export, import, save};

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

/// A row of the list.
#[derive(Serialize)]
#[serde(untagged)]
enum Row<'a> {
    BuiltIn(ObjectInfo<'a>),
    Own(Box<OwnInfo>),
}

#[derive(Serialize)]
struct List<'a> {
    objects: Vec<Row<'a>>,
    categories: Vec<&'a str>,
    version: &'static str,
    /// Files among the user's own objects that are none; for whoever may see those.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<Value>,
}

/// `GET /api/objects`: all objects, or those that fit the query, the best first.
pub(super) async fn list(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    QueryOf(ListQuery { query, category }): QueryOf<ListQuery>,
) -> Result<Response, Problem> {
    let categories: Vec<&str> = catalogue().named_categories().map(|(name, _)| name).collect();
    let category = category.map(|name| catalogue().category_named(&name)).transpose();
    let category = category
        .map_err(|error| Problem::new(StatusCode::UNPROCESSABLE_ENTITY, error.to_string()))?;
    let (entries, problems) = match app.may_see_own_objects(&headers) {
        Ok(()) => app.own_objects.look().await?,
        Err(_) => (Vec::new(), Vec::new()),
    };
    // All objects are built once for their sizes.
    let found = tokio::task::spawn_blocking(move || {
        let own: Vec<_> = entries.iter().map(|entry| Arc::clone(&entry.object)).collect();
        let found = catalogue().search_with(&own, &query, category);
        found.into_iter().filter_map(|found| row_of(found, &entries)).collect::<Vec<_>>()
    });
    let objects = found
        .await
        .map_err(|error| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))?;
    let problems = problems
        .into_iter()
        .map(|problem| json!({ "file": problem.file, "message": problem.message }))
        .collect();
    // What is one's own changes at any time.
    let caching = [(header::CACHE_CONTROL, "private, no-cache")];
    Ok((caching, Json(List { objects, categories, version: catalogue().version(), problems }))
        .into_response())
}

fn row_of(found: Found<'_>, entries: &[Entry]) -> Option<Row<'static>> {
    match found {
        Found::BuiltIn(found) => {
            let object = catalogue().find(found.object.name())?;
            Some(Row::BuiltIn(catalogue().info(object)))
        }
        Found::Own(object) => {
            let entry = entries.iter().find(|entry| entry.object.name() == object.name())?;
            Some(Row::Own(Box::new(OwnInfo::of(entry))))
        }
    }
}

/// `GET /api/objects/{name}`: one object with its shapes, standing on y = 0 about the origin.
pub(super) async fn one(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Json<Value>, Problem> {
    let failed =
        |error: CatalogueError| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string());
    let group = |name: &str| name.replace([' ', '-'], "_");
    let parameters = ObjectParameters::default();
    match find(&app, &name, &headers)? {
        Which::BuiltIn(object) => {
            let shapes = object.build(&group(object.name()), &parameters).map_err(failed)?;
            let mut answer = json!(catalogue().info(object));
            answer["document"] = shapes.iter().map(Shape::to_json).collect();
            Ok(Json(answer))
        }
        Which::Own(entry) => {
            let object = &entry.object;
            let objects = object.build(&group(object.name()), &parameters).map_err(failed)?;
            let mut answer = json!(OwnInfo::of(&entry));
            answer["document"] = objects.shapes.iter().map(|shape| shape.to_json()).collect();
            answer["lights"] = objects.lights.iter().map(|light| light.to_json()).collect();
            answer["groups"] = objects.groups.iter().map(|group| group.to_json()).collect();
            Ok(Json(answer))
        }
    }
}

/// `GET /api/objects/{name}/picture`: a small JPEG, rendered at the first request.
pub(super) async fn picture(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let which = find(&app, &name, &headers)?;
    let tag = match &which {
        Which::BuiltIn(_) => format!("\"{}\"", catalogue().version()),
        Which::Own(entry) => format!("\"{}\"", entry.version),
    };
    let common = [
        (header::ETAG, tag.clone()),
        (header::CACHE_CONTROL, "private, max-age=604800".to_owned()),
    ];
    if client_has(&headers, &tag) {
        return Ok((StatusCode::NOT_MODIFIED, common).into_response());
    }
    let picture = app.cancel.run_until_cancelled(rendered(&app, &which));
    let picture = picture.await.ok_or_else(Problem::stopping)??;
    let own = [(header::CONTENT_TYPE, Format::Jpeg.mime_type())];
    Ok((common, own, picture).into_response())
}

/// The object that a name means, as `add_object` has it.
enum Which {
    BuiltIn(&'static Object),
    Own(Entry),
}

fn find(app: &App, name: &str, headers: &HeaderMap) -> Result<Which, Problem> {
    let own = app.may_see_own_objects(headers).is_ok().then(|| app.own_objects.list());
    let entry = |object: Arc<OwnObject>| Ok(Which::Own(app.own_objects.entry(object.name())?));
    if let Some(object) = own.and_then(|own| own.named(name)) {
        return entry(object);
    }
    if let Some(object) = catalogue().find(name) {
        return Ok(Which::BuiltIn(object));
    }
    if let Some(object) = own.and_then(|own| own.find(name)) {
        return entry(object);
    }
    let name: String = name.chars().take(60).collect();
    let message = format!("there is no object '{name}'; GET /api/objects lists all");
    Err(Problem::new(StatusCode::NOT_FOUND, message))
}

async fn rendered(app: &App, which: &Which) -> Result<Bytes, Problem> {
    /// All pictures of objects are one client of the renderer: sessions do not wait for them.
    static CLIENT: LazyLock<studio::RenderClient> = LazyLock::new(Default::default);
    let key = match which {
        Which::BuiltIn(object) => format!("object/{}", object.name()),
        Which::Own(entry) => format!("own-object/{}", entry.version),
    };
    if let Some(picture) = app.thumbnails.find(&key, 0) {
        return Ok(picture);
    }
    // The semaphore lives as long as the server and is never closed.
    let _turn = app.thumbnails.turn.acquire().await.map_err(|_| Problem::stopping())?;
    if let Some(picture) = app.thumbnails.find(&key, 0) {
        return Ok(picture);
    }
    let parameters = ObjectParameters::default();
    let scene = match which {
        Which::BuiltIn(object) => object.portrait(&parameters),
        Which::Own(entry) => entry.object.portrait(&parameters),
    };
    let scene = scene
        .map_err(|error| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))?;
    let job = Job::thumbnail(Arc::new(scene), [WIDTH, HEIGHT], SAMPLES);
    let picture = Bytes::from(app.renderer.render(&CLIENT, job, Format::Jpeg).await?);
    app.thumbnails.keep(&key, 0, picture.clone());
    Ok(picture)
}
