//! `scene-llm convert`.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;
use mesh_files::{Folder, Limits, MeshData, MeshFileError, write_ply};
use scene::Scene;
use scene_files::{Bounds, Content, Exported, Format, Imported, Sources, export, import};
use serde_json::json;

use super::scene_file::read_scene;

/// Make a scene file of a glTF, GLB, OBJ, PLY, STL or PBRT file, or the other way round.
///
/// What a format has no place for is told, one line each. Meshes and images of a scene file go into
/// a folder beside it.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The file to read: .json, .gltf, .glb, .obj, .ply or .pbrt.
    #[arg(value_name = "FROM", value_parser = readable)]
    from: Named,
    /// The file to write: .json, .gltf, .glb, .obj or .pbrt. What is there already is replaced.
    #[arg(value_name = "TO", value_parser = writable)]
    to: Named,
    /// Print an object with the `files` that were written and the `notes`, on standard output.
    #[arg(long)]
    json: bool,
}

/// A file whose name says what it holds.
#[derive(Debug, Clone)]
struct Named {
    path: PathBuf,
    format: Format,
}

impl Named {
    /// The name without folder and ending.
    fn stem(&self) -> String {
        self.path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
    }
}

fn readable(name: &str) -> Result<Named, String> {
    let path = PathBuf::from(name);
    let format = Format::of(&path);
    let format = format
        .ok_or("the name must end in .json, .gltf, .glb, .obj, .ply, .stl or .pbrt".to_owned())?;
    Ok(Named { path, format })
}

fn writable(name: &str) -> Result<Named, String> {
    match readable(name) {
        Ok(named) if !named.format.is_mesh() => Ok(named),
        _ => Err("the name must end in .json, .gltf, .glb, .obj or .pbrt".into()),
    }
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let Arguments { from, to, json } = arguments;
    let mut notes = Vec::new();
    let exported = if from.format == Format::Scene {
        let scene = read_scene(&from.path)?.map_err(|violations| {
            anyhow!("'{}' is not valid: {violations}", from.path.display())
        })?;
        let folder = Folder::of_scene(&from.path);
        write(&scene, to, &mut |name| folder.read(name), &mut |name| folder.bytes(Path::new(name)))?
    } else {
        let imported = read(from)?;
        notes.extend(imported.notes.iter().map(ToString::to_string));
        if to.format == Format::Scene {
            scene_with_meshes(&imported, to)?
        } else {
            let meshes: HashMap<String, MeshData> =
                imported.meshes.iter().map(|mesh| (mesh.name.clone(), mesh.data.clone())).collect();
            let scene = imported.scene(str::to_owned)?;
            let images: HashMap<&str, &Vec<u8>> =
                imported.images.iter().map(|image| (image.name.as_str(), &image.bytes)).collect();
            write(
                &scene,
                to,
                &mut |name| meshes.get(name).cloned().ok_or(MeshFileError::Missing),
                &mut |name| {
                    images.get(name).map(|bytes| bytes.to_vec()).ok_or(MeshFileError::Missing)
                },
            )?
        }
    };
    notes.extend(exported.notes.iter().map(ToString::to_string));
    if !json {
        notes.iter().for_each(|note| eprintln!("note: {note}"));
    }
    let folder = to.path.parent().unwrap_or(Path::new(""));
    let mut files = Vec::new();
    for (at, (name, content)) in exported.files.iter().enumerate() {
        let path = if at == 0 { to.path.clone() } else { folder.join(name) };
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)
                .with_context(|| format!("cannot make the folder '{}'", parent.display()))?;
        }
        written(&path, content).with_context(|| format!("cannot write '{}'", path.display()))?;
        files.push(path.display().to_string());
    }
    if *json {
        let told = json!({ "files": files, "notes": notes });
        return Ok(writeln!(std::io::stdout(), "{told}")?);
    }
    let others = files.len() - 1;
    let more = if others > 0 { format!(" and {others} beside it") } else { String::new() };
    writeln!(std::io::stdout(), "wrote {}{more}", to.path.display())?;
    Ok(())
}

fn written(path: &Path, content: &Content) -> std::io::Result<()> {
    let mut file = std::fs::File::create(path)?;
    content.chunks().iter().try_for_each(|chunk| file.write_all(chunk))
}

fn read(from: &Named) -> anyhow::Result<Imported> {
    let (folder, path) = (Folder::of_scene(&from.path), from.path.display());
    let name = from.path.file_name().map_or(Path::new(""), Path::new);
    let bytes = folder.bytes(name).map_err(|error| match error {
        MeshFileError::Missing => anyhow!("there is no file '{path}'"),
        other => anyhow!("cannot read '{path}': {other}"),
    })?;
    let mut beside = |name: &str| folder.bytes(Path::new(name));
    import(&bytes, from.format, &from.stem(), &Limits::default(), &mut beside, &|| false)
        .with_context(|| format!("'{path}'"))
}

fn write(
    scene: &Scene,
    to: &Named,
    meshes: scene_files::MeshSource<'_>,
    images: scene_files::ImageSource<'_>,
) -> anyhow::Result<Exported> {
    let mut sources = Sources { meshes, images, cancelled: &|| false };
    export(scene, to.format, &to.stem(), &mut sources, &Bounds::default())
        .with_context(|| format!("'{}' cannot be written", to.path.display()))
}

/// A scene file, and its meshes and images in a folder beside it.
fn scene_with_meshes(imported: &Imported, to: &Named) -> anyhow::Result<Exported> {
    let folder = format!("{}-meshes", to.stem());
    let scene = imported.scene(|name| format!("{folder}/{name}"))?;
    let (mut meshes, mut images) =
        (|_: &str| Err(MeshFileError::Missing), |_: &str| Err(MeshFileError::Missing));
    let mut exported = write(&scene, to, &mut meshes, &mut images)?;
    let meshes = imported.meshes.iter();
    let files =
        meshes.map(|mesh| (format!("{folder}/{}", mesh.name), write_ply(&mesh.data).into()));
    exported.files.extend(files);
    let images = imported.images.iter();
    exported.files.extend(
        images.map(|image| (format!("{folder}/{}", image.name), image.bytes.clone().into())),
    );
    Ok(exported)
}
