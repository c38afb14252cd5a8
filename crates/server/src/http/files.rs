//! Import and export of scenes in other file formats.

mod incoming;
mod unpacked;

use std::collections::{HashMap, HashSet};
use std::io::{Cursor, Write};
use std::path::Path as FilePath;
use std::sync::Arc;

use assets::{Facts, Library, MAX_TRIANGLES, MAX_VERTICES, MediaType};
use axum::Json;
use axum::body::Body;
use axum::extract::{Extension, Path, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use mesh_files::{Limits, MeshFileError, write_ply};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use scene::Scene;
use scene_files::{
    AssetSize, Bounds, Estimate, Exported, Format, NamedImage, SceneFileError, Sources, export,
    import,
};
use serde::Deserialize;
use serde_json::{Value, json};
use spatial::MAX_CALLS;
use studio::AssetSource;
use tokio::runtime::Handle;

use session::{Changed, EditCall, Permission, SceneCommand, SessionHandle, now_ms};

use crate::shares::Share;

use super::app::App;
use super::archive::file_name;
use super::intake::whole_body;
use super::jobs::{Done, body};
use super::problem::Problem;
use super::query::QueryOf;
use super::sessions::find;
use incoming::Incoming;
use unpacked::{Unpacked, is_archive, unpacked_size};

type Shared = State<Arc<App>>;

#[derive(Deserialize)]
pub(super) struct ExportQuery {
    /// The ending of the file: glb, gltf, obj, pbrt or json.
    format: String,
}

/// The header for losses of an export: a JSON list of sentences, percent-encoded, since only ASCII is safe
/// in headers.
const NOTES: HeaderName = HeaderName::from_static("scene-notes");

/// `GET /api/sessions/{id}/scene/export?format=glb`: the scene as a file of another program; several
/// files come as one archive. The header `Scene-Notes` lists losses.
pub(super) async fn export_scene(
    State(app): Shared,
    Path(id): Path<String>,
    QueryOf(ExportQuery { format }): QueryOf<ExportQuery>,
    Extension(share): Extension<Share>,
) -> Result<Response, Problem> {
    let known = Format::ALL.iter().find(|(ending, kind)| *ending == format && !kind.is_mesh());
    let (ending, format) = *known.ok_or_else(|| {
        let detail = format!("'format' must be glb, gltf, obj, pbrt or json, got '{format}'");
        Problem::new(StatusCode::BAD_REQUEST, detail)
    })?;
    let session = find(&app, &id, Permission::View).await?;
    let snapshot = session.snapshot().await?;
    let (scene, name) = (snapshot.revision.scene, file_name(&snapshot.name));
    let sizes = sizes(&scene, &app.library)?;
    let turn = app.jobs.enter(share.job()?).await?;
    let told = Arc::clone(&scene);
    let estimate = turn.work(ESTIMATING, move |_| {
        let size = |name: &str| sizes.get(name).copied().unwrap_or_default();
        Estimate::of(&told, format, &size)
    });
    let estimate = estimate.await?.value;
    BOUNDS.check(&estimate, format)?;
    let (stem, library, runtime) = (name.clone(), Arc::clone(&app.library), Handle::current());
    let written = turn.work(estimate.memory, move |cancelled| {
        // Each asset is loaded when needed, and dropped after it was written.
        let mut meshes =
            |mesh: &str| runtime.block_on(library.mesh_data(mesh)).map_err(unavailable);
        let mut images = |image: &str| -> Result<Vec<u8>, MeshFileError> {
            let asset = library.asset(image).ok_or(MeshFileError::Missing)?;
            let bytes = runtime.block_on(library.bytes_of(&asset.hash)).map_err(unavailable)?;
            Ok(bytes.into())
        };
        let mut sources = Sources { meshes: &mut meshes, images: &mut images, cancelled };
        let exported = export(&scene, format, &stem, &mut sources, &BOUNDS)?;
        let notes = json!(exported.notes).to_string();
        Ok::<_, Problem>((pack(exported)?, notes))
    });
    let Done { value, memory } = written.await?;
    let ((pieces, packed), notes) = value?;
    let (ending, content_type) =
        if packed { ("zip", "application/zip") } else { (ending, media_type(format)) };
    let length: usize = pieces.iter().map(Vec::len).sum();
    let headers = [
        (header::CONTENT_TYPE, content_type.to_owned()),
        (header::CONTENT_LENGTH, length.to_string()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.{ending}\"")),
        (NOTES, utf8_percent_encode(&notes, NON_ALPHANUMERIC).to_string()),
    ];
    Ok((headers, body(pieces, memory, &app.tracker)).into_response())
}

/// Limits of an exported scene.
const BOUNDS: Bounds = Bounds { triangles: 1 << 23, pixels: 1 << 26, memory: 512 << 20 };
/// Memory for estimating an export.
const ESTIMATING: u64 = 32 << 20;
/// The least memory for an import: an image of the largest size.
const MIN_IMPORT_BYTES: u64 = 256 << 20;
/// Memory per byte of an imported file.
const IMPORT_FACTOR: u64 = 6;

