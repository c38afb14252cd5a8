//! Scenes from and to the files of other programs.

use std::collections::{HashMap, HashSet};
use std::io::{Cursor, Write};
use std::path::Path as FilePath;
use std::sync::Arc;

use assets::{Library, MOST_TRIANGLES, MOST_VERTICES, MediaType};
use axum::Json;
use axum::body::Body;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use mesh_files::{FileFault, Limits, MeshData, write_ply};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use protocol::EditCall;
use scene::Scene;
use scene_files::{Exported, Format, Imported, SceneFileFault, export, import};
use serde::Deserialize;
use serde_json::{Value, json};
use spatial::MOST_CALLS;
use studio::AssetSource;

use crate::session::{Change, Changed, Permission, SessionHandle, now_ms};

use super::App;
use super::archive::file_name;
use super::problem::Problem;
use super::sessions::find;

type Shared = State<Arc<App>>;

#[derive(Deserialize)]
pub(super) struct Wanted {
    /// The ending of the file: glb, gltf, obj, pbrt or json.
    format: String,
}

/// Carries what a format had no place for: a JSON list of sentences, percent-encoded, since headers take
/// only ASCII for sure.
const NOTES: HeaderName = HeaderName::from_static("scene-notes");

/// `GET /api/sessions/{id}/scene/export?format=glb`: the scene as a file of another program; several
/// files come as one archive. What could not be kept is told in the header `Scene-Notes`.
pub(super) async fn export_scene(
    State(app): Shared,
    Path(id): Path<String>,
    wanted: Result<Query<Wanted>, QueryRejection>,
) -> Result<Response, Problem> {
    let Query(Wanted { format }) = wanted.map_err(|error| bad_query(&error))?;
    let known = Format::ALL.iter().find(|(ending, kind)| *ending == format && *kind != Format::Ply);
    let (ending, format) = *known.ok_or_else(|| {
        let detail = format!("'format' must be glb, gltf, obj, pbrt or json, got '{format}'");
        Problem::new(StatusCode::BAD_REQUEST, detail)
    })?;
    let session = find(&app, &id, Permission::View).await?;
    let snapshot = session.snapshot().await?;
    let (scene, name) = (Arc::clone(&snapshot.revision.scene), file_name(&snapshot.name));
    let meshes = meshes_of(&scene, &app.library).await?;
    let images = images_of(&scene, &app.library).await?;
    let stem = name.clone();
    let written = tokio::task::spawn_blocking(move || {
        let mut source = |mesh: &str| meshes.get(mesh).cloned().ok_or(FileFault::Missing);
        let mut pictures =
            |image: &str| images.get(image).map(|bytes| bytes.to_vec()).ok_or(FileFault::Missing);
        let exported = export(&scene, format, &stem, &mut source, &mut pictures)?;
        let notes = json!(exported.notes).to_string();
        Ok::<_, Problem>((pack(exported)?, notes))
    });
    let ((bytes, packed), notes) = written.await.map_err(|error| internal(&error))??;
    let (ending, content_type) =
        if packed { ("zip", "application/zip") } else { (ending, media_type(format)) };
    let headers = [
        (header::CONTENT_TYPE, content_type.to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.{ending}\"")),
        (NOTES, utf8_percent_encode(&notes, NON_ALPHANUMERIC).to_string()),
    ];
    Ok((headers, bytes).into_response())
}

/// What a file of a format is served as.
fn media_type(format: Format) -> &'static str {
    match format {
        Format::Scene => "application/json",
        Format::Gltf => "model/gltf+json",
        Format::Glb => "model/gltf-binary",
        Format::Obj => "model/obj",
        Format::Ply | Format::Pbrt => "text/plain; charset=utf-8",
    }
}

/// The triangles of all meshes that a scene shows.
async fn meshes_of(scene: &Scene, library: &Library) -> Result<HashMap<String, MeshData>, Problem> {
    let mut meshes = HashMap::new();
    for (name, _) in scene.mesh_users() {
        let data = library.mesh_data(name.as_str()).await.map_err(|missing| {
            Problem::new(StatusCode::CONFLICT, format!("mesh '{name}': {missing}"))
        })?;
        meshes.insert(name.as_str().to_owned(), data);
    }
    Ok(meshes)
}

/// The files of all images that the materials of a scene show.
async fn images_of(scene: &Scene, library: &Library) -> Result<HashMap<String, Bytes>, Problem> {
    let mut images = HashMap::new();
    for shape in &scene.shapes {
        for name in shape.material.asset_names().into_iter().map(|name| name.as_str()) {
            if images.contains_key(name) {
                continue;
            }
            let missing = |why: &dyn std::fmt::Display| {
                Problem::new(StatusCode::CONFLICT, format!("image '{name}': {why}"))
            };
            let asset = library.asset(name).ok_or_else(|| missing(&"it is not known here"))?;
            let bytes = library.bytes_of(&asset.hash).await.map_err(|fault| missing(&fault))?;
            images.insert(name.to_owned(), bytes);
        }
    }
    Ok(images)
}

/// One file as it is, several as an archive; whether it is one.
fn pack(exported: Exported) -> Result<(Vec<u8>, bool), Problem> {
    let mut files = exported.files;
    if let [_] = files.as_slice() {
        return Ok((files.remove(0).1, false));
    }
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, content) in files {
        archive.start_file(name, options).map_err(|error| internal(&error))?;
        archive.write_all(&content).map_err(|error| internal(&error))?;
    }
    let archive = archive.finish().map_err(|error| internal(&error))?;
    Ok((archive.into_inner(), true))
}

#[derive(Deserialize)]
pub(super) struct Incoming {
    /// The file's name; its ending says what it is.
    name: String,
    /// Whether the scene becomes what the file holds, camera and surroundings included.
    #[serde(default)]
    replace: bool,
}