fn unavailable(why: impl std::fmt::Display) -> MeshFileError {
    MeshFileError::Malformed(why.to_string())
}

/// The media type of a format.
fn media_type(format: Format) -> &'static str {
    match format {
        Format::Scene => "application/json",
        Format::Gltf => "model/gltf+json",
        Format::Glb => "model/gltf-binary",
        Format::Obj => "model/obj",
        Format::Ply | Format::Stl | Format::Pbrt => "text/plain; charset=utf-8",
    }
}

/// The size of all assets of a scene.
fn sizes(scene: &Scene, library: &Library) -> Result<HashMap<String, AssetSize>, Problem> {
    let meshes = scene.mesh_users().into_keys().map(|name| (name.as_str(), "mesh"));
    let materials = scene.shapes.iter().map(|shape| &shape.material);
    let images = materials.flat_map(|material| material.asset_names());
    let mut sizes = HashMap::new();
    for (name, what) in meshes.chain(images.map(|name| (name.as_str(), "image"))) {
        if sizes.contains_key(name) {
            continue;
        }
        let asset = library.asset(name).ok_or_else(|| {
            let detail = format!("{what} '{name}' is not known here: upload it again");
            Problem::new(StatusCode::CONFLICT, detail)
        })?;
        let of = |facts: Facts| match facts {
            Facts::Mesh { vertices, triangles, .. } => (vertices as u64, triangles as u64, 0),
            Facts::Image { width, height } => (0, 0, u64::from(width) * u64::from(height)),
        };
        let (vertices, triangles, pixels) = of(asset.facts);
        let size = AssetSize { bytes: asset.bytes, vertices, triangles, pixels };
        sizes.insert(name.to_owned(), size);
    }
    Ok(sizes)
}

/// One file as is, several as an archive; returns whether it is an archive. Files are dropped as they are
/// packed.
fn pack(exported: Exported) -> Result<(Vec<Vec<u8>>, bool), Problem> {
    /// Overhead of an archive per file in bytes, besides its content and twice its name.
    const ENTRY: usize = 200;
    let mut files = exported.files;
    if let [_] = files.as_slice() {
        return Ok((files.remove(0).1.into_chunks(), false));
    }
    let size = files.iter().map(|(name, content)| content.len() + 2 * name.len() + ENTRY).sum();
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::with_capacity(size)));
    let options =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, content) in files {
        archive.start_file(name, options).map_err(|error| internal(&error))?;
        for chunk in content.into_chunks() {
            archive.write_all(&chunk).map_err(|error| internal(&error))?;
        }
    }
    let archive = archive.finish().map_err(|error| internal(&error))?;
    Ok((vec![archive.into_inner()], true))
}

/// `POST /api/sessions/{id}/scene/import?name=chair.glb`: the body is the file. Its objects join the
/// scene as one group, in one undoable step. With `preview=true` the scene is returned and nothing changes;
/// its assets are stored, so that it can be rendered.
pub(super) async fn import_scene(
    State(app): Shared,
    Path(id): Path<String>,
    QueryOf(incoming): QueryOf<Incoming>,
    Extension(share): Extension<Share>,
    headers: HeaderMap,
    body: Body,
) -> Result<impl IntoResponse, Problem> {
    let axes = incoming.axes()?;
    let Incoming { name, replace, preview, .. } = incoming;
    let format = Format::of(FilePath::new(&name)).filter(|format| *format != Format::Scene);
    let is_archive = is_archive(&name);
    if format.is_none() && !is_archive {
        let detail = "'name' must end in .glb, .gltf, .obj, .ply, .stl, .pbrt or .zip; a scene file \
                      goes to PUT .../scene";
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail));
    }
    let session = find(&app, &id, Permission::Edit).await?;
    let body = whole_body(&headers, body, app.most_asset_bytes, "a file").await?;
    let stem = FilePath::new(&name).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let stem = stem.unwrap_or_else(|| "import".to_owned());
    let title = stem.clone();
    let size = body.len() as u64;
    let size = if is_archive { size + unpacked_size(&body)? } else { size };
    let turn = app.jobs.enter(share.job()?).await?;
    let memory = MIN_IMPORT_BYTES + IMPORT_FACTOR * size;
    let most_objects = if replace || preview { usize::MAX } else { MAX_CALLS };
    let read = turn.work(memory, move |cancelled| {
        let file = match format {
            Some(format) => Unpacked::alone(body, format, title),
            None => {
                let file = Unpacked::of_archive(&body)?;
                drop(body);
                file
            }
        };
        read_import(file, most_objects, cancelled)
    });
    let Done { value, memory: _held } = read.await?;
    let (mut imported, meshes) = value?;
    let images = std::mem::take(&mut imported.images);
    let hashes = keep_assets(meshes, images, &session, &app).await?;
    let mut notes = std::mem::take(&mut imported.notes);
    let bounds = axes.apply_to(imported.bounds);
    let scene = app.scene_texts.apart(move || {
        let scene = imported.scene(|name| hashes.get(name).cloned().unwrap_or_default())?;
        axes.apply(scene)
    });
    let (scene, note) = scene.await??;
    notes.extend(note);
    if preview {
        let bounds = json!({ "min": bounds.min, "max": bounds.max });
        let answer = json!({ "scene": scene.to_json(), "bounds": bounds, "notes": notes });
        return Ok((StatusCode::OK, Json(answer)));
    }
    let (revision, ids) = put_in(&session, scene, &stem, replace).await?;
    let answer = json!({ "revision": revision, "ids": ids, "notes": notes });
    Ok((StatusCode::CREATED, Json(answer)))
}

/// A file by its name.
type NamedFile = (String, Vec<u8>);

/// Reads a file with what lies beside it: its scene, and its meshes as PLY.
fn read_import(
    file: Unpacked,
    most_objects: usize,
    cancelled: &dyn Fn() -> bool,
) -> Result<(scene_files::Imported, Vec<NamedFile>), Problem> {
    let limits = Limits { vertices: MAX_VERTICES, triangles: MAX_TRIANGLES };
    let mut beside = |name: &str| file.beside(name);
    let Unpacked { bytes, format, stem, .. } = &file;
    let mut imported = import(bytes, *format, stem, &limits, &mut beside, cancelled)?;
    drop(file);
    if imported.objects() > most_objects {
        let detail = format!(
            "the file has {} objects; at most {most_objects} join a scene at once: replace=true makes the file the scene",
            imported.objects()
        );
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail));
    }
    // One at a time, so that only one copy is in memory.
    let meshes = std::mem::take(&mut imported.meshes).into_iter();
    let meshes = meshes.map(|mesh| (mesh.name, write_ply(&mesh.data))).collect();
    Ok((imported, meshes))
}

/// Lets a scene join that of a session as the group `stem`, or take its place; the revision, and the ids that are new.
async fn put_in(
    session: &SessionHandle,
    scene: Scene,
    stem: &str,
    replace: bool,
) -> Result<(u64, Vec<String>), Problem> {
    let before = session.snapshot().await?.revision;
    let is_old = if replace { HashSet::new() } else { taken_ids(&before.scene) };
    let command = if replace {
        SceneCommand::Replace(Box::new(scene))
    } else {
        let calls = joining(&scene, stem, is_old.clone());
        SceneCommand::Edit { calls, base_revision: None }
    };
    let Changed { revision, .. } = session.change(command).await?;
    let new = taken_ids(&revision.scene).into_iter().filter(|id| !is_old.contains(id));
    let mut ids: Vec<String> = new.collect();
    ids.sort();
    Ok((revision.number, ids))
}

/// Stores the meshes (as PLY) and the images of a file as assets of a session; returns their hashes by name.
/// All are validated before any is stored.
async fn keep_assets(
    meshes: Vec<NamedFile>,
    images: Vec<NamedImage>,
    session: &SessionHandle,
    app: &App,
) -> Result<HashMap<String, String>, Problem> {
    let mut checked = Vec::with_capacity(meshes.len() + images.len());
    for (name, bytes) in meshes {
        let good = app.library.check(bytes.into(), &name, Some(MediaType::Ply)).await?;
        checked.push((name, good));
    }
    for image in images {
        let good = app.library.check(image.bytes.into(), &image.name, None).await?;
        checked.push((image.name, good));
    }
    let mut hashes = HashMap::new();
    for (name, checked) in checked {
        let kept = app.library.add(checked, now_ms()).await?;
        let hash = kept.asset.hash.as_str();
        app.sessions.store().use_asset(session.id(), hash).await?;
        session.assets.add(hash);
        hashes.insert(name, hash.to_owned());
    }
    Ok(hashes)
}

fn taken_ids(scene: &Scene) -> HashSet<String> {
    let shapes = scene.shapes.iter().map(|shape| shape.id.as_str());
    let lights = scene.lights.iter().map(|light| light.id.as_str());
    shapes.chain(lights).chain(scene.group_ids()).map(str::to_owned).collect()
}

/// Calls that add all objects of a scene to another one with the ids `taken`; several objects become
/// one group.
fn joining(scene: &Scene, name: &str, mut taken: HashSet<String>) -> Vec<EditCall> {
    // The next number to try for a name that is taken.
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut fresh = |wanted: &str| {
        if taken.insert(wanted.to_owned()) {
            return wanted.to_owned();
        }
        let next = numbers.entry(wanted.to_owned()).or_insert(2);
        loop {
            let numbered = format!("{wanted}_{next}");
            *next += 1;
            if taken.insert(numbered.clone()) {
                return numbered;
            }
        }
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

impl From<SceneFileError> for Problem {
    fn from(error: SceneFileError) -> Self {
        match error {
            SceneFileError::Scene(violations) => violations.into(),
            SceneFileError::Cancelled | SceneFileError::File(MeshFileError::Cancelled) => {
                Self::stopping()
            }
            other => Self::new(StatusCode::UNPROCESSABLE_ENTITY, other.to_string()),
        }
    }
}

fn internal(error: &impl std::fmt::Display) -> Problem {
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
}