/// `POST /api/sessions/{id}/scene/import?name=chair.glb`: the body is the file. Its objects join the
/// scene as one group, in one undoable step.
pub(super) async fn import_scene(
    State(app): Shared,
    Path(id): Path<String>,
    incoming: Result<Query<Incoming>, QueryRejection>,
    headers: HeaderMap,
    body: Body,
) -> Result<impl IntoResponse, Problem> {
    let Query(Incoming { name, replace }) = incoming.map_err(|error| bad_query(&error))?;
    let format = Format::of(FilePath::new(&name)).filter(|format| *format != Format::Scene);
    let format = format.ok_or_else(|| {
        let detail = "'name' must end in .glb, .gltf, .obj, .ply or .pbrt; a scene file goes to \
                      PUT .../scene";
        Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail)
    })?;
    let session = find(&app, &id, Permission::Edit).await?;
    let held = app.intake.take(&headers, body, app.most_asset_bytes, "a file").await?;
    let bytes = held.bytes.clone();
    let stem = FilePath::new(&name).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let stem = stem.unwrap_or_else(|| "import".to_owned());
    let title = stem.clone();
    let read = move || {
        let limits = Limits { vertices: MOST_VERTICES, triangles: MOST_TRIANGLES };
        let mut beside = |name: &str| {
            Err(FileFault::Malformed(format!(
                "'{name}' must be inside the file: pack it as .glb, or convert it by command line"
            )))
        };
        import(&bytes, format, &title, &limits, &mut beside)
    };
    let imported = tokio::task::spawn_blocking(read).await.map_err(|error| internal(&error))??;
    let hashes = keep_assets(&imported, &session, &app).await?;
    let scene = imported.scene(|name| hashes.get(name).cloned().unwrap_or_default())?;
    let before = session.snapshot().await?.revision;
    let change = if replace {
        Change::Replace(Box::new(scene))
    } else {
        let calls = joining(&scene, &stem, taken_ids(&before.scene));
        if calls.len() > MOST_CALLS {
            let detail = format!(
                "the file has {} objects; at most {MOST_CALLS} join a scene at once: replace=true \
                 makes the file the scene",
                calls.len()
            );
            return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail));
        }
        Change::Edit { calls, base_revision: None }
    };
    let Changed { revision, .. } = session.change(change).await?;
    let is_old = taken_ids(&before.scene);
    let new = taken_ids(&revision.scene).into_iter().filter(|id| replace || !is_old.contains(id));
    let mut ids: Vec<String> = new.collect();
    ids.sort();
    let answer = json!({ "revision": revision.number, "ids": ids, "notes": imported.notes });
    Ok((StatusCode::CREATED, Json(answer)))
}

/// Keeps the meshes and images of a file as assets of a session; their hashes by name.
async fn keep_assets(
    imported: &Imported,
    session: &SessionHandle,
    app: &App,
) -> Result<HashMap<String, String>, Problem> {
    let mut checked = Vec::with_capacity(imported.meshes.len() + imported.images.len());
    for mesh in &imported.meshes {
        let bytes = write_ply(&mesh.data).into();
        checked
            .push((&mesh.name, app.library.check(bytes, &mesh.name, Some(MediaType::Ply)).await?));
    }
    for image in &imported.images {
        let bytes = image.bytes.clone().into();
        checked.push((&image.name, app.library.check(bytes, &image.name, None).await?));
    }
    let mut hashes = HashMap::new();
    for (name, checked) in checked {
        let kept = app.library.keep(checked, now_ms()).await?;
        let hash = kept.asset.hash.as_str();
        app.sessions.store().use_asset(session.id(), hash).await?;
        session.assets.add(hash);
        hashes.insert(name.clone(), hash.to_owned());
    }
    Ok(hashes)
}

fn taken_ids(scene: &Scene) -> HashSet<String> {
    let shapes = scene.shapes.iter().map(|shape| shape.id.as_str());
    let lights = scene.lights.iter().map(|light| light.id.as_str());
    shapes.chain(lights).chain(scene.group_ids()).map(str::to_owned).collect()
}

/// Calls that add all objects of a scene to another one, which has the ids `taken`; as one group
/// when there are several.
fn joining(scene: &Scene, name: &str, mut taken: HashSet<String>) -> Vec<EditCall> {
    let mut fresh = |wanted: &str| {
        let numbered = (2..).map(|number| format!("{wanted}_{number}"));
        let found =
            std::iter::once(wanted.to_owned()).chain(numbered).find(|id| !taken.contains(id));
        let found = found.unwrap_or_default();
        taken.insert(found.clone());
        found
    };
    let several = scene.shapes.len() + scene.lights.len() > 1;
    let group = several.then(|| fresh(name));
    let shapes = scene.shapes.iter().map(|shape| ("create_shape", shape.to_json()));
    let lights = scene.lights.iter().map(|light| ("create_light", light.to_json()));
    shapes
        .chain(lights)
        .map(|(tool, mut args)| {
            args["id"] = fresh(args["id"].as_str().unwrap_or(name)).into();
            if let (Some(group), Some(object)) = (&group, args.as_object_mut()) {
                object.insert("group".into(), Value::from(group.as_str()));
            }
            EditCall { name: tool.to_owned(), args }
        })
        .collect()
}

impl From<SceneFileFault> for Problem {
    fn from(fault: SceneFileFault) -> Self {
        match fault {
            SceneFileFault::Scene(violations) => violations.into(),
            other => Self::new(StatusCode::UNPROCESSABLE_ENTITY, other.to_string()),
        }
    }
}

fn bad_query(error: &QueryRejection) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, format!("the query: {error}"))
}

fn internal(error: &impl std::fmt::Display) -> Problem {
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
}
